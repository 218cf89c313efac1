package view

import (
	"strconv"

	"rackwright/internal/quote"
)

// SendData is what the page before sending shows.
type SendData struct {
	Quote      quote.Quote
	Blockers   []quote.Blocker
	NextNumber string // what a first sending would get now
	Uncovered  string // signs that the fonts lack, "" for none
	Key        string
	Err        error
	Mail       MailForm
	ByMail     bool // the message is sent too
}

// QuoteName names a quote: by its number, or as one that has none yet.
func QuoteName(p Page, q quote.Quote) string {
	if q.Number == "" {
		return p.T("quote.no_number")
	}
	return q.Number
}

// NewQuoteSendPage lays out the last look before sending.
func NewQuoteSendPage(p Page, in SendData) QuoteSendPage {
	q, c := in.Quote, in.Quote.Revision.Content
	base := "/quotes/" + strconv.FormatInt(q.ID, 10)
	v := QuoteSendPage{
		Page: p, Action: base + "/send", Back: base, Key: in.Key, Version: strconv.FormatInt(q.Version, 10),
		Heading: p.T("quote.send_title"), PDFDraft: base + "/preview.pdf", Uncovered: in.Uncovered,
		Totals: NewQuoteTotals(p, c, q.Revision.Totals), Gate: NewQuoteGate(p, c, in.Blockers), Ready: !quote.Blocks(in.Blockers),
		Confirm: Field{Name: "confirm", Label: p.T("quote.uncovered_confirm"), Error: FieldError(p.L, in.Err, "confirm")},
	}
	v.Mail = in.Mail
	v.ByMail = Field{Name: "by_mail", Label: p.T("mail.by_mail"), Checked: in.ByMail}
	for i := range v.Gate.Points {
		if v.Gate.Points[i].Href != "" {
			v.Gate.Points[i].Href = base + v.Gate.Points[i].Href
		}
	}
	number := Fact{Label: p.T("quote.quote_number"), Value: q.Number, Sub: p.T("quote.number_stays_short")}
	if q.Number == "" {
		number.Value, number.Sub = in.NextNumber, p.T("quote.number_on_sending")
	}
	l := p.L.Lang()
	v.Facts = []Fact{
		number,
		{Label: p.T("quote.revision"), Value: itoa(q.Revision.Number)},
		{Label: p.T("quote.customer"), Value: c.Customer.Name, Sub: c.Customer.Contact},
		{Label: p.T("quote.ship_to_end_user"), Value: countryPair(l, c.ShipTo, c.EndUser)},
		{Label: p.T("quote.valid_until"), Value: dayOr(l, c.ValidTo)},
		{Label: p.T("quote.document_language"), Value: LangName(p, c.Lang)},
	}
	v.Faults = formFaults(p, in.Err, &v.Confirm, &v.Mail.To, &v.Mail.Cc, &v.Mail.Subject, &v.Mail.Body)
	return v
}
