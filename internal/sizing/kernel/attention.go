package kernel

// Prefill is causal attention over prompts in one layer on one GPU.
type Prefill struct {
	launch  float64
	path    float64 // seconds per key of the longest row of tiles
	token   float64 // seconds per token to move its vectors
	pair    float64 // seconds per token and token it attends to
	fill    float64 // share of the multiprocessors that a token's tiles fill
	overlap float64
}

// Prefill prepares attention with query heads and KV heads of one GPU. compute is the format
// of the products, kv that of the cache. One multiprocessor takes 128 queries of one head
// over all their keys, at its part of what the whole GPU reaches: no prompt is faster.
func (c *Curves) Prefill(compute, kv Format, heads, kvHeads, headDim float64, g GPU) Prefill {
	p := &c.Prompt
	q, f := p.BF16, BF16
	if compute != BF16 || kv != BF16 {
		q, f = p.FP8, p.Eight
		if f != BF16 && g.FP8 == 0 { // unpacked, with the share of 16 bit
			q.Compute, f = p.BF16.Compute, BF16
		}
	}
	rate := f.peak(g) * q.Compute
	return Prefill{
		launch: q.LaunchUS * micro, overlap: p.Overlap,
		path:  4 * tile * headDim * multiprocessors / rate,
		pair:  4 * heads * headDim / rate,
		fill:  heads / (tile * multiprocessors),
		token: 4 * (heads + kvHeads) * headDim / (g.Bandwidth * p.Moves),
	}
}

// Time returns seconds for a batch of prompts of a length each, with past tokens already in
// the cache before them.
func (q *Prefill) Time(batch, length, past float64) float64 {
	tokens := batch * length
	keys := length + past*min(1, tokens*q.fill)
	return q.launch + longer(q.path*keys, q.token*tokens+q.pair*tokens*(past+length/2), q.overlap)
}

// splitHalf are the tokens of context at which half of the cost of splitting is paid; the
// fit is flat around it.
const splitHalf = 512

// Decode is attention of decoding sequences in one layer on one GPU.
type Decode struct {
	launch  float64
	heads   float64 // KV heads
	unit    float64 // seconds per sequence and KV head beyond those that run at once
	token   float64 // seconds per token of context
	split   float64
	overlap float64
}

// Decode prepares attention over a cache in format kv. Reading the cache sets its time;
// query heads that share it cost nothing up to 16 a group.
func (c *Curves) Decode(kv Format, heads, kvHeads, headDim float64, g GPU) Decode {
	a := &c.Answer
	q := &a.BF16
	if kv != BF16 {
		q = &a.FP8
	}
	return Decode{
		launch: q.LaunchUS * micro, heads: kvHeads, unit: q.UnitNS * nano,
		token: 2 * kvHeads * headDim * kv.Bytes() / (g.Bandwidth * q.Bandwidth),
		split: a.SplitUS * micro, overlap: a.Overlap,
	}
}

// Time returns seconds for a batch of sequences of mean context each, read from memory.
func (q *Decode) Time(batch, context float64) float64 {
	return q.time(batch, context, 1)
}

// time is Time with only a share of the reading.
func (q *Decode) time(batch, context, share float64) float64 {
	units := max(0, batch*q.heads-multiprocessors) * q.unit
	return q.launch + q.split*context/(context+splitHalf) + longer(q.token*batch*context*share, units, q.overlap)
}
