// Package static holds the style sheets, scripts and pictures of the product and serves them.
//
// Each file is addressed by a name that contains a digest of its content, so that browsers
// may keep it for ever; a changed file has another name. The plain name works too, but is
// checked at each use. Nothing is built: what stands in the folder is what is served.
package static

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"fmt"
	"io/fs"
	"mime"
	"net/http"
	"path"
	"sort"
	"strings"
	"sync"
	"time"
)

//go:embed css js/*.js img
var files embed.FS

// Prefix is where the handler expects to be mounted.
const Prefix = "/static/"

// digestLen is the number of hexadecimal digits of the digest in a name.
const digestLen = 12

// asset is one file, ready to be served.
type asset struct {
	body   []byte
	packed []byte // gzip, nil where that saves nothing
	digest string
	typ    string
}

// shelf knows every file by its plain name and by its name with digest.
type shelf struct {
	plain  map[string]*asset
	hashed map[string]*asset
}

var stock = sync.OnceValue(func() shelf {
	s, err := fill(files)
	if err != nil {
		panic("static: " + err.Error()) // the files are part of the binary
	}
	return s
})

// fill reads every file and adds the style sheet of all pages.
func fill(files fs.FS) (shelf, error) {
	s := shelf{plain: map[string]*asset{}, hashed: map[string]*asset{}}
	var names []string
	err := fs.WalkDir(files, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		body, err := fs.ReadFile(files, name)
		if err != nil {
			return err
		}
		s.add(name, body)
		names = append(names, name)
		return nil
	})
	if err != nil {
		return shelf{}, err
	}
	var all bytes.Buffer
	for _, name := range sheetOrder(names) {
		a, ok := s.plain[name]
		if !ok {
			return shelf{}, fmt.Errorf("no style sheet %s", name)
		}
		all.Write(a.body)
	}
	s.add(sheetName, all.Bytes())
	return s, nil
}

func (s shelf) add(name string, body []byte) {
	sum := sha256.Sum256(body)
	a := &asset{body: body, packed: pack(body), digest: hex.EncodeToString(sum[:])[:digestLen], typ: contentType(name)}
	s.plain[name] = a
	s.hashed[hashedName(name, a.digest)] = a
}

// pack returns the body compressed, or nil where that saves nothing.
func pack(body []byte) []byte {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil
	}
	if _, err := w.Write(body); err != nil || w.Close() != nil || b.Len() >= len(body) {
		return nil
	}
	return b.Bytes()
}

func hashedName(name, digest string) string {
	ext := path.Ext(name)
	return strings.TrimSuffix(name, ext) + "." + digest + ext
}

func contentType(name string) string {
	switch path.Ext(name) {
	case ".css":
		return "text/css; charset=utf-8"
	case ".js":
		return "text/javascript; charset=utf-8"
	case ".svg":
		return "image/svg+xml"
	}
	return mime.TypeByExtension(path.Ext(name))
}

// URL returns the address of a file, for example "css/base.css", with its digest. A name
// that does not exist is a mistake in a template and stops the program in the first test.
func URL(name string) string {
	a, ok := stock().plain[name]
	if !ok {
		panic(fmt.Sprintf("static: no file %q", name))
	}
	return Prefix + hashedName(name, a.digest)
}

// The order of the style sheets matters: foundations first, then the sheets of single areas
// in alphabetical order, and last those that take rules back for narrow screens and paper.
var (
	firstSheets = []string{"tokens", "base", "shell", "layout", "tables", "figures", "badges", "controls", "forms", "feedback", "charts"}
	lastSheets  = []string{"small", "print"}
)

// sheetName is the one style sheet that pages link: all of css/ in order. It exists in memory
// only, so that people read small files and browsers fetch one.
const sheetName = "css/rackwright.css"

// Stylesheet returns the address of the style sheet of all pages.
func Stylesheet() string { return URL(sheetName) }

// sheetOrder returns the style sheets among the names in the order in which they apply.
func sheetOrder(names []string) []string {
	fixed := map[string]bool{}
	var order []string
	for _, n := range firstSheets {
		order = append(order, "css/"+n+".css")
	}
	for _, n := range append(append([]string{}, firstSheets...), lastSheets...) {
		fixed["css/"+n+".css"] = true
	}
	sort.Strings(names)
	for _, name := range names {
		if path.Ext(name) == ".css" && !fixed[name] {
			order = append(order, name)
		}
	}
	for _, n := range lastSheets {
		order = append(order, "css/"+n+".css")
	}
	return order
}

// Handler serves the files under Prefix.
func Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		name := strings.TrimPrefix(r.URL.Path, Prefix)
		a, ok := stock().hashed[name]
		cache := "public, max-age=31536000, immutable"
		if !ok {
			a, ok = stock().plain[name]
			cache = "no-cache"
		}
		if !ok {
			http.NotFound(w, r)
			return
		}
		h := w.Header()
		h.Set("Cache-Control", cache)
		h.Set("Content-Type", a.typ)
		h.Set("X-Content-Type-Options", "nosniff")
		body, tag := a.body, a.digest
		if a.packed != nil {
			h.Set("Vary", "Accept-Encoding")
			if acceptsGzip(r) {
				h.Set("Content-Encoding", "gzip")
				body, tag = a.packed, a.digest+"-gz"
			}
		}
		h.Set("ETag", `"`+tag+`"`)
		http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(body))
	})
}

// acceptsGzip reports whether the client takes gzip; a refusal by "gzip;q=0" is honoured.
func acceptsGzip(r *http.Request) bool {
	for part := range strings.SplitSeq(r.Header.Get("Accept-Encoding"), ",") {
		name, weight, _ := strings.Cut(strings.TrimSpace(part), ";")
		if name == "gzip" {
			return strings.ReplaceAll(weight, " ", "") != "q=0"
		}
	}
	return false
}
