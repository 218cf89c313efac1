// Package calibrate fits the engine's constants to published measurements and scores what
// comes out. It is a tool: the product only carries its results.
package calibrate

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/optimize"

	"rackwright/internal/sizing/kernel"
)

// H100 is the board of the published kernel tables: NVIDIA H100 SXM5 80 GB datasheet.
var H100 = kernel.GPU{BF16: 989.4e12, FP8: 1978.9e12, Bandwidth: 3350e9, NVLink: 450e9}

// start are physically sensible constants from which every fit begins.
func start(engine string) kernel.Curves {
	f := func(launch, compute, weights, activates float64) kernel.MatrixFormat {
		return kernel.MatrixFormat{LaunchUS: launch, Compute: compute, Weights: weights, Activates: activates}
	}
	return kernel.Curves{
		Engine: engine,
		Matrix: kernel.Matrix{BF16: f(5, 0.82, 0.9, 1.5), FP8: f(13, 0.7, 0.85, 0.7), FP8Block: f(6, 0.62, 0.85, 1), Overlap: 0.2, Wave: 0.3},
		Prompt: kernel.Prompt{LaunchUS: 12, RowNS: 12, Compute: 0.55, HeadNS: 0.6, Compute8: 0.4, Head8NS: 0.5},
		Answer: kernel.Answer{
			BF16: kernel.AnswerFormat{LaunchUS: 8, Bandwidth: 0.93, UnitNS: 30, SplitUS: 6},
			FP8:  kernel.AnswerFormat{LaunchUS: 6, Bandwidth: 0.93, UnitNS: 9, SplitUS: 6},
		},
		Reduce: kernel.Reduce{LaunchUS: 2.4, RankUS: 0.2, Share2: 0.7, Share8: 1, RampUS: 5, HalfMB: 2},
		Mixture: kernel.Mixture{
			LaunchUS: 20, Overlap: 0.2, Pad: 32, Skew: 0.15,
			BF16: kernel.MixtureFormat{HalfWidth: 500, Weights: 0.9}, FP8: kernel.MixtureFormat{HalfWidth: 700, Weights: 0.85},
			FP8Block: kernel.MixtureFormat{HalfWidth: 2500, Weights: 0.85},
		},
	}
}

// fitRows bounds the rows of one operator that a fit looks at.
const fitRows = 6000

// FitCurves fits the curves of an engine to its rows of a gated table. Operators without
// rows keep the constants of from; so do formats that a table does not have. The residuals
// of a third of the shapes, which the fit did not see, stand beside those of the others.
func FitCurves(t kernel.Table, engine string, from *kernel.Curves) (kernel.Curves, error) {
	c := start(engine)
	if from != nil {
		c = *from
		c.Engine = engine
	}
	c.Residuals = nil
	found := false
	for _, op := range kernel.Ops {
		seen, kept := split(t, engine, op)
		if len(seen) == 0 {
			continue
		}
		found = true
		if err := fitOp(&c, op, thin(seen, fitRows)); err != nil {
			return c, fmt.Errorf("%s: %w", op, err)
		}
		c.Residuals = append(c.Residuals, residuals(&c, op, seen, false)...)
		c.Residuals = append(c.Residuals, residuals(&c, op, kept, true)...)
	}
	if !found {
		return c, fmt.Errorf("no rows of %s", engine)
	}
	return c, nil
}

// split divides the rows of an operator by shape: two thirds to fit, one to check.
func split(t kernel.Table, engine, op string) (seen, kept []kernel.Row) {
	for _, r := range t.Rows {
		if r.Op != op || r.Engine != engine || !wanted(&r) {
			continue
		}
		h := uint64(r.B)*0x9E3779B97F4A7C15 + uint64(r.C)*0xC2B2AE3D27D4EB4F
		if op == kernel.OpReduce {
			h = uint64(r.B) * 0x9E3779B97F4A7C15
		}
		if (h>>33)%3 == 0 {
			kept = append(kept, r)
		} else {
			seen = append(seen, r)
		}
	}
	return seen, kept
}

// wanted leaves out shapes that no served model has.
func wanted(r *kernel.Row) bool {
	switch r.Op {
	case kernel.OpGEMM:
		return r.B >= 256 && r.C >= 256
	case kernel.OpExperts:
		return r.B*r.C <= 32
	case kernel.OpPrefill:
		return r.B >= 64
	}
	return true
}

func thin(rows []kernel.Row, n int) []kernel.Row {
	if len(rows) <= n {
		return rows
	}
	out := make([]kernel.Row, 0, n)
	for i := range n {
		out = append(out, rows[i*len(rows)/n])
	}
	return out
}

// fitOp minimises the mean absolute log error of one operator by Nelder-Mead, with
// constants in logarithms so that they stay positive.
func fitOp(c *kernel.Curves, op string, rows []kernel.Row) error {
	vars := c.Constants(op)
	x := make([]float64, len(vars))
	for i, v := range vars {
		x[i] = math.Log(math.Max(*v, 1e-6))
	}
	begin := slices.Clone(x)
	cost := func(x []float64) float64 {
		var pull float64
		for i, v := range vars {
			*v = math.Exp(x[i])
			pull += (x[i] - begin[i]) * (x[i] - begin[i])
		}
		var sum float64
		for i := range rows {
			e := math.Log(c.Time(&rows[i], H100) / (rows[i].Millis * 1e-3))
			sum += math.Sqrt(e*e + 1e-4)
		}
		return sum/float64(len(rows)) + 1e-4*pull
	}
	for range 3 { // restarts: the simplex collapses
		res, err := optimize.Minimize(optimize.Problem{Func: cost}, x, &optimize.Settings{FuncEvaluations: 4000}, &optimize.NelderMead{SimplexSize: 0.3})
		if res == nil {
			return err
		}
		x = res.X
	}
	cost(x)
	return nil
}

func residuals(c *kernel.Curves, op string, rows []kernel.Row, held bool) []kernel.Residual {
	by := map[string][]float64{}
	for i := range rows {
		by[rows[i].Dtype] = append(by[rows[i].Dtype], math.Log(c.Time(&rows[i], H100)/(rows[i].Millis*1e-3)))
	}
	var out []kernel.Residual
	for _, dtype := range slices.Sorted(func(yield func(string) bool) {
		for k := range by {
			if !yield(k) {
				return
			}
		}
	}) {
		es := by[dtype]
		abs := make([]float64, len(es))
		for i, e := range es {
			abs[i] = math.Abs(e)
		}
		slices.Sort(es)
		slices.Sort(abs)
		at := func(s []float64, p float64) float64 { return math.Round(1e4*s[int(p*float64(len(s)-1))]) / 1e4 }
		out = append(out, kernel.Residual{Op: op, Format: dtype, Rows: len(es), Median: at(abs, 0.5), P90: at(abs, 0.9), Bias: at(es, 0.5), HeldOut: held})
	}
	return out
}
