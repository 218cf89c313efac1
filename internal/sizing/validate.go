package sizing

import (
	"math"
	"slices"

	"rackwright/internal/apperr"
	"rackwright/internal/sizing/llm"
)

// Limits of a request. They are far beyond any real case and keep arithmetic finite.
const (
	maxRate        = 1e6
	maxConcurrency = 1e7
	maxTokens      = 1e8
	maxMillis      = 1e8
	maxSigma       = 2
	maxHorizon     = 120
	maxSpares      = 1000
	maxHeadroom    = 90
)

// Validate checks the request by itself, without model or hardware. Faults carry the names
// of the form's fields: model, config, counts.*, weights, kv, engine, rate, concurrency,
// mean_of_peak, input_len, output_len, spread, ttft_ms, tpot_ms, percentile,
// spare_systems, headroom_pct, horizon_months.
func (r Request) Validate() error {
	var f apperr.Faults
	if r.Version != RequestVersion {
		f.Add("version", "sizing.version_unknown")
	}
	if r.Task != Serve {
		f.Add("task", "sizing.task_unknown")
	}
	r.validateModel(&f)
	r.validateLoad(&f)
	r.validateLengths(&f)
	r.validateTargets(&f)
	if r.Weights != "" && !slices.Contains(llm.Precisions, r.Weights) && r.Weights != llm.FP16 && r.Weights != llm.MXFP4 {
		f.Add("weights", "sizing.choice_unknown")
	}
	if r.KV != "" && r.KV.KVBytes() == 0 {
		f.Add("kv", "sizing.choice_unknown")
	}
	if !slices.Contains(InferenceEngines, r.Engine) {
		f.Add("engine", "sizing.choice_unknown")
	}
	if r.Reserve.SpareSystems < 0 || r.Reserve.SpareSystems > maxSpares {
		f.Add("spare_systems", "sizing.out_of_range")
	}
	if h := r.Reserve.HeadroomPct; h != nil && !between(*h, 0, maxHeadroom) {
		f.Add("headroom_pct", "sizing.out_of_range")
	}
	if r.HorizonMonths < 0 || r.HorizonMonths > maxHorizon {
		f.Add("horizon_months", "sizing.out_of_range")
	}
	return f.Err()
}

func (r Request) validateModel(f *apperr.Faults) {
	ways := 0
	for _, given := range []bool{r.Model.HFID != "", len(r.Model.Config) > 0 || r.Model.ConfigText != "", r.Model.Counts != nil} {
		if given {
			ways++
		}
	}
	switch {
	case ways == 0:
		f.Add("model", "sizing.model_required")
	case ways > 1:
		f.Add("model", "sizing.model_one_way")
	}
}

func (r Request) validateLoad(f *apperr.Faults) {
	rate, users := r.Load.RequestsPerSecond, r.Load.Concurrency
	switch {
	case rate != 0 && users != 0:
		f.Add("rate", "sizing.load_one_way")
	case users != 0:
		if !between(users, math.SmallestNonzeroFloat64, maxConcurrency) {
			f.Add("concurrency", "sizing.out_of_range")
		}
	case rate == 0:
		f.Add("rate", "sizing.load_required")
	case !between(rate, math.SmallestNonzeroFloat64, maxRate):
		f.Add("rate", "sizing.out_of_range")
	}
	if r.Load.MeanOfPeak != 0 && !between(r.Load.MeanOfPeak, 0.001, 1) {
		f.Add("mean_of_peak", "sizing.out_of_range")
	}
}

func (r Request) validateLengths(f *apperr.Faults) {
	for _, l := range []struct {
		field string
		Length
	}{{"input_len", r.Input}, {"output_len", r.Output}} {
		switch {
		case l.Mean == 0:
			f.Add(l.field, "sizing.required")
		case !between(l.Mean, 1, maxTokens):
			f.Add(l.field, "sizing.out_of_range")
		}
		if l.Sigma != 0 && !between(l.Sigma, 0, maxSigma) || !slices.Contains([]string{"", Lognormal, Fixed}, l.Distribution) {
			f.Add("spread", "sizing.out_of_range")
		}
	}
}

func (r Request) validateTargets(f *apperr.Faults) {
	if t := r.Targets.TTFTMillis; t != 0 && !between(t, 0.001, maxMillis) {
		f.Add("ttft_ms", "sizing.out_of_range")
	}
	if t := r.Targets.TPOTMillis; t != 0 && !between(t, 0.001, maxMillis) {
		f.Add("tpot_ms", "sizing.out_of_range")
	}
	if p := r.Targets.Percentile; p != 0 && !between(p, 50, 99.9) {
		f.Add("percentile", "sizing.out_of_range")
	}
}

// between is false for NaN.
func between(x, low, high float64) bool { return x >= low && x <= high }
