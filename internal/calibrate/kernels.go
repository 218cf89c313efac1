// Package calibrate fits the engine's constants to published measurements and scores what
// comes out. It is a tool: the product only carries its results.
package calibrate

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/optimize"

	"rackwright/internal/sizing/kernel"
)

// startCurves sets the constants of an operator to what textbooks and data sheets suggest. Every
// fit begins there, so that equal tables give equal curves.
func startCurves(c *kernel.Curves, op string) {
	m := func(launch, compute, wave float64) kernel.MatrixFormat {
		return kernel.MatrixFormat{LaunchUS: launch, Compute: compute, Weights: 0.85, Wave: wave}
	}
	switch op {
	case kernel.OpGEMM:
		c.Matrix = kernel.Matrix{BF16: m(4, 0.8, 0.1), FP8: m(8, 0.75, 0.1), FP8Block: m(8, 0.7, 0.3), Scale: 0.6, ScaleRows: 0.6, Overlap: 0.2}
	case kernel.OpPrefill:
		c.Prompt = kernel.Prompt{
			BF16: kernel.PromptFormat{LaunchUS: 10, Compute: 0.6}, FP8: kernel.PromptFormat{LaunchUS: 10, Compute: 0.5},
			Eight: c.Prompt.Eight, Moves: 0.5, Overlap: 0.2,
		}
	case kernel.OpDecode:
		f := kernel.AnswerFormat{LaunchUS: 9, Bandwidth: 0.9, UnitNS: 20}
		c.Answer = kernel.Answer{BF16: f, FP8: f, SplitUS: 5, Overlap: 0.5, Warm: 0.7}
	case kernel.OpReduce:
		c.Reduce = kernel.Reduce{LaunchUS: 2.5, RankUS: 0.2, Ring: 0.7, Switch: 1, Direct: 0.7, RampUS: 8}
	case kernel.OpExperts:
		c.Mixture = kernel.Mixture{LaunchUS: 28, BF16: 0.8, FP8: 0.6, FP8Block: 0.3, Weights: 0.9, Passes: 5, Ranks: 0.3, Overlap: 0.5}
	}
}

// FitCurves fits the curves of an engine to its rows of a gated table of H100 SXM. Operators
// and formats without rows keep the constants that the product ships for the engine. A third
// of the shapes is held out; the residuals of both parts are in the result. Source and date
// are the caller's to set.
func FitCurves(t kernel.Table, engine string) (kernel.Curves, error) {
	c := kernel.Shipped(engine)
	c.Engine, c.Residuals = engine, slices.Clone(c.Residuals)
	found := false
	for _, op := range kernel.Ops {
		seen, kept := splitRows(t, engine, op)
		if len(seen) == 0 {
			continue
		}
		found = true
		f := curveFit{curves: &c, op: op, rows: seen}
		if err := f.run(); err != nil {
			return c, fmt.Errorf("%s of %s: %w", op, engine, err)
		}
		c.Residuals = slices.DeleteFunc(c.Residuals, func(r kernel.Residual) bool { return r.Op == op })
		c.Residuals = append(c.Residuals, residualsOf(&c, op, seen, false)...)
		c.Residuals = append(c.Residuals, residualsOf(&c, op, kept, true)...)
	}
	if !found {
		return c, fmt.Errorf("the table has no rows of %s", engine)
	}
	return c, nil
}

// splitRows divides the rows of an operator by shape: two thirds to fit, one to check.
func splitRows(t kernel.Table, engine, op string) (seen, kept []kernelRow) {
	for _, r := range t.Rows {
		if r.Op != op || r.Engine != engine {
			continue
		}
		w := weighRow(&r)
		if w.weight == 0 {
			continue
		}
		if unseen(&r) {
			kept = append(kept, w)
		} else {
			seen = append(seen, w)
		}
	}
	return seen, kept
}

// unseen picks a third of the shapes by a hash (the finaliser of SplitMix64, Steele, Lea
// and Flood 2014) of all sides but the number of tokens or sequences.
func unseen(r *kernel.Row) bool {
	h := uint64(r.B)*0x9E3779B97F4A7C15 + uint64(r.C)*0xC2B2AE3D27D4EB4F
	h = (h ^ h>>30) * 0xBF58476D1CE4E5B9
	h = (h ^ h>>27) * 0x94D049BB133111EB
	return (h^h>>31)%3 == 0
}

// kernelRow is a row, how much it counts and in which part of the residuals.
type kernelRow struct {
	kernel.Row
	weight float64
	regime string
}

// The part of a row's weight that shapes get which served models seldom have, and the sizes
// that part them.
const (
	seldomWeight  = 0.3
	narrowSide    = 1024 // outputs or inputs of a product
	narrowestSide = 256
	decodeTokens  = 512 // tokens
	shortPrompt   = 64  // tokens of a prompt or of context
	largestGroup  = 16  // query heads that share a KV head
	fewElements   = 4096
	mostRanks     = 32
)

// weighRow says how much a row counts: 0 for shapes that no served model has.
func weighRow(r *kernel.Row) kernelRow {
	w := kernelRow{Row: *r, weight: 1}
	switch r.Op {
	case kernel.OpGEMM:
		switch {
		case r.B < narrowestSide || r.C < narrowestSide:
			w.weight = 0
		case r.B < narrowSide || r.C < narrowSide:
			w.weight, w.regime = seldomWeight, "narrow"
		case r.A <= decodeTokens:
			w.regime = "decode"
		default:
			w.regime = "prefill"
		}
	case kernel.OpPrefill, kernel.OpDecode:
		w.regime = "grouped"
		if r.C == r.D {
			w.weight, w.regime = seldomWeight, "ungrouped"
		}
		switch {
		case r.C > largestGroup*r.D && r.Op == kernel.OpDecode, r.B < shortPrompt && r.Op == kernel.OpPrefill:
			w.weight = 0
		case r.B < shortPrompt:
			w.weight, w.regime = w.weight*seldomWeight, "short"
		}
		if r.Dtype == "bfloat16|fp8" { // mixed, beside pure 8 bit where an engine has it
			w.weight /= 2
		}
	case kernel.OpReduce:
		if r.B < fewElements {
			w.weight, w.regime = seldomWeight, "short"
		}
	case kernel.OpExperts:
		w.regime = "skewed"
		switch {
		case r.B*r.C > mostRanks:
			w.weight = 0
		case r.Skew == 0:
			w.weight, w.regime = seldomWeight, "even"
		case r.Skew < kernel.Skewed:
			w.weight = 0.5
		}
	}
	return w
}

// curveFit is the fit of one operator. It minimises the sum of smoothed absolute log errors,
// sqrt(e² + softness²), over the logarithms of the constants, so that they stay positive.
type curveFit struct {
	curves *kernel.Curves
	op     string
	rows   []kernelRow
	vars   []kernel.Constant
	begin  []float64
	total  float64 // weight
}

const (
	softness     = 0.03  // errors below it count as squares
	rowPull      = 1e-6  // towards the start, so that what rows do not tell stays
	rowWall      = 30    // of constants above what physics allows
	slopeStep    = 1e-4  // of a logarithm in differences
	newtonRounds = 200   // of Newton's method
	settled      = 1e-9  // change of the mean error that ends it
	unmoved      = 1e-12 // sum of a constant's squared effects below which no row depends on it
)

func (f *curveFit) run() error {
	c := f.curves
	f.vars = c.Constants(f.op)
	shipped := make([]float64, len(f.vars))
	for i, v := range f.vars {
		shipped[i] = *v.Value
	}
	startCurves(c, f.op)
	f.begin = make([]float64, len(f.vars))
	for i, v := range f.vars {
		f.begin[i] = math.Log(*v.Value)
	}
	for i := range f.rows {
		f.total += f.rows[i].weight
	}
	best, err := f.minimise()
	if err != nil {
		return err
	}
	hess := mat.NewSymDense(len(f.vars), nil)
	f.slopes(best, nil, hess, false)
	f.set(best)
	for i, v := range f.vars {
		*v.Value = significant(*v.Value)
		if v.Most > 0 {
			*v.Value = min(*v.Value, v.Most)
		}
		if hess.At(i, i) < unmoved {
			*v.Value = shipped[i]
		}
	}
	return nil
}

// minimise runs Newton's method with the Hessian of Gauss and Newton.
func (f *curveFit) minimise() ([]float64, error) {
	problem := optimize.Problem{
		Func: f.cost,
		Grad: func(grad, x []float64) { f.slopes(x, grad, nil, true) },
		Hess: func(hess *mat.SymDense, x []float64) { f.slopes(x, nil, hess, true) },
	}
	settings := &optimize.Settings{
		MajorIterations: newtonRounds, GradientThreshold: 1e-7,
		Converger: &optimize.FunctionConverge{Absolute: settled, Iterations: 6},
	}
	res, err := optimize.Minimize(problem, f.begin, settings, &optimize.Newton{})
	if res == nil || math.IsNaN(res.F) || res.F > f.cost(f.begin) {
		return nil, fmt.Errorf("the fit does not converge: %w", err)
	}
	return res.X, nil // a line search that finds nothing better is an end, not a fault
}

// significant rounds to four digits: the fit is not better than that.
func significant(x float64) float64 {
	scale := math.Pow(10, 3-math.Floor(math.Log10(x)))
	return math.Round(x*scale) / scale
}

func (f *curveFit) set(x []float64) {
	for i, v := range f.vars {
		*v.Value = math.Exp(x[i])
	}
}

// miss is the log error of a row.
func (f *curveFit) miss(i int) float64 {
	return math.Log(f.curves.Time(&f.rows[i].Row, kernel.H100) / (f.rows[i].Millis * 1e-3))
}

// over is how far a logarithm is above what physics allows.
func (f *curveFit) over(i int, x float64) float64 {
	if f.vars[i].Most == 0 {
		return 0
	}
	return max(0, x-math.Log(f.vars[i].Most))
}

func (f *curveFit) cost(x []float64) float64 {
	f.set(x)
	var sum, extra float64
	for i := range f.rows {
		e := f.miss(i)
		sum += f.rows[i].weight * math.Sqrt(e*e+softness*softness)
	}
	for i := range x {
		d, over := x[i]-f.begin[i], f.over(i, x[i])
		extra += rowPull*d*d/2 + rowWall*over*over/2
	}
	return sum/f.total + extra
}

// slopes adds up the gradient and the Hessian of the cost, or of the rows' part of it.
func (f *curveFit) slopes(x, grad []float64, hess *mat.SymDense, whole bool) {
	n := len(x)
	base := make([]float64, len(f.rows))
	f.set(x)
	for i := range f.rows {
		base[i] = f.miss(i)
	}
	effect := make([][]float64, n)
	for j := range n {
		moved := slices.Clone(x)
		moved[j] += slopeStep
		f.set(moved)
		effect[j] = make([]float64, len(f.rows))
		for i := range f.rows {
			effect[j][i] = (f.miss(i) - base[i]) / slopeStep
		}
	}
	f.set(x)
	for j := range n {
		var slope float64
		for i, e := range base {
			slope += f.rows[i].weight / f.total * effect[j][i] * e / math.Sqrt(e*e+softness*softness)
		}
		d, over := x[j]-f.begin[j], f.over(j, x[j])
		if grad != nil {
			grad[j] = slope + rowPull*d + rowWall*over
		}
		for k := j; hess != nil && k < n; k++ {
			var sum float64
			for i, e := range base {
				sum += f.rows[i].weight / f.total * effect[j][i] * effect[k][i] / math.Sqrt(e*e+softness*softness)
			}
			if whole && j == k {
				sum += rowPull
				if over > 0 {
					sum += rowWall
				}
			}
			hess.SetSym(j, k, sum)
		}
	}
}

// residualsOf states the errors by format and regime.
func residualsOf(c *kernel.Curves, op string, rows []kernelRow, held bool) []kernel.Residual {
	type class struct{ format, regime string }
	by := map[class][]float64{}
	for i := range rows {
		k := class{rows[i].Dtype, rows[i].regime}
		by[k] = append(by[k], math.Log(c.Time(&rows[i].Row, kernel.H100)/(rows[i].Millis*1e-3)))
	}
	var out []kernel.Residual
	for k, es := range by {
		abs := make([]float64, len(es))
		for i, e := range es {
			abs[i] = math.Abs(e)
		}
		slices.Sort(es)
		slices.Sort(abs)
		at := func(s []float64, p float64) float64 { return math.Round(1e4*s[int(p*float64(len(s)-1))]) / 1e4 }
		out = append(out, kernel.Residual{
			Op: op, Format: k.format, Regime: k.regime, Rows: len(es),
			Median: at(abs, 0.5), P90: at(abs, 0.9), Bias: at(es, 0.5), HeldOut: held,
		})
	}
	slices.SortFunc(out, func(a, b kernel.Residual) int {
		return slices.Compare([]string{a.Format, a.Regime}, []string{b.Format, b.Regime})
	})
	return out
}
