package postgres_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"rackwright/internal/apperr"
	"rackwright/internal/auth"
	"rackwright/internal/company"
	"rackwright/internal/money"
	"rackwright/internal/postgres"
	"rackwright/internal/testdb"
)

func aCompany() company.Profile {
	limit := money.MustPercent("12.5")
	return company.Profile{
		Name: "示例算力有限公司", Address: "1 Example Road\nTaipei", Country: "TW", TaxNumber: "12345678",
		Email: "sales@example.com", Phone: "+886 2 0000 0000", Website: "example.com", Bank: "Example Bank\n000-000",
		Currency: "TWD", TimeZone: "Asia/Taipei", QuotePrefix: "RW", ValidityDays: 14, ReservationDays: 30,
		Terms:         map[string]string{"en": "Terms.", "zh-Hans": "条款。", "zh-Hant": "條款。"},
		DiscountLimit: &limit, Logo: []byte("\x89PNG"), Version: 1,
	}
}

func TestSaveCompanyReadsBackAsWritten(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	ctx := t.Context()
	fresh, err := db.Company(ctx)
	if err != nil || fresh.Version != 1 || len(fresh.Missing()) == 0 {
		t.Fatalf("at the start: %+v, %v", fresh, err)
	}
	boss := createPerson(t, db, "boss", auth.Admin)
	want := aCompany()
	if err := db.SaveCompany(ctx, boss, want); err != nil {
		t.Fatal(err)
	}
	got, err := db.Company(ctx)
	if err != nil {
		t.Fatal(err)
	}
	want.Version = 2
	equalPercent := cmp.Comparer(func(a, b money.Percent) bool { return a.Equal(b) })
	if diff := cmp.Diff(want, got, equalPercent); diff != "" {
		t.Error(diff)
	}
	if err := db.SaveCompany(ctx, boss, aCompany()); !apperr.Is(err, apperr.Conflict) {
		t.Errorf("an old version was accepted: %v", err)
	}
	log, err := db.AuditLog(ctx, 0, 10)
	if err != nil || len(log) != 2 || log[0].Action != "company.save" || log[0].Actor != "王小明" ||
		!strings.Contains(log[0].After, "示例") || !strings.Contains(log[0].Before, `"name": ""`) {
		t.Errorf("audit log: %+v, %v", log, err)
	}
}

func TestAuditLogPagesAndNeverChanges(t *testing.T) {
	t.Parallel()
	url := testdb.URL(t)
	db, err := postgres.Open(t.Context(), url, testdb.Clock)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	for _, name := range []string{"anna", "bert", "cher"} {
		createPerson(t, db, name, auth.Sales)
	}
	first, err := db.AuditLog(t.Context(), 0, 2)
	if err != nil || len(first) != 2 {
		t.Fatalf("%+v, %v", first, err)
	}
	rest, err := db.AuditLog(t.Context(), first[1].ID, 2)
	if err != nil || len(rest) != 1 || rest[0].ID >= first[1].ID {
		t.Errorf("%+v, %v", rest, err)
	}
	conn := testdb.Connect(t, url)
	for _, sql := range []string{`DELETE FROM audit_log`, `UPDATE audit_log SET action = 'x'`} {
		if _, err := conn.Exec(t.Context(), sql); err == nil {
			t.Errorf("%s went through", sql)
		}
	}
}
