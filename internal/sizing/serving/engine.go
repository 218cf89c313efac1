package serving

import (
	"fmt"
	"math"
	"time"

	"rackwright/internal/sizing/calibration"
	"rackwright/internal/sizing/hardware"
	"rackwright/internal/sizing/llm"
)

// Mapping is one copy of a model on a group of GPUs.
type Mapping struct {
	Model   *llm.Geometry
	Weights llm.Precision
	KV      llm.Precision
	GPU     hardware.GPU
	TP      int // GPUs that share every layer
	PP      int // stages that share the layers
	// CrossNode is set where the stages are in different systems.
	CrossNode bool
	// ADP is the attention data parallel degree of a mixture of experts: every rank keeps the
	// attention whole and its own sequences. 0 and 1 are none.
	ADP int
	// EP is over how many GPUs the routed experts are spread, MoETP how many share one expert;
	// 0 is 1 for EP and all of TP for MoETP. EP·MoETP is TP·ADP.
	EP, MoETP int
	// BlockScales is set for 8-bit weights with one scale per 128 × 128 block.
	BlockScales bool
	// ExpertFormat is the format of routed experts where it differs from Weights.
	ExpertFormat llm.Precision
	Slice        Slice
	Extra        Extra // adapters and a draft model
	Boards       BoardShares
	Stock        bool      // a server with default settings, not one that was tuned for the run
	Release      time.Time // of the inference engine's version; zero is the calibrated one
	Engine       string    // trtllm, vllm, sglang; empty is the slowest of the three
}

// BoardShares are what boards of other forms sustain of their peak.
type BoardShares calibration.BoardShares

func (b BoardShares) of(form hardware.Form) float64 {
	switch form {
	case hardware.PCIe, hardware.CNX:
		return b.PCIe
	case hardware.NVL:
		return b.NVL
	}
	return 0
}

// Slice is the part of a GPU that a copy runs on (NVIDIA Multi-Instance GPU). The zero value is a whole GPU.
type Slice struct {
	Name    string // for example 3g.40gb
	Compute int    // of 7 compute slices
	Memory  int    // of 8 memory slices
}

// GPUs returns the GPUs of one copy.
func (m Mapping) GPUs() int { return m.TP * m.PP * max(1, m.ADP) }

// Key names the mapping: equal keys have equal step times and memory. It holds the figures of the
// GPU and every choice; what the mappings of one request share (the model, adapters, draft,
// board shares, release) is left out.
func (m Mapping) Key() string {
	g := m.GPU
	return fmt.Sprintf("%q %v %v %v %v %v %v %v|%d %d %t %d %d %d %t %q %q %q|%q %d %d|%t %q", g.SKU, g.Form, g.BF16, g.FP8, g.Memory, g.MemoryReported, g.Bandwidth, g.NVLink,
		m.TP, m.PP, m.CrossNode, m.ADP, m.EP, m.MoETP, m.BlockScales, m.ExpertFormat, m.Weights, m.KV, m.Slice.Name, m.Slice.Compute, m.Slice.Memory, m.Stock, m.Engine)
}

// Workload is what one request looks like.
type Workload struct {
	Prompt     Lengths
	Answer     Lengths
	Percentile float64 // of the requests that limits hold for, 0.5 to 0.999
	Cached     float64 // share of prompt tokens found in the cache, 0 to below 1
	Draft      Draft
}

// Draft is speculative decoding; the zero value is none.
type Draft struct {
	Tokens     int     // guessed per step
	Acceptance float64 // of one, 0 to below 1
}

// Gain returns the tokens that a sequence gets per step, (1-a^(g+1))/(1-a) on average
// (Leviathan, Kalman, Matias, arXiv 2211.17192, equation 1).
func (d Draft) Gain() float64 {
	if d.Tokens == 0 {
		return 1
	}
	return (1 - math.Pow(d.Acceptance, float64(d.Tokens+1))) / (1 - d.Acceptance)
}

// Limits are time limits in seconds; 0 is none.
type Limits struct {
	TTFT float64
	TPOT float64
}

// Binding names what keeps one copy from carrying more.
type Binding string

// What may bind.
const (
	BoundTPOT     Binding = "tpot"
	BoundTTFT     Binding = "ttft"
	BoundMemory   Binding = "memory"    // KV cache
	BoundMaxBatch Binding = "sequences" // the engine's own limit of sequences
)

// Point is one copy at one load. Times are in seconds, at the workload's percentile.
type Point struct {
	Batch      float64 // sequences that decode
	RPS        float64 // requests per second
	Throughput float64 // output tokens per second
	TTFT       float64
	TPOT       float64
}

// Capacity is the most that one copy carries inside limits.
type Capacity struct {
	Point
	Bound Binding
	// Feasible is false where even a single request misses a limit; Point then holds the
	// times of a lone request, which are the nearest limits that can be met.
	Feasible bool
}

// Engine estimates what one copy of a model does, in closed formulas.
type Engine interface {
	// Name identifies the method in stored results.
	Name() string
	// Capacity returns the most that one copy carries inside the limits, with at most
	// maxBatch sequences in flight.
	Capacity(m Mapping, w Workload, l Limits, maxBatch float64) Capacity
	// At returns one copy at a rate of requests per second, and false where it cannot keep
	// up with at most maxBatch sequences.
	At(m Mapping, w Workload, rps, maxBatch float64) (Point, bool)
	// WithBatch returns one copy that holds a number of sequences in flight.
	WithBatch(m Mapping, w Workload, batch float64) Point
}
