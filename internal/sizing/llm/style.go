package llm

import "strings"

// style is what the code of a model family fixes without a field in its config. Source:
// huggingface/transformers, modeling_*.py and configuration_*.py of the named model_type, and
// the code in the model's own repository where it has none there. None of it decides the
// class of the architecture; that is done by fields.
type style struct {
	gated        bool
	halves       bool // the stated MLP width is that of both halves of a gated MLP
	fourfold     bool // MLP width defaults to 4 × hidden
	norms        int64
	finalNorms   int64
	positions    bool  // learned
	spare        int64 // positions beyond the stated length
	tied         bool  // default of tie_word_embeddings
	qkvBias      bool
	oBias        bool
	oBiasFollows bool // output projection has a bias where queries have one
	mlpBias      bool
	headBias     bool
	qkNorm       bool
	qkWide       bool // a norm on queries and keys covers all heads at once
	sinks        bool
	expertBias   bool  // on router and experts
	scoreBias    bool  // corrections of the router
	sharedAlways bool  // one shared expert as wide as a routed one
	alternating  bool  // every other layer windowed
	pattern      int64 // of n layers the last is full, the others windowed
	stretched    bool  // the stated length includes a linear scaling
}

// The four kinds of layers that most families are.
var (
	llamaLike = style{gated: true, norms: 2, finalNorms: 1, oBiasFollows: true}
	gpt2Like  = style{fourfold: true, norms: 4, finalNorms: 2, positions: true, tied: true, qkvBias: true, oBias: true, mlpBias: true}
	neoxLike  = style{fourfold: true, norms: 4, finalNorms: 2, qkvBias: true, oBias: true, mlpBias: true}
	bareLike  = style{fourfold: true, norms: 2, finalNorms: 2, mlpBias: true, headBias: true}
)

// change returns a style with something else in it.
func (s style) change(f func(*style)) style {
	f(&s)
	return s
}

// styles are the known values of model_type that are not simply those of Llama.
var styles = map[string]style{
	"gpt2":        gpt2Like,
	"gpt_bigcode": gpt2Like,
	"opt":         gpt2Like.change(func(s *style) { s.spare = 2 }),
	"gptj":        bareLike,
	"phi":         bareLike.change(func(s *style) { s.qkvBias, s.oBias = true, true }),
	"gpt_neox":    neoxLike,
	"bloom":       neoxLike.change(func(s *style) { s.tied, s.finalNorms = true, 4 }),
	"starcoder2":  neoxLike.change(func(s *style) { s.tied = true }),
	"nemotron":    {norms: 4, finalNorms: 2},
	"falcon":      {fourfold: true, norms: 4, finalNorms: 2, tied: true},
	"mpt":         {fourfold: true, norms: 2, finalNorms: 1, tied: true},
	"dbrx":        llamaLike,
	"stablelm":    {gated: true, norms: 4, finalNorms: 2},
	"phimoe":      {gated: true, norms: 4, finalNorms: 2, oBiasFollows: true},
	"cohere":      {gated: true, norms: 1, finalNorms: 1, tied: true, qkWide: true},
	"cohere2":     {gated: true, norms: 1, finalNorms: 1, tied: true, qkWide: true, pattern: 4},
	"olmo":        {gated: true},
	"olmo2":       llamaLike.change(func(s *style) { s.qkNorm, s.qkWide = true, true }),
	"olmo3":       llamaLike.change(func(s *style) { s.qkNorm, s.qkWide = true, true }),
	"olmoe":       llamaLike.change(func(s *style) { s.qkNorm, s.qkWide = true, true }),
	"minimax_m2":  llamaLike.change(func(s *style) { s.qkWide = true }),
	"qwen":        {gated: true, halves: true, norms: 2, finalNorms: 1, qkvBias: true},
	"chatglm":     {gated: true, norms: 2, finalNorms: 1},
	"glm":         {gated: true, norms: 2, finalNorms: 1},
	"glm4":        {gated: true, norms: 4, finalNorms: 1},
	"glm4_moe":    {gated: true, norms: 2, finalNorms: 1, scoreBias: true},
	"mimo":        {gated: true, norms: 2, finalNorms: 1},
	"seed_oss":    {gated: true, norms: 2, finalNorms: 1},
	"exaone4":     llamaLike.change(func(s *style) { s.qkNorm = true }),
	"gpt_oss":     llamaLike.change(func(s *style) { s.qkvBias, s.sinks, s.expertBias = true, true, true }),
	"llama4":      llamaLike.change(func(s *style) { s.sharedAlways = true }),
	"deepseek_v3": llamaLike.change(func(s *style) { s.scoreBias = true }),
	"gemma":       llamaLike.change(func(s *style) { s.tied = true }),
	"gemma2":      llamaLike.change(func(s *style) { s.norms, s.tied, s.alternating = 4, true, true }),
	"gemma3":      llamaLike.change(func(s *style) { s.norms, s.tied, s.qkNorm, s.pattern, s.stretched = 4, true, true, 6, true }),
	"qwen2":       llamaLike.change(func(s *style) { s.qkvBias, s.oBiasFollows = true, false }),
	"qwen3":       llamaLike.change(func(s *style) { s.qkNorm = true }),
}

// same maps values of model_type to one with the same layers; "" is Llama.
var same = map[string]string{
	"llama": "", "mistral": "", "mixtral": "", "ministral": "", "ministral3": "", "mistral3": "", "phi3": "", "yi": "", "baichuan": "",
	"internlm": "", "internlm2": "", "internlm3": "", "deepseek": "", "deepseek_v2": "", "kimi_k2": "", "deepseek_v32": "", "glm_moe_dsa": "",
	"granite": "", "granitemoe": "", "granitemoeshared": "", "granitemoehybrid": "", "smollm3": "", "ernie4_5": "", "ernie4_5_moe": "",
	"exaone": "", "arcee": "", "apertus": "", "minicpm": "", "bailing_moe": "", "bailing_moe_v2": "", "hunyuan_v1_dense": "qwen3", "hunyuan_v1_moe": "qwen3", "dots1": "qwen3",
	"llama4_text": "llama4", "gemma3_text": "gemma3", "glm4v_text": "glm4", "glm4v_moe_text": "glm4_moe",
	"qwen2_moe": "qwen2", "qwen2_vl": "qwen2", "qwen2_vl_text": "qwen2", "qwen2_5_vl": "qwen2", "qwen2_5_vl_text": "qwen2",
	"qwen2_5_omni_text": "qwen2", "qwen3_moe": "qwen3", "qwen3_vl_text": "qwen3", "qwen3_vl_moe_text": "qwen3", "qwen3_omni_moe_text": "qwen3",
}

// styleOf returns the style of a config. An unknown model_type counts as Llama and is listed;
// one without any is told by the names of its fields.
func styleOf(f *fields) style {
	t := f.modelType()
	if t == "" && f.m["n_embd"] != nil && f.m["rotary_dim"] == nil {
		t = "gpt2"
	}
	if alias, ok := same[t]; ok {
		if alias == "" {
			return llamaLike
		}
		t = alias
	}
	s, ok := styles[t]
	if !ok {
		f.assume("model_type", "llama: gated MLP, two norms per layer")
		return llamaLike
	}
	return s
}

// adjust lets the fields decide where a family leaves them a choice.
func (s *style) adjust(f *fields) {
	t := f.modelType()
	if t == "falcon" && !f.boolean("new_decoder_architecture", false, false) && f.boolean("parallel_attn", true, false) {
		s.norms = 2 // one LayerNorm before attention and MLP
	}
	if t == "stablelm" && f.boolean("use_parallel_residual", false, false) {
		s.norms = 2
	}
	for _, name := range []string{"bias", "use_bias"} {
		if f.m[name] == nil {
			continue
		}
		all := f.boolean(name, false, false)
		s.qkvBias, s.oBias, s.mlpBias = all, all, all && t != "internlm"
	}
	if f.m["no_bias"] != nil && t == "mpt" {
		all := !f.boolean("no_bias", true, false)
		s.qkvBias, s.oBias, s.mlpBias = all, all, all
	}
	for _, name := range []string{"hidden_act", "hidden_activation", "activation_function"} {
		if act := f.text(name); strings.HasPrefix(act, "relu2") || act == "xielu" {
			s.gated = false // squared ReLU and xIELU (arXiv 2411.13010) stand without a gate
		}
	}
}
