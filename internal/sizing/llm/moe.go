package llm

// readMoE reads a mixture of experts, told by the number of its experts.
func readMoE(f *fields, g *Geometry, style style) {
	experts, ok := f.numberOrZero(maxExperts, "num_local_experts", "n_routed_experts", "num_experts", "moe_num_experts")
	if !ok || experts < 2 {
		return
	}
	m := &MoE{Experts: experts, PerToken: f.need(maxExperts, "num_experts_per_tok", "num_experts_per_token", "experts_per_token",
		"moe_top_k", "moe_topk", "moe_k", "top_k_experts")}
	g.MoE = m
	if m.PerToken > experts {
		f.contradict("num_experts_per_tok", "num_local_experts")
	}
	if w, ok := f.number(maxWidth, "moe_intermediate_size", "expert_ffn_hidden_size"); ok {
		m.Intermediate = w
	} else {
		m.Intermediate = f.need(maxWidth, "intermediate_size", "ffn_hidden_size")
	}
	readShared(f, m, style)
	m.Bias = style.expertBias
	m.ScoreBias = style.scoreBias || f.text("topk_method") == "noaux_tc" ||
		f.boolean("use_routing_bias", false, false) || f.boolean("moe_router_enable_expert_bias", false, false)
	m.DenseLayers = denseLayers(f, g.Layers)
}

// readShared reads the experts that are always active: a number of them as wide as the
// routed ones, or the width of all together.
func readShared(f *fields, m *MoE, style style) {
	if n, ok := f.numberOrZero(maxExperts, "n_shared_experts", "num_shared_experts", "num_shared_expert", "moe_num_shared_experts"); ok && n > 0 {
		m.Shared, m.SharedIntermediate = n, n*m.Intermediate
	}
	if w, ok := f.numberOrZero(maxWidth, "shared_intermediate_size", "share_expert_dim", "moe_shared_expert_intermediate_size"); ok && w > 0 {
		m.Shared, m.SharedIntermediate = max(1, m.Shared), w
	}
	if w, ok := f.numberOrZero(maxWidth, "shared_expert_intermediate_size"); ok && w > 0 {
		m.Shared, m.SharedIntermediate, m.SharedGate = 1, w, true
	}
	if style.sharedAlways {
		m.Shared, m.SharedIntermediate = 1, m.Intermediate
	}
}

// denseLayers counts the layers of a mixture that have an ordinary MLP. A list of all layers
// says it exactly; otherwise a layer is sparse where it is not among the first ones, not
// named, not behind the last sparse one, and the step of its family falls on it.
func denseLayers(f *fields, layers int64) int64 {
	if n, ok := denseInList(f, layers); ok {
		return n
	}
	first, last := int64(0), layers-1
	for _, name := range []string{"first_k_dense_replace", "moe_layer_start_index", "num_dense_layers"} {
		if n, ok := f.numberOrZero(maxLayers, name); ok {
			first = max(first, n)
		}
		if first > layers {
			f.contradict(name, "num_hidden_layers")
			return 0
		}
	}
	if n, ok := whole(f.m["moe_layer_end_index"]); !ok || n != -1 { // -1 is the last layer
		if n, ok := f.numberOrZero(maxLayers, "moe_layer_end_index"); ok {
			last = min(last, n)
		}
	}
	named := namedLayers(f, "mlp_only_layers", layers)
	steps := stepsOf(f)
	var dense int64
	for i := range layers {
		if i < first || i > last || named[i] || !steps.fallOn(i) {
			dense++
		}
	}
	return dense
}

// namedLayers reads a list of numbers of layers, counted from 0.
func namedLayers(f *fields, name string, layers int64) map[int64]bool {
	list, _ := f.list(name)
	out := map[int64]bool{}
	for _, v := range list {
		n, ok := whole(v)
		if !ok || n < 0 || n >= layers {
			f.contradict(name, "num_hidden_layers")
			break
		}
		out[n] = true
	}
	return out
}

// moeStep says that every step-th layer is sparse, counted from the first or from the step-th.
type moeStep struct{ step, offset int64 }

type moeSteps []moeStep

// stepsOf reads the steps: DeepSeek counts layers from 0, the others from 1 (modeling_*.py of
// huggingface/transformers).
func stepsOf(f *fields) moeSteps {
	var out moeSteps
	for _, name := range []string{"decoder_sparse_step", "interleave_moe_layer_step", "moe_layer_interval", "moe_layer_freq"} {
		n, ok := f.numberOrZero(maxLayers, name)
		if !ok || n < 2 {
			continue
		}
		s := moeStep{step: n, offset: 1}
		if name == "moe_layer_freq" {
			s.offset = 0
		}
		out = append(out, s)
	}
	return out
}

func (s moeSteps) fallOn(layer int64) bool {
	for _, x := range s {
		if (layer+x.offset)%x.step != 0 {
			return false
		}
	}
	return true
}

// denseInList counts in a list with one entry a layer, or one that names the sparse layers.
func denseInList(f *fields, layers int64) (int64, bool) {
	if list, ok := f.m["moe_layer_freq"].([]any); ok {
		return denseIn(f, "moe_layer_freq", list, layers, func(v any) bool { n, ok := whole(v); return ok && n == 0 })
	}
	if list, ok := f.list("mlp_layer_types"); ok {
		return denseIn(f, "mlp_layer_types", list, layers, func(v any) bool { return v == "dense" })
	}
	if list, ok := f.list("moe_layers"); ok && len(list) > 0 {
		if int64(len(list)) > layers {
			f.contradict("moe_layers", "num_hidden_layers")
			return 0, true
		}
		return layers - int64(len(list)), true
	}
	return 0, false
}

func denseIn(f *fields, name string, list []any, layers int64, isDense func(any) bool) (int64, bool) {
	if int64(len(list)) != layers {
		f.contradict(name, "num_hidden_layers")
		return 0, true
	}
	var n int64
	for _, v := range list {
		if isDense(v) {
			n++
		}
	}
	return n, true
}
