// Package calibration holds the constants of the engine: each with its value, unit,
// source and date, under one version. Nothing in a formula is a bare number. The package
// also holds the published errors from which bands are made, and its tests score the
// engine against published rows. It knows no model, hardware or price.
package calibration

import (
	"strconv"

	"rackwright/internal/sizing/basis"
)

// Version names the set of constants. It changes with any value in it.
const Version = "2026-11-30.1"

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
	kernels  = "ai-dynamo/aiconfigurator kernel tables, H100 SXM, TensorRT-LLM 1.3.0rc10 (Apache-2.0)"
	planner  = "llm-d-planner docs/empirical-vllm-memory-results.md @e50305af, vLLM on H100"
	perf     = "NVIDIA/TensorRT-LLM docs/source/performance/perf-overview.md"
	mlperf   = "MLCommons inference results v4.0 to v5.0, group medians"
	closed   = "ai-dynamo/aiconfigurator silicon_sample.csv @095f58a5, closed-loop rows (Apache-2.0)"
	tokenFit = "fit of request overheads on closed-loop rows, " + closed
	setDay   = "2026-11-30"
)

// The constants of the roofline. Efficiencies are shares of the datasheet peak.
var (
	GEMM8            = Constant{"gemm_fp8", 0.64, 0.60, 0.65, "of peak", kernels, setDay, basis.Measured}
	GEMM16           = Constant{"gemm_bf16", 0.78, 0.75, 0.82, "of peak", kernels, setDay, basis.Measured}
	HalfTokens       = Constant{"gemm_half_tokens", 60, 0, 0, "tokens", kernels, setDay, basis.Measured}
	WeightBandwidth8 = Constant{"weight_bandwidth_fp8", 0.72, 0, 0, "of bandwidth", kernels, setDay, basis.Measured}
	WeightBandwidth  = Constant{"weight_bandwidth_bf16", 0.80, 0.75, 0.82, "of bandwidth", kernels, setDay, basis.Measured}
	KVBandwidth      = Constant{"kv_bandwidth", 0.85, 0.83, 0.90, "of bandwidth", kernels, setDay, basis.Measured}
	PrefillAttention = Constant{"prefill_attention", 0.45, 0.18, 0.74, "of BF16 peak", kernels, setDay, basis.Measured}
	AllReduce        = Constant{"all_reduce", 0.75, 0, 0, "of NVLink", kernels, setDay, basis.Measured}
	AllReduceLatency = Constant{"all_reduce_latency", 8, 2.6, 50, "us", kernels, setDay, basis.Measured}
	PerLayer         = Constant{"per_layer", 18, 0, 0, "us", kernels, setDay, basis.Measured}
	PerStep          = Constant{"per_step", 1000, 0, 0, "us", kernels, setDay, basis.Measured}
	PerSequence      = Constant{"per_sequence", 6, 0, 0, "us", kernels, setDay, basis.Measured}
	ExpertPenalty    = Constant{"expert_gemm_penalty", 1.15, 0, 0, "ratio", "judgement: grouped GEMMs against dense ones", setDay, basis.Judgement}
	HopLatency       = Constant{"pipeline_hop", 10, 0, 0, "us", "ai-dynamo/aiconfigurator system description", setDay, basis.Published}
	HopBandwidth     = Constant{"pipeline_bandwidth", 40, 37.5, 42.5, "GB/s", "judgement: 400 Gb/s per GPU at 0.75 to 0.85", setDay, basis.Judgement}
)

// The constants of memory.
var (
	UsableShare      = Constant{"usable_memory", 0.90, 0.90, 0.95, "of memory", planner, setDay, basis.Measured}
	DriverGiB        = Constant{"driver_memory", 0.47, 0, 0, "GiB", "81,559 MiB reported less 79.18 GiB usable; " + planner, setDay, basis.Derived}
	ActivationDense  = Constant{"activation_dense", 5.2, 4.8, 5.6, "GiB", planner, setDay, basis.Measured}
	ActivationMoE    = Constant{"activation_moe", 7.4, 0, 0, "GiB", planner, setDay, basis.Measured}
	RuntimeSingle    = Constant{"runtime_tp1", 0.13, 0, 0, "GiB", planner, setDay, basis.Measured}
	RuntimeTP        = Constant{"runtime_tp", 0.55, 0, 0, "GiB", planner, setDay, basis.Measured}
	TightFactor      = Constant{"tight_factor", 2, 0, 0, "ratio", "70B FP8 on one GPU 410-465 tok/s against about 4,100 on two: " + perf + " v0.14", "2024-11-30", basis.Measured}
	PrefillBudget    = Constant{"prefill_budget", 8192, 512, 8192, "tokens", "chunked prefill budget of TensorRT-LLM and vLLM for throughput", setDay, basis.Default}
	Burst            = Constant{"burst", 0.1, 0, 0, "of requests", "published closed loops send about ten requests per user, and all users start at once", setDay, basis.Default}
	MaxSequences     = Constant{"max_sequences", 2048, 0, 0, "sequences", "maximum batch of the published runs; " + perf, setDay, basis.Default}
	DefaultSigma     = Constant{"length_sigma", 0.5, 0.2, 0.75, "", "judgement: lognormal lengths where only a mean is given", setDay, basis.Judgement}
	DefaultHeadroom  = Constant{"headroom", 10, 0, 0, "%", "judgement: capacity kept free at the peak", setDay, basis.Judgement}
	ShareOfSXMPCIeTP = Constant{"pcie_tp_factor", 0.50, 0.45, 0.55, "of compute", "measured 0.38-0.45 of SXM per GPU on Llama 2 70B; " + mlperf, "2025-04-30", basis.Measured}
	ShareOfSXMPCIe   = Constant{"pcie_factor", 0.88, 0.84, 0.92, "of compute", "measured 0.62-0.66 of SXM per GPU on Mixtral and GPT-J; " + mlperf, "2025-04-30", basis.Measured}
	ShareOfSXMNVLTP  = Constant{"nvl_tp_factor", 0.66, 0.60, 0.71, "of compute", "measured 0.58-0.66 of SXM per GPU on Llama 2 70B; " + mlperf, "2025-04-30", basis.Measured}
	ShareOfSXMNVL    = Constant{"nvl_factor", 0.71, 0, 0, "of compute", "measured 0.73 of SXM per GPU on Mixtral; " + mlperf, "2025-04-30", basis.Measured}
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

// Speed lists the constants of the step time, Memory those of the fit, Boards those of
// measured ratios between boards.
func Speed() []Constant {
	return []Constant{
		GEMM8, GEMM16, HalfTokens, WeightBandwidth8, WeightBandwidth, KVBandwidth, PrefillAttention, AllReduce,
		AllReduceLatency, PerLayer, PerStep, PerSequence, ExpertPenalty, HopLatency, HopBandwidth, PrefillBudget, MaxSequences,
	}
}

// Memory lists the constants of the memory fit.
func Memory() []Constant {
	return []Constant{UsableShare, DriverGiB, ActivationDense, ActivationMoE, RuntimeSingle, RuntimeTP, TightFactor}
}

// Boards lists the measured ratios between boards.
func Boards() []Constant {
	return []Constant{ShareOfSXMPCIeTP, ShareOfSXMPCIe, ShareOfSXMNVLTP, ShareOfSXMNVL}
}
