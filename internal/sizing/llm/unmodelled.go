package llm

import (
	"slices"
	"strings"

	"rackwright/internal/sizing/basis"
)

// attentionLayers are the values of a list of layer kinds that mean attention with a cache of
// keys and values. Any other value is a layer that is not modelled.
var attentionLayers = []string{
	"full_attention", "sliding_attention", "chunked_attention", "deepseek_sparse_attention", "attention", "global_attention", "local_attention", "global", "local", "full", "sliding",
}

// layerLists are the fields that name the kind of every layer.
var layerLists = []string{"layer_types", "layers_block_type", "layer_block_types", "block_types"}

// recurrent are fields of state-space, linear-attention and convolution layers, which keep a
// state of fixed size instead of a cache. A list that names only attention overrules them.
var recurrent = []string{
	"linear_conv_kernel_dim", "linear_num_value_heads", "linear_num_key_heads", "linear_attn_config", "full_attention_interval",
	"mamba_d_state", "mamba_d_conv", "mamba_num_heads", "mamba_n_heads", "ssm_state_size", "ssm_cfg", "state_size", "d_state", "d_conv",
	"hybrid_override_pattern", "lru_width", "attn_layer_period", "attn_layer_indices", "conv_l_cache", "conv_L_cache", "rescale_every", "layer_group_size",
}

// unmodelled are fields that change shapes, caches or parameters in a way that the counts do
// not follow. Null, false, zero and empty values mean that the feature is off.
var unmodelled = []string{
	"is_encoder_decoder", "add_cross_attention", "cross_attention_layers", "type_vocab_size", // no decoder-only model
	"block_configs", "per_layer_config", "num_query_heads", "num_attention_groups", "share_q_dim", // layers of different shapes
	"swa_num_key_value_heads", "swa_head_dim", "global_head_dim", "num_global_key_value_heads", "attention_k_eq_v",
	"compress_ratios", "o_lora_rank", "hc_mult", "sparse_attention_config", "blocksparse_block_size", // other attention
	"attn_output_gate", "attention_output_gate", "mla_use_output_gate", "use_cla", "num_kv_shared_layers", "kv_cache_sharing",
	"altup_num_inputs", "laurel_rank", "hidden_size_per_layer_input", "word_embed_proj_dim", "embedding_size", // other widths
	"routed_expert_hidden_size", "moe_latent_size", "zero_expert_num", "enable_moe_block", "parallel_attn_mlp_res", "residual_moe", "attn_res_block_size", // other experts
	"use_bidirectional_attention", "local_attention", "relative_attention", "projection_dim", // encoders
}

// refuseUnmodelled makes a fault of the first field of each kind that is not followed (R22:
// an architecture that is not known is refused, not guessed).
func refuseUnmodelled(f *fields, layers, hidden int64) {
	named := false
	for _, name := range layerLists {
		kinds, ok := f.list(name)
		if !ok {
			continue
		}
		if layers > 0 && int64(len(kinds)) != layers {
			f.contradict(name, "num_hidden_layers")
			return
		}
		for _, kind := range kinds {
			s, _ := kind.(string)
			if !slices.Contains(attentionLayers, strings.ToLower(s)) {
				f.refuse(name, kind)
				return
			}
		}
		named = true
	}
	if types, ok := f.list("attn_type_list"); ok { // MiniMax: 1 is attention, 0 is linear
		for _, t := range types {
			if n, ok := whole(t); !ok || n != 1 {
				f.refuse("attn_type_list", t)
				return
			}
		}
	}
	for _, name := range recurrent {
		if !named && on(f.m[name]) {
			f.refuse(name, f.m[name])
			return
		}
	}
	for _, name := range unmodelled {
		if v := f.m[name]; on(v) && !harmless(f, name, v, hidden) {
			f.refuse(name, v)
			return
		}
	}
}

// harmless reports whether the value of a listed field is the ordinary one.
func harmless(f *fields, name string, v any, hidden int64) bool {
	n, ok := whole(v)
	if !ok {
		return false
	}
	switch name {
	case "word_embed_proj_dim", "embedding_size":
		return hidden == 0 || n == hidden
	case "swa_num_key_value_heads":
		return f.equals("num_key_value_heads", n)
	case "swa_head_dim":
		return f.equals("head_dim", n)
	case "hc_mult":
		return n == 1
	}
	return false
}

// on reports whether a value switches something on.
func on(v any) bool {
	switch x := v.(type) {
	case nil:
		return false
	case bool:
		return x
	case string:
		return x != "" && !strings.EqualFold(x, "false")
	case []any:
		return len(x) > 0
	case map[string]any:
		return len(x) > 0
	}
	n, ok := float(v)
	return !ok || n != 0
}

// apart are parts of larger models that stand beside the language model, and layers that
// only draft tokens. They are named and left out.
var apart = []string{
	"vision_config", "visual", "vision_tower_config", "vision_model_config", "mm_vision_tower", "img_processor", "audio_config", "audio_processor",
	"speech_config", "embd_layer", "vision_lora", "speech_lora", "talker_config", "token2wav_config", "code2wav_config", "num_nextn_predict_layers", "num_mtp_modules", "mtp_num_hidden_layers",
}

// nameApart notes the parts of an object that are left out.
func nameApart(f *fields, m map[string]any) {
	for _, name := range apart {
		if on(m[name]) && !f.taken["apart "+name] {
			f.taken["apart "+name] = true
			f.notes = append(f.notes, basis.Msg("sizing.config_part_left_out", basis.T("field", name)))
		}
	}
}
