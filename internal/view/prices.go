package view

import (
	"net/url"
	"strconv"
	"time"

	"rackwright/internal/apperr"
	"rackwright/internal/money"
	"rackwright/internal/quote"
)

// Ledger is a list of settings with the form of one entry beside it: price lists, prices,
// floors, exchange rates, taxes. People without the right to edit see the list alone.
type Ledger struct {
	Page
	Heading string
	Lead    string
	Demo    string // says that the figures are invented, "" where they are not
	Tabs    []Tab
	Facts   []Fact
	Columns []Column
	Rows    []LedgerRow
	Empty   string
	Form    *EntryForm // nil without the right to edit
	Head    *EntryForm // of the list itself, where it has settings of its own
}

// LedgerRow is one entry.
type LedgerRow struct {
	Cells  []LedgerCell
	Edit   string // address of the page with this entry in the form
	Remove string // address that removes the entry
	Quiet  bool   // over, or not yet begun
}

// LedgerCell is one cell of a row.
type LedgerCell struct {
	Text string
	Sub  string
	Href string
	Num  bool
	Code bool
}

// EntryForm is the form of one entry.
type EntryForm struct {
	ID      string
	Title   string
	Note    string
	Action  string
	Version string
	Fields  []Field
	Checks  []Field
	Faults  []Fault
	Cancel  string // address of the empty form, "" where this is it
}

// finish puts back what was typed and what is wrong with it.
func (e *EntryForm) finish(p Page, typed func(string) string, cause error) *EntryForm {
	var all []*Field
	for i := range e.Fields {
		if typed != nil {
			refill(&e.Fields[i], typed(e.Fields[i].Name))
		}
		all = append(all, &e.Fields[i])
	}
	for i := range e.Checks {
		if typed != nil {
			e.Checks[i].Checked = typed(e.Checks[i].Name) != ""
		}
		all = append(all, &e.Checks[i])
	}
	if typed != nil && apperr.Is(cause, apperr.Invalid) {
		e.Version = typed("version") // still the version that the person saw
	}
	e.Faults = formFaults(p, cause, all...)
	return e
}

// Returned is a form that came back: its fields as typed and what is wrong with them. The zero
// value is a form that has not been sent.
type Returned struct {
	Raw   func(name string) string
	Cause error
}

// PriceTabs returns the pages of own prices; current is the address of this one. Floors are
// listed only for people who may see them.
func PriceTabs(p Page, current string, floors bool) []Tab {
	tabs := []Tab{{Label: p.T("prices.lists"), Href: "/price-list"}}
	if floors {
		tabs = append(tabs, Tab{Label: p.T("prices.floors"), Href: "/price-list/floors"})
	}
	tabs = append(tabs,
		Tab{Label: p.T("admin.exchange_rate_table"), Href: "/price-list/rates"},
		Tab{Label: p.T("admin.tax_table"), Href: "/price-list/taxes"})
	for i := range tabs {
		tabs[i].Current = tabs[i].Href == current
	}
	return tabs
}

// NewPriceLists returns the page of all price lists.
func NewPriceLists(p Page, tabs []Tab, lists []quote.PriceList, edit bool, typed Returned) Ledger {
	v := Ledger{
		Page: p, Heading: p.T("prices.lists"), Lead: p.T("prices.lists_lead"), Tabs: tabs, Empty: p.T("prices.lists_empty"),
		Columns: []Column{{Label: p.T("price.price_list")}, {Label: p.T("price.currency")},
			{Label: p.T("price.customer_group")}, {Label: p.T("prices.tax_mode")}},
	}
	for _, l := range lists {
		name := LedgerCell{Text: l.Name, Href: priceListHref(l.ID)}
		if l.Demo {
			name.Sub = p.T("admin.demo_price_list")
		}
		v.Rows = append(v.Rows, LedgerRow{Cells: []LedgerCell{
			name, {Text: string(l.Currency)}, {Text: groupName(p, l.Group)}, {Text: p.T(taxModeLabel[l.TaxMode])},
		}})
	}
	if edit {
		v.Form = priceListForm(p, quote.PriceList{TaxMode: quote.Exclusive}, typed)
	}
	return v
}

var taxModeLabel = map[quote.TaxMode]string{quote.Exclusive: "quote.tax_excluded", quote.Inclusive: "quote.tax_included"}

func priceListHref(id int64) string { return "/price-list/" + strconv.FormatInt(id, 10) }

func groupName(p Page, group string) string {
	if group == "" {
		return p.T("prices.everybody")
	}
	return group
}

// priceListForm is the form of the head of a list; an id of 0 makes a new one.
func priceListForm(p Page, l quote.PriceList, typed Returned) *EntryForm {
	f := &EntryForm{ID: "list", Title: p.T("prices.new_list"), Action: "/price-list"}
	if l.ID != 0 {
		f.Title, f.Action = p.T("prices.list_settings"), priceListHref(l.ID)
		f.Version = strconv.FormatInt(l.Version, 10)
	}
	f.Fields = []Field{
		{Name: "name", Label: p.T("prices.name"), Value: l.Name, Required: true, Max: 200},
		{Name: "currency", Label: p.T("price.currency"), Type: "select", Required: true, Options: Currencies(string(l.Currency))},
		{Name: "tax_mode", Label: p.T("prices.tax_mode"), Type: "select", Options: []Option{
			{Value: string(quote.Exclusive), Label: p.T("quote.tax_excluded"), Selected: l.TaxMode == quote.Exclusive},
			{Value: string(quote.Inclusive), Label: p.T("quote.tax_included"), Selected: l.TaxMode == quote.Inclusive},
		}},
		{Name: "group", Label: p.T("price.customer_group"), Value: l.Group, Help: p.T("prices.group_help"), Max: 60},
	}
	return f.finish(p, typed.Raw, typed.Cause)
}

// PriceListArgs is what the page of one price list shows.
type PriceListArgs struct {
	List   quote.PriceList
	Items  []quote.PriceItem
	Today  time.Time
	Edit   bool              // the person may edit
	Item   quote.PriceItem   // in the form; an id of 0 is a new price
	Typed  Returned          // of the form of the price
	Head   Returned          // of the form of the list
	Labels map[string]string // names of SKUs, where known
}

// NewPriceList returns the page of one price list.
func NewPriceList(p Page, tabs []Tab, a PriceListArgs) Ledger {
	v := Ledger{
		Page: p, Heading: a.List.Name, Tabs: tabs, Empty: p.T("prices.items_empty"),
		Facts: []Fact{
			{Label: p.T("price.currency"), Value: string(a.List.Currency)},
			{Label: p.T("prices.tax_mode"), Value: p.T(taxModeLabel[a.List.TaxMode])},
			{Label: p.T("price.customer_group"), Value: groupName(p, a.List.Group)},
		},
		Columns: []Column{{Label: p.T("catalogue.sku_code")}, {Label: p.T("prices.from_quantity"), Num: true},
			{Label: p.T("price.unit_price") + " " + string(a.List.Currency), Num: true},
			{Label: p.T("price.valid_from")}, {Label: p.T("price.valid_to")}},
	}
	if a.List.Demo {
		v.Demo = p.T("admin.demo_price_list")
	}
	for _, i := range a.Items {
		v.Rows = append(v.Rows, priceRow(p, a, i))
	}
	if a.Edit {
		v.Form = priceForm(p, a)
		v.Head = priceListForm(p, a.List, a.Head)
	}
	return v
}

func priceRow(p Page, a PriceListArgs, i quote.PriceItem) LedgerRow {
	price := money.Amount{Value: i.Price, Currency: a.List.Currency}
	row := LedgerRow{Quiet: !i.ValidOn(a.Today), Cells: []LedgerCell{
		{Text: i.SKU, Sub: a.Labels[i.SKU], Code: true, Href: "/catalog/" + i.SKU},
		{Text: NumberTrim(p.Lang, i.MinQty), Num: true}, {Text: MoneyDigits(price), Num: true},
		{Text: DateShort(i.From)}, {Text: p.T("prices.open_end")},
	}}
	if !i.To.IsZero() {
		row.Cells[4].Text = DateShort(i.To)
	}
	if a.Edit {
		id := strconv.FormatInt(i.ID, 10)
		row.Edit = priceListHref(a.List.ID) + "?item=" + id + "#entry"
		row.Remove = priceListHref(a.List.ID) + "/items/" + id + "/delete"
	}
	return row
}

func priceForm(p Page, a PriceListArgs) *EntryForm {
	here := priceListHref(a.List.ID)
	f := &EntryForm{ID: "entry", Title: p.T("prices.new_price"), Action: here + "/items", Note: p.T("prices.price_note")}
	item := a.Item
	if item.ID != 0 {
		f.Title, f.Cancel = p.T("prices.change_price"), here
		f.Action += "/" + strconv.FormatInt(item.ID, 10)
	}
	f.Fields = []Field{
		{Name: "sku", Label: p.T("catalogue.sku_code"), Value: item.SKU, Required: true, Max: 200, Autocomplete: "off"},
		{Name: "min_qty", Label: p.T("prices.from_quantity"), Type: "number", Value: item.MinQty.String(), Help: p.T("prices.min_qty_help")},
		{Name: "price", Label: p.T("price.unit_price"), Type: "number", Unit: string(a.List.Currency), Required: true},
		{Name: "from", Label: p.T("price.valid_from"), Type: "date", Required: true, Value: DateShort(a.Today)},
		{Name: "to", Label: p.T("price.valid_to"), Type: "date", Help: p.T("prices.open_end_help")},
	}
	if item.ID != 0 {
		f.Fields[2].Value, f.Fields[3].Value, f.Fields[4].Value = item.Price.String(), DateShort(item.From), dayOrEmpty(item.To)
	}
	return f.finish(p, a.Typed.Raw, a.Typed.Cause)
}

func dayOrEmpty(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return DateShort(t)
}

// NewFloors returns the page of floor prices and costs. current is the entry in the form.
func NewFloors(p Page, tabs []Tab, limits []quote.Limit, current quote.Limit, edit bool, typed Returned) Ledger {
	v := Ledger{
		Page: p, Heading: p.T("prices.floors"), Lead: p.T("prices.floors_lead"), Tabs: tabs, Empty: p.T("prices.floors_empty"),
		Columns: []Column{{Label: p.T("catalogue.sku_code")}, {Label: p.T("price.floor_price"), Num: true},
			{Label: p.T("price.cost_price"), Num: true}},
	}
	for _, l := range limits {
		row := LedgerRow{Cells: []LedgerCell{
			{Text: l.SKU, Code: true, Href: "/catalog/" + l.SKU},
			{Text: tableAmount(p, l.Floor, l.Currency), Num: true}, {Text: tableAmount(p, l.Cost, l.Currency), Num: true},
		}}
		if edit {
			row.Edit = "/price-list/floors?sku=" + url.QueryEscape(l.SKU) + "#entry"
		}
		v.Rows = append(v.Rows, row)
	}
	if edit {
		v.Form = floorForm(p, current, typed)
	}
	return v
}

func tableAmount(p Page, d *money.Decimal, c money.Currency) string {
	if d == nil {
		return Unknown(p.Lang)
	}
	return MoneyTable(money.Amount{Value: *d, Currency: c})
}

func floorForm(p Page, l quote.Limit, typed Returned) *EntryForm {
	f := &EntryForm{ID: "entry", Title: p.T("prices.new_floor"), Action: "/price-list/floors", Note: p.T("prices.floor_note"),
		Version: strconv.FormatInt(l.Version, 10)}
	if l.Version != 0 {
		f.Title, f.Cancel = p.T("prices.change_floor"), "/price-list/floors"
	}
	f.Fields = []Field{
		{Name: "sku", Label: p.T("catalogue.sku_code"), Value: l.SKU, Required: true, ReadOnly: l.Version != 0, Max: 200, Autocomplete: "off"},
		{Name: "currency", Label: p.T("price.currency"), Type: "select", Required: true, Options: Currencies(string(l.Currency))},
		{Name: "floor", Label: p.T("price.floor_price"), Type: "number", Value: decimalText(l.Floor)},
		{Name: "cost", Label: p.T("price.cost_price"), Type: "number", Value: decimalText(l.Cost), Help: p.T("prices.empty_unknown")},
	}
	return f.finish(p, typed.Raw, typed.Cause)
}

func decimalText(d *money.Decimal) string {
	if d == nil {
		return ""
	}
	return d.String()
}

// NewRates returns the page of exchange rates. company is the currency that they matter for.
func NewRates(p Page, tabs []Tab, rates []quote.Rate, company money.Currency, today time.Time, edit bool, typed Returned) Ledger {
	v := Ledger{
		Page: p, Heading: p.T("admin.exchange_rate_table"), Lead: p.T("prices.rates_lead", "n", quote.RateDays), Tabs: tabs,
		Empty: p.T("prices.rates_empty"),
		Columns: []Column{{Label: p.T("price.exchange_rate_date")}, {Label: p.T("price.exchange_rate")},
			{Label: p.T("catalogue.source")}},
	}
	oldest := today.AddDate(0, 0, -quote.RateDays)
	for _, r := range rates {
		v.Rows = append(v.Rows, LedgerRow{Quiet: r.Day.Before(oldest), Cells: []LedgerCell{
			{Text: DateShort(r.Day)},
			{Text: p.T("prices.one_is", "from", string(r.Base), "rate", NumberTrim(p.Lang, r.Rate), "to", string(r.Quote))},
			{Text: r.Source},
		}})
	}
	if edit {
		f := &EntryForm{ID: "entry", Title: p.T("prices.new_rate"), Action: "/price-list/rates", Note: p.T("prices.rate_note")}
		f.Fields = []Field{
			{Name: "base", Label: p.T("prices.rate_base"), Type: "select", Required: true, Options: Currencies(string(company))},
			{Name: "rate", Label: p.T("prices.rate_is"), Type: "number", Required: true},
			{Name: "quote", Label: p.T("prices.rate_quote"), Type: "select", Required: true, Options: Currencies("")},
			{Name: "day", Label: p.T("price.exchange_rate_date"), Type: "date", Required: true, Value: DateShort(today)},
			{Name: "source", Label: p.T("catalogue.source"), Required: true, Max: 200, Help: p.T("prices.source_help")},
		}
		v.Form = f.finish(p, typed.Raw, typed.Cause)
	}
	return v
}

// NewTaxes returns the page of tax rates. current is the entry in the form.
func NewTaxes(p Page, tabs []Tab, taxes []quote.Tax, current quote.Tax, edit bool, typed Returned) Ledger {
	v := Ledger{
		Page: p, Heading: p.T("admin.tax_table"), Lead: p.T("prices.taxes_lead"), Tabs: tabs, Empty: p.T("prices.taxes_empty"),
		Columns: []Column{{Label: p.T("prices.name")}, {Label: p.T("admin.country_or_region")}, {Label: p.T("quote.tax_rate"), Num: true}},
	}
	for _, t := range taxes {
		row := LedgerRow{Cells: []LedgerCell{
			{Text: t.Name}, {Text: countryOrAny(p, t.Country)}, {Text: Percent(p.Lang, t.Rate), Num: true},
		}}
		if t.Default {
			row.Cells[0].Sub = p.T("admin.default_value")
		}
		if edit {
			row.Edit = "/price-list/taxes?tax=" + strconv.FormatInt(t.ID, 10) + "#entry"
		}
		v.Rows = append(v.Rows, row)
	}
	if edit {
		v.Form = taxForm(p, current, typed)
	}
	return v
}

func taxForm(p Page, t quote.Tax, typed Returned) *EntryForm {
	f := &EntryForm{ID: "entry", Title: p.T("prices.new_tax"), Action: "/price-list/taxes", Note: p.T("prices.tax_note")}
	rate := ""
	if t.ID != 0 {
		f.Title, f.Cancel = p.T("prices.change_tax"), "/price-list/taxes"
		f.Action += "/" + strconv.FormatInt(t.ID, 10)
		f.Version = strconv.FormatInt(t.Version, 10)
		rate = t.Rate.Decimal().Trim().String()
	}
	f.Fields = []Field{
		{Name: "name", Label: p.T("prices.name"), Value: t.Name, Required: true, Max: 200, Help: p.T("prices.tax_name_help")},
		{Name: "country", Label: p.T("admin.country_or_region"), Type: "select", Options: Countries(p, t.Country)},
		{Name: "rate", Label: p.T("quote.tax_rate"), Type: "number", Unit: "%", Value: rate, Required: true},
	}
	f.Checks = []Field{{Name: "default", Label: p.T("prices.tax_default"), Checked: t.Default}}
	return f.finish(p, typed.Raw, typed.Cause)
}

func countryOrAny(p Page, code string) string {
	if code == "" {
		return p.T("prices.any_country")
	}
	return Country(p.Lang, code)
}
