package sizing

import (
	"slices"
	"strconv"
	"strings"

	"rackwright/internal/apperr"
	"rackwright/internal/sizing/basis"
	"rackwright/internal/sizing/calibration"
	"rackwright/internal/sizing/llm"
	"rackwright/internal/sizing/serving"
	"rackwright/internal/sizing/sim"
)

// Documented defaults of a request.
const (
	defaultPercentile = 95
	defaultHorizon    = 48
	defaultCV         = 2   // of the times between bursty arrivals: the middle of 1 to 3 (sizing method, section 5)
	defaultAcceptance = 0.6 // of a drafted token (judgement; sizing method, section 6)
	defaultRank       = 16  // of LoRA adapters: the default of Hugging Face PEFT is 8, most published adapters have 16
)

// job is a request with its model and defaults, ready to be sized.
type job struct {
	req         Request
	model       *llm.Geometry
	notes       []basis.Message    // on the model
	assumptions []basis.Assumption // defaults that were taken
	work        serving.Workload
	limits      serving.Limits
	headroom    float64 // share of capacity
	extra       serving.Extra
	engine      serving.Engine
	capacities  map[string]serving.Capacity // by key of the mapping
	set         *calibration.Set
	inference   string // engine whose constants are used, as the set names it
}

func prepare(req Request, lib llm.Library, set *calibration.Set) (*job, error) {
	if err := req.Validate(); err != nil {
		return nil, err
	}
	j := &job{req: req, set: set, capacities: map[string]serving.Capacity{}, inference: engineNames[req.Engine]}
	if err := j.readModel(lib); err != nil {
		return nil, err
	}
	j.fillLengths()
	j.fillTargets()
	if err := j.fillPrecision(); err != nil {
		return nil, err
	}
	j.fillFeatures()
	return j, j.checkContext()
}

// engineNames are the inference engines as sets name them. TensorRT-LLM stands for any: most
// measurements are of it.
var engineNames = map[InferenceEngine]string{AnyEngine: serving.TRTLLM, TensorRTLLM: serving.TRTLLM, VLLM: serving.VLLM, SGLang: serving.SGLang}

// fillFeatures takes the techniques that change what a request costs.
func (j *job) fillFeatures() {
	f := &j.req.Features
	j.work.Cached = f.PrefixShare
	if f.DraftTokens > 0 && f.Acceptance == 0 {
		f.Acceptance = defaultAcceptance
		j.assume("acceptance", decimal(f.Acceptance), "", basis.Judgement)
	}
	j.work.Draft = serving.Draft{Tokens: f.DraftTokens, Acceptance: f.Acceptance}
	if f.Adapters > 0 && f.AdapterRank == 0 {
		f.AdapterRank = defaultRank
		j.assume("adapter_rank", strconv.Itoa(f.AdapterRank), "", basis.Default)
	}
	j.extra = serving.Extra{Adapters: f.Adapters, AdapterRank: int64(f.AdapterRank), AdapterTargets: llm.AllTargets}
	if f.DraftTokens > 0 {
		j.extra.Draft, j.extra.DraftWeights = j.model.DraftHead(), j.req.Weights
	}
}

func (j *job) readModel(lib llm.Library) error {
	c := j.req.Model
	var err error
	switch {
	case c.Counts != nil:
		j.model, j.notes, err = c.Counts.Geometry()
	case c.HFID != "":
		e, ok := lib.Find(strings.TrimSpace(c.HFID))
		switch {
		case !ok:
			return fault("model", "sizing.model_unknown", "model", c.HFID)
		case e.Geometry == nil:
			return fault("model", "sizing.model_not_sized", "model", e.Name)
		}
		j.model = e.Geometry
	default:
		raw := []byte(c.ConfigText)
		if len(c.Config) > 0 {
			raw = c.Config
		}
		j.model, j.notes, err = llm.ParseConfig(raw)
	}
	return err
}

func fault(field, id string, args ...any) error {
	var f apperr.Faults
	f.Add(field, id, args...)
	return f.Err()
}

// assume lists a default that the request left open.
func (j *job) assume(key, value, unit string, kind basis.Kind) {
	j.assumptions = append(j.assumptions, basis.Assumption{Key: key, MessageID: "sizing.assume_" + key, Value: value, Unit: unit, Kind: kind})
}

func (j *job) fillLengths() {
	for _, l := range []struct {
		key string
		*Length
	}{{"input_sigma", &j.req.Input}, {"output_sigma", &j.req.Output}} {
		if l.Distribution == Fixed {
			l.Sigma = 0
			continue
		}
		if l.Distribution == FromTrace {
			continue
		}
		l.Distribution = Lognormal
		if l.Sigma == 0 && l.Median > 0 && l.Median < l.Mean {
			l.Sigma = sim.SigmaFromMedian(l.Mean, l.Median)
		}
		if l.Sigma == 0 {
			l.Sigma = calibration.DefaultSigma.Value
			j.assume(l.key, decimal(l.Sigma), "", basis.Judgement)
		}
	}
	most := float64(j.model.MaxContext)
	j.work.Prompt = serving.Lengths{Mean: j.req.Input.Mean, Sigma: j.req.Input.Sigma, Most: most}
	j.work.Answer = serving.Lengths{Mean: j.req.Output.Mean, Sigma: j.req.Output.Sigma, Most: most}
}

func (j *job) fillTargets() {
	if j.req.Targets.Percentile == 0 {
		j.req.Targets.Percentile = defaultPercentile
		j.assume("percentile", "95", "%", basis.Default)
	}
	if j.req.Reserve.HeadroomPct == nil {
		h := calibration.DefaultHeadroom.Value
		j.req.Reserve.HeadroomPct = &h
		j.assume("headroom", decimal(h), "%", basis.Judgement)
	}
	if j.req.HorizonMonths == 0 {
		j.req.HorizonMonths = defaultHorizon
		j.assume("horizon", strconv.Itoa(defaultHorizon), "months", basis.Judgement)
	}
	if j.req.Load.Arrivals == Bursty && j.req.Load.CV == 0 {
		j.req.Load.CV = defaultCV
	}
	if j.req.Load.MeanOfPeak == 0 {
		j.req.Load.MeanOfPeak = 1
		j.assume("mean_of_peak", "1", "of peak", basis.Default)
	}
	j.work.Percentile = j.req.Targets.Percentile / 100
	j.limits = serving.Limits{TTFT: j.req.Targets.TTFTMillis / 1e3, TPOT: j.req.Targets.TPOTMillis / 1e3}
	j.headroom = *j.req.Reserve.HeadroomPct / 100
}

// fillPrecision takes the checkpoint's own format where none is named. A 4-bit checkpoint
// stays 4 bit: engines do not turn it back.
func (j *job) fillPrecision() error {
	native := j.model.Native()
	if j.req.Weights == "" {
		j.req.Weights = native
		if native == llm.FP32 || native == llm.FP16 {
			j.req.Weights = llm.BF16
		}
		j.assume("weights", string(j.req.Weights), "", basis.Default)
	}
	if native.Bits() == 4 && j.req.Weights != native {
		return fault("weights", "sizing.weights_are_four_bit")
	}
	if j.req.Weights == llm.FP16 {
		j.req.Weights = llm.BF16
	}
	if j.req.KV == "" {
		j.req.KV = llm.BF16
		if j.req.Weights == llm.FP8 {
			j.req.KV = llm.FP8
		}
		j.assume("kv", string(j.req.KV), "", basis.Default)
	}
	return nil
}

// checkContext refuses requests that are longer than the model takes.
func (j *job) checkContext() error {
	limit := float64(j.model.MaxContext)
	if limit == 0 {
		j.notes = append(j.notes, basis.Msg("sizing.context_unknown"))
		return nil
	}
	if j.work.Prompt.Mean+j.work.Answer.Mean > limit {
		return fault("input_len", "sizing.context_exceeded", "limit", strconv.FormatInt(j.model.MaxContext, 10))
	}
	long := j.work.Prompt.At(j.work.Percentile)+j.work.Answer.At(j.work.Percentile) > limit
	if j.req.Load.Arrivals == Trace {
		long = slices.ContainsFunc(j.req.Load.Trace, func(x Traced) bool { return float64(x.Input)+float64(x.Output) > limit })
	}
	if long {
		j.notes = append(j.notes, basis.Msg("sizing.context_long_tail", basis.Int("limit", j.model.MaxContext)))
	}
	return nil
}

func (j *job) facts() ModelFacts {
	g := j.model
	name := g.Name
	if j.req.Model.HFID == "" { // a config or a hand-typed model: the size tells them apart
		name = strings.TrimSpace(name + " " + strconv.FormatFloat(float64(g.Params().Total())/1e9, 'g', 3, 64) + "B")
	}
	return ModelFacts{
		Name: name, HFID: g.HFID, Architecture: g.Architecture(),
		ParamsTotal: g.Params().Total(), ParamsActive: g.ParamsActive(), Layers: g.Layers, Heads: g.Heads, KVHeads: g.KVHeads,
		MaxContext: g.MaxContext, Weights: j.req.Weights, KV: j.req.KV, WeightBytes: g.WeightBytes(j.req.Weights),
		KVBytesPerToken: g.KVBytesPerToken(j.req.KV), TensorParallel: g.TensorParallel(8), Messages: j.notes,
	}
}

func decimal(f float64) string { return strconv.FormatFloat(f, 'f', -1, 64) }

// independent reports whether requests come one by one, so that a copy that is hardly loaded
// meets them alone; bursts do not.
func (j *job) independent() bool {
	a := j.req.Load.Arrivals
	return j.req.Load.Concurrency == 0 && (a == "" || a == Poisson)
}
