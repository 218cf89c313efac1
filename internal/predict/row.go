// Package predict answers rows of published benchmarks: what the engine says about a model,
// GPU, mapping and load that somebody measured. It reads the inputs of a row and never the
// measured figures, so that its answers can be scored.
package predict

import (
	"strconv"
	"strings"
	"time"

	"rackwright/internal/sizing/hardware"
	"rackwright/internal/sizing/llm"
	"rackwright/internal/sizing/serving"
)

// Kind is the schema of a file.
type Kind string

// The schemas, told apart by their columns.
const (
	Inference  Kind = "inference"
	ClosedLoop Kind = "closed_loop"
)

// Scenario is how a benchmark loads a system.
type Scenario string

// The scenarios of inference rows. Rows of closed_loop files are FixedUsers.
const (
	Offline    Scenario = "offline"           // as much at once as memory allows
	ServerSLO  Scenario = "server_slo"        // Poisson arrivals within limits at the 99th percentile
	FixedUsers Scenario = "fixed_concurrency" // a closed loop
	MinLatency Scenario = "min_latency"       // one request
)

// Row is one benchmark, without its result.
type Row struct {
	ID      string
	Line    int      // of the file
	Metrics []string // that are asked for
	Kind    Kind
	Date    time.Time // of the measurement or publication; zero is unknown
	Source  string    // kind of source
	Engine  string    // trtllm, vllm, sglang
	Version string

	ModelName string
	GPUName   string
	SKU       string          // the catalogue's code of the GPU
	Mapping   serving.Mapping // without Model and GPU where they are unknown
	MappedAs  bool            // the row states how the model was cut
	GPUs      int             // of the whole system
	Scenario  Scenario
	Prompt    serving.Lengths
	Answer    serving.Lengths
	Users     float64 // 0: not stated
	Stock     bool    // measured on a server with default settings
	Static    bool    // one fixed batch from start to end
	Prompts   float64 // of a finite run that starts with all of them; 0: unknown
	Limits    serving.Limits
	Power     float64 // W per GPU where a cap is stated
	refused   string
}

// Sources are where models and GPUs come from.
type Sources struct {
	Models llm.Library
	GPUs   map[string]hardware.GPU // by SKU
	SKUs   map[string]string       // by SKU and other spellings; also of products without figures
}

func (r *Row) readClosed(f fields) {
	r.Metrics = []string{"ttft_ms", "tpot_ms"}
	r.Engine, r.Version = engineOf(f["engine"]), f["engine_version"]
	r.Date = day(f["measured_on"])
	r.Users = f.users(r, "concurrency")
	if r.Users == 0 {
		r.Users = f.users(r, "batch_per_dp_rank") * max(1, f.number(r, "attention_dp"))
	}
	r.Stock = r.Date.IsZero() // dated rows are tuned deployments of a public dashboard
	m := &r.Mapping
	m.ADP, m.MoETP, m.EP = f.whole(r, "attention_dp"), f.whole(r, "moe_tp"), f.whole(r, "moe_ep")
	// Some rows give the cut of the experts only: attention is cut over the same GPUs.
	group := max(1, m.MoETP) * max(1, m.EP)
	byExperts := m.ADP <= 1 && group > m.TP
	if byExperts {
		m.TP = group
	}
	if r.GPUs == 0 || byExperts && r.GPUs < m.GPUs() {
		r.GPUs = m.GPUs()
	}
}

// engineOf returns an inference engine as sets name it; another one is returned as it is written.
func engineOf(name string) string {
	switch lower := strings.ToLower(name); {
	case strings.Contains(lower, "tensorrt"), lower == "trtllm", lower == "trt-llm":
		return serving.TRTLLM
	case strings.Contains(lower, "vllm"):
		return serving.VLLM
	case strings.Contains(lower, "sglang"):
		return serving.SGLang
	}
	return name
}

func (r *Row) readInference(f fields) {
	r.Metrics = []string{f["metric"]}
	r.Version = f["framework_version"]
	switch s := Scenario(f["scenario"]); s {
	case Offline, ServerSLO, FixedUsers, MinLatency:
		r.Scenario = s
	case "interactive_slo": // tighter limits, the same arrivals
		r.Scenario = ServerSLO
	default:
		r.Scenario = Offline
		r.refuse("scenario %q is not known", s)
	}
	r.Date = day(f["date"])
	r.Engine = engineOf(f["framework"])
	count, finite := strings.CutSuffix(f["concurrency_or_batch"], " prompts at once")
	switch n, err := strconv.ParseFloat(count, 64); {
	case err != nil || count == "": // a remark in words
	case !(n == 0 || n >= 1 && n <= 1e6):
		r.refuse("line %d, column concurrency_or_batch: %q is not between 1 and 1,000,000", r.Line, count)
	case finite:
		r.Prompts = n
	default:
		r.Users, r.Static = n, n > 0 && r.Scenario == Offline
	}
	if over, ok := strings.CutPrefix(f["dp_or_ep"], "ep"); ok { // TensorRT-LLM's tables: experts and attention over all GPUs
		over, _, _ = strings.Cut(over, "+")
		if n, err := strconv.Atoi(over); err == nil && n > r.GPUs {
			r.refuse("experts over %d GPUs do not fit %d", n, r.GPUs)
		}
		r.Mapping.ADP, r.Mapping.EP, r.Mapping.TP, r.Mapping.MoETP = r.GPUs, r.GPUs, 1, 1
	}
	r.Stock = r.Source != "trtllm_docs" && r.Source != "mlperf"
	r.Limits = serving.Limits{TTFT: f.limit(r, "slo_ttft_ms"), TPOT: f.limit(r, "slo_tpot_ms")}
	r.Power = f.number(r, "gpu_power_w_or_blank")
}

// readPrecision reads the formats. A 4-bit float of newer GPUs is unpacked to 16 bit here.
func (r *Row) readPrecision(f fields) {
	m := &r.Mapping
	w := strings.ToLower(f["weights_precision"])
	switch {
	case strings.HasPrefix(w, "fp8"):
		m.Weights = llm.FP8
		m.BlockScales = w == "fp8_block" || f["moe_precision"] == "fp8_block"
	case strings.HasPrefix(w, "bf16"), strings.HasPrefix(w, "fp16"):
		m.Weights = llm.BF16
	case w == "mxfp4", w == "nvfp4":
		m.Weights = llm.MXFP4
	case strings.HasPrefix(w, "int4"):
		m.Weights = llm.INT4
	case strings.HasPrefix(w, "int8"):
		m.Weights = llm.INT8
	default:
		r.refuse("weights in %q are not known", w)
	}
	kv := strings.ToLower(f["kv_precision"])
	switch {
	case strings.HasPrefix(kv, "fp8"):
		m.KV = llm.FP8
	case strings.HasPrefix(kv, "int8"):
		m.KV = llm.INT8
	case strings.HasPrefix(kv, "fp16"), strings.HasPrefix(kv, "bf16"), kv == "auto":
		m.KV = llm.BF16
	case kv != "":
		r.refuse("a cache in %q is not known", kv)
	case m.Weights == llm.FP8 && r.Engine == "trtllm":
		m.KV = llm.FP8
	default: // vLLM and SGLang keep a 16-bit cache unless told otherwise
		m.KV = llm.BF16
	}
}

// resolve finds model and GPU.
func (r *Row) resolve(from Sources) {
	if r.GPUName == "" {
		r.refuse("the GPU is not stated")
	}
	if r.ModelName == "" {
		r.refuse("the model is not stated")
	}
	sku, listed := from.SKUs[r.GPUName]
	r.SKU = sku
	if gpu, ok := from.GPUs[sku]; ok {
		r.Mapping.GPU = gpu
	} else if listed {
		r.refuse("the catalogue has no performance figures of GPU %s", r.GPUName)
	} else {
		r.refuse("GPU %s is not in the catalogue", r.GPUName)
	}
	e, ok := from.Models.Resolve(r.ModelName)
	switch {
	case !ok:
		r.refuse("model %s is not in the library", r.ModelName)
		return
	case e.Geometry == nil:
		r.refuse("model %s: %s", e.Name, e.Reason)
		return
	}
	r.Mapping.Model = e.Geometry
	if r.Kind == ClosedLoop && e.Geometry.MoE == nil { // ranks of a model without experts are copies
		r.Mapping.ADP = 0
	}
	if q := e.Geometry.Quant; q != nil && q.Precision.Bits() == 8 && r.Mapping.Weights == llm.FP8 {
		r.Mapping.BlockScales = true
	}
	// A checkpoint in 4-bit floats stays one where a row names the format of its computation.
	if q := e.Geometry.Quant; q != nil && q.Precision.Bits() == 4 {
		r.Mapping.Weights = q.Precision
	}
}
