package predict

import (
	"fmt"
	"math"

	"rackwright/internal/sizing/replica"
	"rackwright/internal/sizing/serving"
	"rackwright/internal/sizing/sim"
)

// The simulations of rows.
const (
	simulationSeed = 1
	// loopSpread is how much fixed lengths vary in a simulated closed loop: with none, users would
	// stay in step for ever, as measured runs do not.
	loopSpread = 0.1
	// serverSequences is the batch of published runs within limits (configurations in the logs of
	// MLPerf v4.1: 896 to 1,300).
	serverSequences = 1024
	mostUsers       = 100_000
)

// budgets of a step in tokens that operators try under limits.
var budgets = []int{512, 2048, 8192}

// closedLoop simulates the users of one copy.
func (e *Engine) closedLoop(r *Row, m serving.Mapping, s *serving.Step, sched serving.Scheduler, kv, copies float64) (Answer, string) {
	users := max(1, int(math.Round(r.Users/copies)))
	if users > mostUsers {
		return nil, fmt.Sprintf("%d requests at once on one copy are more than can be simulated, %d", users, mostUsers)
	}
	vary := func(x float64) sim.Lengths {
		return sim.Uniform(max(1, int(math.Round(x*(1-loopSpread)))), max(1, int(math.Round(x*(1+loopSpread)))))
	}
	res, err := sim.ClosedLoop(system(m, s, sched, kv, int(sched.Budget), int(sched.Max)), users, 0, vary(r.Prompt.Mean), vary(r.Answer.Mean), simulationSeed)
	if err != nil || res.Counted == 0 {
		return nil, "the cache holds no request of this length"
	}
	return r.answer(res.RequestRate*copies, res.TTFT.Mean, res.TPOT.Mean), ""
}

// withinLimits simulates Poisson arrivals and finds the most that one copy carries.
func (e *Engine) withinLimits(r *Row, m serving.Mapping, s *serving.Step, sched serving.Scheduler, kv, copies float64) (Answer, string) {
	limits := sim.Limits{TTFT: r.Limits.TTFT, TPOT: r.Limits.TPOT, Percentile: 0.99}
	var best Answer
	for _, budget := range budgets {
		load := sim.Load{Arrivals: sim.Poisson(1), Prompt: replica.Lengths(r.Prompt), Answer: replica.Lengths(r.Answer), Seed: simulationSeed}
		rate, res, err := sim.MaxRate(system(m, s, sched, kv, budget, serverSequences), load, limits)
		if err != nil || rate == 0 {
			continue
		}
		if a := r.answer(rate*copies, res.TTFT.Mean, res.TPOT.Mean); best == nil || a["output_tok_s"] > best["output_tok_s"] {
			best = a
		}
	}
	if best == nil {
		return nil, "even rare requests miss the limits"
	}
	return best, ""
}

func system(m serving.Mapping, s *serving.Step, sched serving.Scheduler, kv float64, budget, sequences int) sim.System {
	return sim.System{
		Replicas: 1, Request: sched.Request, Token: sched.Token,
		Replica: replica.Of(m, s, sched, int(kv), budget, sequences),
	}
}
