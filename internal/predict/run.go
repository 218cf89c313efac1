package predict

import (
	"encoding/csv"
	"fmt"
	"io"
	"math"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"rackwright/internal/sizing/calibration"
	"rackwright/internal/sizing/hardware"
	"rackwright/internal/sizing/serving"
)

// NewEngine returns the engine with a set of constants.
func NewEngine(set *calibration.Set) *Engine {
	e := &Engine{Stacks: map[string]*calibration.Stack{}, Boards: serving.BoardShares(set.Boards), Set: set}
	for i := range set.Stacks {
		e.Stacks[set.Stacks[i].Engine] = &set.Stacks[i]
	}
	return e
}

// Header is the first line of the output.
var Header = []string{"id", "metric", "predicted", "p10", "p90", "status", "reason"}

// Summary is what a run has done.
type Summary struct {
	Rows, Figures, Refused int
	Unknown                []string // columns that were not looked at because no schema has them
}

// Run predicts every row of a file and writes one line per figure.
func Run(r io.Reader, w io.Writer, e *Engine, from Sources) (Summary, error) {
	rows, unknown, err := readFile(r, from)
	if err != nil {
		return Summary{}, err
	}
	sum := Summary{Rows: len(rows), Unknown: unknown}
	out := csv.NewWriter(w)
	if err := out.Write(Header); err != nil {
		return Summary{}, err
	}
	for i, said := range e.predictAll(rows) {
		for _, line := range e.lines(&rows[i], said) {
			sum.Figures++
			if line[5] != statusOK {
				sum.Refused++
			}
			if err := out.Write(line); err != nil {
				return Summary{}, err
			}
		}
	}
	out.Flush()
	return sum, out.Error()
}

// The two values of the column status.
const (
	statusOK      = "ok"
	statusRefused = "refused"
)

// said is what the engine says about a row, or why nothing.
type said struct {
	answer Answer
	why    string
}

// predictAll answers rows on all processors, those of one configuration once: benchmarks
// give each metric a row of its own.
func (e *Engine) predictAll(rows []Row) []*said {
	out := make([]*said, len(rows))
	known := map[string]*said{}
	todo := make(chan func())
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for work := range todo {
				work()
			}
		})
	}
	for i := range rows {
		r, key := &rows[i], rows[i].configuration()
		if out[i] = known[key]; out[i] == nil {
			s := &said{}
			out[i], known[key] = s, s
			todo <- func() { s.answer, s.why = e.Predict(r) }
		}
	}
	close(todo)
	workers.Wait()
	return out
}

// configuration is equal for rows that differ in nothing but the figure that is asked for.
func (r *Row) configuration() string {
	same := *r
	same.ID, same.Line, same.Metrics = "", 0, nil
	return fmt.Sprintf("%+v", same)
}

// Lines returns the output of one row.
func (e *Engine) Lines(r *Row) [][]string {
	var s said
	s.answer, s.why = e.Predict(r)
	return e.lines(r, &s)
}

func (e *Engine) lines(r *Row, s *said) [][]string {
	if p, why, ok := r.images(); ok && why == "" {
		return [][]string{line(r.ID, r.Metrics[0], p)}
	} else if ok {
		return r.refusals(why)
	}
	if s.why != "" {
		return r.refusals(s.why)
	}
	var out [][]string
	for _, m := range r.Metrics {
		x, known := s.answer[m]
		switch {
		case m == "":
			out = append(out, refusal(r.ID, m, "the metric is not stated"))
		case !known:
			out = append(out, refusal(r.ID, m, "metric "+m+" is not predicted"))
		case !(x > 0) || math.IsInf(x, 0):
			out = append(out, refusal(r.ID, m, r.noFigure(m)))
		default:
			out = append(out, line(r.ID, m, e.banded(r, m, x)))
		}
	}
	return out
}

// noFigure says why a metric has no figure where others may have one.
func (r *Row) noFigure(metric string) string {
	switch {
	case metric == "tpot_ms" && r.Answer.Mean < 2:
		return "an answer of one token has no time per further token"
	case metric == "ttft_ms" && r.Scenario == Offline:
		return "everything is sent at once: the time to first token is not predicted"
	}
	return "nothing gets through within these limits"
}

func (r *Row) refusals(why string) [][]string {
	var out [][]string
	for _, m := range r.Metrics {
		out = append(out, refusal(r.ID, m, why))
	}
	return out
}

func refusal(id, metric, why string) []string {
	return []string{id, metric, "", "", "", statusRefused, why}
}

func line(id, metric string, p Prediction) []string {
	f := func(x float64) string { return strconv.FormatFloat(x, 'g', 6, 64) }
	return []string{id, metric, f(p.Value), f(p.P10), f(p.P90), statusOK, p.Reason}
}

// banded puts the band of the row's cell around a figure.
func (e *Engine) banded(r *Row, metric string, x float64) Prediction {
	p := Prediction{Value: x, P10: x, P90: x}
	if e.Set != nil {
		p.P10, p.P90 = e.Set.BandOf(r.Cell(metric)).Around(x)
	}
	if r.Mapping.GPU.Form != hardware.SXM {
		p.Reason = "extrapolated: the board's share of its peak is a measured ratio"
	} else if !strings.HasPrefix(r.GPUName, "H100") && !strings.HasPrefix(r.GPUName, "H200") {
		p.Reason = "extrapolated: no measurement of this GPU is in the calibration"
	}
	return p
}

// Cell returns the kind of a figure of a row, for its band.
func (r *Row) Cell(metric string) calibration.Cell {
	c := calibration.Cell{Engine: r.Engine, Metric: "throughput", Regime: "closed", Board: "sxm"}
	c.Mixture = r.Mapping.Model != nil && r.Mapping.Model.IsMoE()
	switch {
	case strings.HasPrefix(metric, "ttft"):
		c.Metric = "ttft"
	case strings.HasPrefix(metric, "tpot"):
		c.Metric = "tpot"
	}
	switch r.Scenario {
	case Offline:
		c.Regime = "offline"
	case ServerSLO:
		c.Regime = "server"
	}
	if r.Mapping.GPU.Form != hardware.SXM {
		c.Board = "pcie"
	}
	return c
}
