package view

import (
	"rackwright/internal/chart"
	"rackwright/internal/sizing"
	"rackwright/internal/sizing/hardware"
	"rackwright/internal/sizing/serving"
)

// listPlans fills the tables of plans: ranked, in need of a figure, set apart.
func (v *SizingPage) listPlans(s sizingPage, picked string) {
	for i := range s.report.Result.Plans {
		plan := &s.report.Result.Plans[i]
		row := s.row(plan, planKey(i), picked)
		if plan.Priced {
			v.Plans = append(v.Plans, row)
		} else {
			v.Unpriced = append(v.Unpriced, row)
		}
	}
	for i := range s.report.Result.SetApart {
		v.Apart = append(v.Apart, s.row(&s.report.Result.SetApart[i], apartKey(i), picked))
	}
	v.PlanCount = Int(s.Lang, int64(len(v.Plans)))
}

// moneyWords says what the plan costs and when buying overtakes renting.
func (s sizingPage) moneyWords(plan *sizing.Plan) []string {
	main := plan.Cost.Main()
	if main == nil || main.PerMonth == nil {
		return nil
	}
	perMonth := string(plan.Cost.Currency) + "\u00a0" + s.whole(main.PerMonth)
	words := []string{s.T("sizing.money_month", "amount", perMonth, "ladder", s.ladderName(main),
		"months", Months(s.Lang, plan.Cost.HorizonMonths))}
	for _, b := range plan.Cost.BreakEvens {
		if b.Month != nil && !b.Never {
			words = append(words, s.T("sizing.money_even", "provider", Provider(b.Provider), "n", Int(s.Lang, int64(*b.Month))))
			break
		}
	}
	return words
}

func (s sizingPage) row(plan *sizing.Plan, key, picked string) SizingPlan {
	ttft, tpot := s.times(plan)
	row := SizingPlan{
		Rank: "–", Href: "/sizing/" + s.data.Ref + "?plan=" + key + "#answer",
		Name: s.systems(plan), Sub: plan.SystemSKU,
		GPUs: Int(s.Lang, int64(plan.GPUs)), Mapping: s.mapping(plan),
		TTFT: Float(s.Lang, ttft.Mid, 0), TPOT: Float(s.Lang, tpot.Mid, 1),
		Load: Ratio(s.Lang, plan.Utilisation, 0), Power: s.kilowatts(plan.Power.AverageW),
		Band: bandWidth(s.Lang, plan.CarriesRPS), Picked: key == picked,
	}
	if plan.Rank > 0 && plan.Priced {
		row.Rank = Int(s.Lang, int64(plan.Rank))
	}
	if main := plan.Cost.Main(); main != nil && plan.Priced {
		row.PerMonth, row.PerTokens = s.whole(main.PerMonth), s.cents(main.PerMillionTokens)
		if main.PartsOnly {
			row.Note = s.T("sizing.parts_only")
		}
	}
	if plan.SystemKind == string(hardware.Board) {
		row.Note = s.T("sizing.bare_board")
	}
	row.Badge, row.Evidence = evidenceBadge(s.L, plan.Evidence)
	if plan.Memory.Status == serving.Tight {
		row.Badge, row.Evidence = "stale", s.T("sizing.memory_tight")
	}
	return row
}

// systems names how many of which system: "2 × DGX H100".
func (s sizingPage) systems(plan *sizing.Plan) string {
	return Int(s.Lang, int64(plan.Systems)) + " × " + PlanName(s.Lang, plan.Names, plan.SystemSKU)
}

// mapping writes how the model is cut and copied: "TP2 × 4", and of which slices or with how
// many copies for prompts alone.
func (s sizingPage) mapping(plan *sizing.Plan) string {
	m := s.cut(plan.TP, plan.PP, plan.EP, plan.ADP)
	if plan.Slice != "" {
		m = "MIG " + plan.Slice
	}
	m += " × " + Int(s.Lang, int64(plan.Replicas))
	if plan.Prefill > 0 {
		m = s.T("sizing.mapping_prefill", "mapping", m, "n", Int(s.Lang, int64(plan.Prefill)))
	}
	return m
}

func (s sizingPage) kilowatts(w *float64) string {
	if w == nil {
		return ""
	}
	return Float(s.Lang, *w/1000, 1)
}

func (s sizingPage) refused() []SizingRefused {
	out := make([]SizingRefused, len(s.report.Result.Refused))
	for i, r := range s.report.Result.Refused {
		out[i] = SizingRefused{Name: PlanName(s.Lang, r.Names, r.SystemSKU), Why: SizingText(s.L, r.Reason)}
		if r.Nearest != nil {
			out[i].Nearest = SizingText(s.L, *r.Nearest)
		}
	}
	return out
}

// checks says how sure the answer is, and what it leans on.
func (s sizingPage) checks(plan *sizing.Plan) []SizingCheck {
	kind, word := evidenceBadge(s.L, plan.Evidence)
	checks := []SizingCheck{
		{Badge: kind, Word: word, Text: s.T("sizing.check_" + string(plan.Evidence))},
		{Badge: "wait", Word: bandWidth(s.Lang, plan.CarriesRPS), Text: s.T("sizing.check_load")},
		{Badge: "wait", Word: bandWidth(s.Lang, plan.TTFT), Text: s.T("sizing.check_ttft")},
	}
	if stalePrice(plan) {
		checks = append(checks, SizingCheck{Badge: "stale", Word: s.T("price.stale_price"), Text: s.T("sizing.check_stale")})
	}
	if plan.Memory.Status == serving.Tight {
		checks = append(checks, SizingCheck{Badge: "stale", Word: s.T("sizing.memory_tight"), Text: s.T("sizing.check_tight")})
	}
	return checks
}

func stalePrice(plan *sizing.Plan) bool {
	if plan.Cost == nil {
		return false
	}
	for _, l := range plan.Cost.Ladders {
		if l.Stale {
			return true
		}
	}
	return false
}

func (s sizingPage) figures(plan *sizing.Plan) []Figure {
	ttft, tpot := s.times(plan)
	figures := []Figure{
		{Label: s.T("sizing.figure_carries"), Value: Float(s.Lang, plan.CarriesRPS.Mid, 1), Unit: s.T("sizing.unit_rps"), Sub: bandRange(s.Lang, plan.CarriesRPS, 1)},
		{Label: s.T("sizing.ttft"), Value: Float(s.Lang, ttft.Mid, 0), Unit: "ms", Sub: bandRange(s.Lang, ttft, 0)},
		{Label: s.T("sizing.tpot"), Value: Float(s.Lang, tpot.Mid, 1), Unit: "ms", Sub: bandRange(s.Lang, tpot, 1)},
		s.powerFigure(plan),
	}
	main := plan.Cost.Main()
	if main == nil {
		return figures
	}
	return append(figures,
		Figure{Label: s.T("cost.cost_per_gpu_hour"), Value: orDash(s.cents(main.PerGPUHour)), Unit: string(plan.Cost.Currency)},
		Figure{Label: s.T("cost.cost_per_million_tokens"), Value: orDash(s.cents(main.PerMillionTokens)), Unit: string(plan.Cost.Currency), Sub: s.fullLoad(main.PerMillionFull)},
	)
}

func (s sizingPage) powerFigure(plan *sizing.Plan) Figure {
	f := Figure{Label: s.T("sizing.power_draw"), Value: orDash(s.kilowatts(plan.Power.AverageW)), Unit: "kW"}
	if p := s.kilowatts(plan.Power.ProvisionedW); p != "" {
		f.Sub = s.T("sizing.power_provisioned", "kw", p)
	}
	return f
}

// open lays out the plan that the page is about.
func (s sizingPage) open(plan *sizing.Plan) *SizingChosen {
	c := &SizingChosen{
		Name: s.systems(plan), Mapping: s.mapping(plan),
		Notes: SizingTexts(s.L, plan.Notes), Binding: SizingText(s.L, plan.Binding),
		Memory: s.memory(plan), MemFacts: s.memoryFacts(plan), Site: s.site(plan),
		Basis: s.assumptions(plan.Basis, "b"), Cost: s.cost(plan),
		BandParts: SizingTexts(s.L, plan.BandReasons),
	}
	c.MemBadge, c.MemWord = memoryBadge(s.Page, plan.Memory.Status)
	c.TPOT, c.TTFT = s.curves(plan)
	c.Percentiles, c.WouldChange = s.percentiles(plan), SizingTexts(s.L, plan.WouldChange)
	c.BandHeads, c.Bands, c.Validations = [2]string{"p10", "p90"}, s.bands(plan), s.validations(plan)
	c.Frontier, c.FrontierRows = s.frontier(plan)
	if plan.Extrapolated {
		c.Extrapolated = s.T("sizing.check_" + string(plan.Evidence))
	}
	return c
}

func memoryBadge(p Page, status serving.Status) (kind, word string) {
	switch status {
	case serving.Fits:
		return "ok", p.T("sizing.memory_fits")
	case serving.Tight:
		return "stale", p.T("sizing.memory_tight")
	}
	return "bad", p.T("sizing.memory_no_fit")
}

func (s sizingPage) memory(plan *sizing.Plan) chart.Stack {
	st := chart.Stack{
		Label: s.T("sizing.memory_chart", "total", GiB(plan.Memory.Total)),
		Whole: GiB(plan.Memory.Total), Top: plan.Memory.Total.GiB(),
	}
	for _, part := range plan.Memory.Parts {
		st.Parts = append(st.Parts, chart.Part{Name: s.T(part.MessageID), Hollow: part.Key == "headroom"})
		st.Pieces = append(st.Pieces, chart.Piece{Value: part.Bytes.GiB(), Text: GiB(part.Bytes)})
	}
	return st
}

func (s sizingPage) memoryFacts(plan *sizing.Plan) []Fact {
	m := plan.Memory
	return []Fact{
		{Label: s.T("sizing.kv_tokens_fit"), Value: Int(s.Lang, m.KVTokens)},
		{Label: s.T("sizing.sequences_fit"), Value: Float(s.Lang, m.Sequences, 0)},
		{Label: s.T("sizing.sequences_wanted"), Value: Float(s.Lang, m.Wanted, 1)},
	}
}

func (s sizingPage) site(plan *sizing.Plan) []Fact {
	facts := []Fact{
		{Label: s.T("sizing.nodes_in_plan"), Value: Int(s.Lang, int64(plan.Systems))},
		{Label: s.T("sizing.spare_nodes"), Value: Int(s.Lang, int64(plan.SpareSystems))},
		{Label: s.T("sizing.gpus_in_plan"), Value: Int(s.Lang, int64(plan.GPUs)), Sub: s.T("sizing.gpus_used", "n", Int(s.Lang, int64(plan.GPUsUsed)))},
		{Label: s.T("sizing.power_average"), Value: s.wattsOr(plan.Power.AverageW)},
		{Label: s.T("sizing.power_to_provide"), Value: s.wattsOr(plan.Power.ProvisionedW)},
	}
	height := s.T("catalogue.unknown")
	if plan.RackUnits != nil {
		height = Float(s.Lang, *plan.RackUnits, 1) + "U"
	}
	return append(facts, Fact{Label: s.T("sizing.rack_height"), Value: height})
}
