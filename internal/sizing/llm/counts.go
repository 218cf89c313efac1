package llm

// Counts are the sizes of a model typed by hand, for models whose config cannot be read.
// Zero is unknown; Geometry says which ones it needs.
type Counts struct {
	Name         string `json:"name,omitempty"`
	ParamsTotal  int64  `json:"params_total,omitempty"`
	ParamsActive int64  `json:"params_active,omitempty"` // per token; 0 means all
	Layers       int64  `json:"layers,omitempty"`
	Hidden       int64  `json:"hidden,omitempty"`
	Heads        int64  `json:"heads,omitempty"`
	KVHeads      int64  `json:"kv_heads,omitempty"`
	HeadDim      int64  `json:"head_dim,omitempty"`
	Vocab        int64  `json:"vocab,omitempty"`
	MaxContext   int64  `json:"max_context,omitempty"`
}
