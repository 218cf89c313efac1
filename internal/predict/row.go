// Package predict answers rows of published benchmarks: what the engine says about a model,
// GPU, mapping and load that somebody measured. It reads the inputs of a row and never the
// measured figures, so that its answers can be scored.
package predict

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
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
	Metrics []string // that are asked for
	Kind    Kind
	Date    time.Time // of the measurement or publication; zero is unknown
	Source  string    // kind of source
	Engine  string    // trtllm, vllm, sglang
	Version string

	ModelName string
	GPUName   string
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
}

// shared are the columns that both schemas must have.
var shared = []string{"id", "hf_id", "gpu_sku", "gpus", "tp", "pp", "weights_precision", "isl", "osl"}

// results are measured. They are dropped before anything looks at a row.
var results = []string{"value", "ttft_ms", "tpot_ms"}

// ReadRows reads a file of either schema. A row that cannot be understood is kept as one that
// will be refused; a file without the needed columns is an error.
func ReadRows(r io.Reader, from Sources) ([]Row, error) {
	in := csv.NewReader(r)
	head, err := in.Read()
	if err != nil {
		return nil, fmt.Errorf("the file has no header: %w", err)
	}
	kind, err := kindOf(head)
	if err != nil {
		return nil, err
	}
	var out []Row
	for {
		values, err := in.Read()
		if errors.Is(err, io.EOF) {
			return out, nil
		}
		if err != nil {
			return nil, err
		}
		f := fields{}
		for i, name := range head {
			if !slices.Contains(results, name) {
				f[name] = strings.TrimSpace(values[i])
			}
		}
		out = append(out, read(kind, f, from))
	}
}

func kindOf(head []string) (Kind, error) {
	has := func(names ...string) bool {
		return !slices.ContainsFunc(names, func(n string) bool { return !slices.Contains(head, n) })
	}
	switch {
	case has("tokens_per_gpu") || has("task", "gpu_sku") && !has("scenario"):
		return "", errors.New("rows of training runs are not predicted")
	case !has(shared...):
		missing := slices.DeleteFunc(slices.Clone(shared), func(n string) bool { return slices.Contains(head, n) })
		return "", fmt.Errorf("columns are missing: %s", strings.Join(missing, ", "))
	case has("scenario", "metric", "framework"):
		return Inference, nil
	case has("engine", "concurrency"):
		return ClosedLoop, nil
	}
	return "", errors.New("the columns are those of neither inference nor closed-loop rows")
}

// fields are the inputs of a row by column.
type fields map[string]string

// number reads a figure that must be positive; blank is 0.
func (f fields) number(row *Row, name string) float64 {
	if f[name] == "" {
		return 0
	}
	x, err := strconv.ParseFloat(f[name], 64)
	if err != nil || math.IsNaN(x) || x < 0 || x > 1e9 {
		row.refuse("column %s: %q is no number of at least 0", name, f[name])
		return 0
	}
	return x
}

func (r *Row) refuse(format string, args ...any) {
	if r.refused == "" {
		r.refused = fmt.Sprintf(format, args...)
	}
}

func read(kind Kind, f fields, from Sources) Row {
	row := Row{ID: f["id"], Kind: kind, ModelName: f["hf_id"], GPUName: f["gpu_sku"], Scenario: FixedUsers, Source: f["source_kind"]}
	if row.ModelName == "" {
		row.ModelName = f["model"]
	}
	m := &row.Mapping
	whole := func(name string) int { return int(f.number(&row, name)) }
	row.GPUs, m.TP, m.PP = whole("gpus"), whole("tp"), whole("pp")
	row.MappedAs = m.TP > 0
	row.Prompt, row.Answer = serving.Lengths{Mean: f.number(&row, "isl")}, serving.Lengths{Mean: f.number(&row, "osl")}
	if kind == ClosedLoop {
		row.readClosed(f)
	} else {
		row.readInference(f)
	}
	m.Engine = row.Engine
	row.fillMLPerf()
	row.readPrecision(f)
	row.resolve(f, from)
	return row
}

func (r *Row) readClosed(f fields) {
	r.Metrics = []string{"ttft_ms", "tpot_ms"}
	r.Engine, r.Version = f["engine"], f["engine_version"]
	r.Date, _ = time.Parse(time.DateOnly, f["measured_on"])
	r.Users = f.number(r, "concurrency")
	if r.Users == 0 {
		r.Users = f.number(r, "batch_per_dp_rank") * max(1, f.number(r, "attention_dp"))
	}
	r.Stock = r.Date.IsZero() // dated rows are tuned deployments of a public dashboard
	m := &r.Mapping
	m.ADP, m.MoETP, m.EP = int(f.number(r, "attention_dp")), int(f.number(r, "moe_tp")), int(f.number(r, "moe_ep"))
	// Some rows give the cut of the experts only: attention is cut over the same GPUs.
	if group := max(1, m.MoETP) * max(1, m.EP); m.ADP <= 1 && group > m.TP {
		m.TP = group
	}
	if m.GPUs() > 0 && r.GPUs < m.GPUs() {
		r.GPUs = m.GPUs()
	}
}

func (r *Row) readInference(f fields) {
	r.Metrics = []string{f["metric"]}
	r.Version, r.Scenario = f["framework_version"], Scenario(f["scenario"])
	r.Date, _ = time.Parse("2006-01", f["date"])
	switch framework := strings.ToLower(f["framework"]); {
	case strings.Contains(framework, "tensorrt"):
		r.Engine = "trtllm"
	case strings.Contains(framework, "vllm"):
		r.Engine = "vllm"
	case strings.Contains(framework, "sglang"):
		r.Engine = "sglang"
	default:
		r.refuse("inference engine %s is not calibrated", f["framework"])
	}
	batch := f["concurrency_or_batch"]
	if n, ok := strings.CutSuffix(batch, " prompts at once"); ok {
		r.Prompts, _ = strconv.ParseFloat(n, 64)
	} else if n, err := strconv.ParseFloat(batch, 64); err == nil {
		r.Users = n
		r.Static = r.Scenario == Offline
	}
	if dp := f["dp_or_ep"]; strings.Contains(dp, "attention-dp") {
		r.Mapping.ADP, r.Mapping.EP, r.Mapping.TP, r.Mapping.MoETP = r.GPUs, r.GPUs, 1, 1
	} else if strings.HasPrefix(dp, "ep") { // TensorRT-LLM's tables: experts and attention over all GPUs
		r.Mapping.ADP, r.Mapping.EP, r.Mapping.TP, r.Mapping.MoETP = r.GPUs, r.GPUs, 1, 1
	}
	r.Stock = r.Source != "trtllm_docs" && r.Source != "mlperf"
	r.Limits = serving.Limits{TTFT: f.limit("slo_ttft_ms"), TPOT: f.limit("slo_tpot_ms")}
	r.Power = f.number(r, "gpu_power_w_or_blank")
}

// limit reads a time limit, which is an input although its column ends like a result's.
func (f fields) limit(name string) float64 {
	x, _ := strconv.ParseFloat(f[name], 64)
	return x / 1e3
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
	case kv != "":
		m.KV = llm.BF16
	case m.Weights == llm.FP8 && r.Engine == "trtllm":
		m.KV = llm.FP8
	default: // vLLM and SGLang keep a 16-bit cache unless told otherwise
		m.KV = llm.BF16
	}
}

// resolve finds model and GPU.
func (r *Row) resolve(f fields, from Sources) {
	if gpu, ok := from.GPUs[gpuSKU(r.GPUName)]; ok {
		r.Mapping.GPU = gpu
	} else {
		r.refuse("GPU %s is not in the catalogue", r.GPUName)
	}
	e, ok := from.Models.Resolve(r.ModelName)
	switch {
	case !ok:
		r.refuse("model %s is not in the library", r.ModelName)
	case e.Geometry == nil:
		r.refuse("model %s is no language model", e.Name)
	default:
		r.Mapping.Model = e.Geometry
		if q := e.Geometry.Quant; q != nil && q.Precision.Bits() == 8 && r.Mapping.Weights == llm.FP8 {
			r.Mapping.BlockScales = true
		}
		// A checkpoint in 4-bit floats stays one where a row names the format of its computation.
		if q := e.Geometry.Quant; q != nil && q.Precision.Bits() == 4 {
			r.Mapping.Weights = q.Precision
		}
	}
	if r.GPUs == 0 {
		r.refuse("the number of GPUs is not stated")
	}
}

// gpuSKU gives the catalogue's code of a GPU as benchmarks write it.
func gpuSKU(name string) string {
	switch name {
	case "H200-SXM5-141GB":
		return "H200-SXM-141GB"
	case "H100-PCIe-80GB":
		return "H100-PCIE-80GB"
	case "A100-PCIe-80GB":
		return "A100-PCIE-80GB"
	case "H800-SXM-80GB":
		return "H800-SXM5-80GB"
	case "GH200-96GB-HBM3":
		return "GH200-96GB"
	case "GH200-144GB-HBM3e":
		return "GH200-144GB"
	}
	return name
}
