package serving_test

import (
	"encoding/csv"
	"os"
	"slices"
	"strconv"
	"testing"

	"rackwright/internal/sizing/hardware"
	"rackwright/internal/sizing/llm"
	"rackwright/internal/sizing/serving"
	"rackwright/internal/unit"
)

// memoryOf is the memory of the boards in ran.csv: what nvidia-smi reports, or else nominal.
var memoryOf = map[string]hardware.GPU{
	"H100-SXM5-80GB":    {Memory: unit.FromMiB(81559), MemoryReported: true},
	"H200-SXM5-141GB":   {Memory: 141 * unit.GB},
	"H200-NVL-141GB":    {Memory: 141 * unit.GB},
	"A100-SXM4-80GB":    {Memory: 80 * unit.GB},
	"A100-PCIe-80GB":    {Memory: 80 * unit.GB},
	"GH200-96GB-HBM3":   {Memory: 96 * unit.GB},
	"GH200-144GB-HBM3e": {Memory: 144 * unit.GB},
}

// ran is a row of testdata/ran.csv.
type ran struct {
	m     serving.Mapping
	w     serving.Workload
	tight float64 // sequences for which memory was short
	text  string
}

func readRan(t *testing.T) []ran {
	t.Helper()
	f, err := os.Open("testdata/ran.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	lib := library(t)
	var out []ran
	for _, row := range rows[1:] {
		cell := func(name string) string { return row[slices.Index(rows[0], name)] }
		number := func(name string) int {
			n, err := strconv.Atoi(cell(name))
			if err != nil {
				t.Fatalf("%v: %v", row, err)
			}
			return n
		}
		e, ok := lib.Find(cell("model"))
		gpu, known := memoryOf[cell("gpu")]
		if !ok || !known || e.Geometry == nil {
			t.Fatalf("unknown model or GPU: %v", row)
		}
		r := ran{
			m: serving.Mapping{
				Model: e.Geometry, GPU: gpu, TP: number("tp"), PP: number("pp"), ADP: number("attention_dp"), EP: number("expert_parallel"),
				MoETP: number("expert_tp"), Weights: llm.Precision(cell("weights")), KV: llm.Precision(cell("kv")), Engine: cell("engine"),
			},
			w: serving.Workload{
				Prompt: serving.Lengths{Mean: float64(number("isl"))}, Answer: serving.Lengths{Mean: float64(number("osl"))}, Percentile: 0.5,
			},
			text: cell("row") + " " + cell("engine") + " " + cell("weights"),
		}
		if cell("memory_tight") != "" {
			r.tight = 256
			if cell("at_once") != "" {
				r.tight = float64(number("at_once"))
			}
		}
		out = append(out, r)
	}
	return out
}

func library(t *testing.T) llm.Library {
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

// What ran is never refused, and what was short of memory when it ran flat out is never
// called a fit for as many sequences as it was given, 256 where the source names none.
func TestWhatRanFits(t *testing.T) {
	for _, r := range readRan(t) {
		room := serving.RoomOf(r.m)
		if status := room.Stack(r.m, r.w, 1).Status; status == serving.No {
			t.Errorf("%s: refused; weights %.1f of %.1f GiB, %d tokens at best", r.text, room.Weights.GiB(), room.Total.GiB(), room.MostTokens)
		}
		if r.tight > 0 && room.Stack(r.m, r.w, r.tight).Status == serving.Fits {
			t.Errorf("%s: short of memory when it ran, but a fit for %g: %d tokens", r.text, r.tight, room.KVTokens)
		}
	}
}

// h200 as nvidia-smi lists it.
var h200 = hardware.GPU{SKU: "H200-SXM5-141GB", Memory: unit.FromMiB(143771), MemoryReported: true}

// Published runs at a fixed number of users in which the time to the first token jumps when
// the cache is full; the sequences in flight are users × answering time / whole time, and
// their tokens prompt + answer for TensorRT-LLM, which reserves both, and prompt + half the
// answer for vLLM, which grows. Source: silicon_sample.csv, see testdata/README.md. The
// engine may see up to a third less cache than there was, never a tenth more.
func TestCacheAgainstRunsThatFilledIt(t *testing.T) {
	lib := library(t)
	for _, c := range []struct {
		name, model, engine string
		gpu                 hardware.GPU
		tp, ep, moeTP       int
		kv                  llm.Precision
		measured            float64 // tokens
	}{
		{"70B, H200, 8192/1024, 128 users: 50 in flight", "meta-llama/Llama-3.1-70B", serving.TRTLLM, h200, 1, 1, 1, llm.FP8, 50 * 9216},
		{"70B, H200, 1024/8192, 64 users: 48.6 in flight", "meta-llama/Llama-3.1-70B", serving.TRTLLM, h200, 1, 1, 1, llm.FP8, 48.6 * 9216},
		{"70B, H200, 8192/1024, 64 users: 47 in flight", "meta-llama/Llama-3.1-70B", serving.VLLM, h200, 1, 1, 1, llm.FP8, 47 * 8704},
		{"70B, 2 H100, 8192/1024, 64 users: 31 in flight", "meta-llama/Llama-3.1-70B", serving.VLLM, h100, 2, 1, 2, llm.BF16, 31 * 8704},
		{"70B, 2 H100, 1024/8192, 64 users: 58.7 in flight", "meta-llama/Llama-3.1-70B", serving.VLLM, h100, 2, 1, 2, llm.BF16, 58.7 * 5120},
	} {
		e, ok := lib.Find(c.model)
		if !ok {
			t.Fatal(c.model)
		}
		r := serving.RoomOf(serving.Mapping{Model: e.Geometry, GPU: c.gpu, TP: c.tp, PP: 1, EP: c.ep, MoETP: c.moeTP, Weights: llm.FP8, KV: c.kv, Engine: c.engine})
		t.Logf("%s: %d tokens, at best %d, measured %.0f", c.name, r.KVTokens, r.MostTokens, c.measured)
		if got := float64(r.KVTokens); got > 1.1*c.measured || got < c.measured*2/3 {
			t.Errorf("%s: %.0f tokens, measured %.0f", c.name, got, c.measured)
		}
	}
}
