package serving_test

import (
	"fmt"
	"testing"

	"pgregory.net/rapid"

	"rackwright/internal/sizing/hardware"
	"rackwright/internal/sizing/llm"
	"rackwright/internal/sizing/serving"
	"rackwright/internal/unit"
)

// shapes are the models of the library that have one.
func shapes(t *testing.T) []*llm.Geometry {
	t.Helper()
	var out []*llm.Geometry
	for _, e := range library(t) {
		if e.Geometry != nil {
			out = append(out, e.Geometry)
		}
	}
	return out
}

// anyMapping draws a mapping of a model of the library.
func anyMapping(t *rapid.T, models []*llm.Geometry) serving.Mapping {
	g := rapid.SampledFrom(models).Draw(t, "model")
	m := serving.Mapping{
		Model: g, GPU: h100, TP: rapid.SampledFrom(g.TensorParallel(16)).Draw(t, "tp"), PP: rapid.SampledFrom([]int{1, 2, 4}).Draw(t, "pp"),
		Weights: rapid.SampledFrom([]llm.Precision{llm.BF16, llm.FP8, llm.INT8, llm.INT4}).Draw(t, "weights"),
		KV:      rapid.SampledFrom([]llm.Precision{llm.BF16, llm.FP8}).Draw(t, "kv"),
		Engine:  rapid.SampledFrom([]string{"", serving.TRTLLM, serving.VLLM, serving.SGLang}).Draw(t, "engine"),
	}
	m.GPU.Memory = unit.FromGiB(float64(rapid.IntRange(4, 2000).Draw(t, "memory")))
	m.GPU.MemoryReported = rapid.Bool().Draw(t, "reported")
	if g.MoE != nil && rapid.Bool().Draw(t, "ranks") {
		m.ADP = rapid.SampledFrom([]int{1, 2, 4, 8}).Draw(t, "adp")
		m.MoETP = rapid.SampledFrom([]int{1, m.TP}).Draw(t, "expert tp")
		m.EP = m.TP * m.ADP / m.MoETP
	}
	if rapid.Bool().Draw(t, "slice") {
		m.Slice.Memory = rapid.IntRange(1, 8).Draw(t, "eighths")
	}
	if rapid.Bool().Draw(t, "extra") {
		m.Extra = serving.Extra{Adapters: rapid.IntRange(0, 100).Draw(t, "adapters"), AdapterRank: 16, Draft: g.DraftHead(), DraftWeights: llm.BF16}
	}
	return m
}

func anyWorkload(t *rapid.T) serving.Workload {
	return serving.Workload{
		Prompt:     serving.Lengths{Mean: rapid.Float64Range(1, 100_000).Draw(t, "prompt"), Sigma: rapid.Float64Range(0, 1).Draw(t, "sigma")},
		Answer:     serving.Lengths{Mean: rapid.Float64Range(1, 10_000).Draw(t, "answer"), Sigma: rapid.Float64Range(0, 1).Draw(t, "sigma2")},
		Percentile: rapid.SampledFrom([]float64{0.5, 0.95, 0.99}).Draw(t, "p"),
	}
}

var rank = map[serving.Status]int{serving.No: 0, serving.Tight: 1, serving.Fits: 2}

// The parts of a stack are the whole memory wherever it is not refused, and the favourable
// estimate is never the smaller one.
func TestPartsAreTheWholeMemory(t *testing.T) {
	models := shapes(t)
	rapid.Check(t, func(t *rapid.T) {
		m, w := anyMapping(t, models), anyWorkload(t)
		r := serving.RoomOf(m)
		s := r.Stack(m, w, rapid.Float64Range(0, 500).Draw(t, "wanted"))
		var sum unit.Bytes
		for _, p := range s.Parts {
			sum += p.Bytes
		}
		if s.Status != serving.No && sum != s.Total {
			t.Fatalf("%d bytes of %d: %+v", sum, s.Total, s.Parts)
		}
		if r.MostTokens < r.RankTokens || r.KVTokens < r.RankTokens {
			t.Fatalf("%+v", r)
		}
	})
}

func TestLongerContextNeverFitsBetter(t *testing.T) {
	models := shapes(t)
	rapid.Check(t, func(t *rapid.T) {
		m, w := anyMapping(t, models), anyWorkload(t)
		wanted := rapid.Float64Range(1, 500).Draw(t, "wanted")
		r := serving.RoomOf(m)
		short := r.Stack(m, w, wanted)
		batch, _ := r.Batch(w)
		w.Prompt.Mean *= rapid.Float64Range(1, 8).Draw(t, "longer")
		w.Answer.Mean *= rapid.Float64Range(1, 8).Draw(t, "longer answers")
		long := r.Stack(m, w, wanted)
		more, _ := r.Batch(w)
		if rank[long.Status] > rank[short.Status] || long.FullKV < short.FullKV || long.WindowAwareKV < short.WindowAwareKV || more > batch*2*slack {
			t.Fatalf("%s becomes %s, KV %d to %d, batch %v to %v", short.Status, long.Status, short.FullKV, long.FullKV, batch, more)
		}
	})
}

// On more GPUs each holds no more, and fewer bits never take more.
func TestMoreGPUsAndFewerBitsNeverHoldMore(t *testing.T) {
	for _, g := range shapes(t) {
		for _, pp := range []int{1, 2, 4, 8} {
			for _, p := range []llm.Precision{llm.BF16, llm.FP8, llm.INT4} {
				last := serving.Room{Weights: 1 << 60}
				for _, tp := range g.TensorParallel(16) {
					r := serving.RoomOf(serving.Mapping{Model: g, GPU: h200, TP: tp, PP: pp, Weights: p, KV: llm.FP8, Engine: serving.SGLang})
					if r.Weights > last.Weights || r.KVTokens < last.KVTokens {
						t.Errorf("%s, %s, TP %d, PP %d: %d bytes and %d tokens after %d and %d", g.Name, p, tp, pp, r.Weights, r.KVTokens, last.Weights, last.KVTokens)
					}
					if deep := serving.RoomOf(serving.Mapping{Model: g, GPU: h200, TP: tp, PP: 2 * pp, Weights: p, KV: llm.FP8}); deep.Weights > r.Weights {
						t.Errorf("%s, %s, TP %d: %d stages hold more than %d", g.Name, p, tp, 2*pp, pp)
					}
					last = r
				}
			}
		}
		bytes := func(p llm.Precision) unit.Bytes {
			return serving.RoomOf(serving.Mapping{Model: g, GPU: h200, TP: 1, PP: 1, Weights: p, KV: llm.FP8}).Weights
		}
		if !(bytes(llm.FP32) > bytes(llm.BF16) && bytes(llm.BF16) > bytes(llm.FP8) && bytes(llm.FP8) > bytes(llm.INT4)) {
			t.Errorf("%s: %d, %d, %d, %d bytes", g.Name, bytes(llm.FP32), bytes(llm.BF16), bytes(llm.FP8), bytes(llm.INT4))
		}
		if a, b := g.KVBytesPerToken(llm.BF16), g.KVBytesPerToken(llm.FP8); a != 2*b {
			t.Errorf("%s: %d bytes a token at 16 bit, %d at 8", g.Name, a, b)
		}
	}
}

// DeepSeek-V3 with attention data parallel on eight GPUs: every rank keeps the attention and
// the ends whole and an eighth of the experts, and the pool is that of eight ranks.
func TestAttentionRanksKeepTheirOwnCache(t *testing.T) {
	e, ok := library(t).Find("deepseek-ai/DeepSeek-V3")
	if !ok {
		t.Fatal("not in the library")
	}
	m := serving.Mapping{Model: e.Geometry, GPU: h200, TP: 8, PP: 1, EP: 1, MoETP: 8, Weights: llm.FP8, KV: llm.BF16, Engine: serving.TRTLLM}
	cut := serving.RoomOf(m)
	m.TP, m.ADP, m.EP, m.MoETP = 1, 8, 8, 1
	own := serving.RoomOf(m)
	w := e.Geometry.WeightParts(llm.FP8, "")
	want := unit.Bytes(w.Total() - w.Experts*7/8)
	if off := own.Weights - want; off < 0 || off > 1 {
		t.Errorf("%d bytes on a rank, want %d", own.Weights, want)
	}
	if own.KVTokens != 8*own.RankTokens || cut.KVTokens != cut.RankTokens || own.KVTokens < 4*cut.KVTokens {
		t.Errorf("%d tokens in ranks of %d, %d in one group", own.KVTokens, own.RankTokens, cut.KVTokens)
	}
}

// DeepSeek-V3 in two stages: its three dense layers come first, so that the fullest stage has
// 31 of the 58 layers with experts, 53.4 % of them and not 31 of 61.
func TestFullestStageOfAMixture(t *testing.T) {
	e, ok := library(t).Find("deepseek-ai/DeepSeek-V3")
	if !ok {
		t.Fatal("not in the library")
	}
	w := e.Geometry.WeightParts(llm.FP8, "")
	r := serving.RoomOf(serving.Mapping{Model: e.Geometry, GPU: h200, TP: 1, PP: 2, Weights: llm.FP8, KV: llm.BF16, Engine: serving.TRTLLM})
	want := w.Experts*31/58 + (w.Attention+w.MLP+w.Whole)*31/61 + w.Head
	if off := float64(r.Weights) - want; off < 0 || off > 1 {
		t.Errorf("%d bytes, want %.0f", r.Weights, want)
	}
}

// The drafting layer of DeepSeek-V3 is cut like its other layers: over eight ranks each has
// an eighth of its experts and all of its attention.
func TestDraftIsCutLikeTheModel(t *testing.T) {
	e, ok := library(t).Find("deepseek-ai/DeepSeek-V3")
	if !ok {
		t.Fatal("not in the library")
	}
	d := e.Geometry.DraftHead()
	m := serving.Mapping{Model: e.Geometry, GPU: h200, TP: 1, PP: 1, ADP: 8, EP: 8, MoETP: 1, Weights: llm.FP8, KV: llm.BF16, Engine: serving.TRTLLM}
	m.Extra = serving.Extra{Draft: d, DraftWeights: llm.FP8}
	w := d.WeightParts(llm.FP8, "")
	want := w.Total() - w.Experts*7/8
	if got := float64(serving.RoomOf(m).Draft); got < want || got > want+1 {
		t.Errorf("%.0f bytes, want %.0f", got, want)
	}
}

// Slices of an H100 as nvidia-smi mig -lgip lists them: 9.75, 19.62, 39.50 GiB. The
// arithmetic gives no more and at most 0.25 GiB less.
func TestSlices(t *testing.T) {
	for eighths, listed := range map[int]float64{1: 9.75, 2: 19.62, 4: 39.50, 8: 79.25} {
		m := mapping(1, llm.FP8)
		m.Slice = serving.Slice{Memory: eighths}
		if got := serving.RoomOf(m).Total.GiB(); got > listed+0.01 || got < listed-0.25 {
			t.Errorf("%d eighths: %.2f GiB, listed %.2f", eighths, got, listed)
		}
	}
}

// Names and numbers of slices as nvidia-smi mig -lgip lists them on an H100, and the names
// of an H200 in NVIDIA's guide.
func TestSlicesOf(t *testing.T) {
	text := func(gpu string, list []serving.Slice) string {
		s := gpu
		for _, x := range list {
			s += fmt.Sprintf(" %s×%d", x.Name, x.PerGPU())
		}
		return s
	}
	for _, c := range []struct {
		sku  string
		m    unit.Bytes
		told bool
		want string
	}{
		{"H100-SXM5-80GB", unit.FromMiB(81559), true, "H100-SXM5-80GB 1g.10gb×7 1g.20gb×4 2g.20gb×3 3g.40gb×2 4g.40gb×1"},
		{"H200-SXM5-141GB", 141 * unit.GB, false, "H200-SXM5-141GB 1g.18gb×7 1g.35gb×4 2g.35gb×3 3g.71gb×2 4g.71gb×1"},
		{"H200-SXM5-141GB", unit.FromMiB(143771), true, "H200-SXM5-141GB 1g.18gb×7 1g.35gb×4 2g.35gb×3 3g.71gb×2 4g.71gb×1"},
		{"L40S-48GB", 48 * unit.GB, false, "L40S-48GB"},
	} {
		gpu := hardware.GPU{SKU: c.sku, Memory: c.m, MemoryReported: c.told}
		if got := text(c.sku, serving.SlicesOf(gpu)); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}
