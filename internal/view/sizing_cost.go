package view

import (
	"slices"
	"strconv"

	"rackwright/internal/catalog"
	"rackwright/internal/chart"
	"rackwright/internal/money"
	"rackwright/internal/sizing"
	"rackwright/internal/sizing/basis"
	"rackwright/internal/sizing/cost"
	"rackwright/internal/unit"
)

// SizingCost is the cost of one plan.
type SizingCost struct {
	Note     string
	Currency string
	Chart    chart.Lines
	Ladders  []SizingLadder
	Evens    []SizingEven
}

// SizingLadder is one way of paying, with every item of it.
type SizingLadder struct {
	Name       string
	Sub        string
	Total      string
	PerMonth   string
	PerGPUHour string
	PerTokens  string
	Incomplete string // which figure is missing, as a sentence
	Notes      []string
	Lines      []SizingCostLine
	Main       bool
	Stale      bool
}

// SizingCostLine is one cost item with what it is made of.
type SizingCostLine struct {
	Label  string
	When   string
	Amount string // "" is "your figure"
	Basis  []SizingAssumption
}

// SizingEven says when buying overtakes one cloud.
type SizingEven struct {
	Name        string
	Month       string
	Utilisation string
}

// SizingAssumption is one figure with its origin.
type SizingAssumption struct {
	ID       string
	Number   int
	Label    string
	Value    string
	Unit     string
	Line     string // label, value and unit in one
	Range    string
	Source   string
	Href     string // of the source, "" where there is none
	AsOf     string
	Stale    bool
	Judged   bool
	Typed    bool
	Level    int // confidence 1 to 3, 0 unknown
	Sure     string
	KindWord string
}

func (s sizingPage) cost(plan *sizing.Plan) *SizingCost {
	if plan.Cost == nil || len(plan.Cost.Ladders) == 0 {
		return nil
	}
	c := plan.Cost
	out := &SizingCost{
		Currency: string(c.Currency),
		Note:     s.T("sizing.cost_note", "months", Months(s.Lang, c.HorizonMonths), "currency", string(c.Currency)),
		Chart:    s.costChart(c),
	}
	for i := range c.Ladders {
		out.Ladders = append(out.Ladders, s.ladder(&c.Ladders[i], i == 0))
	}
	for _, b := range c.BreakEvens {
		out.Evens = append(out.Evens, s.breakEven(b))
	}
	return out
}

func (s sizingPage) ladder(l *cost.Ladder, main bool) SizingLadder {
	v := SizingLadder{
		Name: s.ladderName(l), Sub: s.ladderSub(l), Main: main, Stale: l.Stale,
		Total: s.whole(l.Total), PerMonth: s.whole(l.PerMonth),
		PerGPUHour: s.cents(l.PerGPUHour), PerTokens: s.cents(l.PerMillionTokens),
		Notes: SizingTexts(s.L, l.Notes),
	}
	if !l.Complete {
		v.Incomplete = s.T("sizing.ladder_incomplete")
	}
	for _, line := range l.Lines {
		v.Lines = append(v.Lines, SizingCostLine{
			Label: s.T(line.MessageID), When: s.T("sizing.paid_" + string(line.When)),
			Amount: s.whole(line.Amount), Basis: s.assumptions(line.Basis, "k"),
		})
	}
	return v
}

// ladderName tells the ways of paying apart: a cloud goes by its provider.
func (s sizingPage) ladderName(l *cost.Ladder) string {
	if l.Kind == cost.OnDemand {
		return s.T("sizing.on_demand_at", "provider", Provider(l.Provider))
	}
	return s.T("cost.ladder_" + string(l.Kind))
}

func (s sizingPage) ladderSub(l *cost.Ladder) string {
	if l.Kind == cost.OnDemand {
		return s.T("sizing.ladder_cloud", "n", Int(s.Lang, int64(l.Units)), "instance", Provider(l.Provider)+" "+l.Instance, "region", Region(s.L, l.Region))
	}
	return s.T("sizing.ladder_colo")
}

func (s sizingPage) breakEven(b cost.BreakEven) SizingEven {
	v := SizingEven{Name: Provider(b.Provider) + " " + b.Instance, Month: s.T("sizing.not_in_horizon"), Utilisation: "–"}
	switch {
	case b.Never:
		v.Month = s.T("cost.never_breaks_even")
	case b.Month != nil:
		v.Month = s.T("sizing.month_n", "n", Int(s.Lang, int64(*b.Month)))
	}
	if b.Utilisation != nil {
		v.Utilisation = Number(s.Lang, b.Utilisation.Round(0)) + "%"
	}
	return v
}

// costChart draws what has been paid up to each month; positions only, the figures stand in
// the table beside it.
func (s sizingPage) costChart(c *cost.Comparison) chart.Lines {
	const thousand = 1000
	v := chart.Lines{
		Label: s.T("sizing.cost_chart", "months", Months(s.Lang, c.HorizonMonths)),
		XUnit: s.T("sizing.unit_months"), YUnit: s.T("sizing.cost_axis", "currency", string(c.Currency)), XStep: 12,
	}
	for _, l := range drawnLadders(c) {
		if len(l.Cumulative) == 0 {
			continue
		}
		line := chart.Line{Name: s.ladderName(l), Value: s.thousands(l.Cumulative[len(l.Cumulative)-1])}
		for m, paid := range l.Cumulative {
			line.Points = append(line.Points, chart.XY{X: float64(m), Y: paid.Float() / thousand})
		}
		v.Lines = append(v.Lines, line)
	}
	main := c.Main()
	if len(c.BreakEvens) > 0 && main != nil {
		if m := c.BreakEvens[0].Month; m != nil && *m < len(main.Cumulative) {
			v.Rings = []chart.Ring{{
				At:    chart.XY{X: float64(*m), Y: main.Cumulative[*m].Float() / thousand},
				Text:  s.T("sizing.month_n", "n", Int(s.Lang, int64(*m))),
				Title: s.T("sizing.break_even_at", "n", Int(s.Lang, int64(*m))),
			}}
		}
	}
	return v
}

// drawnLadders are the ways of paying that a picture shows: the first one, and of the clouds,
// which come cheapest first, the cheapest, the middle one and the dearest. The table beside
// it has them all.
func drawnLadders(c *cost.Comparison) []*cost.Ladder {
	last := len(c.Ladders) - 1
	var out []*cost.Ladder
	for _, i := range []int{0, 1, (last + 1) / 2, last} {
		if i <= last && !slices.Contains(out, &c.Ladders[i]) {
			out = append(out, &c.Ladders[i])
		}
	}
	return out
}

// moneyBars compares the monthly cost of the ways of paying.
func (s sizingPage) moneyBars(plan *sizing.Plan) chart.Bars {
	var b chart.Bars
	if plan.Cost == nil {
		return b
	}
	for i, l := range drawnLadders(plan.Cost) {
		if l.PerMonth == nil {
			continue
		}
		name := Provider(l.Provider)
		if name == "" {
			name = s.ladderName(l)
		}
		b.Bars = append(b.Bars, chart.Bar{
			Name: name, Total: s.whole(l.PerMonth), Chosen: i == 0,
			Pieces: []chart.Piece{{Value: l.PerMonth.Float(), Title: s.whole(l.PerMonth)}},
		})
	}
	if len(b.Bars) == 0 {
		return b
	}
	b.Parts = []chart.Part{{Name: s.T("cost.cost_per_month")}}
	b.Unit = s.T("sizing.money_axis", "currency", string(plan.Cost.Currency), "months", Months(s.Lang, plan.Cost.HorizonMonths))
	b.Label = b.Unit
	return b
}

// assumptions lists figures with their origin; prefix makes the ids unique on the page.
func (s sizingPage) assumptions(list []basis.Assumption, prefix string) []SizingAssumption {
	out := make([]SizingAssumption, len(list))
	for i, a := range list {
		out[i] = SizingAssumption{
			ID: prefix + strconv.Itoa(i+1), Number: i + 1,
			Label: s.L.T(a.MessageID, sizingArgs(s.L, a.Args)...), Value: sizingValue(s.L, a.Value), Unit: sizingUnit(s.L, a.Unit),
			AsOf: a.AsOf, Stale: a.Stale, Judged: a.Kind == basis.Judgement, Typed: a.Kind == basis.Input,
			KindWord: s.T("sizing.kind_" + string(a.Kind)),
		}
		if a.Low != "" && a.High != "" {
			out[i].Range = Range(sizingValue(s.L, a.Low), sizingValue(s.L, a.High))
		}
		out[i].Line = s.T("shell.label_and_text", "label", out[i].Label, "text", figureText(out[i]))
		out[i].Source, out[i].Href = s.source(a)
		out[i].Level, out[i].Sure = s.confidence(a.Confident)
	}
	return out
}

func (s sizingPage) source(a basis.Assumption) (title, href string) {
	if src, ok := s.data.Sources[a.SourceID]; ok {
		return src.Title, "/sources#" + src.ID
	}
	if a.Source != "" {
		return a.Source, ""
	}
	return s.T("sizing.kind_" + string(a.Kind)), ""
}

func (s sizingPage) confidence(c string) (level int, word string) {
	switch catalog.Confidence(c) {
	case catalog.High:
		return 3, s.T("sizing.confidence_high")
	case catalog.Medium:
		return 2, s.T("sizing.confidence_medium")
	case catalog.Low:
		return 1, s.T("sizing.confidence_low")
	}
	return 0, ""
}

// whole writes an amount without decimals, "" where it is unknown.
func (s sizingPage) whole(d *money.Decimal) string {
	if d == nil {
		return ""
	}
	return Number(s.Lang, d.Round(0))
}

// cents writes an amount with two decimals, "" where it is unknown or not defined.
func (s sizingPage) cents(d *money.Decimal) string {
	if d == nil {
		return ""
	}
	return Number(s.Lang, d.Round(2))
}

func (s sizingPage) thousands(d money.Decimal) string {
	return Number(s.Lang, d.Quo(money.FromInt(1000), 0))
}

func (s sizingPage) fullLoad(d *money.Decimal) string {
	if d == nil {
		return ""
	}
	return s.T("sizing.if_always_full", "amount", s.cents(d))
}

func (s sizingPage) wattsOr(w *float64) string {
	if w == nil {
		return s.T("catalogue.unknown")
	}
	return Power(unit.Watts(*w))
}
