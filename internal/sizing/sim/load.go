package sim

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// The limits of a load.
const (
	maxRequests = 200_000
	maxTokens   = 1 << 22 // of a prompt or an answer
	maxUsers    = 100_000
)

// defaultRequests is how many requests are simulated when nothing is stated. With it, the p95
// of TTFT varies by 6 % from seed to seed, the p99 by 11 % (sizing method, section 5).
const defaultRequests = 2000

// Load is what users ask for.
type Load struct {
	Arrivals Arrivals
	Prompt   Lengths // tokens; a trace with lengths overrides both
	Answer   Lengths
	Requests int    // simulated, 1 to 200,000; 0: 2,000 (MaxRate: more for large batches), ten per user of a closed loop, all of a trace
	Seed     uint64 // the same seed, the same result
	// Discard is the share of requests, from the first, that start the system up and are not
	// counted, 0 to 0.5. Zero discards a tenth under open arrivals and nothing in a closed loop,
	// as benchmarks do; negative discards nothing. Open arrivals discard more, up to half, until
	// half of what came has ended.
	Discard float64
}

type arrivalKind uint8

const (
	arrivalsGamma arrivalKind = iota + 1
	arrivalsClosed
	arrivalsTrace
)

// Arrivals is when requests come. Its zero value is none and refused.
type Arrivals struct {
	kind  arrivalKind
	rate  float64
	cv    float64
	users int
	ramp  float64
	trace *Trace
}

// Poisson is independent arrivals at a rate in requests per second, above 0.
func Poisson(rate float64) Arrivals { return Gamma(rate, 1) }

// Gamma is arrivals at a rate in requests per second whose gaps are gamma distributed with a
// coefficient of variation, 0 to 10: 0 is a steady beat, 1 Poisson, 2 to 3 bursts.
func Gamma(rate, cv float64) Arrivals { return Arrivals{kind: arrivalsGamma, rate: rate, cv: cv} }

// Closed is a number of users, 1 to 100,000, who all start at once and send the next request
// when the last is answered.
func Closed(users int) Arrivals { return Arrivals{kind: arrivalsClosed, users: users} }

// Ramp lets the users of a closed loop start one after the other, evenly over seconds, 0 to
// 86,400. Open arrivals stay as they are.
func (a Arrivals) Ramp(seconds float64) Arrivals {
	a.ramp = seconds
	return a
}

// FromTrace is the arrivals of a trace, and its lengths where it has them.
func FromTrace(t *Trace) Arrivals {
	a := Arrivals{kind: arrivalsTrace, trace: t}
	if t != nil && len(t.Times) > 1 && t.Times[len(t.Times)-1] > 0 {
		a.rate = float64(len(t.Times)-1) / t.Times[len(t.Times)-1]
	}
	return a
}

// Rate returns requests per second, for a trace their mean; 0 for a closed loop.
func (a Arrivals) Rate() float64 { return a.rate }

// AtRate returns the same arrivals, faster or slower. A closed loop has no rate and stays.
func (a Arrivals) AtRate(rate float64) Arrivals {
	a.rate = rate
	return a
}

func (a Arrivals) check() error {
	switch a.kind {
	case arrivalsGamma:
		if !(a.rate > 0 && a.rate <= 1e6) || !(a.cv >= 0 && a.cv <= 10) {
			return fmt.Errorf("sim: arrivals at rate %g with variation %g", a.rate, a.cv)
		}
	case arrivalsClosed:
		if a.users < 1 || a.users > maxUsers || !(a.ramp >= 0 && a.ramp <= 86_400) {
			return fmt.Errorf("sim: %d users over %g seconds", a.users, a.ramp)
		}
	case arrivalsTrace:
		if a.trace == nil || len(a.trace.Times) < 2 || !(a.rate > 0 && a.rate <= 1e6) {
			return errors.New("sim: a trace needs two arrivals at different times")
		}
		return a.trace.check()
	default:
		return errors.New("sim: no arrivals")
	}
	return nil
}

// units fills arrival times in units of the mean gap.
func (a Arrivals) units(seed uint64, times []float64) {
	if a.kind == arrivalsTrace {
		natural := FromTrace(a.trace).rate
		for i := range times {
			times[i] = a.trace.Times[i] * natural
		}
		return
	}
	r, t := source(seed, streamGaps), 0.0
	for i := range times {
		gap, one := 1.0, r.at(i)
		switch a.cv {
		case 0:
		case 1:
			gap = one.exponential()
		default:
			gap = one.gamma(a.cv)
		}
		t += gap
		times[i] = t
	}
	for i := range times { // as many requests in this time as the rate says
		times[i] *= float64(len(times)) / t
	}
}

// Lengths is a distribution of token counts. Its zero value is none and refused.
type Lengths struct {
	mean   float64
	sigma  float64
	width  float64 // of a uniform distribution, as a share of the mean
	most   int
	values []int
}

// Fixed is always the same number of tokens, 1 or more.
func Fixed(tokens int) Lengths { return Lengths{mean: float64(tokens)} }

// Uniform is every number of tokens between two, each as likely: what load generators send that
// are given a length and a range.
func Uniform(from, to int) Lengths {
	mean := float64(from+to) / 2
	return Lengths{mean: mean, width: float64(to-from) / mean}
}

// Lognormal is a mean in tokens and the standard deviation of the logarithm, 0 to 3.
func Lognormal(mean, sigma float64) Lengths { return Lengths{mean: mean, sigma: sigma} }

// LognormalFromMedian is a mean and a median in tokens: sigma² = 2·ln(mean/median). A median
// above the mean gives the fixed mean.
func LognormalFromMedian(mean, median float64) Lengths {
	l := Lengths{mean: mean}
	if median > 0 && median < mean {
		l.sigma = SigmaFromMedian(mean, median)
	}
	return l
}

// SigmaFromMedian returns the standard deviation of the logarithm of a lognormal with a mean and
// a smaller median, both above 0.
func SigmaFromMedian(mean, median float64) float64 { return math.Sqrt(2 * math.Log(mean/median)) }

// Empirical draws from the given token counts, each as likely as its share.
func Empirical(values []int) Lengths {
	l := Lengths{values: slices.Sorted(slices.Values(values))}
	for _, v := range values {
		l.mean += float64(v) / float64(len(values))
	}
	return l
}

// UpTo returns the distribution cut at a most, in tokens: what is longer has that length.
func (l Lengths) UpTo(most int) Lengths {
	l.most = most
	return l
}

// Mean returns tokens, before the cut.
func (l Lengths) Mean() float64 { return l.mean }

func (l Lengths) check(what string) error {
	if !(l.mean >= 1 && l.mean <= maxTokens) || !(l.sigma >= 0 && l.sigma <= 3) || !(l.width >= 0 && l.width <= 2) || l.most < 0 {
		return fmt.Errorf("sim: %s of %g tokens, sigma %g, width %g, at most %d", what, l.mean, l.sigma, l.width, l.most)
	}
	if n := len(l.values); n > 0 && (l.values[0] < 1 || l.values[n-1] > maxTokens) {
		return fmt.Errorf("sim: %s of %d to %d tokens", what, l.values[0], l.values[n-1])
	}
	return nil
}

// At returns the length that a share p, inside (0, 1), of all requests does not exceed.
func (l Lengths) At(p float64) int {
	most := maxTokens
	if l.most > 0 {
		most = min(l.most, maxTokens)
	}
	if n := len(l.values); n > 0 {
		return min(l.values[min(int(p*float64(n)), n-1)], most)
	}
	x := l.mean * (1 + l.width*(p-0.5))
	if l.sigma > 0 {
		x *= math.Exp(l.sigma*normalQuantile(p) - l.sigma*l.sigma/2)
	}
	return max(1, int(math.Min(math.Round(x), float64(most))))
}

// draw sets one length per request. Each n-th of the distribution is drawn from once, in random
// order, so that a sample has the mean of its distribution (Latin hypercube sampling: McKay,
// Beckman, Conover, Technometrics 21, 1979).
func (l Lengths) draw(seed, stream uint64, set func(i, tokens int), n int) {
	r := source(seed, stream)
	order := make([]int32, n)
	for i := range order {
		j := int(r.unit() * float64(i+1))
		order[i] = order[j]
		order[j] = int32(i)
	}
	for i, part := range order {
		set(i, l.At((float64(part)+r.unit())/float64(n)))
	}
}
