package view

import (
	"net/url"
	"strconv"
	"time"

	"rackwright/internal/catalog"
	"rackwright/internal/i18n"
	"rackwright/internal/inventory"
	"rackwright/internal/money"
)

// CatalogPage is the list of the catalogue.
type CatalogPage struct {
	Page
	Lead       string
	Count      string // "56 products"
	Hidden     string // "7 more of low confidence are hidden", or ""
	ShowHidden string // address that shows them
	Faults     []string
	Search     Field
	Sort       Field
	Keep       []Option // what the sort form carries along
	WithLow    bool
	Facets     []Facet
	Chips      []Chip
	OpenLabel  string // of the button that opens the facets on a phone
	Columns    CatalogColumns
	Rows       []CatalogRow
	Pager      Pager
	Clear      string
}

// CatalogColumns are the heads of the list.
type CatalogColumns struct {
	Product, GPUs, Memory, Bandwidth, Power, Price, Availability Column
}

// Facet is one set of check boxes.
type Facet struct {
	Name   string
	Label  string
	First  []FacetChoice
	Rest   []FacetChoice // behind "more"
	More   string
	Opened bool // one of the rest is chosen
}

// FacetChoice is one check box of a facet.
type FacetChoice struct {
	Value   string
	Label   string
	Count   string
	Checked bool
}

// Chip is an active filter; its address is the list without it.
type Chip struct {
	Label string
	Href  string
}

// CatalogRow is one SKU in the list.
type CatalogRow struct {
	Code       string
	Href       string
	Name       string
	Form       string
	Conflict   bool
	Low        bool
	GPUs       string
	Memory     string // "" is unknown where HasMemory
	MemoryType string
	HasMemory  bool // a thing with GPU memory, so that its absence is unknown
	Bandwidth  string
	Power      string
	HasPower   bool
	Price      PriceCell
	Stock      StockCell
}

// PriceCell is a price with its unit, kind and age.
type PriceCell struct {
	Known  bool
	Amount string
	Unit   string // "" for a purchase in US dollars, which the head of the column names
	Note   string // "market, 2025-03-03"
	Stale  bool
	Age    string // how old, for people who do not see the mark
}

// StockCell is availability as a badge.
type StockCell struct {
	Kind string // of components.Badge
	Text string
}

// CatalogInput is what the list is made of.
type CatalogInput struct {
	Filter  catalog.Filter
	Listing catalog.Listing
	Faults  []string // of the request
	Stock   map[string]inventory.Availability
	Staff   bool // may see counts
	Now     time.Time
}

// NewCatalogPage returns the list of the catalogue.
func NewCatalogPage(p Page, in CatalogInput) CatalogPage {
	f := in.Filter
	v := CatalogPage{
		Page: p, Lead: p.T("catalog.lead"), Count: p.N("catalog.products", in.Listing.Total), Faults: in.Faults,
		Search:  Field{Name: "q", Label: p.T("navigation.search"), Type: "search", Value: f.Search, Max: 100},
		WithLow: f.WithLow, Clear: "/catalog", Facets: facets(p.L, f, in.Listing.Facets), Chips: chips(p.L, f),
	}
	if in.Listing.Hidden > 0 {
		v.Hidden = p.T("catalogue.hidden_low_confidence", "n", in.Listing.Hidden)
		all := firstPage(f)
		all.WithLow = true
		v.ShowHidden = CatalogURL(all)
	}
	v.OpenLabel = p.T("actions.filter")
	if n := len(v.Chips); n > 0 {
		v.OpenLabel = p.T("catalog.filter_n", "n", n)
	}
	v.Sort, v.Keep = sortField(p.L, f), kept(f)
	v.Columns = columns(p, f)
	for _, r := range in.Listing.Rows {
		v.Rows = append(v.Rows, catalogRow(p.L, r, in))
	}
	v.Pager = pager(p, f, in.Listing)
	return v
}

// CatalogURL returns the address of a list.
func CatalogURL(f catalog.Filter) string {
	q := catalogQuery(f)
	if len(q) == 0 {
		return "/catalog"
	}
	return "/catalog?" + q.Encode()
}

func catalogQuery(f catalog.Filter) url.Values {
	q := url.Values{}
	set := func(name, value string) {
		if value != "" {
			q.Set(name, value)
		}
	}
	set("q", f.Search)
	for name, values := range map[string][]string{"kind": f.Kinds, "family": f.Families, "vendor": f.Vendors, "form": f.FormFactors} {
		for _, v := range values {
			q.Add(name, v)
		}
	}
	if f.WithLow {
		q.Set("low", "1")
	}
	if f.Sort != "" && f.Sort != catalog.ByPriceDown {
		q.Set("sort", string(f.Sort))
	}
	set("after", f.After)
	set("before", f.Before)
	return q
}

// firstPage is the filter at the beginning of its list.
func firstPage(f catalog.Filter) catalog.Filter {
	f.After, f.Before = "", ""
	return f
}

func sortField(l i18n.Localizer, f catalog.Filter) Field {
	field := Field{Name: "sort", Label: l.T("actions.sort"), Type: "select"}
	for _, s := range catalog.Sorts {
		field.Options = append(field.Options, Option{Value: string(s), Label: l.T("catalog.sort_" + string(s)), Selected: s == f.Sort})
	}
	return field
}

// kept lists what the sort form sends along.
func kept(f catalog.Filter) []Option {
	f = firstPage(f)
	f.Sort = ""
	var out []Option
	q := catalogQuery(f)
	for _, name := range []string{"q", "kind", "family", "vendor", "form", "low"} {
		for _, v := range q[name] {
			out = append(out, Option{Label: name, Value: v})
		}
	}
	return out
}

func pager(p Page, f catalog.Filter, l catalog.Listing) Pager {
	if len(l.Rows) == 0 {
		return Pager{}
	}
	last := l.First + len(l.Rows) - 1
	pg := Pager{Shown: p.T("catalog.shown", "from", l.First, "to", last, "total", Int(p.Lang, int64(l.Total)))}
	if l.First > 1 {
		prev := firstPage(f)
		prev.Before = l.Rows[0].SKU.Code
		pg.Prev = CatalogURL(prev)
	}
	if last < l.Total {
		next := firstPage(f)
		next.After = l.Rows[len(l.Rows)-1].SKU.Code
		pg.Next = CatalogURL(next)
	}
	return pg
}

// columns returns the heads; those that sort lead to the list in their order, and a second
// time to the reverse of it.
func columns(p Page, f catalog.Filter) CatalogColumns {
	sorts := func(label string, down, up catalog.Sort, class string) Column {
		c := Column{Label: label, Num: true, Class: class}
		next := firstPage(f)
		next.Sort = down
		switch f.Sort {
		case down:
			c.Sort = "descending"
			next.Sort = up
		case up:
			c.Sort = "ascending"
		}
		c.Href = CatalogURL(next)
		return c
	}
	byName := firstPage(f)
	byName.Sort = catalog.ByName
	product := Column{Label: p.T("catalogue.product"), Href: CatalogURL(byName)}
	if f.Sort == catalog.ByName {
		product.Sort = "ascending"
	}
	return CatalogColumns{
		Product: product, GPUs: Column{Label: p.T("catalog.gpus"), Num: true, Class: "lo"},
		Memory:       sorts(p.T("catalog.memory"), catalog.ByMemoryDown, catalog.ByMemoryUp, ""),
		Bandwidth:    Column{Label: p.T("catalogue.bandwidth"), Num: true, Class: "lo"},
		Power:        Column{Label: p.T("catalog.power_max"), Num: true, Class: "lo"},
		Price:        sorts(p.T("catalog.price"), catalog.ByPriceDown, catalog.ByPriceUp, ""),
		Availability: Column{Label: p.T("catalog.availability")},
	}
}

// hasMemory reports whether a SKU carries GPUs, so that a missing figure is unknown.
func hasMemory(s catalog.SKU) bool { return s.GPUs > 0 || s.Kind == catalog.GPU }

func catalogRow(l i18n.Localizer, r catalog.Row, in CatalogInput) CatalogRow {
	s := r.SKU
	row := CatalogRow{
		Code: s.Code, Href: "/catalog/" + url.PathEscape(s.Code), Name: s.NameIn(string(l.Lang())), Form: FormFactor(l, s.FormFactor),
		Conflict: r.Summary.Conflicts > 0, Low: s.Confidence == catalog.Low, HasMemory: hasMemory(s),
		HasPower: s.Kind == catalog.GPU || s.Kind == catalog.System, MemoryType: r.Summary.MemoryType,
		Memory: figureOr(l, r.Summary.MemoryGB), Bandwidth: figureOr(l, r.Summary.BandwidthGBs), Power: watts(l, r.Summary.PowerW),
		Price: priceCell(l, r.Summary.Price, in.Now), Stock: stockCell(l, r, in.Stock, in.Staff),
	}
	if s.GPUs > 0 {
		row.GPUs = strconv.Itoa(s.GPUs)
	}
	return row
}

func figureOr(l i18n.Localizer, d *money.Decimal) string {
	if d == nil {
		return ""
	}
	return NumberTrim(l.Lang(), *d)
}

// watts returns power as datasheets give it: 700 W, 10.2 kW.
func watts(l i18n.Localizer, w *money.Decimal) string {
	if w == nil {
		return ""
	}
	thousand := money.FromInt(1000)
	if w.Less(thousand) {
		return NumberTrim(l.Lang(), *w) + nbsp + "W"
	}
	return NumberTrim(l.Lang(), w.Quo(thousand, 3)) + nbsp + "kW"
}

func priceCell(l i18n.Localizer, o *catalog.PriceObservation, now time.Time) PriceCell {
	if o == nil {
		return PriceCell{}
	}
	c := PriceCell{Known: true, Amount: MoneyDigits(o.Price), Stale: catalog.Stale(o.Day, now)}
	if o.Price.Currency != "USD" {
		c.Amount = MoneyTable(o.Price)
	}
	if o.Unit == catalog.PerGPUHour {
		c.Unit = l.T("price.per_gpu_hour")
	}
	id := "price.market_price_dated"
	switch {
	case o.Kind == catalog.ListPrice:
		id = "catalog.list_dated"
	case o.Unit == catalog.PerGPUHour:
		id = "catalog.rent_dated"
	}
	c.Note = l.T(id, "date", DateShort(o.Day))
	if c.Stale {
		c.Age = Age(l, o.Day, now)
	}
	return c
}

// Age says how old a day is: in days up to two months, then in months.
func Age(l i18n.Localizer, day, now time.Time) string {
	days := catalog.AgeDays(day, now)
	if days < 60 {
		return l.N("catalog.days_old", max(days, 0))
	}
	const month = 30.44 // days
	return l.T("price.months_old", "n", int(float64(days)/month))
}
