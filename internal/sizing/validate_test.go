package sizing

import (
	"errors"
	"testing"

	"rackwright/internal/apperr"
)

func TestValidateLoadAndFeatures(t *testing.T) {
	rows := func(at ...float64) []Traced {
		var out []Traced
		for _, x := range at {
			out = append(out, Traced{At: x, Input: 100, Output: 10})
		}
		return out
	}
	cases := map[string]struct {
		change func(*Request)
		field  string // "" is accepted
	}{
		"poisson":                   {func(r *Request) { r.Load.Arrivals = Poisson }, ""},
		"bursts":                    {func(r *Request) { r.Load.Arrivals, r.Load.CV = Bursty, 3 }, ""},
		"bursts of the default":     {func(r *Request) { r.Load.Arrivals = Bursty }, ""},
		"bursts without end":        {func(r *Request) { r.Load.Arrivals, r.Load.CV = Bursty, 11 }, "cv"},
		"unknown arrivals":          {func(r *Request) { r.Load.Arrivals = "tide" }, "load_kind"},
		"users":                     {func(r *Request) { r.Load = Load{Arrivals: Closed, Concurrency: 8} }, ""},
		"users as a rate":           {func(r *Request) { r.Load.Arrivals = Closed }, "concurrency"},
		"a rate as users":           {func(r *Request) { r.Load = Load{Arrivals: Poisson, Concurrency: 8} }, "load_kind"},
		"trace":                     {func(r *Request) { r.Load.Arrivals, r.Load.Trace = Trace, rows(0, 1, 1, 5) }, ""},
		"trace without a rate":      {func(r *Request) { r.Load = Load{Arrivals: Trace, Trace: rows(0, 1)} }, "trace_rate"},
		"trace of one":              {func(r *Request) { r.Load.Arrivals, r.Load.Trace = Trace, rows(0) }, "trace"},
		"trace out of order":        {func(r *Request) { r.Load.Arrivals, r.Load.Trace = Trace, rows(0, 2, 1) }, "trace"},
		"trace too long":            {func(r *Request) { r.Load.Arrivals, r.Load.Trace = Trace, rows(make([]float64, maxTraced+1)...) }, "trace"},
		"trace without lengths":     {func(r *Request) { r.Load.Arrivals, r.Load.Trace = Trace, []Traced{{At: 0}, {At: 1}} }, "trace"},
		"trace that is not used":    {func(r *Request) { r.Load.Trace = rows(0, 1) }, "trace"},
		"lengths of a missing file": {func(r *Request) { r.Input.Distribution = FromTrace }, "length_kind"},
		"fixed lengths":             {func(r *Request) { r.Input.Distribution = Fixed }, ""},
		"medians":                   {func(r *Request) { r.Input.Median = 600 }, ""},
		"median above the mean":     {func(r *Request) { r.Output.Median = 600 }, "output_median"},
		"all techniques": {func(r *Request) {
			r.Features = Features{PrefixShare: 0.95, DraftTokens: 8, Acceptance: 0.99, Adapters: 1000, AdapterRank: 64, Slices: true, Disaggregated: true}
		}, ""},
		"everything cached":     {func(r *Request) { r.Features.PrefixShare = 0.96 }, "prefix_share"},
		"drafts without end":    {func(r *Request) { r.Features.DraftTokens = 9 }, "draft_tokens"},
		"negative acceptance":   {func(r *Request) { r.Features.Acceptance = -0.1 }, "acceptance"},
		"adapters without end":  {func(r *Request) { r.Features.Adapters = 1001 }, "adapters"},
		"rank of a full matrix": {func(r *Request) { r.Features.AdapterRank = 4096 }, "adapter_rank"},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			r := Request{
				Version: RequestVersion, Task: Serve, Model: ModelChoice{HFID: "any"},
				Input: Length{Mean: 1000}, Output: Length{Mean: 300}, Load: Load{RequestsPerSecond: 4},
			}
			c.change(&r)
			err := r.Validate()
			if c.field == "" {
				if err != nil {
					t.Errorf("refused: %v", err)
				}
				return
			}
			e, ok := errors.AsType[*apperr.Error](err)
			if !ok || len(e.Fields) != 1 || e.Fields[c.field].ID == "" {
				t.Errorf("%v, want a fault at %s alone", err, c.field)
			}
		})
	}
}
