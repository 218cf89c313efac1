package llm

import (
	"encoding/json"
	"math"
	"strconv"
	"strings"
	"unicode"

	"rackwright/internal/apperr"
	"rackwright/internal/sizing/basis"
)

// Limits of plausible sizes. The largest published models are an order of magnitude below.
const (
	maxLayers  = 2_000
	maxWidth   = 1_000_000
	maxHeads   = 4_096
	maxVocab   = 10_000_000
	maxExperts = 8_192
	maxContext = 1_000_000_000
	maxParams  = 1e14
)

// fields reads one object of a config by name, collecting faults and notes.
type fields struct {
	m      map[string]any
	absent []string
	faults apperr.Faults
	notes  []basis.Message
	taken  map[string]bool
	inside bool // in the language part of a larger config
}

// textParts are the fields in which larger models keep their language part.
var textParts = []string{"text_config", "llm_config", "language_config", "thinker_config"}

// enterText descends into the language part of a multimodal config. Its own fields count;
// those of other parts have no say, and the parts are named as left out.
func (f *fields) enterText() {
	for range readDepth {
		nameApart(f, f.m)
		key := f.enterOne()
		if key == "" {
			break
		}
		f.inside = true
		f.notes = append(f.notes, basis.Msg("sizing.config_text_part", basis.T("field", key)))
	}
	for _, key := range []string{"attn_config", "ffn_config"} { // DBRX and MPT keep sizes in these
		for name, v := range f.object(key) {
			if _, has := f.m[name]; !has {
				f.m[name] = v
			}
		}
	}
}

func (f *fields) enterOne() string {
	for _, key := range textParts {
		inner := f.object(key)
		if len(inner) == 0 {
			continue
		}
		for _, k := range []string{"quantization_config", "compression_config", "torch_dtype", "dtype", "tie_word_embeddings"} {
			if _, has := inner[k]; !has && f.m[k] != nil {
				inner[k] = f.m[k]
			}
		}
		f.m = inner
		return key
	}
	return ""
}

// set gives a field a value that the config leaves out.
func (f *fields) set(name string, n int64) { f.m[name] = json.Number(strconv.FormatInt(n, 10)) }

// equals reports whether a field has a value.
func (f *fields) equals(name string, n int64) bool {
	other, ok := whole(f.m[name])
	return ok && n == other
}

// refuse makes a fault of a field that describes what is not modelled.
func (f *fields) refuse(name string, value any) {
	f.faults.Add(ConfigField, "sizing.config_unmodelled", "field", name, "value", show(value))
}

// number returns the first of the names that is present as a positive whole number. Null is
// absent. Two spellings of one field must agree.
func (f *fields) number(limit int64, names ...string) (int64, bool) {
	n, ok := f.numberOrZero(limit, names...)
	if ok && n == 0 {
		f.outOfRange(names[0], "0")
		return 0, true
	}
	return n, ok
}

func (f *fields) numberOrZero(limit int64, names ...string) (int64, bool) {
	found, value := "", int64(0)
	for _, name := range names {
		raw, has := f.m[name]
		if !has || raw == nil {
			continue
		}
		n, ok := whole(raw)
		if list, many := raw.([]any); many {
			n, ok = uniform(list)
		}
		if !ok {
			f.faults.Add(ConfigField, "sizing.config_field_not_number", "field", name, "value", show(raw))
			return 0, true
		}
		if n < 0 || n > limit {
			f.outOfRange(name, show(raw))
			return 0, true
		}
		if found != "" && n != value {
			f.contradict(found, name)
			return value, true
		}
		found, value = name, n
	}
	return value, found != ""
}

// need is number for a field without a default.
func (f *fields) need(limit int64, names ...string) int64 {
	n, ok := f.number(limit, names...)
	if !ok {
		f.missing(names[0])
	}
	return n
}

func (f *fields) missing(name string) {
	if !f.taken[name] {
		f.taken[name] = true
		f.absent = append(f.absent, name)
	}
}

func (f *fields) outOfRange(name, value string) {
	f.faults.Add(ConfigField, "sizing.config_field_range", "field", name, "value", value)
}

func (f *fields) contradict(a, b string) {
	f.faults.Add(ConfigField, "sizing.config_contradiction", "a", a, "b", b)
}

// assume lists a documented default that was taken for a missing field.
func (f *fields) assume(name string, value any) {
	f.notes = append(f.notes, basis.Msg("sizing.config_default_taken", basis.T("field", name), basis.T("value", show(value))))
}

// boolean returns a field that is true or false; list says whether taking the default is listed.
func (f *fields) boolean(name string, def, list bool) bool {
	switch v := f.m[name].(type) {
	case bool:
		return v
	case string:
		if b, err := strconv.ParseBool(v); err == nil {
			return b
		}
	case nil:
		if list {
			f.assume(name, def)
		}
		return def
	}
	f.faults.Add(ConfigField, "sizing.config_field_not_boolean", "field", name, "value", show(f.m[name]))
	return def
}

// text, list and object read a field of that kind. Null is absent; any other kind is a fault:
// passed over, it would silently count as absent.
func (f *fields) text(name string) string {
	s, _ := kindOf[string](f, name)
	return s
}

func (f *fields) list(name string) ([]any, bool) { return kindOf[[]any](f, name) }

func (f *fields) object(names ...string) map[string]any {
	for _, name := range names {
		if m, ok := kindOf[map[string]any](f, name); ok {
			return m
		}
	}
	return nil
}

func kindOf[T any](f *fields, name string) (T, bool) {
	v, ok := f.m[name].(T)
	if !ok && f.m[name] != nil {
		f.unknown(name, f.m[name])
	}
	return v, ok
}

func (f *fields) unknown(name string, value any) {
	f.faults.Add(ConfigField, "sizing.config_field_unknown", "field", name, "value", show(value))
}

func (f *fields) modelType() string { return f.text("model_type") }

func (f *fields) failed() bool { return f.faults.Len() > 0 || len(f.absent) > 0 }

func (f *fields) err() error {
	if err := f.faults.Err(); err != nil {
		return err
	}
	if len(f.absent) > 0 {
		return configError("sizing.config_field_missing", "field", strings.Join(f.absent, ", "))
	}
	return nil
}

// uniform returns the number that a list with one entry a layer repeats.
func uniform(list []any) (int64, bool) {
	if len(list) == 0 {
		return 0, false
	}
	first, ok := whole(list[0])
	for _, v := range list[1:] {
		if n, also := whole(v); !also || n != first {
			return 0, false
		}
	}
	return first, ok
}

// whole reads a JSON number or a string of digits as a whole number.
func whole(raw any) (int64, bool) {
	var s string
	switch v := raw.(type) {
	case json.Number:
		s = v.String()
	case string:
		s = strings.TrimSpace(v)
	default:
		return 0, false
	}
	if n, err := strconv.ParseInt(s, 10, 64); err == nil {
		return n, true
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return 0, false
	}
	if x != math.Trunc(x) {
		return 0, false
	}
	if math.Abs(x) > 1<<62 {
		return math.MaxInt64, true // out of every range
	}
	return int64(x), true
}

// show returns a value as it may stand in a message, shortened.
func show(v any) string {
	var s string
	switch x := v.(type) {
	case string:
		s = x
	case json.Number:
		s = x.String()
	case int64:
		s = strconv.FormatInt(x, 10)
	case bool:
		s = strconv.FormatBool(x)
	case Precision:
		s = string(x)
	default:
		b, err := json.Marshal(v)
		if err != nil {
			return "?"
		}
		s = string(b)
	}
	if short := clip(s, 40); short != s {
		return short + "…"
	}
	return s
}

// clip returns at most n characters of a text from a config, without those that nobody sees:
// control characters, which a database and a document refuse, and marks that turn the
// direction of the text around.
func clip(s string, n int) string {
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) {
			return -1
		}
		return r
	}, s)
	if r := []rune(s); len(r) > n {
		return string(r[:n])
	}
	return s
}
