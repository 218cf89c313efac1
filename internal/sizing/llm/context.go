package llm

import (
	"encoding/json"
	"math"
	"slices"
	"strconv"
	"strings"
)

// readContext reads how many tokens the model takes. A scaling factor is applied only
// where the stated length is still the unscaled one: YaRN configs exist in both forms, and
// llama3, longrope and su always state the scaled length. model_max_length overrules
// (Command R; vllm config: _get_and_verify_max_len).
func readContext(f *fields, g *Geometry, style style) {
	stated, ok := f.number(maxContext, "max_position_embeddings", "n_positions", "max_seq_len", "seq_length")
	if !ok {
		if stated, ok = f.number(maxContext, "n_ctx", "max_sequence_length", "model_max_length"); !ok {
			f.missing("max_position_embeddings")
			return
		}
	}
	g.MaxContext = stated
	if style.positions {
		g.Positions = stated + style.spare
	}
	if rope := ropeOf(f); rope != nil {
		scaleContext(f, g, rope, style)
	}
	if n, ok := f.number(maxContext, "model_max_length"); ok && !style.positions {
		g.MaxContext = n
	}
}

// ropeOf returns the scaling of the rotary embedding; of one for each kind of layer that of
// the layers with full attention.
func ropeOf(f *fields) map[string]any {
	rope := f.object("rope_scaling", "rope_parameters")
	if full, ok := rope["full_attention"].(map[string]any); ok {
		return full
	}
	return rope
}

// scaledAlready are the kinds whose configs state the scaled length, and those that scale nothing.
var scaledAlready = []string{"", "default", "llama3", "longrope", "su", "mrope", "xdrope", "proportional"}

// scaleContext applies a scaling of the rotary embedding to the stated length.
func scaleContext(f *fields, g *Geometry, rope map[string]any, style style) {
	kind := ropeKind(f, rope)
	yarn := strings.Contains(kind, "yarn")
	if !yarn && kind != "linear" && kind != "dynamic" {
		if !slices.Contains(scaledAlready, kind) {
			f.assume("rope_scaling.rope_type", "default")
		}
		return // the stated length is the scaled one
	}
	factor, ok := ropeNumber(f, rope, "factor", 100_000)
	if !ok {
		f.missing("rope_scaling.factor")
		return
	}
	stated := g.MaxContext
	original, known := ropeNumber(f, rope, "original_max_position_embeddings", maxContext)
	switch {
	case known:
		g.MaxContext = max(stated, int64(math.Round(original*factor)))
	case yarn:
		f.assume("rope_scaling.original_max_position_embeddings", stated)
		return // already applied or not cannot be told: the stated length is certain
	case style.stretched: // Gemma 3 states the length after its linear scaling
	default:
		g.MaxContext = int64(math.Round(float64(stated) * factor))
	}
	if g.MaxContext > maxContext {
		f.outOfRange("rope_scaling.factor", show(rope["factor"]))
	}
}

// ropeKind returns the kind of a scaling, "" where none is named.
func ropeKind(f *fields, rope map[string]any) string {
	for _, name := range []string{"rope_type", "type"} {
		switch kind := rope[name].(type) {
		case nil:
		case string:
			return strings.ToLower(kind)
		default:
			f.unknown("rope_scaling."+name, kind)
		}
	}
	return ""
}

// ropeNumber returns a number from 1 to limit, and false where there is none.
func ropeNumber(f *fields, rope map[string]any, name string, limit float64) (float64, bool) {
	if rope[name] == nil {
		return 0, false
	}
	x, ok := float(rope[name])
	if !ok || x < 1 || x > limit {
		f.outOfRange("rope_scaling."+name, show(rope[name]))
		return 1, true
	}
	return x, true
}

func textOf(m map[string]any, names ...string) string {
	for _, n := range names {
		if s, ok := m[n].(string); ok {
			return strings.ToLower(s)
		}
	}
	return ""
}

func float(raw any) (float64, bool) {
	var s string
	switch v := raw.(type) {
	case json.Number:
		s = v.String()
	case string:
		s = strings.TrimSpace(v)
	default:
		return 0, false
	}
	x, err := strconv.ParseFloat(s, 64)
	return x, err == nil && !math.IsNaN(x) && !math.IsInf(x, 0)
}
