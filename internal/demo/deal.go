package demo

import (
	"fmt"

	"rackwright/internal/money"
	"rackwright/internal/quote"
)

// deal is one quote on its way. Its methods return what happens in one step, to be planned.
type deal struct {
	s        *seeder
	customer string
	title    string
	owner    *quote.Actor
	lines    []quote.Line
	discount string // percent on the whole
	incoterm string
	place    string
	internal string // note for staff

	id    int64
	token string // of the customer's link
}

// notes tell the customer what the quote is, by the language of the document.
var notes = map[string]string{
	"en":      "Demo quote: names, prices, stock and terms are invented.",
	"zh-Hans": "演示报价单：名称、价格、库存与条款均为虚构。",
	"zh-Hant": "示範報價單：名稱、價格、庫存與條款均為虛構。",
}

// item is a line of a SKU at list price.
func item(sku string, n int64) quote.Line {
	return quote.Line{Kind: quote.Item, SKU: sku, Quantity: money.FromInt(n)}
}

// option is a line that the customer may add.
func option(sku string, n int64) quote.Line {
	l := item(sku, n)
	l.Kind = quote.Option
	return l
}

// off gives a discount on a line.
func off(l quote.Line, percent string) quote.Line {
	l.Discount = money.MustPercent(percent)
	return l
}

// section heads the lines below it.
func section(text string) quote.Line { return quote.Line{Kind: quote.Section, Description: text} }

// free is a line for something that is not in the catalogue.
func free(text, price string) quote.Line {
	each := money.MustDecimal(price)
	return quote.Line{Kind: quote.Item, Description: text, Quantity: money.FromInt(1), UnitPrice: &each}
}

// create writes the draft. Prices come from the list, as they do for everybody.
func (d *deal) create() error {
	c := d.s.customers[d.customer]
	settings, err := d.s.db.QuoteSettings(d.s.ctx)
	if err != nil {
		return err
	}
	content := quote.NewContent(settings, d.s.db.Now(), c.lang)
	content.Title, content.Customer, content.Currency = d.title, c.Party(0), c.currency
	content.ShipTo, content.EndUser = c.Country, c.Country
	content.Incoterm, content.Place = d.incoterm, d.place
	content.Note, content.InternalNote = notes[c.lang], d.internal
	if d.discount != "" {
		content.Discount.Percent = money.MustPercent(d.discount)
	}
	for _, l := range d.lines {
		if l.Kind.Priced() {
			l.TaxRate, l.TaxName = c.tax.Rate, c.tax.Name
		}
		content.Lines = append(content.Lines, l)
	}
	if d.id, err = d.s.db.CreateQuote(d.s.ctx, quote.Create{Actor: *d.owner, Content: content}); err != nil {
		return d.failed("create", err)
	}
	return nil
}

func (d *deal) failed(what string, err error) error {
	return fmt.Errorf("%s %q: %w", what, d.title, err)
}

// step names the quote in its present version.
func (d *deal) step(actor quote.Actor) (quote.Step, error) {
	q, err := d.s.db.Quote(d.s.ctx, d.id)
	if err != nil {
		return quote.Step{}, err
	}
	return quote.Step{QuoteID: q.ID, Version: q.Version, Actor: actor}, nil
}

// send sends the draft to the customer.
func (d *deal) send() error {
	at, err := d.step(*d.owner)
	if err != nil {
		return d.failed("send", err)
	}
	sent, err := d.s.db.SendQuote(d.s.ctx, quote.Dispatch{QuoteID: at.QuoteID, Version: at.Version, Actor: at.Actor,
		Render: func(q quote.Quote) ([]byte, error) {
			return d.s.render(d.s.ctx, q, d.s.seller, q.Revision.SentAt)
		}})
	if err != nil {
		return d.failed("send", err)
	}
	d.token = sent.Token
	return nil
}

// view is the customer opening the link.
func (d *deal) view() error {
	if err := d.s.db.RecordViewed(d.s.ctx, d.token); err != nil {
		return d.failed("view", err)
	}
	return nil
}

// answer is the customer's contact as who answers.
func (d *deal) answer() quote.Answer {
	contact := d.s.customers[d.customer].Contacts[0]
	return quote.Answer{Token: d.token, Name: contact.Name, Role: contact.JobTitle}
}

// accept is the customer accepting, with an order number.
func (d *deal) accept(order string) func() error {
	return func() error {
		a := d.answer()
		a.Order = order
		if _, err := d.s.db.AcceptQuote(d.s.ctx, a); err != nil {
			return d.failed("accept", err)
		}
		return nil
	}
}

// decline is the customer declining.
func (d *deal) decline(reason string) func() error {
	return func() error {
		a := d.answer()
		a.Reason = reason
		if err := d.s.db.DeclineQuote(d.s.ctx, a); err != nil {
			return d.failed("decline", err)
		}
		return nil
	}
}

// submit asks for the approval of exceptions.
func (d *deal) submit() error {
	at, err := d.step(*d.owner)
	if err == nil {
		err = d.s.db.SubmitQuote(d.s.ctx, at)
	}
	if err != nil {
		return d.failed("submit", err)
	}
	return nil
}

// approve allows what one person may allow.
func (d *deal) approve(by *quote.Actor, r quote.Ruling) func() error {
	return func() error {
		at, err := d.step(*by)
		if err == nil {
			r.QuoteID, r.Version, r.Actor, r.Approve = at.QuoteID, at.Version, at.Actor, true
			err = d.s.db.RuleOnQuote(d.s.ctx, r)
		}
		if err != nil {
			return d.failed("approve", err)
		}
		return nil
	}
}

// revise opens a new revision with a discount on the whole.
func (d *deal) revise(discount string) func() error {
	return func() error {
		at, err := d.step(*d.owner)
		if err == nil {
			_, err = d.s.db.NewRevision(d.s.ctx, at)
		}
		if err != nil {
			return d.failed("revise", err)
		}
		q, err := d.s.db.Quote(d.s.ctx, d.id)
		if err != nil {
			return d.failed("revise", err)
		}
		content := q.Revision.Content
		content.Discount.Percent = money.MustPercent(discount)
		if _, err := d.s.db.SaveDraft(d.s.ctx, quote.Edit{QuoteID: q.ID, Version: q.Version, Actor: *d.owner, Content: content}); err != nil {
			return d.failed("revise", err)
		}
		return nil
	}
}

// lose closes the quote as lost.
func (d *deal) lose(reason string) func() error {
	return func() error {
		at, err := d.step(*d.owner)
		if err == nil {
			err = d.s.db.CloseQuote(d.s.ctx, quote.Close{QuoteID: at.QuoteID, Version: at.Version, Actor: at.Actor, As: quote.Lost, Reason: reason})
		}
		if err != nil {
			return d.failed("close", err)
		}
		return nil
	}
}
