package view

import (
	"cmp"
	"net/url"
	"slices"
	"strconv"
	"time"

	"rackwright/internal/catalog"
	"rackwright/internal/i18n"
	"rackwright/internal/inventory"
)

// ProductPage is the page of one SKU.
type ProductPage struct {
	Page
	Code        string
	Name        string
	Description string // in English, as the catalogue's data has it
	Low         bool   // of low confidence: what is known rests on weak sources
	Facts       []Fact
	Tabs        []Tab
	SpecCount   int
	Groups      []SpecGroup
	AllClaims   bool
	ClaimsHref  string // the page with all claims, or without
	Aside       []AsideRow
	Stock       StockCell
	BOM         []PartRow
	UsedIn      []PartRow
	Fits        []FitGroup
	MIG         []MIGRow
	MIGMark     Mark
	Reseller    []ResellerRow
	Prices      PriceSection
	Sources     []SourceRow // of the specifications
	MoreSources []SourceRow // of parts and prices
	SizeHref    string      // where the SKU's GPUs can be sized, or ""
	QuoteHref   string      // where a quote can begin, or ""
}

// AsideRow is one fact of the panel of price and stock.
type AsideRow struct {
	Label string
	Value string
	Badge string // kind of badge to show the value as, or ""
	Note  string // when it was seen
	Stale bool
}

// PartRow is one line of a bill of materials, or one product that holds this one.
type PartRow struct {
	Href     string
	Name     string
	Code     string
	Quantity string
	Role     string
	Remark   string // in English
	Mark     Mark
	Stock    StockCell
	Form     string
	GPUs     string
}

// FitGroup is the products that stand in one relation to this one.
type FitGroup struct {
	Title string
	Rows  []PartRow
}

// ResellerRow is what a reseller says, and what the better source says.
type ResellerRow struct {
	Text    string // in English
	Who     string
	Badge   string
	Verdict string
	Correct string // in English
	Mark    Mark
}

// ProductInput is what the page of a product is made of.
type ProductInput struct {
	Detail    catalog.Detail
	Stock     map[string]inventory.Availability
	Staff     bool // may see counts
	MayQuote  bool
	AllClaims bool
	Imported  time.Time // the last import; zero is unknown
	Now       time.Time
}

// NewProductPage returns the page of one SKU.
func NewProductPage(p Page, in ProductInput) ProductPage {
	d, l := in.Detail, p.L
	name := func(code string) string {
		if code == d.SKU.Code {
			return d.SKU.NameIn(p.Tag())
		}
		if o, ok := d.Others[code]; ok {
			return o.SKU.NameIn(p.Tag())
		}
		return code
	}
	sources := &sourceList{l: l, known: d.Sources, place: map[string]int{}}
	table := specTable{l: l, d: d, sources: sources, all: in.AllClaims, names: name}
	v := ProductPage{
		Page: p, Code: d.SKU.Code, Name: d.SKU.NameIn(p.Tag()), Description: d.SKU.Description, Low: d.SKU.Confidence == catalog.Low,
		Groups: table.groups(), AllClaims: in.AllClaims, MIG: table.migRows(),
	}
	if len(v.MIG) > 0 {
		v.MIGMark = v.MIG[0].Mark
	}
	ofSpecs := len(sources.rows)
	for _, g := range v.Groups {
		v.SpecCount += len(g.Rows)
	}
	b := productBuilder{Page: p, in: in, sources: sources, name: name}
	v.BOM = b.parts(d.Components, func(c catalog.Component) string { return c.Child })
	v.UsedIn = b.parts(d.UsedIn, func(c catalog.Component) string { return c.Parent })
	v.Fits = b.fits()
	v.Reseller = b.reseller()
	v.Stock = stockCell(l, catalog.Row{SKU: d.SKU}, in.Stock, in.Staff)
	v.Prices = newPriceSection(b)
	v.Aside = b.aside()
	v.Facts = b.facts(v)
	v.Sources, v.MoreSources = sources.rows[:ofSpecs], sources.rows[ofSpecs:]
	v.Tabs = b.tabs(v)
	v.ClaimsHref = productHref(d.SKU.Code) + "?claims=all#specs"
	if in.AllClaims {
		v.ClaimsHref = productHref(d.SKU.Code) + "#specs"
	}
	if d.SKU.GPUs > 0 {
		v.SizeHref = "/sizing"
	}
	if in.MayQuote && d.SKU.Confidence != catalog.Low {
		v.QuoteHref = "/quotes/new"
	}
	v.Crumbs = b.crumbs()
	return v
}

func productHref(code string) string { return "/catalog/" + url.PathEscape(code) }

// productBuilder makes the parts of a product's page.
type productBuilder struct {
	Page
	in      ProductInput
	sources *sourceList
	name    func(code string) string
}

func (b productBuilder) crumbs() []Crumb {
	s := b.in.Detail.SKU
	return []Crumb{
		{b.T("navigation.catalogue"), "/catalog"},
		{KindName(b.L, s.Kind), CatalogURL(catalog.Filter{Kinds: []string{string(s.Kind)}})},
		{Family(b.L, s.Family), CatalogURL(catalog.Filter{Kinds: []string{string(s.Kind)}, Families: []string{s.Family}})},
		{Label: s.NameIn(b.Tag())},
	}
}

func (b productBuilder) facts(v ProductPage) []Fact {
	d := b.in.Detail
	disagree := 0
	for _, g := range v.Groups {
		for _, r := range g.Rows {
			if r.Conflict {
				disagree++
			}
		}
	}
	named := map[string]bool{}
	for _, c := range d.Claims {
		named[c.SourceID] = true
	}
	facts := []Fact{
		{Label: b.T("catalogue.vendor"), Value: d.SKU.Vendor},
		{Label: b.T("catalog.form_factor"), Value: FormFactor(b.L, d.SKU.FormFactor)},
		{Label: b.T("catalog.announced"), Value: Or(b.Lang, d.SKU.Launch)},
		{Label: b.T("catalog.status"), Value: StatusName(b.L, d.SKU.Status)},
	}
	if d.Control != nil {
		facts = append(facts, Fact{Label: b.T("catalogue.export_control_class"), Value: controlClass(b.L, d.Control.Class), Sub: b.T("catalog.control_note")})
	}
	claims := b.T("catalog.no_claims")
	if len(d.Claims) > 0 {
		claims = b.T("catalog.claims_from", "claims", b.N("catalog.claims", len(d.Claims)), "sources", b.N("catalog.sources", len(named)))
	}
	facts = append(facts, Fact{Label: b.T("catalog.claims_label"), Value: claims})
	if disagree > 0 {
		facts = append(facts, Fact{Label: b.T("catalogue.sources_disagree"), Value: b.N("catalog.on_specs", disagree), Href: "#specs"})
	}
	if !b.in.Imported.IsZero() {
		facts = append(facts, Fact{Label: b.T("catalog.last_import"), Value: DateShort(b.in.Imported)})
	}
	return facts
}

// controlClass returns an export-control class; codes stay as they are.
func controlClass(l i18n.Localizer, class string) string {
	switch class {
	case "service", "unknown":
		return l.T("catalog.control_" + class)
	}
	return class
}

func (b productBuilder) tabs(v ProductPage) []Tab {
	tabs := []Tab{{Label: b.T("catalogue.specifications"), Href: "#specs", Count: strconv.Itoa(v.SpecCount)}}
	if len(v.BOM) > 0 {
		tabs = append(tabs, Tab{Label: b.T("catalogue.bill_of_materials"), Href: "#bom", Count: strconv.Itoa(len(v.BOM))})
	}
	tabs = append(tabs, Tab{Label: b.T("price.price_history"), Href: "#prices", Count: Int(b.Lang, int64(len(b.in.Detail.Observations)))})
	if len(v.MIG) > 0 {
		tabs = append(tabs, Tab{Label: b.T("catalogue.mig_profiles"), Href: "#mig"})
	}
	if n := fitCount(v.Fits); n > 0 {
		tabs = append(tabs, Tab{Label: b.T("catalogue.fits_with"), Href: "#fits", Count: strconv.Itoa(n)})
	}
	if len(v.Reseller) > 0 {
		tabs = append(tabs, Tab{Label: b.T("navigation.claims_checked"), Href: "#claims", Count: strconv.Itoa(len(v.Reseller))})
	}
	return tabs
}

func fitCount(groups []FitGroup) int {
	n := 0
	for _, g := range groups {
		n += len(g.Rows)
	}
	return n
}

// part returns the row of another SKU.
func (b productBuilder) part(code string) PartRow {
	row := PartRow{Href: productHref(code), Name: b.name(code), Code: code}
	if o, ok := b.in.Detail.Others[code]; ok {
		row.Form = FormFactor(b.L, o.SKU.FormFactor)
		row.Stock = stockCell(b.L, o, b.in.Stock, b.in.Staff)
		if o.SKU.GPUs > 0 {
			row.GPUs = Int(b.Lang, int64(o.SKU.GPUs))
		}
	}
	return row
}

func (b productBuilder) parts(components []catalog.Component, other func(catalog.Component) string) []PartRow {
	var out []PartRow
	for _, c := range components {
		row := b.part(other(c))
		row.Quantity, row.Role, row.Remark = Int(b.Lang, int64(c.Quantity)), Role(b.L, c.Role), c.Remark
		row.Mark = b.sources.markID(c.SourceID)
		out = append(out, row)
	}
	return out
}

// fits returns what the SKU needs, goes into, takes, excludes, is part of, replaces and is replaced by.
func (b productBuilder) fits() []FitGroup {
	d := b.in.Detail
	groups := map[string]*FitGroup{}
	order := []string{"catalogue.requires", "catalog.requires_one_of", "catalog.goes_into", "catalog.takes", "catalog.part_of", "catalogue.substitute", "catalogue.replaces", "catalogue.excludes"}
	for _, id := range order {
		groups[id] = &FitGroup{Title: b.T(id)}
	}
	add := func(id, code, remark, source string, quantity int) {
		g := groups[id]
		if slices.ContainsFunc(g.Rows, func(r PartRow) bool { return r.Code == code }) {
			return // "fits" and "max" say the same of one pair
		}
		row := b.part(code)
		row.Remark, row.Mark = remark, b.sources.markID(source)
		if quantity > 0 {
			row.Quantity = Int(b.Lang, int64(quantity))
		}
		g.Rows = append(g.Rows, row)
	}
	for _, c := range d.Compatible {
		mine := c.SKU == d.SKU.Code
		switch {
		case c.Relation == catalog.Excludes && mine:
			add("catalogue.excludes", c.Other, c.Remark, c.SourceID, 0)
		case c.Relation == catalog.Excludes:
			add("catalogue.excludes", c.SKU, c.Remark, c.SourceID, 0)
		case c.Relation == catalog.Requires && mine && c.AnyOf != "":
			add("catalog.requires_one_of", c.Other, c.Remark, c.SourceID, c.Quantity)
		case c.Relation == catalog.Requires && mine:
			add("catalogue.requires", c.Other, c.Remark, c.SourceID, c.Quantity)
		case mine:
			add("catalog.goes_into", c.Other, c.Remark, c.SourceID, c.Quantity)
		default:
			add("catalog.takes", c.SKU, c.Remark, c.SourceID, c.Quantity)
		}
	}
	for _, c := range d.UsedIn {
		add("catalog.part_of", c.Parent, "", c.SourceID, c.Quantity)
	}
	for _, s := range d.Substitutes {
		add("catalogue.substitute", s.With, joinSentence(s.Reason, s.Caveat), s.SourceID, 0)
	}
	for _, s := range d.Replaces {
		add("catalogue.replaces", s.SKU, joinSentence(s.Reason, s.Caveat), s.SourceID, 0)
	}
	var out []FitGroup
	for _, id := range order {
		if len(groups[id].Rows) > 0 {
			out = append(out, *groups[id])
		}
	}
	return out
}

func joinSentence(a, b string) string {
	if b == "" {
		return a
	}
	return a + "; " + b
}

// verdictBadges are the badges of verdicts.
var verdictBadges = map[string]string{"confirmed": "ok", "contradicted": "wrong", "garbled": "wrong", "unverifiable": "out"}

func (b productBuilder) reseller() []ResellerRow {
	var out []ResellerRow
	for _, c := range b.in.Detail.ResellerClaims {
		out = append(out, ResellerRow{
			Text: c.Text, Who: c.Source, Badge: verdictBadges[c.Verdict], Verdict: known(b.L, "catalogue.verdict_", c.Verdict),
			Correct: c.Correct, Mark: b.sources.markID(c.SourceID),
		})
	}
	slices.SortStableFunc(out, func(x, y ResellerRow) int {
		return cmp.Compare(verdictOrder[x.Badge], verdictOrder[y.Badge])
	})
	return out
}

// verdictOrder puts what is wrong first.
var verdictOrder = map[string]int{"wrong": 0, "out": 1, "ok": 2}
