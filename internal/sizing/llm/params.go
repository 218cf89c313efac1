package llm

// Params are the parameters of a model by what they are for.
type Params struct {
	Embedding int64
	Positions int64
	Head      int64 // 0 where it is tied to the embedding
	Attention int64 // matrices
	DenseMLP  int64 // matrices of ordinary MLPs
	Experts   int64 // matrices of all routed experts
	Shared    int64 // matrices of shared experts
	Router    int64
	Norms     int64
	Biases    int64 // and sinks
}

// Total returns all parameters.
func (p Params) Total() int64 {
	return p.Embedding + p.Positions + p.Head + p.Attention + p.DenseMLP + p.Experts + p.Shared + p.Router + p.Norms + p.Biases
}

// Linear returns the parameters of the matrices inside the layers: what quantisation covers.
func (p Params) Linear() int64 { return p.Attention + p.DenseMLP + p.Experts + p.Shared }

// Params returns the exact parameter counts. For a model typed by hand only Linear and
// Embedding are known apart.
func (g *Geometry) Params() Params {
	if g.Typed != nil {
		emb := g.Vocab * g.Hidden
		return Params{Embedding: emb, Head: emb, Attention: g.Typed.ParamsTotal - 2*emb}
	}
	p := Params{
		Embedding: g.Vocab * g.Hidden,
		Positions: g.Positions * g.Hidden,
		Attention: g.Layers * g.attention(),
		Norms:     g.Layers*g.Norms*g.Hidden + g.FinalNorms*g.Hidden,
	}
	if !g.Tied {
		p.Head = g.Vocab * g.Hidden
	}
	if g.HeadBias {
		p.Biases += g.Vocab
	}
	switch {
	case g.QKNormWide:
		p.Norms += g.Layers * (g.Heads + g.KVHeads) * g.HeadDim
	case g.QKNorm:
		p.Norms += g.Layers * 2 * g.HeadDim
	}
	if x := g.Index; x != nil {
		p.Attention += x.Layers * (g.indexQuery() + g.indexKey())
		p.Norms += x.Layers * 2 * x.Dim
	}
	if g.MLA != nil {
		p.Norms += g.Layers * (g.MLA.QLoRARank + g.MLA.KVLoRARank)
	}
	p.Biases += g.Layers * g.attentionBias()
	dense := g.Layers
	if m := g.MoE; m != nil {
		dense = m.DenseLayers
		g.addMoE(&p, g.Layers-dense)
	}
	p.DenseMLP = dense * g.mlp(g.Intermediate)
	if g.MLPBias {
		p.Biases += dense * (g.Intermediate*(g.matrices()-1) + g.Hidden)
	}
	return p
}

func (g *Geometry) addMoE(p *Params, layers int64) {
	m := g.MoE
	p.Experts = layers * m.Experts * g.mlp(m.Intermediate)
	p.Shared = layers * g.mlp(m.SharedIntermediate)
	p.Router = layers * m.Experts * g.Hidden
	if m.SharedGate {
		p.Router += layers * g.Hidden
	}
	if m.ScoreBias {
		p.Biases += layers * m.Experts
	}
	if m.Bias {
		p.Biases += layers * m.Experts * (1 + m.Intermediate*(g.matrices()-1) + g.Hidden)
	}
}

// ParamsActive returns the parameters that work on one token, embeddings included.
func (g *Geometry) ParamsActive() int64 {
	if g.Typed != nil {
		return g.Typed.ParamsActive
	}
	p := g.Params()
	total := p.Total()
	if m := g.MoE; m != nil {
		layers := g.Layers - m.DenseLayers
		idle := m.Experts - m.PerToken
		total -= layers * idle * g.mlp(m.Intermediate)
		if m.ScoreBias || m.Bias { // of the router: published active counts leave it out
			total -= layers * m.Experts
		}
		if m.Bias {
			total -= layers * idle * (m.Intermediate*(g.matrices()-1) + g.Hidden)
		}
	}
	return total
}

// attention returns the matrix parameters of one layer's attention.
func (g *Geometry) attention() int64 {
	if a := g.MLA; a != nil {
		qk := a.NopeDim + a.RopeDim
		q := g.Hidden * g.Heads * qk
		if a.QLoRARank > 0 {
			q = g.Hidden*a.QLoRARank + a.QLoRARank*g.Heads*qk
		}
		kv := g.Hidden*(a.KVLoRARank+a.RopeDim) + a.KVLoRARank*g.Heads*(a.NopeDim+g.VHeadDim)
		return q + kv + g.Heads*g.VHeadDim*g.Hidden
	}
	return g.Hidden*g.Heads*g.HeadDim + // queries
		g.Hidden*g.KVHeads*(g.HeadDim+g.VHeadDim) +
		g.Heads*g.VHeadDim*g.Hidden // output
}

// indexQuery and indexKey return the matrices of the index of one layer: queries from the
// latent ones, keys and the weights of the heads from the hidden state (DeepSeek-V3.2).
func (g *Geometry) indexQuery() int64 {
	if g.Index == nil || g.MLA == nil {
		return 0
	}
	return g.queryWidth() * g.Index.Heads * g.Index.Dim
}

func (g *Geometry) indexKey() int64 {
	if g.Index == nil {
		return 0
	}
	return g.Hidden * (g.Index.Dim + g.Index.Heads)
}

// queryWidth returns the width of what latent queries are made from.
func (g *Geometry) queryWidth() int64 {
	if g.MLA.QLoRARank > 0 {
		return g.MLA.QLoRARank
	}
	return g.Hidden
}

func (g *Geometry) attentionBias() int64 {
	var n int64
	if g.QKVBias {
		n += g.Heads*g.HeadDim + g.KVHeads*(g.HeadDim+g.VHeadDim)
	}
	if g.OBias {
		n += g.Hidden
	}
	if g.Sinks {
		n += g.Heads
	}
	return n
}

func (g *Geometry) matrices() int64 {
	if g.Gated {
		return 3
	}
	return 2
}

func (g *Geometry) mlp(width int64) int64 { return g.matrices() * g.Hidden * width }
