package sizing

import (
	"math"
	"slices"
	"strings"
	"time"

	"rackwright/internal/sizing/basis"
	"rackwright/internal/sizing/calibration"
	"rackwright/internal/sizing/cost"
	"rackwright/internal/sizing/hardware"
	"rackwright/internal/sizing/serving"
)

// sized is a plan with the mapping that it came from.
type sized struct {
	plan *Plan
	c    *candidate
	sys  hardware.System
}

// planOf returns the plan of a mapping that carries the load.
func (j *job) planOf(c *candidate, sys hardware.System, engine serving.Engine) *Plan {
	at := j.operate(c, engine)
	n := float64(c.replicas)
	p := &Plan{
		SystemSKU: sys.SKU, SystemKind: string(sys.Kind), Names: sys.Names, GPUSKU: sys.GPU.SKU, GPUsPerSystem: sys.GPUs,
		Systems: c.systems + j.req.Reserve.SpareSystems, SpareSystems: j.req.Reserve.SpareSystems,
		GPUsUsed: (c.replicas + c.m.Slice.PerGPU() - 1) / c.m.Slice.PerGPU() * c.m.GPUs(), Replicas: c.replicas, TP: c.m.TP, PP: c.m.PP, Weights: c.m.Weights, KV: c.m.KV,
		Memory: c.room.Stack(c.m, j.work, at.Batch), Batch: at.Batch, MaxBatch: int(c.capacity.Batch),
		Utilisation: j.utilisation(c), RackUnits: rackUnits(sys, c.systems+j.req.Reserve.SpareSystems), Basis: sys.Basis,
	}
	p.EP, p.ADP, p.Slice, p.Chunk, p.Inference = c.m.EP, c.m.ADP, c.m.Slice.Name, int(calibration.PrefillBudget.Value), engineOf(j.inference)
	p.Validations = j.validations(c.m)
	p.GPUs = c.bought + p.SpareSystems*min(sys.GPUs, c.bought) // a spare server has as many cards as the fullest
	p.Evidence = evidence(sys.GPU)
	p.Extrapolated = p.Evidence != serving.EvidenceMeasured
	rate, tpot, ttft := j.spreads(c.m)
	p.CarriesRPS = calibration.Rate(c.capacity.RPS*n, rate...)
	p.Throughput = basis.Around(at.Throughput*n, 0, 0) // the load itself, not an estimate
	if j.req.Load.Concurrency > 0 {
		p.Throughput = calibration.Rate(at.Throughput*n, rate...)
	}
	flat := engine.Capacity(c.m, j.work, serving.Limits{}, c.batch)
	p.FlatOut = calibration.Rate(flat.Throughput*n, rate...)
	p.TPOT = calibration.Latency(at.TPOT*1e3, tpot...)
	p.TTFT = calibration.Latency(at.TTFT*1e3, ttft...)
	for _, s := range slices.Concat(rate, ttft) {
		if m := basis.Msg(s.MessageID); !slices.ContainsFunc(p.BandReasons, func(o basis.Message) bool { return o.ID == m.ID }) {
			p.BandReasons = append(p.BandReasons, m)
		}
	}
	p.Binding = basis.Msg("sizing.bound_" + string(c.capacity.Bound))
	p.Curve = j.curve(c, engine)
	p.Notes = j.planNotes(p, c, sys)
	p.WouldChange = j.wouldChange(p, c)
	return p
}

// engineOf returns the engine that a set names.
func engineOf(name string) InferenceEngine {
	for _, e := range InferenceEngines {
		if e != AnyEngine && engineNames[e] == name {
			return e
		}
	}
	return AnyEngine
}

// operate returns one copy at its share of the load.
func (j *job) operate(c *candidate, engine serving.Engine) serving.Point {
	n := float64(c.replicas)
	if users := j.req.Load.Concurrency; users > 0 {
		at := engine.WithBatch(c.m, j.work, users/n)
		at.TTFT, at.TPOT = min(at.TTFT, c.capacity.TTFT), min(at.TPOT, c.capacity.TPOT)
		return at
	}
	at, ok := engine.At(c.m, j.work, j.req.Load.RequestsPerSecond/n, c.capacity.Batch)
	if !ok {
		return c.capacity.Point // rounding at the edge of capacity
	}
	// Less load is never slower. The closed formulas are not monotone to the last digit, because
	// products go through in tiles.
	at.TTFT, at.TPOT = min(at.TTFT, c.capacity.TTFT), min(at.TPOT, c.capacity.TPOT)
	return at
}

// utilisation is the load over what all copies carry inside the limits.
func (j *job) utilisation(c *candidate) float64 {
	n := float64(c.replicas)
	if users := j.req.Load.Concurrency; users > 0 {
		return users / (c.capacity.Batch * n)
	}
	return j.req.Load.RequestsPerSecond / (c.capacity.RPS * n)
}

// curveSteps are shares of the capacity at which the curve is drawn.
var curveSteps = []float64{0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 0.95, 1}

func (j *job) curve(c *candidate, engine serving.Engine) []CurvePoint {
	n := float64(c.replicas)
	out := make([]CurvePoint, 0, len(curveSteps))
	for _, share := range curveSteps {
		at, ok := engine.At(c.m, j.work, share*c.capacity.RPS, c.capacity.Batch)
		if !ok {
			at = c.capacity.Point
		}
		out = append(out, CurvePoint{RPS: round(at.RPS * n), Throughput: round(at.Throughput * n), TTFT: round(at.TTFT * 1e3), TPOT: round(at.TPOT * 1e3)})
	}
	return out
}

// measured are the GPUs whose published rows are in the calibration.
var measured = map[string]bool{"H100-SXM5-80GB": true, "H200-SXM-141GB": true}

func evidence(gpu hardware.GPU) serving.Evidence {
	switch {
	case measured[gpu.SKU]:
		return serving.EvidenceMeasured
	case gpu.Family == "Hopper" && (gpu.Form == hardware.PCIe || gpu.Form == hardware.NVL):
		return serving.EvidenceRatio
	}
	return serving.EvidenceExtrapolated
}

// spreads returns what the bands of rate, time per token and time to first token are made of.
func (j *job) spreads(m serving.Mapping) (rate, tpot, ttft []calibration.Spread) {
	if m.GPU.Form == hardware.CNX { // by rule: the PCIe card's numbers with 40 %
		only := []calibration.Spread{calibration.NoFigures}
		return only, only, only
	}
	cell := func(metric, regime string) calibration.Spread {
		return j.set.BandOf(j.cell(m, metric, regime)).Spread()
	}
	var extra []calibration.Spread
	if evidence(m.GPU) == serving.EvidenceExtrapolated {
		extra = append(extra, calibration.Extrapolated)
	}
	if m.PP > 1 {
		extra = append(extra, calibration.Pipeline)
	}
	if m.Model.Typed != nil {
		extra = append(extra, calibration.ByHand)
	}
	with := func(s calibration.Spread) []calibration.Spread { return append([]calibration.Spread{s}, extra...) }
	return with(cell("throughput", "offline")), with(cell("tpot", "closed")), with(cell("ttft", "closed"))
}

// cell names the kind of held-out measurements that is nearest to a mapping.
func (j *job) cell(m serving.Mapping, metric, regime string) calibration.Cell {
	board := "sxm"
	if evidence(m.GPU) == serving.EvidenceRatio {
		board = "pcie"
	}
	return calibration.Cell{Engine: j.inference, Mixture: m.Model.IsMoE(), Metric: metric, Regime: regime, Board: board}
}

// validations says which held-out measurements stand behind the bands.
func (j *job) validations(m serving.Mapping) []Validation {
	var out []Validation
	for _, want := range [][2]string{{"throughput", "offline"}, {"tpot", "closed"}, {"ttft", "closed"}} {
		c := j.set.BandOf(j.cell(m, want[0], want[1]))
		if c.Rows == 0 {
			continue
		}
		name := []string{c.Metric, "dense", c.Regime, c.Board}
		if c.Mixture {
			name[1] = "moe"
		}
		if c.Engine != "" {
			name = append(name, c.Engine)
		}
		out = append(out, Validation{Cell: strings.Join(name, " / "), Rows: c.Rows, Median: round(100 * (math.Exp(c.Median) - 1)), AsOf: j.set.AsOf})
	}
	return out
}

func rackUnits(sys hardware.System, systems int) *float64 {
	if sys.RackUnits == nil {
		return nil
	}
	u := *sys.RackUnits * float64(systems)
	return &u
}

// planNotes says what a salesperson must know before quoting the plan.
func (j *job) planNotes(p *Plan, c *candidate, sys hardware.System) []basis.Message {
	var out []basis.Message
	add := func(when bool, m basis.Message) {
		if when {
			out = append(out, m)
		}
	}
	add(sys.GPU.Form == hardware.CNX, basis.Msg("sizing.note_cnx"))
	add(p.Memory.Status == serving.Tight, tightNote(p.Memory))
	add(p.Weights != j.req.Weights, basis.Msg("sizing.note_no_fp8", basis.T("gpu", sys.GPU.SKU)))
	add(p.Extrapolated && sys.GPU.Form != hardware.CNX, basis.Msg("sizing.note_extrapolated", basis.T("gpu", sys.GPU.SKU)))
	add(c.m.TP > 1 && sys.GPU.Form != hardware.SXM, basis.Msg("sizing.note_bridge"))
	add(c.m.CrossNode, basis.Msg("sizing.note_cross_node", basis.Int("systems", c.m.GPUs()/sys.GPUs)))
	add(sys.Kind == hardware.Board, basis.Msg("sizing.note_board"))
	add(sys.Kind == hardware.Card, basis.Msg("sizing.note_card", basis.Int("slots", sys.GPUs)))
	add(sys.Status == "superseded", basis.Msg("sizing.note_superseded"))
	add(!sys.GPU.MemoryReported, basis.Msg("sizing.note_nominal_memory"))
	add(p.Weights.Bits() == 4, basis.Msg("sizing.note_four_bit"))
	add(j.model.Window != nil, basis.Msg("sizing.note_window", basis.In(basis.Bytes, "low", p.Memory.WindowAwareKV), basis.In(basis.Bytes, "high", p.Memory.FullKV)))
	return out
}

// price adds power and money to a plan.
func (j *job) price(p *Plan, sys hardware.System, s cost.Settings, now time.Time) {
	provisioned, average := s.Kilowatts(sys)
	systems := float64(p.Systems)
	if provisioned != nil {
		w := provisioned.Float() * 1000 * systems
		p.Power.ProvisionedW = &w
	}
	if average != nil {
		w := average.Float() * 1000 * systems
		p.Power.AverageW = &w
	}
	if sys.GPU.TDP != nil {
		w := float64(*sys.GPU.TDP) * float64(p.GPUs)
		p.Power.GPUTDPW = &w
	}
	p.Cost = cost.Compare(cost.Plan{
		System: sys, Systems: p.Systems, Group: p.TP * p.PP * max(1, p.ADP), Replicas: p.Replicas, CrossNode: p.TP*p.PP > sys.GPUs,
		Tokens: p.Throughput.Mid * j.req.Load.MeanOfPeak, Full: p.FlatOut.Mid,
	}, s, now)
	p.Priced = p.Cost.Priced()
}
