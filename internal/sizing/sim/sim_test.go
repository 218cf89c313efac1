package sim

import (
	"math"
	"testing"
)

// linear is a step time of the form of a 70B model on two GPUs: fixed, per token, per pair,
// per sequence and per token of context.
type linear struct{ fixed, token, pair, sequence, context float64 }

func (l linear) Time(prompt, pairs, sequences, context float64) float64 {
	return l.fixed + l.token*(prompt+sequences) + l.pair*pairs + l.sequence*sequences + l.context*context
}

// large is about a 70B model in FP8 on two H100.
var large = linear{fixed: 0.015, token: 1.0e-4, pair: 2e-9, sequence: 7e-6, context: 3.0e-8}

func replica() Replica {
	return Replica{Step: large, Budget: 2048, Sequences: 256, KV: 400_000, Mixed: true}
}

func one() System { return System{Replicas: 1, Replica: replica()} }

func poisson(rate float64) Load {
	return Load{Arrivals: Poisson(rate), Prompt: Lognormal(1000, 0.5), Answer: Lognormal(500, 0.5), Seed: 1}
}

func close(got, want, share float64) bool { return math.Abs(got-want) <= share*math.Abs(want) }

// A lone request is arithmetic: its prompt in steps of the budget, then one step per token.
func TestLoneRequest(t *testing.T) {
	lone := func(s System, prompt, answer int) Result {
		t.Helper()
		r, err := ClosedLoop(s, 1, 1, Fixed(prompt), Fixed(answer), 1)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	decode := func(prompt, answer, width float64) float64 { // contexts prompt+1 to prompt+answer-1
		return large.Time(0, 0, width, prompt+answer/2)
	}
	read := func(tokens, past float64) float64 { return large.Time(tokens, tokens*(past+(tokens+1)/2), 0, 0) }

	r := lone(one(), 5000, 201)
	if want := read(2048, 0) + read(2048, 2048) + read(904, 4096); !close(r.TTFT.Mean, want, 1e-9) {
		t.Errorf("three chunks: first token after %g, want %g", r.TTFT.Mean, want)
	}
	if want := decode(5000, 201, 1); !close(r.TPOT.Mean, want, 1e-9) || !close(r.E2E.Mean, r.TTFT.Mean+200*want, 1e-9) {
		t.Errorf("%g per token, want %g", r.TPOT.Mean, want)
	}
	s := one()
	s.Request, s.Token = 0.02, 1e-5
	s.Replica.Prefix = 300
	if r, want := lone(s, 1000, 1), 0.03+read(700, 300); !close(r.TTFT.Mean, want, 1e-9) || r.TPOT.N != 0 {
		t.Errorf("prefix and overhead: %g, want %g; %+v", r.TTFT.Mean, want, r.TPOT)
	}
	s = one()
	s.Replica.Hit = 0.25
	if r, want := lone(s, 1000, 2), read(750, 250); !close(r.TTFT.Mean, want, 1e-9) {
		t.Errorf("hits: %g, want %g", r.TTFT.Mean, want)
	}
	s = one()
	s.Replica.Draft = Draft{Length: 2, Acceptance: 0.5, Seconds: 0.003} // 1.75 tokens per step
	if r, want := lone(s, 1000, 176), (decode(1000, 176, 3)+0.003)/1.75; !close(r.TPOT.Mean, want, 1e-4) {
		t.Errorf("draft: %g per token, want %g", r.TPOT.Mean, want)
	}
	s = System{Replicas: 1, Replica: replica(), Prefill: &Prefill{Replicas: 1, Replica: replica(), Transfer: 2e-5}}
	if r, want := lone(s, 1000, 101), read(1000, 0)+0.02; !close(r.TTFT.Mean, want, 1e-9) || !close(r.TPOT.Mean, decode(1000, 101, 1), 1e-9) {
		t.Errorf("disaggregated: first token after %g, want %g; %g per token", r.TTFT.Mean, want, r.TPOT.Mean)
	}
}

// Users who start at once are read together as far as the budget goes, then decode together.
func TestClosedLoopStartsAtOnce(t *testing.T) {
	r, err := ClosedLoop(one(), 4, 4, Fixed(1000), Fixed(101), 1)
	if err != nil {
		t.Fatal(err)
	}
	// Two whole prompts and 48 tokens of the third are in the first step.
	if r.TTFT.N != 4 || !(r.TTFT.P50 < r.TTFT.P90) || r.PeakRunning != 4 {
		t.Errorf("%+v", r)
	}
	step := large.Time(2048, 2*1000*1001/2+48*49/2, 0, 0)
	if !close(r.TTFT.P50, step, 1e-9) {
		t.Errorf("the first two prompts take %g, want %g", r.TTFT.P50, step)
	}
	alone := one()
	alone.Replica.Mixed = false
	r, _ = ClosedLoop(alone, 4, 4, Fixed(1000), Fixed(101), 1)
	read := large.Time(2000, 2*1000*1001/2, 0, 0)
	if !close(r.TTFT.P50, read, 1e-9) || !close(r.TTFT.P99, 2*read, 1e-9) {
		t.Errorf("prompts alone, two at a time: %+v, want %g and twice that", r.TTFT, read)
	}
	if want := (read*2 + 400*large.Time(0, 0, 4, 4*1050.5)/4); !close(r.E2E.P99, want, 0.01) {
		t.Errorf("all end after %g, want %g", r.E2E.P99, want)
	}
	if want := 4 * 101 / r.Horizon; !close(r.OutputRate, want, 1e-9) {
		t.Errorf("%g tokens per second, want %g", r.OutputRate, want)
	}
}

// With a ramp the users start one after the other; the inclusive time per token has the first.
func TestRamp(t *testing.T) {
	load := Load{Arrivals: Closed(4).Ramp(40), Prompt: Fixed(1000), Answer: Fixed(101), Requests: 4}
	r, err := Run(one(), load, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	read, decode := large.Time(1000, 1000*1001/2, 0, 0), 100*large.Time(0, 0, 1, 1050.5)
	if r.PeakRunning != 1 || !close(r.TTFT.P99, read, 1e-9) || !close(r.Horizon, 30+read+decode, 1e-9) {
		t.Errorf("%+v", r)
	}
	if !close(r.PerToken.Mean, (read+decode)/101, 1e-9) || !close(r.TPOT.Mean, decode/100, 1e-9) {
		t.Errorf("per token %g, after the first %g", r.PerToken.Mean, r.TPOT.Mean)
	}
}

// A long prompt weighs more than several short ones.
func TestRoutingCountsTokens(t *testing.T) {
	s := one()
	s.Replicas = 2
	trace := &Trace{Times: []float64{0, 0.001, 0.002, 0.003}, Prompt: []int{4000, 100, 100, 100}, Answer: []int{50, 50, 50, 50}}
	m, err := prepare(s, Load{Arrivals: FromTrace(trace), Discard: -1}, Limits{})
	if err != nil {
		t.Fatal(err)
	}
	m.run(m.load.Arrivals.rate)
	if q := m.requests; q[1].home == q[0].home || q[2].home != q[1].home || q[3].home != q[1].home {
		t.Errorf("at %d, %d, %d, %d", q[0].home, q[1].home, q[2].home, q[3].home)
	}
}

func TestWhatCannotBeServedIsRefused(t *testing.T) {
	s := one()
	s.Replica.KV = 1500
	r, err := Run(s, Load{Arrivals: Poisson(1), Prompt: Empirical([]int{100, 2000}), Answer: Fixed(10), Requests: 1000, Discard: -1}, Limits{TTFT: 1})
	if err != nil {
		t.Fatal(err)
	}
	if r.Refused != 500 || r.Finished != 500 || !close(r.Goodput, 0.5, 1e-9) {
		t.Errorf("%+v", r)
	}
	r, err = ClosedLoop(s, 3, 9, Fixed(2000), Fixed(10), 1)
	if err != nil || r.Refused != 9 || r.Finished != 0 || r.OutputRate != 0 {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestLengths(t *testing.T) {
	const n = 4000
	for name, c := range map[string]struct {
		l            Lengths
		mean, median float64
	}{
		"fixed":     {Fixed(128), 128, 128},
		"uniform":   {Uniform(800, 1000), 900, 900},
		"lognormal": {Lognormal(1000, 0.75), 1000, 1000 * math.Exp(-0.75*0.75/2)},
		"median":    {LognormalFromMedian(222, 152), 222, 152},
		"above":     {LognormalFromMedian(100, 120), 100, 100},
		"empirical": {Empirical([]int{9, 1, 1, 1}), 3, 1},
		"cut":       {Lognormal(1000, 2).UpTo(100), 0, 100},
	} {
		t.Run(name, func(t *testing.T) {
			sum, least, most := 0.0, math.MaxInt, 0
			c.l.draw(1, streamAnswers, func(_, tokens int) {
				sum += float64(tokens) / n
				least, most = min(least, tokens), max(most, tokens)
			}, n)
			if c.mean > 0 && !close(sum, c.mean, 0.01) || !close(float64(c.l.At(0.5)), c.median, 0.01) {
				t.Errorf("mean %g, median %d", sum, c.l.At(0.5))
			}
			if least < 1 || c.l.most > 0 && most > c.l.most {
				t.Errorf("from %d to %d", least, most)
			}
		})
	}
}

func TestArrivals(t *testing.T) {
	for _, cv := range []float64{0, 0.5, 1, 2, 3} {
		times := make([]float64, 50_000)
		Gamma(1, cv).units(5, times)
		square, before := 0.0, 0.0
		for _, at := range times {
			if at < before {
				t.Fatal("time goes back")
			}
			square += (at - before) * (at - before) / float64(len(times))
			before = at
		}
		if !close(before, float64(len(times)), 1e-9) || math.Abs(math.Sqrt(max(0, square-1))-cv) > 0.03*cv+1e-6 {
			t.Errorf("variation %g: the last at %g, variation %g", cv, before, math.Sqrt(square-1))
		}
	}
}

func TestInputsThatMakeNoSense(t *testing.T) {
	for name, f := range map[string]func(*System, *Load, *Limits){
		"no step":          func(s *System, _ *Load, _ *Limits) { s.Replica.Step = nil },
		"no replicas":      func(s *System, _ *Load, _ *Limits) { s.Replicas = 0 },
		"no budget":        func(s *System, _ *Load, _ *Limits) { s.Replica.Budget = 0 },
		"cache too small":  func(s *System, _ *Load, _ *Limits) { s.Replica.KV, s.Replica.Prefix = 10, 10 },
		"all hits":         func(s *System, _ *Load, _ *Limits) { s.Replica.Hit = 1 },
		"sure acceptance":  func(s *System, _ *Load, _ *Limits) { s.Replica.Draft = Draft{1, 1, 0} },
		"NaN overhead":     func(s *System, _ *Load, _ *Limits) { s.Request = math.NaN() },
		"empty prefill":    func(s *System, _ *Load, _ *Limits) { s.Prefill = &Prefill{} },
		"too many":         func(s *System, _ *Load, _ *Limits) { s.Replicas, s.Replica.Stages = 1000, 2 },
		"no arrivals":      func(_ *System, l *Load, _ *Limits) { l.Arrivals = Arrivals{} },
		"rate 0":           func(_ *System, l *Load, _ *Limits) { l.Arrivals = Poisson(0) },
		"rate NaN":         func(_ *System, l *Load, _ *Limits) { l.Arrivals = Poisson(math.NaN()) },
		"no users":         func(_ *System, l *Load, _ *Limits) { l.Arrivals = Closed(0) },
		"ramp NaN":         func(_ *System, l *Load, _ *Limits) { l.Arrivals = Closed(1).Ramp(math.NaN()) },
		"no trace":         func(_ *System, l *Load, _ *Limits) { l.Arrivals = FromTrace(nil) },
		"no lengths":       func(_ *System, l *Load, _ *Limits) { l.Prompt = Lengths{} },
		"empty values":     func(_ *System, l *Load, _ *Limits) { l.Answer = Empirical(nil) },
		"value 0":          func(_ *System, l *Load, _ *Limits) { l.Answer = Empirical([]int{0, 50}) },
		"too many tokens":  func(_ *System, l *Load, _ *Limits) { l.Answer = Fixed(1 << 30) },
		"too many request": func(_ *System, l *Load, _ *Limits) { l.Requests = maxRequests + 1 },
		"discards all":     func(_ *System, l *Load, _ *Limits) { l.Discard = 0.9 },
		"negative limit":   func(_ *System, _ *Load, x *Limits) { x.TTFT = -1 },
		"percentile 1":     func(_ *System, _ *Load, x *Limits) { x.Percentile = 1 },
	} {
		s, l, x := one(), poisson(1), Limits{}
		f(&s, &l, &x)
		if _, err := Run(s, l, x); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

func BenchmarkPoisson(b *testing.B) {
	b.ReportAllocs()
	var r Result
	for b.Loop() {
		r, _ = Run(one(), poisson(4), Limits{})
	}
	b.ReportMetric(float64(r.Steps), "steps")
	b.ReportMetric(r.MeanRunning, "sequences")
}

func BenchmarkMaxRate(b *testing.B) {
	b.ReportAllocs()
	var rate float64
	for b.Loop() {
		rate, _, _ = MaxRate(one(), poisson(1), Limits{TTFT: 1, TPOT: 0.05})
	}
	b.ReportMetric(rate, "requests/s")
}

func BenchmarkReplicas(b *testing.B) {
	s := one()
	s.Replicas = 64
	for b.Loop() {
		_, _ = Run(s, poisson(256), Limits{})
	}
}

func BenchmarkClosedLoop(b *testing.B) {
	for b.Loop() {
		_, _ = ClosedLoop(one(), 64, 0, Fixed(1000), Fixed(1000), 1)
	}
}
