package catalog

import (
	"testing"
	"time"
)

func date(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}

func claim(value, sourceKind string, c Confidence, asOf, source string) Claim {
	return Claim{SKU: "X", Key: "k", Value: value, SourceKind: sourceKind, Confidence: c, AsOf: date(asOf), SourceID: source}
}

func TestWinner(t *testing.T) {
	vendor := claim("1", VendorDatasheet, Medium, "2024-01-01", "v")
	tests := []struct {
		name   string
		claims []Claim
		want   string
	}{
		{"vendor before a newer, surer third party", []Claim{claim("2", ThirdParty, High, "2026-01-01", "t"), vendor}, "1"},
		{"whitepaper before OEM", []Claim{claim("2", OEM, High, "2026-01-01", "o"), claim("3", Whitepaper, Low, "2020-01-01", "w")}, "3"},
		{"confidence before date", []Claim{claim("2", OEM, Medium, "2026-01-01", "a"), claim("3", OEM, High, "2020-01-01", "b")}, "3"},
		{"date before source", []Claim{claim("2", OEM, High, "2025-01-01", "a"), claim("3", OEM, High, "2026-01-01", "b")}, "3"},
		{"the smaller source last", []Claim{claim("2", OEM, High, "2025-01-01", "b"), claim("3", OEM, High, "2025-01-01", "a")}, "3"},
		{"a kind nobody knows is the least", []Claim{claim("2", "rumour", High, "2026-01-01", "a"), claim("3", Reseller, Low, "2020-01-01", "b")}, "3"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if w, ok := Winner(tt.claims); !ok || w.Value != tt.want {
				t.Errorf("winner = %q, want %q", w.Value, tt.want)
			}
		})
	}
	if _, ok := Winner(nil); ok {
		t.Error("no claims have a winner")
	}
}

func TestConflicts(t *testing.T) {
	tests := []struct {
		name          string
		winner, other string
		want          bool
	}{
		{"same number written otherwise", "3350", "3350.0", false},
		{"half a percent exactly", "1000", "995", false},
		{"a little more than half a percent", "1000", "994.9", true},
		{"negative numbers", "-1000", "-990", true},
		{"zero and something", "0", "0.1", true},
		{"two zeros", "0", "0.0", false},
		{"texts in another case and with space", "HBM3 ", " hbm3", false},
		{"other texts", "HBM3", "HMB3", true},
		{"number and text", "5", "Gen5", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got := Conflicts([]Claim{
				claim(tt.winner, VendorDatasheet, High, "2026-01-01", "v"), claim(tt.other, Reseller, Low, "2026-01-01", "r"),
			})
			if (len(got) == 1) != tt.want {
				t.Errorf("conflicts = %v, want one: %v", got, tt.want)
			}
		})
	}
}

func TestFigureLeavesOutWhatIsOnlyShown(t *testing.T) {
	p := Product{Claims: []Claim{
		{Key: "cuda_cores", Qualifier: FullDie, Value: "18432", SourceKind: Whitepaper, Confidence: High},
		{Key: "cuda_cores", Value: "8192", SourceKind: Reseller, Confidence: Low},
		{Key: "bf16_tensor", Qualifier: DensePreliminary, Value: "1000", SourceKind: Whitepaper, Confidence: High},
		{Key: "tdp", Value: "700", SourceKind: OEM, Confidence: High},
		{Key: "tdp", Value: "650", SourceKind: VendorDatasheet, Confidence: Low},
	}}
	for _, key := range []struct{ key, qualifier string }{{"cuda_cores", ""}, {"cuda_cores", FullDie}, {"bf16_tensor", DensePreliminary}} {
		if c, ok := p.Figure(key.key, key.qualifier); ok {
			t.Errorf("%v: %+v is used", key, c)
		}
	}
	if c, ok := p.Figure("tdp"); !ok || c.Value != "700" {
		t.Errorf("tdp = %+v, want the claim of the OEM", c)
	}
}
