package sim

import (
	"fmt"
	"math"
	"testing"
)

func TestMaxRateHoldsAndMoreDoesNot(t *testing.T) {
	for name, limits := range map[string]Limits{
		"both":      {TTFT: 1, TPOT: 0.05},
		"first":     {TTFT: 0.5, Percentile: 0.95},
		"per token": {TPOT: 0.04, Percentile: 0.9},
		"whole":     {E2E: 40},
		"flat out":  {},
	} {
		for _, load := range []Load{poisson(1), loads()["bursts"], loads()["beat"]} {
			for sysName, sys := range systems() {
				t.Run(fmt.Sprintf("%s, %s, cv %g", name, sysName, load.Arrivals.cv), func(t *testing.T) {
					rate, r, err := MaxRate(sys, load, limits)
					if err != nil {
						t.Fatal(err)
					}
					if rate == 0 {
						if sys.Replica.KV > 50_000 && name != "whole" && sys.Replica.Budget > 300 {
							t.Error("nothing holds")
						}
						return
					}
					if !within(r, limits) || !r.Stable {
						t.Errorf("at %g: %+v", rate, r)
					}
					load.Arrivals = load.Arrivals.AtRate(rate * 1.2)
					more, err := Run(sys, load, limits)
					if err != nil {
						t.Fatal(err)
					}
					if within(more, limits) && more.Stable && more.Busy < 0.97 {
						t.Errorf("limits hold at %g, too: %+v", rate*1.2, more)
					}
				})
			}
		}
	}
}

func within(r Result, l Limits) bool {
	p := l.Percentile
	if p == 0 {
		p = 0.99
	}
	ok := func(s Summary, limit float64) bool { return limit == 0 || s.At(p) <= limit }
	return ok(r.TTFT, l.TTFT) && ok(r.TPOT, l.TPOT) && ok(r.E2E, l.E2E)
}

func TestMaxRateOfTheImpossible(t *testing.T) {
	rate, r, err := MaxRate(one(), poisson(1), Limits{TPOT: 0.001})
	if err != nil || rate != 0 {
		t.Fatal(rate, err)
	}
	if !close(r.TPOT.P50, 0.015, 0.05) {
		t.Errorf("a lone request takes %g per token, the step 0.015", r.TPOT.P50)
	}
	if _, _, err := MaxRate(one(), loads()["closed"], Limits{}); err == nil {
		t.Error("a closed loop was given a rate")
	}
}

// What helps does not lower the rate.
func TestMaxRateGrowsWithTheMachine(t *testing.T) {
	limits := Limits{TTFT: 1, TPOT: 0.06}
	rate := func(f func(s *System)) float64 {
		s := one()
		s.Replica.KV = 120_000
		f(&s)
		load := poisson(1)
		load.Requests = 4000
		got, _, err := MaxRate(s, load, limits)
		if err != nil {
			t.Fatal(err)
		}
		return got
	}
	base := rate(func(*System) {})
	for name, f := range map[string]func(s *System){
		"more cache":     func(s *System) { s.Replica.KV *= 2 },
		"faster":         func(s *System) { fast := large; fast.fixed /= 2; s.Replica.Step = fast },
		"two replicas":   func(s *System) { s.Replicas = 2 },
		"shared prefix":  func(s *System) { s.Replica.Prefix = 500 },
		"hits":           func(s *System) { s.Replica.Hit = 0.5 },
		"draft accepted": func(s *System) { s.Replica.Draft = Draft{2, 0.9, 0} },
		"growth":         func(s *System) { s.Replica.Grow, s.Replica.Block = true, 16 },
	} {
		got := rate(f)
		t.Logf("%s: %.3g against %.3g", name, got, base)
		if got < base*0.97 {
			t.Errorf("%s: %g, before %g", name, got, base)
		}
		if name == "two replicas" && got < base*2 {
			t.Errorf("two replicas carry %g, one %g: pooling was lost", got, base)
		}
	}
}

func TestMaxRateDoesNotDependOnTheFirstGuess(t *testing.T) {
	m, err := prepare(one(), poisson(1), Limits{TTFT: 1, TPOT: 0.05})
	if err != nil {
		t.Fatal(err)
	}
	rate, _, _ := MaxRate(one(), poisson(1), Limits{TTFT: 1, TPOT: 0.05})
	m.strict = true
	low, high := 0.1, 20.0
	for range 20 {
		if mid := math.Sqrt(low * high); m.holds(mid) {
			low = mid
		} else {
			high = mid
		}
	}
	if !close(rate, low, 0.03) {
		t.Errorf("%g, by plain bisection %g", rate, low)
	}
}
