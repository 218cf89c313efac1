package predict

import (
	"fmt"
	"math"

	"rackwright/internal/sizing/calibration"
	"rackwright/internal/sizing/serving"
)

// Engine predicts rows with the constants of inference engines.
type Engine struct {
	Stacks map[string]*calibration.Stack // by inference engine
	Boards serving.BoardShares
	Set    *calibration.Set // of the bands; nil gives none
	Quick  bool             // closed formulas only, without simulation: for fits
}

// Prediction is one figure with its band.
type Prediction struct {
	Value, P10, P90 float64
	Reason          string // what a reader should know; empty for most
}

// Answer is what the engine says about a row: figures by metric.
type Answer map[string]float64

// Predict returns the figures of a row that was not refused.
func (e *Engine) Predict(r *Row) (Answer, string) {
	if r.refused != "" {
		return nil, r.refused
	}
	st, ok := e.Stacks[r.Engine]
	switch {
	case r.Engine == "":
		return nil, "the inference engine is not stated"
	case !ok:
		return nil, "inference engine " + r.Engine + " is not calibrated"
	}
	if r.Prompt.Mean == 0 || r.Answer.Mean == 0 {
		return nil, "lengths of prompt and answer are not stated"
	}
	var best Answer
	why := fmt.Sprintf("%s cannot be cut over %d GPUs as the row says", r.Mapping.Model.Name, r.GPUs)
	for _, m := range r.mappings() {
		a, reason := e.predict(r, m, st)
		if reason != "" {
			why = reason
			continue
		}
		if best == nil || a["output_tok_s"] > best["output_tok_s"] {
			best = a
		}
	}
	if best == nil {
		return nil, why
	}
	return best, ""
}

// mappings returns the stated mapping, or those that an operator would try.
func (r *Row) mappings() []serving.Mapping {
	if r.Mapping.TP > 0 {
		m := r.Mapping
		m.PP = max(1, m.PP)
		return []serving.Mapping{m}
	}
	var out []serving.Mapping
	for tp := 1; tp <= min(8, r.GPUs); tp *= 2 {
		for pp := 1; tp*pp <= r.GPUs && pp <= 4; pp *= 2 {
			if r.Mapping.PP > 0 && pp != r.Mapping.PP || !r.Mapping.Model.DividesTP(tp) {
				continue
			}
			m := r.Mapping
			if m.TP, m.PP = tp, pp; m.GPUs() <= r.GPUs && int64(pp) <= m.Model.Layers {
				out = append(out, m)
			}
		}
	}
	return out
}

// predict answers a row on one mapping. Copies share nothing: figures of throughput grow
// with their number.
func (e *Engine) predict(r *Row, m serving.Mapping, st *calibration.Stack) (Answer, string) {
	m.Boards, m.Stock = e.Boards, r.Stock
	m.Release = serving.ReleaseDate(r.Engine, r.Version, r.Date)
	s := serving.NewStep(m, st)
	kv := serving.CacheTokens(m, r.Prompt.Mean+r.Answer.Mean)
	if kv < r.Prompt.Mean+r.Answer.Mean {
		return nil, "weights leave no memory for one request"
	}
	copies := math.Max(1, math.Floor(float64(r.GPUs)/float64(m.GPUs()))) // GPUs beyond whole copies are idle
	sched := serving.SchedulerOf(m, st)
	stages := float64(m.PP)
	loop := serving.Loop{Prompt: r.Prompt.Mean, Answer: r.Answer.Mean, KVTokens: kv / stages}
	var c serving.Cycle
	switch {
	case r.Scenario == MinLatency:
		return lone(r, &s), ""
	case r.Scenario == ServerSLO && !e.Quick:
		return e.withinLimits(r, m, &s, sched, kv, copies)
	case r.Scenario == ServerSLO:
		c = s.WithinLimits(loop, sched, serving.Spread{Prompt: r.Prompt, Answer: r.Answer, Percentile: 0.99}, r.Limits)
	case r.Static:
		return batch(r, &s, copies), ""
	case r.Users > 0 && !e.Quick:
		return e.closedLoop(r, m, &s, sched, kv, copies)
	case r.Users > 0:
		loop.Users = r.Users / copies / stages
		c = s.Cycle(loop, sched)
	default:
		loop.Users = math.Inf(1)
		sched.Burst = 0
		c = s.Cycle(loop, sched)
		if r.Prompts > 0 {
			c.Rate = finite(r, &s, loop, c, copies*stages)
		}
	}
	rate := c.Rate * copies * stages
	return r.answer(rate, c.TTFT, c.TPOT), ""
}

func (r *Row) answer(rate, ttft, tpot float64) Answer {
	out := rate * r.Answer.Mean
	return Answer{
		"output_tok_s": out, "output_tok_s_per_gpu": out / float64(r.GPUs), "req_s": rate,
		"total_tok_s": rate * (r.Prompt.Mean + r.Answer.Mean), "ttft_ms": ttft * 1e3, "tpot_ms": tpot * 1e3,
	}
}

// lone answers for a single request, without a server around it.
func lone(r *Row, s *serving.Step) Answer {
	p := r.Prompt.Mean
	first := s.Time(p, p*p/2, 0, 0)
	each := s.Time(0, 0, 1, p+r.Answer.Mean/2)
	return r.answer(1/(first+each*(r.Answer.Mean-1)), first, each)
}

// staticBudget is the prompt tokens that one step of a static batch reads.
const staticBudget = 16384

// batch answers for one fixed batch that is read together and decoded to the end.
func batch(r *Row, s *serving.Step, copies float64) Answer {
	n, p := r.Users, r.Prompt.Mean
	group := math.Max(1, math.Floor(staticBudget/p)) // prompts of one step
	first := n / group * s.Time(group*p, group*p*p/2, 0, 0)
	each := s.Time(0, 0, n, n*(p+r.Answer.Mean/2))
	return r.answer(n/(first+each*(r.Answer.Mean-1))*copies, first, each)
}

// finite returns the rate of a run of a few prompts that all start at once: the steady state
// for as long as there is a queue, then a tail in which the last answers end.
func finite(r *Row, s *serving.Step, l serving.Loop, c serving.Cycle, copies float64) float64 {
	n := r.Prompts / copies
	tail := l.Answer * s.Time(0, 0, math.Max(1, c.Running/4), c.Running/4*(l.Prompt+l.Answer))
	return n / (n/c.Rate + tail)
}
