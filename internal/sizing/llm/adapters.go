package llm

// AdapterTargets says which matrices low-rank adapters are attached to.
type AdapterTargets uint8

// The usual choices: those of the LoRA paper (arXiv 2106.09685, section 4.2) and of QLoRA
// (arXiv 2305.14314, section 4).
const (
	AttentionTargets AdapterTargets = iota // Q, K, V and output
	AllTargets                             // also gate, up and down of MLPs and shared experts, not routed experts
)

const adapterValueBytes = 2 // adapters are served at 16 bit

// AdapterBytes returns the bytes that one adapter of a rank takes on each of tp GPUs that
// share every layer: rank·(in + out)·2 per matrix. As engines keep them, only the side that
// follows the cut of the matrix is shared; the other is whole on every GPU.
func (g *Geometry) AdapterBytes(rank int64, tp int, targets AdapterTargets) int64 {
	t := int64(max(1, tp))
	columns := func(in, out int64) int64 { return rank * (in + ceilDiv(out, t)) } // outputs are cut
	rows := func(in, out int64) int64 { return rank * (ceilDiv(in, t) + out) }    // inputs are cut
	kv := ceilDiv(g.KVHeads, t) * t                                               // heads with their copies
	var values int64
	if a := g.MLA; a != nil {
		qk := g.Heads * (a.NopeDim + a.RopeDim)
		values = rank*(g.Hidden+a.KVLoRARank+a.RopeDim) + columns(a.KVLoRARank, g.Heads*(a.NopeDim+g.VHeadDim))
		if a.QLoRARank > 0 {
			values += rank*(g.Hidden+a.QLoRARank) + columns(a.QLoRARank, qk)
		} else {
			values += columns(g.Hidden, qk)
		}
	} else {
		values = columns(g.Hidden, g.Heads*g.HeadDim) + columns(g.Hidden, kv*g.HeadDim) + columns(g.Hidden, kv*g.VHeadDim)
	}
	values = g.Layers * (values + rows(g.Heads*g.VHeadDim, g.Hidden))
	if targets == AllTargets {
		mlp := func(width int64) int64 {
			if width < 1 {
				return 0
			}
			return (g.matrices()-1)*columns(g.Hidden, width) + rows(width, g.Hidden)
		}
		dense := g.Layers
		if m := g.MoE; m != nil {
			dense = m.DenseLayers
			values += (g.Layers - dense) * mlp(m.SharedIntermediate)
		}
		values += dense * mlp(g.adapterWidth())
	}
	return values * adapterValueBytes
}

// adapterWidth is the width of the dense MLP; for sizes typed by hand that of typedMatrices.
func (g *Geometry) adapterWidth() int64 {
	if g.Typed == nil {
		return g.Intermediate
	}
	for _, m := range g.typedMatrices(1) {
		if m.Name == "down" {
			return m.K
		}
	}
	return 0
}
