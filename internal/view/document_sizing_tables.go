package view

import (
	"fmt"
	"strings"
	"unicode"
)

// sizingRanking is the table of plans without its links.
func sizingRanking(v SizingPage) SizingDocumentRanking {
	p := v.Page
	var r SizingDocumentRanking
	if len(v.Plans)+len(v.Unpriced)+len(v.Apart) > 0 {
		r.Title = p.T("sizing.ranked_plans")
		r.Heads = [9]string{
			"#", p.T("sizing.system"), p.T("sizing.col_mapping"), p.T("documents.head_ttft"), p.T("documents.head_tpot"),
			p.T("sizing.col_load"), p.T("documents.head_power"), p.T("sizing.col_month"), p.T("sizing.col_evidence"),
		}
	}
	for _, g := range []struct {
		head string
		rows []SizingPlan
	}{{"", v.Plans}, {p.T("sizing.group_unpriced"), v.Unpriced}, {p.T("sizing.shown_apart"), v.Apart}} {
		if len(g.rows) == 0 {
			continue
		}
		group := SizingDocumentGroup{Head: g.head}
		for _, row := range g.rows {
			group.Rows = append(group.Rows, SizingDocumentPlan{
				Rank: row.Rank, Name: row.Name, SKU: row.Sub, Mapping: row.Mapping, TTFT: row.TTFT, TPOT: row.TPOT, Load: row.Load,
				Power: orDash(row.Power), PerMonth: orDash(row.PerMonth),
				Evidence: strings.TrimSpace(row.Evidence + " " + row.Band), Picked: row.Picked,
			})
		}
		r.Groups = append(r.Groups, group)
	}
	if len(v.Refused) > 0 {
		r.RefusedTitle, r.Refused = p.T("sizing.group_refused"), v.Refused
	}
	return r
}

// setCost adds the ways of paying, each with every item, its source and its date.
func (d *SizingDocument) setCost(p Page, c *SizingCost) {
	d.CostTitle, d.CostNote, d.CostChart = p.T("documents.cost_over_time"), c.Note, c.Chart
	d.CostHeads = [4]string{p.T("sizing.item"), p.T("sizing.paid"), p.T("documents.in_currency", "what", p.T("sizing.amount"), "currency", c.Currency), p.T("sizing.made_of")}
	for _, l := range c.Ladders {
		out := SizingDocumentLadder{Title: p.T("documents.labelled", "label", l.Name, "value", l.Sub), Remark: strings.Join(append(nonEmpty(l.Incomplete), l.Notes...), "\n")}
		for _, line := range l.Lines {
			item := SizingDocumentItem{Label: line.Label, When: line.When, Amount: line.Amount}
			if item.Amount == "" {
				item.Amount = p.T("cost.your_figure")
			}
			for _, a := range line.Basis {
				item.Basis = append(item.Basis, basisText(p, a))
			}
			out.Rows = append(out.Rows, item)
		}
		out.Sums = []Fact{
			{Label: p.T("cost.total_cost"), Value: definedOr(p, l.Total)},
			{Label: p.T("cost.cost_per_month"), Value: definedOr(p, l.PerMonth)},
			{Label: p.T("cost.cost_per_gpu_hour"), Value: definedOr(p, l.PerGPUHour)},
			{Label: p.T("cost.cost_per_million_tokens"), Value: definedOr(p, l.PerTokens)},
		}
		d.Ladders = append(d.Ladders, out)
	}
	if len(c.Evens) > 0 {
		d.EvenTitle = p.T("sizing.against_cloud")
		d.EvenHeads = [3]string{p.T("price.cloud_provider"), p.T("cost.break_even_month"), p.T("cost.break_even_utilisation")}
		d.Evens = c.Evens
	}
}

func nonEmpty(s string) []string {
	if s == "" {
		return nil
	}
	return []string{s}
}

func definedOr(p Page, s string) string {
	if s == "" {
		return p.T("sizing.not_defined")
	}
	return s
}

// basisText writes one figure with its source and date as a sentence.
func basisText(p Page, a SizingAssumption) string {
	return p.T("documents.with_source", "text", p.T("documents.labelled", "label", a.Label, "value", figureText(a)), "source", sourceText(a))
}

func figureText(a SizingAssumption) string {
	s := a.Value
	switch {
	case strings.HasPrefix(a.Unit, "%"):
		s += a.Unit
	case a.Unit != "":
		s += nbsp + a.Unit
	}
	if a.Range != "" {
		s += " (" + a.Range + ")"
	}
	return s
}

// sourceText names where a figure comes from and of when it is.
func sourceText(a SizingAssumption) string {
	parts := []string{a.Source}
	if a.KindWord != "" && a.KindWord != a.Source {
		parts = append(parts, a.KindWord)
	}
	if a.AsOf != "" {
		parts = append(parts, a.AsOf)
	}
	return strings.Join(parts, " · ")
}

func (d *SizingDocument) addBasis(title string, list []SizingAssumption) {
	if len(list) == 0 {
		return
	}
	b := SizingDocumentBasis{Title: title}
	for _, a := range list {
		b.Rows = append(b.Rows, SizingDocumentFigure{Label: a.Label, Value: figureText(a), Source: sourceText(a)})
	}
	d.Bases = append(d.Bases, b)
}

// abbreviated are the abbreviations that a report may use, in the order of the list; each has
// a message documents.abbr_….
var abbreviated = []string{
	"BF16", "FP8", "GiB", "GPU", "GQA", "HBM", "HGX", "INT4", "INT8", "KV", "MFU", "MLA", "MoE", "MXFP4", "NPV",
	"NVL", "PCIe", "PP", "PUE", "RAG", "SKU", "SXM", "TDP", "TP", "TPOT", "TTFT",
}

// abbreviations explains the abbreviations that the document uses.
func abbreviations(p Page, d SizingDocument) []Fact {
	used := map[string]bool{}
	for _, word := range strings.FieldsFunc(fmt.Sprint(d), func(r rune) bool {
		return r > unicode.MaxASCII || !unicode.IsLetter(r) && !unicode.IsDigit(r)
	}) {
		used[word] = true
		used[strings.TrimRight(word, "0123456789s")] = true // TP2, GPUs, SXM5
	}
	var out []Fact
	for _, a := range abbreviated {
		if used[a] {
			out = append(out, Fact{Label: a, Value: p.T("documents.abbr_" + strings.ToLower(a))})
		}
	}
	return out
}
