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
	minCV          = 1
	maxCV          = 10
	maxTraced      = 20_000
	maxPrefix      = 0.95
	maxDraft       = 8
	maxAcceptance  = 0.99
	maxAdapters    = 1000
	maxRank        = 512
)

// Validate checks the request by itself, without model or hardware. Faults carry the names
// of the form's fields: model, config, counts.*, weights, kv, engine, load_kind, rate,
// trace_rate, cv, trace, concurrency, mean_of_peak, length_kind, input_len, input_median,
// output_len, output_median, spread, ttft_ms, tpot_ms, percentile, prefix_share,
// draft_tokens, acceptance, adapters, adapter_rank, spare_systems, headroom_pct,
// horizon_months.
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
	r.validateFeatures(&f)
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
	field := "rate"
	if r.Load.Arrivals == Trace {
		field = "trace_rate"
	}
	switch {
	case rate != 0 && users != 0:
		f.Add(field, "sizing.load_one_way")
	case users != 0:
		inRange(f, "concurrency", users, minLoad, maxConcurrency)
	case r.Load.Arrivals == Closed:
		f.Add("concurrency", "sizing.load_required")
	case rate == 0:
		f.Add(field, "sizing.load_required")
	default:
		inRange(f, field, rate, minLoad, maxRate)
	}
	r.validateArrivals(f)
	if share := r.Load.MeanOfPeak; share != 0 && !between(share, 0.01, 1) { // the form asks in percent
		f.Add("mean_of_peak", "sizing.out_of_range", "min", "1", "max", "100")
	}
}

func (r Request) validateArrivals(f *apperr.Faults) {
	switch a := r.Load.Arrivals; {
	case !slices.Contains([]Arrivals{"", Poisson, Bursty, Closed, Trace}, a):
		f.Add("load_kind", "sizing.choice_unknown")
	case a != "" && a != Closed && r.Load.Concurrency != 0:
		f.Add("load_kind", "sizing.arrivals_mismatch")
	}
	if r.Load.CV != 0 {
		inRange(f, "cv", r.Load.CV, minCV, maxCV)
	}
	if r.Load.Arrivals == Trace && !traceReadable(r.Load.Trace) || r.Load.Arrivals != Trace && len(r.Load.Trace) > 0 {
		f.Add("trace", "sizing.trace_unread", "min", "2", "max", decimal(maxTraced))
	}
}

func traceReadable(rows []Traced) bool {
	if len(rows) < 2 || len(rows) > maxTraced || !(rows[0].At >= 0) || !(rows[len(rows)-1].At <= maxMillis) {
		return false
	}
	for i, x := range rows {
		if x.Input < 1 || x.Output < 1 || x.Input > maxTokens || x.Output > maxTokens || i > 0 && !(x.At >= rows[i-1].At) {
			return false
		}
	}
	return true
}

func (r Request) validateLengths(f *apperr.Faults) {
	for _, l := range []struct {
		field, median string
		Length
	}{{"input_len", "input_median", r.Input}, {"output_len", "output_median", r.Output}} {
		if l.Mean == 0 {
			f.Add(l.field, "sizing.required")
		} else {
			inRange(f, l.field, l.Mean, 1, maxTokens)
		}
		inRange(f, "spread", l.Sigma, 0, maxSigma)
		if l.Median != 0 {
			inRange(f, l.median, l.Median, 1, maxTokens)
			if l.Median >= l.Mean {
				f.Add(l.median, "sizing.median_above_mean", "mean", decimal(l.Mean))
			}
		}
		if !slices.Contains([]string{"", Lognormal, Fixed, FromTrace}, l.Distribution) || l.Distribution == FromTrace && r.Load.Arrivals != Trace {
			f.Add("length_kind", "sizing.choice_unknown")
		}
	}
}

// validateFeatures checks what the form asks in percent in percent.
func (r Request) validateFeatures(f *apperr.Faults) {
	t := r.Features
	for _, share := range []struct {
		field  string
		x, max float64
	}{{"prefix_share", t.PrefixShare, maxPrefix}, {"acceptance", t.Acceptance, maxAcceptance}} {
		if !between(share.x, 0, share.max) {
			f.Add(share.field, "sizing.out_of_range", "min", "0", "max", decimal(100*share.max))
		}
	}
	inRange(f, "draft_tokens", float64(t.DraftTokens), 0, maxDraft)
	inRange(f, "adapters", float64(t.Adapters), 0, maxAdapters)
	inRange(f, "adapter_rank", float64(t.AdapterRank), 0, maxRank)
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
