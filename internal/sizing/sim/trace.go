package sim

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"errors"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"

	"rackwright/internal/apperr"
)

// Trace is recorded requests in the order of their arrival.
type Trace struct {
	Times          []float64 // seconds from the first, ascending
	Prompt, Answer []int     // tokens; both nil where the lengths are not known
}

// TraceColumns are the columns of a trace file, in this order. The two lengths may be left out
// together.
var TraceColumns = []string{"arrival_s", "input_tokens", "output_tokens"}

// The limits of a trace file. Lines of it have 20 to 30 bytes.
const (
	maxTraceRows   = 100_000
	maxTraceBytes  = 8 << 20
	maxTraceFaults = 20
	maxTraceTime   = 1e8 // seconds, three years
)

// ParseTrace reads a CSV with the TraceColumns: seconds from any start, and token counts. Rows
// may come in any order. What cannot be read is an *apperr.Error with the faults of the first
// rows by "line[n]".
func ParseTrace(r io.Reader) (*Trace, error) {
	limited := &io.LimitedReader{R: r, N: maxTraceBytes + 1}
	in := csv.NewReader(afterMark(limited))
	in.ReuseRecord, in.FieldsPerRecord, in.TrimLeadingSpace = true, -1, true
	head, err := in.Read()
	if err != nil || len(head) == 0 {
		return nil, apperr.Wrap(apperr.Invalid, err, "trace.header", "columns", strings.Join(TraceColumns, ","))
	}
	for i := range head {
		head[i] = strings.ToLower(strings.TrimSpace(head[i]))
	}
	columns := len(head)
	if columns != 1 && columns != 3 || !slices.Equal(head, TraceColumns[:columns]) {
		return nil, apperr.New(apperr.Invalid, "trace.header", "columns", strings.Join(TraceColumns, ","))
	}
	var rows []traceRow
	var faults apperr.Faults
	for faults.Len() < maxTraceFaults {
		record, err := in.Read()
		if errors.Is(err, io.EOF) {
			break
		}
		broken, malformed := errors.AsType[*csv.ParseError](err)
		switch {
		case limited.N == 0:
			return nil, apperr.New(apperr.Invalid, "trace.too_large", "size", maxTraceBytes>>20)
		case malformed:
			faults.Add(lineOf(broken.StartLine), "trace.row_columns")
			continue
		case err != nil:
			return nil, err
		case len(rows) == maxTraceRows:
			return nil, apperr.New(apperr.Invalid, "trace.too_long", "rows", maxTraceRows)
		}
		row, problem := readTraceRow(record, columns)
		if problem != "" {
			line, _ := in.FieldPos(0)
			faults.Add(lineOf(line), problem)
			continue
		}
		rows = append(rows, row)
	}
	if faults.Len() > 0 {
		return nil, faults.Err()
	}
	return newTrace(rows, columns == 3)
}

// afterMark skips a byte order mark. It stands before the quotation mark of a first column, too.
func afterMark(r io.Reader) io.Reader {
	in := bufio.NewReader(r)
	if c, _, err := in.ReadRune(); err == nil && c != '\ufeff' {
		_ = in.UnreadRune() // of what was just read
	}
	return in
}

func lineOf(n int) string { return "line[" + strconv.Itoa(n) + "]" }

type traceRow struct {
	time           float64
	prompt, answer int
}

// readTraceRow returns a row or the message id of what is wrong with it.
func readTraceRow(record []string, columns int) (traceRow, string) {
	if len(record) != columns {
		return traceRow{}, "trace.row_columns"
	}
	var row traceRow
	var err error
	row.time, err = strconv.ParseFloat(strings.TrimSpace(record[0]), 64)
	if err != nil || !(math.Abs(row.time) <= maxTraceTime) {
		return traceRow{}, "trace.row_time"
	}
	if columns == 1 {
		return row, ""
	}
	for i, to := range []*int{&row.prompt, &row.answer} {
		*to, err = strconv.Atoi(strings.TrimSpace(record[1+i]))
		if err != nil || *to < 1 || *to > maxTokens {
			return traceRow{}, "trace.row_tokens"
		}
	}
	return row, ""
}

func newTrace(rows []traceRow, lengths bool) (*Trace, error) {
	slices.SortStableFunc(rows, func(a, b traceRow) int { return cmp.Compare(a.time, b.time) })
	if len(rows) < 2 || rows[0].time == rows[len(rows)-1].time {
		return nil, apperr.New(apperr.Invalid, "trace.too_short")
	}
	t := &Trace{Times: make([]float64, len(rows))}
	if lengths {
		t.Prompt, t.Answer = make([]int, len(rows)), make([]int, len(rows))
	}
	for i, row := range rows {
		t.Times[i] = row.time - rows[0].time
		if lengths {
			t.Prompt[i], t.Answer[i] = row.prompt, row.answer
		}
	}
	return t, nil
}

func (t *Trace) check() error {
	known := t.Prompt != nil || t.Answer != nil
	if known && (len(t.Prompt) != len(t.Times) || len(t.Answer) != len(t.Times)) {
		return errors.New("sim: a trace with lengths of some requests only")
	}
	if len(t.Times) > maxRequests || !slices.IsSorted(t.Times) || !(t.Times[0] >= 0) {
		return errors.New("sim: times of a trace are not ascending from 0, or too many")
	}
	for i := range t.Prompt {
		if t.Prompt[i] < 1 || t.Prompt[i] > maxTokens || t.Answer[i] < 1 || t.Answer[i] > maxTokens {
			return errors.New("sim: lengths of a trace are out of range")
		}
	}
	return nil
}
