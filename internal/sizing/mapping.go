package sizing

import (
	"math"

	"rackwright/internal/sizing/basis"
	"rackwright/internal/sizing/calibration"
	"rackwright/internal/sizing/hardware"
	"rackwright/internal/sizing/llm"
	"rackwright/internal/sizing/serving"
)

// maxStages bounds how many systems one copy of a model may span: beyond four the fabric
// decides, and nothing published of that kind is in the calibration.
const (
	maxStages  = 8
	maxSpan    = 4
	maxSystems = 10_000
)

// candidate is one mapping on one system, with what it needs and gives.
type candidate struct {
	m        serving.Mapping
	room     serving.Room
	batch    float64 // sequences that may be in flight
	capacity serving.Capacity
	replicas int // that carry the load with head-room
	systems  int // whole systems for them, without spares
	bought   int // GPUs in them
}

// mappings lists how a copy of the model may be cut on a system: tensor parallel inside an
// NVLink domain by degrees that divide the heads; pipeline stages inside the system, or
// across up to four whole eight-GPU systems.
func (j *job) mappings(sys hardware.System) []serving.Mapping {
	var out []serving.Mapping
	weights, kv := j.precisionOn(sys.GPU)
	for _, tp := range j.model.TensorParallel(sys.NVLinkDomain) {
		for pp := 1; pp <= maxStages && int64(pp) <= j.model.Layers; pp *= 2 {
			m := serving.Mapping{Model: j.model, Weights: weights, KV: kv, GPU: sys.GPU, TP: tp, PP: pp, Engine: j.inference, Boards: serving.BoardShares(j.set.Boards), Extra: j.extra, BlockScales: j.blockScales(weights)}
			group := m.GPUs()
			if group > sys.GPUs {
				if sys.GPUs < 8 || tp != sys.NVLinkDomain || group%sys.GPUs != 0 || group/sys.GPUs > maxSpan {
					continue
				}
				m.CrossNode = true
			}
			out = append(out, m)
			out = append(out, j.expertMappings(m, sys)...)
		}
	}
	return append(out, j.sliceMappings(sys, weights, kv)...)
}

// blockScales reports whether 8-bit weights have a scale per block, as the checkpoint's own.
func (j *job) blockScales(weights llm.Precision) bool {
	q := j.model.Quant
	return weights == llm.FP8 && q != nil && q.Precision == llm.FP8
}

// expertMappings adds the ways to spread the experts of a mixture: over the tensor-parallel
// group, and with every rank keeping its own sequences.
func (j *job) expertMappings(m serving.Mapping, sys hardware.System) []serving.Mapping {
	mix := j.model.MoE
	if mix == nil || m.TP < 2 || m.PP > 1 || mix.Experts%int64(m.TP) != 0 {
		return nil
	}
	spread := m
	spread.EP, spread.MoETP = m.TP, 1
	out := []serving.Mapping{spread}
	if m.TP <= sys.NVLinkDomain {
		ranks := spread
		ranks.TP, ranks.ADP = 1, m.TP
		out = append(out, ranks)
	}
	return out
}

// precisionOn returns the formats a GPU can compute: one without FP8 takes 16 bit.
func (j *job) precisionOn(gpu hardware.GPU) (weights, kv llm.Precision) {
	weights, kv = j.req.Weights, j.req.KV
	if weights == llm.FP8 && gpu.FP8 == 0 {
		weights, kv = llm.BF16, llm.BF16
	}
	if kv == llm.FP8 && gpu.FP8 == 0 {
		kv = llm.BF16
	}
	return weights, kv
}

// choose returns the mapping that needs the fewest systems; among equals the one without
// stages, then the one with the most capacity for its GPUs, then the fewest GPUs per copy.
// Where none works it returns the refusal that came closest.
func (j *job) choose(sys hardware.System, engine serving.Engine) (*candidate, *refused) {
	var best *candidate
	r := refusals{sys: sys}
	for _, m := range j.mappings(sys) {
		c := candidate{m: m, room: serving.RoomOf(m)}
		var ok bool
		if c.batch, ok = c.room.Batch(j.work); c.batch <= 0 {
			r.memory(m, c.room)
			continue
		}
		c.capacity = j.capacity(m, engine, c.batch)
		if !c.capacity.Feasible {
			r.limit(c, j.limits)
			continue
		}
		if !j.fleet(&c, sys) {
			r.size(c)
			continue
		}
		if best == nil || better(c, *best, ok, j.fits(*best)) {
			best = &c
		}
	}
	if best == nil {
		return nil, r.closest(j)
	}
	return best, nil
}

// capacity returns the most that one copy carries inside the limits. Many systems hold the same
// GPUs: equal mappings are worked out once.
func (j *job) capacity(m serving.Mapping, engine serving.Engine, batch float64) serving.Capacity {
	key := m.Key()
	got, ok := j.capacities[key]
	if !ok {
		got = engine.Capacity(m, j.work, j.limits, batch)
		j.capacities[key] = got
	}
	return got
}

func (j *job) fits(c candidate) bool { _, ok := c.room.Batch(j.work); return ok }

func better(a, b candidate, aFits, bFits bool) bool {
	if aFits != bFits {
		return aFits
	}
	if a.bought != b.bought {
		return a.bought < b.bought
	}
	if (a.m.PP == 1) != (b.m.PP == 1) {
		return a.m.PP == 1
	}
	if ra, rb := a.capacity.RPS/float64(a.m.GPUs()), b.capacity.RPS/float64(b.m.GPUs()); math.Abs(ra-rb) > 1e-9*rb {
		return ra > rb
	}
	return a.m.GPUs() < b.m.GPUs()
}

// copies returns how many copies the load takes with head-room.
func (j *job) copies(c *candidate) float64 {
	each, want := c.capacity.RPS, j.req.Load.RequestsPerSecond
	if want == 0 {
		each, want = c.capacity.Batch, j.req.Load.Concurrency
	}
	return max(1, math.Ceil(want/(each*(1-j.headroom))*(1-1e-12)))
}

// fleet counts copies and whole systems for the load, and is false beyond any real fleet.
func (j *job) fleet(c *candidate, sys hardware.System) bool {
	n := j.copies(c)
	if math.IsNaN(n) || n > maxSystems*16 {
		return false
	}
	c.replicas = int(n)
	per := sys.GPUs / c.m.GPUs() * c.m.Slice.PerGPU()
	switch {
	case per == 0: // a copy spans systems
		c.systems = c.replicas * (c.m.GPUs() / sys.GPUs)
	case sys.Kind == hardware.Card:
		c.systems = (c.replicas + per - 1) / per
	default: // a system is bought whole: all of it works
		c.systems = (c.replicas + per - 1) / per
		c.replicas = c.systems * per
	}
	c.bought = c.systems * sys.GPUs
	if sys.Kind == hardware.Card { // cards are bought one by one
		c.bought = (c.replicas + c.m.Slice.PerGPU() - 1) / c.m.Slice.PerGPU() * c.m.GPUs()
	}
	return c.systems+j.req.Reserve.SpareSystems <= maxSystems
}

// round keeps three significant digits: more would claim a precision no estimate has.
func round(x float64) float64 {
	if x == 0 || math.IsNaN(x) || math.IsInf(x, 0) {
		return x
	}
	scale := math.Pow(10, 2-math.Floor(math.Log10(math.Abs(x))))
	return math.Round(x*scale) / scale
}

// tightNote tells what makes a plan tight.
func tightNote(s serving.MemoryStack) basis.Message {
	return basis.Msg("sizing.note_tight", basis.Num("ratio", s.Sequences/s.Wanted), basis.Num("factor", calibration.TightFactor.Value))
}
