package llm

// Geometry is the shape of a decoder-only language model, complete enough for exact counts
// of parameters, weight bytes and KV bytes. Sizes are in elements.
type Geometry struct {
	Name string
	HFID string

	Layers       int64
	Hidden       int64
	Heads        int64 // query heads
	KVHeads      int64
	HeadDim      int64 // of queries and keys
	VHeadDim     int64 // of values; equal to HeadDim but for MLA
	Intermediate int64 // width of a dense MLP
	Vocab        int64
	MaxContext   int64 // tokens; 0 is unknown

	Tied      bool  // output head is the embedding matrix
	Gated     bool  // MLP of three matrices (SwiGLU) instead of two
	Positions int64 // learned position vectors; 0 with rotary embeddings

	Norms      int64 // vectors of width Hidden per layer, biases counted as vectors
	FinalNorms int64 // of the last norm, counted the same way
	QKNorm     bool  // a norm of width HeadDim on queries and on keys
	QKNormWide bool  // it is over all heads at once
	QKVBias    bool
	OBias      bool
	MLPBias    bool
	HeadBias   bool
	Sinks      bool // one learned sink per head

	MoE    *MoE
	MLA    *MLA
	Index  *Index
	Window *Window

	Dtype Precision // of the checkpoint where it is not quantised
	Quant *Quant    // nil: not quantised

	// Typed is set where the sizes were typed by hand: the counts then stand as given and
	// no shape is known beyond them.
	Typed *Counts
}

// MoE is a mixture of experts.
type MoE struct {
	Experts            int64 // routed
	PerToken           int64
	Intermediate       int64 // width of one routed expert
	Shared             int64 // shared experts, always active
	SharedIntermediate int64 // width of all shared experts together
	DenseLayers        int64 // layers with an ordinary MLP instead
	SharedGate         bool  // a vector of width Hidden that weighs the shared expert
	Bias               bool  // on router and experts
	ScoreBias          bool  // one correction per expert for balanced routing (DeepSeek-V3, arXiv 2412.19437, section 2.1.2)
}

// MLA is multi-head latent attention: keys and values are kept as one compressed vector.
type MLA struct {
	KVLoRARank int64
	QLoRARank  int64 // 0: queries are not compressed
	NopeDim    int64
	RopeDim    int64
}

// Index is the small attention that picks the tokens which sparse latent attention reads
// (DeepSeek-V3.2). Its keys are cached beside the latent vectors.
type Index struct {
	Heads  int64
	Dim    int64
	Tokens int64 // that are picked
	Layers int64 // that have one; the others use the last one's choice
}

// indexKeyBytes are cached per key: one byte a value and a 32-bit scale per 128 of them
// (vllm, DeepseekV32IndexerCache).
func (x *Index) indexKeyBytes() int64 { return x.Dim + (x.Dim+127)/128*4 }

// Window is sliding-window attention on some layers.
type Window struct {
	Tokens int64
	Layers int64 // that have it
}

// Quant is how a checkpoint stores its linear layers.
type Quant struct {
	Precision     Precision
	Method        string // as the config names it
	GroupSize     int64  // values that share a scale; 0: block or tensor scales
	GroupBits     int64  // bits of scale and zero point per group
	KeepAttention bool   // attention stays at 16 bit
	ExpertsOnly   bool   // everything but routed experts does (MXFP4 of gpt-oss)
	// KV is the format of the cache that the checkpoint has scales for; "" is 16 bit.
	KV Precision
}

// Architecture returns the class: dense, moe, mla or mla_moe.
func (g *Geometry) Architecture() string {
	switch {
	case g.MLA != nil && g.MoE != nil:
		return "mla_moe"
	case g.MLA != nil:
		return "mla"
	case g.IsMoE():
		return "moe"
	}
	return "dense"
}

// IsMoE reports whether only some of the parameters work on a token.
func (g *Geometry) IsMoE() bool {
	return g.MoE != nil || (g.Typed != nil && g.Typed.ParamsActive < g.Typed.ParamsTotal)
}

// Native returns the precision of the checkpoint as published.
func (g *Geometry) Native() Precision {
	if g.Quant != nil {
		return g.Quant.Precision
	}
	return g.Dtype
}

// KVBytesPerToken returns the bytes of KV cache of one token over all layers and GPUs, every
// layer in full: 2·L·kv·d·b, or L·(rank+rope)·b with latent attention (DeepSeek-V2, arXiv
// 2405.04434, section 2.1). It is 0 for a format that engines do not offer.
func (g *Geometry) KVBytesPerToken(p Precision) int64 {
	bytes := g.Layers * g.kvWidth() * p.KVBytes()
	if g.Index != nil && bytes > 0 {
		bytes += g.Index.Layers * g.Index.indexKeyBytes()
	}
	return bytes
}

// KVBytesWindowed returns the KV bytes of one sequence of the given tokens, counting
// windowed layers only up to their window. Engines may reserve more.
func (g *Geometry) KVBytesWindowed(p Precision, tokens int64) int64 {
	full := g.Layers
	var windowed int64
	if g.Window != nil {
		full -= g.Window.Layers
		windowed = g.Window.Layers * min(tokens, g.Window.Tokens)
	}
	bytes := (full*tokens + windowed) * g.kvWidth() * p.KVBytes()
	if g.Index != nil && bytes > 0 {
		bytes += tokens * g.Index.Layers * g.Index.indexKeyBytes()
	}
	return bytes
}

// kvWidth returns the cached values of one token in one layer.
func (g *Geometry) kvWidth() int64 {
	if g.MLA != nil {
		return g.MLA.KVLoRARank + g.MLA.RopeDim
	}
	return g.KVHeads * (g.HeadDim + g.VHeadDim)
}

// KVShards returns over how many of tp GPUs the cache is spread: KV heads are replicated
// where there are fewer heads than GPUs, and a latent vector is kept whole on each.
func (g *Geometry) KVShards(tp int) int64 {
	if g.MLA != nil {
		return 1
	}
	return min(int64(tp), g.KVHeads)
}

// DividesTP reports whether a tensor-parallel group of tp GPUs can cut the heads: query
// heads must divide, and KV heads must divide or be replicated evenly.
func (g *Geometry) DividesTP(tp int) bool {
	n := int64(tp)
	if n < 1 || g.Heads%n != 0 {
		return false
	}
	return g.MLA != nil || g.KVHeads%n == 0 || n%g.KVHeads == 0
}

// TensorParallel returns the degrees up to limit that DividesTP allows, ascending.
func (g *Geometry) TensorParallel(limit int) []int {
	var out []int
	for tp := 1; tp <= limit; tp++ {
		if g.DividesTP(tp) {
			out = append(out, tp)
		}
	}
	return out
}
