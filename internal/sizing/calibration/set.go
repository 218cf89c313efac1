package calibration

import (
	_ "embed"
	"encoding/json"
	"math"
	"slices"

	"rackwright/internal/sizing/kernel"
)

// Set is one version of everything that is fitted: the stacks, what boards sustain, and how
// far off predictions were for cells that the fit did not see. The command calibrate writes
// it; nothing in it is typed by hand.
type Set struct {
	Version string      `json:"version"`
	AsOf    string      `json:"as_of"`  // ISO date
	Source  string      `json:"source"` // of the measurements
	Stacks  []Stack     `json:"stacks"`
	Boards  BoardShares `json:"boards"`
	Cells   []Cell      `json:"cells"`
	Scores  []HeldOut   `json:"scores"`
}

// Cell is the error of held-out predictions of one kind: quantiles of ln(measured/predicted).
type Cell struct {
	Engine  string  `json:"engine,omitempty"` // empty: all
	Mixture bool    `json:"mixture"`
	Metric  string  `json:"metric"` // throughput, ttft or tpot
	Regime  string  `json:"regime"` // offline, closed, server
	Board   string  `json:"board"`  // sxm, pcie
	Rows    int     `json:"rows"`
	Median  float64 `json:"median"` // of |ln|
	Q10     float64 `json:"q10"`
	Q90     float64 `json:"q90"`
}

// HeldOut is the score of one class of measurements, cross-validated by whole cells.
type HeldOut struct {
	Class   string  `json:"class"`
	Votes   int     `json:"votes"`
	Median  float64 `json:"median_pct"`
	P90     float64 `json:"p90_pct"`
	Bias    float64 `json:"bias_pct"`
	Refused float64 `json:"refused_pct"`
	InBand  float64 `json:"in_band_pct"`
}

//go:embed set.json
var shippedSet []byte

// shipped is read once, when the program starts.
var shipped = func() *Set {
	s, err := Decode(shippedSet)
	if err != nil {
		panic("calibration: set.json: " + err.Error())
	}
	return s
}()

// Shipped returns the set that the product carries. It must not be changed.
func Shipped() *Set { return shipped }

// Decode reads a stored set. A stack without curves of its own has those that the product
// carries for its engine.
func Decode(raw []byte) (*Set, error) {
	var s Set
	if err := json.Unmarshal(raw, &s); err != nil {
		return nil, err
	}
	for i := range s.Stacks {
		if st := &s.Stacks[i]; st.Curves == nil {
			c := kernel.Shipped(st.Engine)
			st.Curves = &c
		}
	}
	return &s, nil
}

// Encode writes a set for storage, without the curves that the product carries anyway.
func (s *Set) Encode() ([]byte, error) {
	out := *s
	out.Stacks = slices.Clone(s.Stacks)
	for i := range out.Stacks {
		if c := out.Stacks[i].Curves; c != nil && c.SHA256 == kernel.Shipped(c.Engine).SHA256 {
			out.Stacks[i].Curves = nil
		}
	}
	raw, err := json.MarshalIndent(out, "", "  ")
	return append(raw, '\n'), err
}

// Stack returns the constants of an inference engine, those of TensorRT-LLM for any other name.
func (s *Set) Stack(engine string) *Stack {
	i := slices.IndexFunc(s.Stacks, func(st Stack) bool { return st.Engine == engine })
	return &s.Stacks[max(i, 0)]
}

// Known reports whether an inference engine has constants of its own.
func (s *Set) Known(engine string) bool {
	return slices.ContainsFunc(s.Stacks, func(st Stack) bool { return st.Engine == engine })
}

// leastRows is how many held-out rows a cell needs to give a band of its own.
const leastRows = 12

// BandOf returns the quantiles of measured over predicted of the nearest cell that has
// enough rows: the engine's own, else that of all engines, else of all regimes.
func (s *Set) BandOf(want Cell) Cell {
	for _, try := range []func(c Cell) bool{
		func(c Cell) bool { return c.Engine == want.Engine && c.Regime == want.Regime && c.Board == want.Board },
		func(c Cell) bool { return c.Engine == "" && c.Regime == want.Regime && c.Board == want.Board },
		func(c Cell) bool { return c.Engine == "" && c.Regime == want.Regime && c.Board == "sxm" },
		func(c Cell) bool { return c.Engine == "" && c.Regime == "closed" && c.Board == "sxm" },
		func(c Cell) bool { return c.Engine == "" && c.Regime == "offline" && c.Board == "sxm" },
	} {
		for _, c := range s.Cells {
			if c.Mixture == want.Mixture && c.Metric == want.Metric && c.Rows >= leastRows && try(c) {
				return c
			}
		}
	}
	return want
}

// Floor is the least half-width of a band: identical published runs differ by as much.
const floorLn = 0.05

// Around returns p10 and p90 of what will be measured for a prediction.
func (c Cell) Around(x float64) (p10, p90 float64) {
	return x * math.Exp(math.Min(c.Q10, -floorLn)), x * math.Exp(math.Max(c.Q90, floorLn))
}
