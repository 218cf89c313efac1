package llm

import "strings"

// readWindow reads sliding windows and chunks, which only lower the KV cache; they never
// decide a fit.
func readWindow(f *fields, g *Geometry, style style) {
	window, ok := f.numberOrZero(maxContext, "sliding_window")
	if !ok || window == 0 {
		window, ok = f.numberOrZero(maxContext, "attention_chunk_size")
	}
	listed, types := windowedInList(f)
	if listed > 0 && (!ok || window == 0) {
		f.missing("sliding_window")
		return
	}
	if !ok || window == 0 || g.MaxContext > 0 && window >= g.MaxContext {
		return
	}
	layers := listed
	if !types {
		layers = windowed(f, g, style)
	}
	if layers > 0 && !f.failed() {
		g.Window = &Window{Tokens: window, Layers: layers}
	}
}

// windowedInList counts the windowed layers in layer_types, and is false without that list.
func windowedInList(f *fields) (int64, bool) {
	types, has := f.list("layer_types")
	if !has {
		return 0, false
	}
	var n int64
	for _, t := range types {
		if s, _ := t.(string); strings.Contains(s, "sliding") || strings.Contains(s, "chunked") || strings.HasPrefix(s, "local") {
			n++
		}
	}
	return n, true
}

// windowed counts the windowed layers of a config without a list of layer kinds.
func windowed(f *fields, g *Geometry, style style) int64 {
	if !f.boolean("use_sliding_window", true, false) {
		return 0
	}
	every := func(n int64) int64 { return g.Layers - g.Layers/max(1, n) } // the last of n is full
	if on(f.m["attention_chunk_size"]) && !on(f.m["sliding_window"]) {
		return chunked(f, g, every)
	}
	for _, name := range []string{"sliding_window_pattern", "_sliding_window_pattern"} {
		if s, ok := f.m[name].(string); ok && strings.Trim(s, "LG") == "" && s != "" { // L local, G global
			var n int64
			for i := range g.Layers {
				if s[i%int64(len(s))] == 'L' {
					n++
				}
			}
			return n
		}
		if n, ok := f.number(maxLayers, name); ok {
			return every(n)
		}
	}
	if first, ok := f.numberOrZero(maxLayers, "max_window_layers"); ok && f.m["use_sliding_window"] != nil {
		return max(0, g.Layers-first) // Qwen2: the first ones are full
	}
	switch {
	case style.pattern > 0:
		return every(style.pattern)
	case style.alternating:
		return (g.Layers + 1) / 2
	}
	return g.Layers
}

// chunked counts the layers of Llama 4 that attend in chunks: those with rotary embedding.
func chunked(f *fields, g *Geometry, every func(int64) int64) int64 {
	if list, ok := f.list("no_rope_layers"); ok && len(list) > 0 {
		if int64(len(list)) != g.Layers {
			f.contradict("no_rope_layers", "num_hidden_layers")
			return 0
		}
		var n int64
		for _, v := range list {
			if rotary, ok := whole(v); ok && rotary == 1 {
				n++
			}
		}
		return n
	}
	if n, ok := f.number(maxLayers, "no_rope_layer_interval"); ok {
		return every(n)
	}
	f.assume("no_rope_layer_interval", int64(4))
	return every(4)
}
