package sim

import "math"

// The streams of random numbers. Each number is a function of seed, stream and index alone,
// so that the same request has the same length and unit gap at every rate and on every system
// (common random numbers), and results never change with the Go version.
const (
	streamGaps = iota + 1
	streamPrompts
	streamAnswers
)

// mix is the finaliser of SplitMix64 (Steele, Lea, Flood, "Fast splittable pseudorandom
// number generators", OOPSLA 2014).
func mix(z uint64) uint64 {
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return z ^ z>>31
}

// random is a sequence of numbers; the zero value is one, too.
type random struct{ state uint64 }

// source returns the sequence of a stream.
func source(seed, stream uint64) random { return random{mix(seed + mix(stream))} }

// at returns the sequence that belongs to index i of a stream.
func (r random) at(i int) random { return random{mix(r.state + uint64(i)*0x9e3779b97f4a7c15)} }

// unit returns the next number, inside (0, 1).
func (r *random) unit() float64 {
	r.state += 0x9e3779b97f4a7c15
	return (float64(mix(r.state)>>11) + 0.5) * 0x1p-53
}

// exponential returns the next exponential number of mean 1.
func (r *random) exponential() float64 { return -math.Log(r.unit()) }

// normal returns the next standard normal number.
func (r *random) normal() float64 { return normalQuantile(r.unit()) }

// gamma returns the next gamma number of mean 1 and coefficient of variation cv > 0
// (Marsaglia, Tsang, "A simple method for generating gamma variables", ACM TOMS 26, 2000).
func (r *random) gamma(cv float64) float64 {
	shape, scale := 1/(cv*cv), cv*cv
	if shape < 1 {
		scale *= math.Pow(r.unit(), 1/shape)
		shape++
	}
	d := shape - 1.0/3
	c := 1 / math.Sqrt(9*d)
	for {
		x := r.normal()
		v := 1 + c*x
		if v <= 0 {
			continue
		}
		v = v * v * v
		if math.Log(r.unit()) < x*x/2+d*(1-v+math.Log(v)) {
			return d * v * scale
		}
	}
}

// normalQuantile returns the z of a standard normal distribution with P(Z <= z) = p.
func normalQuantile(p float64) float64 { return math.Sqrt2 * math.Erfinv(2*p-1) }
