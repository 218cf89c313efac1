package view

import (
	"strings"

	"rackwright/internal/chart"
	"rackwright/internal/sizing"
	"rackwright/internal/sizing/basis"
)

// SizingBand is one estimate with the range that it lies in.
type SizingBand struct {
	Name, Low, Mid, High, Width string
}

// SizingValidation is a set of published rows that the bands were checked on.
type SizingValidation struct {
	Cell, Rows, Median, AsOf string
}

// SizingFrontierPoint is one mapping of the picture of all mappings, for people who read it as
// a table.
type SizingFrontierPoint struct {
	System, Mapping, Concurrent, PerUser, PerGPU string
}

// bands lists what is estimated of a plan. A figure without a range is the load itself.
func (s sizingPage) bands(plan *sizing.Plan) []SizingBand {
	var out []SizingBand
	ttft, tpot := s.times(plan)
	for _, x := range []struct {
		name, unit string
		band       basis.Band
		places     int
	}{
		{"sizing.figure_carries", s.T("sizing.unit_rps"), plan.CarriesRPS, 2},
		{"sizing.flat_out", s.T("sizing.unit_tok_s"), plan.FlatOut, 0},
		{"sizing.ttft", "ms", ttft, 0},
		{"sizing.tpot", "ms", tpot, 1},
	} {
		if x.band.Mid <= 0 {
			continue
		}
		out = append(out, SizingBand{
			Name: s.T("sizing.in_unit", "what", s.T(x.name), "unit", x.unit), Width: bandWidth(s.Lang, x.band),
			Low: Float(s.Lang, x.band.Low, x.places), Mid: Float(s.Lang, x.band.Mid, x.places), High: Float(s.Lang, x.band.High, x.places),
		})
	}
	return out
}

func (s sizingPage) validations(plan *sizing.Plan) []SizingValidation {
	out := make([]SizingValidation, len(plan.Validations))
	for i, v := range plan.Validations {
		out[i] = SizingValidation{Cell: v.Cell, Rows: Int(s.Lang, int64(v.Rows)), Median: "±" + Float(s.Lang, v.Median, 1) + "%", AsOf: v.AsOf}
	}
	return out
}

// curves draws latency against load for the plan, with its band, the load asked for and the limits.
func (s sizingPage) curves(plan *sizing.Plan) (tpot, ttft chart.Lines) {
	if len(plan.Curve) < 2 {
		return tpot, ttft
	}
	targets := s.report.Result.Request.Targets
	tpot = s.curve("TPOT", "sizing.tpot", plan, plan.TPOT, targets.TPOTMillis, func(c sizing.CurvePoint) float64 { return c.TPOT })
	ttft = s.curve("TTFT", "sizing.ttft", plan, plan.TTFT, targets.TTFTMillis, func(c sizing.CurvePoint) float64 { return c.TTFT })
	return tpot, ttft
}

func (s sizingPage) curve(short, name string, plan *sizing.Plan, at basis.Band, limit float64, value func(sizing.CurvePoint) float64) chart.Lines {
	line := chart.Line{Name: short}
	for _, pt := range plan.Curve {
		y := value(pt)
		line.Points = append(line.Points, chart.XY{X: pt.Throughput, Y: y})
		if at.Mid > 0 && at.High > at.Low { // the error is relative: the same share everywhere
			line.Band = append(line.Band, chart.Span{X: pt.Throughput, Low: y * at.Low / at.Mid, High: y * at.High / at.Mid})
		}
	}
	c := chart.Lines{
		Label: s.T("sizing.curve_label", "what", s.T(name), "ms", Float(s.Lang, at.Mid, 1)),
		XUnit: s.T("sizing.unit_tok_s"), YUnit: "ms", Lines: []chart.Line{line},
	}
	if plan.Throughput.Mid > 0 && at.Mid > 0 {
		c.Rings = []chart.Ring{{
			At: chart.XY{X: plan.Throughput.Mid, Y: at.Mid}, Text: s.T("sizing.this_load"), Title: LoadText(s.L, s.report.Result.Request.Load),
		}}
	}
	if limit > 0 {
		c.Limits = []chart.Limit{{Value: limit, Text: s.T("sizing.limit_value", "ms", Float(s.Lang, limit, 0))}}
	}
	return c
}

// frontier draws the mappings that no other beats, with the plan that is opened among them.
func (s sizingPage) frontier(plan *sizing.Plan) (picture chart.Lines, rows []SizingFrontierPoint) {
	points := s.report.Result.Frontier
	if len(points) < 2 {
		return picture, nil
	}
	line := chart.Line{}
	for i := len(points) - 1; i >= 0; i-- { // fastest user last, at the right
		p := points[i]
		row := SizingFrontierPoint{
			System: p.SystemSKU, Mapping: s.cut(p.TP, p.PP, p.EP, p.ADP), Concurrent: Float(s.Lang, p.Concurrent, 0),
			PerUser: Float(s.Lang, p.PerUser, 1), PerGPU: Float(s.Lang, p.PerGPU, 0),
		}
		rows = append(rows, row)
		line.Points = append(line.Points, chart.XY{X: p.PerUser, Y: p.PerGPU})
		line.Dots = append(line.Dots, s.T("sizing.frontier_dot", "system", row.System, "mapping", row.Mapping, "n", row.Concurrent, "user", row.PerUser, "gpu", row.PerGPU))
	}
	picture = chart.Lines{
		Label: s.T("sizing.frontier_label"), XUnit: s.T("sizing.per_user"), YUnit: s.T("sizing.per_gpu"), Lines: []chart.Line{line},
	}
	if _, tpot := s.times(plan); tpot.Mid > 0 && plan.GPUsUsed > 0 {
		at := chart.XY{X: 1000 / tpot.Mid, Y: plan.Throughput.Mid / float64(plan.GPUsUsed)}
		picture.Rings = []chart.Ring{{At: at, Text: s.T("sizing.this_plan"), Title: s.mapping(plan)}}
	}
	return picture, rows
}

// cut writes how one copy of a model is spread: "TP2 PP2 EP8".
func (s sizingPage) cut(tp, pp, ep, adp int) string {
	parts := []string{"TP" + Int(s.Lang, int64(max(tp, 1)))}
	for _, p := range []struct {
		name string
		n    int
	}{{"PP", pp}, {"EP", ep}, {"DP", adp}} {
		if p.n > 1 {
			parts = append(parts, p.name+Int(s.Lang, int64(p.n)))
		}
	}
	return strings.Join(parts, " ")
}
