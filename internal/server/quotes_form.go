package server

import (
	"errors"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"rackwright/internal/apperr"
	"rackwright/internal/money"
	"rackwright/internal/quote"
)

// figurePlaces is how many decimals quantities and prices may have, as in the database.
const figurePlaces = 6

// quoteForm is the editor's form as it was understood. What the stored lines know beside the
// form (list price, parts of a bundle) is kept from the stored content.
type quoteForm struct {
	*form
	content quote.Content
	origin  []int // by line of content: its index in the form, -1 for parts and new lines
	taxes   []quote.Tax
	// The contact and the countries before the form was read.
	storedContact, storedShipTo, storedEndUser string
	// licence is the reference of an export licence as typed; nil from people who may not record one.
	licence *string
}

// lineName matches the name of a field of a line.
var lineName = regexp.MustCompile(`^lines\[(\d{1,4})\]\.([a-z_]+)$`)

// readQuoteForm reads the editor's form over the stored content.
func readQuoteForm(f *form, stored quote.Content, taxes []quote.Tax, mayLicence bool) *quoteForm {
	q := &quoteForm{form: f, content: stored, taxes: taxes,
		storedContact: stored.Customer.Contact, storedShipTo: stored.ShipTo, storedEndUser: stored.EndUser}
	q.readHead()
	if mayLicence && f.has("licence_ref") {
		ref := q.text("licence_ref", quote.MaxShort)
		q.licence = &ref
	}
	q.content.Lines = nil
	blocks := blocksByID(stored.Lines)
	for _, i := range q.lineIndexes() {
		q.readLine(i, blocks)
	}
	return q
}

// readHead reads what the quote says besides its lines.
func (q *quoteForm) readHead() {
	c := &q.content
	c.Title = q.text("title", quote.MaxShort)
	c.Customer.Contact = q.text("customer.contact", quote.MaxShort)
	c.Customer.Email = q.text("customer.email", quote.MaxShort)
	c.Currency = q.currency("currency")
	c.TaxMode = quote.TaxMode(q.choice("tax_mode", string(quote.Exclusive), string(quote.Inclusive)))
	c.ValidTo = q.date("valid_until")
	c.Lang = q.raw("lang")
	c.Reference = q.text("reference", quote.MaxShort)
	c.ShipTo = q.raw("ship_to")
	c.EndUser = q.raw("end_user")
	c.Incoterm = q.raw("incoterm")
	c.Place = q.text("place", quote.MaxShort)
	c.Note = q.text("note", quote.MaxDescription)
	c.Terms = q.text("terms", quote.MaxTerms)
	c.InternalNote = q.text("internal_note", quote.MaxDescription)
	c.Discount = q.readDiscount()
	q.readDocument()
}

// readDocument reads how the document looks, where goods go, and why there is no tax. A form of a page without
// these fields leaves them.
func (q *quoteForm) readDocument() {
	c := &q.content
	if q.has("layout") {
		c.Layout = quote.Layout(q.choice("layout", string(quote.Detailed), string(quote.LumpSum)))
	}
	if q.has("tax_rule") {
		c.TaxRule = quote.TaxRule(q.raw("tax_rule"))
	}
	for name, into := range map[string]*string{
		"delivery.name": &c.Delivery.Name, "delivery.contact": &c.Delivery.Contact,
	} {
		if q.has(name) {
			*into = q.text(name, quote.MaxShort)
		}
	}
	if q.has("payments") {
		parts, err := quote.ParsePayments(q.text("payments", quote.MaxDescription))
		if e, ok := errors.AsType[*apperr.Error](err); ok {
			q.Add("payments", e.Fields["payments"].ID, e.Fields["payments"].Args...)
		}
		c.Payments = parts
	}
	for name, into := range map[string]*string{"delivery.address": &c.Delivery.Address, "tax_note": &c.TaxNote} {
		if q.has(name) {
			*into = q.text(name, quote.MaxDescription)
		}
	}
}

// readDiscount reads the discount on the whole quote: one figure, and what it counts in.
func (q *quoteForm) readDiscount() quote.Discount {
	if q.raw("discount_kind") == "amount" {
		if d := q.optExact("discount", figurePlaces); d != nil {
			return quote.Discount{Amount: *d}
		}
		return quote.Discount{}
	}
	if p := q.optPercent("discount"); p != nil {
		return quote.Discount{Percent: *p}
	}
	return quote.Discount{}
}

// lineIndexes returns the indexes of the lines in the form, in order.
func (q *quoteForm) lineIndexes() []int {
	seen := map[int]bool{}
	for name := range q.values {
		if m := lineName.FindStringSubmatch(name); m != nil {
			i, _ := strconv.Atoi(m[1]) // four digits at most
			seen[i] = true
		}
	}
	indexes := make([]int, 0, len(seen))
	for i := range seen {
		indexes = append(indexes, i)
	}
	slices.Sort(indexes)
	return indexes
}

// blocksByID returns each line that is no part, with its parts, by the line's id.
func blocksByID(lines []quote.Line) map[int64][]quote.Line {
	blocks := map[int64][]quote.Line{}
	for _, b := range blocksOf(lines) {
		blocks[b[0].ID] = b
	}
	return blocks
}

// blocksOf cuts lines into blocks of one line and its parts.
func blocksOf(lines []quote.Line) [][]quote.Line {
	var blocks [][]quote.Line
	for _, l := range lines {
		if l.Part && len(blocks) > 0 {
			blocks[len(blocks)-1] = append(blocks[len(blocks)-1], l)
			continue
		}
		blocks = append(blocks, []quote.Line{l})
	}
	return blocks
}

// readLine reads line i of the form and adds it, with the parts that are stored below it.
func (q *quoteForm) readLine(i int, blocks map[int64][]quote.Line) {
	id, _ := strconv.ParseInt(q.raw(quote.LineField(i, "id")), 10, 64) // not a number: a new line
	var l quote.Line
	block := blocks[id]
	if len(block) > 0 {
		l = block[0]
	} else {
		l = quote.Line{ID: id, SKU: q.raw(quote.LineField(i, "sku"))}
	}
	l.Kind = quote.LineKind(q.raw(quote.LineField(i, "kind")))
	if q.has(quote.LineField(i, "description")) {
		l.Description = q.needText(quote.LineField(i, "description"), quote.MaxDescription)
	}
	if l.Kind.Priced() {
		q.readFigures(i, &l)
	}
	q.content.Lines = append(q.content.Lines, l)
	q.origin = append(q.origin, i)
	for n := 1; n < len(block); n++ {
		q.content.Lines = append(q.content.Lines, block[n])
		q.origin = append(q.origin, -1)
	}
}

// readFigures reads quantity, price, discount and tax of a line. An empty price takes the
// list price.
func (q *quoteForm) readFigures(i int, l *quote.Line) {
	l.Quantity = q.exact(quote.LineField(i, "quantity"), figurePlaces)
	if l.Kind == quote.Item && l.Quantity.IsZero() && !q.Has(quote.LineField(i, "quantity")) {
		q.Add(quote.LineField(i, "quantity"), "errors.form_positive", "field", apperr.Msg("quote.quantity"))
	}
	l.UnitPrice = q.optExact(quote.LineField(i, "unit_price"), figurePlaces)
	l.Discount = q.percentOr0(quote.LineField(i, "discount"))
	q.readMore(i, l)
	rate := q.percentOr0(quote.LineField(i, "tax_rate"))
	if !rate.Equal(l.TaxRate) || l.TaxName == "" {
		l.TaxName = taxName(q.taxes, rate)
	}
	l.TaxRate = rate
	reason := q.text(quote.LineField(i, "reason"), quote.MaxShort)
	switch {
	case l.Override != nil:
		o := *l.Override
		o.Reason = reason
		l.Override = &o
	case reason != "":
		l.Override = &quote.Override{Reason: reason}
	}
}

// readMore reads what few lines have. A form of a page without these fields leaves them.
func (q *quoteForm) readMore(i int, l *quote.Line) {
	at := func(name string) string { return quote.LineField(i, name) }
	if q.has(at("off")) {
		l.Off = money.Decimal{}
		if d := q.optExact(at("off"), figurePlaces); d != nil {
			l.Off = *d
		}
	}
	if q.has(at("term")) {
		l.Term = quote.Term{Unit: quote.TermUnit(q.raw(at("term_unit")))}
		if n := q.optInteger(at("term"), 1, quote.MaxPeriods); n != nil {
			l.Term.Periods = int(*n)
		}
	}
	if q.has(at("promise")) {
		l.Promise = time.Time{}
		if day := q.optDate(at("promise")); day != nil {
			l.Promise = *day
		}
	}
	if q.has(at("replaces")) {
		l.Replaces, _ = strconv.ParseInt(q.raw(at("replaces")), 10, 64) // nothing that can be chosen: the item above
	}
	if q.has(at("print")) {
		l.Lump = q.raw(at("print")) == "lump"
	}
	if q.has(at("config")) {
		l.Config = q.text(at("config"), quote.MaxDescription)
	}
}

func (q *quoteForm) percentOr0(name string) money.Percent {
	if p := q.optPercent(name); p != nil {
		return *p
	}
	return money.Percent{}
}

// taxName returns the name of the tax table for a rate, "" where there is none.
func taxName(taxes []quote.Tax, rate money.Percent) string {
	if rate.IsZero() {
		return ""
	}
	for _, t := range taxes {
		if t.Rate.Equal(rate) {
			return t.Name
		}
	}
	return ""
}

// typed returns what was typed into a field, by the line's index in content.
func (q *quoteForm) typed(name string) (string, bool) {
	if m := lineName.FindStringSubmatch(name); m != nil {
		i, _ := strconv.Atoi(m[1])
		if i >= len(q.origin) || q.origin[i] < 0 {
			return "", false
		}
		name = quote.LineField(q.origin[i], m[2])
	}
	return q.raw(name), q.has(name)
}

// faults returns the faults of reading the form with the indexes of content.
func (q *quoteForm) faults() error {
	e, ok := errors.AsType[*apperr.Error](q.err())
	if !ok {
		return nil
	}
	fields := make(map[string]apperr.Message, len(e.Fields))
	for name, msg := range e.Fields {
		if m := lineName.FindStringSubmatch(name); m != nil {
			i, _ := strconv.Atoi(m[1])
			if at := slices.Index(q.origin, i); at >= 0 {
				name = quote.LineField(at, m[2])
			}
		}
		fields[name] = msg
	}
	return &apperr.Error{Kind: e.Kind, Msg: e.Msg, Fields: fields}
}

// skuCode matches what can be a code of the catalogue.
var skuCode = regexp.MustCompile(`^[A-Z0-9][A-Z0-9._-]{0,63}$`)

// add appends the line that was typed into the last row. names are the products to choose
// from, by code.
func (q *quoteForm) add(names map[string]string) {
	typed := q.text("add", quote.MaxDescription)
	if typed == "" {
		q.Add("add", "quote.nothing_to_add")
		return
	}
	l := quote.Line{Kind: quote.LineKind(q.choice("add_kind", kindNames()...)), Description: typed}
	if l.Kind.Priced() {
		l.Quantity = money.FromInt(1)
		l.TaxRate, l.TaxName = q.usualTax()
		if sku := skuOf(typed, names); sku != "" {
			l.SKU, l.Description = sku, ""
		}
	}
	q.content.Lines = append(q.content.Lines, l)
	q.origin = append(q.origin, -1)
}

// skuOf returns the code that was meant: a code as typed in any case, or a product's name.
// What looks like a code and is none is still returned, so that a slip of the keyboard is an
// error and not a free line.
func skuOf(typed string, names map[string]string) string {
	code := strings.ToUpper(typed)
	if _, ok := names[code]; ok {
		return code
	}
	for sku, name := range names {
		if strings.EqualFold(name, typed) {
			return sku
		}
	}
	if skuCode.MatchString(code) && strings.ContainsAny(code, "-0123456789") {
		return code
	}
	return ""
}

// usualTax is the tax of the last line with a price, else the table's default.
func (q *quoteForm) usualTax() (money.Percent, string) {
	for _, l := range slices.Backward(q.content.Lines) {
		if l.Kind.Priced() && !l.Part {
			return l.TaxRate, l.TaxName
		}
	}
	return defaultTax(q.taxes)
}

func defaultTax(taxes []quote.Tax) (money.Percent, string) {
	for _, t := range taxes {
		if t.Default {
			return t.Rate, t.Name
		}
	}
	return money.Percent{}, ""
}

func kindNames() []string {
	names := make([]string, len(quote.LineKinds))
	for i, k := range quote.LineKinds {
		names[i] = string(k)
	}
	return names
}

// remove takes the line with an index of the form out, with its parts, and returns its name.
func (q *quoteForm) remove(formIndex int) string {
	at := slices.Index(q.origin, formIndex)
	if at < 0 {
		return ""
	}
	name := q.content.Lines[at].Description
	end := at + 1
	for end < len(q.content.Lines) && q.content.Lines[end].Part {
		end++
	}
	q.content.Lines = slices.Delete(q.content.Lines, at, end)
	q.origin = slices.Delete(q.origin, at, end)
	return name
}

// move puts a line, with its parts, one place up (-1) or down (+1).
func (q *quoteForm) move(formIndex, by int) {
	at := slices.Index(q.origin, formIndex)
	if at < 0 {
		return
	}
	blocks := blocksOf(q.content.Lines)
	n, start := 0, 0
	for start < at {
		start += len(blocks[n])
		n++
	}
	if n+by < 0 || n+by >= len(blocks) {
		return
	}
	blocks[n], blocks[n+by] = blocks[n+by], blocks[n]
	origin := map[int64]int{}
	for i, l := range q.content.Lines {
		origin[l.ID] = q.origin[i]
	}
	q.content.Lines, q.origin = slices.Concat(blocks...), nil
	for _, l := range q.content.Lines {
		q.origin = append(q.origin, origin[l.ID])
	}
}
