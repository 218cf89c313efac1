package llm

import (
	"bytes"
	"encoding/json"

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
	raw = withoutInfinity(raw)
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

// withoutInfinity replaces the words by which Python writes numbers that JSON does not know.
// They stand in fields of time steps that are not read.
func withoutInfinity(raw []byte) []byte {
	if !bytes.Contains(raw, []byte("Infinity")) && !bytes.Contains(raw, []byte("NaN")) {
		return raw
	}
	out := make([]byte, 0, len(raw))
	quoted := false
	for i := 0; i < len(raw); i++ {
		c := raw[i]
		if quoted {
			out = append(out, c)
			if c == '\\' && i+1 < len(raw) {
				i++
				out = append(out, raw[i])
			}
			quoted = c != '"'
			continue
		}
		word := ""
		for _, w := range []string{"-Infinity", "Infinity", "NaN"} {
			if bytes.HasPrefix(raw[i:], []byte(w)) {
				word = w
				break
			}
		}
		if word != "" {
			out = append(out, "null"...)
			i += len(word) - 1
			continue
		}
		out = append(out, c)
		quoted = c == '"'
	}
	return out
}

func configError(id string, args ...any) error {
	var faults apperr.Faults
	faults.Add(ConfigField, id, args...)
	return faults.Err()
}

// read builds the geometry; faults are collected in f.
func read(f *fields) *Geometry {
	takeDefaults(f)
	style := styleOf(f)
	style.adjust(f)
	g := &Geometry{Name: nameOf(f), Gated: style.gated, Norms: style.norms, FinalNorms: style.finalNorms, Sinks: style.sinks}
	refuseUnmodelled(f, 0, 0)
	if f.faults.Len() > 0 {
		return g
	}
	g.Layers = f.need(maxLayers, "num_hidden_layers", "n_layer", "n_layers", "num_layers")
	g.Hidden = f.need(maxWidth, "hidden_size", "n_embd", "d_model", "n_embed")
	g.Heads = f.need(maxHeads, "num_attention_heads", "n_head", "n_heads")
	g.Vocab = f.need(maxVocab, vocabField(f))
	if f.failed() {
		return g // the rest only makes sense with these four
	}
	refuseUnmodelled(f, g.Layers, g.Hidden)
	readBiases(f, g, style)
	g.Tied = f.boolean("tie_word_embeddings", style.tied, true)
	readAttention(f, g)
	readIndex(f, g)
	readMoE(f, g, style)
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

// vocabField prefers the vocabulary as the matrices have it, which ChatGLM states apart.
func vocabField(f *fields) string {
	if f.m["padded_vocab_size"] != nil {
		return "padded_vocab_size"
	}
	return "vocab_size"
}

// readBiases reads which matrices have a bias, and norms on queries and keys.
func readBiases(f *fields, g *Geometry, style style) {
	g.QKVBias = f.boolean("attention_bias", style.qkvBias, false)
	for _, name := range []string{"qkv_bias", "use_qkv_bias", "add_qkv_bias"} {
		g.QKVBias = f.boolean(name, false, false) || g.QKVBias
	}
	g.OBias = style.oBias
	if style.oBiasFollows {
		g.OBias = g.QKVBias
	}
	g.OBias = f.boolean("attention_out_bias", g.OBias, false)
	g.MLPBias = f.boolean("mlp_bias", style.mlpBias, false)
	g.HeadBias = f.boolean("lm_head_bias", style.headBias, false)
	g.QKNorm = style.qkNorm
	if !style.sharedAlways { // the norms of Llama 4 have no parameters
		g.QKNorm = f.boolean("use_qk_norm", style.qkNorm, false)
		if has, ok := f.m["qk_norm"].(bool); ok {
			g.QKNorm = has
		}
	}
	g.QKNormWide = g.QKNorm && (style.qkWide || f.text("qk_norm_type") == "per_layer")
}

func readAttention(f *fields, g *Geometry) {
	if rank, ok := f.numberOrZero(maxWidth, "kv_lora_rank"); ok && rank > 0 {
		g.MLA = &MLA{KVLoRARank: rank}
		g.MLA.RopeDim = f.need(maxWidth, "qk_rope_head_dim")
		g.MLA.NopeDim = f.need(maxWidth, "qk_nope_head_dim")
		g.VHeadDim = f.need(maxWidth, "v_head_dim")
		g.MLA.QLoRARank, _ = f.numberOrZero(maxWidth, "q_lora_rank")
		g.HeadDim = g.MLA.NopeDim + g.MLA.RopeDim
		g.KVHeads = g.Heads
		return
	}
	g.KVHeads = kvHeads(f, g.Heads)
	if g.KVHeads > 0 && g.Heads%g.KVHeads != 0 {
		f.contradict("num_attention_heads", "num_key_value_heads")
	}
	dim, ok := f.number(maxWidth, "head_dim", "attention_head_dim", "kv_channels")
	if !ok {
		if g.Hidden%g.Heads != 0 {
			f.contradict("hidden_size", "num_attention_heads")
			return
		}
		dim = g.Hidden / g.Heads
	}
	g.HeadDim, g.VHeadDim = dim, dim
	if v, ok := f.numberOrZero(maxWidth, "v_head_dim"); ok && v > 0 {
		g.VHeadDim = v
	}
}

// kvHeads returns the heads of keys and values. Falcon's number of them counts only in its
// newer layers; in the older ones multi_query means one.
func kvHeads(f *fields, heads int64) int64 {
	one := f.boolean("multi_query", f.modelType() == "gpt_bigcode", false)
	if f.m["new_decoder_architecture"] != nil && !f.boolean("new_decoder_architecture", false, false) {
		if one {
			return 1
		}
		return heads
	}
	kv, ok := f.number(maxHeads, "num_key_value_heads", "num_kv_heads", "n_head_kv", "multi_query_group_num", "kv_n_heads")
	switch {
	case ok:
		return kv
	case one:
		return 1
	}
	f.assume("num_key_value_heads", heads)
	return heads
}

// readIndex reads the small attention that picks the tokens of sparse attention. What it
// saves is not counted: every token is read, as without it.
func readIndex(f *fields, g *Geometry) {
	if !on(f.m["index_topk"]) {
		return
	}
	if g.MLA == nil {
		f.refuse("index_topk", f.m["index_topk"])
		return
	}
	g.Index = &Index{Heads: f.need(maxHeads, "index_n_heads"), Dim: f.need(maxWidth, "index_head_dim"), Tokens: f.need(maxContext, "index_topk"), Layers: g.Layers}
	if types, ok := f.list("indexer_types"); ok {
		if int64(len(types)) != g.Layers {
			f.contradict("indexer_types", "num_hidden_layers")
		}
		g.Index.Layers = 0
		for _, t := range types {
			if t == "full" {
				g.Index.Layers++
			}
		}
	}
	f.notes = append(f.notes, basis.Msg("sizing.config_sparse_as_full", basis.T("field", "index_topk")))
}

func readMLP(f *fields, g *Geometry, style style) {
	if g.MoE != nil { // the width of the dense layers, where it has a name of its own
		if w, ok := f.number(maxWidth, "intermediate_size_mlp", "dense_intermediate_size"); ok {
			g.Intermediate = w
			return
		}
	}
	w, ok := f.number(maxWidth, "intermediate_size", "n_inner", "ffn_hidden_size", "ffn_dim")
	if wide, has := f.numberOrZero(maxWidth, "shared_intermediate_size"); has && wide > 0 && g.MoE == nil {
		w, ok = wide, true // Granite 4: without experts the shared one is the MLP
	}
	switch {
	case ok && style.halves:
		g.Intermediate = w / 2
	case ok:
		g.Intermediate = w
	case style.fourfold:
		ratio, has := f.number(64, "expansion_ratio")
		if !has {
			ratio = 4
		}
		g.Intermediate = ratio * g.Hidden
		f.assume("n_inner", g.Intermediate)
	case g.MoE == nil || g.MoE.DenseLayers > 0:
		f.missing("intermediate_size")
	}
}

// nameOf returns what a config says about its own name: a path, else the kind of model.
func nameOf(f *fields) string {
	name := f.text("_name_or_path")
	if name == "" {
		name = f.modelType()
	}
	return clip(name, 80)
}
