// Package kernel holds measured operators of inference engines as compact functions:
// matrix products, attention, all-reduce and routed experts. A curve keeps shares of a
// GPU's peaks (utilisation against shape) and not times, so that it carries over to boards
// on which nobody measured. Its constants were fitted to published kernel tables; Curves
// names source, date and residuals. The package knows no model and no load.
package kernel

// GPU is what an operator runs on.
type GPU struct {
	BF16, FP8 float64 // dense FLOP/s; FP8 is 0 where the GPU does not compute in it
	Bandwidth float64 // bytes/s of memory
	NVLink    float64 // bytes/s per direction; 0: none
}

// H100 is the board of the published kernel tables: NVIDIA H100 SXM5 80 GB datasheet
// (dense peaks, 3.35 TB/s, NVLink 900 GB/s in both directions together).
var H100 = GPU{BF16: 989.4e12, FP8: 1978.9e12, Bandwidth: 3350e9, NVLink: 450e9}

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
	BF16      MatrixFormat `json:"bf16"`
	FP8       MatrixFormat `json:"fp8"`
	FP8Block  MatrixFormat `json:"fp8_block"`
	Scale     float64      `json:"scale"`       // share of the bandwidth at which 16-bit inputs become FP8
	ScaleRows float64      `json:"scale_block"` // the same with a scale per block
	Overlap   float64      `json:"overlap"`     // share of the shorter of computing and reading that shows
}

// MatrixFormat are those of one format.
type MatrixFormat struct {
	LaunchUS float64 `json:"launch_us"` // with the kernel that scales the input, where there is one
	Compute  float64 `json:"compute"`   // share of the peak in full waves
	Weights  float64 `json:"weights"`   // share of the bandwidth that reading weights reaches
	Wave     float64 `json:"wave"`      // share of the empty part of the last wave that is lost
}

// Prompt are the constants of attention over prompts.
type Prompt struct {
	BF16    PromptFormat `json:"bf16"`
	FP8     PromptFormat `json:"fp8"`     // with an 8-bit cache
	Eight   Format       `json:"eight"`   // in which the products of prompts with an 8-bit cache compute; not fitted
	Moves   float64      `json:"moves"`   // share of the bandwidth at which queries, keys, values and outputs move
	Overlap float64      `json:"overlap"` // share of the shorter of all work and its longest row that shows
}

// PromptFormat are those of one format.
type PromptFormat struct {
	LaunchUS float64 `json:"launch_us"`
	Compute  float64 `json:"compute"` // share of the peak
}

// Answer are the constants of attention of decoding sequences.
type Answer struct {
	BF16    AnswerFormat `json:"bf16"`
	FP8     AnswerFormat `json:"fp8"`
	SplitUS float64      `json:"split_us"` // of splitting long contexts over processors and adding up
	Overlap float64      `json:"overlap"`  // share of the shorter of units and reading that shows
	Warm    float64      `json:"warm"`     // share of reading time that is left in a table's loop for what the level-2 cache holds
}

// AnswerFormat are those of one format of the cache.
type AnswerFormat struct {
	LaunchUS  float64 `json:"launch_us"`
	Bandwidth float64 `json:"bandwidth"` // share that reading the cache reaches
	UnitNS    float64 `json:"unit_ns"`   // per sequence and KV head beyond those that run at once
}

// Reduce are the constants of all-reduces inside one NVLink domain.
type Reduce struct {
	LaunchUS float64 `json:"launch_us"`
	RankUS   float64 `json:"rank_us"` // per GPU
	Ring     float64 `json:"ring"`    // share of the link that long vectors reach over 2 to 4 GPUs
	Switch   float64 `json:"switch"`  // over 8 GPUs, where switches add up
	Direct   float64 `json:"direct"`  // share of the link when each GPU reads the vectors of all others
	RampUS   float64 `json:"ramp_us"` // per further GPU, cost of the stages that save bytes
}

// Mixture are the constants of routed experts.
type Mixture struct {
	LaunchUS float64 `json:"launch_us"` // routing and all kernels
	BF16     float64 `json:"bf16"`      // share of the peak
	FP8      float64 `json:"fp8"`
	FP8Block float64 `json:"fp8_block"`
	Weights  float64 `json:"weights"` // share of the bandwidth
	Passes   float64 `json:"passes"`  // how often a routed token's vector moves through memory
	Ranks    float64 `json:"ranks"`   // power, per skew of the routing, with which the load of the busiest GPU grows over the mean
	Overlap  float64 `json:"overlap"` // share of the shorter of computing and reading that shows
}

// Residual is how far a curve is from the rows of a table, e = ln(curve/measured).
type Residual struct {
	Op      string  `json:"op"`
	Format  string  `json:"format"`
	Regime  string  `json:"regime,omitempty"` // part of the rows; empty: all
	Rows    int     `json:"rows"`
	Median  float64 `json:"median"` // of |e|
	P90     float64 `json:"p90"`    // of |e|
	Bias    float64 `json:"bias"`   // median of e
	HeldOut bool    `json:"held_out"`
}

const (
	micro = 1e-6
	nano  = 1e-9
)

// longer returns the time of two things that partly hide each other: the longer, and the
// share of the shorter that shows.
func longer(a, b, shows float64) float64 { return max(a, b) + shows*min(a, b) }
