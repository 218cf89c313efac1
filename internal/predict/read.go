package predict

import (
	"bufio"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"rackwright/internal/sizing/serving"
)

// The columns that a schema must have, besides those of both.
var (
	needed    = []string{"id", "hf_id", "gpu_sku", "gpus", "tp", "pp", "weights_precision", "isl", "osl"}
	inference = []string{"framework", "framework_version", "scenario", "concurrency_or_batch", "slo_ttft_ms", "slo_tpot_ms", "metric"}
	closed    = []string{"engine", "engine_version", "concurrency"}
)

// optional columns are read where they are there; the last line are known and not looked at.
var optional = []string{
	"model", "source_kind", "date", "measured_on", "dp_or_ep", "kv_precision", "moe_precision", "attention_dp", "moe_tp", "moe_ep", "batch_per_dp_rank",
	"source_ref", "notes", "gpu_power_w_or_blank",
}

// results are measured. They are dropped before anything looks at a row.
var results = []string{"value", "ttft_ms", "tpot_ms"}

// maxRows is far above any published set; a larger file is a mistake.
const maxRows = 1_000_000

// ReadRows reads a file of either schema. A row that cannot be understood is kept as one that
// will be refused; a file without the needed columns, or that is no CSV, is an error.
func ReadRows(r io.Reader, from Sources) ([]Row, error) {
	rows, _, err := readFile(r, from)
	return rows, err
}

// readFile also returns the columns that nothing knows.
func readFile(r io.Reader, from Sources) (rows []Row, unknown []string, err error) {
	text := bufio.NewReader(r) // a byte order mark may stand before a quotation mark
	if c, _, err := text.ReadRune(); err == nil && c != '\ufeff' {
		_ = text.UnreadRune() // of what was just read
	}
	in := csv.NewReader(text)
	in.FieldsPerRecord, in.ReuseRecord = -1, true // a short row is refused, not the file
	first, err := in.Read()
	if errors.Is(err, io.EOF) {
		return nil, nil, errors.New("the file is empty")
	}
	if err != nil {
		return nil, nil, err
	}
	head := slices.Clone(first)
	for i := range head {
		head[i] = strings.TrimSpace(head[i])
	}
	if len(without(head, []string{""})) == 0 {
		return nil, nil, errors.New("the file is empty")
	}
	kind, unknown, err := kindOf(head)
	if err != nil {
		return nil, nil, fmt.Errorf("line 1: %w", err)
	}
	for {
		values, err := in.Read()
		if errors.Is(err, io.EOF) {
			return rows, unknown, nil
		}
		if err != nil {
			return nil, nil, err // names line and column
		}
		if len(rows) == maxRows {
			return nil, nil, fmt.Errorf("more than %d rows", maxRows)
		}
		line, _ := in.FieldPos(0)
		f := fields{}
		for i, name := range head {
			if i < len(values) && name != "" && !slices.Contains(results, name) {
				f[name] = strings.TrimSpace(values[i])
			}
		}
		row := Row{ID: f["id"], Kind: kind, Line: line}
		if len(values) != len(head) {
			row.refuse("line %d has %d fields, the header has %d", line, len(values), len(head))
		}
		row.read(f, from)
		rows = append(rows, row)
	}
}

// kindOf tells the schemas apart and returns the columns that neither knows.
func kindOf(head []string) (Kind, []string, error) {
	has := func(names []string) bool { return len(without(names, head)) == 0 }
	for i, name := range head {
		if name != "" && slices.Contains(head[:i], name) {
			return "", nil, fmt.Errorf("column %q appears twice", name)
		}
	}
	kind, own := Inference, inference
	switch {
	case len(head) == 1 && strings.ContainsAny(head[0], ";\t"):
		return "", nil, errors.New("the columns must be separated by commas")
	case strings.Contains(strings.Join(head, ""), "\x00"):
		return "", nil, errors.New("the file must be in UTF-8; this looks like UTF-16")
	case has([]string{"task", "params_total"}) || has([]string{"task", "seq_len"}):
		return "", nil, errors.New("these are rows of training runs: training is not predicted yet")
	case !slices.Contains(head, "scenario") && slices.Contains(head, "engine"):
		kind, own = ClosedLoop, closed
	case !slices.Contains(head, "scenario") && !slices.Contains(head, "framework"):
		return "", nil, errors.New("the columns are those of neither inference rows (scenario, framework, metric) nor closed-loop rows (engine, concurrency)")
	}
	all := slices.Concat(needed, own)
	if missing := without(all, head); len(missing) > 0 {
		return "", nil, fmt.Errorf("columns are missing: %s", strings.Join(missing, ", "))
	}
	return kind, without(head, slices.Concat(all, optional, results, []string{""})), nil
}

// without returns the names that are not among others.
func without(names, others []string) []string {
	return slices.DeleteFunc(slices.Clone(names), func(n string) bool { return slices.Contains(others, n) })
}

// fields are the inputs of a row by column.
type fields map[string]string

// number reads a figure of at least 0; blank is 0.
func (f fields) number(row *Row, name string) float64 {
	text := f[name]
	if text == "" {
		return 0
	}
	x, err := strconv.ParseFloat(text, 64)
	switch {
	case err == nil && x > mostNumber:
		row.refuse("line %d, column %s: %q is more than %.0e", row.Line, name, text, float64(mostNumber))
		return 0
	case err != nil || math.IsNaN(x) || x < 0:
		row.refuse("line %d, column %s: %q is no number of at least 0", row.Line, name, text)
		return 0
	}
	return x
}

// mostNumber is above every figure of a benchmark.
const mostNumber = 1e9

// length reads a number of tokens; blank is 0.
func (f fields) length(row *Row, name string) serving.Lengths {
	x := f.number(row, name)
	if x > 0 && x < 1 {
		row.refuse("line %d, column %s: %q is less than one token", row.Line, name, f[name])
	}
	return serving.Lengths{Mean: x}
}

// users reads a number of requests at once; blank is 0.
func (f fields) users(row *Row, name string) float64 {
	x := f.number(row, name)
	if x > 0 && x < 1 {
		row.refuse("line %d, column %s: %q is less than one request", row.Line, name, f[name])
	}
	return x
}

// whole reads a count; blank is 0.
func (f fields) whole(row *Row, name string) int {
	x := f.number(row, name)
	if x != math.Trunc(x) || x > 1e6 {
		row.refuse("line %d, column %s: %q is no count", row.Line, name, f[name])
		return 0
	}
	return int(x)
}

// limit reads a limit in milliseconds and returns seconds. It is an input although its column
// ends like a result's.
func (f fields) limit(row *Row, name string) float64 { return f.number(row, name) / 1e3 }

// day reads a date of which the month, or month and day, may be missing: the middle of the
// year then, the first of the month. What is no date is unknown.
func day(text string) time.Time {
	for layout, add := range map[string]int{time.DateOnly: 0, "2006-01": 0, "2006": 6} {
		if t, err := time.Parse(layout, text); err == nil && t.Year() >= firstYear {
			return t.AddDate(0, add, 0)
		}
	}
	return time.Time{}
}

// firstYear is before every inference engine here: an earlier date is a slip, and would count as a
// release that is centuries slower.
const firstYear = 2020

func (r *Row) refuse(format string, args ...any) {
	if r.refused == "" {
		r.refused = fmt.Sprintf(format, args...)
	}
}

// read fills a row from its fields; what cannot be understood refuses it.
func (r *Row) read(f fields, from Sources) {
	r.ModelName, r.GPUName, r.Scenario, r.Source = f["hf_id"], f["gpu_sku"], FixedUsers, f["source_kind"]
	if r.ModelName == "" {
		r.ModelName = f["model"]
	}
	if r.ID == "" {
		r.refuse("line %d has no id", r.Line)
	}
	m := &r.Mapping
	r.GPUs, m.TP, m.PP = f.whole(r, "gpus"), f.whole(r, "tp"), f.whole(r, "pp")
	if r.MappedAs = m.TP > 0; r.MappedAs {
		m.PP = max(1, m.PP)
	}
	r.Prompt, r.Answer = f.length(r, "isl"), f.length(r, "osl")
	if r.Kind == ClosedLoop {
		r.readClosed(f)
	} else {
		r.readInference(f)
	}
	m.Engine = r.Engine
	r.fillMLPerf()
	r.readPrecision(f)
	r.resolve(from)
	r.check()
}

// check refuses what contradicts itself, and what was never measured of any model.
func (r *Row) check() {
	m := r.Mapping
	g := m.Model
	switch {
	case r.GPUs == 0:
		r.refuse("the number of GPUs is not stated")
	case m.TP > 0 && m.GPUs() > r.GPUs:
		r.refuse("tensor parallelism %d, %d stages and %d attention ranks do not fit %d GPUs", m.TP, max(1, m.PP), max(1, m.ADP), r.GPUs)
	case m.TP > 1 && g != nil && !g.DividesTP(m.TP):
		r.refuse("tensor parallelism %d does not divide the heads of %s", m.TP, g.Name)
	case r.Scenario == FixedUsers && r.Users == 0:
		r.refuse("the number of requests at once is not stated")
	case g == nil:
	case int64(m.PP) > g.Layers:
		r.refuse("%d stages are more than the %d layers of %s", m.PP, g.Layers, g.Name)
	case m.ADP > 1 && g.MoE == nil: // of closed loops these are copies
		r.refuse("%d attention ranks need a mixture of experts, and %s is none", m.ADP, g.Name)
	case g.MoE != nil && m.EP > 1 && g.MoE.Experts%int64(m.EP) != 0:
		r.refuse("the %d experts of %s do not spread over %d GPUs", g.MoE.Experts, g.Name, m.EP)
	case g.MoE != nil && m.TP > 0 && max(1, m.EP)*max(1, m.MoETP) > m.TP*max(1, m.ADP):
		r.refuse("experts over %d GPUs and cut %d times are more than the %d GPUs of a copy", max(1, m.EP), max(1, m.MoETP), m.TP*max(1, m.ADP))
	case g.MaxContext > 0 && max(r.Prompt.Mean, r.Answer.Mean) > float64(g.MaxContext):
		r.refuse("%.0f tokens are more than the context of %s, %d", max(r.Prompt.Mean, r.Answer.Mean), g.Name, g.MaxContext)
	}
}
