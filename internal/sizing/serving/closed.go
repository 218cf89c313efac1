package serving

import "math"

// Scheduler is how an inference engine fills its steps.
type Scheduler struct {
	Budget  float64 // prompt tokens of one step
	Max     float64 // sequences in flight
	Mixed   bool    // prompts are read beside decoding sequences, else in steps of their own
	Request float64 // seconds before a request is first scheduled
	Token   float64 // seconds per prompt token before that
	// Together is how much of a step's budget of prompts comes together: 0 reads each prompt alone.
	Together float64
	Burst    float64 // share of requests that come at the start together
	Whole    bool    // the cache is reserved for a whole answer; else it grows with it
}

// Loop is a closed loop: users who send the next request when the last is answered.
type Loop struct {
	Users          float64
	Prompt, Answer float64 // tokens
	KVTokens       float64 // that the cache of one scheduler holds
}

// Cycle is the steady state of a closed loop on one scheduler.
type Cycle struct {
	Running float64 // sequences in flight
	TTFT    float64 // seconds, mean
	TPOT    float64 // seconds, mean
	Rate    float64 // requests per second
}

// Cycle returns the steady state of a closed loop. While a sequence decodes its answer, every
// other user's prompt is read once: with n users in flight, groups of g prompts that one
// step reads together, decode steps of D seconds and mixed steps of M,
//
//	TPOT = D + S·(M-D)/(answer-1),  S = ceil(n/g)·(n-g)/n
//
// where prompts are longer than a step's budget, S counts their chunks. Users beyond what
// the cache holds wait for a place: by Little's law their wait is users/rate - (time in
// service).
func (s *Step) Cycle(l Loop, sched Scheduler) Cycle {
	n := math.Min(math.Min(l.Users, sched.Max), math.Max(1, math.Floor(l.KVTokens/s.held(l, sched))))
	steps := math.Max(l.Answer-1, 1)
	group := math.Max(1, math.Min(math.Floor(sched.Budget/l.Prompt), math.Ceil(n/2)))
	chunks := math.Max(1, math.Ceil(l.Prompt/sched.Budget))
	context := l.Prompt + l.Answer/2
	decode := s.Time(0, 0, n, n*context)
	part := l.Prompt / chunks
	read := 0.0 // seconds that one group adds
	first := 0.0
	for i := range int(chunks) {
		pairs := group * part * (part*float64(i) + part/2)
		others := math.Max(n-group, 0)
		if sched.Mixed {
			t := s.Time(group*part, pairs, others, others*context)
			read += math.Max(t-decode, 0)
			first += t
		} else {
			t := s.Time(group*part, pairs, 0, 0)
			read += t
			first += t
		}
	}
	alone := first
	if group > 1 {
		alone = s.Time(l.Prompt, l.Prompt*l.Prompt/2, n-1, (n-1)*context)
	}
	reads := n / group // of groups in one cycle
	seen := math.Max(0, reads-1)
	tpot := decode + seen*read/steps
	c := Cycle{Running: n, TPOT: tpot}
	before := sched.Request + sched.Token*l.Prompt
	service := before + alone + (first-alone)*sched.Together + decode/2
	c.Rate = n / (service + steps*tpot)
	// At the start all users come together and wait for half of the others.
	burst := before + first*(reads+1)/2
	c.TTFT = (1-sched.Burst)*service + sched.Burst*burst
	if l.Users > n {
		c.TTFT += math.Max(0, l.Users/c.Rate-(service+steps*tpot))
	}
	return c
}

// held returns the tokens of cache that one request takes on average.
func (s *Step) held(l Loop, sched Scheduler) float64 {
	if sched.Whole {
		return l.Prompt + l.Answer
	}
	return l.Prompt + l.Answer/2
}

// Spread is how lengths are distributed and which percentile of requests limits hold for.
type Spread struct {
	Prompt, Answer Lengths
	Percentile     float64
}

// WithinLimits returns the most that one scheduler carries under Poisson arrivals inside the
// limits, in the closed form of the preview: the batch that a request meets fluctuates as a
// Poisson count, and reading of prompts queues as M/G/1.
func (s *Step) WithinLimits(l Loop, sched Scheduler, spread Spread, limits Limits) Cycle {
	top := math.Min(sched.Max, math.Max(1, l.KVTokens/s.held(l, sched)))
	z := normalQuantile(spread.Percentile)
	sched.Burst = 0
	at := func(n float64) (Cycle, bool) {
		l.Users = n
		c := s.Cycle(l, sched)
		l.Users = n + z*math.Sqrt(n)
		high := s.Cycle(l, sched)
		read := s.Time(l.Prompt, l.Prompt*l.Prompt/2, n, n*(l.Prompt+l.Answer/2)) - s.Time(0, 0, n, n*(l.Prompt+l.Answer/2))
		load := math.Min(c.Rate*read, 0.999)
		wait := 0.0
		if tail := load / (1 - spread.Percentile); tail > 1 {
			wait = math.Log(tail) * read * (1 + spread.Prompt.squaredCV()) / 2 / (1 - load)
		}
		long := spread.Prompt.At(spread.Percentile)
		ttft := sched.Request + sched.Token*long + wait + high.TPOT + s.Time(long, long*long/2, n, n*(l.Prompt+l.Answer/2))
		ok := (limits.TPOT == 0 || high.TPOT <= limits.TPOT) && (limits.TTFT == 0 || ttft <= limits.TTFT)
		return c, ok
	}
	c, ok := at(top)
	if ok {
		return c
	}
	low, high := 0.01, top
	for range 40 {
		mid := (low + high) / 2
		if got, ok := at(mid); ok {
			low, c = mid, got
		} else {
			high = mid
		}
	}
	return c
}
