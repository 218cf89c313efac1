package view

import (
	"math"
	"slices"
	"strconv"

	"rackwright/internal/apperr"
	"rackwright/internal/sizing"
	"rackwright/internal/sizing/basis"
)

// SizingPreview is the instant estimate beside the form.
type SizingPreview struct {
	Page
	Waiting string // why there is none yet
	Answer  string
	More    []string
	Figures []Figure
}

// NewSizingPreview lays out an estimate. Where the form is not complete, err says why; only
// what is missing or wrong first is named.
func NewSizingPreview(p Page, r *sizing.Result, err error) SizingPreview {
	v := SizingPreview{Page: p}
	switch {
	case err != nil && apperr.Is(err, apperr.Invalid):
		v.Waiting = p.T("sizing.preview_waiting")
		return v
	case err != nil || r == nil:
		v.Waiting = p.T("sizing.preview_none")
		return v
	}
	s := sizingPage{Page: p, report: sizing.Report{Result: *r}}
	plan, _ := s.chosen()
	if plan == nil {
		v.Answer, v.More = SizingText(p.L, r.Verdict), s.nearest()
		return v
	}
	v.Answer = s.systems(plan)
	v.Figures = []Figure{
		{Label: p.T("sizing.gpus_in_plan"), Value: Int(p.Lang, int64(plan.GPUs)), Sub: s.mapping(plan)},
		{Label: "TTFT", Value: Float(p.Lang, plan.TTFT.Mid, 0), Unit: "ms", Sub: bandRange(p.Lang, plan.TTFT, 0)},
		{Label: "TPOT", Value: Float(p.Lang, plan.TPOT.Mid, 1), Unit: "ms", Sub: bandRange(p.Lang, plan.TPOT, 1)},
		{Label: p.T("sizing.throughput"), Value: Float(p.Lang, plan.Throughput.Mid, 0), Unit: p.T("sizing.unit_tok_s")},
	}
	if main := plan.Cost.Main(); main != nil && plan.Priced && main.PerMonth != nil {
		v.Figures = append(v.Figures, Figure{Label: p.T("cost.cost_per_month"), Value: s.whole(main.PerMonth), Unit: string(plan.Cost.Currency)})
	}
	if kind, word := memoryBadge(p, plan.Memory.Status); kind != "ok" {
		v.More = append(v.More, word)
	}
	return v
}

// nearest says what would work where nothing does: for each reason that a change of the
// request would lift, the smallest change on any system.
func (s sizingPage) nearest() []string {
	type found struct {
		text  string
		limit float64
	}
	best := map[string]found{}
	var reasons []string
	for _, r := range s.report.Result.Refused {
		if r.Nearest == nil {
			continue
		}
		x := found{limit: nearestLimit(*r.Nearest), text: s.T("shell.label_and_text", "label", PlanName(s.Lang, r.Names, r.SystemSKU), "text", SizingText(s.L, *r.Nearest))}
		old, ok := best[r.Reason.ID]
		if !ok {
			reasons = append(reasons, r.Reason.ID)
		}
		if !ok || x.limit < old.limit {
			best[r.Reason.ID] = x
		}
	}
	slices.Sort(reasons)
	out := make([]string, len(reasons))
	for i, id := range reasons {
		out[i] = s.T("sizing.nearest_works", "what", best[id].text)
	}
	return out
}

// nearestLimit is the time limit that a message names; without one it is beyond any.
func nearestLimit(m basis.Message) float64 {
	for _, a := range m.Args {
		if x, err := strconv.ParseFloat(a.Value, 64); err == nil && a.Format == basis.Millis {
			return x
		}
	}
	return math.Inf(1)
}
