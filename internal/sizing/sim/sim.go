// Package sim simulates LLM serving: requests arrive, a scheduler puts them into steps, steps
// take as long as a Step says. It is a discrete-event simulation without clock, randomness
// from outside or goroutines; the same seed gives the same result.
//
// A scheduler works like those of today's inference engines: continuous batching, in which
// sequences join and leave between steps (Orca, OSDI'22); chunked prefill, in which a step has
// a budget of tokens that decoding sequences use first and prompts fill up (Sarathi-Serve,
// arXiv 2403.02310); a KV cache that is reserved for whole answers or grows in blocks, with
// preemption and recomputation (vLLM, arXiv 2309.06180).
//
// While nothing arrives, ends or is read, up to 64 decode steps are advanced at once: contexts
// grow linearly and the step time is that of the middle step.
//
// All times are seconds, all lengths tokens, all rates per second.
package sim

import (
	"errors"
	"fmt"
	"math"
)

// Step tells how long one step takes.
type Step interface {
	// Time returns seconds of a step that reads prompt tokens (pairs = sum over them of the
	// tokens each attends to, itself included) and decodes sequences whose contexts add up to
	// context tokens. With speculative decoding each sequence counts 1 + draft length times,
	// while its context counts once, because it is read once.
	Time(prompt, pairs, sequences, context float64) float64
}

// Replica is one copy of a model and how its scheduler works.
type Replica struct {
	Step      Step
	Budget    int // tokens of one step, 1 or more
	Sequences int // most in flight on one scheduler, 1 or more
	KV        int // tokens that the cache of the replica holds
	// Mixed reads prompts in chunks beside decoding sequences (chunked prefill). Otherwise
	// prompts are read before anything else in steps of their own; only a prompt longer than
	// the budget is cut.
	Mixed bool
	// Grow takes cache as an answer grows and preempts the request that was admitted last when
	// none is left; it is read again later. Otherwise prompt + answer are reserved.
	Grow   bool
	Block  int // tokens that the cache hands out at once, 0 or 1: exact; vLLM 16, TensorRT-LLM 32
	Stages int // pipeline stages: as many schedulers that share the cache; 0 is 1
	// Prefix is how many tokens at the start of every prompt are the same: they are in the
	// cache once, are not read again, and are attended to.
	Prefix int
	Hit    float64 // share of a prompt found in the cache otherwise, 0 to below 1; it takes its own room
	Draft  Draft
}

// Draft is speculative decoding: Length tokens are guessed per step and each is accepted with
// a probability, so that a step gives (1 - a^(g+1)) / (1 - a) tokens on average (Leviathan,
// Kalman, Matias, arXiv 2211.17192, equation 1). Every step gives that average.
type Draft struct {
	Length     int     // g; 0 is none
	Acceptance float64 // a, 0 to below 1
	Seconds    float64 // per step, for guessing
}

// gain returns tokens per sequence and step.
func (d Draft) gain() float64 {
	if d.Length == 0 {
		return 1
	}
	return (1 - math.Pow(d.Acceptance, float64(d.Length+1))) / (1 - d.Acceptance)
}

// Prefill are the replicas that read prompts in a disaggregated system.
type Prefill struct {
	Replicas int
	Replica  Replica
	// Transfer is seconds per prompt token to move its cache to where the answer is decoded.
	// It is added to the time to first token.
	Transfer float64
}

// System is what serves a load.
type System struct {
	Replicas int     // 1 or more; a request goes to the one with the fewest tokens outstanding: prompt and mean answer
	Replica  Replica // of these; with Prefill, they decode only
	Prefill  *Prefill
	// Request and Token are seconds before a request is first scheduled: constant, and per
	// prompt token. Requests keep their order.
	Request, Token float64
}

// Limits are what users accept. Zero is no limit.
type Limits struct {
	TTFT, TPOT, E2E float64 // seconds
	Percentile      float64 // share of requests that each limit holds for, 0.5 to 0.999; 0 is 0.99
}

// mostPercentile is 0.999, and what a percentage of 99.9 over 100 is in floating point.
const mostPercentile = 0.999 + 1e-9

// mostSchedulers is the largest number of replicas times stages.
const mostSchedulers = 1024

func (r *Replica) check() error {
	switch {
	case r.Step == nil:
		return errors.New("sim: no step time")
	case r.Budget < 1 || r.Sequences < 1 || r.Block < 0 || r.Stages < 0:
		return fmt.Errorf("sim: budget %d, sequences %d, block %d, stages %d", r.Budget, r.Sequences, r.Block, r.Stages)
	case r.Prefix < 0 || r.KV <= r.Prefix:
		return fmt.Errorf("sim: a cache of %d tokens with a prefix of %d", r.KV, r.Prefix)
	case !(r.Hit >= 0 && r.Hit < 1):
		return fmt.Errorf("sim: hit share %g", r.Hit)
	case r.Draft.Length < 0 || r.Draft.Length > 64 || !(r.Draft.Acceptance >= 0 && r.Draft.Acceptance < 1) || !(r.Draft.Seconds >= 0):
		return fmt.Errorf("sim: draft %+v", r.Draft)
	}
	return nil
}

func (s *System) check() error {
	if s.Replicas < 1 || s.Replicas*max(1, s.Replica.Stages) > mostSchedulers || !(s.Request >= 0) || !(s.Token >= 0) {
		return fmt.Errorf("sim: %d replicas, overheads %g and %g", s.Replicas, s.Request, s.Token)
	}
	if p := s.Prefill; p != nil {
		if p.Replicas < 1 || p.Replicas*max(1, p.Replica.Stages) > mostSchedulers || !(p.Transfer >= 0) {
			return fmt.Errorf("sim: %d prefill replicas, transfer %g", p.Replicas, p.Transfer)
		}
		if err := p.Replica.check(); err != nil {
			return err
		}
	}
	return s.Replica.check()
}

func (l *Limits) check() error {
	if !(l.TTFT >= 0) || !(l.TPOT >= 0) || !(l.E2E >= 0) {
		return fmt.Errorf("sim: limits %+v", *l)
	}
	if l.Percentile == 0 {
		l.Percentile = 0.99
	}
	if !(l.Percentile >= 0.5 && l.Percentile <= mostPercentile) {
		return fmt.Errorf("sim: percentile %g", l.Percentile)
	}
	return nil
}
