package serving

import "math"

// Lengths is a lognormal distribution of token counts; Sigma 0 is a fixed length.
type Lengths struct {
	Mean  float64
	Sigma float64 // of the logarithm
	Most  float64 // tokens at which longer ones are cut, as the model's context does; 0 is none
}

// At returns the length that a share p of all requests does not exceed.
func (l Lengths) At(p float64) float64 {
	x := l.Mean * math.Exp(l.Sigma*normalQuantile(p)-l.Sigma*l.Sigma/2)
	if l.Most > 0 {
		return math.Min(x, l.Most)
	}
	return x
}

// Weighted returns the mean length seen by a token: long requests hold more of them. For a
// lognormal it is mean·exp(σ²).
func (l Lengths) Weighted() float64 { return l.Mean * math.Exp(l.Sigma*l.Sigma) }

// squaredCV returns variance / mean².
func (l Lengths) squaredCV() float64 { return math.Exp(l.Sigma*l.Sigma) - 1 }

// normalQuantile returns the z of a standard normal distribution with P(Z <= z) = p.
func normalQuantile(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }
