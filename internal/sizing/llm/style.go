package llm

import "slices"

// style is what the code of a model family fixes without a field in its config. Source:
// huggingface/transformers, modeling_*.py and configuration_*.py of the named model_type.
// None of it decides the class of the architecture; that is done by fields.
type style struct {
	gated        bool
	fourfold     bool // MLP width defaults to 4 × hidden
	norms        int64
	finalNorms   int64
	positions    bool // learned
	tied         bool // default of tie_word_embeddings
	qkvBias      bool
	oBias        bool
	oBiasFollows bool // output projection has a bias where queries have one
	mlpBias      bool
	headBias     bool
	qkNorm       bool
	sinks        bool
	alternating  bool  // every other layer windowed
	pattern      int64 // of n layers the last is full, the others windowed
}

var llamaLike = style{gated: true, norms: 2, finalNorms: 1, oBiasFollows: true}

// knownLlamaLike are families whose layers are those of Llama where their fields say nothing else.
var knownLlamaLike = []string{
	"llama", "mistral", "mixtral", "deepseek_v2", "deepseek_v3", "phi3", "llama4", "llama4_text", "yi", "internlm2", "ministral", "mistral3",
}

func styleOf(f *fields) style {
	s := llamaLike
	switch t := f.modelType(); {
	case t == "gpt2" || t == "" && f.m["n_embd"] != nil && f.m["rotary_dim"] == nil:
		return style{fourfold: true, norms: 4, finalNorms: 2, positions: true, tied: true, qkvBias: true, oBias: true, mlpBias: true}
	case t == "gptj":
		return style{fourfold: true, norms: 2, finalNorms: 2, mlpBias: true, headBias: true}
	case t == "falcon":
		return style{fourfold: true, norms: 4, finalNorms: 2, tied: true}
	case slices.Contains([]string{"qwen2", "qwen2_moe"}, t):
		s.qkvBias, s.oBiasFollows = true, false
	case slices.Contains([]string{"qwen3", "qwen3_moe"}, t):
		s.qkNorm = true
	case t == "gpt_oss":
		s.qkvBias, s.sinks = true, true
	case t == "gemma2":
		s.norms, s.tied, s.alternating = 4, true, true
	case t == "gemma3_text" || t == "gemma3":
		s.norms, s.tied, s.qkNorm, s.pattern = 4, true, true, 6
	case slices.Contains(knownLlamaLike, t):
	default:
		f.assume("model_type", "llama: gated MLP, two norms per layer")
	}
	return s
}
