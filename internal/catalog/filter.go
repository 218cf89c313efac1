package catalog

import (
	"slices"
	"strings"
	"unicode/utf8"

	"rackwright/internal/apperr"
)

// Sort is an order of the catalogue list. Unknown values come last in every order.
type Sort string

// The orders.
const (
	ByPriceDown  Sort = "price_desc" // default
	ByPriceUp    Sort = "price_asc"
	ByName       Sort = "name"
	ByMemoryDown Sort = "memory_desc"
	ByMemoryUp   Sort = "memory_asc"
	ByLaunchDown Sort = "launch_desc"
)

// Sorts lists the orders as a menu shows them.
var Sorts = []Sort{ByPriceDown, ByPriceUp, ByMemoryDown, ByMemoryUp, ByLaunchDown, ByName}

// Kinds lists the kinds as a menu shows them.
var Kinds = []Kind{GPU, Baseboard, System, Cluster, Network, Accessory, CloudInstance}

const (
	// PageSize is the number of SKUs on one page of the list.
	PageSize = 25
	// maxSearch bounds a query, in characters.
	maxSearch = 100
	// maxChoices bounds the values of one facet in one request.
	maxChoices = 50
)

// Filter says what a list shows. Values of one facet are alternatives, facets narrow each
// other. After or Before is the code of the SKU at the edge of a page.
type Filter struct {
	Search      string // as typed, trimmed
	Kinds       []string
	Families    []string
	Vendors     []string
	FormFactors []string
	WithLow     bool // rows of low confidence too
	Sort        Sort
	After       string
	Before      string
	Limit       int
	Lang        string // of the names, for the order by name
}

// NewFilter checks what was asked for and fills the defaults. The filter it returns is
// always usable: a faulty part is left out and named in the error, which is Invalid.
func NewFilter(in Filter) (Filter, error) {
	var faults apperr.Faults
	f := in
	f.Search = strings.TrimSpace(f.Search)
	if !utf8.ValidString(f.Search) || utf8.RuneCountInString(f.Search) > maxSearch {
		faults.Add("q", "catalog.search_too_long", "max", maxSearch)
		f.Search = ""
	}
	f.Kinds = slices.DeleteFunc(choices(&faults, "kind", in.Kinds), func(k string) bool {
		unknown := !slices.Contains(Kinds, Kind(k))
		if unknown {
			faults.Add("kind", "catalog.unknown_choice")
		}
		return unknown
	})
	f.Families = choices(&faults, "family", in.Families)
	f.Vendors = choices(&faults, "vendor", in.Vendors)
	f.FormFactors = choices(&faults, "form", in.FormFactors)
	if f.Sort == "" {
		f.Sort = ByPriceDown
	}
	if !slices.Contains(Sorts, f.Sort) {
		faults.Add("sort", "catalog.unknown_choice")
		f.Sort = ByPriceDown
	}
	if !utf8.ValidString(f.After) || strings.ContainsRune(f.After, 0) {
		f.After = ""
	}
	if f.After != "" || !utf8.ValidString(f.Before) || strings.ContainsRune(f.Before, 0) {
		f.Before = ""
	}
	if f.Limit <= 0 || f.Limit > PageSize {
		f.Limit = PageSize
	}
	return f, faults.Err()
}

// choices returns the distinct non-empty values of a facet, sorted so that the same choice
// has one address.
func choices(faults *apperr.Faults, field string, in []string) []string {
	out := make([]string, 0, len(in))
	for _, v := range in {
		switch {
		case v == "":
		case !utf8.ValidString(v) || strings.ContainsRune(v, 0) || len(v) > 200:
			faults.Add(field, "catalog.unknown_choice")
		default:
			out = append(out, v)
		}
	}
	slices.Sort(out)
	out = slices.Compact(out)
	if len(out) > maxChoices {
		faults.Add(field, "catalog.too_many_choices", "max", maxChoices)
		out = out[:maxChoices]
	}
	return out
}

// Row is one SKU of a list.
type Row struct {
	SKU     SKU
	Summary Summary
}

// FacetCount is how many SKUs of a list would remain with one value of a facet.
type FacetCount struct {
	Facet string // kind, family, vendor, form
	Value string
	Count int
}

// Listing is one page of the catalogue list.
type Listing struct {
	Rows   []Row
	Facets []FacetCount
	Total  int // SKUs that match
	First  int // place of the first row among them, from 1; 0 where there is none
	Hidden int // SKUs that match but are of low confidence and not shown
}
