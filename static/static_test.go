package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

func get(t *testing.T, url string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	r := httptest.NewRequest(http.MethodGet, url, nil)
	for i := 0; i+1 < len(header); i += 2 {
		r.Header.Set(header[i], header[i+1])
	}
	w := httptest.NewRecorder()
	Handler().ServeHTTP(w, r)
	return w
}

func TestHandler(t *testing.T) {
	hashed := URL("css/base.css")
	if !regexp.MustCompile(`^/static/css/base\.[0-9a-f]{12}\.css$`).MatchString(hashed) {
		t.Fatalf("URL = %q", hashed)
	}
	tests := map[string]struct {
		url    string
		header []string
		status int
		cache  string
		typ    string
	}{
		"with digest":      {url: hashed, status: 200, cache: "public, max-age=31536000, immutable", typ: "text/css; charset=utf-8"},
		"plain name":       {url: "/static/js/app.js", status: 200, cache: "no-cache", typ: "text/javascript; charset=utf-8"},
		"picture":          {url: "/static/img/mark.svg", status: 200, cache: "no-cache", typ: "image/svg+xml"},
		"not modified":     {url: hashed, header: []string{"If-None-Match", `"` + regexp.MustCompile(`[0-9a-f]{12}`).FindString(hashed) + `"`}, status: 304, cache: "public, max-age=31536000, immutable"},
		"old digest":       {url: "/static/css/base.000000000000.css", status: 404},
		"no such file":     {url: "/static/css/none.css", status: 404},
		"folder":           {url: "/static/css/", status: 404},
		"out of the shelf": {url: "/static/../static.go", status: 404},
		"licence, no page": {url: "/static/js/README.md", status: 404},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			w := get(t, tt.url, tt.header...)
			if w.Code != tt.status {
				t.Fatalf("status = %d, want %d", w.Code, tt.status)
			}
			if got := w.Header().Get("Cache-Control"); tt.cache != "" && got != tt.cache {
				t.Errorf("Cache-Control = %q, want %q", got, tt.cache)
			}
			if got := w.Header().Get("Content-Type"); tt.typ != "" && got != tt.typ {
				t.Errorf("Content-Type = %q, want %q", got, tt.typ)
			}
		})
	}
}

func TestHandlerCompresses(t *testing.T) {
	url := URL("js/htmx.min.js")
	plain := get(t, url)
	for name, tt := range map[string]struct {
		accept string
		packed bool
	}{
		"asked for":     {"gzip, deflate, br", true},
		"among others":  {"br;q=1.0, gzip;q=0.8", true},
		"refused":       {"gzip; q=0", false},
		"not asked for": {"br", false},
	} {
		t.Run(name, func(t *testing.T) {
			w := get(t, url, "Accept-Encoding", tt.accept)
			if got := w.Header().Get("Content-Encoding") == "gzip"; got != tt.packed {
				t.Fatalf("compressed = %t, want %t", got, tt.packed)
			}
			if w.Header().Get("Vary") != "Accept-Encoding" {
				t.Error("no Vary")
			}
			body := io.Reader(w.Body)
			if tt.packed {
				if w.Body.Len() >= plain.Body.Len() {
					t.Errorf("%d bytes compressed, %d plain", w.Body.Len(), plain.Body.Len())
				}
				if w.Header().Get("ETag") == plain.Header().Get("ETag") {
					t.Error("both forms have one ETag")
				}
				r, err := gzip.NewReader(w.Body)
				if err != nil {
					t.Fatal(err)
				}
				body = r
			}
			text, err := io.ReadAll(body)
			if err != nil || !bytes.Equal(text, plain.Body.Bytes()) {
				t.Errorf("another text (%v)", err)
			}
		})
	}
}

func TestURLOfMissingFilePanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("URL of a missing file returned")
		}
	}()
	URL("css/missing.css")
}

// Foundations come first and the sheets that take rules back come last, whatever sheets the
// areas add in between; none is forgotten, and the one sheet that pages link holds them all.
func TestSheetOrder(t *testing.T) {
	names, err := filepath.Glob("css/*.css")
	if err != nil {
		t.Fatal(err)
	}
	order := sheetOrder(append([]string{}, names...))
	if order[0] != "css/tokens.css" || order[1] != "css/base.css" {
		t.Errorf("first sheets: %v", order[:2])
	}
	if last := order[len(order)-2:]; last[0] != "css/small.css" || last[1] != "css/print.css" {
		t.Errorf("last sheets: %v", last)
	}
	if len(order) != len(names) {
		t.Errorf("%d sheets are linked, %d exist", len(order), len(names))
	}
	all := get(t, Stylesheet()).Body.String()
	at := 0
	for _, name := range order {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		i := strings.Index(all[at:], string(text))
		if i < 0 {
			t.Fatalf("%s is not in the style sheet, or not in its place", name)
		}
		at += i + len(text)
	}
}

// The vendored script is the one whose origin README.md names.
func TestVendoredScriptDigest(t *testing.T) {
	readme, err := os.ReadFile("js/README.md")
	if err != nil {
		t.Fatal(err)
	}
	body, err := os.ReadFile("js/htmx.min.js")
	if err != nil {
		t.Fatal(err)
	}
	sum := sha256.Sum256(body)
	if digest := hex.EncodeToString(sum[:]); !strings.Contains(string(readme), digest) {
		t.Errorf("js/README.md does not name the digest %s of htmx.min.js", digest)
	}
}

// Colours have their names in tokens.css only, so that themes reach every place. Paper is
// white and its frames grey whatever the theme.
func TestColoursAreTokens(t *testing.T) {
	colour := regexp.MustCompile(`#[0-9a-fA-F]{3,8}\b|\brgba?\(|\bhsla?\(`)
	names, err := filepath.Glob("css/*.css")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		base := filepath.Base(name)
		if base == "tokens.css" || base == "print.css" {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for i, line := range strings.Split(string(text), "\n") {
			if m := colour.FindString(line); m != "" {
				t.Errorf("%s:%d: colour %s outside tokens.css", name, i+1, m)
			}
		}
	}
}

// Sheets stay small enough to be read.
func TestSheetsAreShort(t *testing.T) {
	names, err := filepath.Glob("css/*.css")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(text), "\n"); n > 500 {
			t.Errorf("%s has %d lines", name, n)
		}
	}
}
