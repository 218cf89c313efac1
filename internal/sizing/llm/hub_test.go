package llm

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rackwright/internal/apperr"
)

// hub returns testdata/hub.json: configs by name, and the head and rows of hub_expected.csv.
func hub(t testing.TB) (configs map[string]json.RawMessage, rows [][]string) {
	t.Helper()
	raw, err := os.ReadFile("testdata/hub.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(withoutInfinity(raw), &configs); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open("testdata/hub_expected.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	if rows, err = csv.NewReader(f).ReadAll(); err != nil {
		t.Fatal(err)
	}
	return configs, rows
}

// Configs as they are published, field for field where the shape is concerned. The expected
// counts were added up tensor by tensor apart from this package; published_params is what
// the publisher's own weights hold, where that is known. Without a count the config must be
// refused, and the message must name the field.
func TestPublishedConfigs(t *testing.T) {
	configs, rows := hub(t)
	if len(configs) != len(rows)-1 {
		t.Errorf("%d configs, %d rows", len(configs), len(rows)-1)
	}
	for _, row := range rows[1:] {
		cell := func(name string) string { return row[slices.Index(rows[0], name)] }
		t.Run(row[0], func(t *testing.T) {
			g, _, err := ParseConfig(configs[row[0]])
			if field := cell("refused_field"); field != "" {
				e, ok := errors.AsType[*apperr.Error](err)
				if !ok || e.Fields[ConfigField].ID != "sizing.config_unmodelled" || fmt.Sprint(e.Fields[ConfigField].Args[1]) != field {
					t.Fatalf("%+v, %v; want a refusal of %s", g, err, field)
				}
				return
			}
			if err != nil {
				t.Fatalf("%v %v", err, show2(err))
			}
			window := Window{}
			if g.Window != nil {
				window = *g.Window
			}
			for name, got := range map[string]int64{
				"params_total": g.Params().Total(), "params_active": g.ParamsActive(), "kv_bytes_per_token": g.KVBytesPerToken(BF16),
				"max_context": g.MaxContext, "window_tokens": window.Tokens, "window_layers": window.Layers,
				"weight_bytes": g.WeightBytes(g.Native()), "published_params": g.Params().Total(),
			} {
				if want := cell(name); want != "" && strconv.FormatInt(got, 10) != want {
					t.Errorf("%s = %d, want %s", name, got, want)
				}
			}
			if want := cell("native"); string(g.Native()) != want {
				t.Errorf("%s, want %s", g.Native(), want)
			}
		})
	}
}

// show2 returns what an error names.
func show2(err error) string {
	if e, ok := errors.AsType[*apperr.Error](err); ok {
		return fmt.Sprint(e.Fields)
	}
	return err.Error()
}

// Vision towers and drafting layers are named, not silently left out.
func TestPartsLeftOutAreNamed(t *testing.T) {
	configs, _ := hub(t)
	for name, field := range map[string]string{
		"llama-4-scout": "vision_config", "qwen2.5-vl-7b": "vision_config", "gemma-3-4b": "vision_config", "mistral-small-3.1-24b": "vision_config",
		"deepseek-v3": "num_nextn_predict_layers", "minimax-m2": "num_mtp_modules",
	} {
		_, notes, err := ParseConfig(configs[name])
		if err != nil {
			t.Fatal(name, err)
		}
		if !strings.Contains(fmt.Sprint(notes), "sizing.config_part_left_out [{field "+field) {
			t.Errorf("%s: %v", name, notes)
		}
	}
}

// Documented defaults that a config leaves out are listed.
func TestDefaultsTakenAreListed(t *testing.T) {
	configs, _ := hub(t)
	for name, fields := range map[string][]string{
		"gemma-3-4b":    {"num_attention_heads", "num_key_value_heads", "head_dim", "vocab_size", "max_position_embeddings"},
		"llava-1.5-7b":  {"hidden_size", "num_hidden_layers", "num_attention_heads", "intermediate_size"},
		"falcon-7b":     {"max_position_embeddings", "n_inner"},
		"paligemma-3b":  {"head_dim", "max_position_embeddings"},
		"llama-4-scout": {"no_rope_layer_interval"},
	} {
		_, notes, err := ParseConfig(configs[name])
		if err != nil {
			t.Fatal(name, err)
		}
		for _, field := range fields {
			if !strings.Contains(fmt.Sprint(notes), "sizing.config_default_taken [{field "+field) {
				t.Errorf("%s takes a default for %s without a word: %v", name, field, notes)
			}
		}
	}
}

// What a quantised checkpoint keeps at 16 bit, and the cache it has scales for.
func TestKeptAtSixteenBit(t *testing.T) {
	configs, _ := hub(t)
	for name, want := range map[string]Quant{
		"llama-3.1-405b-fp8":     {KeepAttention: true},
		"kimi-k2.5":              {KeepAttention: true, ExpertsOnly: true},
		"gpt-oss-120b":           {KeepAttention: true, ExpertsOnly: true},
		"deepseek-v3":            {},
		"qwen3-32b-fp8":          {},
		"mixtral-8x7b-awq":       {},
		"nvfp4-modelopt":         {KV: FP8},
		"fp8-dynamic-compressed": {},
	} {
		g, _, err := ParseConfig(configs[name])
		if err != nil {
			t.Fatal(name, err)
		}
		if q := g.Quant; q.KeepAttention != want.KeepAttention || q.ExpertsOnly != want.ExpertsOnly || q.KV != want.KV {
			t.Errorf("%s: %+v", name, q)
		}
	}
}

// Every list of layer kinds must have one entry a layer.
func TestListsOfLayersMustBeComplete(t *testing.T) {
	for _, c := range []struct{ field, value string }{
		{"layer_types", `["full_attention"]`}, {"moe_layer_freq", `[0,1]`}, {"mlp_layer_types", `["dense"]`}, {"indexer_types", `["full"]`},
	} {
		raw := `{` + llamaFields + `,"num_experts":8,"num_experts_per_tok":2,"kv_lora_rank":512,"qk_rope_head_dim":64,"qk_nope_head_dim":128,"v_head_dim":128,` +
			`"index_topk":2048,"index_n_heads":32,"index_head_dim":128,"` + c.field + `":` + c.value + `}`
		if _, _, err := ParseConfig([]byte(raw)); err == nil || !strings.Contains(show2(err), c.field) {
			t.Errorf("%s: %v", c.field, err)
		}
	}
}

// A model is the same whether it is picked from the library or its config is uploaded.
func TestLibraryAgreesWithConfigs(t *testing.T) {
	configs, _ := hub(t)
	lib := library(t)
	for name, key := range map[string]string{
		"llama-4-scout": "meta-llama/Llama-4-Scout-17B-16E", "llama-4-maverick": "meta-llama/Llama-4-Maverick-17B-128E", "mixtral-8x7b": "mistralai/Mixtral-8x7B-v0.1",
		"gpt-oss-120b": "openai/gpt-oss-120b", "gpt-oss-20b": "openai/gpt-oss-20b", "deepseek-v3": "deepseek-ai/DeepSeek-V3", "qwen3-235b-a22b": "Qwen/Qwen3-235B-A22B",
		"gemma-2-9b": "google/gemma-2-9b", "llama-3.3-70b": "meta-llama/Llama-3.1-70B",
	} {
		e, ok := lib.Resolve(key)
		if !ok {
			t.Errorf("%s is not in the library", key)
			continue
		}
		g, _, err := ParseConfig(configs[name])
		if err != nil {
			t.Fatal(name, err)
		}
		want, got := e.Geometry, g
		if !slices.Equal(got.Matrices(4), want.Matrices(4)) || got.KVBytesPerToken(BF16) != want.KVBytesPerToken(BF16) || got.MaxContext != want.MaxContext {
			t.Errorf("%s: %+v, the library has %+v", name, got, want)
		}
		a, b := got.Window, want.Window
		if (a == nil) != (b == nil) || a != nil && *a != *b {
			t.Errorf("%s: window %+v, the library has %+v", name, a, b)
		}
	}
}
