// Package calibration holds the constants of the engine: each with its value, unit,
// source and date. Nothing in a formula is a bare number. What is fitted to measurements is in
// a Set, which the command calibrate writes together with the errors of predictions that a fit
// had not seen; bands come from these. The package knows no model, hardware or price.
package calibration

import (
	"strconv"

	"rackwright/internal/sizing/basis"
)

// Constant is one figure of a formula.
type Constant struct {
	Key       string
	Value     float64
	Low, High float64 // published range; both 0 where none is
	Unit      string
	Source    string
	AsOf      string
	Kind      basis.Kind
}

const (
	planner = "llm-d-planner docs/empirical-vllm-memory-results.md @e50305af, vLLM on H100"
	perf    = "NVIDIA/TensorRT-LLM docs/source/performance/perf-overview.md"
	mlperf  = "MLCommons inference results v4.0 to v5.0, group medians"
	setDay  = "2026-12-01"
)

// The constants of steps that are not fitted.
var (
	HopLatency   = Constant{"pipeline_hop", 10, 0, 0, "us", "ai-dynamo/aiconfigurator system description", setDay, basis.Published}
	HopBandwidth = Constant{"pipeline_bandwidth", 40, 37.5, 42.5, "GB/s", "judgement: 400 Gb/s per GPU at 0.75 to 0.85", setDay, basis.Judgement}
)

// The constants of memory.
var (
	UsableShare     = Constant{"usable_memory", 0.90, 0.90, 0.95, "of memory", planner, setDay, basis.Measured}
	DriverGiB       = Constant{"driver_memory", 0.47, 0, 0, "GiB", "81,559 MiB reported less 79.18 GiB usable; " + planner, setDay, basis.Derived}
	ActivationDense = Constant{"activation_dense", 5.2, 4.8, 5.6, "GiB", planner, setDay, basis.Measured}
	ActivationMoE   = Constant{"activation_moe", 7.4, 0, 0, "GiB", planner, setDay, basis.Measured}
	RuntimeSingle   = Constant{"runtime_tp1", 0.13, 0, 0, "GiB", planner, setDay, basis.Measured}
	RuntimeTP       = Constant{"runtime_tp", 0.55, 0, 0, "GiB", planner, setDay, basis.Measured}
	TightFactor     = Constant{"tight_factor", 2, 0, 0, "ratio", "70B FP8 on one GPU 410-465 tok/s against about 4,100 on two: " + perf + " v0.14", "2024-11-30", basis.Measured}
	PrefillBudget   = Constant{"prefill_budget", 8192, 512, 8192, "tokens", "chunked prefill budget of TensorRT-LLM and vLLM for throughput", setDay, basis.Default}
	SchedulerStep   = Constant{"scheduler_step", 0.4, 0.2, 1, "ms", "judgement: what schedulers of inference engines take per step beside the GPU; a fit is flat around it", setDay, basis.Judgement}
	Burst           = Constant{"burst", 0.1, 0, 0, "of requests", "published closed loops send about ten requests per user, and all users start at once", setDay, basis.Default}
	Together        = Constant{"together", 0.4, 0, 1, "ratio", "judgement: how far prompts of a closed loop come together; only closed formulas use it, the simulation follows each user", setDay, basis.Judgement}
	MaxSequences    = Constant{"max_sequences", 2048, 0, 0, "sequences", "maximum batch of the published runs; " + perf, setDay, basis.Default}
	DefaultSigma    = Constant{"length_sigma", 0.5, 0.2, 0.75, "", "judgement: lognormal lengths where only a mean is given", setDay, basis.Judgement}
	DefaultHeadroom = Constant{"headroom", 10, 0, 0, "%", "judgement: capacity kept free at the peak", setDay, basis.Judgement}
)

// Assumption returns the constant as it is shown and stored.
func (c Constant) Assumption() basis.Assumption {
	a := basis.Assumption{
		Key: c.Key, MessageID: "sizing.constant_" + c.Key, Value: number(c.Value), Unit: c.Unit,
		Source: c.Source, AsOf: c.AsOf, Kind: c.Kind,
	}
	if c.Low != 0 || c.High != 0 {
		a.Low, a.High = number(c.Low), number(c.High)
	}
	return a
}

func number(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) }

// Speed lists the constants of the step time that are not fitted, Memory those of the fit
// into memory.
func Speed() []Constant {
	return []Constant{SchedulerStep, HopLatency, HopBandwidth, PrefillBudget, MaxSequences, Burst, Together}
}

// Memory lists the constants of the memory fit.
func Memory() []Constant {
	return []Constant{UsableShare, DriverGiB, ActivationDense, ActivationMoE, RuntimeSingle, RuntimeTP, TightFactor}
}
