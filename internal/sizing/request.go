package sizing

import (
	"encoding/json"

	"rackwright/internal/sizing/llm"
)

// RequestVersion is the version of the request that this code writes.
const RequestVersion = 1

// Task is what the customer wants to do with the model.
type Task string

// Serve is inference within time limits, the task of this version.
const Serve Task = "serve"

// Request is what was asked, stored as sent. Zero values take documented defaults, which
// Result.Request and Result.Assumptions then show.
type Request struct {
	Version       int               `json:"version"`
	Task          Task              `json:"task"`
	Model         ModelChoice       `json:"model"`
	Input         Length            `json:"input"`
	Output        Length            `json:"output"`
	Load          Load              `json:"load"`
	Weights       llm.Precision     `json:"weights,omitempty"` // empty: the checkpoint's own
	KV            llm.Precision     `json:"kv,omitempty"`      // empty: fp8 with fp8 weights, else 16 bit
	Targets       Targets           `json:"targets"`
	Engine        InferenceEngine   `json:"engine,omitempty"`
	Features      Features          `json:"features,omitzero"`
	Reserve       Reserve           `json:"reserve"`
	HorizonMonths int               `json:"horizon_months,omitempty"`
	Cost          map[string]string `json:"cost,omitempty"` // own figures, by key of the shipped cost defaults
}

// ModelChoice names the model in exactly one of three ways.
type ModelChoice struct {
	HFID   string          `json:"hf_id,omitempty"`  // a row of the model library
	Config json.RawMessage `json:"config,omitempty"` // a Hugging Face config.json; see ConfigText for anything else
	Counts *llm.Counts     `json:"counts,omitempty"` // typed by hand
	// ConfigText is what was pasted or uploaded where it is not JSON; it is only ever refused.
	ConfigText string `json:"config_text,omitempty"`
}

// Length is a distribution of token counts.
type Length struct {
	Mean         float64 `json:"mean"`                   // tokens
	Median       float64 `json:"median,omitempty"`       // tokens; with the mean it gives the spread of a lognormal
	Sigma        float64 `json:"sigma,omitempty"`        // of the logarithm; 0 takes the median's, else the default 0.5
	Distribution string  `json:"distribution,omitempty"` // "lognormal" (default), "fixed" or "trace"
}

// The distributions of lengths. Those of a trace are the lengths of its rows.
const (
	Lognormal = "lognormal"
	Fixed     = "fixed"
	FromTrace = "trace"
)

// Load is how much is asked for at the peak, in exactly one of two ways.
type Load struct {
	RequestsPerSecond float64 `json:"requests_per_second,omitempty"`
	Concurrency       float64 `json:"concurrency,omitempty"`  // requests in flight
	MeanOfPeak        float64 `json:"mean_of_peak,omitempty"` // mean of the day as a share of the peak, 0 < x <= 1; 0 means 1
	// Arrivals says how requests come in. A closed loop goes with Concurrency, a trace brings
	// its own times, which are stretched to the rate where one is given.
	Arrivals Arrivals `json:"arrivals,omitempty"` // empty is Poisson with a rate, Closed with users
	CV       float64  `json:"cv,omitempty"`       // of the times between bursty arrivals, 1 to 10; 0 takes 2
	Trace    []Traced `json:"trace,omitempty"`    // of Arrivals Trace, in order of time
}

// Arrivals is how requests come in.
type Arrivals string

// The ways in which requests come in.
const (
	Poisson Arrivals = "poisson" // independent users
	Bursty  Arrivals = "bursty"  // gamma-distributed times between arrivals
	Closed  Arrivals = "closed"  // a fixed number of users who wait for the answer
	Trace   Arrivals = "trace"   // recorded times and lengths
)

// Traced is one recorded request.
type Traced struct {
	At     float64 `json:"at"`     // seconds from the start
	Input  int     `json:"input"`  // tokens
	Output int     `json:"output"` // tokens
}

// Features are techniques that change what a request costs. Zero values are off.
type Features struct {
	PrefixShare   float64 `json:"prefix_share,omitempty"`  // of prompt tokens found in the cache, 0 to 0.95
	DraftTokens   int     `json:"draft_tokens,omitempty"`  // of speculative decoding per step, 1 to 8
	Acceptance    float64 `json:"acceptance,omitempty"`    // of a drafted token, 0 to 0.99; 0 takes 0.6
	Adapters      int     `json:"adapters,omitempty"`      // LoRA adapters held in memory at once, 0 to 1,000
	AdapterRank   int     `json:"adapter_rank,omitempty"`  // of each; 0 takes 16
	Disaggregated bool    `json:"disaggregated,omitempty"` // compare separate GPUs for prompts and answers too
	Slices        bool    `json:"slices,omitempty"`        // compare MIG slices too
}

// Targets are the time limits; a zero limit is not set.
type Targets struct {
	TTFTMillis float64 `json:"ttft_ms,omitempty"`
	TPOTMillis float64 `json:"tpot_ms,omitempty"`
	Percentile float64 `json:"percentile,omitempty"` // of the requests that must meet them; 0 takes 95
}

// InferenceEngine is the software that serves the model.
type InferenceEngine string

// The inference engines whose overheads are known.
const (
	AnyEngine   InferenceEngine = ""
	TensorRTLLM InferenceEngine = "tensorrt-llm"
	VLLM        InferenceEngine = "vllm"
	SGLang      InferenceEngine = "sglang"
)

// InferenceEngines lists the choices of a form.
var InferenceEngines = []InferenceEngine{AnyEngine, TensorRTLLM, VLLM, SGLang}

// Reserve is what is kept back from the computed capacity.
type Reserve struct {
	SpareSystems int      `json:"spare_systems,omitempty"` // whole systems beyond the load, 1 is N+1
	HeadroomPct  *float64 `json:"headroom_pct,omitempty"`  // of capacity kept free at the peak; nil takes 10
}
