package sizing

import (
	"rackwright/internal/sizing/basis"
	"rackwright/internal/sizing/cost"
	"rackwright/internal/sizing/llm"
	"rackwright/internal/sizing/serving"
)

// ResultVersion is the version of the result that this code writes. Older versions stay readable.
const ResultVersion = 1

// Result is the answer, stored as given. Re-opened in a year it says what was said then.
type Result struct {
	Version          int                `json:"version"`
	EngineVersion    string             `json:"engine_version"`    // of this code's method
	ConstantsVersion string             `json:"constants_version"` // of the calibrated constants
	AsOf             string             `json:"as_of"`             // ISO date of the calculation
	Request          Request            `json:"request"`           // with defaults filled in
	Model            ModelFacts         `json:"model"`
	Plans            []Plan             `json:"plans"`     // ranked; priced ones first
	SetApart         []Plan             `json:"set_apart"` // shown apart, never recommended
	Refused          []Refusal          `json:"refused"`   // systems that cannot do it, and why
	Verdict          basis.Message      `json:"verdict"`   // one sentence on top
	Notes            []basis.Message    `json:"notes,omitempty"`
	Assumptions      []basis.Assumption `json:"assumptions"`
	Constants        []basis.Assumption `json:"constants"`
	// Preview is set where nothing was simulated yet: percentiles are closed formulas.
	Preview bool `json:"preview,omitempty"`
	// Frontier is the Pareto front over all mappings of all systems: throughput per GPU
	// against tokens per second of one user, fastest user first.
	Frontier []FrontierPoint `json:"frontier,omitempty"`
}

// FrontierPoint is one mapping that no other beats in both figures.
type FrontierPoint struct {
	SystemSKU  string  `json:"system_sku"`
	TP         int     `json:"tp"`
	PP         int     `json:"pp"`
	EP         int     `json:"ep,omitempty"`
	ADP        int     `json:"adp,omitempty"`
	PerUser    float64 `json:"per_user_tok_s"` // output tokens per second of one user
	PerGPU     float64 `json:"per_gpu_tok_s"`  // output tokens per second and GPU
	Concurrent float64 `json:"concurrent"`     // requests in flight per copy
}

// Simulated is what the event simulation of a plan at its load found.
type Simulated struct {
	Seed        uint64    `json:"seed"`
	Requests    int       `json:"requests"` // that were counted
	TTFT        Quantiles `json:"ttft_ms"`
	TPOT        Quantiles `json:"tpot_ms"`
	EndToEnd    Quantiles `json:"e2e_ms"`
	Goodput     float64   `json:"goodput"` // share of requests inside all limits, 0 to 1
	Throughput  float64   `json:"throughput_tok_s"`
	RPS         float64   `json:"rps"`
	MaxRPS      float64   `json:"max_rps"` // the most that the copies carry inside the limits; 0 for a closed loop
	Running     float64   `json:"running"` // mean sequences in flight, all copies
	PeakKV      float64   `json:"peak_kv"` // share of the cache in use at the worst moment, 0 to 1
	Preemptions int       `json:"preemptions"`
	Busy        float64   `json:"busy"` // share of the time in which a copy works, 0 to 1
}

// Quantiles are percentiles of one time in milliseconds.
type Quantiles struct {
	Mean float64 `json:"mean"`
	P50  float64 `json:"p50"`
	P90  float64 `json:"p90"`
	P95  float64 `json:"p95"`
	P99  float64 `json:"p99"`
	// Asked is the one at the percentile that was asked for, to a thousandth, whatever it is; 0 in
	// reports of before there was this figure.
	Asked float64 `json:"asked,omitempty"`
}

// Validation is the published evidence behind a plan's bands.
type Validation struct {
	Cell   string  `json:"cell"` // for example trtllm / dense / tpot / Hopper
	Rows   int     `json:"rows"` // held-out rows behind the band
	Median float64 `json:"median"`
	AsOf   string  `json:"as_of"` // ISO date of the calibration
}

// Recommended returns the first plan that may be recommended, or nil.
func (r *Result) Recommended() *Plan {
	for i := range r.Plans {
		if r.Plans[i].Recommendable() {
			return &r.Plans[i]
		}
	}
	return nil
}

// ModelFacts is the exact arithmetic on the model, without any estimate.
type ModelFacts struct {
	Name            string          `json:"name"`
	HFID            string          `json:"hf_id,omitempty"`
	Architecture    string          `json:"architecture"` // dense, moe, mla_moe, mla
	ParamsTotal     int64           `json:"params_total"`
	ParamsActive    int64           `json:"params_active"`
	Layers          int64           `json:"layers"`
	Heads           int64           `json:"heads"`
	KVHeads         int64           `json:"kv_heads"`
	MaxContext      int64           `json:"max_context"`
	Weights         llm.Precision   `json:"weights"`
	KV              llm.Precision   `json:"kv"`
	WeightBytes     int64           `json:"weight_bytes"`
	KVBytesPerToken int64           `json:"kv_bytes_per_token"` // full reservation, all layers
	TensorParallel  []int           `json:"tensor_parallel"`    // degrees that divide the heads
	Messages        []basis.Message `json:"messages,omitempty"` // defaults taken from the config and the like
}

// Plan is one way to carry the load: how many of one system, cut how.
type Plan struct {
	Rank          int                 `json:"rank"` // 1 is first; 0 for plans set apart
	SystemSKU     string              `json:"system_sku"`
	SystemKind    string              `json:"system_kind"` // baseboard, system, cloud_instance, card
	Names         map[string]string   `json:"names"`       // by language tag
	GPUSKU        string              `json:"gpu_sku"`
	GPUsPerSystem int                 `json:"gpus_per_system"`
	Systems       int                 `json:"systems"`       // whole systems, spares included
	SpareSystems  int                 `json:"spare_systems"` //
	GPUs          int                 `json:"gpus"`          // in all systems
	GPUsUsed      int                 `json:"gpus_used"`     // by the replicas that carry the load
	Replicas      int                 `json:"replicas"`
	TP            int                 `json:"tp"`
	PP            int                 `json:"pp"`
	Weights       llm.Precision       `json:"weights"`
	KV            llm.Precision       `json:"kv"`
	Memory        serving.MemoryStack `json:"memory"`                 // of one GPU
	Batch         float64             `json:"batch"`                  // sequences in flight per replica at the load
	MaxBatch      int                 `json:"max_batch"`              // at the limits
	CarriesRPS    basis.Band          `json:"carries_rps"`            // requests/s of the plan without spares, inside the limits
	Throughput    basis.Band          `json:"throughput_tok_s"`       // output tokens/s at the load
	FlatOut       basis.Band          `json:"flat_out_tok_s"`         // output tokens/s without limits
	TTFT          basis.Band          `json:"ttft_ms"`                // at the percentile asked for
	TPOT          basis.Band          `json:"tpot_ms"`                //
	Utilisation   float64             `json:"utilisation"`            // load / what it carries; computed, never typed
	Power         Power               `json:"power"`                  //
	RackUnits     *float64            `json:"rack_units"`             // nil is unknown
	Curve         []CurvePoint        `json:"curve,omitempty"`        // throughput against latency
	Priced        bool                `json:"priced"`                 //
	Cost          *cost.Comparison    `json:"cost,omitempty"`         // nil where nothing can be said
	Extrapolated  bool                `json:"extrapolated"`           // rests on no published measurement of this board (R20)
	Evidence      serving.Evidence    `json:"evidence"`               //
	BandReasons   []basis.Message     `json:"band_reasons"`           // what the band is made of
	Binding       basis.Message       `json:"binding"`                // what limits the plan
	Notes         []basis.Message     `json:"notes,omitempty"`        //
	Basis         []basis.Assumption  `json:"basis,omitempty"`        // catalogue figures behind it
	EP            int                 `json:"ep,omitempty"`           // GPUs over which experts are spread
	ADP           int                 `json:"adp,omitempty"`          // ranks that keep the attention whole
	Slice         string              `json:"slice,omitempty"`        // MIG slice, empty for whole GPUs
	Chunk         int                 `json:"chunk,omitempty"`        // token budget of one step
	Prefill       int                 `json:"prefill,omitempty"`      // copies that only read prompts; 0 is aggregated
	Inference     InferenceEngine     `json:"inference,omitempty"`    // whose constants were used
	Simulated     *Simulated          `json:"simulated,omitempty"`    // nil: not among the best, or a preview
	Validations   []Validation        `json:"validations,omitempty"`  // of throughput, TPOT and TTFT bands
	WouldChange   []basis.Message     `json:"would_change,omitempty"` // what would change the answer, strongest first
}

// Recommendable reports whether the plan may be shown as the answer: it is ranked, fits
// without reservation, and is not one of the plans set apart.
func (p *Plan) Recommendable() bool { return p.Rank > 0 && p.Memory.Status == serving.Fits }

// Power is what the plan draws, in watts for all its systems. Nil is unknown.
type Power struct {
	AverageW     *float64 `json:"average_w"`     // at load
	ProvisionedW *float64 `json:"provisioned_w"` // to be planned for
	GPUTDPW      *float64 `json:"gpu_tdp_w"`     // of the GPUs alone
}

// CurvePoint is the plan at one load.
type CurvePoint struct {
	RPS        float64 `json:"rps"`
	Throughput float64 `json:"throughput_tok_s"`
	TTFT       float64 `json:"ttft_ms"`
	TPOT       float64 `json:"tpot_ms"`
}

// Refusal is a system that cannot carry the workload, with the reason and the nearest that can.
type Refusal struct {
	SystemSKU string            `json:"system_sku"`
	Names     map[string]string `json:"names"`
	GPUSKU    string            `json:"gpu_sku"`
	Reason    basis.Message     `json:"reason"`
	Nearest   *basis.Message    `json:"nearest,omitempty"`
}
