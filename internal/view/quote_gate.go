package view

import (
	"slices"
	"strings"

	"rackwright/internal/quote"
)

var gateStates = map[quote.Severity]string{quote.Stop: "stop", quote.Approval: "open", quote.Remark: "note"}

// NewQuoteGate lists what stands between a draft and sending.
func NewQuoteGate(p Page, c quote.Content, blockers []quote.Blocker) QuoteGate {
	var g QuoteGate
	pos := LinePositions(c.Lines)
	for _, b := range blockers {
		point := Gate{State: gateStates[b.Severity], Text: Text(p.L, b.Msg)}
		if names := lineNames(c.Lines, pos, b.Lines); len(names) > 0 {
			point.Sub = p.N("quote.at_lines", len(names), "lines", strings.Join(names, ", "))
			point.Href = "#line-" + itoa(b.Lines[0])
		}
		if b.Kind == quote.StalePrice {
			point.Text, point.Sub = p.T("price.stale_price"), p.T("quote.stale_detail", "age", point.Text, "lines", point.Sub)
		}
		if b.Kind == quote.LicenceNeeded {
			point.Sub = p.T("quote.licence_who", "lines", point.Sub)
		}
		if b.Severity != quote.Remark {
			g.Open++
		}
		g.Points = append(g.Points, point)
	}
	if g.Open == 0 {
		g.Points = append(g.Points, Gate{State: "done", Text: p.T("quote.ready"), Sub: p.T("quote.ready_detail")})
		g.Summary = p.T("quote.ready_short")
		return g
	}
	g.Summary = p.N("quote.points_open", g.Open)
	return g
}

// lineNames returns the printed numbers of lines, each once; a part stands for its bundle.
func lineNames(lines []quote.Line, pos []string, indexes []int) []string {
	var names []string
	for _, i := range indexes {
		for i > 0 && i < len(lines) && lines[i].Part {
			i--
		}
		if i < 0 || i >= len(pos) {
			continue
		}
		name := pos[i]
		if name == "" {
			name = "#" + itoa(i+1)
		}
		if !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	return names
}
