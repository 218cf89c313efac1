package calibrate

import (
	"bytes"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"rackwright/internal/predict"
)

// observation is a measured figure with the inputs that belong to it.
type observation struct {
	row    *predict.Row
	metric string
	value  float64
	scored *Scored // nil: not among the rows that are scored
	cell   string  // model, GPU, engine, precision and tensor parallelism: held out together
	fitted bool    // may be in a fit
	weight float64
}

// read reads the rows of a file twice: the inputs as the product sees them, and the
// measured figures.
func read(r io.Reader, from predict.Sources) ([]observation, error) {
	raw, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	rows, err := predict.ReadRows(bytes.NewReader(raw), from)
	if err != nil {
		return nil, err
	}
	fields, err := readCSV(bytes.NewReader(raw))
	if err != nil {
		return nil, err
	}
	var out []observation
	for i, f := range fields {
		row := &rows[i]
		for _, m := range measuredIn(f) {
			o := observation{row: row, metric: m.metric, value: m.value, cell: cellOf(row)}
			class, source, vote, ok := classOf(f, m.metric, isMixture(f, from.Models))
			if ok {
				o.scored = &Scored{ID: row.ID, Metric: m.metric, Measured: m.value, Source: source, Vote: vote, Class: class}
			}
			o.fitted = m.value > 0 && fitted(row, f, ok) && possible(row, f)
			out = append(out, o)
		}
	}
	return out, nil
}

// cellOf names what is held out together. Endings of model names do not make another model.
func cellOf(r *predict.Row) string {
	name := r.ModelName
	if g := r.Mapping.Model; g != nil {
		name = g.HFID
	}
	return strings.Join([]string{name, r.GPUName, r.Engine, string(r.Mapping.Weights), "tp" + strconv.Itoa(r.Mapping.TP)}, "|")
}

// fitted reports whether a row may be in a fit: rows of H100 and H200 SXM that are scored,
// and the further tables of the same publisher; not those of which notes say that they
// cannot be true, nor limits under load, which are a check.
func fitted(r *predict.Row, f map[string]string, scored bool) bool {
	switch {
	case r.Scenario == predict.ServerSLO, !strings.HasPrefix(r.GPUName, "H100-SXM5") && !strings.HasPrefix(r.GPUName, "H200-SXM5"):
		return false
	case strings.HasPrefix(f["notes"], "tier=suspect"), r.Engine == "sglang" && strings.HasSuffix(r.ModelName, "Qwen3-32B"):
		return false
	}
	return scored || strings.HasPrefix(r.ID, "trt")
}

// mostUtilisation is the largest share of the peak that whole runs were ever published with,
// 0.55 (sanity band of the sizing method), and a margin; single products reach 0.87.
const mostUtilisation = 0.70

// possible reports whether a closed loop could have run as fast as measured: by Little's law
// its users send so many prompt and answer tokens a second, each of two operations per active
// parameter. Rows that cannot be true, for example because prompts came from a cache, stay in
// the scores and out of fits.
func possible(r *predict.Row, f map[string]string) bool {
	tpot, ttft := number(f["tpot_ms"])/1e3, number(f["ttft_ms"])/1e3
	m := &r.Mapping
	if r.Kind != predict.ClosedLoop || m.Model == nil || tpot <= 0 {
		return true
	}
	peak := float64(m.GPU.BF16)
	if m.Weights.Bits() == 8 && m.GPU.FP8 > 0 {
		peak = float64(m.GPU.FP8)
	}
	rate := r.Users / (ttft + tpot*(r.Answer.Mean-1))
	operations := rate * (r.Prompt.Mean + r.Answer.Mean) * 2 * float64(m.Model.ParamsActive())
	return operations < mostUtilisation*peak*float64(m.GPUs())
}

// weigh gives every cell the square root of its rows' weight, so that a cell of many rows
// does not decide alone; times to first token count less, because benchmarks do not record
// what they depend on.
func weigh(all []observation) {
	rows := map[string]float64{}
	for _, o := range all {
		rows[o.cell+o.metric]++
	}
	for i := range all {
		all[i].weight = 1 / math.Sqrt(rows[all[i].cell+all[i].metric])
		if all[i].metric == "ttft_ms" {
			all[i].weight *= firstTokenWeight
		}
	}
}

// firstTokenWeight follows the sizing method, section 4.
const firstTokenWeight = 0.3

func cells(all []observation) []string {
	var out []string
	for _, o := range all {
		if !slices.Contains(out, o.cell) {
			out = append(out, o.cell)
		}
	}
	slices.Sort(out)
	return out
}
