package sim

import (
	"math"
	"slices"
)

// tally is what a run counts.
type tally struct {
	steps, preemptions, finished, refused, submitted int
	peakRunning                                      int
	peakShare                                        float64
	horizon                                          float64

	counting    bool
	from, until float64 // averages over time are over this
	counted     int     // requests
	inFlight    int     // when counting started
	inFlightEnd int     // when the last request came
	busy        float64 // scheduler seconds
	flight      float64 // sequence seconds
	output      float64 // tokens
	prompts     float64 // tokens read

	over   [3]int // requests beyond the limits of TTFT, TPOT, E2E
	good   int
	spare  int // of each that the limits allow
	missed bool
}

func (y *tally) reset(m *machine) {
	*y = tally{until: math.Inf(1)}
	if n := len(m.requests); m.units != nil && n > 1 {
		y.until = m.requests[n-1].ready
	}
}

// latest is how far into the time of arrivals averages may begin and still end with it. What
// begins later has too short a time for an average and goes on until everything has ended.
const latest = 0.75

// opening decides with each arrival whether requests count from here on: after the discarded
// share, and under open arrivals once half of what came has ended, so that sequences in flight
// have reached their level.
func (m *machine) opening(t float64, q *request) {
	i, n := m.arrived-1, len(m.requests)
	open := m.units != nil
	if !m.counting && float64(i) >= m.load.Discard*float64(n) &&
		(!open || m.load.Discard == 0 || 2*(m.finished+m.refused) >= i || 2*i >= n) {
		m.counting, m.from = true, t
		m.inFlight = i - m.finished - m.refused
		if t >= m.until*latest { // a single request, or the last burst of a trace
			m.until = math.Inf(1)
		}
		m.counted = n - i
		m.spare = int((1-m.limits.Percentile)*float64(m.counted) + 1e-9)
	}
	q.counted = m.counting
	if m.arrived == n {
		m.inFlightEnd = n - m.finished - m.refused
	}
}

// account adds the work of a scheduler that ends at t.
func (m *machine) account(s *scheduler, t float64) {
	if !m.counting || m.strict {
		return
	}
	inside := min(t, m.until) - max(s.begin, m.from)
	if inside <= 0 {
		return
	}
	share := inside / (t - s.begin)
	m.busy += inside
	m.flight += inside * float64(s.running.n)
	m.output += share * (float64(s.decode*s.steps)*s.gain + float64(s.ready))
	m.prompts += share * float64(s.prompt)
}

// seen is the first token that a user sees.
func (m *machine) seen(q *request, t float64) {
	q.first = t
	if q.counted && m.limits.TTFT > 0 && t-q.arrival > m.limits.TTFT {
		m.exceeds(0)
	}
}

// finish is the last token that a user sees.
func (m *machine) finish(q *request, t float64) {
	q.last, q.phase = t, ended
	m.finished++
	m.horizon = t
	m.submit(t)
	if !q.counted {
		return
	}
	l := &m.limits
	slow, late := l.TPOT > 0 && q.tpot() > l.TPOT, l.E2E > 0 && t-q.arrival > l.E2E
	if slow {
		m.exceeds(1)
	}
	if late {
		m.exceeds(2)
	}
	if !slow && !late && (l.TTFT == 0 || q.first-q.arrival <= l.TTFT) {
		m.good++
	}
}

// tpot returns seconds per token after the first; 0 where there is none.
func (q *request) tpot() float64 {
	if q.answer < 2 {
		return 0
	}
	return (q.last - q.first) / float64(q.answer-1)
}

func (m *machine) exceeds(limit int) {
	m.over[limit]++
	m.missed = m.strict && m.over[limit] > m.spare
}

// growing reports whether more requests come than are served: those in flight rise by more
// than a thirtieth of what came and by more than chance.
func (m *machine) growing() bool {
	if m.units == nil {
		return false
	}
	rise := float64(m.inFlightEnd - m.inFlight)
	return rise > float64(m.counted)/30+4*math.Sqrt(float64(max(m.inFlight, m.inFlightEnd)))
}

// Summary is the distribution of a time over requests, in seconds. A percentile p is the
// smallest value that a share p of all requests does not exceed.
type Summary struct {
	N                        int
	Mean, P50, P90, P95, P99 float64
	Asked                    float64 // at the percentile of the limits
}

// At returns the percentile of Summary nearest to p, from above where it lies between two.
func (s Summary) At(p float64) float64 {
	switch {
	case p <= 0.5:
		return s.P50
	case p <= 0.9:
		return s.P90
	case p <= 0.95:
		return s.P95
	}
	return s.P99
}

// summarise sorts its values; asked is the percentile of the limits, a share.
func summarise(values []float64, asked float64) Summary {
	n := len(values)
	if n == 0 {
		return Summary{}
	}
	slices.Sort(values)
	sum := 0.0
	for _, v := range values {
		sum += v
	}
	at := func(p float64) float64 { return values[max(0, int(math.Ceil(p*float64(n)-1e-9))-1)] }
	return Summary{n, sum / float64(n), at(0.5), at(0.9), at(0.95), at(0.99), at(asked)}
}

// Result is what a run measured. Times are of counted requests that ended; averages over time
// are from the first counted request to the last arrival, in a closed loop to the end.
type Result struct {
	Requests, Finished, Refused int // refused: longer than the cache
	Counted                     int

	Wait Summary // until first admitted by a scheduler, after the request overhead
	TTFT Summary // until the first token
	TPOT Summary // (last - first token) / (tokens - 1); answers of one token have none
	E2E  Summary // until the last token
	// PerToken is E2E / tokens, the time per token with the first one included, as some tools
	// define TPOT. It is no limit.
	PerToken Summary

	RequestRate float64 // ended per second: output rate / mean answer
	OutputRate  float64 // tokens per second
	PromptRate  float64 // tokens read per second, again after preemption, without those found in the cache
	Goodput     float64 // share of counted requests inside all limits, 0 to 1

	MeanRunning float64 // sequences in flight on one scheduler
	PeakRunning int
	PeakKV      float64 // share of the cache of one replica, 0 to 1
	Preemptions int
	Busy        float64 // share of the time in which a scheduler is in a step, 0 to 1
	Stable      bool    // no more came than was served
	Horizon     float64 // until the last token
	Steps       int
	Work        int // events of the run, or of all runs of a search for the largest rate
}

// result reads the outcome of a run.
func (m *machine) result() Result {
	r := Result{Requests: len(m.requests), Finished: m.finished, Refused: m.refused, Preemptions: m.preemptions,
		PeakRunning: m.peakRunning, PeakKV: m.peakShare, Horizon: m.horizon, Steps: m.steps, Work: m.work, Stable: !m.growing()}
	values := make([]float64, 0, len(m.requests))
	over := func(of func(*request) (float64, bool)) Summary {
		values = values[:0]
		for i := range m.requests {
			q := &m.requests[i]
			if !q.counted || q.last == 0 {
				continue
			}
			if v, ok := of(q); ok {
				values = append(values, v)
			}
		}
		return summarise(values, m.limits.Percentile)
	}
	r.Wait = over(func(q *request) (float64, bool) { return q.admit - q.ready, true })
	r.TTFT = over(func(q *request) (float64, bool) { return q.first - q.arrival, true })
	r.TPOT = over(func(q *request) (float64, bool) { return q.tpot(), q.answer > 1 })
	r.E2E = over(func(q *request) (float64, bool) { return q.last - q.arrival, true })
	r.PerToken = over(func(q *request) (float64, bool) { return (q.last - q.arrival) / float64(q.answer), true })
	r.Counted = r.E2E.N
	if m.counted > 0 {
		r.Goodput = float64(m.good) / float64(m.counted)
	}
	window := min(m.until, m.horizon) - m.from
	if window > 0 {
		all := window * float64(len(m.schedulers))
		r.Busy, r.MeanRunning = min(1, m.busy/all), m.flight/all
		r.OutputRate, r.PromptRate = m.output/window, m.prompts/window
		answers := 0
		for i := range m.requests {
			answers += int(m.requests[i].answer)
		}
		r.RequestRate = r.OutputRate * float64(len(m.requests)) / float64(answers)
	}
	return r
}

// Run simulates a load on a system.
func Run(sys System, load Load, limits Limits) (Result, error) {
	m, err := prepare(sys, load, limits)
	if err != nil {
		return Result{}, err
	}
	m.run(m.load.Arrivals.rate)
	return m.result(), nil
}

// ClosedLoop simulates a benchmark at a fixed concurrency: users who all start at once and
// send the next request when the last is answered, until a number of requests, by default ten
// per user, has been sent. All requests count, the first ones too, as in published benchmarks.
// Users with fixed lengths stay in step for ever and read all prompts together in each round;
// measured runs do not, so that lengths should vary a little, for example Uniform(90, 110).
func ClosedLoop(sys System, users, requests int, prompt, answer Lengths, seed uint64) (Result, error) {
	return Run(sys, Load{Arrivals: Closed(users), Prompt: prompt, Answer: answer, Requests: requests, Seed: seed, Discard: -1}, Limits{})
}
