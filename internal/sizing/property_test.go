package sizing_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"rackwright/internal/sizing"
	"rackwright/internal/sizing/hardware"
	"rackwright/internal/sizing/llm"
)

// fewInputs are the shipped inputs with a handful of systems, so that many requests can be drawn.
func fewInputs(t testing.TB) sizing.Inputs {
	in := shippedInputs(t)
	keep := []string{"DGX-H100", "HGX-H200-8GPU", "HGX-H100-4GPU", "H100-NVL-94GB", "H100-PCIE-80GB", "RUNPOD-H100-SXM", "DGX-A100-640GB"}
	in.Systems = slices.DeleteFunc(in.Systems, func(s hardware.System) bool { return !slices.Contains(keep, s.SKU) })
	if len(in.Systems) != len(keep) {
		t.Fatalf("%d systems", len(in.Systems))
	}
	return in
}

func drawRequest(t *rapid.T) sizing.Request {
	r := chat70B()
	r.Model.HFID = rapid.SampledFrom([]string{"meta-llama/Llama-3.1-8B", "meta-llama/Llama-3.1-70B", "Qwen/Qwen2.5-7B", "mistralai/Mixtral-8x7B-v0.1", "openai/gpt-oss-20b"}).Draw(t, "model")
	r.Weights, r.KV = "", ""
	if rapid.Bool().Draw(t, "fp8") && r.Model.HFID != "openai/gpt-oss-20b" {
		r.Weights = llm.FP8
	}
	r.Input.Mean = rapid.Float64Range(1, 3000).Draw(t, "input")
	r.Output.Mean = rapid.Float64Range(1, 1000).Draw(t, "output")
	r.Targets.TTFTMillis = rapid.SampledFrom([]float64{0, 500, 2000, 10000}).Draw(t, "ttft")
	r.Targets.TPOTMillis = rapid.SampledFrom([]float64{0, 20, 50, 200}).Draw(t, "tpot")
	r.Load.RequestsPerSecond = rapid.Float64Range(0.001, 200).Draw(t, "rate")
	return r
}

// gpus returns how many GPUs each system needs; systems that cannot do it are absent.
func gpus(t testing.TB, r sizing.Request, in sizing.Inputs) map[string]int {
	out := map[string]int{}
	for _, p := range preview(t, r, in).Plans {
		out[p.SystemSKU] = p.GPUs
	}
	return out
}

func TestMoreLoadNeverNeedsFewerGPUs(t *testing.T) {
	in := fewInputs(t)
	rapid.Check(t, func(rt *rapid.T) {
		r := drawRequest(rt)
		few := gpus(t, r, in)
		r.Load.RequestsPerSecond *= rapid.Float64Range(1, 20).Draw(rt, "more")
		for sku, n := range gpus(t, r, in) {
			if n < few[sku] {
				rt.Fatalf("%s: %d GPUs become %d", sku, few[sku], n)
			}
		}
	})
}

// Longer answers are no such case: they spread the reading of prompts over more tokens, so
// that a limit on time per token may be met with less.
func TestLongerPromptsNeverNeedFewerGPUs(t *testing.T) {
	in := fewInputs(t)
	rapid.Check(t, func(rt *rapid.T) {
		r := drawRequest(rt)
		short := gpus(t, r, in)
		r.Input.Mean *= rapid.Float64Range(1.5, 4).Draw(rt, "longer")
		for _, p := range preview(t, r, in).Plans {
			// Products go through in tiles, so that a slightly longer prompt may fill them better: one
			// copy less is no contradiction.
			if p.GPUs+p.TP*p.PP*max(1, p.ADP) < short[p.SystemSKU] {
				rt.Fatalf("%s: %d GPUs become %d", p.SystemSKU, short[p.SystemSKU], p.GPUs)
			}
		}
	})
}

func TestEveryPlanIsSound(t *testing.T) {
	in := fewInputs(t)
	rapid.Check(t, func(rt *rapid.T) {
		r := drawRequest(rt)
		for _, p := range preview(t, r, in).Plans {
			checkPlan(t, p)
			if limit := r.Targets.TPOTMillis; limit > 0 && p.TPOT.Mid > limit*1.0001 {
				rt.Fatalf("%s misses the limit: %v ms of %v", p.SystemSKU, p.TPOT.Mid, limit)
			}
			if limit := r.Targets.TTFTMillis; limit > 0 && p.TTFT.Mid > limit*1.0001 {
				rt.Fatalf("%s misses the limit: %v ms of %v", p.SystemSKU, p.TTFT.Mid, limit)
			}
		}
	})
}
