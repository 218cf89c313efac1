package serving

import (
	"math"
	"time"

	"rackwright/internal/sizing/calibration"
	"rackwright/internal/sizing/hardware"
	"rackwright/internal/sizing/kernel"
	"rackwright/internal/sizing/llm"
)

// Step is the step time of one mapping: measured curves of its operators plus the overheads
// of its inference engine. Everything that does not change from step to step is prepared by
// NewStep. A copy of p pipeline stages behaves as p independent schedulers, each running
// full-depth steps at the tensor-parallel degree of the mapping.
type Step struct {
	dense   [maxMatrices]layered
	used    int
	head    kernel.GEMM
	experts kernel.Experts
	mixture float64 // layers with routed experts, scaled
	prefill kernel.Prefill
	decode  kernel.Decode
	layers  float64 // with attention over the whole context
	sliding float64 // with a window
	window  float64 // its tokens
	reduce  kernel.AllReduce
	reduces float64 // per step, scaled
	across  float64 // seconds per token between systems
	hidden  float64
	adp     float64
	element float64 // seconds per token of element-wise traffic
	scale   float64 // of attention
	fixed   float64
	seq     float64
	hop     float64 // seconds per token between stages
	speed   float64 // of the board and the release, 1 is that of the calibration
}

// maxMatrices is the most kinds of matrices in a layer: seven of latent attention and MLP,
// and three of shared experts and router.
const maxMatrices = 12

// layered is a matrix and in how many layers it stands.
type layered struct {
	op    kernel.GEMM
	count float64
}

const micro = 1e-6

// elementBandwidth is the share of the bandwidth that element-wise kernels reach
// (judgement; sizing method, section 3).
const elementBandwidth = 0.75

// NewStep prepares a mapping with the constants of its inference engine.
func NewStep(m Mapping, st *calibration.Stack) Step {
	g, gpu := m.Model, m.board()
	f := &st.Fitted
	s := Step{adp: float64(max(1, m.ADP)), hidden: float64(g.Hidden), scale: f.Attention, speed: releaseSpeed(m.Release, f.Year)}
	weights := m.kernelFormat(m.Weights)
	for _, x := range g.Matrices(m.TP) {
		format, bits := weights, float64(m.Weights.Bits())
		if x.Kind == llm.Head || x.Kind == llm.Router || g.Quant != nil && g.Quant.ExpertsOnly || x.Kind == llm.Attention && g.KeepsAttention(m.Weights) {
			format, bits = kernel.BF16, 16
		}
		op := st.Curves.GEMM(format, float64(x.N), float64(x.K), gpu)
		if bits == 4 {
			op = op.WeightBits(fourBits, format)
		}
		op = op.Fused(f.Launch)
		if x.Kind == llm.Head {
			s.head = op
			continue
		}
		s.dense[s.used] = layered{op, float64(x.Count) * f.Matrices}
		s.used++
	}
	s.mixtureOf(m, st, gpu)
	s.attentionOf(m, st, gpu)
	s.communication(m, st, gpu)
	bytes := float64(g.Layers) * 2 * (8*float64(g.Hidden) + 3*float64(g.Intermediate)/float64(m.TP))
	s.element = bytes / (gpu.Bandwidth * elementBandwidth)
	s.fixed += f.LayerUS*micro*float64(g.Layers) + calibration.SchedulerStep.Value*1e-3
	s.seq = f.SequenceUS * micro
	if m.Stock {
		s.fixed += f.StockLayer * micro * float64(g.Layers)
		s.seq += f.StockUS * micro
	}
	return s
}

// fourBits are the bits of a 4-bit weight with its scales.
const fourBits = 4.25

func (s *Step) mixtureOf(m Mapping, st *calibration.Stack, gpu kernel.GPU) {
	x := m.Model.MoE
	if x == nil {
		return
	}
	precision := m.ExpertFormat
	if precision == "" {
		precision = m.Weights
	}
	format := m.kernelFormat(precision)
	tp, ep := m.expertShards()
	s.mixture = 1
	s.experts = st.Curves.Experts(format, s.hidden, float64(x.Intermediate), float64(x.Experts), float64(x.PerToken), tp, ep, kernel.Routing(st.Fitted.Skew), gpu)
	if precision.Bits() == 4 {
		s.experts = s.experts.WeightBits(fourBits, format)
		s.mixture = st.Fitted.Unpack
	}
	s.mixture *= float64(m.Model.Layers-x.DenseLayers) * st.Fitted.Experts
}

// attentionOf prepares attention. Latent attention reads one vector per token that all heads
// share, and its products are as wide as the latent.
func (s *Step) attentionOf(m Mapping, st *calibration.Stack, gpu kernel.GPU) {
	g := m.Model
	heads, kv, dim := ceil(g.Heads, m.TP), ceil(g.KVHeads, m.TP), float64(g.HeadDim+g.VHeadDim)/2
	cache, compute := kernel.BF16, kernel.BF16
	if m.KV.KVBytes() == 1 {
		cache = kernel.FP8
		if m.Engine != "vllm" {
			compute = kernel.FP8
		}
	}
	decodeKV, decodeDim := kv, dim
	if a := g.MLA; a != nil {
		decodeKV, decodeDim = 1, float64(a.KVLoRARank+a.RopeDim)/2
	}
	s.prefill = st.Curves.Prefill(compute, cache, heads, kv, dim, gpu)
	s.decode = st.Curves.Decode(cache, heads, decodeKV, decodeDim, gpu)
	s.layers = float64(g.Layers)
	if w := g.Window; w != nil {
		s.sliding, s.window = float64(w.Layers), float64(w.Tokens)
		s.layers -= s.sliding
	}
}

func (s *Step) communication(m Mapping, st *calibration.Stack, gpu kernel.GPU) {
	g, f := m.Model, &st.Fitted
	group := m.TP * max(1, m.ADP)
	if m.TP > 1 {
		s.reduce = st.Curves.AllReduce(m.TP, gpu)
		s.reduces = 2 * float64(g.Layers) * f.Reduce
	}
	if !m.Release.IsZero() && m.Release.Before(oneShot) && group > 2 {
		s.fixed += s.reduces * micro * f.Old * float64(min(group, nodeGPUs)-2)
	}
	if m.ADP > 1 { // tokens go to the ranks of their experts and back: as much as one all-reduce over all
		s.reduce = st.Curves.AllReduce(group, gpu)
		s.reduces = float64(g.Layers) * f.Reduce
	}
	if group > nodeGPUs {
		away := 1 - float64(nodeGPUs)/float64(group)
		s.across = s.reduces * 2 * s.hidden * 2 * away / (calibration.HopBandwidth.Value * 1e9) / s.adp
		s.fixed += s.reduces * micro * calibration.HopLatency.Value
	}
	if m.PP > 1 {
		s.fixed += float64(m.PP-1) * micro * calibration.HopLatency.Value
		s.hop = float64(m.PP-1) * s.hidden * 2 / (calibration.HopBandwidth.Value * 1e9)
	}
}

// oneShot is when releases stopped using a library call for small all-reduces.
var oneShot = time.Date(2025, time.January, 1, 0, 0, 0, 0, time.UTC)

// nodeGPUs is the largest NVLink domain of the boards here.
const nodeGPUs = 8

func ceil(a int64, tp int) float64 { return math.Ceil(float64(a) / float64(tp)) }

// board returns what the kernels run on, a slice of it where the copy has only that.
func (m Mapping) board() kernel.GPU {
	g := kernel.GPU{BF16: float64(m.GPU.BF16), FP8: float64(m.GPU.FP8), Bandwidth: float64(m.GPU.Bandwidth), NVLink: float64(m.GPU.NVLink)}
	if m.GPU.Form != hardware.SXM && (m.TP != 2 || g.NVLink == 0) {
		g.NVLink = pcieLink // bridges join pairs only
	}
	if share := m.Boards.of(m.GPU.Form); share > 0 {
		g.BF16, g.FP8 = g.BF16*share, g.FP8*share
	}
	if m.Slice.Compute > 0 {
		c := float64(m.Slice.Compute) / 7
		g.BF16, g.FP8 = g.BF16*c, g.FP8*c
		g.Bandwidth *= float64(m.Slice.Memory) / 8
	}
	return g
}

// pcieLink is what an all-reduce gets of a PCIe 5.0 x16 link, bytes/s per direction
// (judgement; sizing method, section 3: 25-50 GB/s).
const pcieLink = 30e9

// kernelFormat is the format in which a precision computes. Four-bit weights are unpacked.
func (m Mapping) kernelFormat(p llm.Precision) kernel.Format {
	switch {
	case p.Bits() != 8 || m.GPU.FP8 == 0:
		return kernel.BF16
	case m.BlockScales:
		return kernel.FP8Block
	}
	return kernel.FP8
}

// expertShards returns over how many GPUs one expert is cut and all are spread.
func (m Mapping) expertShards() (tp, ep int) {
	ep = max(1, m.EP)
	if m.MoETP > 0 {
		return m.MoETP, ep
	}
	return max(1, m.TP*max(1, m.ADP)/ep), ep
}

// Time returns the seconds of one step that reads prompt tokens, which together attend to
// pairs tokens before them, and decodes sequences whose contexts add up to context tokens.
// All figures are of one scheduler. Formulas: docs/sizing_method.md, "Step time".
func (s *Step) Time(prompt, pairs, sequences, context float64) float64 {
	tokens := math.Max(prompt+sequences, 1)
	rank := math.Max(tokens/s.adp, 1)
	t := s.element*rank + s.fixed + s.seq*sequences + (s.hop+s.across)*tokens
	for i := range s.used {
		t += s.dense[i].op.Time(rank) * s.dense[i].count
	}
	if s.mixture > 0 {
		t += s.experts.Time(tokens) * s.mixture
	}
	if prompt > 0 {
		t += s.prompts(prompt/s.adp, pairs/s.adp) * s.scale
	}
	outputs := sequences / s.adp
	if sequences > 0 {
		mean := context / sequences
		a := s.layers * s.decode.Time(outputs, mean)
		if s.sliding > 0 {
			a += s.sliding * s.decode.Time(outputs, math.Min(mean, s.window))
		}
		t += a * s.scale
	}
	if s.reduces > 0 {
		t += s.reduces * s.reduce.Time(rank*s.hidden)
	}
	return (t + s.head.Time(math.Max(1, math.Min(rank, outputs+1)))) / s.speed
}

// prompts returns the seconds of attention of prompt tokens: they count as prompts of the
// length that gives their pairs.
func (s *Step) prompts(tokens, pairs float64) float64 {
	mean := math.Max(pairs/tokens, 0.5)
	length := math.Min(tokens, 2*mean)
	past := mean - length/2
	t := s.layers * s.prefill.Time(tokens/length, length, past)
	if s.sliding > 0 {
		inside := math.Min(mean, s.window)
		t += s.sliding * s.prefill.Time(tokens/length, length, math.Max(0, inside-length/2))
	}
	return t
}
