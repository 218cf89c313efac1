package view

import (
	"slices"
	"strings"
	"sync"

	"golang.org/x/text/collate"
	"golang.org/x/text/language"
	"golang.org/x/text/language/display"

	"rackwright/internal/i18n"
)

// Country returns the name of a country or region by its ISO 3166-1 alpha-2 code, as CLDR
// has it except for the regions that the glossary names itself. A code that is none of
// ISO's is returned as it is.
func Country(l i18n.Lang, code string) string {
	if code == "" {
		return ""
	}
	if id, ok := ownRegions[code]; ok {
		return i18n.For(l).T(id)
	}
	r, err := language.ParseRegion(code)
	if err != nil || !r.IsCountry() {
		return code
	}
	if name := namers()[l].Name(r); name != "" {
		return name
	}
	return code
}

var ownRegions = map[string]string{
	"CN": "admin.region_mainland_china", "HK": "admin.region_hong_kong",
	"MO": "admin.region_macau", "TW": "admin.region_taiwan",
}

var regionTags = map[i18n.Lang]language.Tag{
	i18n.English: language.English, i18n.Simplified: language.SimplifiedChinese, i18n.Traditional: language.TraditionalChinese,
}

var namers = sync.OnceValue(func() map[i18n.Lang]display.Namer {
	m := map[i18n.Lang]display.Namer{}
	for l, tag := range regionTags {
		m[l] = display.Regions(tag)
	}
	return m
})

// notISO are codes that CLDR knows and ISO 3166-1 does not list: withdrawn, reserved, user-assigned.
var notISO = strings.Fields("AC AN CP CS DG FQ NT PC SU TA XK YU")

// countryCodes lists the countries and regions of ISO 3166-1 in alphabetical order of their codes.
var countryCodes = sync.OnceValue(func() []string {
	var codes []string
	for a := 'A'; a <= 'Z'; a++ {
		for b := 'A'; b <= 'Z'; b++ {
			code := string(a) + string(b)
			r, err := language.ParseRegion(code)
			if err == nil && r.IsCountry() && r.Canonicalize() == r && r.ISO3() != "ZZZ" && r.String() == code &&
				!slices.Contains(notISO, code) {
				codes = append(codes, code)
			}
		}
	}
	return codes
})

// IsCountry reports whether a code is one of ISO 3166-1 alpha-2.
func IsCountry(code string) bool {
	_, ok := slices.BinarySearch(countryCodes(), code)
	return ok
}

// Countries returns all countries and regions to choose from, sorted by their names in the
// reader's language, with an empty choice first.
func Countries(p Page, selected string) []Option {
	options := []Option{{Label: p.T("quote.choose_country")}}
	named := make([]Option, 0, len(countryCodes()))
	for _, code := range countryCodes() {
		named = append(named, Option{Value: code, Label: Country(p.L.Lang(), code), Selected: code == selected})
	}
	c := collate.New(regionTags[p.L.Lang()])
	slices.SortStableFunc(named, func(a, b Option) int {
		if n := c.CompareString(a.Label, b.Label); n != 0 {
			return n
		}
		return strings.Compare(a.Value, b.Value)
	})
	return append(options, named...)
}
