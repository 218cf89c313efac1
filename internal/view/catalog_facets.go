package view

import (
	"cmp"
	"slices"
	"strconv"

	"rackwright/internal/catalog"
	"rackwright/internal/i18n"
)

// shownChoices is how many choices of a facet stand open.
const shownChoices = 6

// facetOf names a facet, and finds and changes what is chosen of it.
type facetOf struct {
	name   string
	label  string // message
	chosen func(*catalog.Filter) *[]string
	text   func(i18n.Localizer, string) string
}

var facetsOf = []facetOf{
	{"kind", "catalogue.kind", func(f *catalog.Filter) *[]string { return &f.Kinds },
		func(l i18n.Localizer, v string) string { return KindName(l, catalog.Kind(v)) }},
	{"vendor", "catalogue.vendor", func(f *catalog.Filter) *[]string { return &f.Vendors },
		func(_ i18n.Localizer, v string) string { return v }},
	{"family", "catalogue.product_family", func(f *catalog.Filter) *[]string { return &f.Families }, Family},
	{"form", "catalog.form_factor", func(f *catalog.Filter) *[]string { return &f.FormFactors }, FormFactor},
}

// facets returns the check boxes with what each choice would leave, the most first; kinds in
// their own order. What is chosen stays, even where nothing is left of it.
func facets(l i18n.Localizer, f catalog.Filter, counts []catalog.FacetCount) []Facet {
	var out []Facet
	for _, of := range facetsOf {
		n := map[string]int{}
		for _, c := range counts {
			if c.Facet == of.name {
				n[c.Value] = c.Count
			}
		}
		chosen := *of.chosen(&f)
		for _, v := range chosen {
			n[v] += 0
		}
		out = append(out, facet(l, of, n, chosen))
	}
	return out
}

func facet(l i18n.Localizer, of facetOf, counts map[string]int, chosen []string) Facet {
	v := Facet{Name: of.name, Label: l.T(of.label)}
	values := make([]string, 0, len(counts))
	for value := range counts {
		values = append(values, value)
	}
	slices.SortFunc(values, func(a, b string) int {
		if of.name == "kind" {
			return cmp.Compare(slices.Index(catalog.Kinds, catalog.Kind(a)), slices.Index(catalog.Kinds, catalog.Kind(b)))
		}
		return cmp.Or(cmp.Compare(counts[b], counts[a]), cmp.Compare(a, b))
	})
	for i, value := range values {
		c := FacetChoice{Value: value, Label: of.text(l, value), Count: strconv.Itoa(counts[value]), Checked: slices.Contains(chosen, value)}
		if i < shownChoices || of.name == "kind" || len(values) == shownChoices+1 {
			v.First = append(v.First, c)
			continue
		}
		v.Rest = append(v.Rest, c)
		v.Opened = v.Opened || c.Checked
	}
	v.More = l.T("catalog.more_choices", "n", len(v.Rest))
	return v
}

// chips returns the active filters, each with the address of the list without it.
func chips(l i18n.Localizer, f catalog.Filter) []Chip {
	var out []Chip
	f = firstPage(f)
	if f.Search != "" {
		without := f
		without.Search = ""
		out = append(out, Chip{l.T("catalog.chip_search", "text", f.Search), CatalogURL(without)})
	}
	for _, of := range facetsOf {
		for _, v := range *of.chosen(&f) {
			without := f
			list := of.chosen(&without)
			*list = slices.DeleteFunc(slices.Clone(*list), func(x string) bool { return x == v })
			out = append(out, Chip{of.text(l, v), CatalogURL(without)})
		}
	}
	if f.WithLow {
		without := f
		without.WithLow = false
		out = append(out, Chip{l.T("catalogue.confidence_low"), CatalogURL(without)})
	}
	return out
}
