package kernel

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
)

// The operators of a table.
const (
	OpGEMM    = "gemm"
	OpPrefill = "prefill_attention"
	OpDecode  = "decode_attention"
	OpReduce  = "all_reduce"
	OpExperts = "moe_experts"
)

// Ops lists the operators.
var Ops = []string{OpGEMM, OpPrefill, OpDecode, OpReduce, OpExperts}

// Row is one measured kernel time. What A, B, C and D hold depends on the operator:
//
//	gemm              A tokens, B outputs, C inputs
//	prefill_attention A batch, B length, C query heads, D KV heads
//	decode_attention  A batch, B context, C query heads, D KV heads
//	all_reduce        A GPUs, B elements
//	moe_experts       A tokens, B tensor parallel, C expert parallel, Skew
type Row struct {
	Line   int
	Op     string
	Engine string
	Dtype  string // as written; attention over prompts has compute|cache
	A, B   float64
	C, D   float64
	Skew   Routing
	Millis float64
}

// Formats returns the formats of computing and of the cache.
func (r *Row) Formats() (compute, cache Format) {
	c, kv, ok := strings.Cut(r.Dtype, "|")
	if !ok {
		kv = c
	}
	return Format(c), Format(kv)
}

// Table is a set of measured kernel times.
type Table struct{ Rows []Row }

// Rejected is a row that was not taken, and why.
type Rejected struct {
	Line   int
	Reason string // message id
}

// Report says what became of a table's rows.
type Report struct {
	Read     int
	Kept     int
	Rejected []Rejected
}

// maxRows bounds a table; the published ones have about 120,000 rows.
const maxRows = 500_000

var columns = []string{"op", "engine", "dtype", "a", "b", "c", "d", "ms"}

// ParseTable reads a CSV with the columns op, engine, dtype, a, b, c, d, ms. A row that
// cannot be read is in the report; a file that is no such table is an error.
func ParseTable(r io.Reader) (Table, Report, error) {
	in := csv.NewReader(r)
	in.ReuseRecord, in.FieldsPerRecord = true, -1
	head, err := in.Read()
	if err != nil || !slices.Equal(head, columns) {
		return Table{}, Report{}, errors.New("the first line must be " + strings.Join(columns, ","))
	}
	var t Table
	var rep Report
	for {
		record, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		line, _ := in.FieldPos(0)
		if err != nil {
			return Table{}, rep, fmt.Errorf("line %d: %w", line, err)
		}
		if rep.Read++; rep.Read > maxRows {
			return Table{}, rep, fmt.Errorf("more than %d rows", maxRows)
		}
		row, reason := readRow(record)
		if reason != "" {
			rep.Rejected = append(rep.Rejected, Rejected{line, reason})
			continue
		}
		row.Line = line
		t.Rows = append(t.Rows, row)
	}
	rep.Kept = len(t.Rows)
	return t, rep, nil
}

func readRow(record []string) (Row, string) {
	if len(record) != len(columns) {
		return Row{}, "kernels.row_columns"
	}
	r := Row{Op: record[0], Engine: strings.Clone(record[1]), Dtype: strings.Clone(record[2])}
	i := slices.Index(Ops, r.Op)
	if i < 0 {
		return Row{}, "kernels.row_operator"
	}
	r.Op = Ops[i]
	compute, cache := r.Formats()
	for _, f := range []Format{compute, cache} {
		if !slices.Contains([]Format{BF16, FP8, FP8Block}, f) {
			return Row{}, "kernels.row_format"
		}
	}
	if r.Op == OpExperts {
		skew, ok := routing(record[6])
		if !ok {
			return Row{}, "kernels.row_routing"
		}
		r.Skew, record[6] = skew, ""
	}
	for j, to := range []*float64{&r.A, &r.B, &r.C, &r.D, &r.Millis} {
		text := record[3+j]
		if text == "" {
			continue
		}
		x, err := strconv.ParseFloat(text, 64)
		if err != nil || math.IsNaN(x) || x < 0 || x > 1e12 {
			return Row{}, "kernels.row_number"
		}
		*to = x
	}
	if r.Op == OpPrefill || r.Op == OpDecode {
		if r.D == 0 {
			r.D = r.C
		}
	}
	if r.Millis == 0 || r.A < 1 || r.B < 1 || r.needsC() && r.C < 1 || r.D > r.C && r.D > 0 && r.Op != OpGEMM {
		return Row{}, "kernels.row_number"
	}
	return r, ""
}

func (r *Row) needsC() bool { return r.Op != OpReduce }

func routing(text string) (Routing, bool) {
	if text == "balanced" || text == "" {
		return 0, true
	}
	x, err := strconv.ParseFloat(strings.TrimPrefix(text, "power_law_"), 64)
	return Routing(x), err == nil && x > 0 && x < 10
}

// The shape of the experts in the tables: Qwen3-235B-A22B (hidden 4096, width 1536, 8 of 128).
const (
	expertHidden = 4096
	expertWidth  = 1536
	expertCount  = 128
	expertTop    = 8
)

// Time returns what curves say about a row, in seconds.
func (c *Curves) Time(r *Row, g GPU) float64 {
	compute, cache := r.Formats()
	switch r.Op {
	case OpGEMM:
		q := c.GEMM(compute, r.B, r.C, g)
		return q.Time(r.A)
	case OpPrefill:
		q := c.Prefill(compute, cache, r.C, r.D, headSize, g)
		return q.Time(r.A, r.B, 0)
	case OpDecode:
		q := c.Decode(cache, r.C, r.D, headSize, g)
		return q.Time(r.A, r.B)
	case OpReduce:
		q := c.AllReduce(int(r.A), g)
		return q.Time(r.B)
	}
	q := c.Experts(compute, expertHidden, expertWidth, expertCount, expertTop, int(r.B), int(r.C), r.Skew, g)
	return q.Time(r.A)
}

// speedOfLight returns the seconds below which a row is impossible: operations over the
// peak, bytes over the bandwidth.
func (r *Row) speedOfLight(g GPU) float64 {
	compute, cache := r.Formats()
	b := compute.Bytes()
	switch r.Op {
	case OpGEMM:
		return math.Max(2*r.A*r.B*r.C/compute.peak(g), (r.B*r.C*b+r.A*r.C*b+2*r.A*r.B)/g.Bandwidth)
	case OpPrefill:
		return 2 * r.A * r.B * r.B * r.C * headSize / compute.peak(g)
	case OpDecode:
		return 2 * r.A * r.B * r.D * headSize * cache.Bytes() / g.Bandwidth
	case OpReduce:
		return 2 * (r.A - 1) / r.A * r.B * 2 / (2 * g.NVLink)
	}
	return 2 * 3 * expertHidden * expertWidth / r.B * r.A * expertTop / r.C / compute.peak(g)
}

// Gate returns the rows that can be true, and the others with the reason: faster than the
// hardware allows, or more than twice as slow as the same
// operator with twice the work.
func (t Table) Gate(g GPU) (Table, []Rejected) {
	var out Table
	var bad []Rejected
	groups := map[[5]any][]Row{}
	for _, r := range t.Rows {
		share := 0.95
		if r.Op == OpDecode {
			share = 0.93
		}
		if r.Millis*1e-3 < r.speedOfLight(g)*share {
			bad = append(bad, Rejected{r.Line, "kernels.row_too_fast"})
			continue
		}
		key := [5]any{r.Op, r.Engine, r.Dtype, r.Skew, [3]float64{r.B, r.C, r.D}}
		if r.Op == OpReduce {
			key = [5]any{r.Op, r.Engine, r.Dtype, r.Skew, r.A}
		}
		groups[key] = append(groups[key], r)
	}
	for _, rows := range groups {
		kept, slow := gateSeries(rows)
		out.Rows, bad = append(out.Rows, kept...), append(bad, slow...)
	}
	slices.SortFunc(out.Rows, func(a, b Row) int { return cmp.Compare(a.Line, b.Line) })
	slices.SortFunc(bad, func(a, b Rejected) int { return cmp.Compare(a.Line, b.Line) })
	return out, bad
}

// gateSeries merges repeats and drops slow outliers of one operator along its work.
func gateSeries(rows []Row) (kept []Row, bad []Rejected) {
	work := func(r Row) float64 {
		if r.Op == OpReduce {
			return r.B
		}
		return r.A
	}
	slices.SortFunc(rows, func(a, b Row) int {
		return cmp.Or(cmp.Compare(work(a), work(b)), cmp.Compare(a.Millis, b.Millis), cmp.Compare(a.Line, b.Line))
	})
	for i := 0; i < len(rows); {
		j := i
		for j < len(rows) && work(rows[j]) == work(rows[i]) {
			j++
		}
		take := i + (j-i-1)/2 // the median
		if rows[i].Op == OpReduce {
			take = i // captured graphs
		}
		for k := i; k < j; k++ {
			if k != take {
				bad = append(bad, Rejected{rows[k].Line, "kernels.row_repeat"})
			}
		}
		kept = append(kept, rows[take])
		i = j
	}
	least := math.Inf(1)
	for i := len(kept) - 1; i >= 0; i-- {
		if kept[i].Millis > 2*least {
			bad = append(bad, Rejected{kept[i].Line, "kernels.row_slow"})
			kept = slices.Delete(kept, i, i+1)
			continue
		}
		least = math.Min(least, kept[i].Millis)
	}
	return kept, bad
}
