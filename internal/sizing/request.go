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
	Sigma        float64 `json:"sigma,omitempty"`        // of the logarithm; 0 takes the default 0.5
	Distribution string  `json:"distribution,omitempty"` // "lognormal" (default) or "fixed"
}

// The distributions of lengths.
const (
	Lognormal = "lognormal"
	Fixed     = "fixed"
)

// Load is how much is asked for at the peak, in exactly one of two ways.
type Load struct {
	RequestsPerSecond float64 `json:"requests_per_second,omitempty"`
	Concurrency       float64 `json:"concurrency,omitempty"`  // requests in flight
	MeanOfPeak        float64 `json:"mean_of_peak,omitempty"` // mean of the day as a share of the peak, 0 < x <= 1; 0 means 1
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
