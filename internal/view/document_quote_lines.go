package view

import (
	"slices"
	"strings"
	"time"

	"rackwright/internal/company"
	"rackwright/internal/money"
	"rackwright/internal/quote"
)

// quoteFacts is the block of who, what and when. Facts that the quote does not have are left out.
func quoteFacts(p Page, q quote.Quote, seller company.Profile) []Fact {
	c := q.Revision.Content
	var out []Fact
	add := func(id, value string) {
		if value != "" {
			out = append(out, Fact{Label: p.T(id), Value: value})
		}
	}
	add("quote.quote_date", Date(p.Lang, c.Day))
	if !c.ValidTo.IsZero() {
		add("quote.valid_until", p.T("documents.end_of_day", "date", Date(p.Lang, c.ValidTo), "zone", zoneOn(c.ValidTo, seller.TimeZone)))
	}
	add("quote.prepared_by", q.Owner)
	add("quote.customer_reference", c.Reference)
	if c.Incoterm != "" {
		add("documents.delivery", p.T("documents.incoterm_place", "incoterm", c.Incoterm, "place", c.Place))
	}
	if c.ShipTo != "" || c.EndUser != "" {
		add("documents.ship_to_end_user", p.T("documents.two_countries", "ship", orDash(Country(p.Lang, c.ShipTo)), "end", orDash(Country(p.Lang, c.EndUser))))
	}
	add("quote.licence_reference", c.LicenceRef)
	if r := q.Revision.Frozen.Rate; r != nil {
		add("price.exchange_rate", rateText(p, *r))
	}
	return out
}

// rateText says an exchange rate in the direction in which it is stored, with its day.
func rateText(p Page, r quote.Rate) string {
	return p.T("documents.rate", "base", string(r.Base), "rate", r.Rate.Trim().String(), "quote", string(r.Quote), "date", Date(p.Lang, r.Day))
}

// zoneOn names a time zone with its offset at the end of a day: Asia/Singapore (UTC+8).
func zoneOn(day time.Time, name string) string {
	zone, ok := company.Zone(name)
	if !ok {
		return "UTC"
	}
	end := time.Date(day.Year(), day.Month(), day.Day(), 23, 59, 59, 0, zone)
	if offset := Zone(end); offset != name {
		return name + " (" + offset + ")"
	}
	return name
}

func quoteHeads(p Page, c quote.Content) QuoteDocumentHeads {
	in := func(id string) string {
		return p.T("documents.in_currency", "what", p.T(id), "currency", string(c.Currency))
	}
	return QuoteDocumentHeads{
		Number: "#", Description: p.T("quote.line_description"), Quantity: p.T("quote.quantity"),
		UnitPrice: in("price.unit_price"), Discount: p.T("quote.discount"), Amount: in("quote.amount"),
	}
}

// setLines sorts the lines into sections and the options that stand outside the total.
func (d *QuoteDocument) setLines(p Page, c quote.Content, t quote.Totals) {
	positions := LinePositions(c.Lines)
	d.Sections = []QuoteDocumentSection{{}}
	for i, l := range c.Lines {
		last := &d.Sections[len(d.Sections)-1]
		switch {
		case l.Part || i >= len(t.Lines):
		case l.Kind == quote.Section:
			s := QuoteDocumentSection{Title: positions[i] + " " + l.Description}
			if !d.Unpriced {
				s.Amount = digitsOr(p, t.Lines[i].Amount, c.Currency)
			}
			d.Sections = append(d.Sections, s)
		case l.Kind == quote.Note:
			last.Lines = append(last.Lines, QuoteDocumentLine{Description: l.Description})
		case l.Kind == quote.Item:
			x := documentLine(p, c, t, i, positions[i])
			if d.Unpriced {
				x.UnitPrice, x.Per, x.Discount, x.Amount, x.Tax = "", "", "", "", ""
			}
			last.Lines = append(last.Lines, x)
		default:
			d.Options = append(d.Options, optionLine(p, c, t, i, positions))
		}
	}
	if len(d.Sections[0].Lines) == 0 && len(d.Sections) > 1 {
		d.Sections = d.Sections[1:]
	}
	if len(d.Options) > 0 {
		d.OptionsTitle = p.T("documents.options_title")
		d.OptionsHead = p.T("documents.in_currency", "what", p.T("documents.adds"), "currency", string(c.Currency))
		d.OptionsNote = p.T("documents.options_note", "mode", p.T("quote.tax_mode_"+string(c.TaxMode)))
	}
}

// optionLine is an option with what it adds, or an alternative with its difference to the item that it replaces.
func optionLine(p Page, c quote.Content, t quote.Totals, i int, positions []string) QuoteDocumentLine {
	l, x := c.Lines[i], documentLine(p, c, t, i, positions[i])
	change := t.Lines[i].Amount
	replaced := -1
	if l.Kind == quote.Alternative {
		replaced = quote.ReplacedBy(c.Lines, i)
	}
	if replaced < 0 {
		x.Description = p.T("documents.kind_of_line", "kind", p.T("quote."+string(l.Kind)), "text", l.Description)
		x.Amount = plusIf(l.Kind == quote.Option, x.Amount, change)
		return x
	}
	x.Description = p.T("documents.alternative_to", "n", positions[replaced], "text", l.Description)
	base := t.Lines[replaced].Amount
	if change == nil || base == nil {
		x.Amount = Unknown(p.Lang)
		return x
	}
	diff := change.Sub(*base)
	x.Amount = plus(digitsOr(p, &diff, c.Currency), &diff)
	return x
}

func documentLine(p Page, c quote.Content, t quote.Totals, i int, position string) QuoteDocumentLine {
	l, sum := c.Lines[i], t.Lines[i]
	x := QuoteDocumentLine{
		Number: position, Description: l.Description, SKU: l.SKU, Config: l.Config,
		Quantity: NumberTrim(p.Lang, l.Quantity), UnitPrice: digitsOr(p, sum.UnitPrice, c.Currency),
		Amount: digitsOr(p, sum.Amount, c.Currency),
	}
	if len(t.Taxes) > 1 {
		x.Tax = taxLabel(p, quote.TaxTotal{Rate: l.TaxRate, Name: l.TaxName})
	}
	if l.Term.Periods > 0 {
		x.Term = p.T("documents.times_term", "term", TermText(p, l.Term))
		x.Per = p.T("documents.per_" + string(l.Term.Unit))
	}
	if !l.Promise.IsZero() {
		x.Promise = p.T("public.promised", "date", Date(p.Lang, l.Promise))
	}
	switch {
	case !l.Discount.IsZero():
		x.Discount = Percent(p.Lang, l.Discount)
	case !l.Off.IsZero():
		x.Discount = digitsOr(p, negated(&l.Off), c.Currency)
	}
	if l.Lump {
		return x
	}
	for _, part := range c.Lines[i+1:] {
		if !part.Part {
			break
		}
		x.Parts = append(x.Parts, partText(p, part.Quantity, part.Description))
	}
	return x
}

func partText(p Page, quantity money.Decimal, name string) string {
	return NumberTrim(p.Lang, quantity) + " × " + name
}

// Typed returns every text of the document that a person typed, for the check of characters
// that no font has.
func (d QuoteDocument) Typed() string {
	parts := []string{d.Seller.Name, d.Seller.Address, d.Customer.Name, d.Customer.Address, d.To.Name, d.To.Address,
		d.Number, d.Subject, d.Note, d.Terms, d.Bank, d.Rule}
	parts = slices.Concat(parts, d.Seller.Lines, d.Customer.Lines, d.To.Lines, d.Files)
	if d.Payments != nil {
		for _, r := range d.Payments.Rows {
			parts = append(parts, r.Label)
		}
	}
	for _, f := range d.Facts {
		parts = append(parts, f.Value)
	}
	line := func(l QuoteDocumentLine) {
		parts = append(append(parts, l.Description, l.SKU, l.Config), l.Parts...)
	}
	for _, s := range d.Sections {
		parts = append(parts, s.Title)
		for _, l := range s.Lines {
			line(l)
		}
	}
	for _, r := range d.Totals {
		parts = append(parts, r.Label)
	}
	for _, l := range d.Options {
		line(l)
	}
	return strings.Join(parts, "\n")
}
