package predict

import (
	"math"
	"testing"
)

// Every name of a model in the published measurements, and the entry of the library that it
// means; empty is refused. A name must never be taken for another shape.
var modelNames = map[string]string{
	"meta-llama/Llama-2-7b-hf":                      "meta-llama/Llama-2-7b-hf",
	"meta-llama/Llama-2-13b-hf":                     "meta-llama/Llama-2-13b-hf",
	"meta-llama/Llama-2-70b-hf":                     "meta-llama/Llama-2-70b-hf",
	"meta-llama/Meta-Llama-3-8B-Instruct":           "meta-llama/Meta-Llama-3-8B",
	"meta-llama/Meta-Llama-3-70B":                   "meta-llama/Meta-Llama-3-70B",
	"meta-llama/Llama-3.1-8B":                       "meta-llama/Llama-3.1-8B",
	"meta-llama/Llama-3.1-8B-Instruct":              "meta-llama/Llama-3.1-8B",
	"nvidia/Llama-3.1-8B-Instruct-FP8":              "meta-llama/Llama-3.1-8B",
	"meta-llama/Llama-3.1-70B":                      "meta-llama/Llama-3.1-70B",
	"meta-llama/Llama-3.1-405B":                     "meta-llama/Llama-3.1-405B",
	"meta-llama/Llama-3.3-70B-Instruct":             "meta-llama/Llama-3.3-70B-Instruct",
	"meta-llama/Llama-4-Scout-17B-16E-Instruct":     "meta-llama/Llama-4-Scout-17B-16E-Instruct",
	"meta-llama/Llama-4-Maverick-17B-128E-Instruct": "meta-llama/Llama-4-Maverick-17B-128E-Instruct",
	"mistralai/Mistral-7B-v0.1":                     "mistralai/Mistral-7B-v0.1",
	"mistralai/Mixtral-8x7B-v0.1":                   "mistralai/Mixtral-8x7B-v0.1",
	"mistralai/Mixtral-8x22B-v0.1":                  "mistralai/Mixtral-8x22B-v0.1",
	"openai/gpt-oss-20b":                            "openai/gpt-oss-20b",
	"openai/gpt-oss-120b":                           "openai/gpt-oss-120b",
	"EleutherAI/gpt-j-6b":                           "EleutherAI/gpt-j-6b",
	"tiiuae/falcon-180B":                            "tiiuae/falcon-180B",
	"Qwen/Qwen3-8B":                                 "Qwen/Qwen3-8B",
	"Qwen/Qwen3-8B-FP8":                             "Qwen/Qwen3-8B",
	"Qwen/Qwen3-14B":                                "Qwen/Qwen3-14B",
	"Qwen/Qwen3-14B-FP8":                            "Qwen/Qwen3-14B",
	"Qwen/Qwen3-32B":                                "Qwen/Qwen3-32B",
	"Qwen/Qwen3-32B-FP8":                            "Qwen/Qwen3-32B",
	"Qwen/Qwen3-235B-A22B":                          "Qwen/Qwen3-235B-A22B",
	"Qwen/Qwen3-235B-A22B-FP8":                      "Qwen/Qwen3-235B-A22B",
	"Qwen/Qwen3-235B-A22B-Instruct-2507":            "Qwen/Qwen3-235B-A22B",
	"Qwen/Qwen3-235B-A22B-Instruct-2507-FP8":        "Qwen/Qwen3-235B-A22B",
	"deepseek-ai/DeepSeek-R1":                       "deepseek-ai/DeepSeek-R1",
	"deepseek-ai/DeepSeek-R1-0528":                  "deepseek-ai/DeepSeek-R1",
	"deepseek-ai/DeepSeek-V3":                       "deepseek-ai/DeepSeek-V3",

	"MiniMaxAI/MiniMax-M2.5":                   "",
	"moonshotai/Kimi-K2.5":                     "",
	"zhipuai/GLM-5":                            "",
	"Qwen/Qwen3.5-397B-A17B":                   "",
	"Qwen/Qwen3":                               "",
	"Qwen/Qwen3-235B":                          "",
	"deepseek-ai/DeepSeek-V3.2":                "",
	"deepseek-ai/DeepSeek-R1-Distill-Llama-8B": "",
	"meta-llama/Llama-3.1":                     "",
	"meta-llama/Llama-3.1-70":                  "",
	"Instruct":                                 "",
	"":                                         "",
}

func TestModelNames(t *testing.T) {
	lib := shipped(t).Models
	for name, want := range modelNames {
		e, ok := lib.Resolve(name)
		switch {
		case !ok && want != "":
			t.Errorf("%s is not found", name)
		case ok && e.Key() != want:
			t.Errorf("%s is taken for %s, want %q", name, e.Key(), want)
		case ok && e.Geometry == nil:
			t.Errorf("%s has no shape: %s", name, e.Reason)
		}
	}
}

// Every spelling of a GPU in the published measurements.
func TestGPUNames(t *testing.T) {
	from := shipped(t)
	for name, want := range map[string]struct {
		sku     string
		figures bool
	}{
		"H100-SXM5-80GB":    {"H100-SXM5-80GB", true},
		"H100-PCIe-80GB":    {"H100-PCIE-80GB", true},
		"H100-NVL-94GB":     {"H100-NVL-94GB", true},
		"H200-SXM5-141GB":   {"H200-SXM-141GB", true},
		"H200-SXM-141GB":    {"H200-SXM-141GB", true},
		"H200-NVL-141GB":    {"H200-NVL-141GB", false},
		"A100-SXM4-80GB":    {"A100-SXM4-80GB", true},
		"A100-PCIe-80GB":    {"A100-PCIE-80GB", true},
		"H800-SXM-80GB":     {"H800-SXM5-80GB", true},
		"GH200-96GB-HBM3":   {"GH200-96GB", true},
		"GH200-144GB-HBM3e": {"GH200-144GB", false},
		"A100-SXM4-40GB":    {"", false}, // the nearest part has another memory
	} {
		gpu, figures := from.GPUs[from.SKUs[name]]
		if from.SKUs[name] != want.sku || figures != want.figures || figures && gpu.SKU != want.sku {
			t.Errorf("%s is %q with figures %v, want %v", name, from.SKUs[name], figures, want)
		}
	}
}

// The mean, median and 90th percentile that are published follow from the lengths of a row.
func TestMLPerfLengths(t *testing.T) {
	for name, c := range map[string]struct {
		prompt, p, at float64 // the length that a share p does not exceed
		answer        float64
	}{
		"meta-llama/Llama-2-70b-hf":   {222, 0.5, 152, 292},
		"mistralai/Mixtral-8x7B-v0.1": {427, 0.5, 427 * math.Exp(-0.125), 146},
		"meta-llama/Llama-3.1-405B":   {9429, 0.9, 14157, 650},
		"meta-llama/Llama-3.1-8B":     {871, 0.5, 871 * math.Exp(-0.125), 128},
		"deepseek-ai/DeepSeek-R1":     {804, 0.5, 804 * math.Exp(-0.125), 3854},
		"openai/gpt-oss-120b":         {5011, 0.5, 5011 * math.Exp(-0.125), 1379},
		"EleutherAI/gpt-j-6b":         {871, 0.5, 871 * math.Exp(-0.125), 69},
	} {
		r := Row{Source: "mlperf", ModelName: name}
		r.fillMLPerf()
		if r.Prompt.Mean != c.prompt || r.Answer.Mean != c.answer || math.Abs(r.Prompt.At(c.p)/c.at-1) > 0.002 {
			t.Errorf("%s: prompts %v (%v at %v), answers %v", name, r.Prompt, r.Prompt.At(c.p), c.p, r.Answer)
		}
	}
	stated := Row{Source: "mlperf", ModelName: "meta-llama/Llama-2-70b-hf"}
	stated.Answer.Mean = 290.9
	if stated.fillMLPerf(); stated.Answer.Mean != 290.9 || stated.Answer.Sigma != 0.75 {
		t.Errorf("a stated length: %v", stated.Answer)
	}
	other := Row{Source: "trtllm_docs", ModelName: "meta-llama/Llama-2-70b-hf"}
	if other.fillMLPerf(); other.Prompt.Mean != 0 || other.Prompt.Sigma != 0 {
		t.Errorf("fixed lengths of another source: %v", other.Prompt)
	}
}

// Diffusion models are looked up, never computed.
func TestImages(t *testing.T) {
	from, e := shipped(t), engine()
	for name, c := range map[string]struct {
		gpu, scenario, metric string
		want                  []string
	}{
		"H100, eight":    {"H100-SXM5-80GB", "offline", "req_s", []string{"a", "req_s", "16.48", "12.36", "20.6", "ok", lookUp}},
		"H200, server":   {"H200-SXM5-141GB", "server_slo", "req_s", []string{"a", "req_s", "17.52", "13.14", "21.9", "ok", lookUp}},
		"without a row":  {"H100-PCIe-80GB", "offline", "req_s", []string{"a", "req_s", "", "", "", "refused", "no measured row of Stable Diffusion XL on GPU H100-PCIe-80GB in this scenario"}},
		"a closed loop":  {"H100-SXM5-80GB", "fixed_concurrency", "req_s", []string{"a", "req_s", "", "", "", "refused", "no measured row of Stable Diffusion XL on GPU H100-SXM5-80GB in this scenario"}},
		"another metric": {"H100-SXM5-80GB", "offline", "output_tok_s", []string{"a", "output_tok_s", "", "", "", "refused", "metric output_tok_s is not known of Stable Diffusion XL"}},
	} {
		r := Row{ID: "a", Kind: Inference}
		r.read(fields{
			"hf_id": "stabilityai/stable-diffusion-xl-base-1.0", "gpu_sku": c.gpu, "gpus": "8", "tp": "1", "pp": "1", "framework": "TensorRT-LLM",
			"weights_precision": "fp8", "scenario": c.scenario, "metric": c.metric,
		}, from)
		lines := e.Lines(&r)
		if len(lines) != 1 {
			t.Fatalf("%s: %v", name, lines)
		}
		for i := range c.want {
			if lines[0][i] != c.want[i] {
				t.Errorf("%s: %q, want %q", name, lines[0], c.want)
				break
			}
		}
	}
}
