package calibrate

import (
	"fmt"
	"io"
	"math"
	"slices"
	"strings"
	"time"

	"rackwright/internal/predict"
	"rackwright/internal/sizing/calibration"
	"rackwright/internal/sizing/kernel"
)

// Job is a calibration: measurements in, a set with its held-out scores out.
type Job struct {
	Measured []io.Reader // inference and closed-loop rows
	From     predict.Sources
	Curves   []kernel.Curves // by engine
	Now      time.Time
	Source   string
	Progress io.Writer
}

// Run fits the set on all rows, then again for every cell without it, and scores what was
// predicted for the cells that a fit did not see.
func (j *Job) Run() (*calibration.Set, []Scored, error) {
	var all []observation
	for _, r := range j.Measured {
		rows, err := read(r, j.From)
		if err != nil {
			return nil, nil, err
		}
		all = append(all, rows...)
	}
	weigh(all)
	set := &calibration.Set{Version: j.Now.Format("2006-01-02") + ".1", AsOf: j.Now.Format(time.DateOnly), Source: j.Source}
	for _, c := range j.Curves {
		set.Stacks = append(set.Stacks, calibration.Stack{Engine: c.Engine, Curves: &c, Fitted: Prior})
	}
	e := predict.NewEngine(set)
	e.Quick = true
	for i := range set.Stacks {
		name := set.Stacks[i].Engine
		f := fitter{engine: e, stack: &set.Stacks[i], rows: ofEngine(all, name, "")}
		if err := f.run(0.4, 2500, 4); err != nil {
			return nil, nil, fmt.Errorf("%s: %w", name, err)
		}
		f.fitFirst()
		_, _ = fmt.Fprintf(j.Progress, "%s: %d figures, %d constants\n", name, len(f.rows), set.Stacks[i].Count())
	}
	fitBoards(e, all)
	set.Boards = calibration.BoardShares(e.Boards)
	held := j.folds(set, all)
	set.Cells = cellsOf(held)
	scored := scoreHeld(set, held)
	for _, s := range Scores(scored) {
		set.Scores = append(set.Scores, s.rounded())
	}
	return set, scored, nil
}

func (s Score) rounded() calibration.HeldOut {
	r := func(x float64) float64 { return math.Round(10*x) / 10 }
	return calibration.HeldOut{
		Class: s.Class, Votes: s.Votes, Median: r(percent(s.Median)), P90: r(percent(s.P90)), Bias: r(percent(s.Bias)),
		Refused: r(100 * s.Refused), InBand: r(100 * s.InBand),
	}
}

func ofEngine(all []observation, engine, without string) []observation {
	var out []observation
	for _, o := range all {
		if o.fitted && o.row.Engine == engine && o.cell != without {
			out = append(out, o)
		}
	}
	return out
}

// heldOut is an observation with what was predicted for it without its cell.
type heldOut struct {
	observation
	predicted float64 // 0: refused
	reason    string
}

// folds holds out every cell in turn and predicts it with constants fitted on the others.
func (j *Job) folds(set *calibration.Set, all []observation) []heldOut {
	var out []heldOut
	for _, cell := range cells(all) {
		out = append(out, Fold(set, all, cell)...)
	}
	_, _ = fmt.Fprintf(j.Progress, "%d cells held out\n", len(cells(all)))
	return out
}

// Fold fits a copy of the set without a cell and predicts the cell's rows.
func Fold(set *calibration.Set, all []observation, cell string) []heldOut {
	fold := *set
	fold.Stacks = slices.Clone(set.Stacks)
	e := predict.NewEngine(&fold)
	e.Set, e.Quick = nil, true
	var mine []observation
	engine, form, inFit := "", "", false
	for _, o := range all {
		if o.cell == cell {
			mine = append(mine, o)
			engine, form, inFit = o.row.Engine, boardClass(o.row.GPUName), inFit || o.fitted
		}
	}
	if inFit && e.Stacks[engine] != nil {
		f := fitter{engine: e, stack: e.Stacks[engine], rows: ofEngine(all, engine, cell)}
		_ = f.run(0.15, 400, 1) // without rows the prior stays
		f.fitFirst()
	}
	if strings.HasPrefix(form, "H100 ") && form != "H100 SXM" {
		var rest []observation
		for _, o := range all {
			if o.cell != cell {
				rest = append(rest, o)
			}
		}
		fitBoards(e, rest)
	}
	e.Quick = false
	var out []heldOut
	for _, o := range mine {
		h := heldOut{observation: o}
		if lines := e.Lines(o.row); len(lines) > 0 {
			i := slices.IndexFunc(lines, func(l []string) bool { return l[1] == o.metric })
			if i >= 0 && lines[i][5] == "ok" {
				h.predicted = number(lines[i][2])
			} else if i >= 0 {
				h.reason = lines[i][6]
			}
		}
		out = append(out, h)
	}
	return out
}

// cellsOf collects the errors of held-out predictions into cells for the bands, by engine
// and over all engines. Each row counts once: bands are about rows.
func cellsOf(held []heldOut) []calibration.Cell {
	type key = calibration.Cell
	errs := map[key][]float64{}
	for _, h := range held {
		if h.scored == nil || h.predicted <= 0 || h.value <= 0 || strings.Contains(h.scored.Class, "diffusion") {
			continue
		}
		e := math.Log(h.value / h.predicted)
		k := h.row.Cell(h.metric)
		errs[k] = append(errs[k], e)
		k.Engine = ""
		errs[k] = append(errs[k], e)
	}
	var out []calibration.Cell
	for k, es := range errs {
		slices.Sort(es)
		abs := make([]float64, len(es))
		for i, e := range es {
			abs[i] = math.Abs(e)
		}
		at := func(p float64) float64 { return math.Round(1e4*quantile(es, p)) / 1e4 }
		k.Rows, k.Median, k.Q10, k.Q90 = len(es), math.Round(1e4*median(abs))/1e4, at(0.1), at(0.9)
		out = append(out, k)
	}
	slices.SortFunc(out, func(a, b calibration.Cell) int {
		return strings.Compare(fmt.Sprint(a.Engine, a.Mixture, a.Metric, a.Regime, a.Board), fmt.Sprint(b.Engine, b.Mixture, b.Metric, b.Regime, b.Board))
	})
	return out
}

// quantile interpolates between the order statistics of sorted values.
func quantile(sorted []float64, p float64) float64 {
	x := p * float64(len(sorted)-1)
	i := int(x)
	if i+1 >= len(sorted) {
		return sorted[len(sorted)-1]
	}
	return sorted[i] + (x-float64(i))*(sorted[i+1]-sorted[i])
}

func scoreHeld(set *calibration.Set, held []heldOut) []Scored {
	var out []Scored
	for _, h := range held {
		if h.scored == nil {
			continue
		}
		s := *h.scored
		s.Predicted, s.Reason = h.predicted, h.reason
		if h.predicted > 0 {
			if strings.Contains(s.Class, "diffusion") {
				s.P10, s.P90 = h.predicted*0.75, h.predicted*1.25
			} else {
				s.P10, s.P90 = set.BandOf(h.row.Cell(h.metric)).Around(h.predicted)
			}
		}
		out = append(out, s)
	}
	return out
}
