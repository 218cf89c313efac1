package sim

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"
)

// drawReplica draws a replica that serves most requests of drawLoad.
func drawReplica(t *rapid.T, name string) Replica {
	r := Replica{
		Step:      rapid.SampledFrom([]Step{large, bent{}, constant(0.01)}).Draw(t, name+" step"),
		Budget:    rapid.SampledFrom([]int{1, 7, 64, 512, 2048, 8192}).Draw(t, name+" budget"),
		Sequences: rapid.SampledFrom([]int{1, 2, 9, 64, 1024}).Draw(t, name+" sequences"),
		KV:        rapid.IntRange(400, 20_000).Draw(t, name+" cache"),
		Mixed:     rapid.Bool().Draw(t, name+" mixed"),
		Grow:      rapid.Bool().Draw(t, name+" grow"),
		Block:     rapid.SampledFrom([]int{0, 1, 16, 32}).Draw(t, name+" block"),
		Stages:    rapid.IntRange(0, 4).Draw(t, name+" stages"),
		Prefix:    rapid.SampledFrom([]int{0, 0, 50, 300}).Draw(t, name+" prefix"),
		Hit:       rapid.SampledFrom([]float64{0, 0, 0.3, 0.9}).Draw(t, name+" hit"),
	}
	if rapid.Bool().Draw(t, name+" drafts") {
		r.Draft = Draft{rapid.IntRange(1, 5).Draw(t, name+" draft"), rapid.Float64Range(0, 0.95).Draw(t, name+" acceptance"), 0.001}
	}
	return r
}

func drawSystem(t *rapid.T) System {
	s := System{Replicas: rapid.IntRange(1, 4).Draw(t, "replicas"), Replica: drawReplica(t, "replica")}
	if rapid.Bool().Draw(t, "overheads") {
		s.Request, s.Token = 0.02, 1e-5
	}
	if rapid.Bool().Draw(t, "disaggregated") {
		s.Prefill = &Prefill{Replicas: rapid.IntRange(1, 3).Draw(t, "prefill replicas"), Replica: drawReplica(t, "prefill"), Transfer: 2e-5}
	}
	return s
}

func drawLoad(t *rapid.T) Load {
	l := Load{
		Prompt:   rapid.SampledFrom([]Lengths{Fixed(1), Fixed(200), Uniform(50, 600), Lognormal(200, 1).UpTo(3000)}).Draw(t, "prompt"),
		Answer:   rapid.SampledFrom([]Lengths{Fixed(1), Fixed(60), Uniform(1, 120), Lognormal(60, 1).UpTo(900)}).Draw(t, "answer"),
		Requests: rapid.IntRange(1, 90).Draw(t, "requests"), Seed: rapid.Uint64().Draw(t, "seed"), Discard: -1,
	}
	if rapid.Bool().Draw(t, "closed") {
		l.Arrivals = Closed(rapid.IntRange(1, 40).Draw(t, "users")).Ramp(rapid.SampledFrom([]float64{0, 0, 3}).Draw(t, "ramp"))
	} else {
		l.Arrivals = Gamma(rapid.Float64Range(0.1, 60).Draw(t, "rate"), rapid.SampledFrom([]float64{0, 0.5, 1, 3}).Draw(t, "variation"))
	}
	return l
}

// audit counts a running system again from its requests.
func audit(m *machine) error {
	held := make([]float64, len(m.pools))
	waiting, running, away := 0, 0, 0
	for i := range m.pools {
		n := 0
		for id := m.pools[i].waiting.head; id != none; id = m.requests[id].next {
			n++
		}
		if n != m.pools[i].waiting.n {
			return fmt.Errorf("replica %d: %d wait, %d counted", i, n, m.pools[i].waiting.n)
		}
		waiting += n
	}
	for i := range m.schedulers {
		s := &m.schedulers[i]
		decoding, context := map[int32]bool{}, 0.0
		for _, e := range s.endings {
			q := &m.requests[e.id]
			decoding[e.id] = true
			context += float64(q.prompt+q.done) + s.decoded(q)
			if s.r.Grow {
				held[s.pool] += s.decoded(q)
			}
		}
		n, unread := 0, 0
		for id := s.running.head; id != none; id = m.requests[id].next {
			q := &m.requests[id]
			n++
			held[s.pool] += q.held
			if !decoding[id] {
				unread += int(q.left)
			}
		}
		if s.steps > 0 {
			held[s.pool] += s.grown
		}
		if n != s.running.n || n > s.r.Sequences || unread != s.unread || math.Abs(context-s.context) > 1e-6*(1+context) {
			return fmt.Errorf("scheduler %d: %d running, %d unread, context %g; counted %d, %d, %g", i, n, unread, context, s.running.n, s.unread, s.context)
		}
		running += n
	}
	for i := range m.requests {
		if q := &m.requests[i]; q.phase == moving {
			away++
			held[m.schedulers[q.home].pool] += q.held
		}
	}
	for i := range m.pools {
		p := &m.pools[i]
		if math.Abs(held[i]-p.used) > 1e-6*(1+held[i]) || p.used > p.capacity+1e-6 {
			return fmt.Errorf("cache %d holds %g tokens, counted %g of %g", i, held[i], p.used, p.capacity)
		}
	}
	if got := waiting + running + away + m.finished + m.refused; got != m.arrived {
		return fmt.Errorf("%d wait, %d run, %d move, %d ended, %d refused; %d came", waiting, running, away, m.finished, m.refused, m.arrived)
	}
	return nil
}

// At every event, who came waits, runs, moves or has ended, and the cache holds what its requests
// hold and never more than it has room for.
func TestConservationAtEveryEvent(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		sys, load := drawSystem(rt), drawLoad(rt)
		m, err := prepare(sys, load, Limits{})
		if err != nil {
			rt.Skip(err)
		}
		m.exact = rapid.Bool().Draw(rt, "one by one")
		m.reset(load.Arrivals.rate)
		for m.next() {
			if err := audit(m); err != nil {
				rt.Fatal(err)
			}
		}
		r := m.result()
		if r.Finished+r.Refused != r.Requests || r.PeakKV > 1+1e-9 || r.Busy > 1 || r.Horizon < 0 {
			rt.Fatalf("%+v", r)
		}
		for i := range m.pools {
			if p := &m.pools[i]; p.used != 0 || p.outstanding != 0 {
				rt.Fatalf("left behind: %+v", *p)
			}
		}
		for what, s := range map[string]Summary{"wait": r.Wait, "ttft": r.TTFT, "tpot": r.TPOT, "e2e": r.E2E, "per token": r.PerToken} {
			if !(0 <= s.P50 && s.P50 <= s.P90 && s.P90 <= s.P95 && s.P95 <= s.P99) || math.IsNaN(s.Mean) {
				rt.Fatalf("%s: %+v", what, s)
			}
		}
		again, err := Run(sys, load, Limits{})
		if err != nil || !m.exact && again != r {
			rt.Fatalf("the same seed gives\n%+v\n%+v, %v", r, again, err)
		}
	})
}

// Each request waits, is read, decodes and ends in this order, first come, first admitted.
func TestOrderOfEachRequest(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		load := drawLoad(rt)
		m, err := prepare(drawSystem(rt), load, Limits{})
		if err != nil {
			rt.Skip(err)
		}
		checked(rt, m, load.Arrivals.rate)
	})
}
