package llm

import (
	"encoding/csv"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// Entry is one model of the library.
type Entry struct {
	HFID        string
	Name        string
	Source      string // where the shape is from, with commit
	ParamsTotal int64  // as published
	Geometry    *Geometry
	// Reason says why there is no Geometry: the row lacks fields the engine needs.
	Reason string
}

// Key returns the name by which a request picks the entry: the Hugging Face id, or the
// name for models that have none.
func (e Entry) Key() string {
	if e.HFID != "" {
		return e.HFID
	}
	return e.Name
}

// Library is the shipped list of known models, in the order of its file.
type Library []Entry

// Find returns the entry of a key, ignoring case.
func (l Library) Find(key string) (Entry, bool) {
	i := slices.IndexFunc(l, func(e Entry) bool { return strings.EqualFold(e.Key(), key) })
	if i < 0 {
		return Entry{}, false
	}
	return l[i], true
}

// ReadLibrary reads models.csv. Every row whose shape is complete is checked: the counts
// that follow from it must equal the published ones to the last parameter.
func ReadLibrary(r io.Reader) (Library, error) {
	rows, err := csv.NewReader(r).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("read model library: %w", err)
	}
	if len(rows) == 0 {
		return nil, fmt.Errorf("read model library: empty")
	}
	var lib Library
	for i, row := range rows[1:] {
		e, err := entryOf(record{head: rows[0], row: row})
		if err != nil {
			return nil, fmt.Errorf("model library row %d: %w", i+2, err)
		}
		lib = append(lib, e)
	}
	return lib, nil
}

type record struct{ head, row []string }

func (r record) text(name string) string {
	i := slices.Index(r.head, name)
	if i < 0 || i >= len(r.row) {
		return ""
	}
	return r.row[i]
}

func (r record) number(name string) int64 {
	n, err := strconv.ParseInt(r.text(name), 10, 64)
	if err != nil {
		return 0 // blank is unknown; the check of the parameter count finds what is missing
	}
	return n
}

func entryOf(r record) (Entry, error) {
	e := Entry{HFID: r.text("hf_id"), Name: r.text("name"), Source: r.text("source_ref"), ParamsTotal: r.number("params_total")}
	if r.text("architecture") == "diffusion" {
		e.Reason = "no language model: images per second are not sized"
		return e, nil
	}
	if r.number("layers") == 0 || r.number("hidden") == 0 || r.number("heads") == 0 {
		e.Reason = "layers, hidden size or heads unknown"
		return e, nil
	}
	g := shapeOf(r)
	if got := g.Params().Total(); got != e.ParamsTotal {
		return e, fmt.Errorf("%s: the shape gives %d parameters, the row says %d", e.Name, got, e.ParamsTotal)
	}
	if got, want := g.ParamsActive(), r.number("params_active"); want != 0 && got != want {
		return e, fmt.Errorf("%s: the shape gives %d active parameters, the row says %d", e.Name, got, want)
	}
	e.Geometry = g
	return e, nil
}

func shapeOf(r record) *Geometry {
	s := familyOf(r.text("hf_id"), r.text("name"))
	g := &Geometry{
		Name: r.text("name"), HFID: r.text("hf_id"),
		Layers: r.number("layers"), Hidden: r.number("hidden"), Heads: r.number("heads"), KVHeads: r.number("kv_heads"),
		HeadDim: r.number("head_dim"), VHeadDim: r.number("head_dim"), Intermediate: r.number("intermediate"),
		Vocab: r.number("vocab"), MaxContext: r.number("max_context"),
		Gated: s.gated, Tied: s.tied, Norms: s.norms, FinalNorms: s.finalNorms, QKNorm: s.qkNorm,
		QKVBias: s.qkvBias, OBias: s.oBias, MLPBias: s.mlpBias, HeadBias: s.headBias, Sinks: s.sinks,
		Dtype: BF16,
	}
	if s.positions {
		g.Positions = g.MaxContext
	}
	native := r.text("native_dtype")
	switch {
	case strings.HasPrefix(native, "fp16"):
		g.Dtype = FP16
	case strings.HasPrefix(native, "fp8"):
		g.Quant = &Quant{Precision: FP8, Method: "fp8"}
	case strings.HasPrefix(native, "mxfp4"):
		g.Quant = &Quant{Precision: MXFP4, Method: "mxfp4", GroupSize: mxfp4Block, GroupBits: mxfp4ScaleBits, ExpertsOnly: true}
	}
	if r.number("experts") > 0 {
		moeOf(r, g, s)
	}
	if rank := r.number("mla_kv_lora_rank"); rank > 0 {
		rope := r.number("rope_head_dim")
		g.MLA = &MLA{KVLoRARank: rank, QLoRARank: r.number("mla_q_lora_rank"), RopeDim: rope, NopeDim: g.HeadDim - rope}
		g.VHeadDim = g.MLA.NopeDim
	}
	g.Window = windowOf(r.text("sliding_window"), g.Layers)
	return g
}

func moeOf(r record, g *Geometry, s family) {
	g.MoE = &MoE{
		Experts: r.number("experts"), PerToken: r.number("experts_per_token"), Intermediate: r.number("moe_intermediate"),
		Shared: r.number("shared_experts"), DenseLayers: s.denseFirst, Bias: s.expertBias, ScoreBias: s.scoreBias,
	}
	g.MoE.SharedIntermediate = g.MoE.Shared * g.MoE.Intermediate
	if s.everySecond {
		g.MoE.DenseLayers = g.Layers / 2
	}
}

// windowOf reads the library's remark: "4096", "1024 on 5 of 6 layers", "128 on every other layer".
func windowOf(text string, layers int64) *Window {
	number, rest, _ := strings.Cut(text, " ")
	tokens, err := strconv.ParseInt(number, 10, 64)
	if err != nil || tokens == 0 {
		return nil
	}
	switch {
	case strings.Contains(rest, "every other"):
		layers = (layers + 1) / 2
	case strings.Contains(rest, "5 of 6"):
		layers -= layers / 6
	case strings.Contains(rest, "3 of 4"):
		layers -= layers / 4
	}
	return &Window{Tokens: tokens, Layers: layers}
}
