package view

import (
	"cmp"
	"slices"

	"rackwright/internal/catalog"
)

// MissingSKUPage answers for a code that is not in the catalogue.
type MissingSKUPage struct {
	Page
	Code   string
	Near   []PartRow
	Search Field
}

// NewMissingSKUPage returns the answer for an unknown code, with the codes it may have meant.
func NewMissingSKUPage(p Page, code string, near []catalog.Row) MissingSKUPage {
	v := MissingSKUPage{Page: p, Code: code, Search: Field{Name: "q", Label: p.T("navigation.search"), Type: "search", Value: code, Max: 100}}
	near = slices.Clone(near)
	slices.SortStableFunc(near, func(a, b catalog.Row) int { // what one should not sell comes last
		low := func(r catalog.Row) int {
			if r.SKU.Confidence == catalog.Low {
				return 1
			}
			return 0
		}
		return cmp.Compare(low(a), low(b))
	})
	for _, r := range near {
		v.Near = append(v.Near, PartRow{
			Href: productHref(r.SKU.Code), Name: r.SKU.NameIn(p.Tag()), Code: r.SKU.Code, Form: FormFactor(p.L, r.SKU.FormFactor),
		})
	}
	return v
}
