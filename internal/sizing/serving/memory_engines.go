package serving

import (
	"rackwright/internal/sizing/basis"
	"rackwright/internal/sizing/calibration"
	"rackwright/internal/unit"
)

// The engines as Mapping.Engine names them.
const (
	TRTLLM = "trtllm"
	VLLM   = "vllm"
	SGLang = "sglang"
)

const (
	system   = "ai-dynamo/aiconfigurator systems/h100_sxm.yaml, TensorRT-LLM (Apache-2.0)"
	h200Rows = "ai-dynamo/aiconfigurator silicon_sample.csv @095f58a5: Llama 3.1 70B FP8 on one H200 keeps 48 to 50 sequences of 9,216 tokens in flight at 64 and at 128 users"
)

// The memory that engines keep for themselves. TensorRT-LLM takes a share of what is left
// beside the weights, vLLM and SGLang a share of the whole memory. vLLM's figures are those of
// package calibration: a share of 0.90, activations and runtime beside it.
var (
	TRTLLMOther = calibration.Constant{Key: "trtllm_other", Value: 3.5, Unit: "GB", Source: system, AsOf: "2026-03-25", Kind: basis.Measured}
	TRTLLMNCCL  = calibration.Constant{Key: "trtllm_nccl", Value: 0.35, Low: 0.342, High: 0.392, Unit: "GB", Source: system, AsOf: "2026-03-25", Kind: basis.Measured}
	TRTLLMShare = calibration.Constant{Key: "trtllm_kv_share", Value: 0.95, Low: 0.80, High: 0.95, Unit: "of free memory",
		Source: "kv_cache_config.free_gpu_memory_fraction of the published runs; " + h200Rows, AsOf: "2026-03-25", Kind: basis.Measured}
	SGLangShare = calibration.Constant{Key: "sglang_static_share", Value: 0.88, Low: 0.80, High: 0.90, Unit: "of memory",
		Source: "sgl-project/sglang server_args.py, mem_fraction_static of one GPU of 80 GB or more", AsOf: "2026-03-25", Kind: basis.Default}
	SliceReserve = calibration.Constant{Key: "slice_reserve", Value: 0.4, Low: 0.2, High: 0.4, Unit: "GiB",
		Source: "nvidia-smi mig -lgip on H100 80GB: 1g 9.75, 2g 19.62, 3g 39.50, 7g 79.25 GiB of 79.65; docs.nvidia.com/datacenter/tesla/mig-user-guide, supported profiles: memory in eighths",
		AsOf:   "2026-06-11", Kind: basis.Derived}
)

// MemoryConstants lists the reserves of the engines.
func MemoryConstants() []calibration.Constant {
	return []calibration.Constant{TRTLLMOther, TRTLLMNCCL, TRTLLMShare, SGLangShare, SliceReserve}
}

// binaryGB is what a board reports of its nominal capacity: gigabytes of memory chips are
// binary, and 81,559 of 81,920 MiB of an 80 GB board are reported.
const binaryGB = 1.073741824 * 81559 / 81920

// memoryOf returns the memory of the GPU or of the slice of it that a mapping runs on. Where
// no report of the driver is known the nominal capacity counts as decimal gigabytes, and as
// binary ones in the favourable case.
func memoryOf(m Mapping, favourable bool) unit.Bytes {
	total := m.GPU.Memory
	if favourable && !m.GPU.MemoryReported {
		total = unit.Bytes(float64(total) * binaryGB)
	}
	if m.Slice.Memory < 1 || m.Slice.Memory > 8 {
		return total
	}
	return max(0, total*unit.Bytes(m.Slice.Memory)/8-unit.FromGiB(SliceReserve.Value))
}

// reserves are the figures of an engine for one estimate of the cache.
type reserves struct {
	total, activation, runtime, driver unit.Bytes
	share                              float64 // of total that the engine uses; of what is left for TensorRT-LLM
}

// reservesOf returns what an engine keeps; favourable takes the end of each published range
// that leaves most. Without an engine it is vLLM, which leaves least.
func reservesOf(m Mapping, favourable bool) reserves {
	pick := func(c calibration.Constant, best float64) float64 {
		if favourable && best != 0 {
			return best
		}
		return c.Value
	}
	v := reserves{total: memoryOf(m, favourable)}
	shared := m.TP*max(1, m.ADP) > 1
	switch m.Engine {
	case TRTLLM:
		v.activation, v.share = unit.FromGB(TRTLLMOther.Value), pick(TRTLLMShare, TRTLLMShare.High)
		if shared {
			v.runtime = unit.FromGB(TRTLLMNCCL.Value)
		}
	case SGLang:
		v.share = pick(SGLangShare, SGLangShare.High)
	default:
		activation, runtime := calibration.ActivationDense, calibration.RuntimeSingle
		if m.Model.IsMoE() {
			activation = calibration.ActivationMoE
		}
		if shared {
			runtime = calibration.RuntimeTP
		}
		v.activation, v.runtime = unit.FromGiB(pick(activation, activation.Low)), unit.FromGiB(runtime.Value)
		v.driver, v.share = unit.FromGiB(calibration.DriverGiB.Value), pick(calibration.UsableShare, calibration.UsableShare.High)
	}
	return v
}

// cache returns what the reserves leave for the cache beside static bytes, negative where
// nothing is left.
func (v reserves) cache(engine string, static unit.Bytes) unit.Bytes {
	if engine == TRTLLM {
		free := v.total - static - v.activation - v.runtime
		return min(free, unit.Bytes(float64(free)*v.share))
	}
	return unit.Bytes(float64(v.total-v.driver)*v.share) - static - v.activation - v.runtime
}
