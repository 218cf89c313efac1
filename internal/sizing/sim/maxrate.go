package sim

import (
	"errors"
	"math"
)

// The search for the largest rate.
const (
	mostRuns  = 14
	precision = 0.01 // of the rate
	widen     = 1.3
	// fewestRates is how many times below the first guess a rate may lie.
	lowest = 1e-3
)

// MaxRate returns the largest arrival rate, in requests per second to a hundredth, at which
// the limits hold and the queue does not grow, and the result at it. The arrivals must be open;
// their own rate does not matter. A rate of 0 says that a lone request misses the limits: the
// result is then that of rare requests.
//
// The same random numbers are used at all rates, a run stops when more requests than allowed
// have missed a limit, and the first guess comes from the step time at the batch that the
// limits allow, so that six to ten runs are enough.
func MaxRate(sys System, load Load, limits Limits) (float64, Result, error) {
	if load.Arrivals.kind == arrivalsClosed {
		return 0, Result{}, errors.New("sim: a closed loop has no rate")
	}
	load.Arrivals.rate = max(load.Arrivals.rate, 1e-6)
	m, err := prepare(sys, load, limits)
	if err != nil {
		return 0, Result{}, err
	}
	guess := m.guess()
	low, high := 0.0, math.Inf(1)
	for runs := 0; runs < mostRuns; runs++ {
		rate := guess
		switch {
		case low > 0 && high < math.Inf(1):
			if high/low < 1+precision {
				runs = mostRuns
				continue
			}
			rate = math.Sqrt(low * high)
		case low > 0:
			rate = low * widen
		case high < math.Inf(1):
			rate = high / widen
			widenBy := math.Pow(widen, float64(runs))
			rate = high / max(widen, widenBy)
		}
		if rate < guess*lowest {
			break
		}
		if m.holds(rate) {
			low = rate
		} else {
			high = rate
		}
	}
	rate := low
	if low == 0 {
		rate = guess * lowest
	}
	m.strict = false
	m.run(rate)
	return low, m.result(), nil
}

// holds reports whether the limits hold at a rate.
func (m *machine) holds(rate float64) bool {
	m.strict = true
	m.run(rate)
	return !m.missed && !m.growing()
}

// guess returns a rate near the largest: that of the batch at which the mean request keeps
// the limit on time per token, by Little's law.
func (m *machine) guess() float64 {
	r := &m.sys.Replica
	prompt, answer := 0.0, 0.0
	for i := range m.requests {
		prompt += float64(m.requests[i].prompt)
		answer += float64(m.requests[i].answer)
	}
	prompt /= float64(len(m.requests))
	answer /= float64(len(m.requests))
	unread := (prompt - math.Min(float64(r.Prefix), prompt-1)) * (1 - r.Hit)
	gain, wide := r.Draft.gain(), float64(1+r.Draft.Length)
	stages := float64(max(1, r.Stages))
	cycle := func(n float64) float64 { // seconds per request of a batch
		steps := math.Max(1, answer/gain)
		each := r.Step.Time(0, 0, n*wide, n*(prompt+answer/2)) + r.Draft.Seconds
		if m.sys.Prefill != nil {
			return steps * each
		}
		packed := math.Max(1, math.Floor(float64(r.Budget)/unread)) // prompts of a step
		return steps*each + n*math.Max(0, r.Step.Time(packed*unread, packed*unread*(prompt-unread/2), 0, 0)/packed)
	}
	low, high := 1.0, math.Max(1, math.Min(float64(r.Sequences), float64(r.KV-r.Prefix)/stages/(prompt+answer)))
	if limit := m.limits.TPOT * answer; limit > 0 && cycle(high) > limit {
		for range 20 {
			if mid := (low + high) / 2; cycle(mid) > limit {
				high = mid
			} else {
				low = mid
			}
		}
	}
	rate := high / math.Max(cycle(high), 1e-9) * stages * float64(m.sys.Replicas) * 0.85
	if p := m.sys.Prefill; p != nil {
		packed := math.Max(1, math.Floor(float64(p.Replica.Budget)/prompt))
		read := p.Replica.Step.Time(packed*prompt, packed*prompt*prompt/2, 0, 0) / packed
		rate = math.Min(rate, 0.85*float64(p.Replicas*max(1, p.Replica.Stages))/math.Max(read, 1e-9))
	}
	return rate
}
