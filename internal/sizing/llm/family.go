package llm

import "strings"

// family is what the library's columns do not hold: the style of the layers and, for
// mixtures, which layers are ordinary. Source: the same config files and transformers code
// that the rows cite. The check of ReadLibrary proves each against the published count.
type family struct {
	style
	denseFirst  int64 // first layers with an ordinary MLP
	everySecond bool  // every second layer has an ordinary MLP
	expertBias  bool
	scoreBias   bool // corrections of the router
}

func familyOf(hfID, name string) family {
	f := family{style: llamaLike}
	_, model, _ := strings.Cut(strings.ToLower(hfID), "/")
	has := func(prefix string) bool { return strings.HasPrefix(model, prefix) }
	switch {
	case has("qwen2"):
		f.qkvBias = true
	case has("qwen3"):
		f.qkNorm = true
	case has("deepseek-v3"), has("deepseek-r1"):
		f.denseFirst, f.scoreBias = 3, true
	case has("gpt-oss"):
		f.qkvBias, f.oBias, f.sinks, f.expertBias = true, true, true, true
	case has("gemma-2"):
		f.norms, f.tied = 4, true
	case has("gemma-3"):
		f.norms, f.tied, f.qkNorm = 4, true, true
	case has("llama-4-maverick"):
		f.everySecond = true
	case has("falcon"):
		f.style = style{norms: 4, finalNorms: 2}
	case has("gpt-j"):
		f.style = style{norms: 2, finalNorms: 2, mlpBias: true, headBias: true}
	case strings.HasPrefix(name, "GPT-3"):
		f.style = style{norms: 4, finalNorms: 2, positions: true, tied: true, qkvBias: true, oBias: true, mlpBias: true}
	}
	return f
}
