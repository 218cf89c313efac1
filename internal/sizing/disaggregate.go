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

// comparePools tells what separate copies for prompts and for answers would change in a plan, where
// it was asked for: the same copies are used for both; the cache of a prompt crosses between them by
// network and adds to the time to first token. Where they change nothing, or cannot be compared,
// that is said, too: who asks wants an answer.
func (s *simulator) comparePools(p sized) {
	if !s.j.req.Features.Disaggregated {
		return
	}
	rate := s.j.req.Load.RequestsPerSecond
	if rate == 0 || p.c.m.GPU.Form != hardware.SXM || p.c.m.Slice.Compute > 0 {
		p.plan.Notes = append(p.plan.Notes, basis.Msg("sizing.note_pools_unknown"))
		return
	}
	best, prompts, answers := 0.0, 0, 0
	for x := 1; x <= poolsUpTo; x++ {
		for y := 1; y <= poolsUpTo; y++ {
			got, _, err := sim.MaxRate(s.split(p.c, x, y), s.load(p.c.capacity.RPS*float64(y), simulatedRequests), s.limits(s.j.limits))
			if err == nil && got/float64(x+y) > best {
				best, prompts, answers = got/float64(x+y), x, y
			}
		}
	}
	if best == 0 {
		p.plan.Notes = append(p.plan.Notes, basis.Msg("sizing.note_pools_late"))
		return
	}
	units := rate / (best * float64(prompts+answers) * (1 - s.j.headroom)) * (1 - 1e-12)
	copies := int(math.Ceil(units*float64(prompts)) + math.Ceil(units*float64(answers)))
	args := []basis.Arg{
		basis.Int("gpus", copies*p.c.m.GPUs()), basis.Int("used", p.plan.GPUsUsed), basis.Int("prompts", prompts), basis.Int("answers", answers),
	}
	if float64(copies*p.c.m.GPUs()) > worthPools*float64(p.plan.GPUsUsed) {
		p.plan.Notes = append(p.plan.Notes, basis.Msg("sizing.note_pools_same", args...))
		return
	}
	p.plan.WouldChange = append(p.plan.WouldChange, basis.Msg("sizing.change_pools", args...))
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
