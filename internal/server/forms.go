package server

import (
	"errors"
	"fmt"
	"io"
	"mime"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"rackwright/internal/apperr"
)

// defaultMaxBody is the largest body of a form without a file: a quote of 500 lines fits.
const defaultMaxBody = 1 << 20

// drainMax is how much of a refused body is read and thrown away. A client that is still
// sending when we close the connection sees a reset and not our message.
const drainMax = 256 << 20

// maxFields is the largest number of values in a form.
const maxFields = 50_000

// form is a submitted form and the faults found in it. Its readers return the zero value
// for a field they cannot read and note why; err reports all faults at once.
type form struct {
	values map[string][]string
	apperr.Faults
}

// parseForm reads the body of a POST within the limit of its route. A malformed or too
// large body is an error; faults of single fields are noted by the readers.
func (s *Server) parseForm(w http.ResponseWriter, r *http.Request) (*form, error) {
	limit := bodyLimit(r)
	if r.ContentLength > limit {
		if r.Header.Get("Expect") == "" { // a client that asks first has not begun to send
			drain(r)
		}
		return nil, &tooLargeError{limit: limit}
	}
	body := r.Body
	r.Body = http.MaxBytesReader(w, body, limit)
	err := parseBody(r, limit)
	if _, tooLarge := errors.AsType[*http.MaxBytesError](err); tooLarge {
		r.Body = body
		drain(r)
		return nil, &tooLargeError{limit: limit}
	}
	if err != nil {
		return nil, apperr.Wrap(apperr.Invalid, err, "errors.form_unreadable")
	}
	return &form{values: r.PostForm}, nil
}

// parseBody parses one of the two kinds of form. ParseMultipartForm is not called for the
// other kind: it would hide that the body was too large. ParseForm is not either: it refuses
// more than 10,000 values (GODEBUG urlmaxqueryparams), and a long quote has more.
func parseBody(r *http.Request, limit int64) error {
	kind, _, err := mime.ParseMediaType(r.Header.Get("Content-Type"))
	if err == nil && kind == "multipart/form-data" {
		return r.ParseMultipartForm(min(limit, 8<<20))
	}
	if kind != "application/x-www-form-urlencoded" {
		r.PostForm = url.Values{}
		return nil
	}
	body, err := io.ReadAll(r.Body)
	if err == nil {
		r.PostForm, err = parseValues(string(body))
	}
	return err
}

// parseValues reads a body of the form a=1&b=2 with at most maxFields values.
func parseValues(body string) (url.Values, error) {
	values := url.Values{}
	for n := 0; body != ""; n++ {
		if n == maxFields {
			return nil, fmt.Errorf("more than %d values", maxFields)
		}
		var pair string
		pair, body, _ = strings.Cut(body, "&")
		name, value, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(name)
		if err != nil {
			return nil, err
		}
		if value, err = url.QueryUnescape(value); err != nil {
			return nil, err
		}
		values[name] = append(values[name], value)
	}
	return values, nil
}

// bodyLimit returns the largest body of the request's route.
func bodyLimit(r *http.Request) int64 {
	if n := infoOf(r).maxBody; n > 0 {
		return n
	}
	return defaultMaxBody
}

// drain reads what the client is still sending, so that it comes to read the refusal. The read
// timeout of the HTTP server bounds how long that takes.
func drain(r *http.Request) { _, _ = io.CopyN(io.Discard, r.Body, drainMax) }

// err returns nil, or one Invalid error with every fault of the form.
func (f *form) err() error { return f.Err() }

// has reports whether the field was sent at all.
func (f *form) has(name string) bool { return len(f.values[name]) > 0 }

// raw returns a field exactly as typed, for showing it again.
func (f *form) raw(name string) string {
	if v := f.values[name]; len(v) > 0 {
		return v[0]
	}
	return ""
}

// text returns a field without surrounding space, of at most max characters.
func (f *form) text(name string, max int) string {
	v := strings.TrimSpace(f.raw(name))
	switch {
	case !storable(v):
		f.Add(name, "errors.bad_text")
	case utf8.RuneCountInString(v) > max:
		f.Add(name, "errors.too_long", "max", max)
	default:
		return v
	}
	return ""
}

// needText is text for a field that must not be empty.
func (f *form) needText(name string, max int) string {
	v := f.text(name, max)
	if v == "" {
		f.Add(name, "errors.required")
	}
	return v
}

// storable reports whether a text is UTF-8 without NUL and control characters other than
// line breaks and tabs; Postgres refuses NUL, and people cannot see the others.
func storable(s string) bool {
	if !utf8.ValidString(s) {
		return false
	}
	for _, r := range s {
		if r < ' ' && r != '\n' && r != '\r' && r != '\t' || r == 0x7f {
			return false
		}
	}
	return true
}

// integer returns a whole number between low and high. Digits may be grouped by commas.
func (f *form) integer(name string, low, high int64) int64 {
	v := f.number(name)
	if v == "" {
		f.Add(name, "errors.required")
		return 0
	}
	n, err := strconv.ParseInt(v, 10, 64)
	switch {
	case err != nil && !errors.Is(err, strconv.ErrRange):
		f.Add(name, "errors.not_whole")
	case n < low:
		f.Add(name, "errors.too_small", "min", low)
	case n > high:
		f.Add(name, "errors.too_large", "max", high)
	default:
		return n
	}
	return 0
}

// optInteger is integer for a field that may be empty; nil is empty.
func (f *form) optInteger(name string, low, high int64) *int64 {
	if strings.TrimSpace(f.raw(name)) == "" {
		return nil
	}
	n := f.integer(name, low, high)
	return &n
}

// ungroup takes out grouping commas that stand where grouping commas stand.
func ungroup(v string) string {
	whole, frac, hasFrac := strings.Cut(v, ".")
	parts := strings.Split(whole, ",")
	for i, p := range parts {
		if len(parts) > 1 && (i > 0 && len(p) != 3 || i == 0 && len(strings.TrimLeft(p, "+-")) == 0) {
			return v
		}
	}
	whole = strings.Join(parts, "")
	if hasFrac {
		return whole + "." + frac
	}
	return whole
}

// date returns a day written as 2026-11-30.
func (f *form) date(name string) time.Time {
	v := strings.TrimSpace(f.raw(name))
	if v == "" {
		f.Add(name, "errors.required")
		return time.Time{}
	}
	t, err := time.Parse(time.DateOnly, v)
	if err != nil || t.Year() < 1990 || t.Year() > 2200 {
		f.Add(name, "errors.form_date")
		return time.Time{}
	}
	return t
}

// optDate is date for a field that may be empty; nil is empty.
func (f *form) optDate(name string) *time.Time {
	if strings.TrimSpace(f.raw(name)) == "" {
		return nil
	}
	t := f.date(name)
	return &t
}

// choice returns a field whose value is one of the choices.
func (f *form) choice(name string, choices ...string) string {
	v := f.raw(name)
	for _, c := range choices {
		if v == c {
			return v
		}
	}
	f.Add(name, "errors.form_choose")
	return ""
}

// checked reports whether a check box is ticked.
func (f *form) checked(name string) bool {
	v := f.raw(name)
	return v != "" && v != "0" && v != "false"
}

// key returns the idempotency key of one sending: of the key that came with the form, and of
// everything typed into it. A second click is the same act. A form that the browser's "back"
// brings up again and that now says something else is another act, not a repetition whose
// content may be dropped. A form without a key was not rendered by us.
func (f *form) key() string {
	if !keyLike(f.raw("key")) {
		f.Add("key", "errors.form_stale")
		return ""
	}
	return hashHex(url.Values(f.values).Encode())
}

func keyLike(k string) bool { return len(k) >= 16 && len(k) <= 64 && storable(k) }

// keyAgain returns the key for showing the form again: the one it came with, else a new one.
func (f *form) keyAgain() string {
	if k := f.raw("key"); keyLike(k) {
		return k
	}
	return newKey()
}

// keyOf is key for an act that only these fields make up, so that correcting another field
// does not do it again.
func (f *form) keyOf(fields ...string) string {
	part := url.Values{"key": f.values["key"]}
	for _, name := range fields {
		part[name] = f.values[name]
	}
	return hashHex(part.Encode())
}

// version returns the row version that the form was rendered from.
func (f *form) version() int64 {
	n, err := strconv.ParseInt(f.raw("version"), 10, 64)
	if err != nil || n < 0 {
		f.Add("version", "errors.form_stale")
		return 0
	}
	return n
}

// file returns the content of an uploaded file and its name; ok is false when none was chosen.
func file(r *http.Request, name string) (content []byte, filename string, ok bool, err error) {
	f, head, err := r.FormFile(name)
	if errors.Is(err, http.ErrMissingFile) || errors.Is(err, http.ErrNotMultipart) {
		return nil, "", false, nil
	}
	if err != nil {
		return nil, "", false, apperr.Wrap(apperr.Invalid, err, "errors.form_unreadable")
	}
	defer func() { _ = f.Close() }()
	content, err = io.ReadAll(f)
	if err != nil {
		return nil, "", false, fmt.Errorf("read upload: %w", err)
	}
	return content, head.Filename, true, nil
}

// pathID returns a numeric id of the address. Anything else is an address that does not exist.
func pathID(r *http.Request, name string) (int64, error) {
	n, err := strconv.ParseInt(r.PathValue(name), 10, 64)
	if err != nil || n <= 0 {
		return 0, apperr.Wrap(apperr.NotFound, fmt.Errorf("path value %q", r.PathValue(name)), "errors.not_found")
	}
	return n, nil
}

// optPathID is pathID for an address that may have no such part; 0 is none.
func optPathID(r *http.Request, name string) (int64, error) {
	if r.PathValue(name) == "" {
		return 0, nil
	}
	return pathID(r, name)
}

// queryID returns a numeric id of the query, 0 where there is none or rubbish.
func queryID(r *http.Request, name string) int64 {
	n, err := strconv.ParseInt(r.URL.Query().Get(name), 10, 64)
	if err != nil || n < 0 {
		return 0
	}
	return n
}
