package view

import (
	"math"
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

// nearest says what would work where nothing does: the smallest change on any system. Where a
// system misses the limit to the first token alone, that limit is the impossible one: there
// are systems that keep the other. Weights in a smaller format come last.
func (s sizingPage) nearest() []string {
	for _, c := range []struct{ reason, what string }{
		{"sizing.refuse_ttft", "sizing.ttft"}, {"sizing.refuse_tpot", "sizing.tpot"}, {"sizing.refuse_memory", "sizing.model_weights"},
	} {
		var best *sizing.Refusal
		for i := range s.report.Result.Refused {
			r := &s.report.Result.Refused[i]
			if r.Reason.ID == c.reason && r.Nearest != nil && (best == nil || s.asksMore(r.Reason.ID, *r.Nearest) < s.asksMore(best.Reason.ID, *best.Nearest)) {
				best = r
			}
		}
		if best != nil {
			what := c.what
			if best.Nearest.ID == "sizing.nearest_limits" {
				what = "sizing.limits"
			}
			return []string{s.T("sizing.nearest_works", "limit", s.T(what), "system", PlanName(s.Lang, best.Names, best.SystemSKU), "what", SizingText(s.L, *best.Nearest))}
		}
	}
	return nil
}

// asksMore is how many times the limits asked for those are that a message names, the worse of two;
// without any it is beyond all.
func (s sizingPage) asksMore(reason string, m basis.Message) float64 {
	asked := s.report.Result.Request.Targets
	worst := 0.0
	for _, a := range m.Args {
		limit := asked.TPOTMillis
		if a.Name == "ttft" || a.Name == "limit" && reason == "sizing.refuse_ttft" {
			limit = asked.TTFTMillis
		}
		if x, err := strconv.ParseFloat(a.Value, 64); err == nil && a.Format == basis.Millis && limit > 0 {
			worst = max(worst, x/limit)
		}
	}
	if worst == 0 {
		return math.Inf(1)
	}
	return worst
}
