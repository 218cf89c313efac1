package llm

import (
	"rackwright/internal/apperr"
	"rackwright/internal/sizing/basis"
)

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

// Geometry returns the model of sizes typed by hand. KV heads default to all heads and the
// head size to hidden / heads, as in Hugging Face configs; the rest has no default and is
// an Invalid error under counts.<field>.
func (c Counts) Geometry() (*Geometry, []basis.Message, error) {
	var faults apperr.Faults
	var notes []basis.Message
	need := func(name string, v, limit int64) {
		switch {
		case v == 0:
			faults.Add("counts."+name, "sizing.required")
		case v < 0 || v > limit:
			faults.Add("counts."+name, "sizing.out_of_range", "min", "1", "max", show(limit))
		}
	}
	need("params_total", c.ParamsTotal, int64(maxParams))
	need("layers", c.Layers, maxLayers)
	need("hidden", c.Hidden, maxWidth)
	need("heads", c.Heads, maxHeads)
	assume := func(field string, v *int64, def int64) {
		if *v == 0 {
			*v = def
			notes = append(notes, basis.Msg("sizing.config_default_taken", basis.T("field", field), basis.T("value", show(def))))
		}
	}
	if faults.Len() == 0 {
		assume("params_active", &c.ParamsActive, c.ParamsTotal)
		assume("kv_heads", &c.KVHeads, c.Heads)
		assume("head_dim", &c.HeadDim, max(1, c.Hidden/c.Heads))
		c.check(&faults)
	}
	if err := faults.Err(); err != nil {
		return nil, nil, err
	}
	if c.Vocab == 0 {
		notes = append(notes, basis.Msg("sizing.vocab_unknown"))
	}
	return &Geometry{
		Name: c.Name, Layers: c.Layers, Hidden: c.Hidden, Heads: c.Heads, KVHeads: c.KVHeads,
		HeadDim: c.HeadDim, VHeadDim: c.HeadDim, Vocab: c.Vocab, MaxContext: c.MaxContext,
		Dtype: BF16, Typed: &c,
	}, notes, nil
}

func (c Counts) check(faults *apperr.Faults) {
	between := func(name string, v, lo, hi int64) {
		if v < lo || v > hi {
			faults.Add("counts."+name, "sizing.out_of_range", "min", show(lo), "max", show(hi))
		}
	}
	between("params_active", c.ParamsActive, 1, c.ParamsTotal)
	between("kv_heads", c.KVHeads, 1, c.Heads)
	between("head_dim", c.HeadDim, 1, maxWidth)
	between("vocab", c.Vocab, 0, maxVocab)
	between("max_context", c.MaxContext, 0, maxContext)
	if c.KVHeads > 0 && c.Heads%c.KVHeads != 0 {
		faults.Add("counts.kv_heads", "sizing.config_contradiction", "a", "heads", "b", "kv_heads")
	}
	if 2*c.Vocab*c.Hidden > c.ParamsTotal {
		faults.Add("counts.vocab", "sizing.config_contradiction", "a", "vocab", "b", "params_total")
	}
}
