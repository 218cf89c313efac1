package sim

import (
	"errors"
	"math"
)

// The search for the largest rate.
const (
	mostRuns  = 16
	precision = 0.01 // of the rate
	widen     = 1.3  // steps away from the first guess grow by this
	lowest    = 1e-3 // of the first guess
	enough    = 5.0  // requests per sequence in flight that bring a system to its level
	mostOwn   = 20_000
	share     = 0.85 // of the mean rate that percentiles leave, to start from
)

// MaxRate returns the largest arrival rate, in requests per second to one percent, at which the
// limits hold and the requests in flight do not grow without end, and the result at it. The
// arrivals must be open; their own rate does not matter. A rate of 0 says that even rare
// requests miss the limits: the result is then that of rare requests.
//
// The same random numbers are used at all rates, a run stops when more requests than allowed
// have missed a limit, and the first guess comes from the step time of the batch that the
// limits allow, so that six to ten runs are enough. From seed to seed the rate varies by about
// 4 % with 2,000 requests. With fewer than five requests per sequence in flight it comes out too
// high; where the load states no number there are that many, at most 20,000.
func MaxRate(sys System, load Load, limits Limits) (float64, Result, error) {
	if load.Arrivals.kind == arrivalsClosed {
		return 0, Result{}, errors.New("sim: a closed loop has no rate")
	}
	load.Arrivals.rate = max(load.Arrivals.rate, 1e-6)
	m, err := prepare(sys, load, limits)
	if err != nil {
		return 0, Result{}, err
	}
	guess, batch := m.guess()
	if n := min(int(enough*batch), mostOwn); load.Requests == 0 && load.Arrivals.kind == arrivalsGamma && n > len(m.requests) {
		load.Requests = n
		if m, err = prepare(sys, load, limits); err != nil {
			return 0, Result{}, err
		}
	}
	low, high, rate := 0.0, math.Inf(1), guess
	for range mostRuns {
		if m.holds(rate) {
			low = rate
		} else {
			high = rate
		}
		switch {
		case low == 0:
			rate = high / math.Pow(widen, 1+math.Round(math.Sqrt(2*math.Log(guess/high)/math.Log(widen))))
		case math.IsInf(high, 1):
			rate = low * widen
		default:
			rate = math.Sqrt(low * high)
		}
		if high/low < 1+precision || rate < guess*lowest {
			break
		}
	}
	m.strict = false
	m.run(max(low, guess*lowest))
	return low, m.result(), nil
}

// holds reports whether the limits hold at a rate.
func (m *machine) holds(rate float64) bool {
	m.strict = true
	m.run(rate)
	return !m.missed && !m.growing()
}

// guess returns a rate near the largest and the sequences in flight at it: the batch at which
// the mean request keeps the limit on time per token, by Little's law.
func (m *machine) guess() (rate, batch float64) {
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
	batch = high * stages * float64(m.sys.Replicas)
	rate = batch / math.Max(cycle(high), shortest) * share
	if p := m.sys.Prefill; p != nil {
		packed := math.Max(1, math.Floor(float64(p.Replica.Budget)/prompt))
		read := p.Replica.Step.Time(packed*prompt, packed*prompt*prompt/2, 0, 0) / packed
		rate = math.Min(rate, share*float64(p.Replicas*max(1, p.Replica.Stages))/math.Max(read, shortest))
	}
	return rate, batch
}
