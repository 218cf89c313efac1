package calibrate

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/optimize"

	"rackwright/internal/predict"
	"rackwright/internal/sizing/calibration"
)

// Prior are the end-to-end constants from which every fit begins and to which it is drawn:
// scales of one, and the orders of magnitude of the sizing method, section 4.
var Prior = calibration.Fitted{
	Matrices: 1, Launch: 0.7, Attention: 1, Reduce: 1, Experts: 1, Unpack: 1.2, Skew: 1.2, LayerUS: 5, SequenceUS: 4,
	StockLayer: 4, StockUS: 8, Old: 20, RequestMS: 15, TokenUS: 4, Year: 0.1,
}

// pull is the weight of the squared distance to the prior, in logarithms.
const pull = 0.02

// fitter fits the constants of one stack.
type fitter struct {
	engine *predict.Engine
	stack  *calibration.Stack
	rows   []observation
}

// cost is the weighted mean of |ln(predicted/measured)|, smoothed at zero, plus the pull.
func (f *fitter) cost(x []float64) float64 {
	vars, prior := f.stack.Fitted.Constants(), Prior
	start := prior.Constants()
	var drawn float64
	for i, v := range vars {
		*v = math.Exp(x[i])
		d := x[i] - math.Log(*start[i])
		drawn += d * d
	}
	var sum, weight float64
	var last *predict.Row
	var answer predict.Answer
	for i := range f.rows {
		o := &f.rows[i]
		if o.metric == "ttft_ms" { // fitted afterwards, on simulations
			continue
		}
		if o.row != last {
			last = o.row
			answer, _ = f.engine.Predict(o.row)
		}
		x, ok := answer[o.metric]
		if !ok || x <= 0 {
			continue
		}
		e := math.Log(x / o.value)
		if math.IsInf(e, 0) || math.IsNaN(e) {
			continue
		}
		sum += o.weight * math.Sqrt(e*e+1e-4)
		weight += o.weight
	}
	if weight == 0 {
		return math.Inf(1)
	}
	return sum/weight + pull*drawn
}

// run minimises the cost by Nelder-Mead from the stack's present constants.
func (f *fitter) run(size float64, evaluations, restarts int) error {
	vars := f.stack.Fitted.Constants()
	x := make([]float64, len(vars))
	for i, v := range vars {
		x[i] = math.Log(math.Max(*v, 1e-6))
	}
	best := slices.Clone(x)
	least := f.cost(best)
	for range restarts {
		res, err := optimize.Minimize(optimize.Problem{Func: f.cost}, slices.Clone(best), &optimize.Settings{FuncEvaluations: evaluations}, &optimize.NelderMead{SimplexSize: size})
		if res == nil {
			return err
		}
		if res.F < least {
			best, least = res.X, res.F
		}
	}
	f.cost(best)
	return nil
}

// fitFirst fits what comes before the first step of a request, per request and per prompt
// token, on simulated closed loops: times to first token without it, plus it, against the
// measured ones, by the least mean |ln| on a grid.
func (f *fitter) fitFirst() {
	v := &f.stack.Fitted
	v.RequestMS, v.TokenUS = 0, 0
	quick := f.engine.Quick
	f.engine.Quick = false
	defer func() { f.engine.Quick = quick }()
	type point struct{ base, prompt, measured, weight float64 }
	var points []point
	for i := range f.rows {
		o := &f.rows[i]
		if o.metric != "ttft_ms" || o.row.Scenario != predict.FixedUsers {
			continue
		}
		if a, why := f.engine.Predict(o.row); why == "" && a[o.metric] > 0 {
			points = append(points, point{a[o.metric], o.row.Prompt.Mean, o.value, o.weight})
		}
	}
	least := math.Inf(1)
	for request := 1.0; request < 200; request *= 1.25 {
		for token := 0.5; token < 100; token *= 1.5 {
			sum := pull * (sq(math.Log(request/Prior.RequestMS)) + sq(math.Log(token/Prior.TokenUS)))
			var weight float64
			for _, p := range points {
				weight += p.weight
			}
			for _, p := range points {
				sum += p.weight / weight * math.Abs(math.Log((p.base+request+token*1e-3*p.prompt)/p.measured))
			}
			if sum < least {
				least, v.RequestMS, v.TokenUS = sum, math.Round(100*request)/100, math.Round(100*token)/100
			}
		}
	}
}

func sq(x float64) float64 { return x * x }

// fitBoards finds the share of its peak that each board of another form sustains, on rows
// within and without limits, by the least sum of the models' median errors on a grid.
func fitBoards(e *predict.Engine, rows []observation) {
	for _, form := range []struct {
		name  string
		share *float64
	}{{"H100 PCIe", &e.Boards.PCIe}, {"H100 NVL", &e.Boards.NVL}} {
		best, least := 0.0, math.Inf(1)
		for share := 0.30; share < 1.005; share += 0.01 {
			*form.share = share
			errs := map[string][]float64{} // by model: one of many submissions must not decide
			for i := range rows {
				o := &rows[i]
				if boardClass(o.row.GPUName) != form.name || o.metric != "output_tok_s" {
					continue
				}
				if a, why := e.Predict(o.row); why == "" {
					errs[o.row.ModelName] = append(errs[o.row.ModelName], math.Abs(math.Log(a[o.metric]/o.value)))
				}
			}
			if len(errs) == 0 {
				break
			}
			var sum float64
			for _, x := range errs {
				sum += median(x)
			}
			if sum < least {
				best, least = share, sum
			}
		}
		*form.share = math.Round(best*100) / 100
		if best == 0 {
			*form.share = 0.5
		}
	}
}
