package calibration

import "rackwright/internal/sizing/kernel"

// Stack are the constants of one inference engine: the curves of its operators, which were
// measured alone, and what a running engine adds to them, which is fitted on end-to-end
// measurements by the command calibrate. Scales are near 1.
type Stack struct {
	Curves kernel.Curves `json:"curves"`
	Fitted Fitted        `json:"fitted"`
}

// Fitted are the end-to-end constants of a stack.
type Fitted struct {
	Matrices   float64 `json:"matrices"`    // scale of matrix products
	Attention  float64 `json:"attention"`   // scale of attention, prompts and answers
	Reduce     float64 `json:"reduce"`      // scale of communication
	Experts    float64 `json:"experts"`     // scale of routed experts
	LayerUS    float64 `json:"layer_us"`    // us per layer and step: element-wise kernels and gaps
	SequenceUS float64 `json:"sequence_us"` // us per sequence and step: sampling, block tables, output
	StepMS     float64 `json:"step_ms"`     // ms per step: scheduler
	PromptUS   float64 `json:"prompt_us"`   // us per prompt token in a step
	RequestMS  float64 `json:"request_ms"`  // ms before the first token: HTTP, tokeniser, first scheduling
	Together   float64 `json:"together"`    // share of the prompts that fit into one step that come together in a closed loop
	Year       float64 `json:"year"`        // growth of speed by a year of releases, as a share
	KVShare    float64 `json:"kv_share"`    // share of free memory that the cache gets
	Burst      float64 `json:"burst"`       // share of a benchmark's requests that arrive at its start together
}

// Count returns the number of fitted constants of the stack.
func (s *Stack) Count() int { return s.Curves.Count() + len(s.Fitted.Constants()) }

// Constants returns pointers to the end-to-end constants, for a fit.
func (f *Fitted) Constants() []*float64 {
	return []*float64{
		&f.Matrices, &f.Attention, &f.Reduce, &f.Experts, &f.LayerUS, &f.SequenceUS, &f.StepMS,
		&f.PromptUS, &f.RequestMS, &f.Together, &f.Year, &f.KVShare, &f.Burst,
	}
}
