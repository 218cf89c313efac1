package llm

// Defaults of 4-bit weights that a checkpoint does not state: groups of 128 with a 16-bit
// scale and a 4-bit zero point, the form of AWQ and GPTQ (AutoAWQ and AutoGPTQ defaults).
const (
	DefaultGroupSize = 128
	asymmetricBits   = 16 + 4
	symmetricBits    = 16
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
// Scales of 8-bit blocks are in ScaleBytes: they are 0.02 % and not part of the published
// sizes.
func (g *Geometry) WeightBytes(p Precision) int64 {
	parts := g.Params()
	total := parts.Total()
	switch p.Bits() {
	case 32:
		return 4 * total
	case 8:
		return total + parts.Embedding + parts.Head
	case 4:
		q := g.fourBit(p)
		quantised := parts.Linear()
		if q.ExpertsOnly {
			quantised = parts.Experts
		}
		groups := (quantised + q.GroupSize - 1) / q.GroupSize
		return (quantised*4+7)/8 + (groups*q.GroupBits+7)/8 + 2*(total-quantised)
	}
	return 2 * total
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
	return g.Params().Linear() / (fp8BlockSide * fp8BlockSide) * fp8ScaleBytes
}

// LayerBytes splits the bytes of the layers, without embeddings and head, into those that
// every step reads and those of one routed expert over all layers. Experts is the number
// of routed experts, 0 for dense models.
func (g *Geometry) LayerBytes(p Precision) (always, perExpert float64) {
	parts := g.Params()
	bits := func(n int64, quantised bool) float64 {
		if !quantised {
			return 2 * float64(n)
		}
		if p.Bits() == 4 {
			q := g.fourBit(p)
			return float64(n) * (4 + float64(q.GroupBits)/float64(q.GroupSize)) / 8
		}
		return float64(n) * float64(p.Bits()) / 8
	}
	dense := !(p.Bits() == 4 && g.fourBit(p).ExpertsOnly)
	always = bits(parts.Attention+parts.DenseMLP+parts.Shared, dense) + bits(parts.Router+parts.Norms+parts.Biases, p.Bits() == 8)
	if g.MoE != nil {
		perExpert = bits(parts.Experts, true) / float64(g.MoE.Experts)
	}
	return always, perExpert
}
