package view

import (
	"strings"
	"time"

	"rackwright/internal/company"
	"rackwright/internal/money"
	"rackwright/internal/quote"
)

// EvidencePage is the record of a customer's answer to one revision.
type EvidencePage struct {
	Page
	Seller  string
	Langs   []LangLink
	PDF     string
	Number  string
	Heading string
	Lead    string
	Facts   []Fact
	Back    string
}

// EvidenceData is what the record is made from. The revision is answered.
type EvidenceData struct {
	Quote  quote.Quote
	Seller company.Profile // as it was on sending
	Zone   *time.Location
	Back   string // the page of the quote
	PDF    string
}

// NewEvidencePage lays out who answered, when, from where, and what the document was.
func NewEvidencePage(p Page, in EvidenceData) EvidencePage {
	rev := in.Quote.Revision
	d := rev.Decision
	l := p.L.Lang()
	v := EvidencePage{
		Page: p, Seller: in.Seller.Name, Langs: langLinks(p, p.Path), PDF: in.PDF, Back: in.Back,
		Number:  p.T("public.quote_number", "number", in.Quote.Number, "n", rev.Number),
		Heading: p.T("public.evidence_title"), Lead: p.T("public.evidence_lead"),
	}
	add := func(id, value string) {
		if value != "" {
			v.Facts = append(v.Facts, Fact{Label: p.T(id), Value: value})
		}
	}
	add("public.evidence_answer", p.T(rev.State.MessageID()))
	add("public.evidence_name", d.Name)
	add("public.your_role", d.Role)
	add("public.your_order", d.Order)
	v.Facts = append(v.Facts, Fact{Label: p.T("public.evidence_time"), Value: DateTime(l, d.At.In(in.Zone)),
		Sub: d.At.UTC().Format(time.RFC3339)})
	if d.ByStaff {
		add("public.evidence_how", p.T("public.evidence_by_staff"))
	}
	add("public.evidence_reason", d.Reason)
	add("public.evidence_remark", d.Remark)
	content, totals := rev.Agreed()
	if rev.State != quote.Declined && totals.Total != nil {
		add("public.total", Money(l, money.New(*totals.Total, content.Currency)))
		add("public.evidence_chosen", chosenNames(rev))
	}
	add("public.evidence_document", quote.FileName(in.Quote.Number, rev.Number))
	add("public.evidence_sha256", rev.Frozen.PDFSHA256)
	if d.SHA256 != "" && d.SHA256 != rev.Frozen.PDFSHA256 {
		add("public.evidence_sha256_accepted", d.SHA256) // cannot differ; if it does, both are shown
	}
	add("public.evidence_address", d.Address)
	add("public.evidence_agent", d.Agent)
	return v
}

// chosenNames names the options and alternatives that were taken.
func chosenNames(rev quote.Revision) string {
	var names []string
	for _, id := range rev.Decision.Choices {
		for _, l := range rev.Content.Lines {
			if l.ID == id {
				names = append(names, l.Description)
			}
		}
	}
	return strings.Join(names, "; ")
}
