package llm

// Defaults of 4-bit weights that a checkpoint does not state: groups of 128 with a 16-bit
// scale and a 4-bit zero point, the form of AWQ and GPTQ (AutoAWQ and AutoGPTQ defaults).
const (
	DefaultGroupSize = 128
	asymmetricBits   = 16 + 4
	symmetricBits    = 16
	nvfp4Block       = 16 // values that share one 8-bit scale (NVFP4, NVIDIA Model Optimizer)
	nvfp4ScaleBits   = 8
	mxfp4Block       = 32 // values that share one 8-bit exponent (OCP MX v1.0, section 5.1)
	mxfp4ScaleBits   = 8
	fp8BlockSide     = 128 // DeepSeek-V3, arXiv 2412.19437, section 3.3.2
	fp8ScaleBytes    = 4
)

// WeightBytes returns the bytes of the checkpoint in a precision:
//
//   - 16 and 32 bit: every parameter;
//   - 8 bit: every parameter at one byte, embeddings and output head at two;
//   - 4 bit: linear layers at four bits and their group scales, everything else at 16 bit.
//
// What a checkpoint of that precision keeps at 16 bit counts so. Scales of 8-bit blocks are
// in ScaleBytes: they are 0.02 % and not part of the published sizes.
func (g *Geometry) WeightBytes(p Precision) int64 {
	parts := g.Params()
	total := parts.Total()
	kept := g.kept(parts, p)
	switch p.Bits() {
	case 32:
		return 4 * total
	case 8:
		return total + parts.Embedding + parts.Head + kept
	case 4:
		q := g.fourBit(p)
		quantised := parts.Linear() - kept
		groups := (quantised + q.GroupSize - 1) / q.GroupSize
		return (quantised*4+7)/8 + (groups*q.GroupBits+7)/8 + 2*(total-quantised)
	}
	return 2 * total
}

// kept returns the parameters of linear layers that stay at 16 bit in a precision.
func (g *Geometry) kept(parts Params, p Precision) int64 {
	attention, rest := g.keeps(p)
	var n int64
	if attention {
		n += parts.Attention
	}
	if rest {
		n += parts.DenseMLP + parts.Shared
	}
	return n
}

// keeps reports what stays at 16 bit in a precision: the attention, and everything else but
// routed experts. The checkpoint decides where it has that precision.
func (g *Geometry) keeps(p Precision) (attention, rest bool) {
	switch {
	case g.Quant != nil && g.Quant.Precision == p:
		return g.Quant.KeepAttention || g.Quant.ExpertsOnly, g.Quant.ExpertsOnly
	case p.Bits() == 4:
		only := g.fourBit(p).ExpertsOnly
		return only, only
	}
	return false, false
}

// KeepsAttention reports whether the checkpoint has the projections of the attention at 16 bit
// where the other weights are in a precision.
func (g *Geometry) KeepsAttention(p Precision) bool {
	return g.Quant != nil && g.Quant.Precision == p && g.Quant.KeepAttention
}

// fourBit returns the 4-bit format: the checkpoint's own where it is one, else the default.
func (g *Geometry) fourBit(p Precision) Quant {
	if g.Quant != nil && g.Quant.Precision == p && g.Quant.GroupSize > 0 {
		return *g.Quant
	}
	if p == MXFP4 {
		return Quant{Precision: p, GroupSize: mxfp4Block, GroupBits: mxfp4ScaleBits, ExpertsOnly: g.MoE != nil}
	}
	return Quant{Precision: p, GroupSize: DefaultGroupSize, GroupBits: asymmetricBits}
}

// ScaleBytes returns the bytes of the block scales that WeightBytes leaves out: one 32-bit
// scale per 128 × 128 block of an 8-bit matrix.
func (g *Geometry) ScaleBytes(p Precision) int64 {
	if p.Bits() != 8 {
		return 0
	}
	parts := g.Params()
	return (parts.Linear() - g.kept(parts, p)) / (fp8BlockSide * fp8BlockSide) * fp8ScaleBytes
}

// WeightParts are the bytes of all weights with their scales, by how they are cut over GPUs.
type WeightParts struct {
	Attention float64 // projections; cut by heads
	MLP       float64 // ordinary MLPs and shared experts; cut by width
	Experts   float64 // routed experts; spread over expert ranks, cut by width
	Embedding float64 // input embedding and learned positions; cut by vocabulary
	Head      float64 // output head, 0 where it is the embedding
	Whole     float64 // router, norms and biases: on every GPU
}

// Total returns all bytes.
func (w WeightParts) Total() float64 {
	return w.Attention + w.MLP + w.Experts + w.Embedding + w.Head + w.Whole
}

// WeightParts splits WeightBytes and ScaleBytes; the routed experts may have a format of
// their own, "" for that of the others. For sizes typed by hand everything between embedding
// and head counts as MLP: nothing more is known.
func (g *Geometry) WeightParts(p, experts Precision) WeightParts {
	if experts == "" {
		experts = p
	}
	parts := g.Params()
	ends := 2.0
	if p.Bits() == 32 {
		ends = 4
	}
	rest := ends
	if p.Bits() == 8 {
		rest = 1
	}
	linear := func(keep bool) float64 {
		if keep {
			return 2
		}
		return g.bytesPerLinear(p)
	}
	keepAttention, keepRest := g.keeps(p)
	w := WeightParts{
		Attention: float64(parts.Attention) * linear(keepAttention),
		MLP:       float64(parts.DenseMLP+parts.Shared) * linear(keepRest),
		Experts:   float64(parts.Experts) * g.bytesPerLinear(experts),
		Embedding: float64(parts.Embedding)*ends + float64(parts.Positions)*rest,
		Head:      float64(parts.Head) * ends,
		Whole:     float64(parts.Router+parts.Norms+parts.Biases) * rest,
	}
	if g.Typed != nil {
		w.Attention, w.MLP = 0, w.Attention
	}
	return w
}

// bytesPerLinear returns the bytes of one value of a quantised matrix with its share of the scales.
func (g *Geometry) bytesPerLinear(p Precision) float64 {
	switch p.Bits() {
	case 8:
		return 1 + float64(fp8ScaleBytes)/(fp8BlockSide*fp8BlockSide)
	case 4:
		q := g.fourBit(p)
		return (4 + float64(q.GroupBits)/float64(q.GroupSize)) / 8
	}
	return float64(p.Bits()) / 8
}

// AttentionCopies returns how many times the GPUs of a tensor-parallel group hold a value of
// the attention in the mean: more than once where KV heads or latent projections are kept
// whole on each.
func (g *Geometry) AttentionCopies(tp int) float64 {
	var held, whole int64
	for _, m := range g.Matrices(tp) {
		if m.Kind == Attention {
			held += m.N * m.K * m.Count * int64(max(1, tp))
			whole += m.Whole * m.Count
		}
	}
	if whole == 0 {
		return 1
	}
	return float64(held) / float64(whole)
}

// DraftHead returns the geometry of a drafting head of one layer of the model's own shape
// that shares embedding and output head with it, as EAGLE (arXiv 2401.15077, section 4.1) and
// the multi-token prediction of DeepSeek-V3 (arXiv 2412.19437, section 2.2) have it.
func (g *Geometry) DraftHead() *Geometry {
	d := *g
	d.Name, d.HFID, d.Layers, d.Vocab, d.Positions, d.Window = "", "", 1, 0, 0, nil
	if g.MoE != nil {
		moe := *g.MoE
		moe.DenseLayers = 0
		d.MoE = &moe
	}
	if c := g.Typed; c != nil {
		own := *c
		own.Layers, own.Vocab = 1, 0
		own.ParamsTotal = max(1, (c.ParamsTotal-2*g.Vocab*g.Hidden)/g.Layers)
		own.ParamsActive = max(1, (c.ParamsActive-2*g.Vocab*g.Hidden)/g.Layers)
		d.Typed = &own
	}
	return &d
}
