package kernel

import "slices"

// Constant is one fitted constant of a set of curves.
type Constant struct {
	Value *float64
	Most  float64 // physics allows no more; 0: open
}

// The most that shares can be: the gate lets measurements in that are 5 % faster than the
// peak, and attention of decoding sequences is known not to exceed 0.93 (sizing method, section 4).
const (
	mostShare  = 0.95
	mostDecode = 0.93
)

// constants lists every fitted constant, by operator.
func (c *Curves) constants() map[string][]Constant {
	open := func(v *float64) Constant { return Constant{v, 0} }
	upTo := func(most float64, v *float64) Constant { return Constant{v, most} }
	matrix := func(f *MatrixFormat) []Constant {
		return []Constant{open(&f.LaunchUS), upTo(mostShare, &f.Compute), upTo(mostShare, &f.Weights), upTo(1, &f.Wave)}
	}
	prompt := func(f *PromptFormat) []Constant {
		return []Constant{open(&f.LaunchUS), upTo(mostShare, &f.Compute)}
	}
	answer := func(f *AnswerFormat) []Constant {
		return []Constant{open(&f.LaunchUS), upTo(mostDecode, &f.Bandwidth), open(&f.UnitNS)}
	}
	m, p, a, x, r := &c.Matrix, &c.Prompt, &c.Answer, &c.Mixture, &c.Reduce
	return map[string][]Constant{
		OpGEMM: slices.Concat(matrix(&m.BF16), matrix(&m.FP8), matrix(&m.FP8Block),
			[]Constant{upTo(mostShare, &m.Scale), upTo(mostShare, &m.ScaleRows), upTo(1, &m.Overlap)}),
		OpPrefill: slices.Concat(prompt(&p.BF16), prompt(&p.FP8), []Constant{upTo(mostShare, &p.Moves), upTo(1, &p.Overlap)}),
		OpDecode: slices.Concat(answer(&a.BF16), answer(&a.FP8),
			[]Constant{open(&a.SplitUS), upTo(1, &a.Overlap), upTo(1, &a.Warm)}),
		OpReduce: {
			open(&r.LaunchUS), open(&r.RankUS), upTo(mostShare, &r.Ring), open(&r.Switch), upTo(1, &r.Direct), open(&r.RampUS),
		},
		OpExperts: {
			open(&x.LaunchUS), upTo(m.BF16.Compute, &x.BF16), upTo(m.FP8.Compute, &x.FP8), upTo(m.FP8Block.Compute, &x.FP8Block),
			upTo(mostShare, &x.Weights), open(&x.Passes), open(&x.Ranks), upTo(1, &x.Overlap),
		},
	}
}

// Constants returns the fitted constants of an operator of the tables, for a fit.
func (c *Curves) Constants(op string) []Constant { return c.constants()[op] }

// Count returns how many fitted constants the curves have.
func (c *Curves) Count() int {
	n := 0
	for _, list := range c.constants() {
		n += len(list)
	}
	return n
}
