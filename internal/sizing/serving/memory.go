package serving

import "rackwright/internal/unit"

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
