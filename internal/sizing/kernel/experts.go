package kernel

import "math"

// Experts are the routed experts of one layer on one GPU.
type Experts struct {
	launch  float64
	touch   float64 // tokens per expert for a token
	weights float64 // seconds to read all experts of the GPU
	compute float64 // seconds per token
	moves   float64 // seconds per token
	overlap float64
	dealt   bool // evenly, as no router does
}

// Routing is how unevenly tokens choose experts: the exponent of a power law, 0 for dealing
// them out evenly.
type Routing float64

// Skewed is the routing of real traffic: against measured rows a power law of exponent 1.2
// is nearer than balanced routing (AIC tables, tag v0.10.0).
const Skewed Routing = 1.2

// Experts prepares routed experts: width is that of one whole expert, tp GPUs share each and
// ep GPUs spread them. Three matrices per expert (gate, up, down). The busiest GPU sets the
// time; how much busier than the mean it is grows with the GPUs that experts are spread over.
func (c *Curves) Experts(f Format, hidden, width, experts, topK float64, tp, ep int, skew Routing, g GPU) Experts {
	x := &c.Mixture
	share := x.BF16
	switch f {
	case FP8:
		share = x.FP8
	case FP8Block:
		share = x.FP8Block
	}
	t, e := float64(max(tp, 1)), float64(max(ep, 1))
	matrices := 3 * hidden * width / t
	rows := topK / e * math.Pow(e, min(1, x.Ranks*float64(skew)))
	return Experts{
		launch: x.LaunchUS * micro, touch: topK / experts, overlap: x.Overlap, dealt: skew == 0,
		weights: matrices * experts / e * f.Bytes() / (g.Bandwidth * x.Weights),
		compute: 2 * matrices * rows / (f.peak(g) * share),
		moves:   2 * hidden * rows * x.Passes / g.Bandwidth,
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
	if q.dealt {
		touched = min(1, x)
	}
	return q.launch + longer(q.compute*tokens, q.weights*touched, q.overlap) + q.moves*tokens
}
