package serving

import (
	"rackwright/internal/sizing/calibration"
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
	Total      unit.Bytes
	Weights    unit.Bytes
	Activation unit.Bytes
	Runtime    unit.Bytes
	Headroom   unit.Bytes // kept free: driver, fragmentation, captured graphs
	KV         unit.Bytes // what is left; negative where the rest already does not fit
	KVTokens   int64      // of one copy
}

// RoomOf returns the memory of one GPU of a mapping: weights (exact, with scales) over all
// its GPUs, activation, runtime and head-room are taken off first, and the KV cache gets
// what is left. Nothing that does not fit is called a fit (R21).
func RoomOf(m Mapping) Room {
	gpus := int64(m.GPUs())
	r := Room{Total: m.GPU.Memory}
	weights := m.Model.WeightBytes(m.Weights) + m.Model.ScaleBytes(m.Weights)
	r.Weights = unit.Bytes((weights + gpus - 1) / gpus)
	activation, runtime := calibration.ActivationDense, calibration.RuntimeSingle
	if m.Model.IsMoE() {
		activation = calibration.ActivationMoE
	}
	if m.TP > 1 {
		runtime = calibration.RuntimeTP
	}
	r.Activation, r.Runtime = unit.FromGiB(activation.Value), unit.FromGiB(runtime.Value)
	usable := unit.Bytes(float64(r.Total-unit.FromGiB(calibration.DriverGiB.Value)) * calibration.UsableShare.Value)
	r.Headroom = r.Total - usable
	r.KV = usable - r.Weights - r.Activation - r.Runtime
	if r.KV > 0 {
		perToken := float64(m.Model.KVBytesPerToken(m.KV)) / float64(m.Model.KVShards(m.TP)) / float64(m.PP)
		r.KVTokens = int64(float64(r.KV) / perToken)
	}
	return r
}

// Sequences returns how many requests of mean length the cache of one copy holds when each
// reserves its whole length.
func (r Room) Sequences(w Workload) float64 {
	return float64(r.KVTokens) / (w.Prompt.Mean + w.Answer.Mean)
}

// Longest reports whether the cache holds one request of the workload's percentile.
func (r Room) Longest(w Workload) bool {
	return float64(r.KVTokens) >= w.Prompt.At(w.Percentile)+w.Answer.At(w.Percentile)
}

// Batch returns how many sequences may be in flight so that the fit is not tight, and false
// where not even one request fits twice; then the batch is the tight one, 0 for no fit.
func (r Room) Batch(w Workload) (float64, bool) {
	if !r.Longest(w) {
		return 0, false
	}
	n := r.Sequences(w)
	if half := n / calibration.TightFactor.Value; half >= 1 {
		return half, true
	}
	if n >= 1 {
		return n, false
	}
	return 0, false
}

// Stack returns the room with the wanted sequences in it.
func (r Room) Stack(m Mapping, w Workload, wanted float64) MemoryStack {
	n := r.Sequences(w)
	wanted = max(wanted, 1)
	s := MemoryStack{
		Total: r.Total, KVTokens: r.KVTokens, Sequences: n, Wanted: wanted, MemoryReported: m.GPU.MemoryReported,
		Parts: []MemoryPart{
			{"weights", "sizing.memory_weights", r.Weights},
			{"kv", "sizing.memory_kv", max(0, r.KV)},
			{"activation", "sizing.memory_activation", r.Activation},
			{"runtime", "sizing.memory_runtime", r.Runtime},
			{"headroom", "sizing.memory_headroom", r.Headroom},
		},
	}
	switch {
	case r.KV <= 0 || !r.Longest(w) || n < wanted:
		s.Status = No
	case n < calibration.TightFactor.Value*wanted*(1-1e-9):
		s.Status = Tight
	default:
		s.Status = Fits
	}
	tokens := int64(w.Prompt.Mean + w.Answer.Mean)
	s.FullKV = unit.Bytes(wanted * float64(tokens*m.Model.KVBytesPerToken(m.KV)))
	if m.Model.Window != nil {
		s.WindowAwareKV = unit.Bytes(wanted * float64(m.Model.KVBytesWindowed(m.KV, tokens)))
	}
	return s
}
