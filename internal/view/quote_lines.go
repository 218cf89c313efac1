package view

import (
	"slices"
	"strconv"

	"rackwright/internal/i18n"
	"rackwright/internal/money"
	"rackwright/internal/quote"
)

// Typed returns what was typed into a field of a form that is shown again, and whether the
// form had the field. A nil Typed is a form that is shown for the first time.
type Typed func(name string) (string, bool)

// or returns what was typed, else the stored value.
func (t Typed) or(name, stored string) string {
	if t == nil {
		return stored
	}
	if v, ok := t(name); ok {
		return v
	}
	return stored
}

// lineBuilder lays out the lines of one quote.
type lineBuilder struct {
	p        Page
	in       QuoteData
	currency money.Currency
	pos      []string
	stale    map[int]bool
	low      map[int]bool // below the floor
	last     int          // index of the last line that can move
}

// quoteGroups lays out the lines section by section.
func quoteGroups(p Page, in QuoteData) []QuoteLineGroup {
	c := in.Content
	b := lineBuilder{
		p: p, in: in, currency: c.Currency, pos: LinePositions(c.Lines),
		stale: blockedLines(in.Blockers, quote.StalePrice), low: blockedLines(in.Blockers, quote.BelowFloor),
	}
	for i, l := range c.Lines {
		if !l.Part {
			b.last = i
		}
	}
	var groups []QuoteLineGroup
	for i, l := range c.Lines {
		switch {
		case l.Part:
			continue // shown under its bundle
		case l.Kind == quote.Section:
			head := b.text(i, l)
			groups = append(groups, QuoteLineGroup{Head: &head, TotalID: "net-" + head.Index, Subtotal: digitsOr(p, b.total(i).Amount, c.Currency)})
			continue
		case len(groups) == 0:
			groups = append(groups, QuoteLineGroup{})
		}
		g := &groups[len(groups)-1]
		g.Lines = append(g.Lines, b.line(i, l))
	}
	return groups
}

func (b lineBuilder) line(i int, l quote.Line) QuoteLine {
	if l.Kind == quote.Note {
		return b.text(i, l)
	}
	return b.item(i, l)
}

// base is what lines of all kinds have.
func (b lineBuilder) base(i int, l quote.Line) QuoteLine {
	v := QuoteLine{
		Index: strconv.Itoa(i), Kind: string(l.Kind), Pos: b.pos[i], Name: l.Description, SKU: l.SKU,
		First: i == 0, Last: i == b.last,
	}
	if l.ID != 0 {
		v.ID = strconv.FormatInt(l.ID, 10)
	}
	v.Text = b.field(i, "description", "quote.line_text", l.Description)
	v.Text.Lang = foreignLang(b.p, b.in.Content.Lang)
	v.Text.Max = quote.MaxDescription
	return v
}

// text lays out a note or the head of a section.
func (b lineBuilder) text(i int, l quote.Line) QuoteLine {
	v := b.base(i, l)
	v.Text.Label = b.label("quote.note_text", i)
	if l.Kind == quote.Section {
		v.Text.Label = b.label("quote.section_title", i)
	}
	return v
}

// item lays out a line with a price.
func (b lineBuilder) item(i int, l quote.Line) QuoteLine {
	v := b.base(i, l)
	lang := b.p.L.Lang()
	v.Kind = "item"
	v.Extra = l.Kind != quote.Item
	if v.Extra {
		v.Tag = b.p.T("quote.kind_" + string(l.Kind))
	}
	if l.SKU != "" {
		v.Href = "/catalog/" + l.SKU
	}
	v.Qty = b.number(i, "quantity", "quote.quantity", NumberTrim(lang, l.Quantity))
	v.Price = b.number(i, "unit_price", "price.unit_price", priceText(l.UnitPrice, b.currency))
	v.Discount = b.number(i, "discount", "quote.discount_short", NumberTrim(lang, l.Discount.Decimal()))
	v.Tax = b.number(i, "tax_rate", "quote.tax_short", NumberTrim(lang, l.TaxRate.Decimal()))
	v.Role = b.role(i, l)
	v.Reason = b.field(i, "reason", "quote.reason_short", reasonOf(l))
	v.Reason.Max = quote.MaxShort
	v.Origins = b.origins(i, l)
	v.Stock = b.stock(l)
	b.parts(&v, i)
	t := b.total(i)
	v.Net = plusIf(l.Kind == quote.Option, digitsOr(b.p, t.Amount, b.currency), t.Amount)
	if v.Extra {
		v.NetSub = b.p.T("quote.not_in_total")
	}
	v.Floor = b.floor(i, l)
	v.More, v.Says = b.more(i, l), b.says(l)
	v.HasFault = v.Reason.Error != "" || v.Role.Error != "" || slices.ContainsFunc(v.More, func(f Field) bool { return f.Error != "" })
	return v
}

// stock says when the quantity of a line can be had: at once, from a day on, or nobody knows.
func (b lineBuilder) stock(l quote.Line) LineStock {
	a, known := b.in.Stock[l.SKU]
	if l.SKU == "" || !l.Stocked || b.in.Stock == nil {
		return LineStock{}
	}
	lang := b.p.L.Lang()
	wanted, whole := l.Quantity.Round(0).Int64()
	if !known || !whole {
		return LineStock{Badge: "out", Text: b.p.T("quote.promise_none")}
	}
	free := b.p.T("quote.in_stock_n", "n", Int(lang, a.Available()))
	if a.Available() >= wanted {
		return LineStock{Badge: "stock", Text: free}
	}
	for _, day := range a.Forecast {
		if day.Available >= wanted {
			return LineStock{Badge: "lead", Text: DateShort(day.Day), Sub: free}
		}
	}
	return LineStock{Badge: "out", Text: b.p.T("quote.promise_none"), Sub: free}
}

// total returns what Calculate says of a line; nothing for a form that could not be calculated.
func (b lineBuilder) total(i int) quote.LineTotal {
	if i < len(b.in.Totals.Lines) {
		return b.in.Totals.Lines[i]
	}
	return quote.LineTotal{}
}

// role is the choice whether the line counts.
func (b lineBuilder) role(i int, l quote.Line) Field {
	f := b.field(i, "kind", "quote.line_kind", string(l.Kind))
	f.Type = "select"
	for _, k := range []quote.LineKind{quote.Item, quote.Option, quote.Alternative} {
		f.Options = append(f.Options, Option{Value: string(k), Label: b.p.T(kindLabels[k]), Selected: string(k) == f.Value})
	}
	return f
}

var kindLabels = map[quote.LineKind]string{
	quote.Item: "quote.kind_included", quote.Option: "quote.kind_option", quote.Alternative: "quote.kind_alternative",
}

// floor says that a line is below its floor price; the figure only to those who may see it.
func (b lineBuilder) floor(i int, l quote.Line) string {
	if !b.low[i] {
		return ""
	}
	if b.in.SeeFloor && l.Floor != nil {
		return b.p.T("quote.below_floor_figure", "price", MoneyDigits(money.New(*l.Floor, b.currency)))
	}
	return b.p.T("quote.below_floor")
}

// parts lists the bill of materials that stands below a line.
func (b lineBuilder) parts(v *QuoteLine, i int) {
	lines := b.in.Content.Lines
	for j := i + 1; j < len(lines) && lines[j].Part; j++ {
		v.Kids = append(v.Kids, QuotePart{
			Quantity: NumberTrim(b.p.L.Lang(), lines[j].Quantity), Name: lines[j].Description, SKU: lines[j].SKU,
		})
	}
	if len(v.Kids) > 0 {
		v.Parts = b.p.N("quote.bundle_of", len(v.Kids))
	}
}

// number is a field for a figure.
func (b lineBuilder) number(i int, field, label, value string) Field {
	f := b.field(i, field, label, value)
	f.Type = "number"
	f.Note = b.p.T(label)
	return f
}

// field is a field of line i with its fault.
func (b lineBuilder) field(i int, field, label, value string) Field {
	name := quote.LineField(i, field)
	return Field{
		Name: name, Label: b.label(label, i), Value: b.in.Typed.or(name, value),
		Error: FieldError(b.p.L, b.in.Err, name),
	}
}

// label names a field for people who hear the page: with the number of its line.
func (b lineBuilder) label(id string, i int) string {
	n := b.pos[i]
	if n == "" {
		n = strconv.Itoa(i + 1)
	}
	return b.p.T("quote.line_field", "field", b.p.T(id), "n", n)
}

// blockedLines returns the lines that a kind of blocker names.
func blockedLines(blockers []quote.Blocker, kind quote.BlockerKind) map[int]bool {
	m := map[int]bool{}
	for _, b := range blockers {
		if b.Kind == kind {
			for _, i := range b.Lines {
				m[i] = true
			}
		}
	}
	return m
}

func reasonOf(l quote.Line) string {
	if l.Override == nil {
		return ""
	}
	return l.Override.Reason
}

// priceText returns a unit price as it stands in a field; an unknown price is an empty field.
func priceText(d *money.Decimal, c money.Currency) string {
	if d == nil {
		return ""
	}
	return MoneyDigits(money.New(*d, c))
}

func plusIf(on bool, s string, d *money.Decimal) string {
	if !on {
		return s
	}
	return plus(s, d)
}

// foreignLang returns a document's language where it is not the page's, for lang attributes.
func foreignLang(p Page, lang string) string {
	if l, ok := i18n.ParseLang(lang); !ok || l == p.L.Lang() {
		return ""
	}
	return lang
}
