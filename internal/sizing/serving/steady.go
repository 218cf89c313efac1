package serving

import (
	"math"

	"rackwright/internal/sizing/calibration"
)

// state is one scheduler of a copy under one workload. A copy of p pipeline stages behaves
// as p independent schedulers that each run full steps and share the KV pool; figures of
// the copy are p times those of one.
type state struct {
	Step
	m       Mapping
	w       Workload
	z       float64 // of the percentile
	prompt  float64 // length-weighted prompt, less what is found in the cache
	ctx     float64 // mean KV length of a decoding sequence
	budget  float64
	request float64 // seconds before a request is first scheduled
	token   float64 // the same per prompt token
	fresh   float64 // share of a prompt that must be read
	gain    float64 // tokens per sequence and step, more than one with speculative decoding
	wide    float64 // tokens per sequence in a step
}

func newState(m Mapping, w Workload, set *calibration.Set) *state {
	st := set.Stack(m.Engine)
	sched := SchedulerOf(m, st)
	s := &state{
		Step: NewStep(m, st), m: m, w: w, z: normalQuantile(w.Percentile), fresh: 1 - w.Cached,
		prompt: w.Prompt.Weighted(), ctx: w.Prompt.Mean + w.Answer.Weighted()/2,
		budget: sched.Budget, request: sched.Request, token: sched.Token, gain: w.Draft.Gain(), wide: float64(1 + w.Draft.Tokens),
	}
	return s
}

// time returns the seconds of one step with prefill and decode tokens. context is the mean KV
// length of the decoding sequences, prompt the mean length of the prompts being read; every
// token of a prompt attends to half of it.
func (s *state) time(prefill, decode, context, prompt float64) float64 {
	return s.Time(prefill, prefill*prompt*(1-s.fresh/2), decode*s.wide, decode*context)
}

// step returns the time per output token with a batch of decoding sequences in steady
// state: while each yields one token, batch·prompt/answer prompt tokens are read. What does
// not fit into one step's budget takes steps of its own.
func (s *state) step(batch float64) float64 {
	prefill := batch * s.gain * s.w.Prompt.Mean * s.fresh / s.w.Answer.Mean
	extra := math.Max(0, prefill/s.budget-1) * s.fixed
	return (s.time(prefill, batch, s.ctx, s.prompt) + extra) / s.gain
}

// rate returns the requests per second of one scheduler, by Little's law.
func (s *state) rate(batch float64) float64 { return batch / (s.w.Answer.Mean * s.step(batch)) }

// tpot returns the time per token that the percentile of requests meets: the batch that a
// request meets fluctuates as a Poisson count.
func (s *state) tpot(batch float64) float64 { return s.step(batch + s.z*math.Sqrt(batch)) }

// ttft returns the time to first token at the percentile: request overhead, the step that
// is running, queueing, and the prompt itself among the decoding sequences.
//
// Queueing is M/G/1 for the reading of prompts (Pollaczek-Khinchine mean, exponential
// tail): with utilisation ρ and service time S, P(W > t) = ρ·exp(-2t(1-ρ)/(S(1+cv²))).
func (s *state) ttft(batch float64) float64 {
	prompt := s.w.Prompt.At(s.w.Percentile)
	return s.request + s.token*prompt + s.step(batch)*s.gain + s.wait(batch) + s.read(prompt, batch)
}

// read returns the time to read one prompt in chunks beside the decoding sequences.
func (s *state) read(prompt, batch float64) float64 {
	fresh := prompt * s.fresh
	chunks := math.Max(1, math.Ceil(fresh/s.budget))
	return chunks * s.time(fresh/chunks, batch, s.ctx, prompt)
}

func (s *state) wait(batch float64) float64 {
	service := s.read(s.w.Prompt.Mean, batch) - s.time(0, batch, s.ctx, s.prompt)
	load := math.Min(s.rate(batch)*service, 0.999)
	tail := load / (1 - s.w.Percentile)
	if tail <= 1 {
		return 0
	}
	return math.Log(tail) * service * (1 + s.w.Prompt.squaredCV()) / 2 / (1 - load)
}

// point returns the copy with a batch per scheduler.
func (s *state) point(batch float64) Point {
	p := float64(s.m.PP)
	rate := s.rate(batch)
	return Point{
		Batch: batch * p, RPS: rate * p, Throughput: rate * p * s.w.Answer.Mean,
		TTFT: s.ttft(batch), TPOT: s.tpot(batch),
	}
}

// lone is the batch of a single request now and then: its times are the best there are.
const lone = 1e-6

// Capacity implements Engine by bisection over the batch; all limits grow with it.
func (r Calibrated) Capacity(m Mapping, w Workload, l Limits, maxBatch float64) Capacity {
	s := newState(m, w, r.Set)
	top := maxBatch / float64(m.PP)
	bound := BoundMemory
	if limit := calibration.MaxSequences.Value; top > limit {
		top, bound = limit, BoundMaxBatch
	}
	within := func(batch float64) (Binding, bool) {
		if l.TPOT > 0 && s.tpot(batch) > l.TPOT {
			return BoundTPOT, false
		}
		if l.TTFT > 0 && s.ttft(batch) > l.TTFT {
			return BoundTTFT, false
		}
		return "", true
	}
	if b, ok := within(lone); !ok {
		return Capacity{Point: s.point(lone), Bound: b}
	}
	b, ok := within(top)
	if ok {
		return Capacity{Point: s.point(s.best(top, within)), Bound: bound, Feasible: true}
	}
	low, high := lone, top
	for range 50 {
		mid := (low + high) / 2
		if which, ok := within(mid); ok {
			low = mid
		} else {
			high, b = mid, which
		}
	}
	return Capacity{Point: s.point(s.best(low, within)), Bound: b, Feasible: true}
}

// ladder are the batches that are compared: below one (a copy that is often idle) and above 64
// in steps of 3 %, between them every one.
var ladder = func() []float64 {
	var out []float64
	for b := 1e-3; b < 1; b *= 1.03 {
		out = append(out, b)
	}
	for b := 1.0; b <= 1<<14; b = math.Max(b+1, math.Floor(b*1.03)) {
		out = append(out, b)
	}
	return out
}()

// best returns the batch of the ladder up to a largest one that carries the most. A larger
// batch is not always the better one: products go through in tiles, and the first batch that
// needs another round of them is slower.
func (s *state) best(top float64, within func(float64) (Binding, bool)) float64 {
	best, most := math.Min(top, lone), 0.0
	for _, b := range ladder {
		if b > top {
			break
		}
		if rate := s.rate(b); rate >= most {
			if _, ok := within(b); ok {
				best, most = b, rate
			}
		}
	}
	return best
}

// At implements Engine: the batch at a rate solves batch = rate·answer·step(batch).
func (r Calibrated) At(m Mapping, w Workload, rps, maxBatch float64) (Point, bool) {
	s := newState(m, w, r.Set)
	want := rps / float64(m.PP)
	high := math.Min(maxBatch/float64(m.PP), calibration.MaxSequences.Value)
	if s.rate(high) < want {
		return Point{}, false
	}
	low := 0.0
	for range 60 {
		mid := (low + high) / 2
		if s.rate(mid) < want {
			low = mid
		} else {
			high = mid
		}
	}
	return s.point(high), true
}

// WithBatch implements Engine.
func (r Calibrated) WithBatch(m Mapping, w Workload, batch float64) Point {
	return newState(m, w, r.Set).point(batch / float64(m.PP))
}

// Calibrated is the engine of measured operator curves and end-to-end constants.
type Calibrated struct{ Set *calibration.Set }

// Name returns the name of the method.
func (Calibrated) Name() string { return "operator-curves" }

var _ Engine = Calibrated{}
