package llm

// MatrixKind says what a matrix is for, and with it over which GPUs it is cut.
type MatrixKind uint8

// The kinds of matrices.
const (
	Dense     MatrixKind = iota // an ordinary MLP
	Shared                      // shared experts of a mixture, always active
	Head                        // output head, on the last token of a sequence only
	Router                      // choice of experts, whole on every GPU
	Attention                   // projections around attention; whole on every rank of attention data parallel
)

// Matrix is one matrix that every token is multiplied with, as one of tp GPUs holds it:
// N outputs from K inputs, in elements. Routed experts are not among them.
type Matrix struct {
	Name  string
	Kind  MatrixKind
	N, K  int64
	Count int64 // layers that have it
	// Whole is the number of parameters of one such matrix of the model, over all GPUs and each
	// counted once. N·K·tp is more where GPUs hold the same part or the last one is padded.
	Whole int64
}

// Matrices returns the matrices of one of tp GPUs that share every layer, in the order in
// which a layer uses them; Q, K and V are one matrix and so are gate and up, as every engine
// fuses them. Where there are more GPUs than KV heads each keeps a whole head. Latent
// attention is in the absorbed form of decoding (DeepSeek-V2, arXiv 2405.04434, section
// 2.1.2), which has the same parameters and operations per token as the plain one. Sizes
// typed by hand have no shapes: typedMatrices says what stands for them.
func (g *Geometry) Matrices(tp int) []Matrix {
	t := int64(max(1, tp))
	if g.Typed != nil {
		return g.typedMatrices(t)
	}
	out := make([]Matrix, 0, 12)
	if g.MLA != nil {
		out = g.latentMatrices(out, t)
	} else {
		out = g.headMatrices(out, t)
	}
	dense := g.Layers
	if m := g.MoE; m != nil {
		dense = m.DenseLayers
		sparse := g.Layers - dense
		gates := m.Experts
		if m.SharedGate {
			gates++
		}
		out = add(out, Matrix{Name: "router", Kind: Router, N: gates, K: g.Hidden, Count: sparse, Whole: gates * g.Hidden})
		out = g.mlpMatrices(out, "shared_", Shared, m.SharedIntermediate, sparse, t)
	}
	out = g.mlpMatrices(out, "", Dense, g.Intermediate, dense, t)
	return add(out, g.head(t))
}

// add appends a matrix that the model has.
func add(out []Matrix, m Matrix) []Matrix {
	if m.Count < 1 || m.Whole < 1 {
		return out
	}
	return append(out, m)
}

func (g *Geometry) head(t int64) Matrix {
	return Matrix{Name: "head", Kind: Head, N: ceilDiv(g.Vocab, t), K: g.Hidden, Count: 1, Whole: g.Vocab * g.Hidden}
}

// headMatrices adds the projections of ordinary and grouped attention.
func (g *Geometry) headMatrices(out []Matrix, t int64) []Matrix {
	kv := g.HeadDim + g.VHeadDim
	q, o := g.Heads*g.HeadDim, g.Heads*g.VHeadDim
	n := ceilDiv(g.Heads, t)*g.HeadDim + ceilDiv(g.KVHeads, t)*kv
	out = add(out, Matrix{Name: "qkv", Kind: Attention, N: n, K: g.Hidden, Count: g.Layers, Whole: (q + g.KVHeads*kv) * g.Hidden})
	return add(out, Matrix{Name: "o", Kind: Attention, N: g.Hidden, K: ceilDiv(g.Heads, t) * g.VHeadDim, Count: g.Layers, Whole: o * g.Hidden})
}

// latentMatrices adds the projections of latent attention. Those down to the latent vectors
// are whole on every GPU, those up to the heads are cut by heads.
func (g *Geometry) latentMatrices(out []Matrix, t int64) []Matrix {
	a, l, h := g.MLA, g.Layers, g.Hidden
	qk, heads := a.NopeDim+a.RopeDim, ceilDiv(g.Heads, t)
	latent := a.KVLoRARank + a.RopeDim
	name := "q"
	if r := a.QLoRARank; r > 0 {
		out = add(out, Matrix{Name: "q_a", Kind: Attention, N: r, K: h, Count: l, Whole: r * h})
		name = "q_b"
	}
	k := g.queryWidth()
	out = add(out, Matrix{Name: name, Kind: Attention, N: heads * qk, K: k, Count: l, Whole: g.Heads * qk * k})
	if x := g.Index; x != nil { // its queries and keys as one matrix of the same size, rounded up
		whole := g.indexQuery() + g.indexKey()
		out = add(out, Matrix{Name: "index", Kind: Attention, N: ceilDiv(whole, h), K: h, Count: x.Layers, Whole: whole})
	}
	out = add(out, Matrix{Name: "kv_a", Kind: Attention, N: latent, K: h, Count: l, Whole: latent * h})
	out = add(out, Matrix{Name: "kv_b_key", Kind: Attention, N: heads * a.KVLoRARank, K: a.NopeDim, Count: l, Whole: g.Heads * a.KVLoRARank * a.NopeDim})
	out = add(out, Matrix{Name: "kv_b_value", Kind: Attention, N: heads * g.VHeadDim, K: a.KVLoRARank, Count: l, Whole: g.Heads * g.VHeadDim * a.KVLoRARank})
	return add(out, Matrix{Name: "o", Kind: Attention, N: h, K: heads * g.VHeadDim, Count: l, Whole: g.Heads * g.VHeadDim * h})
}

// mlpMatrices adds the two matrices of an MLP of a width.
func (g *Geometry) mlpMatrices(out []Matrix, prefix string, kind MatrixKind, width, layers, t int64) []Matrix {
	name, in := prefix+"up", g.matrices()-1
	if in == 2 {
		name = prefix + "gate_up"
	}
	w := ceilDiv(width, t)
	out = add(out, Matrix{Name: name, Kind: kind, N: in * w, K: g.Hidden, Count: layers, Whole: in * width * g.Hidden})
	return add(out, Matrix{Name: prefix + "down", Kind: kind, N: g.Hidden, K: w, Count: layers, Whole: width * g.Hidden})
}

// typedMatrices returns matrices for sizes typed by hand. The projections of attention
// follow from the heads; all other active parameters, without embedding and head, count as
// one gated MLP of the width that they make. Where the heads alone are more than the active
// parameters, one matrix as wide as needed stands for the layer. The sum differs from the
// active parameters by less than 3·hidden per layer, the rounding of the width.
func (g *Geometry) typedMatrices(t int64) []Matrix {
	layer := max(0, g.Typed.ParamsActive-2*g.Vocab*g.Hidden) / g.Layers
	attention := g.attention()
	if rest := layer - attention; rest >= 3*g.Hidden {
		gated := *g
		gated.Gated = true
		out := gated.headMatrices(make([]Matrix, 0, 5), t)
		out = gated.mlpMatrices(out, "", Dense, rest/(3*g.Hidden), g.Layers, t)
		return add(out, g.head(t))
	}
	n := max(1, layer/g.Hidden)
	out := add(nil, Matrix{Name: "layer", Kind: Dense, N: ceilDiv(n, t), K: g.Hidden, Count: g.Layers, Whole: n * g.Hidden})
	return add(out, g.head(t))
}

// MeanContext returns how many tokens a query attends to in the mean over the layers when
// tokens are before it: all of them, at most the window in layers that have one.
func (g *Geometry) MeanContext(tokens float64) float64 {
	if g.Window == nil || g.Layers < 1 {
		return tokens
	}
	share := float64(g.Window.Layers) / float64(g.Layers)
	return (1-share)*tokens + share*min(tokens, float64(g.Window.Tokens))
}

func ceilDiv(a, b int64) int64 { return (a + b - 1) / b }
