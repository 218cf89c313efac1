package catalog

import (
	"slices"
	"strings"
	"testing"
	"time"

	"rackwright/internal/apperr"
)

func TestNewFilter(t *testing.T) {
	f, err := NewFilter(Filter{Search: "  H100 ", Vendors: []string{"Dell", "", "ASUS", "Dell"}, After: "X", Before: "Y"})
	if err != nil || f.Search != "H100" || f.Sort != ByPriceDown || f.Limit != PageSize || !slices.Equal(f.Vendors, []string{"ASUS", "Dell"}) || f.Before != "" {
		t.Errorf("filter = %+v, %v", f, err)
	}
	f, err = NewFilter(Filter{
		Search: strings.Repeat("x", 101), Kinds: []string{"gpu", "toaster"}, Families: []string{"a\x00b"}, Sort: "price; DROP TABLE sku", After: "\xff",
	})
	if !apperr.Is(err, apperr.Invalid) {
		t.Fatalf("err = %v, want Invalid", err)
	}
	if f.Search != "" || !slices.Equal(f.Kinds, []string{"gpu"}) || len(f.Families) != 0 || f.Sort != ByPriceDown || f.After != "" {
		t.Errorf("what is left of a faulty filter: %+v", f)
	}
	many := make([]string, 60)
	for i := range many {
		many[i] = strings.Repeat("v", i+1)
	}
	if f, err := NewFilter(Filter{Vendors: many}); err == nil || len(f.Vendors) != maxChoices {
		t.Errorf("60 vendors: %d kept, %v", len(f.Vendors), err)
	}
}

func TestFold(t *testing.T) {
	for in, want := range map[string]string{
		"H100-SXM5 80GB": "h100 sxm5 80gb", "ＤＧＸ　Ｈ１００": "dgx h100", "  機櫃，GPU ": "機櫃 gpu", "": "", "%_": "",
	} {
		if got := Fold(in); got != want {
			t.Errorf("Fold(%q) = %q, want %q", in, got, want)
		}
	}
	s := SearchText(SKU{Code: "DGX-H100", Vendor: "NVIDIA", Names: map[string]string{"zh-Hans": "服务器"}})
	for _, term := range append(SearchTerms("dgxh100 nvidia 服务器"), "dgx h100") {
		if !strings.Contains(s, term) {
			t.Errorf("search text %q lacks %q", s, term)
		}
	}
}

func TestNear(t *testing.T) {
	codes := []string{"H100-SXM5-80GB", "H100-PCIE-80GB", "H200-SXM-141GB", "DGX-H100", "QM9700"}
	for _, tt := range []struct{ in, want string }{
		{"h100 sxm5 80gb", "H100-SXM5-80GB"}, {"H100-SMX5-80GB", "H100-SXM5-80GB"}, {"dgxh100", "DGX-H100"}, {"QM970O", "QM9700"}, {"PCIE", "H100-PCIE-80GB"},
	} {
		if got := Near(tt.in, codes, 3); len(got) == 0 || got[0] != tt.want {
			t.Errorf("Near(%q) = %v, want %s first", tt.in, got, tt.want)
		}
	}
	if got := Near("toaster-9000", codes, 3); len(got) != 0 {
		t.Errorf("Near(toaster-9000) = %v", got)
	}
	if got := Near(strings.Repeat("h", 1<<20), codes, 3); len(got) != 0 {
		t.Errorf("Near of a very long code = %v", got)
	}
	if got := Near("--", codes, 3); got != nil {
		t.Errorf("Near of nothing = %v", got)
	}
}

func TestEffectOf(t *testing.T) {
	rule := func(country, group, name string, e Effect, day string) ControlDestination {
		r := ControlDestination{CountryCode: country, AppliesTo: group, Rule: name, Effect: e}
		if day != "" {
			r.EffectiveOn = date(day)
		}
		return r
	}
	rules := []ControlDestination{
		rule("CN", "advanced_ic", "letter_2022", LicenceRequired, "2022-08-26"),
		rule("CN", "advanced_ic", "rule_2023", PresumptionOfDenial, "2023-11-17"),
		rule("CN", "advanced_ic", "rule_2026_export", LicenceRequired, "2026-01-15"),
		rule("CN", "advanced_ic", "rule_2026_reexport", PresumptionOfDenial, "2026-01-15"),
		rule("TW", "advanced_all", "country_group", NoEffect, "2023-11-17"),
		rule("*", "advanced_all", "headquarters", LicenceRequired, "2023-11-17"),
		rule("*", "advanced_all", "default", Check, ""),
		rule("IR", "any", "embargo_list", Check, ""),
	}
	for _, tt := range []struct {
		name, country, group, day string
		want                      Effect
		rows                      int
	}{
		{"before the rule of 2023", "CN", "advanced_ic", "2023-01-01", LicenceRequired, 1},
		{"latest date, strictest of two", "CN", "advanced_ic", "2026-11-30", PresumptionOfDenial, 2},
		{"a group of groups", "TW", "advanced_ic_cn", "2026-11-30", NoEffect, 1},
		{"a country without a row", "VN", "advanced_ic", "2026-11-30", Check, 1},
		{"any goods", "IR", "not_classified", "2026-11-30", Check, 1},
		{"no rule at all is no permission", "TW", "service", "2026-11-30", Check, 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, rows := EffectOf(rules, tt.country, tt.group, date(tt.day).Add(time.Hour))
			if got != tt.want || len(rows) != tt.rows {
				t.Errorf("effect %s by %d rows, want %s by %d", got, len(rows), tt.want, tt.rows)
			}
		})
	}
}
