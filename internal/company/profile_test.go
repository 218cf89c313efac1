package company

import (
	"errors"
	"strings"
	"testing"
	"time"

	"rackwright/internal/apperr"
	"rackwright/internal/money"
)

func good() Profile {
	limit := money.MustPercent("12.5")
	return Profile{
		Name: "示例算力", Address: "1 Example Road", Country: "TW", TaxNumber: "1", Email: "a@example.com", Bank: "B",
		Currency: "TWD", TimeZone: "Asia/Taipei", QuotePrefix: "RW1", ValidityDays: 14, ReservationDays: 30,
		Terms: map[string]string{"en": "Terms."}, DiscountLimit: &limit,
	}
}

func TestValidate(t *testing.T) {
	if err := good().Validate(); err != nil {
		t.Fatal(err)
	}
	percent := func(s string) *money.Percent { p := money.MustPercent(s); return &p }
	cases := []struct {
		name, field string
		change      func(*Profile)
	}{
		{"long name", "name", func(p *Profile) { p.Name = strings.Repeat("王", 201) }},
		{"long address", "address", func(p *Profile) { p.Address = strings.Repeat("x", 1001) }},
		{"lower-case country", "country", func(p *Profile) { p.Country = "tw" }},
		{"mail with two lines", "email", func(p *Profile) { p.Email = "a@b.c\nBcc: d@e.f" }},
		{"no such currency", "currency", func(p *Profile) { p.Currency = "XXX" }},
		{"no zone", "time_zone", func(p *Profile) { p.TimeZone = "" }},
		{"the machine's zone", "time_zone", func(p *Profile) { p.TimeZone = "Local" }},
		{"zone with a path", "time_zone", func(p *Profile) { p.TimeZone = "../etc/passwd" }},
		{"no prefix", "quote_prefix", func(p *Profile) { p.QuotePrefix = "" }},
		{"prefix with a hyphen", "quote_prefix", func(p *Profile) { p.QuotePrefix = "A-1" }},
		{"no validity", "validity_days", func(p *Profile) { p.ValidityDays = 0 }},
		{"two years of reservation", "reservation_days", func(p *Profile) { p.ReservationDays = 730 }},
		{"negative limit", "discount_limit", func(p *Profile) { p.DiscountLimit = percent("-1") }},
		{"margin over all", "target_margin", func(p *Profile) { p.TargetMargin = percent("100.1") }},
		{"huge terms", "terms_zh-Hant", func(p *Profile) { p.Terms = map[string]string{"zh-Hant": strings.Repeat("條", 20001)} }},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			p := good()
			c.change(&p)
			e, ok := errors.AsType[*apperr.Error](p.Validate())
			if !ok || len(e.Fields) != 1 || e.Fields[c.field].ID == "" {
				t.Errorf("got %v, want a fault of %s", e, c.field)
			}
		})
	}
}

func TestMissing(t *testing.T) {
	if m := good().Missing(); len(m) != 0 {
		t.Errorf("a full profile misses %v", m)
	}
	got := strings.Join(Profile{}.Missing(), " ")
	if want := "name address country tax_number email bank currency"; got != want {
		t.Errorf("an empty profile misses %q, want %q", got, want)
	}
}

// TestDaysFollowTheZone is rule R6 at the edges of a day.
func TestDaysFollowTheZone(t *testing.T) {
	p := good() // UTC+8
	late := time.Date(2026, 11, 30, 16, 0, 0, 0, time.UTC)
	if got := p.Today(late.Add(-time.Second)); !got.Equal(time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("a second before midnight in Taipei is %s", got)
	}
	if got := p.Today(late); !got.Equal(time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC)) {
		t.Errorf("midnight in Taipei is %s", got)
	}
	if got := p.EndOf(time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)); !got.Equal(late) {
		t.Errorf("the day ends at %s, want %s", got, late)
	}
	p.TimeZone = "America/New_York" // a day of 25 hours
	if got := p.EndOf(time.Date(2026, 11, 1, 0, 0, 0, 0, time.UTC)); !got.Equal(time.Date(2026, 11, 2, 5, 0, 0, 0, time.UTC)) {
		t.Errorf("the day of the change of clocks ends at %s", got)
	}
	if (Profile{}).Location() != time.UTC {
		t.Error("without a zone days do not follow UTC")
	}
	if p.TermsIn("en") != "Terms." || p.TermsIn("zh-Hans") != "" {
		t.Error("terms of the wrong language")
	}
}
