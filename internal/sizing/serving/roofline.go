package serving

import (
	"math"

	"rackwright/internal/sizing/calibration"
	"rackwright/internal/sizing/hardware"
	"rackwright/internal/sizing/llm"
	"rackwright/internal/unit"
)

// Roofline is the calibrated roofline: every operator takes its operations over a share of
// the peak plus its bytes over a share of the bandwidth, plus overheads per layer, sequence
// and step. The terms are added: on published rows the sum fits better than the maximum.
type Roofline struct{}

// Name returns the name of the method.
func (Roofline) Name() string { return "roofline" }

const micro = 1e-6

// stepModel holds what does not change between the steps of one mapping, so that the search
// over batches does no repeated work.
type stepModel struct {
	m          Mapping
	compute    float64 // seconds per token of dense GEMMs at full efficiency
	expert     float64 // seconds per token of routed experts at full efficiency
	experts    float64
	perToken   float64 // experts
	always     float64 // seconds to read the weights that every step reads
	perExpert  float64 // seconds to read one expert of all layers
	attention  float64 // seconds per prefill token and token of prompt
	kvRate     float64 // bytes per second of KV reads over the group
	headToken  float64
	headRead   float64
	reduce     float64 // seconds per token of all-reduces
	fixed      float64 // seconds per step
	sequence   float64 // seconds per sequence and step
	hopToken   float64
	hops       float64
	halfTokens float64
}

// newStepModel prepares a mapping. Formulas: docs/sizing_method.md, "Step time".
func newStepModel(m Mapping) stepModel {
	g := m.Model
	gpu, tp := m.GPU, float64(m.TP)
	peak, eff, bw := formatPeak(m)
	parts := g.Params()
	s := stepModel{m: m, halfTokens: calibration.HalfTokens.Value}
	board := boardFactor(gpu.Form, m.TP)
	head := float64(max(parts.Head, 1))
	if g.Tied {
		head = float64(parts.Embedding)
	}
	active := float64(g.ParamsActive() - parts.Embedding - parts.Positions - parts.Head)
	experts := 0.0
	if g.MoE != nil {
		s.experts, s.perToken = float64(g.MoE.Experts), float64(g.MoE.PerToken)
		experts = float64(parts.Experts) / s.experts * s.perToken
	}
	rate := tp * float64(peak) * eff * board
	s.compute = 2 * math.Max(0, active-experts) / rate
	s.expert = 2 * experts * calibration.ExpertPenalty.Value / rate
	always, perExpert := g.LayerBytes(m.Weights)
	read := tp * float64(gpu.Bandwidth) * bw
	s.always, s.perExpert = always/read, perExpert/read
	s.attention = float64(g.Layers*g.Heads*(g.HeadDim+g.VHeadDim)) / (tp * float64(gpu.BF16) * calibration.PrefillAttention.Value * board)
	s.kvRate = float64(g.KVShards(m.TP)) * float64(gpu.Bandwidth) * calibration.KVBandwidth.Value
	s.headToken = 2 * head / (tp * float64(gpu.BF16) * calibration.GEMM16.Value)
	s.headRead = 2 * head / (tp * float64(gpu.Bandwidth) * calibration.WeightBandwidth.Value)
	s.communication(g, tp, board)
	s.fixed += micro * (calibration.PerLayer.Value*float64(g.Layers) + calibration.PerStep.Value)
	s.sequence = micro * m.Overheads.PerSequence
	return s
}

// communication adds two ring all-reduces per layer and the hops between stages. A ring
// moves 2(t-1)/t of the tensor (Patarasuk and Yuan 2009).
func (s *stepModel) communication(g *llm.Geometry, tp, board float64) {
	layers, hidden := float64(g.Layers), float64(g.Hidden)
	if tp > 1 {
		ring := 2 * (tp - 1) / tp * hidden * 2
		s.reduce = 2 * layers * ring / (float64(s.m.GPU.NVLink) * calibration.AllReduce.Value * board)
		s.fixed += 2 * layers * micro * calibration.AllReduceLatency.Value
	}
	if s.m.PP > 1 {
		s.hops = float64(s.m.PP-1) * micro * calibration.HopLatency.Value
		s.hopToken = float64(s.m.PP-1) * hidden * 2 / (calibration.HopBandwidth.Value * 1e9)
	}
}

// formatPeak returns the peak and the efficiencies of GEMMs and weight reads for the
// weights' format. Four-bit weights are unpacked and computed at 16 bit.
func formatPeak(m Mapping) (unit.FLOPS, float64, float64) {
	switch {
	case m.Weights == llm.FP8 && m.GPU.FP8 > 0:
		return m.GPU.FP8, calibration.GEMM8.Value, calibration.WeightBandwidth8.Value
	case m.Weights == llm.INT8 && m.GPU.INT8 > 0:
		return m.GPU.INT8, calibration.GEMM8.Value, calibration.WeightBandwidth8.Value
	}
	return m.GPU.BF16, calibration.GEMM16.Value, calibration.WeightBandwidth.Value
}

// time returns the seconds of one step with prefill and decode tokens. context is the mean
// KV length of the decoding sequences, prompt the mean length of the prompts being read.
func (s *stepModel) time(prefill, decode, context, prompt float64) float64 {
	tokens := math.Max(prefill+decode, 1)
	t := s.compute*(tokens+s.halfTokens) + s.always
	if s.experts > 0 {
		// Distinct experts among tokens × k independent picks, and their tokens each.
		touched := s.experts * (1 - math.Pow(1-s.perToken/s.experts, tokens))
		each := tokens * s.perToken / s.experts
		t += s.expert*tokens*(each+s.halfTokens)/each + touched*s.perExpert
	}
	t += s.attention * prefill * prompt
	if decode > 0 {
		t += decode * float64(s.m.Model.KVBytesWindowed(s.m.KV, int64(context))) / s.kvRate
		t += s.headToken*(decode+s.halfTokens) + s.headRead
	}
	t += s.reduce*tokens + s.fixed + s.sequence*decode + s.hops + s.hopToken*tokens
	return t
}

// boardFactor returns how much of its compute and communication rates a board delivers,
// from measured ratios to SXM: power limits and bridges cost more than the datasheet says.
// Reads of memory are not slowed: a lone stream meets neither limit.
func boardFactor(form hardware.Form, tp int) float64 {
	switch form {
	case hardware.PCIe, hardware.CNX:
		if tp > 1 {
			return calibration.ShareOfSXMPCIeTP.Value
		}
		return calibration.ShareOfSXMPCIe.Value
	case hardware.NVL:
		if tp > 1 {
			return calibration.ShareOfSXMNVLTP.Value
		}
		return calibration.ShareOfSXMNVL.Value
	}
	return 1
}
