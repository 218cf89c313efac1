package view

import (
	"time"

	"rackwright/internal/company"
	"rackwright/internal/quote"
)

// NewOrderDocument lays out a paper of the accepted revision that q carries: with what the customer chose, in the language
// of its content, dated as it is made.
func NewOrderDocument(paper quote.Paper, q quote.Quote, seller company.Profile, made time.Time) QuoteDocument {
	content, totals := q.Revision.Agreed()
	content.Lines = orderLines(content.Lines, &totals, paper == quote.DeliveryNote)
	p := documentPage(content.Lang)
	d := newDocument(p, q, content, seller)
	d.Kind = p.T("papers." + string(paper))
	d.Title = p.T("papers.title", "kind", d.Kind, "number", d.Number, "revision", d.Sub)
	d.Facts = orderFacts(p, q, content, seller, made)
	d.Unpriced = d.Unpriced || paper == quote.DeliveryNote
	d.setLines(p, content, totals)
	if paper == quote.DeliveryNote {
		d.NoteTitle, d.Note = "", ""
		d.AcceptHint = p.T("papers.received_hint")
		d.Signatures = []DocumentSignature{
			{For: p.T("documents.for_party", "name", seller.Name), Line: p.T("documents.sign_seller")},
			{For: p.T("papers.received_for", "name", content.Customer.Name), Line: p.T("documents.sign_customer")},
		}
		return d
	}
	d.setSums(p, content, totals)
	d.setTexts(p, content, seller)
	d.AcceptHint = p.T("papers." + string(paper) + "_note")
	return d
}

// orderLines takes out what was offered and not chosen: it is not part of the order. Goods are what is delivered: what the
// customer hands over, a trade-in, is not among them.
func orderLines(lines []quote.Line, t *quote.Totals, goods bool) []quote.Line {
	var kept []quote.Line
	var sums []quote.LineTotal
	out := false
	for i, l := range lines {
		if !l.Part {
			out = l.Kind == quote.Option || l.Kind == quote.Alternative || goods && l.UnitPrice != nil && l.UnitPrice.Sign() < 0
		}
		if out || i >= len(t.Lines) {
			continue
		}
		kept, sums = append(kept, l), append(sums, t.Lines[i])
	}
	t.Lines = sums
	return kept
}

// orderFacts is the block of who, what and when of an order.
func orderFacts(p Page, q quote.Quote, c quote.Content, seller company.Profile, made time.Time) []Fact {
	var out []Fact
	add := func(id, value string) {
		if value != "" {
			out = append(out, Fact{Label: p.T(id), Value: value})
		}
	}
	dec := q.Revision.Decision
	add("papers.date", Date(p.Lang, made.In(seller.Location())))
	accepted := p.T("papers.accepted_by", "date", Date(p.Lang, dec.At.In(seller.Location())), "name", dec.Name)
	if dec.Role != "" {
		accepted = p.T("papers.accepted_by_role", "date", Date(p.Lang, dec.At.In(seller.Location())), "name", dec.Name, "role", dec.Role)
	}
	add("papers.accepted", accepted)
	add("public.your_order", dec.Order)
	add("quote.customer_reference", c.Reference)
	add("quote.prepared_by", q.Owner)
	if c.Incoterm != "" {
		add("documents.delivery", p.T("documents.incoterm_place", "incoterm", c.Incoterm, "place", c.Place))
	}
	if c.ShipTo != "" || c.EndUser != "" {
		add("documents.ship_to_end_user", p.T("documents.two_countries", "ship", orDash(Country(p.Lang, c.ShipTo)), "end", orDash(Country(p.Lang, c.EndUser))))
	}
	if r := q.Revision.Frozen.Rate; r != nil {
		add("price.exchange_rate", rateText(p, *r))
	}
	return out
}
