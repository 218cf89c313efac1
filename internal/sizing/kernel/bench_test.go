package kernel

import "testing"

var sink float64

func BenchmarkTime(b *testing.B) {
	c := Shipped("trtllm")
	g := c.GEMM(FP8, 10240, 8192, H100)
	p := c.Prefill(BF16, BF16, 32, 8, 128, H100)
	d := c.Decode(BF16, 32, 8, 128, H100)
	r := c.AllReduce(8, H100)
	x := c.Experts(FP8, 4096, 1536, 128, 8, 1, 8, Skewed, H100)
	run := func(name string, f func(x float64) float64) {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			m := 1.0
			for b.Loop() {
				sink += f(m)
				if m++; m > 4096 {
					m = 1
				}
			}
		})
	}
	run("GEMM", func(m float64) float64 { return g.Time(m) })
	run("Prefill", func(m float64) float64 { return p.Time(1, m, 512) })
	run("Decode", func(m float64) float64 { return d.Time(m, 1000) })
	run("AllReduce", func(m float64) float64 { return r.Time(m * 8192) })
	run("Experts", func(m float64) float64 { return x.Time(m) })
	run("Empty", func(m float64) float64 { return m })
}
