package kernel

import (
	"encoding/csv"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"rackwright/internal/apperr"
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
//
// Heads have 128 values; the experts are those of Qwen3-235B-A22B.
type Row struct {
	Line       int
	Op         string
	Engine     string
	Dtype      string // as written; attention over prompts has compute|cache
	A, B, C, D float64
	Skew       Routing
	Millis     float64
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
	Rejected []Rejected // by line
}

// The limits of a table. The published ones have 160,000 rows of 50 bytes.
const (
	maxRows  = 500_000
	maxBytes = 64 << 20
	maxSide  = 1e12 // of a shape
	maxGPUs  = 1024
	maxMS    = 1e6
)

// Columns are the columns of a table, in this order.
var Columns = []string{"op", "engine", "dtype", "a", "b", "c", "d", "ms"}

// ParseTable reads a CSV with the Columns. A row that cannot be read is in the report; a
// file that is no such table, or too large, is an error that a person may read.
func ParseTable(r io.Reader) (Table, Report, error) {
	limited := &io.LimitedReader{R: r, N: maxBytes + 1}
	in := csv.NewReader(limited)
	in.ReuseRecord, in.FieldsPerRecord = true, -1
	head, err := in.Read()
	if err != nil || !slices.Equal(head, Columns) {
		return Table{}, Report{}, apperr.Wrap(apperr.Invalid, err, "kernels.header", "columns", strings.Join(Columns, ","))
	}
	var t Table
	var rep Report
	for {
		record, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		if rep.Read++; rep.Read > maxRows {
			return Table{}, rep, apperr.New(apperr.Invalid, "kernels.too_long", "rows", maxRows)
		}
		if limited.N == 0 {
			return Table{}, rep, apperr.New(apperr.Invalid, "kernels.too_large", "size", maxBytes>>20)
		}
		if broken, ok := errors.AsType[*csv.ParseError](err); ok {
			rep.Rejected = append(rep.Rejected, Rejected{broken.StartLine, "kernels.row_columns"})
			continue
		}
		if err != nil {
			return Table{}, rep, err
		}
		line, _ := in.FieldPos(0)
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
	if len(record) != len(Columns) {
		return Row{}, "kernels.row_columns"
	}
	i := slices.Index(Ops, record[0])
	if i < 0 {
		return Row{}, "kernels.row_operator"
	}
	r := Row{Op: Ops[i], Engine: strings.Clone(record[1])}
	j := slices.Index(dtypes, record[2])
	if j < 0 || strings.Contains(record[2], "|") != (r.Op == OpPrefill) {
		return Row{}, "kernels.row_format"
	}
	r.Dtype = dtypes[j]
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
		if err != nil || math.IsNaN(x) || x < 0 || x > maxSide || to != &r.Millis && x != math.Trunc(x) {
			return Row{}, "kernels.row_number"
		}
		*to = x
	}
	if r.D == 0 && (r.Op == OpPrefill || r.Op == OpDecode) {
		r.D = r.C
	}
	if !r.possible() {
		return Row{}, "kernels.row_number"
	}
	return r, ""
}

// dtypes are the formats as they are written; sharing them keeps a table small.
var dtypes = []string{
	"bfloat16", "fp8", "fp8_block", "bfloat16|bfloat16", "bfloat16|fp8", "fp8|fp8",
}

func (r *Row) possible() bool {
	if r.Millis <= 0 || r.Millis > maxMS || r.A < 1 || r.B < 1 {
		return false
	}
	switch r.Op {
	case OpReduce:
		return r.A >= 2 && r.A <= maxGPUs
	case OpExperts:
		return r.B <= maxGPUs && r.C >= 1 && r.C <= maxGPUs
	case OpGEMM:
		return r.C >= 1
	}
	return r.D >= 1 && r.D <= r.C
}

func routing(text string) (Routing, bool) {
	if text == "balanced" {
		return 0, true
	}
	number, ok := strings.CutPrefix(text, "power_law_")
	x, err := strconv.ParseFloat(number, 64)
	return Routing(x), ok && err == nil && x > 0 && x < 10
}

// The shapes of the tables.
const (
	headSize     = 128
	expertHidden = 4096
	expertWidth  = 1536
	expertCount  = 128
	expertTop    = 8
)

// level2 is how many bytes of cache a benchmark's loop finds in the level-2 cache of H100 SXM
// (50 MB, NVIDIA H100 whitepaper) from the round before.
const level2 = 45e6

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
		share := 1.0
		if r.cacheBytes() < level2 {
			share = c.Answer.Warm
		}
		return q.time(r.A, r.B, share)
	case OpReduce:
		q := c.AllReduce(int(r.A), g)
		return q.Time(r.B)
	}
	q := c.Experts(compute, expertHidden, expertWidth, expertCount, expertTop, int(r.B), int(r.C), r.Skew, g)
	return q.Time(r.A)
}

// cacheBytes are the bytes that attention of decoding sequences reads.
func (r *Row) cacheBytes() float64 {
	_, cache := r.Formats()
	return 2 * r.A * r.B * r.D * headSize * cache.Bytes()
}
