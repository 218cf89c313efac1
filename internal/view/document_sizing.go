package view

import (
	"strings"
	"time"

	"rackwright/internal/chart"
	"rackwright/internal/company"
)

// SizingDocument is a sizing report on paper, as finished strings in the language of the
// document. It says what the page of the report says; nothing is computed again.
type SizingDocument struct {
	Lang    string // BCP 47 tag
	Title   string // of the file
	Kind    string
	Number  string
	Sub     string // date
	Seller  DocumentParty
	Facts   []Fact
	Subject string
	Foot    DocumentFoot

	Answer    string
	More      []string
	SureTitle string
	Sure      []SizingCheck
	Figures   []Fact

	PlanTitle string
	PlanName  string
	Plan      []Fact
	PlanNotes []string

	ChangeTitle string
	Changes     []string // strongest first

	TimesTitle string
	TimesNote  string
	TimesHeads [7]string
	Times      []SizingPercentileRow
	TimesFacts []Fact

	CurveTitle string
	CurveNote  string
	Curves     []SizingDocumentChart

	BandTitle  string
	BandNote   string
	BandHeads  [5]string
	Bands      []SizingBand
	ValidTitle string
	ValidHeads [4]string
	Valid      []SizingValidation

	Ranking SizingDocumentRanking

	MemoryTitle string
	Memory      chart.Stack
	MemoryFacts []Fact

	CostTitle string
	CostNote  string
	CostChart chart.Lines
	CostHeads [4]string
	Ladders   []SizingDocumentLadder
	EvenTitle string
	EvenHeads [3]string
	Evens     []SizingEven

	ModelTitle  string
	Model       []Fact
	ModelNotes  []string
	BasisHeads  [3]string
	Bases       []SizingDocumentBasis
	AbbrTitle   string
	Abbreviated []Fact
	Closing     string
}

// SizingDocumentChart is one picture with what it shows.
type SizingDocumentChart struct {
	Title   string
	Picture chart.Lines
}

// SizingDocumentRanking is the table of all plans, and what was refused.
type SizingDocumentRanking struct {
	Title        string
	Heads        [9]string
	Groups       []SizingDocumentGroup
	RefusedTitle string
	Refused      []SizingRefused
}

// SizingDocumentGroup is a part of the table of plans.
type SizingDocumentGroup struct {
	Head string // "" for the ranked ones
	Rows []SizingDocumentPlan
}

// SizingDocumentPlan is one plan of the table.
type SizingDocumentPlan struct {
	Rank, Name, SKU, Mapping, TTFT, TPOT, Load, Power, PerMonth string
	Evidence                                                    string // with its band
	Picked                                                      bool
}

// SizingDocumentLadder is one way of paying with every item.
type SizingDocumentLadder struct {
	Title  string
	Rows   []SizingDocumentItem
	Sums   []Fact
	Remark string
}

// SizingDocumentItem is one cost item and what it is made of.
type SizingDocumentItem struct {
	Label, When, Amount string
	Basis               []string
}

// SizingDocumentBasis is a list of figures with their sources.
type SizingDocumentBasis struct {
	Title string
	Rows  []SizingDocumentFigure
}

// SizingDocumentFigure is one figure that the answer rests on.
type SizingDocumentFigure struct {
	Label, Value, Source string
}

// SizingDocumentData is what NewSizingDocument needs beside the page.
type SizingDocumentData struct {
	Number  string // of the report; may be empty
	Seller  company.Profile
	Created time.Time // of the report
	Zone    *time.Location
}

// NewSizingDocument lays out a report from its page, whose language is the document's.
func NewSizingDocument(v SizingPage, d SizingDocumentData) SizingDocument {
	p := v.Page
	if d.Zone == nil {
		d.Zone = time.UTC
	}
	kind := p.T("navigation.sizing_report")
	doc := SizingDocument{
		Lang: string(p.Lang), Kind: kind, Number: d.Number, Sub: Date(p.Lang, d.Created.In(d.Zone)),
		Title: strings.TrimSpace(kind + " " + d.Number), Seller: sellerParty(p, d.Seller), Facts: printedFacts(v.Facts), Subject: v.Heading,
		Answer: v.Verdict, More: v.More, Figures: figureFacts(v.Figures),
		Ranking:    sizingRanking(v),
		ModelTitle: p.T("sizing.ai_model"), Model: printedFacts(v.Model), ModelNotes: v.ModelNotes,
		Closing: v.Closing,
		Foot: DocumentFoot{
			Left: d.Seller.Name, Middle: strings.TrimSpace(kind + " " + d.Number),
			Page: p.T("navigation.page_of_pages", "page", "{page}", "pages", "{pages}"),
		},
	}
	for _, c := range v.Checks {
		doc.SureTitle = p.T("sizing.how_sure")
		doc.Sure = append(doc.Sure, SizingCheck{Word: c.Word, Text: c.Text})
	}
	doc.BasisHeads = [3]string{p.T("sizing.item"), p.T("sizing.value"), p.T("sizing.source")}
	if v.Chosen != nil {
		doc.setPlan(p, v.Chosen)
		doc.addBasis(p.T("sizing.catalogue_figures"), v.Chosen.Basis)
	}
	doc.addBasis(p.T("sizing.assumptions"), v.Assumptions)
	doc.addBasis(p.T("sizing.constants_used"), v.Constants)
	doc.AbbrTitle, doc.Abbreviated = p.T("documents.abbreviations"), abbreviations(p, doc)
	return doc
}

// setPlan adds the plan that the report is about: what it is, its memory, its cost.
func (d *SizingDocument) setPlan(p Page, c *SizingChosen) {
	d.PlanTitle, d.PlanName = p.T("sizing.recommended_plan"), c.Name
	d.Plan = append([]Fact{{Label: p.T("sizing.parallel_mapping"), Value: c.Mapping}}, printedFacts(c.Site)...)
	if c.Binding != "" {
		d.PlanNotes = append(d.PlanNotes, c.Binding)
	}
	d.PlanNotes = append(d.PlanNotes, c.Notes...)
	d.setEvidence(p, c)
	d.MemoryTitle, d.Memory = p.T("sizing.memory_of_one_gpu"), c.Memory
	d.MemoryFacts = append(d.MemoryFacts, Fact{Label: p.T("sizing.usable_memory"), Value: c.Memory.Whole, Sub: c.MemWord})
	for i, part := range c.Memory.Parts {
		if i < len(c.Memory.Pieces) {
			d.MemoryFacts = append(d.MemoryFacts, Fact{Label: part.Name, Value: c.Memory.Pieces[i].Text})
		}
	}
	d.MemoryFacts = append(d.MemoryFacts, printedFacts(c.MemFacts)...)
	if c.Cost != nil {
		d.setCost(p, c.Cost)
	}
}

// printedFacts drops what has no meaning on paper.
func printedFacts(list []Fact) []Fact {
	out := make([]Fact, len(list))
	for i, f := range list {
		out[i] = Fact{Label: f.Label, Value: f.Value, Sub: f.Sub, Sum: f.Sum}
	}
	return out
}

func figureFacts(list []Figure) []Fact {
	out := make([]Fact, len(list))
	for i, f := range list {
		out[i] = Fact{Label: f.Label, Value: strings.TrimSpace(f.Value + nbsp + f.Unit), Sub: f.Sub}
	}
	return out
}
