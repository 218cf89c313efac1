package postgres_test

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"rackwright/internal/apperr"
	"rackwright/internal/catalog"
	"rackwright/internal/importer"
	"rackwright/internal/postgres"
	"rackwright/internal/seed"
	"rackwright/internal/testdb"
)

func TestImportTwiceChangesNothing(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	ctx := t.Context()
	first, err := importer.Catalogue(ctx, seed.FS, db)
	if err != nil {
		t.Fatal(err)
	}
	if first.Skipped || first.Rows() != first.Changed() {
		t.Errorf("first import: %d rows, %d changed, skipped %v; want all inserted", first.Rows(), first.Changed(), first.Skipped)
	}
	if again, err := importer.Catalogue(ctx, seed.FS, db); err != nil || !again.Skipped {
		t.Errorf("same files again: %+v, %v; want skipped", again, err)
	}
	// The same rows under another hash go through row by row and find nothing to do.
	batch, err := importer.Read(seed.FS, catalog.Keys{})
	if err != nil {
		t.Fatal(err)
	}
	changes, err := db.ImportCatalogue(ctx, strings.Repeat("0", 64), batch)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range changes {
		if c.Inserted != 0 || c.Updated != 0 {
			t.Errorf("%s: %d inserted, %d updated by the second import", c.File, c.Inserted, c.Updated)
		}
	}
}

func TestImportIsAllOrNothing(t *testing.T) {
	t.Parallel()
	db := testdb.WithCatalog(t)
	ctx := t.Context()
	const head = "sku,lang,name\n"
	files := fstest.MapFS{"sku_names.csv": {Data: []byte(head + "DGX-H100,en,Changed name\nNO-SUCH-SKU,en,Nothing\n")}}
	if _, err := importer.Catalogue(ctx, files, db); !apperr.Is(err, apperr.Invalid) {
		t.Fatalf("import with an unknown SKU: %v, want Invalid", err)
	}
	d, err := db.SKU(ctx, "DGX-H100")
	if err != nil || d.SKU.NameIn("en") != "NVIDIA DGX H100" {
		t.Errorf("name after a refused import: %q, %v", d.SKU.NameIn("en"), err)
	}
	files["sku_names.csv"].Data = []byte(head + "DGX-H100,en,Changed name\n")
	report, err := importer.Catalogue(ctx, files, db)
	if err != nil || len(report.Files) != 1 || report.Files[0].Updated != 1 {
		t.Fatalf("import of one changed name: %+v, %v", report, err)
	}
	if l := list(t, db, catalog.Filter{Search: "changed name"}); l.Total != 1 {
		t.Errorf("the new name finds %d SKUs, want 1", l.Total)
	}
}

// The shipped files do not undo a correction at the next start; importing them by hand does.
func TestCorrectionIsKeptUntilItIsTakenBack(t *testing.T) {
	t.Parallel()
	db := testdb.WithCatalog(t)
	ctx := t.Context()
	name := func() string {
		t.Helper()
		d, err := db.SKU(ctx, "DGX-H100")
		if err != nil {
			t.Fatal(err)
		}
		return d.SKU.NameIn("en")
	}
	files := fstest.MapFS{"sku_names.csv": {Data: []byte("sku,lang,name\nDGX-H100,en,Corrected\n")}}
	if _, err := importer.Catalogue(ctx, files, db); err != nil {
		t.Fatal(err)
	}
	if r, err := importer.Shipped(ctx, seed.FS, db); err != nil || !r.Skipped || name() != "Corrected" {
		t.Errorf("the next start: %+v, %v, name %q", r, err, name())
	}
	if r, err := importer.Catalogue(ctx, seed.FS, db); err != nil || r.Changed() != 1 || name() != "NVIDIA DGX H100" {
		t.Errorf("taking it back changed %d rows, %v, name %q", r.Changed(), err, name())
	}
}

func TestCorrectedPriceIsANewRow(t *testing.T) {
	t.Parallel()
	db := testdb.WithCatalog(t)
	ctx := t.Context()
	before, err := db.PriceHistory(ctx, "DGX-H100")
	if err != nil {
		t.Fatal(err)
	}
	const head = "subject,price_kind,currency,price,unit,observed_on,date_precision,region,source_id,source_detail,confidence,gpu_sku,licence,note\n"
	old := before[0]
	row := strings.Join([]string{
		old.Subject, string(old.Kind), string(old.Price.Currency), "123456.78", string(old.Unit), old.Day.Format("2006-01-02"), old.DatePrecision,
		old.Region, old.SourceID, `"` + old.SourceDetail + `"`, "high", old.GPUSKU, old.Licence, "corrected",
	}, ",")
	if _, err := importer.Catalogue(ctx, fstest.MapFS{"price_history.csv": {Data: []byte(head + row + "\n")}}, db); err != nil {
		t.Fatal(err)
	}
	after, err := db.PriceHistory(ctx, "DGX-H100")
	if err != nil || len(after) != len(before) || after[0].Price.Value.String() != "123456.78" || after[0].Note != "corrected" {
		t.Errorf("after the correction: %d rows, newest %+v, %v; want %d rows with the corrected price", len(after), after[0], err, len(before))
	}
	conn := testdb.Connect(t, testdb.URL(t))
	if _, err := conn.Exec(ctx, "UPDATE price_observation SET price = 1"); err == nil || !strings.Contains(err.Error(), "append-only") {
		t.Errorf("update of observations: %v, want refusal", err)
	}
}

func list(t *testing.T, db *postgres.DB, f catalog.Filter) catalog.Listing {
	t.Helper()
	f, err := catalog.NewFilter(f)
	if err != nil {
		t.Fatal(err)
	}
	l, err := db.SKUs(t.Context(), f)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func codes(l catalog.Listing) []string {
	var out []string
	for _, r := range l.Rows {
		out = append(out, r.SKU.Code)
	}
	return out
}

func TestListSearchesAndCounts(t *testing.T) {
	t.Parallel()
	db := testdb.WithCatalog(t)
	tests := []struct {
		name   string
		filter catalog.Filter
		total  int
		has    string
	}{
		{"everything but low confidence", catalog.Filter{}, 87, "DGX-H100"},
		{"low confidence too", catalog.Filter{WithLow: true}, 94, "DGX-H100"},
		{"code without hyphens", catalog.Filter{Search: "h100sxm580gb"}, 1, "H100-SXM5-80GB"},
		{"full-width letters", catalog.Filter{Search: "ＤＧＸ　Ｈ１００"}, -1, "DGX-H100"},
		{"words in any order", catalog.Filter{Search: "xe9680 dell"}, 1, "DELL-XE9680-H100"},
		{"simplified Chinese", catalog.Filter{Search: "模组"}, -1, "H100-SXM5-80GB"},
		{"traditional Chinese", catalog.Filter{Search: "模組"}, -1, "H100-SXM5-80GB"},
		{"percent sign is no wildcard", catalog.Filter{Search: "%"}, 87, "DGX-H100"},
		{"no such thing", catalog.Filter{Search: "toaster"}, 0, ""},
		{"two kinds", catalog.Filter{Kinds: []string{"baseboard", "cluster"}}, 10, "HGX-H100-8GPU"},
		{"kind and vendor", catalog.Filter{Kinds: []string{"system"}, Vendors: []string{"Dell"}}, 5, "DELL-XE9680-H100"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			l := list(t, db, tt.filter)
			if tt.total >= 0 && l.Total != tt.total {
				t.Errorf("total = %d, want %d", l.Total, tt.total)
			}
			if tt.has != "" && l.Total <= catalog.PageSize && !slices.Contains(codes(l), tt.has) {
				t.Errorf("%v lacks %s", codes(l), tt.has)
			}
		})
	}
}

func TestFacetsNarrowEachOther(t *testing.T) {
	t.Parallel()
	db := testdb.WithCatalog(t)
	l := list(t, db, catalog.Filter{Kinds: []string{"system"}, Vendors: []string{"Dell"}})
	got := map[string]int{}
	for _, c := range l.Facets {
		got[c.Facet+" "+c.Value] = c.Count
	}
	for key, want := range map[string]int{"kind system": 5, "vendor Dell": 5, "vendor Lenovo": 3, "family PowerEdge": 5} {
		if got[key] != want {
			t.Errorf("%s counts %d, want %d (all: %v)", key, got[key], want, got)
		}
	}
	if _, ok := got["family Hopper"]; ok {
		t.Error("a family without a match is counted")
	}
}

func TestPagesCoverTheListOnce(t *testing.T) {
	t.Parallel()
	db := testdb.WithCatalog(t)
	for _, sort := range catalog.Sorts {
		for _, lang := range []string{"en", "zh-Hans", "zh-Hant"} {
			t.Run(string(sort)+" "+lang, func(t *testing.T) {
				t.Parallel()
				var all []string
				after := ""
				for {
					l := list(t, db, catalog.Filter{Sort: sort, Lang: lang, After: after})
					if len(l.Rows) == 0 {
						break
					}
					if l.First != len(all)+1 {
						t.Errorf("page begins at %d after %d rows", l.First, len(all))
					}
					if after != "" { // and back again
						back := list(t, db, catalog.Filter{Sort: sort, Lang: lang, Before: l.Rows[0].SKU.Code})
						if want := all[len(all)-len(back.Rows):]; !slices.Equal(codes(back), want) {
							t.Errorf("page before %s = %v, want %v", l.Rows[0].SKU.Code, codes(back), want)
						}
					}
					all = append(all, codes(l)...)
					after = all[len(all)-1]
				}
				distinct := slices.Compact(slices.Sorted(slices.Values(all)))
				if len(all) != 87 || len(distinct) != 87 {
					t.Errorf("%d rows, %d distinct; want 87", len(all), len(distinct))
				}
			})
		}
	}
}

func TestSortedByPriceUnknownComesLast(t *testing.T) {
	t.Parallel()
	db := testdb.WithCatalog(t)
	for _, sort := range []catalog.Sort{catalog.ByPriceDown, catalog.ByPriceUp} {
		l := list(t, db, catalog.Filter{Sort: sort, Kinds: []string{"gpu", "baseboard", "system"}})
		unknown := false
		for i, r := range l.Rows {
			if unknown && r.Summary.Price != nil {
				t.Errorf("%s: %s with a price after one without", sort, r.SKU.Code)
			}
			unknown = r.Summary.Price == nil
			if i == 0 {
				continue
			}
			a, b := l.Rows[i-1].Summary.Price, r.Summary.Price
			if a != nil && b != nil && a.Price.Currency == b.Price.Currency && a.Price.Value.Cmp(b.Price.Value) == map[catalog.Sort]int{catalog.ByPriceDown: -1, catalog.ByPriceUp: 1}[sort] {
				t.Errorf("%s: %s before %s", sort, a.Price, b.Price)
			}
		}
	}
}

func TestProductHasEverythingOfItsPage(t *testing.T) {
	t.Parallel()
	db := testdb.WithCatalog(t)
	d, err := db.SKU(t.Context(), "H100-SXM5-80GB")
	if err != nil {
		t.Fatal(err)
	}
	if len(d.Claims) != 136 || len(d.ResellerClaims) != 23 || len(d.Substitutes) != 9 || d.Control == nil || d.Control.Class != "3A090.a" {
		t.Errorf("%d claims, %d reseller claims, %d substitutes, control %+v", len(d.Claims), len(d.ResellerClaims), len(d.Substitutes), d.Control)
	}
	if len(d.UsedIn) == 0 || len(d.Compatible) == 0 || len(d.Observations) < 300 || len(d.Offers) == 0 || len(d.Definitions) != 112 {
		t.Errorf("used in %d, compatible %d, observations %d, offers %d, definitions %d",
			len(d.UsedIn), len(d.Compatible), len(d.Observations), len(d.Offers), len(d.Definitions))
	}
	for _, c := range d.Claims {
		if _, ok := d.Sources[c.SourceID]; !ok {
			t.Errorf("source %s of a claim is missing", c.SourceID)
		}
	}
	for _, c := range d.UsedIn {
		if d.Others[c.Parent].SKU.NameIn("zh-Hans") == "" {
			t.Errorf("row of %s is missing", c.Parent)
		}
	}

	dgx, err := db.SKU(t.Context(), "DGX-H100")
	if err != nil {
		t.Fatal(err)
	}
	derived := catalog.Derive(dgx.Product, dgx.Lookup)
	i := slices.IndexFunc(derived, func(x catalog.Derived) bool { return x.Key == "memory_capacity" })
	if i < 0 || derived[i].Value.String() != "640" || derived[i].Terms[0].Count != 8 {
		t.Errorf("derived memory of DGX H100: %+v", derived)
	}

	if _, err := db.SKU(t.Context(), "H100-SXM"); !apperr.Is(err, apperr.NotFound) {
		t.Errorf("unknown SKU: %v, want NotFound", err)
	}
}

func TestEngineReadsWhatItNeeds(t *testing.T) {
	t.Parallel()
	db := testdb.WithCatalog(t)
	ctx := t.Context()
	all, err := db.EngineProducts(ctx)
	if err != nil || len(all) != 94 {
		t.Fatalf("%d products, %v", len(all), err)
	}
	offers, err := db.CloudOffers(ctx)
	if err != nil || len(offers) != 207 {
		t.Errorf("%d offers, %v", len(offers), err)
	}
	defaults, err := db.CostDefaults(ctx)
	if err != nil || len(defaults) != 59 {
		t.Errorf("%d cost defaults, %v", len(defaults), err)
	}
	colo, err := db.ColoCosts(ctx)
	if err != nil || len(colo) != 106 {
		t.Errorf("%d colocation costs, %v", len(colo), err)
	}
	sources, err := db.Sources(ctx)
	if err != nil || len(sources) != 165 {
		t.Errorf("%d sources, %v", len(sources), err)
	}
	prices, err := db.BuyingPrices(ctx)
	if err != nil {
		t.Fatal(err)
	}
	o, ok := catalog.BuyingPrice(prices["HGX-H100-8GPU"], "USD")
	if !ok || o.Price.Value.Sign() <= 0 || o.Confidence == catalog.Low {
		t.Errorf("buying price of HGX-H100-8GPU: %+v, %v", o, ok)
	}
	destinations, err := db.ControlDestinations(ctx)
	if err != nil || len(destinations) != 126 {
		t.Errorf("%d destinations, %v", len(destinations), err)
	}
	classes, err := db.ControlClasses(ctx, []string{"DGX-H100", "QM9700"})
	if err != nil || len(classes) != 2 {
		t.Errorf("%d classes, %v", len(classes), err)
	}
	hash, at, err := db.LatestImport(ctx)
	if err != nil || len(hash) != 64 || at.IsZero() {
		t.Errorf("latest import: %q %v %v", hash, at, err)
	}
	if d, err := db.SpecDefinitions(ctx); err != nil || len(d) != 112 {
		t.Errorf("%d definitions, %v", len(d), err)
	}
	if c, err := db.SKUCodes(ctx); err != nil || len(c) != 94 {
		t.Errorf("%d codes, %v", len(c), err)
	}
}
