package view

import (
	"slices"
	"testing"

	"rackwright/internal/i18n"
)

// ISO 3166-1 has 249 countries and regions, and each has a name in each language.
func TestCountries(t *testing.T) {
	codes := countryCodes()
	if len(codes) != 249 || !slices.IsSorted(codes) {
		t.Fatalf("%d codes: %v", len(codes), codes)
	}
	for _, l := range i18n.Langs {
		for _, code := range codes {
			if name := Country(l, code); name == "" || name == code {
				t.Errorf("%s has no name in %s", code, l)
			}
		}
	}
	if Country(i18n.Traditional, "TW") != "台灣" || Country(i18n.English, "ZZ") != "ZZ" || Country(i18n.English, "") != "" {
		t.Error("own names and unknown codes")
	}
	if !IsCountry("SG") || IsCountry("XX") || IsCountry("") {
		t.Error("IsCountry")
	}
}
