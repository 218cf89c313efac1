package sizing

import (
	"math"

	"rackwright/internal/sizing/basis"
	"rackwright/internal/sizing/hardware"
	"rackwright/internal/sizing/llm"
	"rackwright/internal/sizing/serving"
)

// refused is a refusal with what it came from.
type refused struct {
	Refusal
	sys    hardware.System
	c      *candidate     // that misses a limit by the least; nil where no limit is the reason
	limits serving.Limits // the nearest that it keeps
	// The best simulated times at the percentile, in seconds; 0 before it was simulated.
	ttft, tpot float64
}

// refusals keeps the reason that came closest to working.
type refusals struct {
	sys    hardware.System
	short  *basis.Message
	least  int64 // bytes missing per GPU
	late   *candidate
	excess float64 // how many times the limit that came closest
	many   *basis.Message
}

func (r *refusals) memory(m serving.Mapping, room serving.Room) {
	need := int64(room.Weights + room.Activation + room.Runtime)
	have := int64(room.Total - room.Headroom)
	if missing := need - have; r.short == nil || missing < r.least {
		msg := basis.Msg("sizing.refuse_memory", basis.Int("gpus", m.GPUs()), basis.In(basis.Bytes, "need", need), basis.In(basis.Bytes, "have", have))
		r.short, r.least = &msg, missing
	}
}

func (r *refusals) limit(c candidate, limits serving.Limits) {
	if missed := excess(limits, c.capacity.TTFT, c.capacity.TPOT); r.late == nil || missed < r.excess {
		r.late, r.excess = &c, missed
	}
}

// excess is how many times a limit the times are, the worse of both.
func excess(limits serving.Limits, ttft, tpot float64) float64 {
	worst := 0.0
	if limits.TTFT > 0 {
		worst = ttft / limits.TTFT
	}
	if limits.TPOT > 0 {
		worst = max(worst, tpot/limits.TPOT)
	}
	return worst
}

func (r *refusals) size(c candidate) {
	msg := sizeReason(&c)
	r.many = &msg
}

func sizeReason(c *candidate) basis.Message {
	return basis.Msg("sizing.refuse_size", basis.Num("rps", c.capacity.RPS))
}

// closest prefers a limit just missed over memory that is short: it says what would work.
func (r *refusals) closest(j *job) *refused {
	out := &refused{Refusal: refusal(r.sys), sys: r.sys}
	switch {
	case r.many != nil:
		out.Reason = *r.many
	case r.late != nil:
		out.c, out.Reason = r.late, j.lateReason(r.late.m, r.late.capacity.TTFT, r.late.capacity.TPOT)
		if l, ok := j.nearest(r.late, r.sys, 1, r.late.capacity.TTFT, r.late.capacity.TPOT); ok {
			out.name(j, l)
		}
	case r.short != nil:
		out.Reason, out.Nearest = *r.short, j.smallerFormat(r.sys)
	default:
		out.Reason = basis.Msg("sizing.refuse_mapping")
	}
	return out
}

func refusal(sys hardware.System) Refusal {
	return Refusal{SystemSKU: sys.SKU, Names: sys.Names, GPUSKU: sys.GPU.SKU}
}

// lateReason names the limit that the best times of a mapping, in seconds, miss by more.
func (j *job) lateReason(m serving.Mapping, ttft, tpot float64) basis.Message {
	id, best := "sizing.refuse_tpot", tpot
	if l := j.limits; l.TPOT == 0 || l.TTFT > 0 && ttft/l.TTFT > tpot/l.TPOT {
		id, best = "sizing.refuse_ttft", ttft
	}
	return basis.Msg(id, basis.In(basis.Millis, "best", round(best*1e3)), basis.Int("gpus", m.GPUs()))
}

// wider are the shares of the best times at which limits are tried: at the best times themselves
// a copy carries next to nothing.
var wider = []float64{1, 1.02, 1.05, 1.1, 1.2, 1.35, 1.5, 2, 3, 5}

// nearest returns the limits closest to those asked for, at least from times the best times of a
// mapping in seconds, with which it carries the load by the closed formulas; false where it does
// not with five times these either.
func (j *job) nearest(c *candidate, sys hardware.System, from, ttft, tpot float64) (serving.Limits, bool) {
	for _, f := range wider {
		if f < from {
			continue
		}
		l := serving.Limits{TTFT: widened(j.limits.TTFT, f*ttft), TPOT: widened(j.limits.TPOT, f*tpot)}
		try := *c
		try.capacity = j.engine.Capacity(c.m, j.work, l, c.batch)
		if try.capacity.Feasible && j.fleet(&try, sys) {
			return l, true
		}
	}
	return serving.Limits{}, false
}

// widened returns a limit that allows a time, in whole milliseconds: as it was where it does, and
// none where there was none.
func widened(limit, time float64) float64 {
	if limit == 0 || limit >= time {
		return limit
	}
	return math.Ceil(time*1e3*(1-1e-9)) / 1e3
}

// name says which limits would be kept.
func (r *refused) name(j *job, l serving.Limits) {
	r.limits = l
	one := func(x float64) basis.Message {
		return basis.Msg("sizing.nearest_limit", basis.In(basis.Millis, "limit", x*1e3))
	}
	msg := basis.Msg("sizing.nearest_limits", basis.In(basis.Millis, "ttft", l.TTFT*1e3), basis.In(basis.Millis, "tpot", l.TPOT*1e3))
	switch {
	case l.TTFT == j.limits.TTFT:
		msg = one(l.TPOT)
	case l.TPOT == j.limits.TPOT:
		msg = one(l.TTFT)
	}
	r.Nearest = &msg
}

// smallerFormat names the widest format of weights that would fit, if any does.
func (j *job) smallerFormat(sys hardware.System) *basis.Message {
	for _, p := range []llm.Precision{llm.FP8, llm.INT4} {
		if p.Bits() >= j.req.Weights.Bits() || j.model.Native().Bits() == 4 {
			continue
		}
		for _, m := range j.mappings(sys) {
			m.Weights = p
			if batch, ok := serving.RoomOf(m).Batch(j.work); ok && batch >= 1 {
				msg := basis.Msg("sizing.nearest_format", basis.Pointer("format", "sizing.precision_"+string(p)), basis.Int("gpus", m.GPUs()))
				return &msg
			}
		}
	}
	return nil
}
