package kernel

import "math"

// Streaming multiprocessors of H100 SXM and the rows and columns of the tile that one works
// on: NVIDIA H100 whitepaper, and the 128 × 128 tiles of CUTLASS's Hopper kernels. Up to
// smallTile tokens those kernels have tiles of half the rows (a warp group multiplies 64);
// kernels with a scale per block have not. They set how much work is lost in the last wave.
const (
	multiprocessors = 132
	tile            = 128
	smallTile       = 64
)

// warm is the bandwidth at which activations come and go, as a multiple of that of memory:
// they are small, and the level-2 cache holds most of them (judgement; fits of it lie
// between 1.4 and 2 and move no error by more than 0.3 %).
const warm = 2

// GEMM is a matrix product of prepared shape on one GPU: tokens × k by k × n.
type GEMM struct {
	launch  float64
	columns float64 // waves that a row of tiles fills
	wave    float64 // seconds of a wave
	small   float64 // share of a tile that is computed for few tokens
	lost    float64 // share of the empty part of the last wave that is lost
	weights float64 // seconds to read the weights
	moves   float64 // seconds per token to bring and take activations
	overlap float64
}

// GEMM prepares a product with n outputs and k inputs. Inputs and outputs are at 16 bit;
// those of 8-bit products are scaled on the way in.
func (c *Curves) GEMM(f Format, n, k float64, g GPU) GEMM {
	m := &c.Matrix
	q, small, scale := &m.BF16, 0.5, 0.0
	switch f {
	case FP8:
		q, scale = &m.FP8, m.Scale
	case FP8Block:
		q, scale, small = &m.FP8Block, m.ScaleRows, 1
	}
	op := GEMM{
		launch: q.LaunchUS * micro, small: small, lost: q.Wave, overlap: m.Overlap,
		columns: math.Ceil(n/tile) / multiprocessors,
		wave:    2 * tile * tile * multiprocessors * k / (f.peak(g) * q.Compute),
		weights: n * k * f.Bytes() / (g.Bandwidth * q.Weights),
		moves:   (k*f.Bytes() + n*2) / (g.Bandwidth * warm),
	}
	if scale > 0 {
		op.moves += 3 * k / (g.Bandwidth * scale) // 16 bit in, 8 bit out
	}
	return op
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
	waves := math.Ceil(m*(1.0/tile)) * q.columns
	compute := (waves + q.lost*(math.Ceil(waves)-waves)) * q.wave
	if m <= smallTile {
		compute *= q.small
	}
	return q.launch + longer(compute, q.weights, q.overlap) + q.moves*m
}
