package serving

import (
	"math"
	"slices"

	"rackwright/internal/sizing/calibration"
	"rackwright/internal/sizing/llm"
	"rackwright/internal/unit"
)

// Status says whether a mapping fits into memory.
type Status string

// The statuses. Tight is not a fit: it never enters a quote without a note.
const (
	Fits  Status = "fits"
	Tight Status = "tight"
	No    Status = "no"
)

// Evidence says what an estimate of speed rests on.
type Evidence string

// The kinds of evidence, best first.
const (
	EvidenceMeasured     Evidence = "measured"     // scored against published rows of this GPU
	EvidenceRatio        Evidence = "by_ratio"     // measured ratio between boards
	EvidenceExtrapolated Evidence = "extrapolated" // datasheet only
)

// MemoryPart is one slice of a GPU's memory.
type MemoryPart struct {
	Key       string     `json:"key"` // weights, kv, activation, runtime, headroom
	MessageID string     `json:"message_id"`
	Bytes     unit.Bytes `json:"bytes"`
}

// MemoryStack is the memory of one GPU under one mapping, from the bottom up. The parts add
// up to Total.
type MemoryStack struct {
	Parts          []MemoryPart `json:"parts"`
	Total          unit.Bytes   `json:"total"`           // as the driver reports it
	Status         Status       `json:"status"`          //
	KVTokens       int64        `json:"kv_tokens"`       // of one replica
	Sequences      float64      `json:"sequences"`       // of prompt and answer that fit in it
	Wanted         float64      `json:"wanted"`          // in flight per replica at the load
	WindowAwareKV  unit.Bytes   `json:"window_aware_kv"` // of the wanted sequences, counting windows; 0 without windows
	FullKV         unit.Bytes   `json:"full_kv"`         // of the wanted sequences, every layer in full
	MemoryReported bool         `json:"memory_reported"` // Total is a driver report, not the nominal capacity
}

// Room is what the memory of one GPU holds under a mapping, before any load is known.
type Room struct {
	Total      unit.Bytes // of the GPU or of the slice
	Weights    unit.Bytes // of the fullest stage
	Adapters   unit.Bytes
	Draft      unit.Bytes // weights of a draft model
	Activation unit.Bytes
	Runtime    unit.Bytes
	Headroom   unit.Bytes // kept free: driver, fragmentation, captured graphs
	KV         unit.Bytes // what is left; negative where the rest already does not fit
	KVTokens   int64      // of one copy
	RankTokens int64      // of one rank of attention data parallel: no sequence is longer
	MostTokens int64      // RankTokens if the engine keeps as little as was ever published; never a promise
	ranks      int64
}

// Extra is what lies in memory beside the model and its cache.
type Extra struct {
	Adapters       int   // LoRA adapters held at once
	AdapterRank    int64 // of each
	AdapterTargets llm.AdapterTargets
	Draft          *llm.Geometry // draft model of speculative decoding, cut like the model; nil is none
	DraftWeights   llm.Precision
}

// RoomOf returns the memory of one GPU of a mapping: weights (exact, with scales), adapters,
// draft model and what the engine keeps are taken off first, and the KV cache gets what is
// left. Nothing that does not fit is called a fit (R21).
func RoomOf(m Mapping) Room {
	r := Room{Weights: weightsPerGPU(m), ranks: int64(max(1, m.ADP))}
	stage := layerShare(m)
	if e := m.Extra; e.Adapters > 0 {
		each := float64(m.Model.AdapterBytes(e.AdapterRank, m.TP, e.AdapterTargets)) * stage
		r.Adapters = unit.Bytes(math.Ceil(float64(e.Adapters) * each))
	}
	if d := m.Extra.Draft; d != nil {
		r.Draft = weightsPerGPU(Mapping{Model: d, Weights: m.Extra.DraftWeights, TP: m.TP, PP: 1, ADP: m.ADP, EP: m.EP, MoETP: m.MoETP})
	}
	static, perToken := r.Weights+r.Adapters+r.Draft, kvPerToken(m)
	v := reservesOf(m, false)
	r.Total, r.Activation, r.Runtime = v.total, v.activation, v.runtime
	r.KV = v.cache(m.Engine, static)
	r.Headroom = r.Total - static - r.Activation - r.Runtime - r.KV
	r.RankTokens = tokensIn(r.KV, perToken)
	r.KVTokens = r.RankTokens * r.ranks
	r.MostTokens = max(r.RankTokens, tokensIn(reservesOf(m, true).cache(m.Engine, static), perToken))
	return r
}

func tokensIn(b unit.Bytes, perToken float64) int64 { return int64(max(0, float64(b)) / perToken) }

// layerShare returns the share of the layers that the fullest stage has.
func layerShare(m Mapping) float64 {
	pp := int64(max(1, m.PP))
	return float64((m.Model.Layers+pp-1)/pp) / float64(m.Model.Layers)
}

// expertShare returns the share of the routed experts that the fullest stage has: where few
// layers are without experts they are the first ones, and a later stage has none of them.
func expertShare(m Mapping) float64 {
	x := m.Model.MoE
	if x == nil || 4*x.DenseLayers >= m.Model.Layers {
		return layerShare(m)
	}
	pp := int64(max(1, m.PP))
	return min(1, float64((m.Model.Layers+pp-1)/pp)/float64(m.Model.Layers-x.DenseLayers))
}

// kvPerToken returns the bytes that one token takes on one GPU of the fullest stage, with
// those of a draft model.
func kvPerToken(m Mapping) float64 {
	bytes := float64(m.Model.KVBytesPerToken(m.KV)) / float64(m.Model.KVShards(m.TP)) * layerShare(m)
	if d := m.Extra.Draft; d != nil {
		bytes += float64(d.KVBytesPerToken(m.KV)) / float64(d.KVShards(m.TP))
	}
	return bytes
}

// weightsPerGPU returns the weights on one GPU of the fullest stage: attention, MLPs and
// embeddings over the tensor-parallel group, KV heads and latent projections as often as the
// group holds them, routed experts over all ranks of experts. Ranks of attention data
// parallel each keep everything but the experts.
func weightsPerGPU(m Mapping) unit.Bytes {
	w := m.Model.WeightParts(m.Weights, m.ExpertFormat)
	tp := float64(m.TP)
	layers := w.Attention*m.Model.AttentionCopies(m.TP)/tp + w.MLP/tp + w.Whole
	experts := w.Experts / float64(expertShards(m)) * expertShare(m)
	ends := (w.Embedding + w.Head) / tp
	if m.PP > 1 { // the embedding is on the first stage, the head on the last
		head := w.Head
		if m.Model.Tied {
			head = w.Embedding
		}
		ends = max(w.Embedding, head) / tp
	}
	return unit.Bytes(math.Ceil(layers*layerShare(m) + experts + ends))
}

// expertShards returns over how many GPUs of one stage the routed experts are cut.
func expertShards(m Mapping) int {
	ep := max(1, m.EP)
	if m.MoETP > 0 {
		return ep * m.MoETP
	}
	if m.EP > 0 {
		return max(ep, m.TP*max(1, m.ADP))
	}
	return m.TP * max(1, m.ADP)
}

// Sequences returns how many requests of mean length the cache of one copy holds when each
// reserves its whole length. Where not even one fits it is one if the favourable cache has
// room for it: such a copy runs, and is tight.
func (r Room) Sequences(w Workload) float64 {
	length := w.Prompt.Mean + w.Answer.Mean
	if n := float64(r.KVTokens) / length; n >= 1 {
		return n
	}
	return min(1, r.most(w))
}

// most returns the requests of mean length in the favourable cache of one copy.
func (r Room) most(w Workload) float64 {
	return float64(r.MostTokens*r.ranks) / (w.Prompt.Mean + w.Answer.Mean)
}

// Longest reports whether the cache holds one request of the workload's percentile.
func (r Room) Longest(w Workload) bool { return float64(r.RankTokens) >= longest(w) }

func longest(w Workload) float64 { return w.Prompt.At(w.Percentile) + w.Answer.At(w.Percentile) }

// Batch returns how many sequences may be in flight so that the fit is not tight, and false
// where not even one request fits twice; then the batch is the tight one, 0 for no fit.
func (r Room) Batch(w Workload) (float64, bool) {
	if float64(r.MostTokens) < longest(w) {
		return 0, false
	}
	n := r.Sequences(w)
	if half := n / calibration.TightFactor.Value; half >= 1 && r.Longest(w) {
		return half, true
	}
	if n >= 1 {
		return n, false
	}
	return 0, false
}

// status says whether the wanted sequences fit: not at all where even the favourable cache
// is too small, and safely only with twice their number in the ordinary one.
func (r Room) status(w Workload, wanted float64) Status {
	switch {
	case float64(r.MostTokens) < longest(w) || r.most(w) < wanted:
		return No
	case !r.Longest(w) || r.Sequences(w) < calibration.TightFactor.Value*wanted*(1-1e-9):
		return Tight
	}
	return Fits
}

// Stack returns the room with the wanted sequences in it.
func (r Room) Stack(m Mapping, w Workload, wanted float64) MemoryStack {
	wanted = max(wanted, 1)
	s := MemoryStack{
		Total: r.Total, KVTokens: r.KVTokens, Sequences: r.Sequences(w), Wanted: wanted, MemoryReported: m.GPU.MemoryReported,
		Status: r.status(w, wanted),
		Parts: []MemoryPart{
			{"weights", "sizing.memory_weights", r.Weights},
			{"adapters", "sizing.memory_adapters", r.Adapters},
			{"draft", "sizing.memory_draft", r.Draft},
			{"kv", "sizing.memory_kv", max(0, r.KV)},
			{"activation", "sizing.memory_activation", r.Activation},
			{"runtime", "sizing.memory_runtime", r.Runtime},
			{"headroom", "sizing.memory_headroom", max(0, r.Headroom+min(0, r.KV))}, // what is short is taken from it
		},
	}
	// What is short beyond that runs only where the GPU has more than its nominal decimal gigabytes.
	if over := min(0, r.Headroom+min(0, r.KV)); over < 0 && s.Status != No {
		s.Total -= over
	}
	s.Parts = slices.DeleteFunc(s.Parts, func(p MemoryPart) bool { return p.Bytes == 0 && p.Key != "kv" })
	tokens := int64(w.Prompt.Mean + w.Answer.Mean)
	s.FullKV = unit.Bytes(wanted * float64(tokens*m.Model.KVBytesPerToken(m.KV)))
	if m.Model.Window != nil {
		s.WindowAwareKV = unit.Bytes(wanted * float64(m.Model.KVBytesWindowed(m.KV, tokens)))
	}
	return s
}
