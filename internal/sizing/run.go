package sizing

import (
	"cmp"
	"slices"
	"time"

	"rackwright/internal/money"
	"rackwright/internal/sizing/basis"
	"rackwright/internal/sizing/calibration"
	"rackwright/internal/sizing/cost"
	"rackwright/internal/sizing/hardware"
	"rackwright/internal/sizing/llm"
	"rackwright/internal/sizing/serving"
)

// Inputs are what the engine is given besides the request.
type Inputs struct {
	Library llm.Library
	Systems []hardware.System
	Prices  cost.Book
	Now     time.Time
	Set     *calibration.Set // of fitted constants; nil is the shipped one
}

// Run sizes a request on every system and simulates the best plans. Equal inputs give equal
// results. What is wrong with the request is an Invalid error by form field; a workload that
// nothing can carry is a Result without plans that says why for each system.
func Run(req Request, in Inputs) (Result, error) { return answer(req, in, true) }

// Preview is Run without the simulation: closed formulas only, fast enough for every change of
// a form. Plans may need more copies once they are simulated, never fewer.
func Preview(req Request, in Inputs) (Result, error) { return answer(req, in, false) }

func answer(req Request, in Inputs, simulate bool) (Result, error) {
	if in.Set == nil {
		in.Set = calibration.Shipped()
	}
	j, err := prepare(req, in.Library, in.Set)
	if err != nil {
		return Result{}, err
	}
	settings, err := cost.NewSettings(in.Prices, req.Cost, j.req.HorizonMonths)
	if err != nil {
		return Result{}, err
	}
	j.engine = serving.Calibrated{Set: in.Set}
	res := Result{
		Version: ResultVersion, EngineVersion: EngineVersion, ConstantsVersion: in.Set.Version,
		AsOf: in.Now.Format(time.DateOnly), Request: j.req, Model: j.facts(), Preview: !simulate,
		Plans: []Plan{}, SetApart: []Plan{}, Refused: []Refusal{},
	}
	var plans []sized
	var no []refused
	for _, sys := range in.Systems {
		c, refusal := j.choose(sys, j.engine)
		if refusal != nil {
			no = append(no, *refusal)
			continue
		}
		p := j.planOf(c, sys, j.engine)
		j.price(p, sys, settings, in.Now)
		if sys.GPU.Form == hardware.CNX {
			res.SetApart = append(res.SetApart, *p)
			continue
		}
		plans = append(plans, sized{p, c, sys})
	}
	rank(plans)
	if simulate {
		var missed []refused
		plans, missed = j.simulateBest(plans, settings, in.Now)
		no = append(no, missed...)
		if len(plans) == 0 {
			j.simulateNearest(no)
		}
	}
	for _, r := range no {
		res.Refused = append(res.Refused, r.Refusal)
	}
	if len(plans) > 0 {
		j.compareSlices(plans[shown(plans)])
	}
	for _, p := range plans {
		res.Plans = append(res.Plans, *p.plan)
	}
	slices.SortFunc(res.SetApart, func(a, b Plan) int { return cmp.Compare(a.SystemSKU, b.SystemSKU) })
	slices.SortFunc(res.Refused, func(a, b Refusal) int { return cmp.Compare(a.SystemSKU, b.SystemSKU) })
	if simulate {
		res.Frontier = j.frontier(plans)
	}
	res.Verdict = j.verdict(&res)
	res.Assumptions = j.assumed(&res)
	res.Constants = j.constants()
	return res, nil
}

// simulateBest simulates the best plans. Where one needs more copies, prices and ranks follow;
// a plan that comes up by that is simulated too. It returns the plans that are left, and those
// that miss their limits however many copies there are.
func (j *job) simulateBest(plans []sized, settings cost.Settings, now time.Time) ([]sized, []refused) {
	s := simulator{j: j, runs: map[string]*simulation{}, done: map[*Plan]bool{}}
	for changed := true; changed; {
		if plans, changed = s.simulate(plans); !changed {
			break
		}
		for _, p := range plans {
			j.price(p.plan, p.sys, settings, now)
		}
		rank(plans)
	}
	if len(plans) > 0 {
		s.comparePools(plans[shown(plans)])
	}
	return plans, s.refused
}

// shown returns the plan that a report opens with: the recommended one, else the first.
func shown(plans []sized) int {
	return max(0, slices.IndexFunc(plans, func(p sized) bool { return p.plan.Recommendable() }))
}

// rank orders plans: those with a price first, fits before tight ones, what can be put to
// work before a board that still needs a server around it, whole prices before sums of
// listed parts, cheapest first; without a price, the better evidence and the fewer GPUs. The
// SKU makes the order total.
func rank(plans []sized) {
	slices.SortFunc(plans, func(x, y sized) int {
		a, b := x.plan, y.plan
		return cmp.Or(
			later(!a.Priced, !b.Priced),
			later(a.Memory.Status != serving.Fits, b.Memory.Status != serving.Fits),
			later(bareBoard(a), bareBoard(b)),
			later(partsOnly(a), partsOnly(b)),
			perMonth(a).Cmp(perMonth(b)),
			cmp.Compare(evidenceRank[a.Evidence], evidenceRank[b.Evidence]),
			cmp.Compare(a.GPUs, b.GPUs),
			cmp.Compare(a.SystemSKU, b.SystemSKU),
		)
	})
	for i := range plans {
		plans[i].plan.Rank = i + 1
	}
}

var evidenceRank = map[serving.Evidence]int{serving.EvidenceMeasured: 0, serving.EvidenceRatio: 1, serving.EvidenceExtrapolated: 2}

// later puts the one for which the condition holds behind.
func later(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

func bareBoard(p *Plan) bool { return p.SystemKind == string(hardware.Board) }

func partsOnly(p *Plan) bool { m := p.Cost.Main(); return m != nil && m.PartsOnly }

func perMonth(p *Plan) money.Decimal {
	if m := p.Cost.Main(); p.Priced && m.PerMonth != nil {
		return *m.PerMonth
	}
	return money.Decimal{}
}

// verdict is the sentence on top.
func (j *job) verdict(res *Result) basis.Message {
	best := res.Recommended()
	switch {
	case best == nil && len(res.Plans) > 0:
		return basis.Msg("sizing.verdict_tight")
	case best == nil && j.allTooBig(res):
		return basis.Msg("sizing.verdict_too_big", basis.In(basis.Bytes, "weights", j.model.WeightBytes(j.req.Weights)))
	case best == nil:
		return basis.Msg("sizing.verdict_none")
	}
	args := []basis.Arg{
		basis.Int("systems", best.Systems), basis.T("sku", best.SystemSKU), basis.Int("gpus", best.GPUs),
		basis.Num("rps", best.CarriesRPS.Mid), basis.In(basis.Percent, "load", round(100*best.Utilisation)),
	}
	if !best.Priced {
		return basis.Msg("sizing.verdict_unpriced", args...)
	}
	return basis.Msg("sizing.verdict_plan", args...)
}

func (j *job) allTooBig(res *Result) bool {
	for _, r := range res.Refused {
		if r.Reason.ID != "sizing.refuse_memory" {
			return false
		}
	}
	return len(res.Refused) > 0
}

// assumed lists the defaults of the request and the cost figures of the first plan.
func (j *job) assumed(res *Result) []basis.Assumption {
	out := slices.Clone(j.assumptions)
	if len(res.Plans) > 0 {
		out = append(out, res.Plans[0].Cost.Assumptions()...)
	}
	return out
}

// constants lists every figure of the calibration that the answer uses.
func (j *job) constants() []basis.Assumption {
	var out []basis.Assumption
	for _, list := range [][]calibration.Constant{calibration.Speed(), calibration.Memory(), serving.MemoryConstants()} {
		for _, c := range list {
			out = append(out, c.Assumption())
		}
	}
	st := j.set.Stack(j.inference)
	for _, c := range st.Fitted.Named() {
		out = append(out, basis.Assumption{
			Key: c.Key, MessageID: "sizing.constant_" + c.Key, Args: []basis.Arg{basis.T("engine", st.Engine)},
			Value: decimal(round(*c.Value)), Unit: c.Unit, Source: j.set.Source, AsOf: j.set.AsOf, Kind: basis.Measured,
		})
	}
	for _, c := range []struct {
		key   string
		value float64
	}{{"board_pcie", j.set.Boards.PCIe}, {"board_nvl", j.set.Boards.NVL}} {
		out = append(out, basis.Assumption{Key: c.key, MessageID: "sizing.constant_" + c.key, Value: decimal(c.value), Unit: "of peak", Source: j.set.Source, AsOf: j.set.AsOf, Kind: basis.Measured})
	}
	return out
}
