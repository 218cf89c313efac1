package server

import (
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"rackwright/internal/auth"
)

func formOf(values map[string]string) *form {
	f := &form{values: url.Values{}}
	for name, v := range values {
		f.values[name] = []string{v}
	}
	return f
}

// faultOf returns the message id of a field's fault, "" for none.
func faultOf(t *testing.T, f *form, name string) string {
	t.Helper()
	e, ok := asInvalid(f.err())
	if !ok {
		return ""
	}
	return e.Fields[name].ID
}

func TestInteger(t *testing.T) {
	for typed, want := range map[string]struct {
		value int64
		fault string
	}{
		"5": {5, ""}, " 1,000 ": {1000, ""}, "１２": {12, ""}, "": {0, "errors.required"}, "x": {0, "errors.not_whole"},
		"1.5": {0, "errors.not_whole"}, "-1": {0, "errors.too_small"}, "1001": {0, "errors.too_large"},
		"99999999999999999999999": {0, "errors.too_large"}, "1,0": {0, "errors.not_whole"}, "1e3": {0, "errors.not_whole"},
		"-99999999999999999999999": {0, "errors.too_small"}, "NaN": {0, "errors.not_whole"}, ",100": {0, "errors.not_whole"},
	} {
		f := formOf(map[string]string{"n": typed})
		if got := f.integer("n", 0, 1000); got != want.value || faultOf(t, f, "n") != want.fault {
			t.Errorf("%q: %d, %q; want %d, %q", typed, got, faultOf(t, f, "n"), want.value, want.fault)
		}
	}
}

func TestDecimal(t *testing.T) {
	for typed, want := range map[string]struct{ value, fault string }{
		"1,234.50": {"1234.50", ""}, "０．５": {"0.5", ""}, "0": {"0", ""}, "": {"0", "errors.required"},
		"-0.01": {"0", "errors.negative"}, "1.2345678": {"0", "errors.too_many_decimals"}, "1.20000000": {"1.20000000", ""},
		"1e5": {"0", "errors.not_a_number"}, "Infinity": {"0", "errors.not_a_number"}, "NaN": {"0", "errors.not_a_number"},
		"1.234,50": {"0", "errors.not_a_number"}, "9999999999999": {"0", "errors.too_large"}, "12 000": {"0", "errors.not_a_number"},
		strings.Repeat("9", 5000): {"0", "errors.not_a_number"},
	} {
		f := formOf(map[string]string{"n": typed})
		if got := f.exact("n", 6); got.String() != want.value || faultOf(t, f, "n") != want.fault {
			t.Errorf("%.20q: %s, %q; want %s, %q", typed, got, faultOf(t, f, "n"), want.value, want.fault)
		}
	}
}

func TestOptionalNumbersAreNeverZeroWhenEmpty(t *testing.T) {
	f := formOf(map[string]string{"a": "", "b": " ", "c": "0", "p": "12.5 %", "q": "101"})
	if f.optExact("a", 2) != nil || f.optInteger("b", 0, 9) != nil || f.optPercent("none") != nil || f.optDate("a") != nil {
		t.Error("an empty field became a value")
	}
	if c := f.optExact("c", 2); c == nil || !c.IsZero() {
		t.Error("a typed 0 is no value")
	}
	if p := f.optPercent("p"); p != nil && p.Decimal().String() != "12.5" {
		t.Errorf("12.5 %% is %s", p.Decimal())
	}
	if f.optPercent("q") != nil || faultOf(t, f, "q") != "errors.too_large" {
		t.Error("101 % went through")
	}
}

func TestTextDateChoice(t *testing.T) {
	f := formOf(map[string]string{
		"ok": "  王\n小明 ", "nul": "a\x00b", "bad": "\xff", "long": strings.Repeat("王", 11), "bell": "\a", "empty": " ",
		"day": "2026-11-30", "noday": "2026-02-30", "old": "0001-01-01", "slash": "30/11/2026", "pick": "b",
	})
	if got := f.text("ok", 10); got != "王\n小明" {
		t.Errorf("text %q", got)
	}
	f.text("nul", 10)
	f.text("bad", 10)
	f.text("bell", 10)
	f.text("long", 10)
	f.needText("empty", 10)
	if got := f.date("day").Format("2006-01-02"); got != "2026-11-30" {
		t.Errorf("date %s", got)
	}
	f.date("noday")
	f.date("old")
	f.date("slash")
	if f.choice("pick", "a", "b") != "b" {
		t.Error("a listed choice was refused")
	}
	f.choice("day", "a", "b")
	for name, want := range map[string]string{
		"ok": "", "nul": "errors.bad_text", "bad": "errors.bad_text", "bell": "errors.bad_text", "long": "errors.too_long",
		"empty": "errors.required", "noday": "errors.form_date", "old": "errors.form_date", "slash": "errors.form_date",
		"day": "errors.form_choose", "pick": "",
	} {
		if got := faultOf(t, f, name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestKeyAndVersion(t *testing.T) {
	f := formOf(map[string]string{"key": newKey(), "version": "3"})
	if f.key() == "" || f.version() != 3 || f.err() != nil {
		t.Errorf("own form is refused: %v", f.err())
	}
	for _, bad := range []map[string]string{{}, {"key": "short", "version": "x"}, {"key": strings.Repeat("x", 65), "version": "-1"}} {
		f := formOf(bad)
		f.key()
		f.version()
		if faultOf(t, f, "key") == "" || faultOf(t, f, "version") == "" {
			t.Errorf("%v went through", bad)
		}
	}
}

// The same form again is the same act; the same form with other words is another.
func TestKeyFollowsWhatWasTyped(t *testing.T) {
	key := newKey()
	first := formOf(map[string]string{"key": key, "name": "Ines", "note": "a"})
	again := formOf(map[string]string{"key": key, "name": "Ines", "note": "a"})
	other := formOf(map[string]string{"key": key, "name": "Ines", "note": "b"})
	if first.key() != again.key() {
		t.Error("a second click is another act")
	}
	if first.key() == other.key() {
		t.Error("other words are taken for a second click")
	}
	if first.keyOf("name") != other.keyOf("name") || first.keyOf("note") == other.keyOf("note") {
		t.Error("keyOf does not follow its fields alone")
	}
	if first.keyAgain() != key || formOf(nil).keyAgain() == "" {
		t.Error("the form shown again does not keep its key")
	}
}

// FuzzForm throws bytes at the readers: whatever comes, a reader gives a value that can be
// stored or a fault, and does not panic.
func FuzzForm(f *testing.F) {
	for _, seed := range []string{"a=1&b=2026-11-30&c=x", "a=%ff&b=&c=%00", "a=1,000.5&a=2", "%%%", "a=" + strings.Repeat("9", 100)} {
		f.Add(seed)
	}
	s := New(Config{})
	f.Fuzz(func(t *testing.T, body string) {
		r := httptest.NewRequest(http.MethodPost, "/", strings.NewReader(body))
		r.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		form, err := s.parseForm(httptest.NewRecorder(), r)
		if err != nil {
			return
		}
		for _, name := range []string{"a", "b", "c"} {
			if v := form.text(name, 20); !storable(v) {
				t.Errorf("text %q", v)
			}
			if d := form.optExact(name, 6); d != nil && d.Sign() < 0 {
				t.Errorf("decimal %s", d)
			}
			if n := form.integer(name, 1, 9); n != 0 && (n < 1 || n > 9) {
				t.Errorf("integer %d", n)
			}
			if day := form.optDate(name); day != nil && !day.IsZero() && day.Year() < 1990 {
				t.Errorf("date %s", day)
			}
		}
	})
}

// TestRubbishToEveryForm posts what no form of ours sends to every address: refused with a
// message, never a 5xx.
func TestRubbishToEveryForm(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	everybody := s.as("everybody", auth.StaffRoles...)
	bodies := map[string]string{
		"not a form":   "%zz=%zz&;;;",
		"wrong bytes":  "name=%ff%fe&display_name=%00&key=%00&version=%00&email=a%0d%0ab",
		"huge numbers": "version=99999999999999999999&quantity=1e400&discount=-1&validity_days=NaN&one_time=x",
		"deep names":   "lines[0][sku]=x&lines[99999999].qty=1&lines[-1].qty=1",
	}
	for _, rt := range s.server.routes() {
		if rt.Method != http.MethodPost || rt.Pattern == "/logout" || rt.Pattern == "/account/sessions" {
			continue
		}
		for name, body := range bodies {
			for _, kind := range []string{"application/x-www-form-urlencoded", "multipart/form-data; boundary=x", "application/json", ""} {
				a := everybody.do(rt.Method, strings.ReplaceAll(sample(rt.Pattern), "999999", "1"), body, kind)
				if a.Code >= 500 {
					t.Errorf("%s, %s as %s: status %d\n%s", a.what, name, kind, a.Code, clipped(a.Body.String()))
				}
			}
		}
	}
}
