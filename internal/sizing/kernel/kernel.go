// Package kernel holds measured operators of inference engines as compact functions:
// matrix products, attention, all-reduce and routed experts. A curve keeps shares of a
// GPU's peaks (utilisation against shape) and not times, so that it carries over to boards
// on which nobody measured. Its constants were fitted to published kernel tables; Curves
// names source, date and residuals. The package knows no model and no load.
package kernel

import (
	"slices"
)

// GPU is what an operator runs on.
type GPU struct {
	BF16, FP8 float64 // dense FLOP/s; FP8 is 0 where the GPU does not compute in it
	Bandwidth float64 // bytes/s of memory
	NVLink    float64 // bytes/s per direction; 0: none
}

// Format is a number format as kernel tables name it.
type Format string

// The formats of the tables.
const (
	BF16     Format = "bfloat16"
	FP8      Format = "fp8"
	FP8Block Format = "fp8_block" // one scale per 128 × 128 block
)

// Bytes returns the bytes of a value.
func (f Format) Bytes() float64 {
	if f == BF16 {
		return 2
	}
	return 1
}

// peak returns the dense peak of a format; a GPU without FP8 computes at 16 bit.
func (f Format) peak(g GPU) float64 {
	if f != BF16 && g.FP8 > 0 {
		return g.FP8
	}
	return g.BF16
}

// Curves are the fitted constants of one inference engine. Shares are of the GPU's peaks,
// times are in microseconds.
type Curves struct {
	Engine        string     `json:"engine"` // trtllm, vllm, sglang
	EngineVersion string     `json:"engine_version"`
	Source        string     `json:"source"`
	AsOf          string     `json:"as_of"`  // ISO date of the fit
	SHA256        string     `json:"sha256"` // of the fitted table
	Matrix        Matrix     `json:"matrix"`
	Prompt        Prompt     `json:"prompt"`
	Answer        Answer     `json:"answer"`
	Reduce        Reduce     `json:"reduce"`
	Mixture       Mixture    `json:"mixture"`
	Residuals     []Residual `json:"residuals"`
}

// Matrix are the constants of matrix products.
type Matrix struct {
	BF16     MatrixFormat `json:"bf16"`
	FP8      MatrixFormat `json:"fp8"`
	FP8Block MatrixFormat `json:"fp8_block"`
	Overlap  float64      `json:"overlap"` // share of the shorter of computing and reading that shows
	Wave     float64      `json:"wave"`    // waves of tiles lost at the end of a product
}

// MatrixFormat are those of one format.
type MatrixFormat struct {
	LaunchUS  float64 `json:"launch_us"`
	Compute   float64 `json:"compute"`    // share of the peak
	Weights   float64 `json:"weights"`    // share of the bandwidth that reading weights reaches
	Activates float64 `json:"activation"` // share of the bandwidth at which activations come and go
}

// Prompt are the constants of attention over prompts.
type Prompt struct {
	LaunchUS float64 `json:"launch_us"`
	RowNS    float64 `json:"row_ns"` // per token of the longest prompt: the critical path
	Compute  float64 `json:"compute"`
	HeadNS   float64 `json:"head_ns"` // per token and query head
	Compute8 float64 `json:"compute_fp8"`
	Head8NS  float64 `json:"head_fp8_ns"`
}

// Answer are the constants of attention of decoding sequences.
type Answer struct {
	BF16 AnswerFormat `json:"bf16"`
	FP8  AnswerFormat `json:"fp8"`
}

// AnswerFormat are those of one format of the cache.
type AnswerFormat struct {
	LaunchUS  float64 `json:"launch_us"`
	Bandwidth float64 `json:"bandwidth"` // share
	UnitNS    float64 `json:"unit_ns"`   // per sequence and KV head
	SplitUS   float64 `json:"split_us"`  // of splitting long contexts
}

// Reduce are the constants of all-reduces inside one NVLink domain.
type Reduce struct {
	LaunchUS float64 `json:"launch_us"`
	RankUS   float64 `json:"rank_us"` // per GPU
	Share2   float64 `json:"share_2"` // of the link's bandwidth over 2 GPUs
	Share8   float64 `json:"share_8"`
	RampUS   float64 `json:"ramp_us"` // per further GPU, of middle-sized messages
	HalfMB   float64 `json:"half_mb"` // message at which half of it is paid
}

// Mixture are the constants of routed experts.
type Mixture struct {
	LaunchUS float64       `json:"launch_us"`
	Overlap  float64       `json:"overlap"`
	Pad      float64       `json:"pad"`  // rows by which an expert's share of tokens is rounded up
	Skew     float64       `json:"skew"` // surplus of the busiest GPU over the mean, per GPU that experts are spread over
	BF16     MixtureFormat `json:"bf16"`
	FP8      MixtureFormat `json:"fp8"`
	FP8Block MixtureFormat `json:"fp8_block"`
}

// MixtureFormat are those of one format.
type MixtureFormat struct {
	HalfWidth float64 `json:"half_width"` // width of a GPU's part of an expert at which it computes half as well as a plain product
	Weights   float64 `json:"weights"`    // share of the bandwidth
}

// Residual is how far a curve is from the rows of a table, e = ln(curve/measured).
type Residual struct {
	Op      string  `json:"op"`
	Format  string  `json:"format"`
	Rows    int     `json:"rows"`
	Median  float64 `json:"median"` // of |e|
	P90     float64 `json:"p90"`    // of |e|
	Bias    float64 `json:"bias"`   // median of e
	HeldOut bool    `json:"held_out"`
}

// constants lists pointers to every fitted constant, by operator.
func (c *Curves) constants() map[string][]*float64 {
	format := func(f *MatrixFormat) []*float64 {
		return []*float64{&f.LaunchUS, &f.Compute, &f.Weights, &f.Activates}
	}
	answer := func(f *AnswerFormat) []*float64 {
		return []*float64{&f.LaunchUS, &f.Bandwidth, &f.UnitNS, &f.SplitUS}
	}
	m, p, x, r := &c.Matrix, &c.Prompt, &c.Mixture, &c.Reduce
	return map[string][]*float64{
		OpGEMM:    slices.Concat(format(&m.BF16), format(&m.FP8), format(&m.FP8Block), []*float64{&m.Overlap, &m.Wave}),
		OpPrefill: {&p.LaunchUS, &p.RowNS, &p.Compute, &p.HeadNS, &p.Compute8, &p.Head8NS},
		OpDecode:  slices.Concat(answer(&c.Answer.BF16), answer(&c.Answer.FP8)),
		OpReduce:  {&r.LaunchUS, &r.RankUS, &r.Share2, &r.Share8, &r.RampUS, &r.HalfMB},
		OpExperts: {
			&x.LaunchUS, &x.Overlap, &x.Pad, &x.Skew, &x.BF16.HalfWidth, &x.BF16.Weights,
			&x.FP8.HalfWidth, &x.FP8.Weights, &x.FP8Block.HalfWidth, &x.FP8Block.Weights,
		},
	}
}

// Constants returns pointers to the fitted constants of an operator of the tables, for a fit.
func (c *Curves) Constants(op string) []*float64 { return c.constants()[op] }

// Count returns how many fitted constants the curves have.
func (c *Curves) Count() int {
	n := 0
	for _, list := range c.constants() {
		n += len(list)
	}
	return n
}

const (
	micro = 1e-6
	nano  = 1e-9
)
