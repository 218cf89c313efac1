package llm_test

import (
	"os"
	"testing"

	"rackwright/internal/sizing/llm"
)

func shippedLibrary(t *testing.T) llm.Library {
	t.Helper()
	f, err := os.Open("../../seed/data/models.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	lib, err := llm.ReadLibrary(f)
	if err != nil {
		t.Fatal(err)
	}
	return lib
}

// Every entry is found by its key and name, by those of another publisher, and with endings
// that do not change the shape.
func TestResolveOwnNames(t *testing.T) {
	lib := shippedLibrary(t)
	for _, e := range lib {
		names := []string{e.Key(), e.Name}
		if e.HFID != "" && e.Geometry != nil {
			names = append(names, e.HFID+"-FP8", e.HFID+"-Instruct-FP8-dynamic", e.HFID+"-AWQ")
		}
		for _, name := range names {
			if got, ok := lib.Resolve(name); !ok || got.Key() != e.Key() {
				t.Errorf("%s is taken for %q, want %s", name, got.Key(), e.Key())
			}
		}
	}
}

func TestResolve(t *testing.T) {
	lib := shippedLibrary(t)
	for name, want := range map[string]string{
		"nvidia/Llama-3.1-8B-Instruct-FP8":          "meta-llama/Llama-3.1-8B",
		"RedHatAI/Meta-Llama-3.1-70B-Instruct-FP8":  "meta-llama/Llama-3.1-70B",
		"meta-llama/Llama-2-70b-chat-hf":            "meta-llama/Llama-2-70b-hf",
		"meta-llama/Llama-3.3-70B":                  "meta-llama/Llama-3.3-70B-Instruct",
		"mistralai/Mistral-7B-Instruct-v0.1":        "mistralai/Mistral-7B-v0.1",
		"mistralai/Mistral-7B-v0.3":                 "mistralai/Mistral-7B-Instruct-v0.3", // a larger vocabulary than 0.1
		"mistralai/Mixtral-8x7B-Instruct-v0.1":      "mistralai/Mixtral-8x7B-v0.1",
		"mistralai/Mixtral-8x22B-Instruct":          "mistralai/Mixtral-8x22B-v0.1",
		"deepseek-ai/DeepSeek-V3-0324":              "deepseek-ai/DeepSeek-V3",
		"Qwen/Qwen3-235B-A22B-Thinking-2507-FP8":    "Qwen/Qwen3-235B-A22B",
		"llama 3.1 8b":                              "meta-llama/Llama-3.1-8B",
		"deepseek-ai/DeepSeek-V3.2":                 "",
		"deepseek-ai/DeepSeek-R1-Distill-Llama-70B": "",
		"nvidia/Llama-3.1-Nemotron-70B-Instruct":    "",
		"nvidia/Llama-3_3-Nemotron-Super-49B-v1":    "",
		"meta-llama/Llama-3.1":                      "",
		"meta-llama/Meta-Llama-3.1-70":              "",
		"Qwen/Qwen3.5-397B-A17B":                    "",
		"Qwen/Qwen3-Coder-30B-A3B-Instruct":         "",
		"zhipuai/GLM-5":                             "",
		"FP8":                                       "",
		"/":                                         "",
		"":                                          "",
	} {
		if got, ok := lib.Resolve(name); ok != (want != "") || got.Key() != want {
			t.Errorf("%q is taken for %q, want %q", name, got.Key(), want)
		}
	}
}
