package sizing

import (
	"math"

	"rackwright/internal/sizing/basis"
	"rackwright/internal/sizing/calibration"
	"rackwright/internal/sizing/hardware"
	"rackwright/internal/sizing/sim"
)

// poolsUpTo bounds the copies of one pool in the search for the best ratio of pools.
const poolsUpTo = 4

// worthPools is how much fewer GPUs separate pools must need to be worth naming: below that the
// estimate's own error decides (sizing method, section 6).
const worthPools = 0.9

// pools compares separate copies for prompts and for answers with a plan, where it was asked
// for. The same copies are used for both; the cache of a prompt crosses between them by network
// and adds to the time to first token. It returns what would change, and false where pools are
// not worth it or cannot be compared.
func (s *simulator) pools(p *sized) (basis.Message, bool) {
	rate := s.j.req.Load.RequestsPerSecond
	if !s.j.req.Features.Disaggregated || rate == 0 || p.c.m.GPU.Form != hardware.SXM {
		return basis.Message{}, false
	}
	best, prompts, answers := 0.0, 0, 0
	for x := 1; x <= poolsUpTo; x++ {
		for y := 1; y <= poolsUpTo; y++ {
			got, _, err := sim.MaxRate(s.split(p.c, x, y), s.load(p.c.capacity.RPS*float64(y), simulatedRequests), s.limits())
			if err == nil && got/float64(x+y) > best {
				best, prompts, answers = got/float64(x+y), x, y
			}
		}
	}
	if best == 0 {
		return basis.Message{}, false
	}
	copies := math.Ceil(rate / (best * (1 - s.j.headroom)))
	gpus := int(copies) * p.c.m.GPUs()
	if float64(gpus) > worthPools*float64(p.plan.GPUsUsed) {
		return basis.Message{}, false
	}
	return basis.Msg("sizing.change_pools", basis.Int("gpus", gpus), basis.Int("used", p.plan.GPUsUsed), basis.Int("prompts", prompts), basis.Int("answers", answers)), true
}

// split is x copies that read prompts and y that decode answers.
func (s *simulator) split(c *candidate, x, y int) sim.System {
	sys := s.system(c, y, chunks[0])
	bytes := float64(s.j.model.KVBytesPerToken(c.m.KV))
	sys.Prefill = &sim.Prefill{
		Replicas: x, Replica: s.system(c, x, chunks[0]).Replica,
		Transfer: bytes / (calibration.HopBandwidth.Value * 1e9 * float64(c.m.GPUs())),
	}
	return sys
}
