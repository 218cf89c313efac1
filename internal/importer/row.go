package importer

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"rackwright/internal/apperr"
	"rackwright/internal/money"
)

// maxFaults is how many faults one import reports; more help nobody.
const maxFaults = 200

// Bounds of numeric(18,6), the type of every stored number.
const maxPlaces = 6

var maxNumber = money.MustDecimal("1000000000000")

// faults collects what is wrong, under "file:line:column".
type faults struct {
	apperr.Faults
}

func (f *faults) add(file string, line int, column, id string, args ...any) {
	if f.Len() < maxFaults {
		f.Add(fmt.Sprintf("%s:%d:%s", file, line, column), id, args...)
	}
}

// row is one line of a file. Its readers return the value of a column and record a fault
// where there is none that can be used.
type row struct {
	file    string
	line    int
	columns []string
	cells   []string
	faults  *faults
	refs    *[]reference
}

// reference is a value that has to be the key of something else.
type reference struct {
	file, column, value string
	line                int
	target              string
}

func (r *row) fault(column, id string, args ...any) {
	r.faults.add(r.file, r.line, column, id, args...)
}

// text returns a column, which may be empty.
func (r *row) text(column string) string {
	i := slices.Index(r.columns, column)
	return unguard(strings.TrimSpace(r.cells[i]))
}

// unguard takes off the apostrophe that an export puts before a value which a spreadsheet
// would run as a formula.
func unguard(s string) string {
	if len(s) > 1 && s[0] == '\'' && strings.ContainsRune("=+-@", rune(s[1])) {
		return s[1:]
	}
	return s
}

// need returns a column that must not be empty.
func (r *row) need(column string) string {
	s := r.text(column)
	if s == "" {
		r.fault(column, "catalog.import_blank")
	}
	return s
}

// oneOf returns a column that holds one of the words.
func (r *row) oneOf(column string, words ...string) string {
	s := r.text(column)
	if !slices.Contains(words, s) {
		r.fault(column, "catalog.import_word", "value", quote(s))
	}
	return s
}

// list returns a column of values between semicolons.
func (r *row) list(column string) []string {
	s := r.text(column)
	if s == "" {
		return nil
	}
	parts := strings.Split(s, ";")
	for i := range parts {
		parts[i] = strings.TrimSpace(parts[i])
	}
	return slices.DeleteFunc(parts, func(p string) bool { return p == "" })
}

// ref returns a column that names something of the target file, or stored already.
func (r *row) ref(column, target string) string {
	s := r.need(column)
	r.refer(column, s, target)
	return s
}

// optRef is ref for a column that may be empty.
func (r *row) optRef(column, target string) string {
	s := r.text(column)
	r.refer(column, s, target)
	return s
}

func (r *row) refer(column, value, target string) {
	if value != "" {
		*r.refs = append(*r.refs, reference{r.file, column, value, r.line, target})
	}
}

// refList is list for a column whose values name sources.
func (r *row) refList(column, target string) []string {
	values := r.list(column)
	for _, v := range values {
		r.refer(column, v, target)
	}
	return values
}

// date returns a column that holds a day.
func (r *row) date(column string) time.Time {
	t, err := time.Parse(time.DateOnly, r.text(column))
	if err != nil || t.Year() < 1970 || t.Year() > 2200 {
		r.fault(column, "catalog.import_date", "value", quote(r.text(column)))
		return time.Time{}
	}
	return t
}

// optDate is date for a column that may be empty: the zero time.
func (r *row) optDate(column string) time.Time {
	if r.text(column) == "" {
		return time.Time{}
	}
	return r.date(column)
}

var partialDate = regexp.MustCompile(`^\d{4}(-\d\d(-\d\d)?)?$`)

// partial returns a column that holds a day, a month or a year, or nothing.
func (r *row) partial(column string) string {
	s := r.text(column)
	if s != "" && !partialDate.MatchString(s) {
		r.fault(column, "catalog.import_date", "value", quote(s))
	}
	return s
}

// decimal returns a column that holds a plain number.
func (r *row) decimal(column string) money.Decimal {
	s := r.text(column)
	d, err := money.ParseDecimal(s)
	switch {
	case err != nil:
		r.fault(column, "catalog.import_number", "value", quote(s))
	case !storable(d):
		r.fault(column, "catalog.import_number_range", "value", quote(s))
	default:
		return d
	}
	return money.Decimal{}
}

// storable reports whether the database holds a number exactly: numeric(18,6).
func storable(d money.Decimal) bool { return d.Places() <= maxPlaces && d.Abs().Less(maxNumber) }

// positive is decimal for a number above zero.
func (r *row) positive(column string) money.Decimal {
	before := r.faults.Len()
	d := r.decimal(column)
	if r.faults.Len() == before && d.Sign() <= 0 {
		r.fault(column, "catalog.import_not_positive")
	}
	return d
}

// optDecimal is decimal for a column that may be empty: nil.
func (r *row) optDecimal(column string) *money.Decimal {
	if r.text(column) == "" {
		return nil
	}
	d := r.decimal(column)
	return &d
}

// optPositive is positive for a column that may be empty: nil.
func (r *row) optPositive(column string) *money.Decimal {
	if r.text(column) == "" {
		return nil
	}
	d := r.positive(column)
	return &d
}

// integer returns a column that holds a whole number from low up.
func (r *row) integer(column string, low int) int {
	s := r.text(column)
	n, err := strconv.ParseInt(s, 10, 32)
	if err != nil || int(n) < low {
		r.fault(column, "catalog.import_whole", "value", quote(s), "low", low)
		return 0
	}
	return int(n)
}

// optInteger is integer for a column that may be empty: 0, which is unknown.
func (r *row) optInteger(column string, low int) int {
	if r.text(column) == "" {
		return 0
	}
	return r.integer(column, low)
}

// quote returns the start of a value for a message.
func quote(s string) string {
	const longest = 60
	if utf8.RuneCountInString(s) > longest {
		s = string([]rune(s)[:longest]) + "…"
	}
	return s
}

// readRows calls fn for every row of a CSV file with the format's header.
func readRows(f *format, raw []byte, faults *faults, refs *[]reference, fn func(*row)) int {
	raw = bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf")) // the mark that spreadsheets write
	if !utf8.Valid(raw) {
		faults.add(f.name, 1, "", "import.err_encoding", "encoding", "UTF-8")
		return 0
	}
	if bytes.ContainsRune(raw, 0) {
		faults.add(f.name, 1, "", "catalog.import_not_csv")
		return 0
	}
	reader := csv.NewReader(bytes.NewReader(raw))
	header, err := reader.Read()
	if err != nil || !f.checkHeader(header, faults) {
		if err != nil {
			faults.add(f.name, 1, "", "catalog.import_not_csv")
		}
		return 0
	}
	rows := 0
	for {
		cells, err := reader.Read()
		if errors.Is(err, io.EOF) {
			return rows
		}
		if parseErr, ok := errors.AsType[*csv.ParseError](err); ok {
			id := "catalog.import_not_csv"
			if errors.Is(err, csv.ErrFieldCount) {
				id = "catalog.import_field_count"
			}
			faults.add(f.name, parseErr.StartLine, "", id, "columns", len(header), "found", len(cells))
			if !errors.Is(err, csv.ErrFieldCount) {
				return rows // quotes are out of step: nothing after this can be trusted
			}
			continue
		}
		rows++
		line, _ := reader.FieldPos(0)
		fn(&row{f.name, line, f.columns, cells, faults, refs})
	}
}

// checkHeader reports whether the header is the format's, and names what differs.
func (f *format) checkHeader(header []string, faults *faults) bool {
	for i := range header {
		header[i] = strings.TrimSpace(header[i])
	}
	if slices.Equal(header, f.columns) {
		return true
	}
	before := faults.Len()
	for _, c := range f.columns {
		if !slices.Contains(header, c) {
			faults.add(f.name, 1, c, "import.err_missing_column", "column", c)
		}
	}
	for _, c := range header {
		if !slices.Contains(f.columns, c) {
			faults.add(f.name, 1, quote(c), "catalog.import_unknown_column", "column", quote(c))
		}
	}
	if faults.Len() == before {
		faults.add(f.name, 1, "", "catalog.import_column_order", "columns", strings.Join(f.columns, ","))
	}
	return false
}
