package llm

import (
	"math"
	"os"
	"testing"
)

func library(t *testing.T) Library {
	t.Helper()
	f, err := os.Open("../../seed/data/models.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	lib, err := ReadLibrary(f)
	if err != nil {
		t.Fatal(err)
	}
	return lib
}

// Over the whole library the matrices have exactly the parameters of the linear layers
// without routed experts, and what the GPUs hold exceeds them by the copies alone.
func TestMatricesHoldEveryParameter(t *testing.T) {
	for _, e := range library(t) {
		g := e.Geometry
		if g == nil {
			continue
		}
		p := g.Params()
		want := p.Attention + p.DenseMLP + p.Shared + p.Router + g.Vocab*g.Hidden
		for _, tp := range g.TensorParallel(16) {
			var whole, held int64
			for _, m := range g.Matrices(tp) {
				if m.N < 1 || m.K < 1 || m.N*m.K*int64(tp) < m.Whole {
					t.Fatalf("%s, TP %d: %+v", e.Name, tp, m)
				}
				whole += m.Whole * m.Count
				held += m.N * m.K * m.Count * int64(tp)
			}
			if whole != want {
				t.Errorf("%s, TP %d: %d parameters, want %d", e.Name, tp, whole, want)
			}
			if got := want + copies(g, int64(tp)); held != got {
				t.Errorf("%s, TP %d: the GPUs hold %d, want %d", e.Name, tp, held, got)
			}
		}
	}
}

// copies counts what the GPUs hold more than once, and padding, apart from Matrices.
func copies(g *Geometry, tp int64) int64 {
	pad := func(n int64) int64 { return (n+tp-1)/tp*tp - n }
	n := pad(g.Vocab) * g.Hidden
	if a := g.MLA; a != nil {
		n += (tp - 1) * g.Layers * g.Hidden * (a.QLoRARank + a.KVLoRARank + a.RopeDim)
	} else if tp > g.KVHeads {
		n += (tp - g.KVHeads) * g.Layers * g.Hidden * (g.HeadDim + g.VHeadDim)
	}
	dense := g.Layers
	if m := g.MoE; m != nil {
		dense = m.DenseLayers
		n += (tp - 1) * g.Params().Router
		n += (g.Layers - dense) * g.mlp(pad(m.SharedIntermediate))
	}
	return n + dense*g.mlp(pad(g.Intermediate))
}

// The shapes of Llama 3.1 70B on two GPUs, worked by hand.
func TestMatricesOfAKnownModel(t *testing.T) {
	e, ok := library(t).Find("meta-llama/Llama-3.1-70B")
	if !ok {
		t.Fatal("not in the library")
	}
	want := []Matrix{
		{"qkv", Attention, 5120, 8192, 80, 10240 * 8192}, {"o", Attention, 8192, 4096, 80, 8192 * 8192},
		{"gate_up", Dense, 28672, 8192, 80, 57344 * 8192}, {"down", Dense, 8192, 14336, 80, 28672 * 8192},
		{"head", Head, 64128, 8192, 1, 128256 * 8192},
	}
	got := e.Geometry.Matrices(2)
	for i, m := range want {
		if i >= len(got) || got[i] != m {
			t.Fatalf("%+v, want %+v", got, want)
		}
	}
}

func TestMatricesOfSizesByHand(t *testing.T) {
	for name, c := range map[string]Counts{
		"dense":         {ParamsTotal: 70e9, Layers: 80, Hidden: 8192, Heads: 64, KVHeads: 8, Vocab: 128256},
		"mixture":       {ParamsTotal: 235e9, ParamsActive: 22e9, Layers: 94, Hidden: 4096, Heads: 64, KVHeads: 4},
		"heads too big": {ParamsTotal: 1e9, Layers: 24, Hidden: 4096, Heads: 64, HeadDim: 256},
	} {
		g, _, err := c.Geometry()
		if err != nil {
			t.Fatal(name, err)
		}
		sum := g.Vocab * g.Hidden // the embedding
		for _, m := range g.Matrices(1) {
			if m.N*m.K != m.Whole {
				t.Errorf("%s: %+v", name, m)
			}
			sum += m.Whole * m.Count
		}
		if off := math.Abs(float64(sum - g.ParamsActive())); off >= float64(4*g.Hidden*g.Layers) {
			t.Errorf("%s: matrices of %d parameters, %d are active", name, sum, g.ParamsActive())
		}
		if g.AdapterBytes(16, 2, AllTargets) <= 0 {
			t.Errorf("%s: adapters without size", name)
		}
	}
}

func TestMeanContext(t *testing.T) {
	g := &Geometry{Layers: 4, Window: &Window{Tokens: 100, Layers: 3}}
	for tokens, want := range map[float64]float64{0: 0, 50: 50, 100: 100, 500: 200} {
		if got := g.MeanContext(tokens); got != want {
			t.Errorf("%v tokens: %v, want %v", tokens, got, want)
		}
	}
	g.Window = nil
	if g.MeanContext(500) != 500 {
		t.Error("no window, but a limit")
	}
}

// Llama 3.1 8B, rank 16 on all linear layers: 41,943,040 values, as peft prints it.
func TestAdapterBytes(t *testing.T) {
	g := parseFile(t, "hf_dense_gqa.json")
	if got := g.AdapterBytes(16, 1, AllTargets); got != 2*41_943_040 {
		t.Errorf("%d bytes", got)
	}
	if a, b := g.AdapterBytes(16, 1, AttentionTargets), g.AdapterBytes(16, 2, AttentionTargets); a != 2*13_631_488 || b >= a || 2*b <= a {
		t.Errorf("%d bytes on one GPU, %d on each of two", a, b)
	}
	for _, e := range library(t) {
		if g := e.Geometry; g != nil && g.AdapterBytes(8, 2, AllTargets) < g.AdapterBytes(8, 2, AttentionTargets) {
			t.Errorf("%s: more targets, fewer bytes", e.Name)
		}
	}
}

// The parts are the whole: WeightBytes and its scales, in every format.
func TestWeightPartsAddUp(t *testing.T) {
	for _, e := range library(t) {
		g := e.Geometry
		if g == nil {
			continue
		}
		for _, p := range []Precision{FP32, BF16, FP8, INT8, INT4, MXFP4} {
			want := float64(g.WeightBytes(p) + g.ScaleBytes(p))
			if got := g.WeightParts(p, "").Total(); math.Abs(got-want) > 1e-6*want {
				t.Errorf("%s, %s: %.0f bytes, want %.0f", e.Name, p, got, want)
			}
		}
		if a, b := g.WeightParts(BF16, FP8), g.WeightParts(BF16, ""); g.MoE != nil && a.Experts >= b.Experts || a.Attention != b.Attention {
			t.Errorf("%s: experts of their own format: %+v", e.Name, a)
		}
		if d := g.DraftHead(); d.Params().Total() <= 0 || d.Params().Total()*int64(g.Layers) > 2*g.Params().Total() {
			t.Errorf("%s: a drafting head of %d parameters", e.Name, d.Params().Total())
		}
	}
}

// Copies follow from the shapes: 8 KV heads on 16 GPUs of a 70B model, and the latent
// projections of DeepSeek-V3 on each of 8.
func TestAttentionCopies(t *testing.T) {
	lib := library(t)
	for _, c := range []struct {
		key  string
		tp   int
		want float64
	}{
		{"meta-llama/Llama-3.1-70B", 8, 1},
		{"meta-llama/Llama-3.1-70B", 16, (2*8192*8192 + 2*2*1024*8192) / (2.0*8192*8192 + 2*1024*8192)},
		{"deepseek-ai/DeepSeek-V3", 8, 1 + 7*7168*(1536+576.0)/187105280},
	} {
		e, ok := lib.Find(c.key)
		if !ok {
			t.Fatal(c.key)
		}
		if got := e.Geometry.AttentionCopies(c.tp); math.Abs(got-c.want) > 1e-9 {
			t.Errorf("%s, TP %d: %v copies, want %v", c.key, c.tp, got, c.want)
		}
	}
}
