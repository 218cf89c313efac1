package calibration

import "rackwright/internal/sizing/kernel"

// Stack are the constants of one inference engine: the curves of its operators, which were
// measured alone, and what a running engine adds to them, which is fitted on end-to-end
// measurements by the command calibrate. Scales are near 1.
type Stack struct {
	Engine string         `json:"engine"` // trtllm, vllm, sglang
	Curves *kernel.Curves `json:"curves,omitempty"`
	Fitted Fitted         `json:"fitted"`
}

// Fitted are the end-to-end constants of a stack.
type Fitted struct {
	Matrices   float64 `json:"matrices"`    // scale of matrix products
	Launch     float64 `json:"launch"`      // share of the launches of matrix products that shows; the rest is fused or overlaps
	Attention  float64 `json:"attention"`   // scale of attention, prompts and answers
	Reduce     float64 `json:"reduce"`      // scale of communication
	Experts    float64 `json:"experts"`     // scale of routed experts
	Unpack     float64 `json:"unpack"`      // further scale of experts whose 4-bit weights are unpacked
	Skew       float64 `json:"skew"`        // unevenness of routing, as the power law of the kernel tables; 0 is balanced
	LayerUS    float64 `json:"layer_us"`    // us per layer and step: element-wise kernels and gaps
	SequenceUS float64 `json:"sequence_us"` // us per sequence and step: sampling, block tables, output
	StockLayer float64 `json:"stock_layer"` // us per layer and step that an untuned server adds
	StockUS    float64 `json:"stock_us"`    // us per sequence and step that an untuned server adds
	Old        float64 `json:"old_reduce"`  // us per all-reduce and GPU beyond two in releases before 2025
	RequestMS  float64 `json:"request_ms"`  // ms before the first token: HTTP, tokeniser, first scheduling
	TokenUS    float64 `json:"token_us"`    // us per prompt token before that
	Year       float64 `json:"year"`        // growth of speed by a year of releases, as a share
}

// Count returns the number of fitted constants of the stack.
func (s *Stack) Count() int { return s.Curves.Count() + len(s.Fitted.Constants()) }

// NamedConstant is one fitted constant with its key and unit.
type NamedConstant struct {
	Key   string
	Unit  string
	Value *float64
}

// Named lists the fitted constants.
func (f *Fitted) Named() []NamedConstant {
	return []NamedConstant{
		{"scale_matrices", "ratio", &f.Matrices}, {"launch_share", "ratio", &f.Launch}, {"scale_attention", "ratio", &f.Attention},
		{"scale_reduce", "ratio", &f.Reduce}, {"scale_experts", "ratio", &f.Experts}, {"scale_unpack", "ratio", &f.Unpack},
		{"routing_skew", "", &f.Skew}, {"per_layer", "us", &f.LayerUS}, {"per_sequence", "us", &f.SequenceUS},
		{"stock_layer", "us", &f.StockLayer}, {"stock_sequence", "us", &f.StockUS}, {"old_reduce", "us", &f.Old},
		{"per_request", "ms", &f.RequestMS}, {"per_prompt_token", "us", &f.TokenUS}, {"per_year", "ratio", &f.Year},
	}
}

// Constants returns pointers to the end-to-end constants, for a fit.
func (f *Fitted) Constants() []*float64 {
	var out []*float64
	for _, c := range f.Named() {
		out = append(out, c.Value)
	}
	return out
}

// BoardShares are what boards of other forms than SXM sustain, from measured ratios.
type BoardShares struct {
	PCIe float64 `json:"pcie"` // share of the compute peak that H100 PCIe sustains within its power
	NVL  float64 `json:"nvl"`  // the same of H100 NVL
}
