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

// large is about a 70B model in FP8 on two H100: 15 ms to read the weights, 70 TFLOP per
// thousand tokens, 164 KB of cache per token.
var large = linear{fixed: 0.015, token: 1.0e-4, pair: 2e-9, sequence: 7e-6, context: 3.0e-8}

func replica() Replica {
	return Replica{Step: large, Budget: 2048, Sequences: 256, KV: 400_000, Mixed: true}
}

func one() System { return System{Replicas: 1, Replica: replica()} }

func poisson(rate float64) Load {
	return Load{Arrivals: Poisson(rate), Prompt: Lognormal(1000, 0.5), Answer: Lognormal(500, 0.5), Seed: 1}
}

func BenchmarkPoisson(b *testing.B) {
	b.ReportAllocs()
	var r Result
	for b.Loop() {
		r, _ = Run(one(), poisson(4), Limits{})
	}
	b.ReportMetric(float64(r.Steps), "steps")
	b.Logf("%+v", r)
}

func BenchmarkMaxRate(b *testing.B) {
	b.ReportAllocs()
	var r Result
	var rate float64
	for b.Loop() {
		rate, r, _ = MaxRate(one(), poisson(1), Limits{TTFT: 1, TPOT: 0.05})
	}
	b.Logf("%g %+v", rate, r)
}

func BenchmarkClosedLoop(b *testing.B) {
	for b.Loop() {
		_, _ = ClosedLoop(one(), 64, 0, Fixed(1000), Fixed(1000), 1)
	}
}

func close(got, want, share float64) bool { return math.Abs(got-want) <= share*math.Abs(want) }
