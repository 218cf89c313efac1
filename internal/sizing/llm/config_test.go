package llm

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"rackwright/internal/apperr"
)

// testdata/hf_expected.csv: dimensions that are public facts, with the counts that follow.
// They agree with the published parameter counts where those exist.
func TestParseConfigExactly(t *testing.T) {
	f, err := os.Open("testdata/hf_expected.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows[1:] {
		t.Run(row[0], func(t *testing.T) {
			raw, err := os.ReadFile("testdata/" + row[0])
			if err != nil {
				t.Fatal(err)
			}
			g, _, err := ParseConfig(raw)
			if row[3] == "" { // no KV figure: the file must be refused
				if !apperr.Is(err, apperr.Invalid) || g != nil {
					t.Fatalf("accepted: %+v, %v", g, err)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			for i, got := range []int64{g.Params().Total(), g.ParamsActive(), g.KVBytesPerToken(BF16), g.MaxContext, g.WeightBytes(g.Native())} {
				if want := row[1+i]; want != "" && strconv.FormatInt(got, 10) != want {
					t.Errorf("%s = %d, want %s", rows[0][1+i], got, want)
				}
			}
		})
	}
}

func parseFile(t *testing.T, name string) *Geometry {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	g, _, err := ParseConfig(raw)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// vLLM issue 29736 and its relatives: the class is decided by fields, whatever the name.
func TestLatentAttentionIsFoundByFields(t *testing.T) {
	raw, err := os.ReadFile("testdata/hf_mla_moe.json")
	if err != nil {
		t.Fatal(err)
	}
	unknown := strings.NewReplacer(`"deepseek_v3"`, `"brand_new"`, "DeepseekV3ForCausalLM", "BrandNew").Replace(string(raw))
	g, notes, err := ParseConfig([]byte(unknown))
	if err != nil {
		t.Fatal(err)
	}
	if g.KVBytesPerToken(BF16) != 70272 || g.Architecture() != "mla_moe" {
		t.Errorf("KV %d, %s", g.KVBytesPerToken(BF16), g.Architecture())
	}
	if len(notes) == 0 {
		t.Error("an unknown model_type takes a default without a word")
	}
}

// Windowed layers count in full for the reservation; the window-aware figure stands beside
// it: 6.09 GiB and 12.00 GiB for 32 sequences of 8,192 tokens.
func TestWindowedKV(t *testing.T) {
	g := parseFile(t, "hf_sliding_hybrid.json")
	if full := 32 * 8192 * g.KVBytesPerToken(BF16); full != 12<<30 {
		t.Errorf("full reservation %d", full)
	}
	if got := float64(32*g.KVBytesWindowed(BF16, 8192)) / (1 << 30); got < 6.09 || got > 6.10 {
		t.Errorf("window-aware %.3f GiB", got)
	}
}

func TestTensorParallelDegrees(t *testing.T) {
	for file, want := range map[string]string{
		"hf_28_heads.json":           "1 2 4",
		"hf_nested_text_config.json": "1 2 4 8", // the 16 heads of the vision part have no say
		"hf_mla_moe.json":            "1 2 4 8",
	} {
		var got []string
		for _, tp := range parseFile(t, file).TensorParallel(8) {
			got = append(got, strconv.Itoa(tp))
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s: %v, want %s", file, got, want)
		}
	}
}

func TestParseConfigRefusals(t *testing.T) {
	base := `"hidden_size":4096,"num_hidden_layers":32,"num_attention_heads":32,"intermediate_size":14336,"vocab_size":32000,"max_position_embeddings":4096`
	for name, c := range map[string]struct{ in, id, arg string }{
		"empty":              {"", "sizing.config_empty", ""},
		"web page":           {"<!doctype html><html>", "sizing.config_is_html", ""},
		"cut off":            {`{"hidden_size": 4`, "sizing.config_not_json", ""},
		"array":              {`[1,2]`, "sizing.config_not_json", ""},
		"null":               {`null`, "sizing.config_not_json", ""},
		"two documents":      {`{} {}`, "sizing.config_not_json", ""},
		"no fields":          {`{}`, "sizing.config_field_missing", "num_hidden_layers, hidden_size, num_attention_heads, vocab_size"},
		"negative":           {`{"hidden_size":-4096}`, "sizing.config_field_range", "hidden_size"},
		"absurd":             {`{"hidden_size":1e300}`, "sizing.config_field_range", "hidden_size"},
		"word":               {`{"hidden_size":"large"}`, "sizing.config_field_not_number", "hidden_size"},
		"fraction":           {`{"hidden_size":4096.5}`, "sizing.config_field_not_number", "hidden_size"},
		"heads contradict":   {`{` + base + `,"num_key_value_heads":5}`, "sizing.config_contradiction", "num_attention_heads"},
		"spellings disagree": {`{` + base + `,"n_embd":12}`, "sizing.config_contradiction", "hidden_size"},
		"pattern of words":   {`{` + base + `,"sliding_window":1024,"sliding_window_pattern":"LLmG"}`, "sizing.config_field_not_number", "sliding_window_pattern"},
		"pattern of zero":    {`{` + base + `,"sliding_window":1024,"sliding_window_pattern":0}`, "sizing.config_field_range", "sliding_window_pattern"},
		"window without size": {`{` + base + `,"layer_types":[` + strings.Repeat(`"sliding_attention",`, 31) + `"full_attention"]}`,
			"sizing.config_field_missing", "sliding_window"},
		"unknown format": {`{` + base + `,"quantization_config":{"quant_method":"magic"}}`, "sizing.config_field_unknown", "quantization_config.quant_method"},
		"too big":        {`{"hidden_size":1000000,"num_hidden_layers":2000,"num_attention_heads":4000,"intermediate_size":1000000,"vocab_size":32000,"max_position_embeddings":4096}`, "sizing.config_too_big", ""},
		"huge file":      {strings.Repeat(" ", MaxConfigBytes+1), "sizing.config_too_large", ""},
	} {
		t.Run(name, func(t *testing.T) {
			_, _, err := ParseConfig([]byte(c.in))
			e, ok := errors.AsType[*apperr.Error](err)
			if !ok || e.Kind != apperr.Invalid {
				t.Fatalf("err = %v", err)
			}
			msg := e.Fields[ConfigField]
			if msg.ID != c.id || c.arg != "" && msg.Args[1] != c.arg {
				t.Errorf("got %s %v, want %s %s", msg.ID, msg.Args, c.id, c.arg)
			}
		})
	}
}

func TestCountsByHand(t *testing.T) {
	// xorbitsai/inference issue 1642: memory follows the total, not the active count.
	g, notes, err := Counts{ParamsTotal: 14e9, ParamsActive: 27e8, Layers: 24, Hidden: 2048, Heads: 16}.Geometry()
	if err != nil {
		t.Fatal(err)
	}
	if g.WeightBytes(BF16) != 28e9 || !g.IsMoE() || g.ParamsActive() != 27e8 || len(notes) != 3 {
		t.Errorf("%d bytes, %d notes", g.WeightBytes(BF16), len(notes))
	}
	_, _, err = Counts{ParamsTotal: -1, Heads: 7}.Geometry()
	e, ok := errors.AsType[*apperr.Error](err)
	if !ok || len(e.Fields) != 3 {
		t.Errorf("faults: %v", err)
	}
}

func FuzzParseConfig(f *testing.F) {
	files, err := os.ReadDir("testdata")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		if raw, err := os.ReadFile("testdata/" + file.Name()); err == nil && !file.IsDir() {
			f.Add(raw)
		}
	}
	configs, _ := hub(f)
	for _, raw := range configs {
		f.Add([]byte(raw))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		g, _, err := ParseConfig(raw)
		if err != nil {
			if !apperr.Is(err, apperr.Invalid) {
				t.Fatalf("not a message for people: %v", err)
			}
			return
		}
		p := g.Params()
		if p.Total() <= 0 || g.ParamsActive() <= 0 || g.ParamsActive() > p.Total() || g.KVBytesPerToken(BF16) <= 0 || g.WeightBytes(g.Native()) <= 0 || g.MaxContext <= 0 {
			t.Fatalf("accepted a model without size: %+v", g)
		}
		for _, tp := range g.TensorParallel(64) {
			for _, m := range g.Matrices(tp) {
				if m.N < 1 || m.K < 1 || m.Count < 1 || m.N*m.K*int64(tp) < m.Whole {
					t.Fatalf("a matrix without size: %+v of %+v", m, g)
				}
			}
		}
		if w := g.Window; w != nil && (w.Layers < 1 || w.Layers > g.Layers || w.Tokens < 1) {
			t.Fatalf("window %+v of %+v", w, g)
		}
		if q := g.Quant; q != nil && g.WeightBytes(q.Precision) > 2*g.Params().Total()+g.Params().Total()/2 {
			t.Fatalf("quantised weights of %d bytes: %+v", g.WeightBytes(q.Precision), g)
		}
	})
}

// Passed over, a field of the wrong kind would silently count as absent: a quantised model
// would be sized as 16 bit, a scaled context as unscaled.
func TestFieldsOfTheWrongKindAreNamed(t *testing.T) {
	for _, c := range []struct{ field, value string }{
		{"quantization_config", `"fp8"`}, {"quantization_config", `[4]`}, {"torch_dtype", `16`}, {"torch_dtype", `{}`},
		{"model_type", `5`}, {"rope_scaling", `"yarn"`}, {"rope_scaling", `[1]`}, {"rope_scaling", `{"type":5}`},
		{"rope_scaling", `{"type":"yarn","factor":"nan","original_max_position_embeddings":10}`},
		{"rope_scaling", `{"type":"linear"}`}, {"rope_scaling", `{"type":"dynamic","factor":[2]}`},
		{"rope_scaling", `{"type":"yarn","factor":4,"original_max_position_embeddings":{}}`},
		{"text_config", `"x"`},
	} {
		_, _, err := ParseConfig(with(t, c.field, c.value))
		e, ok := errors.AsType[*apperr.Error](err)
		if !ok || !strings.Contains(fmt.Sprint(e.Fields[ConfigField].Args), c.field) {
			t.Errorf("%s %s: %v", c.field, c.value, err)
		}
	}
}

func TestAFieldThatStandsTwice(t *testing.T) {
	for name, c := range map[string]struct {
		more    string
		refused bool
	}{
		"other value":               {`"num_hidden_layers":1`, true},
		"same value":                {`"num_hidden_layers":32`, false},
		"in an unread object":       {`"vision_config":{"depth":1,"depth":2}`, true},
		"other field, other object": {`"vision_config":{"num_hidden_layers":2}`, false},
	} {
		raw, err := os.ReadFile("testdata/hf_dense_gqa.json")
		if err != nil {
			t.Fatal(err)
		}
		_, _, err = ParseConfig([]byte(strings.Replace(string(raw), "{", "{"+c.more+",", 1)))
		if (err != nil) != c.refused {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNamesFromAConfigHoldNothingInvisible(t *testing.T) {
	g, _, err := ParseConfig(with(t, "_name_or_path", `"a\u0000\u001b\u202eb"`))
	if err != nil || g.Name != "ab" {
		t.Errorf("%q, %v", g.Name, err)
	}
}

// with returns a good config with one field put in front.
func with(t *testing.T, field, value string) []byte {
	t.Helper()
	raw, err := os.ReadFile("testdata/hf_dense_gqa.json")
	if err != nil {
		t.Fatal(err)
	}
	var m map[string]json.RawMessage
	if err := json.Unmarshal(raw, &m); err != nil {
		t.Fatal(err)
	}
	m[field] = json.RawMessage(value)
	out, err := json.Marshal(m)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
