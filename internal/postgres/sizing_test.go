package postgres_test

import (
	"crypto/sha256"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rackwright/internal/apperr"
	"rackwright/internal/money"
	"rackwright/internal/sizing"
	"rackwright/internal/sizing/basis"
	"rackwright/internal/sizing/cost"
	"rackwright/internal/testdb"
)

func sampleReport(key string) sizing.NewReport {
	price := money.MustDecimal("15959.123456")
	watts := 10200.0
	return sizing.NewReport{
		TokenHash: sha256.Sum256([]byte("token of " + key)), IdempotencyKey: key,
		Title: "Llama 3.1 70B，20 个请求/s", CatalogueHash: "c0ffee",
		Request: sizing.Request{
			Version: 1, Task: sizing.Serve, Model: sizing.ModelChoice{Config: []byte(`{"hidden_size":8192}`)},
			Input: sizing.Length{Mean: 1000}, Output: sizing.Length{Mean: 300.5}, Load: sizing.Load{RequestsPerSecond: 0.1},
			Cost: map[string]string{"pue_colo": "1.30"},
		},
		Result: sizing.Result{
			Version: 1, EngineVersion: "roofline-1", ConstantsVersion: "2026-11-30", AsOf: "2026-11-30",
			Plans: []sizing.Plan{{
				Rank: 1, SystemSKU: "DGX-H100", Names: map[string]string{"zh-Hans": "DGX H100 系统"}, GPUs: 8,
				Power: sizing.Power{ProvisionedW: &watts}, TTFT: basis.Band{Low: 0.1, Mid: 1.0 / 3, High: 2},
				Cost: &cost.Comparison{Currency: "USD", Ladders: []cost.Ladder{{Kind: cost.Colocation, PerMonth: &price}}},
			}},
			Verdict: basis.Msg("sizing.verdict", basis.Int("n", 8)),
		},
	}
}

func TestSizingReportReopensAsItWas(t *testing.T) {
	t.Parallel()
	ctx, db := t.Context(), testdb.New(t)
	n := sampleReport("one")
	id, err := db.SaveSizingReport(ctx, n)
	if err != nil {
		t.Fatal(err)
	}
	byID, err := db.SizingReport(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	byToken, err := db.SizingReportByToken(ctx, n.TokenHash)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(byID, byToken); d != "" {
		t.Errorf("by token it differs:\n%s", d)
	}
	if d := cmp.Diff(n.Result, byID.Result); d != "" {
		t.Errorf("the result changed in the database:\n%s", d)
	}
	if byID.Title != n.Title || byID.CatalogueHash != n.CatalogueHash || byID.Request.Output.Mean != 300.5 || byID.Request.Cost["pue_colo"] != "1.30" {
		t.Errorf("reopened %+v", byID)
	}
}

func TestSizingReportOnceAKey(t *testing.T) {
	t.Parallel()
	ctx, db := t.Context(), testdb.New(t)
	first, err := db.SaveSizingReport(ctx, sampleReport("same"))
	if err != nil {
		t.Fatal(err)
	}
	again := sampleReport("same")
	again.Title = "another"
	second, err := db.SaveSizingReport(ctx, again)
	if err != nil || second != first {
		t.Fatalf("the same key gave %d and %d, %v", first, second, err)
	}
	r, err := db.SizingReport(ctx, first)
	if err != nil || r.Title == "another" {
		t.Errorf("title %q, %v: the second click changed the report", r.Title, err)
	}
}

func TestSizingReportUnknown(t *testing.T) {
	t.Parallel()
	ctx, db := t.Context(), testdb.New(t)
	if _, err := db.SizingReport(ctx, 99); !apperr.Is(err, apperr.NotFound) {
		t.Errorf("unknown id: %v", err)
	}
	if _, err := db.SizingReportByToken(ctx, sha256.Sum256(nil)); !apperr.Is(err, apperr.NotFound) {
		t.Errorf("unknown token: %v", err)
	}
}

func TestSizingReportsListStaffOnly(t *testing.T) {
	t.Parallel()
	ctx, db := t.Context(), testdb.New(t)
	if _, err := db.EnsureAdmin(ctx, "a long enough password"); err != nil {
		t.Fatal(err)
	}
	users, err := db.Users(ctx)
	if err != nil {
		t.Fatal(err)
	}
	for _, key := range []string{"a", "b"} {
		n := sampleReport(key)
		n.CreatedBy, n.Title = &users[0].ID, key
		if _, err := db.SaveSizingReport(ctx, n); err != nil {
			t.Fatal(err)
		}
	}
	if _, err := db.SaveSizingReport(ctx, sampleReport("visitor")); err != nil {
		t.Fatal(err)
	}
	heads, err := db.SizingReports(ctx, 10)
	if err != nil {
		t.Fatal(err)
	}
	if len(heads) != 2 || heads[0].Title != "b" || heads[1].Author != users[0].DisplayName {
		t.Errorf("list %+v, want b before a and no visitor's report", heads)
	}
}

func TestSizingInputsOfTheShippedCatalogue(t *testing.T) {
	t.Parallel()
	ctx := t.Context()
	s, hash, err := testdb.WithCatalog(t).SizingInputs(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if hash == "" || len(s.Products) != 94 || len(s.Subjects) != 250 || len(s.Offers) != 207 || len(s.Defaults) != 59 || len(s.Observations) == 0 {
		t.Errorf("hash %q, %d products, %d series, %d offers, %d defaults, %d observations",
			hash, len(s.Products), len(s.Subjects), len(s.Offers), len(s.Defaults), len(s.Observations))
	}
	_, hash, err = testdb.New(t).SizingInputs(ctx)
	if err != nil || hash != "" {
		t.Errorf("empty catalogue: hash %q, %v", hash, err)
	}
}
