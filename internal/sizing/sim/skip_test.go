package sim

import (
	"math"
	"testing"

	"rackwright/internal/sizing/calibration"
	"rackwright/internal/sizing/hardware"
	"rackwright/internal/sizing/llm"
	"rackwright/internal/sizing/serving"
)

// calibrated is the step of a 70B model in FP8 on two H100 as an engine takes it.
func calibrated(engine string) Step {
	s := serving.NewStep(serving.Mapping{
		Model: &llm.Geometry{
			Layers: 80, Hidden: 8192, Heads: 64, KVHeads: 8, HeadDim: 128, VHeadDim: 128, Intermediate: 28672, Vocab: 128256,
			MaxContext: 131072, Gated: true, Norms: 2, FinalNorms: 1, Dtype: llm.BF16,
		},
		Weights: llm.FP8, KV: llm.FP8, TP: 2, PP: 1, Engine: engine,
		GPU: hardware.GPU{SKU: "H100-SXM5-80GB", Form: hardware.SXM, BF16: 989.4e12, FP8: 1978.9e12, Bandwidth: 3350e9, NVLink: 450e9},
	}, calibration.Shipped().Stack(engine))
	return &s
}

// bent is a step that bends with the context and jumps with the batch.
type bent struct{}

func (bent) Time(prompt, pairs, sequences, context float64) float64 {
	return math.Max(0.012, 0.004+1e-4*prompt+2e-9*pairs+2e-8*math.Pow(context, 1.05)) + 5e-4*math.Ceil(sequences/16)
}

// steps are one of each kind.
func steps() map[string]Step {
	return map[string]Step{"linear": large, "bent": bent{}, "trtllm": calibrated("trtllm"), "vllm": calibrated("vllm"), "sglang": calibrated("sglang")}
}

// with returns a system of another step.
func (s System) with(step Step) System {
	s.Replica.Step = step
	if s.Prefill != nil {
		p := *s.Prefill
		p.Replica.Step = step
		s.Prefill = &p
	}
	return s
}

// twice runs a load with steps skipped and one by one.
func twice(t *testing.T, sys System, load Load, rate float64) (fast, slow Result) {
	t.Helper()
	for _, exact := range []bool{false, true} {
		m, err := prepare(sys, load, Limits{})
		if err != nil {
			t.Fatal(err)
		}
		m.exact = exact
		m.run(rate)
		fast, slow = slow, m.result()
	}
	return fast, slow
}

// Many decode steps at once take as long as one by one, to 0.1 %. In a few runs a request comes so
// close to the end of a step that the last digit decides which step or replica takes it; times of
// few requests are then another draw.
func TestSkippingStepsChangesNothing(t *testing.T) {
	compared, far := 0, 0
	for sysName, sys := range systems() {
		if sys.Replica.Stages > 1 { // here that happens all the time
			continue
		}
		for stepName, step := range steps() {
			for loadName, load := range loads() {
				fast, slow := twice(t, sys.with(step), load, load.Arrivals.rate)
				name := sysName + ", " + stepName + ", " + loadName
				for what, pair := range map[string][2]float64{
					"horizon": {fast.Horizon, slow.Horizon}, "whole time": {fast.E2E.Mean, slow.E2E.Mean}, "output": {fast.OutputRate, slow.OutputRate},
				} {
					if !close(pair[0], pair[1], 0.0015) {
						t.Errorf("%s: %s %g at once, %g one by one", name, what, pair[0], pair[1])
					}
				}
				for what, pair := range map[string][2]float64{
					"ttft": {fast.TTFT.Mean, slow.TTFT.Mean}, "tpot": {fast.TPOT.Mean, slow.TPOT.Mean}, "tpot p99": {fast.TPOT.P99, slow.TPOT.P99},
				} {
					compared++
					if !close(pair[0], pair[1], 0.001) {
						far++
						t.Logf("%s: %s %g at once, %g one by one", name, what, pair[0], pair[1])
					}
					if !close(pair[0], pair[1], 0.03) {
						t.Errorf("%s: %s %g at once, %g one by one", name, what, pair[0], pair[1])
					}
				}
			}
		}
	}
	if far*50 > compared {
		t.Errorf("%d of %d differ by more than 0.1 %%", far, compared)
	}
}

// Schedulers that share a queue and a cache differ run by run, but not on average.
func TestSkippingStepsOfStages(t *testing.T) {
	for _, sysName := range []string{"stages", "stages, growth"} {
		for stepName, step := range steps() {
			var ttft, tpot, whole [2]float64
			for seed := range uint64(12) {
				load := loads()["poisson"]
				load.Seed = seed
				fast, slow := twice(t, systems()[sysName].with(step), load, 2)
				for i, r := range []Result{fast, slow} {
					ttft[i] += r.TTFT.Mean
					tpot[i] += r.TPOT.Mean
					whole[i] += r.E2E.Mean
				}
			}
			if !close(ttft[0], ttft[1], 0.01) || !close(tpot[0], tpot[1], 0.002) || !close(whole[0], whole[1], 0.002) {
				t.Errorf("%s, %s: ttft %g, tpot %g, whole time %g times those one by one", sysName, stepName, ttft[0]/ttft[1], tpot[0]/tpot[1], whole[0]/whole[1])
			}
		}
	}
}

// BenchmarkCalibrated is 2,000 requests on a real step time, BenchmarkMaxRateCalibrated a search.
// The goals are 5 and 50 ms.
func BenchmarkCalibrated(b *testing.B) {
	sys := one().with(calibrated("vllm"))
	var r Result
	for b.Loop() {
		r, _ = Run(sys, poisson(3), Limits{})
	}
	b.ReportMetric(float64(r.Steps), "steps")
}

func BenchmarkMaxRateCalibrated(b *testing.B) {
	sys := one().with(calibrated("vllm"))
	for b.Loop() {
		_, _, _ = MaxRate(sys, poisson(1), Limits{TTFT: 1, TPOT: 0.05})
	}
}

// The largest load stays below 64 MiB.
func TestMemoryOfTheLargestLoad(t *testing.T) {
	load := poisson(3)
	load.Requests = maxRequests
	r := testing.Benchmark(func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := Run(one(), load, Limits{}); err != nil {
				b.Fatal(err)
			}
		}
	})
	if got := r.AllocedBytesPerOp(); got > 64<<20 {
		t.Errorf("%d bytes", got)
	}
}
