package kernel

import (
	"testing"

	"pgregory.net/rapid"
)

var formats = []Format{BF16, FP8, FP8Block}

// drawn is a GPU and a better one.
func drawn(t *rapid.T) (g, better GPU) {
	share := func(name string) float64 { return rapid.Float64Range(1, 3).Draw(t, name) }
	bf16 := rapid.Float64Range(100e12, 2500e12).Draw(t, "bf16")
	g = GPU{
		BF16: bf16, FP8: bf16 * float64(rapid.IntRange(0, 2).Draw(t, "fp8")),
		Bandwidth: rapid.Float64Range(0.5e12, 10e12).Draw(t, "bandwidth"), NVLink: rapid.Float64Range(20e9, 1000e9).Draw(t, "link"),
	}
	more := share("peak")
	better = GPU{BF16: g.BF16 * more, FP8: g.FP8 * more, Bandwidth: g.Bandwidth * share("reads"), NVLink: g.NVLink * share("links")}
	return g, better
}

func side(t *rapid.T, name string, most int) float64 {
	return float64(rapid.IntRange(1, most).Draw(t, name))
}

// No operator is faster with more work, nor slower on a GPU that is better in something.
func TestMonotone(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Shipped(rapid.SampledFrom(Engines).Draw(t, "engine"))
		g, better := drawn(t)
		f := rapid.SampledFrom(formats).Draw(t, "format")
		cache := rapid.SampledFrom([]Format{BF16, FP8}).Draw(t, "cache")
		m, n, k, more := side(t, "m", 20000), side(t, "n", 60000), side(t, "k", 60000), side(t, "more", 5000)
		batch, length, past := side(t, "batch", 64), side(t, "length", 30000), side(t, "past", 100000)
		kv, group, dim := side(t, "kv", 16), side(t, "group", 16), float64(64*rapid.IntRange(1, 4).Draw(t, "dim"))
		tp, ep, top := 1<<rapid.IntRange(0, 3).Draw(t, "tp"), 1<<rapid.IntRange(0, 5).Draw(t, "ep"), side(t, "top", 8)
		skew := Routing(rapid.Float64Range(0.1, 2).Draw(t, "skew"))
		gpus := rapid.IntRange(2, 16).Draw(t, "gpus")

		gemm := func(g GPU, m, n, k float64) float64 { q := c.GEMM(f, n, k, g); return q.Time(m) }
		prefill := func(g GPU, batch, length, past float64) float64 {
			q := c.Prefill(cache, cache, kv*group, kv, dim, g)
			return q.Time(batch, length, past)
		}
		decode := func(g GPU, batch, context, kv float64) float64 {
			q := c.Decode(cache, kv*group, kv, dim, g)
			return q.Time(batch, context)
		}
		reduce := func(g GPU, elements float64) float64 { q := c.AllReduce(gpus, g); return q.Time(elements) }
		experts := func(g GPU, tokens float64, skew Routing) float64 {
			q := c.Experts(f, 4096, 1536, 128, top, tp, ep, skew, g)
			return q.Time(tokens)
		}
		for name, pair := range map[string][2]float64{
			"product, tokens":     {gemm(g, m, n, k), gemm(g, m+more, n, k)},
			"product, outputs":    {gemm(g, m, n, k), gemm(g, m, n+more, k)},
			"product, inputs":     {gemm(g, m, n, k), gemm(g, m, n, k+more)},
			"product, GPU":        {gemm(better, m, n, k), gemm(g, m, n, k)},
			"prompts, batch":      {prefill(g, batch, length, past), prefill(g, batch+1, length, past)},
			"prompts, length":     {prefill(g, batch, length, past), prefill(g, batch, length+more, past)},
			"prompts, past":       {prefill(g, batch, length, past), prefill(g, batch, length, past+more)},
			"prompts, GPU":        {prefill(better, batch, length, past), prefill(g, batch, length, past)},
			"decoding, sequences": {decode(g, m, past, kv), decode(g, m+more, past, kv)},
			"decoding, context":   {decode(g, m, past, kv), decode(g, m, past+more, kv)},
			"decoding, heads":     {decode(g, m, past, kv), decode(g, m, past, kv+1)},
			"decoding, GPU":       {decode(better, m, past, kv), decode(g, m, past, kv)},
			"all-reduce, vector":  {reduce(g, m*more), reduce(g, m*more+more)},
			"all-reduce, link":    {reduce(better, m*more), reduce(g, m*more)},
			"experts, tokens":     {experts(g, m, skew), experts(g, m+more, skew)},
			"experts, skew":       {experts(g, m, skew), experts(g, m, skew*1.3)},
			"experts, GPU":        {experts(better, m, skew), experts(g, m, skew)},
		} {
			if !(pair[0] > 0) || pair[0] > pair[1]*(1+1e-12) {
				t.Errorf("%s: %g s must not be more than %g s", name, pair[0], pair[1])
			}
		}
	})
}

// A prompt that is read in two parts attends to as many pairs as at once: apart from the
// second launch it is never faster.
func TestPromptsInParts(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := Shipped(rapid.SampledFrom(Engines).Draw(t, "engine"))
		q := c.Prefill(BF16, BF16, 32, 8, 128, H100)
		first, second := side(t, "first", 20000), side(t, "second", 20000)
		whole, parts := q.Time(1, first+second, 0), q.Time(1, first, 0)+q.Time(1, second, first)
		if parts < whole-q.launch {
			t.Errorf("in parts %g s, at once %g s", parts, whole)
		}
	})
}
