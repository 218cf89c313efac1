package kernel

import "math"

// Streaming multiprocessors of H100 SXM and the rows and columns of the tile one works on:
// NVIDIA H100 whitepaper, and the 128 × 128 tiles of CUTLASS's Hopper kernels. They set how
// much work is lost in the last wave.
const (
	multiprocessors = 132
	tile            = 128
)

// GEMM is a matrix product of prepared shape on one GPU: tokens × k by k × n.
type GEMM struct {
	launch  float64
	compute float64 // seconds per token
	wave    float64 // seconds of the lost part of a wave
	weights float64 // seconds to read the weights
	moves   float64 // seconds per token to bring and take activations
	overlap float64
}

// GEMM prepares a product with n outputs and k inputs. Weights and activations are in f,
// outputs at 16 bit.
func (c *Curves) GEMM(f Format, n, k float64, g GPU) GEMM {
	q := c.Matrix.format(f)
	peak := f.peak(g) * q.Compute
	return GEMM{
		launch: q.LaunchUS * micro, compute: 2 * n * k / peak, overlap: c.Matrix.Overlap,
		wave:    c.Matrix.Wave * 2 * tile * tile * multiprocessors * k / peak,
		weights: n * k * f.Bytes() / (g.Bandwidth * q.Weights),
		moves:   (k*2 + n*2) / (g.Bandwidth * q.Activates),
	}
}

// WeightBits returns the product with weights of another width that are unpacked to the
// format on the way: fewer bytes are read, the computation stays.
func (q GEMM) WeightBits(bits float64, f Format) GEMM {
	q.weights *= bits / 8 / f.Bytes()
	return q
}

// Fused returns the product with only a share of its launch, as inside a captured graph and
// with the conversion of its input fused into the kernel before.
func (q GEMM) Fused(share float64) GEMM {
	q.launch *= share
	return q
}

// Time returns seconds for m tokens, m >= 1: launch, the longer of computing and reading
// the weights, the part of the shorter one that does not hide, and moving activations.
func (q *GEMM) Time(m float64) float64 {
	compute := q.compute*m + q.wave
	return q.launch + math.Max(compute, q.weights) + q.overlap*math.Min(compute, q.weights) + q.moves*m
}

func (m *Matrix) format(f Format) *MatrixFormat {
	switch f {
	case FP8:
		return &m.FP8
	case FP8Block:
		return &m.FP8Block
	}
	return &m.BF16
}
