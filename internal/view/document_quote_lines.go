package view

import (
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
	return out
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
			d.Sections = append(d.Sections, QuoteDocumentSection{
				Title: positions[i] + " " + l.Description, Amount: digitsOr(p, t.Lines[i].Amount, c.Currency),
			})
		case l.Kind == quote.Note:
			last.Lines = append(last.Lines, QuoteDocumentLine{Description: l.Description})
		case l.Kind == quote.Item:
			last.Lines = append(last.Lines, documentLine(p, c, t, i, positions[i]))
		default:
			x := documentLine(p, c, t, i, positions[i])
			x.Amount = plusIf(l.Kind == quote.Option, x.Amount, t.Lines[i].Amount)
			d.Options = append(d.Options, x)
		}
	}
	if len(d.Sections[0].Lines) == 0 && len(d.Sections) > 1 {
		d.Sections = d.Sections[1:]
	}
	if len(d.Options) > 0 {
		d.OptionsTitle = p.T("documents.options_title")
		d.OptionsHead = p.T("documents.in_currency", "what", p.T("documents.adds"), "currency", string(c.Currency))
	}
}

func documentLine(p Page, c quote.Content, t quote.Totals, i int, position string) QuoteDocumentLine {
	l, sum := c.Lines[i], t.Lines[i]
	x := QuoteDocumentLine{
		Number: position, Description: l.Description, SKU: l.SKU,
		Quantity: NumberTrim(p.Lang, l.Quantity), UnitPrice: digitsOr(p, sum.UnitPrice, c.Currency),
		Amount: digitsOr(p, sum.Amount, c.Currency),
	}
	if l.Kind != quote.Item {
		x.Description = p.T("documents.kind_of_line", "kind", p.T("quote."+string(l.Kind)), "text", l.Description)
	}
	if !l.Discount.IsZero() {
		x.Discount = Percent(p.Lang, l.Discount)
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
	parts := []string{d.Seller.Name, d.Seller.Address, d.Customer.Name, d.Customer.Address, d.Number, d.Subject, d.Note, d.Terms, d.Bank}
	parts = append(append(parts, d.Seller.Lines...), d.Customer.Lines...)
	for _, f := range d.Facts {
		parts = append(parts, f.Value)
	}
	line := func(l QuoteDocumentLine) {
		parts = append(append(parts, l.Description, l.SKU), l.Parts...)
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
