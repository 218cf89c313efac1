// Package replica puts a mapping of package serving into the simulation of package sim, which
// know nothing of each other: the one has models and GPUs, the other step times and queues.
package replica

import (
	"math"

	"rackwright/internal/sizing/serving"
	"rackwright/internal/sizing/sim"
)

// cacheBlock is how many tokens the caches of inference engines hand out at once.
const cacheBlock = 16

// Of returns one copy of a mapping as its scheduler runs it: steps of a budget in tokens, at
// most so many sequences, a cache of kv tokens.
func Of(m serving.Mapping, step *serving.Step, sched serving.Scheduler, kv, budget, sequences int) sim.Replica {
	return sim.Replica{
		Step: step, Budget: budget, Sequences: sequences, KV: kv, Mixed: sched.Mixed, Grow: !sched.Whole, Block: cacheBlock, Stages: m.PP,
	}
}

// Lengths returns lengths as the simulation draws them.
func Lengths(l serving.Lengths) sim.Lengths {
	if l.Sigma == 0 {
		return sim.Fixed(max(1, int(math.Round(l.Mean))))
	}
	return sim.Lognormal(math.Max(1, l.Mean), l.Sigma)
}
