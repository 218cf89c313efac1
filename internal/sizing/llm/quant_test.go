package llm

import (
	"fmt"
	"strings"
	"testing"
)

const llamaFields = `"model_type":"llama","hidden_size":4096,"num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":8,"intermediate_size":14336,"vocab_size":128256,"tie_word_embeddings":false,"max_position_embeddings":8192,"torch_dtype":"bfloat16"`

func TestQuantisedCheckpoints(t *testing.T) {
	for name, c := range map[string]struct {
		quant string
		want  Precision
		group int64
		notes int
	}{
		"fp8 block":                {`{"quant_method":"fp8","weight_block_size":[128,128]}`, FP8, 0, 0},
		"gptq, 8 bit":              {`{"quant_method":"gptq","bits":8,"group_size":32}`, INT8, 0, 0},
		"gptq, no group size":      {`{"quant_method":"gptq","bits":4}`, INT4, 128, 1},
		"gptq, one per column":     {`{"quant_method":"gptq","bits":4,"group_size":-1}`, INT4, 128, 1},
		"awq, bits as text":        {`{"quant_method":"awq","bits":"4","group_size":"64"}`, INT4, 64, 0},
		"bitsandbytes, 4 bit":      {`{"quant_method":"bitsandbytes","load_in_4bit":true}`, INT4, 64, 1},
		"bitsandbytes, scales too": {`{"quant_method":"bitsandbytes","load_in_4bit":true,"bnb_4bit_use_double_quant":true}`, INT4, 64, 0},
		"bitsandbytes, 8 bit":      {`{"quant_method":"bitsandbytes","load_in_8bit":true}`, INT8, 0, 0},
		"compressed tensors, fp8":  {`{"quant_method":"compressed-tensors","config_groups":{"group_0":{"weights":{"num_bits":8,"type":"float"}}}}`, FP8, 0, 0},
		"compressed tensors, int8": {`{"quant_method":"compressed-tensors","config_groups":{"group_0":{"weights":{"num_bits":8,"type":"int"}}}}`,
			INT8, 0, 0},
		"modelopt": {`{"quant_method":"modelopt","quant_algo":"FP8"}`, FP8, 0, 0},
	} {
		t.Run(name, func(t *testing.T) {
			g, notes, err := ParseConfig([]byte(`{` + llamaFields + `,"quantization_config":` + c.quant + `}`))
			if err != nil {
				t.Fatal(err)
			}
			if g.Native() != c.want || g.Quant.GroupSize != c.group || len(notes) != c.notes {
				t.Errorf("%s, groups of %d, notes %v", g.Native(), g.Quant.GroupSize, notes)
			}
			if b := g.WeightBytes(g.Native()); b <= 0 || b >= g.WeightBytes(BF16) {
				t.Errorf("%d bytes", b)
			}
		})
	}
	for quant, field := range map[string]string{
		`{"quant_method":"gptq","bits":3,"group_size":128}`:                 "quantization_config.bits",
		`{"quant_method":"awq"}`:                                            "quantization_config.bits",
		`{"quant_method":"compressed-tensors"}`:                             "quantization_config.config_groups",
		`{"quant_method":"hqq"}`:                                            "quantization_config.quant_method",
		`{"quant_method":"modelopt","quant_algo":"MIXED_PRECISION"}`:        "quantization_config.quant_algo",
		`{"quant_method":"bitsandbytes","load_in_4bit":"maybe"}`:            "quantization_config",
		`{"quant_method":"gptq_marlin_24","bits":4,"group_size":128}`:       "quantization_config.quant_method",
		`{"quant_method":"torchao","quant_type":{"default":"int4_weight"}}`: "quantization_config.quant_method",
		`{"bits":4}`: "quantization_config.quant_method",
	} {
		_, _, err := ParseConfig([]byte(`{` + llamaFields + `,"quantization_config":` + quant + `}`))
		if err == nil || !strings.Contains(show2(err), "[field "+field) {
			t.Errorf("%s: %v", quant, err)
		}
	}
}

func TestContextScaling(t *testing.T) {
	for name, c := range map[string]struct {
		rope string
		want int64
	}{
		"none":                  {`null`, 8192},
		"default":               {`{"rope_type":"default"}`, 8192},
		"linear":                {`{"type":"linear","factor":4}`, 32768},
		"dynamic":               {`{"type":"dynamic","factor":2.0}`, 16384},
		"yarn without original": {`{"type":"yarn","factor":4}`, 8192},
		"longrope is scaled":    {`{"type":"longrope","factor":16}`, 8192},
		"llama3 is scaled":      {`{"rope_type":"llama3","factor":8.0,"original_max_position_embeddings":1024}`, 8192},
		"yarn on the original":  {`{"type":"yarn","factor":4,"original_max_position_embeddings":8192}`, 32768},
		"yarn once":             {`{"type":"yarn","factor":4,"original_max_position_embeddings":2048}`, 8192},
		"by kind of layer":      {`{"full_attention":{"rope_type":"yarn","factor":2,"original_max_position_embeddings":8192},"sliding_attention":{"rope_type":"default"}}`, 16384},
		"unknown kind":          {`{"rope_type":"magic","factor":4}`, 8192},
	} {
		g, notes, err := ParseConfig([]byte(`{` + llamaFields + `,"rope_scaling":` + c.rope + `}`))
		if err != nil || g.MaxContext != c.want {
			t.Errorf("%s: %v, %v", name, g, err)
		}
		listed := strings.Contains(fmt.Sprint(notes), "{field rope_scaling.")
		if listed != (name == "unknown kind" || name == "yarn without original") {
			t.Errorf("%s: notes %v", name, notes)
		}
	}
	if _, _, err := ParseConfig([]byte(`{` + llamaFields + `,"rope_scaling":{"type":"yarn","factor":-1}}`)); err == nil {
		t.Error("a negative factor is accepted")
	}
}

// Sliding windows apply only where the fields say so.
func TestWindows(t *testing.T) {
	for name, c := range map[string]struct {
		fields string
		layers int64
	}{
		"all layers":             {`"sliding_window":4096`, 32},
		"switched off":           {`"sliding_window":4096,"use_sliding_window":false`, 0},
		"null":                   {`"sliding_window":null`, 0},
		"5 of 6":                 {`"sliding_window":1024,"sliding_window_pattern":6`, 27},
		"as long as the context": {`"sliding_window":8192`, 0},
	} {
		g, _, err := ParseConfig([]byte(`{` + llamaFields + `,` + c.fields + `}`))
		if err != nil {
			t.Fatal(name, err)
		}
		var layers int64
		if g.Window != nil {
			layers = g.Window.Layers
		}
		if layers != c.layers {
			t.Errorf("%s: %d layers", name, layers)
		}
	}
	if _, _, err := ParseConfig([]byte(`{` + llamaFields + `,"sliding_window":128,"layer_types":["full_attention"]}`)); err == nil {
		t.Error("one type for 32 layers is accepted")
	}
}

// Experts in some layers only: Qwen's sparse step and Llama 4's interleaving.
func TestDenseLayersOfMixtures(t *testing.T) {
	for fields, want := range map[string]int64{
		`"num_experts":64,"num_experts_per_tok":4,"moe_intermediate_size":1408,"decoder_sparse_step":2`:                16,
		`"num_experts":64,"num_experts_per_tok":4,"moe_intermediate_size":1408,"mlp_only_layers":[0,5]`:                2,
		`"n_routed_experts":64,"num_experts_per_tok":4,"moe_intermediate_size":1408,"first_k_dense_replace":0`:         0,
		`"num_experts":64,"num_experts_per_tok":4,"moe_intermediate_size":1408,"shared_expert_intermediate_size":5632`: 0,
	} {
		g, _, err := ParseConfig([]byte(`{` + llamaFields + `,` + fields + `}`))
		if err != nil || g.MoE == nil || g.MoE.DenseLayers != want {
			t.Errorf("%s: %+v, %v", fields, g, err)
			continue
		}
		if strings.Contains(fields, "shared_expert") && (g.MoE.SharedIntermediate != 5632 || !g.MoE.SharedGate) {
			t.Errorf("shared expert: %+v", g.MoE)
		}
	}
	for fields, want := range map[string]string{
		`"first_k_dense_replace":33`:  "first_k_dense_replace",
		`"mlp_only_layers":[32]`:      "mlp_only_layers",
		`"mlp_only_layers":["first"]`: "mlp_only_layers",
	} {
		_, _, err := ParseConfig([]byte(`{` + llamaFields + `,"num_experts":64,"num_experts_per_tok":4,"moe_intermediate_size":1408,` + fields + `}`))
		if err == nil || !strings.Contains(show2(err), "[a "+want) {
			t.Errorf("%s: %v", fields, err)
		}
	}
}
