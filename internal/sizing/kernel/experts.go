package kernel

import "math"

// Experts are the routed experts of one layer on one GPU.
type Experts struct {
	launch  float64
	touch   float64 // experts that one token touches, over all experts
	weights float64 // seconds to read all experts of the GPU
	compute float64 // seconds per token
	padding float64 // seconds of rounding up the tokens of all touched experts
	overlap float64
}

// Routing is how unevenly tokens choose experts: the skew of a power law, 0 for balanced.
type Routing float64

// Skewed is the routing of real traffic: against measured rows a power law of exponent 1.2
// is nearer than balanced routing (AIC tables, tag v0.10.0).
const Skewed Routing = 1.2

// Experts prepares routed experts: width is that of one whole expert, tp GPUs share each and
// ep GPUs spread them. Three matrices per expert (gate, up, down).
func (c *Curves) Experts(f Format, hidden, width, experts, topK float64, tp, ep int, skew Routing, g GPU) Experts {
	x := &c.Mixture
	q := x.format(f)
	t, e := float64(max(tp, 1)), float64(max(ep, 1))
	matrix := 3 * hidden * width / t
	part := width / t
	peak := f.peak(g) * c.Matrix.format(f).Compute * part / (part + q.HalfWidth)
	surplus := 1.0
	if skew > 0 {
		surplus += x.Skew * float64(skew) * e
	}
	return Experts{
		launch: x.LaunchUS * micro, touch: topK / experts, overlap: x.Overlap,
		weights: matrix * experts / e * f.Bytes() / (g.Bandwidth * q.Weights),
		compute: 2 * matrix * topK / e / peak * math.Min(surplus, e*(1+x.Skew)),
		padding: 2 * matrix * experts / e * x.Pad / peak,
	}
}

// WeightBits returns the experts with weights of another width that are unpacked to the
// format on the way.
func (q Experts) WeightBits(bits float64, f Format) Experts {
	q.weights *= bits / 8 / f.Bytes()
	return q
}

// Time returns seconds for the tokens of all GPUs together, tokens >= 1. The share of
// experts that are touched is 1 - (1-k/N)^T, here as 1 - 1/(1+x+x²/2) with x = T·k/N, which
// is within 0.04 of it and cheap.
func (q *Experts) Time(tokens float64) float64 {
	x := tokens * q.touch
	touched := 1 - 1/(1+x+x*x/2)
	weights := q.weights * touched
	compute := q.compute*tokens + q.padding*touched
	return q.launch + math.Max(compute, weights) + q.overlap*math.Min(compute, weights)
}

func (m *Mixture) format(f Format) *MixtureFormat {
	switch f {
	case FP8:
		return &m.FP8
	case FP8Block:
		return &m.FP8Block
	}
	return &m.BF16
}
