package sizing

import (
	"cmp"
	"math"
	"slices"

	"rackwright/internal/sizing/basis"
	"rackwright/internal/sizing/calibration"
	"rackwright/internal/sizing/hardware"
	"rackwright/internal/sizing/replica"
	"rackwright/internal/sizing/serving"
	"rackwright/internal/sizing/sim"
)

// What is simulated: the best plans, on at most so many different mappings, and the plan that is
// recommended in any case; the others keep the closed formulas.
const (
	simulatedPlans    = 20
	simulatedMappings = 20
	simulatedRequests = 2000
	mostRequests      = 20_000
	simulatedReplicas = 64   // of larger fleets a part with its share of the load
	burstReplicas     = 1024 // the same for bursts, which do not shrink with the share
	simulationSeed    = 1
	// What simulations may cost: events of one run, of all mappings that are tried, and of those that
	// come up as the recommended one after that. A million events take a quarter of a second to a second.
	eventsOfRun   = 250_000
	eventsOfAll   = 10_000_000
	eventsOfBest  = 40_000_000
	leastRequests = 400 // of long requests, however many steps they take
	mostChunks    = 128 // of the mean prompt: a step of fewer tokens is not tried
)

// level is how many requests per sequence in flight bring a system to its level: with fewer, times
// are those of a system that still fills up.
const level = 5

// simulation is what one mapping was found to do.
type simulation struct {
	rate   float64    // requests per second of one copy inside the limits; 0: not searched, or none
	rare   sim.Result // of rare requests, where even they miss the limits
	misses bool       // they do
	chunk  int        // token budget of a step that carries most
	atLoad map[int]*outcome
	failed bool
}

// outcome is a plan at its load, and whether the limits hold there.
type outcome struct {
	Simulated
	holds bool
	run   sim.Result
}

// chunks are the token budgets of a step that are tried under limits, the throughput setting
// first: a smaller one holds up decoding sequences less while a prompt is read.
var chunks = []int{int(calibration.PrefillBudget.Value), 2048, 512}

// simulator runs the best plans through the event simulation. Equal mappings are run once.
type simulator struct {
	j       *job
	runs    map[string]*simulation
	done    map[*Plan]bool
	refused []refused
	work    int // events so far
}

// simulate runs the best plans and adds copies where the simulation carries less than the closed
// formulas promised. It returns the plans that are left, and whether any changed: a plan that does
// not keep its limits with any number of copies is refused.
func (s *simulator) simulate(plans []sized) (left []sized, changed bool) {
	recommended := slices.IndexFunc(plans, func(p sized) bool { return p.plan.Recommendable() })
	for i, p := range plans {
		if i >= simulatedPlans && i != recommended || s.done[p.plan] {
			left = append(left, p)
			continue
		}
		key := p.c.m.Key()
		r := s.runs[key]
		if r == nil {
			spent := len(s.runs) >= simulatedMappings || s.work > eventsOfAll
			if spent && (i != recommended || s.work > eventsOfBest) {
				left = append(left, p)
				continue
			}
			r = &simulation{atLoad: map[int]*outcome{}, chunk: chunks[0]}
			s.runs[key] = r
			s.search(r, p.c)
		}
		grown, ok := s.settle(r, &p)
		changed = changed || grown || !ok
		if ok {
			s.done[p.plan] = true
			left = append(left, p)
		}
	}
	return left, changed
}

// verdict is what came of the search for copies.
type verdict uint8

const (
	carried verdict = iota
	unsimulated
	tooMany // systems
	late    // with any number of copies
)

// settle gives a plan the copies that keep its limits at its load. It reports whether the plan
// changed, and false where it cannot be.
func (s *simulator) settle(r *simulation, p *sized) (changed, ok bool) {
	c := *p.c
	out, v := s.enough(r, &c, p.sys)
	switch v {
	case unsimulated:
		return false, true
	case tooMany:
		no := refused{Refusal: refusal(p.sys), sys: p.sys}
		no.Reason = sizeReason(&c)
		s.refused = append(s.refused, no)
		return false, false
	case late:
		no := refused{Refusal: refusal(p.sys), sys: p.sys, c: p.c, ttft: out.run.TTFT.Asked, tpot: out.run.TPOT.Asked}
		no.Reason = s.j.lateReason(p.c.m, no.ttft, no.tpot)
		s.nearest(&no)
		s.refused = append(s.refused, no)
		return false, false
	}
	if changed = c.replicas != p.c.replicas || c.capacity.RPS != p.c.capacity.RPS || c.capacity.Batch != p.c.capacity.Batch; changed {
		*p.c = c
		p.plan = s.j.planOf(p.c, p.sys, s.j.engine)
	}
	found := out.Simulated
	if r.rate > 0 {
		found.MaxRPS = round(min(r.rate, c.capacity.RPS) * float64(c.replicas))
	}
	p.plan.Chunk, p.plan.Simulated = r.chunk, &found
	return changed, true
}

// search finds the most that one copy carries inside the limits.
func (s *simulator) search(r *simulation, c *candidate) {
	if s.j.req.Load.Concurrency > 0 || s.j.limits == (serving.Limits{}) {
		return
	}
	for _, chunk := range chunks {
		if chunk != chunks[0] && s.j.work.Prompt.Mean > float64(mostChunks*chunk) {
			continue
		}
		rate, rare, err := sim.MaxRate(s.system(c, 1, chunk), s.searched(c, chunk), s.limits(s.j.limits))
		s.work += rare.Work
		if err != nil {
			r.failed = true
			return
		}
		switch {
		case rate > r.rate:
			r.rate, r.chunk = rate, chunk
		case rate == 0 && (r.rare.Counted == 0 || s.missedBy(rare) < s.missedBy(r.rare)):
			r.rare = rare
			if r.rate == 0 {
				r.chunk = chunk
			}
		}
	}
	r.misses = r.rate == 0
}

// searched is the load of a search for the largest rate of one copy: as many requests as its batch
// needs, or as the steps that they take allow.
func (s *simulator) searched(c *candidate, chunk int) sim.Load {
	l := s.load(c.capacity.RPS, 0)
	want := int(min(mostRequests, max(simulatedRequests, level*c.capacity.Batch)))
	if s.j.req.Load.Arrivals == Trace {
		want = len(s.j.req.Load.Trace)
	}
	if n := s.affordable(want, chunk); n < want {
		l.Requests = n
	}
	return l
}

// affordable returns how many of the wanted requests can be simulated in one run: each takes the
// chunks of its prompt and a part of the steps of its answer, most of which are taken at once.
func (s *simulator) affordable(want, chunk int) int {
	each := 2 + s.j.work.Prompt.Mean*(1-s.j.work.Cached)/float64(chunk) + s.j.work.Answer.Mean/64
	return min(want, max(leastRequests, int(eventsOfRun/each)))
}

// missedBy is how many times a limit the times of a run are, the worse of both.
func (s *simulator) missedBy(res sim.Result) float64 {
	worst := 0.0
	if l := s.j.limits.TTFT; l > 0 {
		worst = max(worst, res.TTFT.Asked/l)
	}
	if l := s.j.limits.TPOT; l > 0 {
		worst = max(worst, res.TPOT.Asked/l)
	}
	return worst
}

// shares are parts of its capacity that a copy is loaded to where the whole does not keep the
// limits: bursts need room that a mean rate does not show.
var shares = []float64{1, 0.95, 0.9, 0.8, 0.65, 0.5, 0.35, 0.2, 0.1, 0.05, 0.02}

// enough adds copies to c until the times at the load keep the limits. It returns the run at the
// load, or the best one where limits are missed all the same.
func (s *simulator) enough(r *simulation, c *candidate, sys hardware.System) (*outcome, verdict) {
	switch {
	case r.failed:
		return nil, unsimulated
	case r.misses && s.j.independent():
		return &outcome{run: r.rare}, late
	case r.rate > 0 && r.rate < c.capacity.RPS:
		c.capacity.RPS = r.rate
		if !s.j.fleet(c, sys) {
			return nil, tooMany
		}
	}
	whole := *c
	if r.misses { // a burst is too much for one copy: try the most before searching
		if most := s.loaded(r, &whole, c, sys, shares[len(shares)-1]); most != nil && !most.holds {
			return most, late
		}
	}
	var last *outcome
	for _, share := range shares {
		out := s.loaded(r, &whole, c, sys, share)
		switch {
		case out == nil && last == nil:
			return nil, unsimulated
		case out == nil:
			return nil, tooMany
		case out.holds:
			return out, carried
		}
		last = out
	}
	return last, late
}

// loaded sets c to copies that are loaded to a share of what whole carries and runs them; nil
// where there cannot be so many.
func (s *simulator) loaded(r *simulation, whole, c *candidate, sys hardware.System, share float64) *outcome {
	*c = *whole
	if share < 1 {
		if s.j.req.Load.Concurrency > 0 {
			c.capacity.Point = s.j.engine.WithBatch(c.m, s.j.work, max(1, whole.capacity.Batch*share))
			c.capacity.TTFT, c.capacity.TPOT = min(c.capacity.TTFT, whole.capacity.TTFT), min(c.capacity.TPOT, whole.capacity.TPOT) // as operate has it
		} else {
			c.capacity.RPS = whole.capacity.RPS * share
		}
		if !s.j.fleet(c, sys) {
			return nil
		}
	}
	return s.at(r, c)
}

// at simulates the copies of a plan at their load; nil where that cannot be simulated.
func (s *simulator) at(r *simulation, c *candidate) *outcome {
	if out, ok := r.atLoad[c.replicas]; ok {
		return out
	}
	batch := max(1, s.j.operate(c, s.j.engine).Batch)
	n := min(c.replicas, simulatedReplicas)
	if !s.j.independent() {
		n = min(c.replicas, burstReplicas/c.m.PP)
	}
	traced := s.j.req.Load.Arrivals == Trace
	if !traced {
		n = min(n, max(1, int(mostRequests/(level*batch))))
	}
	share := float64(n) / float64(c.replicas)
	var load sim.Load
	if users := s.j.req.Load.Concurrency; users > 0 {
		load = s.users(c, max(1, int(math.Round(users*share))))
	} else {
		requests := int(min(mostRequests, max(2*simulatedRequests, level*batch*float64(n))))
		if traced {
			requests = len(s.j.req.Load.Trace)
		}
		load = s.load(s.j.req.Load.RequestsPerSecond*share, s.affordable(requests, r.chunk))
	}
	res, err := sim.Run(s.system(c, n, r.chunk), load, s.limits(s.j.limits))
	s.work += res.Work * (1 + n/simulatedReplicas) // each event looks at all copies
	if err != nil || res.Counted == 0 {
		return nil
	}
	out := &outcome{Simulated: Simulated{
		Seed: simulationSeed, Requests: res.Counted, TTFT: quantiles(res.TTFT), TPOT: quantiles(res.TPOT), EndToEnd: quantiles(res.E2E),
		Goodput: res.Goodput, Throughput: round(res.OutputRate / share), RPS: round(res.RequestRate / share),
		Running: round(res.MeanRunning * float64(c.replicas*c.m.PP)), PeakKV: round(res.PeakKV), Preemptions: res.Preemptions, Busy: round(res.Busy),
	}, holds: s.missedBy(res) <= 1, run: res}
	r.atLoad[c.replicas] = out
	return out
}

// users is a closed loop in which people start one after the other over the time of an answer.
// What is measured is the level that it comes to: customers of a service do not all begin at the
// same moment, as those of a benchmark do.
func (s *simulator) users(c *candidate, n int) sim.Load {
	at := s.j.operate(c, s.j.engine)
	prompt, answer := s.lengths()
	ramp := min(at.TTFT+at.TPOT*s.j.work.Answer.Mean, 86_400)
	return sim.Load{
		Arrivals: sim.Closed(n).Ramp(ramp), Prompt: prompt, Answer: answer, Requests: s.affordable(max(simulatedRequests, level*n), chunks[0]), Seed: simulationSeed, Discard: warmUp,
	}
}

// warmUp is the share of the requests of a closed loop that bring it to its level.
const warmUp = 0.25

func quantiles(s sim.Summary) Quantiles {
	ms := func(x float64) float64 { return round(1e3 * x) }
	return Quantiles{Mean: ms(s.Mean), P50: ms(s.P50), P90: ms(s.P90), P95: ms(s.P95), P99: ms(s.P99), Asked: math.Round(s.Asked*1e6) / 1e3}
}

func (s *simulator) limits(l serving.Limits) sim.Limits {
	return sim.Limits{TTFT: l.TTFT, TPOT: l.TPOT, Percentile: cmp.Or(s.j.work.Percentile, 0.95)}
}

// nearest names the limits closest to those asked for at which a plan carries the load when it is
// simulated, too.
func (s *simulator) nearest(r *refused) {
	for _, f := range wider {
		l, ok := s.j.nearest(r.c, r.sys, f, r.ttft, r.tpot)
		if ok && s.carries(r, l) {
			r.name(s.j, l)
			return
		}
	}
	r.Nearest = nil
}

// carries reports whether copies that keep other limits carry the load when they are simulated.
func (s *simulator) carries(r *refused, l serving.Limits) bool {
	other := *s.j
	other.limits = l
	c := *r.c
	c.capacity = other.engine.Capacity(c.m, other.work, l, c.batch)
	if !c.capacity.Feasible || !other.fleet(&c, r.sys) {
		return false
	}
	try := simulator{j: &other, runs: map[string]*simulation{}, done: map[*Plan]bool{}}
	run := &simulation{atLoad: map[int]*outcome{}, chunk: chunks[0]}
	try.search(run, &c)
	_, v := try.enough(run, &c, r.sys)
	return v == carried
}

// simulateNearest checks the limits that refusals name, where nothing carries the load and they are
// all that is left to say.
func (j *job) simulateNearest(no []refused) {
	s := simulator{j: j}
	known := map[string]*refused{}
	for i := range no {
		r := &no[i]
		if r.c == nil || r.Nearest == nil || r.ttft > 0 {
			continue
		}
		r.ttft, r.tpot = r.c.capacity.TTFT, r.c.capacity.TPOT
		if same := known[r.c.m.Key()]; same != nil {
			r.Nearest, r.limits = same.Nearest, same.limits
			continue
		}
		s.nearest(r)
		known[r.c.m.Key()] = r
	}
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
		t, limit := &sim.Trace{}, math.MaxInt
		if s.j.model.MaxContext > 1 {
			limit = int(s.j.model.MaxContext)
		}
		for _, x := range l.Trace {
			t.Times = append(t.Times, x.At)
			t.Prompt, t.Answer = append(t.Prompt, min(x.Input, limit)), append(t.Answer, min(x.Output, limit))
		}
		out.Arrivals = sim.FromTrace(t).AtRate(rate)
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
