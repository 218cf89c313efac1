package calibrate

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"rackwright/internal/predict"
	"rackwright/internal/sizing/calibration"
	"rackwright/internal/sizing/kernel"
)

// Import is an own kernel table made into a set: what became of its rows, the curves before
// and after, and the set, which nothing uses before somebody chooses it.
type Import struct {
	Set    *calibration.Set
	Report kernel.Report
	Before []kernel.Residual // of the set's curves on shapes that the fit did not see, by operator and format
	After  []kernel.Residual // of the curves fitted to the other shapes
}

// ImportTable fits the curves of an engine to a table of the published form, measured on an
// H100 SXM, and puts them into a copy of a set. End-to-end constants and bands stay those of
// the set: they were not fitted with these curves, so score the result before using it.
func ImportTable(r io.Reader, base *calibration.Set, engine, source, sha256, asOf string) (Import, error) {
	if !slices.Contains(kernel.Engines, engine) {
		return Import{}, fmt.Errorf("engine %q is none of %v", engine, kernel.Engines)
	}
	table, report, err := kernel.ParseTable(r)
	if err != nil {
		return Import{}, err
	}
	kept, bad := table.Gate(kernel.H100)
	report.Add(bad)
	curves, err := FitCurves(kept, engine)
	if err != nil {
		return Import{}, err
	}
	curves.Source, curves.SHA256, curves.AsOf = source, sha256, asOf
	out := Import{Report: report}
	old := base.Stack(engine).Curves
	for _, op := range kernel.Ops {
		_, held := splitRows(kept, engine, op) // shapes that the fit did not see
		if len(held) == 0 {
			continue
		}
		out.Before = append(out.Before, residualsOf(old, op, held, true)...)
		out.After = append(out.After, residualsOf(&curves, op, held, true)...)
	}
	set := *base
	set.Version, set.Stacks = base.Version+"+"+engine+"."+sha256[:min(8, len(sha256))], slices.Clone(base.Stacks)
	for i := range set.Stacks {
		if set.Stacks[i].Engine == engine {
			set.Stacks[i].Curves = &curves
		}
	}
	out.Set = &set
	return out, nil
}

// ScoreSet scores a set on a file of measured rows, each predicted from its inputs alone.
func ScoreSet(set *calibration.Set, measured []byte, from predict.Sources) ([]Score, error) {
	var said bytes.Buffer
	if _, err := predict.Run(bytes.NewReader(measured), &said, predict.NewEngine(set), from); err != nil {
		return nil, err
	}
	all, err := ReadScored(bytes.NewReader(measured), &said, from.Models)
	if err != nil {
		return nil, err
	}
	return Scores(all), nil
}
