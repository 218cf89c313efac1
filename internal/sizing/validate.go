package sizing

import (
	"slices"

	"rackwright/internal/apperr"
	"rackwright/internal/sizing/llm"
)

// Limits of a request. They are far beyond any real case and keep arithmetic finite.
const (
	minLoad        = 0.0001
	maxRate        = 1e6
	maxConcurrency = 1e7
	maxTokens      = 1e8
	minMillis      = 0.001
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
	inRange(&f, "spare_systems", float64(r.Reserve.SpareSystems), 0, maxSpares)
	if h := r.Reserve.HeadroomPct; h != nil {
		inRange(&f, "headroom_pct", *h, 0, maxHeadroom)
	}
	if r.HorizonMonths != 0 {
		inRange(&f, "horizon_months", float64(r.HorizonMonths), 1, maxHorizon)
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
		inRange(f, "concurrency", users, minLoad, maxConcurrency)
	case rate == 0:
		f.Add("rate", "sizing.load_required")
	default:
		inRange(f, "rate", rate, minLoad, maxRate)
	}
	if share := r.Load.MeanOfPeak; share != 0 && !between(share, 0.01, 1) { // the form asks in percent
		f.Add("mean_of_peak", "sizing.out_of_range", "min", "1", "max", "100")
	}
}

func (r Request) validateLengths(f *apperr.Faults) {
	for _, l := range []struct {
		field string
		Length
	}{{"input_len", r.Input}, {"output_len", r.Output}} {
		if l.Mean == 0 {
			f.Add(l.field, "sizing.required")
		} else {
			inRange(f, l.field, l.Mean, 1, maxTokens)
		}
		inRange(f, "spread", l.Sigma, 0, maxSigma)
		if !slices.Contains([]string{"", Lognormal, Fixed}, l.Distribution) {
			f.Add("spread", "sizing.choice_unknown")
		}
	}
}

func (r Request) validateTargets(f *apperr.Faults) {
	if t := r.Targets.TTFTMillis; t != 0 {
		inRange(f, "ttft_ms", t, minMillis, maxMillis)
	}
	if t := r.Targets.TPOTMillis; t != 0 {
		inRange(f, "tpot_ms", t, minMillis, maxMillis)
	}
	if p := r.Targets.Percentile; p != 0 {
		inRange(f, "percentile", p, 50, 99.9)
	}
}

func inRange(f *apperr.Faults, field string, x, low, high float64) {
	if !between(x, low, high) {
		f.Add(field, "sizing.out_of_range", "min", decimal(low), "max", decimal(high))
	}
}

// between is false for NaN.
func between(x, low, high float64) bool { return x >= low && x <= high }
