package view

import (
	"strconv"

	"rackwright/internal/sizing"
	"rackwright/internal/sizing/basis"
)

// SizingPercentiles is what the simulation of a plan found, against what was asked for.
type SizingPercentiles struct {
	Note  string // how it was simulated
	Heads [5]string
	Rows  []SizingPercentileRow
	Facts []Fact
}

// SizingPercentileRow is one time with its percentiles, in milliseconds.
type SizingPercentileRow struct {
	Name  string
	Sub   string // in full, where the name is short
	Cells [5]SizingTime
	Limit string // "" where none was asked for
	Badge string // kind
	Word  string // met or missed
}

// SizingTime is one figure of the table.
type SizingTime struct {
	Text  string
	Asked bool // the limit holds for this one
}

// percentileNames heads the columns; the mean comes before them.
var percentileNames = []struct {
	name  string
	share float64
}{{"p50", 50}, {"p90", 90}, {"p95", 95}, {"p99", 99}}

// percentiles lays out the simulation of a plan; nil where there was none.
func (s sizingPage) percentiles(plan *sizing.Plan) *SizingPercentiles {
	sim := plan.Simulated
	if sim == nil {
		return nil
	}
	asked := s.report.Result.Request.Targets
	v := &SizingPercentiles{
		Note:  s.T("sizing.simulated_note", "n", Int(s.Lang, int64(sim.Requests)), "seed", strconv.FormatUint(sim.Seed, 10)),
		Heads: [5]string{s.T("sizing.mean")},
	}
	for i, p := range percentileNames {
		v.Heads[i+1] = p.name
	}
	v.Rows = []SizingPercentileRow{
		s.percentileRow("TTFT", sim.TTFT, asked.TTFTMillis, asked.Percentile, 0),
		s.percentileRow("TPOT", sim.TPOT, asked.TPOTMillis, asked.Percentile, 1),
		s.percentileRow(s.T("sizing.end_to_end"), sim.EndToEnd, 0, 0, 0),
	}
	v.Rows[0].Sub, v.Rows[1].Sub = s.T("sizing.first_token"), s.T("sizing.each_token")
	v.Facts = s.simulatedFacts(sim)
	return v
}

// column returns where the table holds a percentile. Where it has no column for it, the next
// stricter one stands for it; beyond p99 the last one does.
func column(percentile float64) int {
	for i, p := range percentileNames {
		if p.share >= percentile {
			return i + 1
		}
	}
	return len(percentileNames)
}

// atPercentile returns the time at the percentile asked for. Reports of before it was kept have the
// columns of the table only.
func atPercentile(q sizing.Quantiles, percentile float64) float64 {
	if q.Asked > 0 {
		return q.Asked
	}
	return timesOf(q)[column(percentile)]
}

func timesOf(q sizing.Quantiles) [5]float64 {
	return [5]float64{q.Mean, q.P50, q.P90, q.P95, q.P99}
}

// percentileRow compares a time with its limit at the percentile asked for.
func (s sizingPage) percentileRow(what string, q sizing.Quantiles, limit, percentile float64, places int) SizingPercentileRow {
	values := timesOf(q)
	row := SizingPercentileRow{Name: what}
	for i, x := range values {
		row.Cells[i].Text = Float(s.Lang, x, places)
	}
	if limit <= 0 {
		return row
	}
	name, ms := "p"+Float(s.Lang, percentile, 1), Float(s.Lang, limit, 3)
	if at := column(percentile); percentileNames[at-1].share == percentile || q.Asked == 0 {
		row.Cells[at].Asked = true
		row.Limit = s.T("sizing.limit_at", "p", name, "ms", ms)
	} else { // the table has no column for it
		row.Limit = s.T("sizing.limit_between", "p", name, "is", Float(s.Lang, q.Asked, places), "ms", ms)
	}
	row.Badge, row.Word = "ok", s.T("sizing.limit_met")
	if atPercentile(q, percentile) > limit {
		row.Badge, row.Word = "bad", s.T("sizing.limit_missed")
	}
	return row
}

// times are the first token and each further one at the percentile asked for: simulated where
// the plan was, with the relative error of the closed formulas, so that the page says one thing.
func (s sizingPage) times(plan *sizing.Plan) (ttft, tpot basis.Band) {
	if plan.Simulated == nil {
		return plan.TTFT, plan.TPOT
	}
	at := s.report.Result.Request.Targets.Percentile
	return moved(plan.TTFT, atPercentile(plan.Simulated.TTFT, at)), moved(plan.TPOT, atPercentile(plan.Simulated.TPOT, at))
}

// moved returns a band of the same relative width around another middle.
func moved(b basis.Band, mid float64) basis.Band {
	if b.Mid <= 0 || mid <= 0 {
		return b
	}
	return basis.Band{Low: b.Low / b.Mid * mid, Mid: mid, High: b.High / b.Mid * mid}
}

func (s sizingPage) simulatedFacts(sim *sizing.Simulated) []Fact {
	facts := []Fact{
		{Label: s.T("sizing.within_limits"), Value: Ratio(s.Lang, sim.Goodput, 1)},
		{Label: s.T("sizing.answers_per_second"), Value: Float(s.Lang, sim.Throughput, 0) + nbsp + s.T("sizing.unit_tok_s")},
	}
	if sim.MaxRPS > 0 {
		facts = append(facts, Fact{Label: s.T("sizing.figure_carries"), Value: s.T("sizing.load_rate", "n", Float(s.Lang, sim.MaxRPS, 2))})
	}
	return append(facts,
		Fact{Label: s.T("sizing.in_flight"), Value: Float(s.Lang, sim.Running, 1)},
		Fact{Label: s.T("sizing.busy"), Value: Ratio(s.Lang, sim.Busy, 0)},
		Fact{Label: s.T("sizing.kv_peak"), Value: Ratio(s.Lang, sim.PeakKV, 0)},
		Fact{Label: s.T("sizing.preemptions"), Value: Int(s.Lang, int64(sim.Preemptions))},
	)
}
