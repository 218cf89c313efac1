package view

import (
	"bytes"
	"encoding/base64"

	"rackwright/internal/company"
	"rackwright/internal/i18n"
	"rackwright/internal/quote"
)

// QuoteDocument is a revision of a quote on paper, or a document of the order that it became, as finished strings in the
// language of the document. It has no field for a cost, a margin or a floor price, so none can be printed (R12).
type QuoteDocument struct {
	Lang   string // BCP 47 tag
	Title  string // of the file
	Kind   string // "Quote"
	Number string
	Sub    string // revision
	Draft  string // says that this is not an offer yet; empty once sent

	Seller   DocumentParty
	ForLabel string
	Customer DocumentParty
	ToLabel  string
	To       DocumentParty // where goods go; empty is the customer's address
	Facts    []Fact
	Subject  string

	Heads        QuoteDocumentHeads
	Unpriced     bool // lines have no prices: a lump sum, or a delivery note
	Sections     []QuoteDocumentSection
	Totals       []TotalRow // none on a delivery note
	TaxNote      string
	RuleTitle    string // why there is no tax
	Rule         string
	OptionsTitle string
	OptionsHead  string // of the amounts: what an option adds
	Options      []QuoteDocumentLine
	OptionsNote  string

	Payments   *DocumentPayments // nil is all at once, as the terms say
	NoteTitle  string
	Note       string
	TermsTitle string
	Terms      string
	BankTitle  string
	Bank       string
	FilesTitle string
	Files      []string // attached to the quote
	AcceptHint string
	Signatures []DocumentSignature
	Foot       DocumentFoot
}

// DocumentPayments is the schedule of instalments, whose amounts add up to the total.
type DocumentPayments struct {
	Title string
	Heads [4]string // label, due, share, amount
	Rows  []PaymentRow
	Sum   PaymentRow
}

// DocumentParty is the seller or the customer on a document.
type DocumentParty struct {
	Name    string
	Logo    string // data: address of the picture; empty is none
	Address string // lines separated by "\n"
	Lines   []string
}

// DocumentSignature is a place to sign.
type DocumentSignature struct {
	For  string
	Line string // below the rule
}

// DocumentFoot runs at the foot of every page. {page} and {pages} in Page become the numbers.
type DocumentFoot struct {
	Left   string
	Middle string
	Page   string
}

// QuoteDocumentHeads are the heads of the columns.
type QuoteDocumentHeads struct {
	Number      string
	Description string
	Quantity    string
	UnitPrice   string // with the currency
	Discount    string
	Amount      string // with the currency
}

// QuoteDocumentSection is a group of lines; lines before the first section have no title.
type QuoteDocumentSection struct {
	Title  string
	Amount string
	Lines  []QuoteDocumentLine
}

// QuoteDocumentLine is one printed line. A note has a description only.
type QuoteDocumentLine struct {
	Number      string
	Description string
	SKU         string
	Parts       []string // of a bundle: "8 × …"
	Config      string   // serial numbers and configuration
	Promise     string   // "Delivery by …"
	Quantity    string
	Term        string // below the quantity: "× 36 months"
	UnitPrice   string
	Per         string // below the unit price: "per month"
	Discount    string // of the line: a percentage or an amount
	Amount      string // of an option what it adds, of an alternative its difference to what it replaces
	Tax         string // below the amount, where the lines have different rates
}

// NewQuoteDocument lays out the revision that q carries, in the language of its content. The
// seller is the profile of today for a draft and the frozen one for a revision that was sent.
func NewQuoteDocument(q quote.Quote, seller company.Profile) QuoteDocument {
	c := q.Revision.Content
	p := documentPage(c.Lang)
	d := newDocument(p, q, c, seller)
	d.Kind, d.Facts = p.T("quote.quote"), quoteFacts(p, q, seller)
	d.setSums(p, c, q.Revision.Totals)
	d.setLines(p, c, q.Revision.Totals)
	d.setTexts(p, c, seller)
	d.setFiles(p, q.Revision.Files)
	d.AcceptHint = p.T("documents.accept_hint")
	d.Signatures = []DocumentSignature{
		{For: p.T("documents.for_party", "name", seller.Name), Line: p.T("documents.sign_seller")},
		{For: p.T("documents.accepted_for", "name", c.Customer.Name, "n", q.Revision.Number), Line: p.T("documents.sign_customer")},
	}
	if q.Revision.SentAt.IsZero() {
		d.Draft = p.T("documents.draft_not_offer")
	}
	d.Title = p.T("documents.quote_title", "number", d.Number, "revision", d.Sub)
	return d
}

// documentPage has the words of a document's language.
func documentPage(lang string) Page {
	l := documentLang(lang)
	return Page{Lang: l, L: i18n.For(l)}
}

// newDocument is what every document of a quote has: who, to whom, about what.
func newDocument(p Page, q quote.Quote, c quote.Content, seller company.Profile) QuoteDocument {
	d := QuoteDocument{
		Lang: string(p.Lang), Number: q.Number, Sub: p.T("quote.revision_n", "n", q.Revision.Number),
		Seller: sellerParty(p, seller), ForLabel: p.T("documents.for"), Customer: customerParty(p, c.Customer),
		Subject: c.Title, Heads: quoteHeads(p, c), Unpriced: c.Layout == quote.LumpSum,
	}
	if q.Number == "" {
		d.Number = p.T("quote.state_draft")
	}
	if to := c.Delivery; to != (quote.Delivery{}) {
		d.ToLabel, d.To = p.T("documents.deliver_to"), DocumentParty{Name: to.Name, Address: to.Address}
		if to.Contact != "" {
			d.To.Lines = []string{to.Contact}
		}
	}
	d.Foot = DocumentFoot{
		Left: seller.Name, Middle: d.Number + " / " + d.Sub, // a middle dot shares its glyph with that of Japanese
		Page: p.T("navigation.page_of_pages", "page", "{page}", "pages", "{pages}"),
	}
	return d
}

// setSums adds the totals, why there is no tax, and how they are paid.
func (d *QuoteDocument) setSums(p Page, c quote.Content, t quote.Totals) {
	d.Totals = NewQuoteTotals(p, c, t).Rows
	d.TaxNote = p.T("quote.prices_" + taxWord(c.TaxMode) + "_tax")
	if c.TaxRule != quote.Taxed {
		d.RuleTitle, d.Rule = p.T("documents.rule_"+string(c.TaxRule)), c.TaxNote
	}
	rows := NewPayments(p, c, t.Total)
	if len(rows) == 0 {
		return
	}
	d.Payments = &DocumentPayments{
		Title: p.T("documents.payments"), Rows: rows,
		Heads: [4]string{p.T("quote.payment_label"), p.T("documents.due"), p.T("documents.share"),
			p.T("documents.in_currency", "what", p.T("quote.amount"), "currency", string(c.Currency))},
		Sum: PaymentRow{Label: p.T("quote.total_incl"), Sum: digitsOr(p, t.Total, c.Currency)},
	}
}

// setFiles lists what is attached to the quote.
func (d *QuoteDocument) setFiles(p Page, files []quote.File) {
	for _, f := range files {
		d.FilesTitle = p.T("files.heading")
		d.Files = append(d.Files, p.T("files.name_size", "name", f.Name, "size", FileSize(int64(f.Size))))
	}
}

// documentLang returns the language of a document; an unknown tag is English.
func documentLang(tag string) i18n.Lang {
	l, _ := i18n.ParseLang(tag)
	return l
}

func taxWord(m quote.TaxMode) string {
	if m == quote.Inclusive {
		return "include"
	}
	return "exclude"
}

func sellerParty(p Page, c company.Profile) DocumentParty {
	d := DocumentParty{Name: c.Name, Logo: logoData(c.Logo), Address: c.Address}
	if c.TaxNumber != "" {
		d.Lines = append(d.Lines, p.T("documents.labelled", "label", p.T("quote.tax_number"), "value", c.TaxNumber))
	}
	for _, s := range []string{c.Phone, c.Email, c.Website} {
		if s != "" {
			d.Lines = append(d.Lines, s)
		}
	}
	return d
}

// logoData writes a picture into an address, so that a document needs no other file.
func logoData(picture []byte) string {
	kind := "image/jpeg"
	switch {
	case len(picture) == 0:
		return ""
	case bytes.HasPrefix(picture, []byte("\x89PNG")):
		kind = "image/png"
	}
	return "data:" + kind + ";base64," + base64.StdEncoding.EncodeToString(picture)
}

func customerParty(p Page, c quote.Party) DocumentParty {
	d := DocumentParty{Name: c.Name, Address: c.Address}
	if c.TaxNumber != "" {
		d.Lines = append(d.Lines, p.T("documents.labelled", "label", p.T("quote.tax_number"), "value", c.TaxNumber))
	}
	for _, s := range []string{c.Contact, c.Email, c.Phone} {
		if s != "" {
			d.Lines = append(d.Lines, s)
		}
	}
	return d
}

// termsOf returns the terms of a quote: its own, else the standing ones in its language. The
// document and the customer's page say the same.
func termsOf(c quote.Content, seller company.Profile) string {
	if c.Terms != "" {
		return c.Terms
	}
	return seller.Terms[string(documentLang(c.Lang))]
}

// setTexts adds the paragraphs after the totals.
func (d *QuoteDocument) setTexts(p Page, c quote.Content, seller company.Profile) {
	if c.Note != "" {
		d.NoteTitle, d.Note = p.T("documents.notes"), c.Note
	}
	d.Terms = termsOf(c, seller)
	if d.Terms != "" {
		d.TermsTitle = p.T("quote.terms_and_conditions")
	}
	if seller.Bank != "" {
		d.BankTitle, d.Bank = p.T("quote.bank_details"), seller.Bank
	}
}

// LastLine reports whether line i of section s is the last line of the document, which stays on one page with the totals.
func (d QuoteDocument) LastLine(s, i int) bool {
	return len(d.Totals) > 0 && s == len(d.Sections)-1 && i == len(d.Sections[s].Lines)-1
}
