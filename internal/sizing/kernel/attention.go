package kernel

import "math"

// headSize is the size of a head in the tables; others scale by it.
const headSize = 128

// splitHalf are the tokens of context at which half of the cost of splitting is paid; the fit
// is flat around it.
const splitHalf = 400

// Prefill is causal attention over prompts in one layer on one GPU.
type Prefill struct {
	launch float64
	row    float64 // seconds per token of the longest prompt
	head   float64 // seconds per token of all query heads
	pair   float64 // seconds per token and token it attends to
	read   float64 // seconds per token in the cache
}

// Prefill prepares attention with query heads and KV heads of one GPU. compute is the format
// of the products, kv that of the cache.
func (c *Curves) Prefill(compute, kv Format, heads, kvHeads, headDim float64, g GPU) Prefill {
	p := &c.Prompt
	share, perHead := p.Compute, p.HeadNS
	if compute != BF16 {
		share, perHead = p.Compute8, p.Head8NS
	}
	width := headDim / headSize
	return Prefill{
		launch: p.LaunchUS * micro, row: p.RowNS * nano * width, head: perHead * nano * heads * width,
		pair: 4 * heads * headDim / (compute.peak(g) * share),
		read: 2 * kvHeads * headDim * kv.Bytes() / g.Bandwidth,
	}
}

// Time returns seconds for a batch of prompts of a length each, with past tokens already in
// the cache before them.
func (q *Prefill) Time(batch, length, past float64) float64 {
	tokens := batch * length
	return q.launch + q.row*length + q.head*tokens + q.pair*tokens*(past+length/2) + q.read*batch*past
}

// Decode is attention of decoding sequences in one layer on one GPU.
type Decode struct {
	launch float64
	unit   float64 // seconds per sequence
	token  float64 // seconds per token of context
	split  float64
	half   float64
}

// Decode prepares attention over a cache in format kv.
func (c *Curves) Decode(kv Format, heads, kvHeads, headDim float64, g GPU) Decode {
	q := &c.Answer.BF16
	if kv != BF16 {
		q = &c.Answer.FP8
	}
	return Decode{
		launch: q.LaunchUS * micro, unit: q.UnitNS * nano * kvHeads * headDim / headSize,
		token: 2 * kvHeads * headDim * kv.Bytes() / (g.Bandwidth * q.Bandwidth),
		split: q.SplitUS * micro, half: splitHalf,
	}
}

// Time returns seconds for a batch of sequences of mean context each.
func (q *Decode) Time(batch, context float64) float64 {
	return q.launch + q.unit*batch + q.token*batch*context + q.split*context/(context+q.half)
}

// AllReduce adds vectors over the GPUs of one NVLink domain.
type AllReduce struct {
	launch  float64
	element float64
	ramp    float64
	half    float64 // elements
}

// AllReduce prepares one over some GPUs. A ring moves 2(t-1)/t of the vector over each link
// (Patarasuk and Yuan 2009); what is reached of the link is fitted at 2 and 8 GPUs and linear between.
func (c *Curves) AllReduce(gpus int, g GPU) AllReduce {
	if gpus < 2 || g.NVLink <= 0 {
		return AllReduce{}
	}
	r, t := &c.Reduce, math.Min(float64(gpus), 8)
	share := r.Share2 + (r.Share8-r.Share2)*(t-2)/6
	return AllReduce{
		launch: (r.LaunchUS + r.RankUS*t) * micro, ramp: r.RampUS * micro * (t - 1), half: r.HalfMB * 1e6 / 2,
		element: 2 * 2 * (t - 1) / t / (g.NVLink * share),
	}
}

// Time returns seconds for a number of 16-bit elements.
func (q *AllReduce) Time(elements float64) float64 {
	if q.element == 0 {
		return 0
	}
	return q.launch + q.element*elements + q.ramp*elements/(elements+q.half)
}
