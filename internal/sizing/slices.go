package sizing

import (
	"math"

	"rackwright/internal/sizing/basis"
	"rackwright/internal/sizing/hardware"
	"rackwright/internal/sizing/llm"
	"rackwright/internal/sizing/serving"
)

// sliceMappings adds slices of a GPU where they were asked for: a copy on one slice.
func (j *job) sliceMappings(sys hardware.System, weights, kv llm.Precision) []serving.Mapping {
	if !j.req.Features.Slices {
		return nil
	}
	var out []serving.Mapping
	for _, slice := range serving.SlicesOf(sys.GPU) {
		out = append(out, serving.Mapping{
			Model: j.model, Weights: weights, KV: kv, GPU: sys.GPU, TP: 1, PP: 1, Engine: j.inference,
			Boards: serving.BoardShares(j.set.Boards), Extra: j.extra, BlockScales: j.blockScales(weights), Slice: slice,
		})
	}
	return out
}

// compareSlices tells how few slices of a plan's GPU carry the load, where they were asked for.
// GPUs are bought whole and carry most undivided, so that slices hardly ever make a plan of their
// own; how much of a GPU a small load takes is what the question is about.
func (j *job) compareSlices(p sized) {
	if !j.req.Features.Slices || p.plan.Slice != "" {
		return
	}
	weights, kv := j.precisionOn(p.sys.GPU)
	least, note := math.Inf(1), basis.Msg("sizing.note_slices_none")
	for _, m := range j.sliceMappings(p.sys, weights, kv) {
		c := candidate{m: m, room: serving.RoomOf(m)}
		var fits bool
		if c.batch, fits = c.room.Batch(j.work); !fits {
			continue
		}
		c.capacity = j.capacity(m, j.engine, c.batch)
		if !c.capacity.Feasible {
			continue
		}
		n, per := j.copies(&c), m.Slice.PerGPU()
		if share := n / float64(per); share < least {
			least = share
			note = basis.Msg("sizing.note_slices", basis.Num("count", n), basis.T("slice", m.Slice.Name), basis.Int("per", per), basis.Int("used", p.plan.GPUsUsed))
		}
	}
	p.plan.Notes = append(p.plan.Notes, note)
}
