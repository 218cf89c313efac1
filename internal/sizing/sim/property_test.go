package sim

import (
	"cmp"
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// constant is a step that always takes the same time.
type constant float64

func (c constant) Time(_, _, _, _ float64) float64 { return float64(c) }

// systems are one of each kind.
func systems() map[string]System {
	change := func(f func(r *Replica)) System {
		s := one()
		f(&s.Replica)
		return s
	}
	grow := func(r *Replica) { r.Grow, r.Block, r.KV = true, 16, 40_000 }
	disaggregated := System{Replicas: 2, Replica: replica(), Prefill: &Prefill{Replicas: 2, Replica: replica(), Transfer: 2e-5}}
	small := disaggregated
	small.Replica.Grow, small.Replica.Block, small.Replica.KV = true, 16, 25_000
	return map[string]System{
		"mixed":              one(),
		"prompts alone":      change(func(r *Replica) { r.Mixed = false }),
		"small budget":       change(func(r *Replica) { r.Budget = 300 }),
		"few sequences":      change(func(r *Replica) { r.Sequences = 40 }),
		"small cache":        change(func(r *Replica) { r.KV, r.Block = 60_000, 32 }),
		"growth":             change(grow),
		"growth, chunks":     change(func(r *Replica) { grow(r); r.Block, r.Budget, r.KV = 1, 256, 20_000 }),
		"growth, alone":      change(func(r *Replica) { grow(r); r.Mixed = false }),
		"stages":             change(func(r *Replica) { r.Stages, r.KV = 4, 100_000 }),
		"stages, growth":     change(func(r *Replica) { grow(r); r.Stages = 2 }),
		"draft":              change(func(r *Replica) { r.Draft = Draft{3, 0.7, 0.002} }),
		"draft, growth":      change(func(r *Replica) { grow(r); r.Draft = Draft{3, 0.7, 0.002} }),
		"prefix":             change(func(r *Replica) { r.Prefix = 600 }),
		"hits":               change(func(r *Replica) { r.Hit = 0.5 }),
		"overhead":           {Replicas: 1, Replica: replica(), Request: 0.02, Token: 5e-6},
		"replicas":           {Replicas: 3, Replica: replica()},
		"disaggregated":      disaggregated,
		"disaggregated, few": small,
	}
}

// loads are one of each kind; most keep a replica busy.
func loads() map[string]Load {
	with := func(a Arrivals, n int) Load {
		return Load{Arrivals: a, Prompt: Lognormal(1000, 0.6).UpTo(8000), Answer: LognormalFromMedian(300, 200).UpTo(4000), Requests: n, Seed: 7}
	}
	return map[string]Load{
		"poisson": with(Poisson(3), 800), "rare": with(Poisson(0.1), 200), "too many": with(Poisson(50), 600),
		"bursts": with(Gamma(3, 2.5), 800), "beat": with(Gamma(3, 0), 500), "closed": with(Closed(48), 0),
		"alone": with(Closed(1), 20),
		"trace": with(FromTrace(&Trace{Times: []float64{0, 0, 0.5, 0.5, 3}, Prompt: []int{900, 1, 5000, 20, 3000}, Answer: []int{1, 300, 20, 1, 2}}), 0),
	}
}

// Everything that came has ended or was refused, in the right order; as many tokens were
// given as asked for; nobody was busy for longer than the run.
func TestConservation(t *testing.T) {
	for sysName, sys := range systems() {
		for loadName, load := range loads() {
			t.Run(sysName+", "+loadName, func(t *testing.T) {
				load.Discard = -1
				m, err := prepare(sys, load, Limits{})
				if err != nil {
					t.Fatal(err)
				}
				checked(t, m, load.Arrivals.rate)
				r := m.result()
				if r.Finished+r.Refused != r.Requests || r.Counted != r.Finished {
					t.Errorf("%d requests, %d ended, %d refused, %d counted", r.Requests, r.Finished, r.Refused, r.Counted)
				}
				for i := range m.pools {
					if m.pools[i].used != 0 {
						t.Errorf("cache %d still holds %g tokens", i, m.pools[i].used)
					}
				}
				if r.PeakKV > 1+1e-9 || r.PeakKV <= 0 || r.Busy > 1+1e-9 || r.PeakRunning > sys.Replica.Sequences {
					t.Errorf("%+v", r)
				}
			})
		}
	}
}

// checked runs, counts again now and then, and looks at each request.
func checked(t rapid.TB, m *machine, rate float64) {
	t.Helper()
	m.reset(rate)
	for n := 0; m.next(); n++ {
		if n%8 != 0 {
			continue
		}
		if err := audit(m); err != nil {
			t.Fatal(err)
		}
	}
	var inOrder []*request
	for i := range m.requests {
		q := &m.requests[i]
		if q.last == 0 {
			continue
		}
		if q.ready < q.arrival || q.admit < q.ready || q.first <= q.admit || q.last < q.first {
			t.Fatalf("request %d: %+v", i, q)
		}
		if q.answer > 1 && q.last <= q.first {
			t.Fatalf("request %d ends at its first token: %+v", i, q)
		}
		if len(m.schedulers) == 1 {
			inOrder = append(inOrder, q)
		}
	}
	slices.SortStableFunc(inOrder, func(a, b *request) int { return cmp.Compare(a.ready, b.ready) })
	for i := 1; i < len(inOrder); i++ {
		if inOrder[i].admit < inOrder[i-1].admit {
			t.Fatalf("%+v was admitted before %+v", inOrder[i], inOrder[i-1])
		}
	}
}

func TestTokensAreThoseAskedFor(t *testing.T) {
	for name, sys := range systems() {
		if sys.Replica.Draft.Length > 0 || sys.Prefill != nil {
			continue
		}
		t.Run(name, func(t *testing.T) {
			load := loads()["closed"]
			m, err := prepare(sys, load, Limits{})
			if err != nil {
				t.Fatal(err)
			}
			m.run(0)
			want := 0
			for i := range m.requests {
				if m.requests[i].last > 0 {
					want += int(m.requests[i].answer)
				}
			}
			if !close(m.output, float64(want), 1e-9) {
				t.Errorf("%g tokens given, %d asked for", m.output, want)
			}
		})
	}
}

func TestSameSeedSameResult(t *testing.T) {
	for sysName, sys := range systems() {
		load := loads()["bursts"]
		a, _ := Run(sys, load, Limits{TTFT: 1})
		b, _ := Run(sys, load, Limits{TTFT: 1})
		load.Seed++
		c, _ := Run(sys, load, Limits{TTFT: 1})
		if a != b {
			t.Errorf("%s: the same seed gives\n%+v\n%+v", sysName, a, b)
		}
		if a.TTFT == c.TTFT {
			t.Errorf("%s: another seed gives the same", sysName)
		}
	}
}

func TestPercentilesAreInOrder(t *testing.T) {
	for sysName, sys := range systems() {
		for loadName, load := range loads() {
			r, err := Run(sys, load, Limits{})
			if err != nil {
				t.Fatal(err)
			}
			for what, s := range map[string]Summary{"wait": r.Wait, "ttft": r.TTFT, "tpot": r.TPOT, "e2e": r.E2E} {
				if !(s.P50 <= s.P90 && s.P90 <= s.P95 && s.P95 <= s.P99) {
					t.Errorf("%s, %s: %s %+v", sysName, loadName, what, s)
				}
			}
		}
	}
}

// One sequence at a time with constant steps is M/G/1: the mean wait is that of Pollaczek and
// Khinchine, rate·E[S²] / (2·(1 - rate·E[S])).
func TestPollaczekKhinchine(t *testing.T) {
	const step = 0.01
	for _, sigma := range []float64{0, 0.8} {
		for _, busy := range []float64{0.3, 0.6, 0.8} {
			t.Run(fmt.Sprintf("sigma %g, busy %g", sigma, busy), func(t *testing.T) {
				r := Replica{Step: constant(step), Budget: 100, Sequences: 1, KV: 1 << 20, Mixed: true}
				load := Load{Prompt: Fixed(10), Answer: Lognormal(100, sigma), Requests: 200_000, Seed: 3, Discard: -1}
				service, square := 0.0, 0.0
				load.Answer.draw(load.Seed, streamAnswers, func(_, tokens int) {
					s := step * float64(tokens)
					service, square = service+s/200_000, square+s*s/200_000
				}, 200_000)
				rate := busy / service
				load.Arrivals = Poisson(rate)
				got, err := Run(System{Replicas: 1, Replica: r}, load, Limits{})
				if err != nil {
					t.Fatal(err)
				}
				want := rate * square / (2 * (1 - rate*service))
				if !close(got.Wait.Mean, want, 0.08) { // its standard error is 1 to 4 %
					t.Errorf("mean wait %g, theory says %g", got.Wait.Mean, want)
				}
				if !close(got.Busy, busy, 0.02) {
					t.Errorf("busy %g, theory says %g", got.Busy, busy)
				}
			})
		}
	}
}

func TestMoreLoadWaitsLonger(t *testing.T) {
	for sysName, sys := range systems() {
		for _, cv := range []float64{0.5, 1, 2} {
			before := Result{}
			for rate := 0.25; rate < 20; rate *= 1.5 {
				load := loads()["poisson"]
				load.Arrivals = Gamma(rate, cv)
				load.Discard = -1
				r, err := Run(sys, load, Limits{})
				if err != nil {
					t.Fatal(err)
				}
				// A step's length of chance: who arrives just before a step waits less.
				if r.Wait.Mean < before.Wait.Mean*0.97-0.005 || r.E2E.Mean < before.E2E.Mean*0.97 {
					t.Errorf("%s, variation %g: at %.3g mean wait %.4g and whole time %.4g, at less load %.4g and %.4g",
						sysName, cv, rate, r.Wait.Mean, r.E2E.Mean, before.Wait.Mean, before.E2E.Mean)
				}
				before = r
			}
		}
	}
}

func TestMoreReplicasAreNeverWorse(t *testing.T) {
	for _, load := range []Load{loads()["poisson"], loads()["bursts"], loads()["too many"]} {
		before := Result{}
		for n := 1; n <= 32; n *= 2 {
			r, err := Run(System{Replicas: n, Replica: replica()}, load, Limits{TTFT: 0.5, TPOT: 0.04})
			if err != nil {
				t.Fatal(err)
			}
			if n > 1 && (r.TTFT.Mean > before.TTFT.Mean*1.02 || r.TPOT.Mean > before.TPOT.Mean*1.02 || r.Goodput < before.Goodput-0.01) {
				t.Errorf("%d replicas: %+v\nhalf of them: %+v", n, r, before)
			}
			before = r
		}
	}
}

// Nothing is allocated while events happen.
func TestRunsDoNotAllocate(t *testing.T) {
	for name, sys := range systems() {
		m, err := prepare(sys, loads()["bursts"], Limits{TTFT: 1})
		if err != nil {
			t.Fatal(err)
		}
		m.run(3) // lets the heaps grow
		if n := testing.AllocsPerRun(2, func() { m.run(3) }); n > 0 {
			t.Errorf("%s: %g allocations", name, n)
		}
	}
}

// Any system ends with everything served or refused.
func FuzzRun(f *testing.F) {
	f.Add(uint64(1), uint16(2048), uint16(64), uint32(20_000), uint8(0), uint8(1), uint8(0), uint16(0), uint16(500), uint16(100), uint8(20))
	f.Add(uint64(2), uint16(1), uint16(1), uint32(300), uint8(3), uint8(3), uint8(7), uint16(100), uint16(50), uint16(40), uint8(200))
	f.Add(uint64(3), uint16(300), uint16(9), uint32(2000), uint8(7), uint8(2), uint8(3), uint16(10), uint16(200), uint16(300), uint8(90))
	f.Fuzz(func(t *testing.T, seed uint64, budget, sequences uint16, kv uint32, kind, stages, draft uint8, prefix, prompt, answer uint16, rate uint8) {
		r := Replica{
			Step: large, Budget: int(budget), Sequences: int(sequences), KV: int(kv % 1_000_000), Mixed: kind&1 > 0, Grow: kind&2 > 0,
			Block: int(kind >> 4), Stages: int(stages % 9), Prefix: int(prefix), Hit: float64(seed%10) / 20,
			Draft: Draft{Length: int(draft % 9), Acceptance: float64(seed%9) / 10},
		}
		s := System{Replicas: 1 + int(seed%3), Replica: r}
		if kind&4 > 0 {
			s.Prefill = &Prefill{Replicas: 1 + int(seed%2), Replica: r, Transfer: 1e-5}
		}
		load := Load{
			Arrivals: Gamma(float64(rate)+0.1, float64(seed%4)), Requests: 60, Seed: seed,
			Prompt: Lognormal(float64(prompt), 0.8), Answer: Lognormal(float64(answer), 0.8),
		}
		if kind&8 > 0 {
			load.Arrivals = Closed(1 + int(rate))
		}
		m, err := prepare(s, load, Limits{TTFT: 1})
		if err != nil {
			t.Skip()
		}
		checked(t, m, load.Arrivals.rate)
		got := m.result()
		if got.Finished+got.Refused != 60 || got.PeakKV > 1+1e-9 || got.Busy > 1 || got.PeakRunning > int(sequences) {
			t.Errorf("%+v\n%+v\n%+v", r, got, m.pools)
		}
		for i := range m.pools {
			if m.pools[i].used != 0 || m.pools[i].running != 0 {
				t.Errorf("%+v is left of %+v", m.pools[i], r)
			}
		}
	})
}
