package sizing

import (
	"cmp"
	"math"

	"rackwright/internal/sizing/basis"
	"rackwright/internal/sizing/calibration"
	"rackwright/internal/sizing/replica"
	"rackwright/internal/sizing/serving"
	"rackwright/internal/sizing/sim"
)

// What is simulated: the best plans, on at most so many different mappings; the others keep the
// closed formulas.
const (
	simulatedPlans    = 20
	simulatedMappings = 20
	simulatedRequests = 2000
	simulatedReplicas = 64 // of larger fleets a part with its share of the load
	simulationSeed    = 1
)

// simulation is what one mapping was found to do.
type simulation struct {
	rate   float64 // requests per second of one copy inside the limits; 0: not searched
	chunk  int     // token budget of a step that carries most
	atLoad map[int]*Simulated
	failed bool
}

// chunks are the token budgets of a step that are tried under limits, the throughput setting
// first: a smaller one holds up decoding sequences less while a prompt is read.
var chunks = []int{int(calibration.PrefillBudget.Value), 2048, 512}

// simulator runs the best plans through the event simulation. Equal mappings are run once.
type simulator struct {
	j    *job
	runs map[string]*simulation
}

// simulate runs the best plans and adds copies where the simulation carries less than the
// closed formulas promised. It reports whether any plan changed.
func (s *simulator) simulate(plans []sized) bool {
	changed := false
	for i := range plans[:min(len(plans), simulatedPlans)] {
		p := &plans[i]
		key := p.c.m.Key()
		r := s.runs[key]
		if r == nil {
			if len(s.runs) == simulatedMappings {
				continue
			}
			r = &simulation{atLoad: map[int]*Simulated{}, chunk: chunks[0]}
			s.runs[key] = r
			s.search(r, p.c)
		}
		if r.failed {
			continue
		}
		if r.rate > 0 && r.rate < p.c.capacity.RPS {
			changed = s.grow(p, r.rate) || changed
		}
		p.plan.Simulated, p.plan.Chunk = s.at(r, p.c), r.chunk
		if p.plan.Simulated != nil && r.rate > 0 {
			p.plan.Simulated.MaxRPS = round(r.rate * float64(p.c.replicas))
		}
	}
	if len(plans) > 0 && !changed {
		if m, ok := s.pools(&plans[0]); ok {
			plans[0].plan.WouldChange = append(plans[0].plan.WouldChange, m)
		}
	}
	return changed
}

// search finds the most that one copy carries inside the limits.
func (s *simulator) search(r *simulation, c *candidate) {
	if s.j.req.Load.Concurrency > 0 || s.j.limits == (serving.Limits{}) {
		return
	}
	for _, chunk := range chunks {
		rate, _, err := sim.MaxRate(s.system(c, 1, chunk), s.load(c.capacity.RPS, 0), s.limits())
		if err != nil {
			r.failed = true
			return
		}
		if rate > r.rate {
			r.rate, r.chunk = rate, chunk
		}
	}
}

// grow sizes a plan again with what the simulation carries.
func (s *simulator) grow(p *sized, rate float64) bool {
	c := *p.c
	c.capacity.RPS = rate
	if !s.j.fleet(&c, p.sys) {
		return false
	}
	*p.c = c
	p.plan = s.j.planOf(p.c, p.sys, s.j.engine)
	return true
}

// at simulates the copies of a plan at their load.
func (s *simulator) at(r *simulation, c *candidate) *Simulated {
	if out, ok := r.atLoad[c.replicas]; ok {
		copied := *out
		return &copied
	}
	n := min(c.replicas, simulatedReplicas)
	share := float64(n) / float64(c.replicas)
	var res sim.Result
	var err error
	if users := s.j.req.Load.Concurrency; users > 0 {
		each := max(1, int(math.Round(users*share)))
		prompt, answer := s.lengths()
		res, err = sim.ClosedLoop(s.system(c, n, r.chunk), each, max(simulatedRequests, 4*each), prompt, answer, simulationSeed)
	} else {
		res, err = sim.Run(s.system(c, n, r.chunk), s.load(s.j.req.Load.RequestsPerSecond*share, 2*simulatedRequests), s.limits())
	}
	if err != nil || res.Counted == 0 {
		return nil
	}
	out := &Simulated{
		Seed: simulationSeed, Requests: res.Counted, TTFT: quantiles(res.TTFT), TPOT: quantiles(res.TPOT), EndToEnd: quantiles(res.E2E),
		Goodput: res.Goodput, Throughput: round(res.OutputRate / share), RPS: round(res.RequestRate / share),
		Running: round(res.MeanRunning * float64(c.replicas*c.m.PP)), PeakKV: round(res.PeakKV), Preemptions: res.Preemptions, Busy: round(res.Busy),
	}
	r.atLoad[c.replicas] = out
	copied := *out
	return &copied
}

func quantiles(s sim.Summary) Quantiles {
	ms := func(x float64) float64 { return round(1e3 * x) }
	return Quantiles{Mean: ms(s.Mean), P50: ms(s.P50), P90: ms(s.P90), P95: ms(s.P95), P99: ms(s.P99)}
}

func (s *simulator) limits() sim.Limits {
	l := s.j.limits
	return sim.Limits{TTFT: l.TTFT, TPOT: l.TPOT, Percentile: cmp.Or(s.j.work.Percentile, 0.95)}
}

// system is n copies of a mapping as their scheduler runs them.
func (s *simulator) system(c *candidate, n, chunk int) sim.System {
	st := s.j.set.Stack(c.m.Engine)
	step := serving.NewStep(c.m, st)
	sched := serving.SchedulerOf(c.m, st)
	one := replica.Of(c.m, &step, sched, max(1, int(c.room.KVTokens)), chunk, int(calibration.MaxSequences.Value))
	one.Hit, one.Draft = s.j.work.Cached, sim.Draft{Length: s.j.work.Draft.Tokens, Acceptance: s.j.work.Draft.Acceptance}
	return sim.System{Replicas: n, Request: sched.Request, Token: sched.Token, Replica: one}
}

// lengths are the distributions of prompts and answers.
func (s *simulator) lengths() (prompt, answer sim.Lengths) {
	prompt, answer = replica.Lengths(s.j.work.Prompt), replica.Lengths(s.j.work.Answer)
	if limit := int(s.j.model.MaxContext); limit > 1 {
		prompt, answer = prompt.UpTo(limit), answer.UpTo(limit)
	}
	return prompt, answer
}

// load is open arrivals at a rate as the request describes them.
func (s *simulator) load(rate float64, requests int) sim.Load {
	l := s.j.req.Load
	prompt, answer := s.lengths()
	out := sim.Load{Arrivals: sim.Poisson(rate), Prompt: prompt, Answer: answer, Requests: requests, Seed: simulationSeed}
	switch l.Arrivals {
	case Bursty:
		out.Arrivals = sim.Gamma(rate, l.CV)
	case Trace:
		t := &sim.Trace{}
		for _, x := range l.Trace {
			t.Times = append(t.Times, x.At)
			t.Prompt, t.Answer = append(t.Prompt, x.Input), append(t.Answer, x.Output)
		}
		out.Arrivals, out.Requests = sim.FromTrace(t).AtRate(rate), 0
	}
	return out
}

// wouldChange says what would change a plan, strongest first, from what binds it.
func (j *job) wouldChange(p *Plan, c *candidate) []basis.Message {
	var out []basis.Message
	add := func(when bool, m basis.Message) {
		if when {
			out = append(out, m)
		}
	}
	bound := c.capacity.Bound
	add(bound == serving.BoundTPOT, basis.Msg("sizing.change_tpot", basis.In(basis.Millis, "limit", j.limits.TPOT*1e3)))
	add(bound == serving.BoundTTFT, basis.Msg("sizing.change_ttft", basis.In(basis.Millis, "limit", j.limits.TTFT*1e3)))
	add(bound == serving.BoundMemory && p.KV != "fp8", basis.Msg("sizing.change_kv"))
	add(bound == serving.BoundMemory, basis.Msg("sizing.change_lengths"))
	add(p.Weights.Bits() > 8 && c.m.GPU.FP8 > 0, basis.Msg("sizing.change_fp8"))
	add(j.work.Cached == 0 && j.work.Prompt.Mean > 2*j.work.Answer.Mean, basis.Msg("sizing.change_prefix"))
	add(p.Utilisation < 0.5, basis.Msg("sizing.change_whole", basis.In(basis.Percent, "load", round(100*p.Utilisation))))
	return out
}
