package sizing

import (
	"cmp"
	"math"
	"slices"

	"rackwright/internal/sizing/serving"
)

// batches are the sequences per copy at which mappings are compared.
var batches = []float64{1, 2, 4, 8, 16, 32, 64, 128, 256, 512}

// frontier returns the mappings that no other beats both in tokens per second of one user and
// in tokens per second and GPU, over the mappings of all plans' systems. Equal GPUs in
// different systems count once.
func (j *job) frontier(plans []sized) []FrontierPoint {
	var all []FrontierPoint
	seen := map[string]bool{}
	for _, p := range plans {
		for _, m := range j.mappings(p.sys) {
			if seen[m.Key()] {
				continue
			}
			seen[m.Key()] = true
			room, _ := serving.RoomOf(m).Batch(j.work)
			for _, b := range batches {
				if b > room {
					break
				}
				at := j.engine.WithBatch(m, j.work, b)
				if at.TPOT <= 0 {
					continue
				}
				all = append(all, FrontierPoint{
					SystemSKU: p.sys.SKU, TP: m.TP, PP: m.PP, EP: m.EP, ADP: m.ADP, Concurrent: b,
					PerUser: round(1 / at.TPOT), PerGPU: round(at.Throughput / float64(m.GPUs())),
				})
			}
		}
	}
	slices.SortFunc(all, func(a, b FrontierPoint) int {
		return cmp.Or(cmp.Compare(b.PerUser, a.PerUser), cmp.Compare(b.PerGPU, a.PerGPU), cmp.Compare(a.SystemSKU, b.SystemSKU), cmp.Compare(a.TP, b.TP), cmp.Compare(a.PP, b.PP))
	})
	var out []FrontierPoint
	best := math.Inf(-1)
	for _, p := range all {
		if p.PerGPU > best {
			out, best = append(out, p), p.PerGPU
		}
	}
	return out
}
