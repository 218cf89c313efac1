package view

import (
	"bytes"
	"encoding/base64"

	"rackwright/internal/company"
	"rackwright/internal/i18n"
	"rackwright/internal/quote"
)

// QuoteDocument is a revision of a quote on paper, as finished strings in the language of the
// document. It has no field for a cost, a margin or a floor price, so none can be printed (R12).
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
	Facts    []Fact
	Subject  string

	Heads        QuoteDocumentHeads
	Sections     []QuoteDocumentSection
	Totals       []TotalRow
	TaxNote      string
	OptionsTitle string
	OptionsHead  string // of the amounts: what an option adds
	Options      []QuoteDocumentLine

	NoteTitle  string
	Note       string
	TermsTitle string
	Terms      string
	BankTitle  string
	Bank       string
	AcceptHint string
	Signatures []DocumentSignature
	Foot       DocumentFoot
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
	Quantity    string
	UnitPrice   string
	Discount    string
	Amount      string
}

// NewQuoteDocument lays out the revision that q carries, in the language of its content. The
// seller is the profile of today for a draft and the frozen one for a revision that was sent.
func NewQuoteDocument(q quote.Quote, seller company.Profile) QuoteDocument {
	c, l := q.Revision.Content, documentLang(q.Revision.Content.Lang)
	p := Page{Lang: l, L: i18n.For(l)}
	d := QuoteDocument{
		Lang: string(l), Kind: p.T("quote.quote"), Number: q.Number,
		Seller: sellerParty(p, seller), ForLabel: p.T("documents.for"), Customer: customerParty(p, c.Customer),
		Facts: quoteFacts(p, q, seller), Subject: c.Title,
		Heads: quoteHeads(p, c), Totals: NewQuoteTotals(p, c, q.Revision.Totals).Rows,
		TaxNote:    p.T("quote.prices_" + taxWord(c.TaxMode) + "_tax"),
		AcceptHint: p.T("documents.accept_hint"),
		Signatures: []DocumentSignature{
			{For: p.T("documents.for_party", "name", seller.Name), Line: p.T("documents.sign_seller")},
			{For: p.T("documents.accepted_for", "name", c.Customer.Name, "n", q.Revision.Number), Line: p.T("documents.sign_customer")},
		},
	}
	d.setLines(p, c, q.Revision.Totals)
	d.setTexts(p, c, seller)
	revision := p.T("quote.revision_n", "n", q.Revision.Number)
	d.Sub = revision
	if q.Revision.SentAt.IsZero() {
		d.Draft = p.T("documents.draft_not_offer")
	}
	if q.Number == "" {
		d.Number = p.T("quote.state_draft")
	}
	d.Title = p.T("documents.quote_title", "number", d.Number, "revision", revision)
	d.Foot = DocumentFoot{
		Left: seller.Name, Middle: d.Number + " · " + revision,
		Page: p.T("navigation.page_of_pages", "page", "{page}", "pages", "{pages}"),
	}
	return d
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

// LastLine reports whether line i of a section is the last line of the document, which stays
// on one page with the totals.
func (d QuoteDocument) LastLine(s QuoteDocumentSection, i int) bool {
	last := d.Sections[len(d.Sections)-1]
	return i == len(s.Lines)-1 && s.Title == last.Title && len(s.Lines) == len(last.Lines)
}
