package llm

import (
	"bytes"
	"encoding/json"
	"strings"

	"rackwright/internal/apperr"
	"rackwright/internal/sizing/basis"
)

// MaxConfigBytes is the largest config.json that is read. Real ones are a few kilobytes;
// those with long per-layer lists stay under 200.
const MaxConfigBytes = 1 << 20

// ConfigField is the name of the form field that faults of a config are reported under.
const ConfigField = "config"

// ParseConfig reads a Hugging Face config.json. The fields decide; a missing field with a
// documented default takes it and is listed in the messages; anything else that is missing,
// out of range or contradictory is an Invalid error that names the field (R22).
func ParseConfig(raw []byte) (*Geometry, []basis.Message, error) {
	if len(raw) > MaxConfigBytes {
		return nil, nil, configError("sizing.config_too_large", "limit", "1 MiB")
	}
	raw = bytes.TrimPrefix(bytes.TrimSpace(raw), []byte("\xef\xbb\xbf"))
	if len(raw) == 0 {
		return nil, nil, configError("sizing.config_empty")
	}
	if raw[0] == '<' {
		return nil, nil, configError("sizing.config_is_html")
	}
	root, err := decodeObject(raw)
	if err != nil {
		return nil, nil, configError("sizing.config_not_json")
	}
	if name := fieldTwice(raw, readDepth); name != "" {
		return nil, nil, configError("sizing.config_field_twice", "field", show(name))
	}
	f := &fields{m: root, taken: map[string]bool{}}
	f.enterText()
	g := read(f)
	if err := f.err(); err != nil {
		return nil, nil, err
	}
	return g, f.notes, nil
}

func decodeObject(raw []byte) (map[string]any, error) {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	var m map[string]any
	if err := dec.Decode(&m); err != nil {
		return nil, err
	}
	if m == nil {
		return nil, apperr.New(apperr.Invalid, "sizing.config_not_json")
	}
	if dec.More() {
		return nil, apperr.New(apperr.Invalid, "sizing.config_not_json")
	}
	return m, nil
}

// readDepth is how deep the fields lie that are read: the deepest is
// text_config.quantization_config.config_groups.group_0.weights.num_bits.
const readDepth = 6

// fieldTwice returns the name of a field that stands twice in one object of raw with two
// values, "" where there is none. A reader that takes the last of them would be guessing.
func fieldTwice(raw []byte, depth int) string {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if open, err := dec.Token(); err != nil || open != json.Delim('{') || depth == 0 {
		return ""
	}
	seen := map[string]json.RawMessage{}
	for dec.More() {
		key, err := dec.Token()
		name, isName := key.(string)
		var value json.RawMessage
		if err != nil || !isName || dec.Decode(&value) != nil {
			return ""
		}
		if before, twice := seen[name]; twice && !bytes.Equal(before, value) {
			return name
		}
		seen[name] = value
		if inner := fieldTwice(value, depth-1); inner != "" {
			return inner
		}
	}
	return ""
}

func configError(id string, args ...any) error {
	var faults apperr.Faults
	faults.Add(ConfigField, id, args...)
	return faults.Err()
}

// read builds the geometry; faults are collected in f.
func read(f *fields) *Geometry {
	style := styleOf(f)
	g := &Geometry{
		Name:   nameOf(f),
		Layers: f.need(maxLayers, "num_hidden_layers", "n_layer", "n_layers", "num_layers"),
		Hidden: f.need(maxWidth, "hidden_size", "n_embd", "d_model"),
		Heads:  f.need(maxHeads, "num_attention_heads", "n_head", "n_heads"),
		Vocab:  f.need(maxVocab, "vocab_size"),
		Gated:  style.gated, Norms: style.norms, FinalNorms: style.finalNorms,
		QKNorm: style.qkNorm, OBias: style.oBias, MLPBias: style.mlpBias, HeadBias: style.headBias, Sinks: style.sinks,
	}
	if f.failed() {
		return g // the rest only makes sense with these four
	}
	g.QKVBias = f.boolean("attention_bias", style.qkvBias, false) || f.boolean("qkv_bias", false, false)
	if style.oBiasFollows {
		g.OBias = g.QKVBias
	}
	g.MLPBias = f.boolean("mlp_bias", style.mlpBias, false)
	g.Tied = f.boolean("tie_word_embeddings", style.tied, true)
	readAttention(f, g)
	readMLP(f, g, style)
	readContext(f, g, style)
	readWindow(f, g, style)
	readDtype(f, g)
	readQuant(f, g)
	if !f.failed() {
		checkSize(f, g)
	}
	return g
}

func readAttention(f *fields, g *Geometry) {
	if rank, ok := f.number(maxWidth, "kv_lora_rank"); ok {
		g.MLA = &MLA{KVLoRARank: rank}
		g.MLA.RopeDim = f.need(maxWidth, "qk_rope_head_dim")
		g.MLA.NopeDim = f.need(maxWidth, "qk_nope_head_dim")
		g.VHeadDim = f.need(maxWidth, "v_head_dim")
		g.MLA.QLoRARank, _ = f.number(maxWidth, "q_lora_rank")
		g.HeadDim = g.MLA.NopeDim + g.MLA.RopeDim
		g.KVHeads = g.Heads
		return
	}
	kv, ok := f.number(maxHeads, "num_key_value_heads", "num_kv_heads", "n_head_kv", "multi_query_group_num")
	switch {
	case ok:
		g.KVHeads = kv
	case f.boolean("multi_query", false, false):
		g.KVHeads = 1
	default:
		g.KVHeads = g.Heads
		f.assume("num_key_value_heads", g.Heads)
	}
	if g.KVHeads > 0 && g.Heads%g.KVHeads != 0 {
		f.contradict("num_attention_heads", "num_key_value_heads")
	}
	dim, ok := f.number(maxWidth, "head_dim", "attention_head_dim")
	if !ok {
		if g.Hidden%g.Heads != 0 {
			f.contradict("hidden_size", "num_attention_heads")
			return
		}
		dim = g.Hidden / g.Heads
	}
	g.HeadDim, g.VHeadDim = dim, dim
}

func readMLP(f *fields, g *Geometry, style style) {
	experts, isMoE := f.number(maxExperts, "num_local_experts", "n_routed_experts", "num_experts", "moe_num_experts")
	if isMoE && experts > 1 {
		readMoE(f, g, experts)
	}
	if w, ok := f.number(maxWidth, "intermediate_size_mlp"); ok && g.MoE != nil { // Llama 4: width of its dense layers
		g.Intermediate = w
		return
	}
	w, ok := f.number(maxWidth, "intermediate_size", "n_inner", "ffn_hidden_size", "ffn_dim")
	switch {
	case ok:
		g.Intermediate = w
	case style.fourfold:
		g.Intermediate = 4 * g.Hidden
		f.assume("n_inner", g.Intermediate)
	case g.MoE == nil || g.MoE.DenseLayers > 0:
		f.missing("intermediate_size")
	}
}

func readMoE(f *fields, g *Geometry, experts int64) {
	m := &MoE{Experts: experts, PerToken: f.need(maxExperts, "num_experts_per_tok", "num_experts_per_token", "moe_top_k", "moe_topk")}
	g.MoE = m
	if m.PerToken > experts {
		f.contradict("num_experts_per_tok", "num_local_experts")
	}
	if w, ok := f.number(maxWidth, "moe_intermediate_size", "expert_ffn_hidden_size"); ok {
		m.Intermediate = w
	} else {
		m.Intermediate = f.need(maxWidth, "intermediate_size")
	}
	if n, ok := f.numberOrZero(maxExperts, "n_shared_experts", "num_shared_experts"); ok && n > 0 {
		m.Shared, m.SharedIntermediate = n, n*m.Intermediate
	}
	if w, ok := f.numberOrZero(maxWidth, "shared_expert_intermediate_size"); ok && w > 0 {
		m.Shared, m.SharedIntermediate, m.SharedGate = 1, w, true
	}
	if isLlama4(f) {
		m.Shared, m.SharedIntermediate = 1, m.Intermediate
	}
	m.Bias = f.modelType() == "gpt_oss"
	m.ScoreBias = f.modelType() == "deepseek_v3" || f.text("topk_method") == "noaux_tc"
	m.DenseLayers = denseLayers(f, g.Layers)
	if m.DenseLayers > g.Layers {
		f.contradict("first_k_dense_replace", "num_hidden_layers")
	}
}

// denseLayers counts the layers of a mixture that have an ordinary MLP.
func denseLayers(f *fields, layers int64) int64 {
	dense, _ := f.numberOrZero(maxLayers, "first_k_dense_replace")
	if list, ok := f.list("mlp_only_layers"); ok {
		dense += int64(len(list))
	}
	for _, name := range []string{"decoder_sparse_step", "interleave_moe_layer_step"} {
		if step, ok := f.number(maxLayers, name); ok && step > 1 {
			dense += layers - layers/step
		}
	}
	return dense
}

func isLlama4(f *fields) bool { return strings.HasPrefix(f.modelType(), "llama4") }

// nameOf returns what a config says about its own name: a path, else the kind of model.
func nameOf(f *fields) string {
	name := f.text("_name_or_path")
	if name == "" {
		name = f.modelType()
	}
	return clip(name, 80)
}
