// Package rackwright_test holds the rules of the whole module, as tests: which package may import
// which, which calls stand where, how long a function may be.
package rackwright_test

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "rackwright"

// rule is what the files of a package, tests excluded, may import besides the standard library.
type rule struct {
	ours  string // packages of this module, relative, separated by spaces; "…/" at the end takes the whole tree
	third string // modules or packages of others, by prefix
	pure  bool   // domain: no I/O of any kind, no clock
}

// domain are the packages below quote, in the order in which they build on each other.
const (
	values  = "internal/money internal/unit internal/apperr"
	domain  = values + " internal/catalog internal/company internal/inventory internal/sizing/ internal/sizing internal/quote internal/auth"
	pgxAnd  = "github.com/jackc/pgx/v5"
	templRT = "github.com/a-h/templ"
)

// rules is the table of allowed imports. Changing it needs an ADR.
var rules = map[string]rule{
	"internal/money":      {third: "github.com/cockroachdb/apd/v3", pure: true},
	"internal/unit":       {pure: true},
	"internal/apperr":     {pure: true},
	"internal/catalog":    {ours: values, pure: true},
	"internal/company":    {ours: "internal/money internal/apperr", pure: true},
	"internal/inventory":  {ours: "internal/apperr internal/catalog internal/money", pure: true},
	"internal/sizing":     {ours: values + " internal/catalog internal/sizing/", pure: true},
	"internal/quote":      {ours: values + " internal/catalog internal/inventory internal/sizing", pure: true},
	"internal/auth":       {ours: "internal/apperr", third: "github.com/alexedwards/argon2id", pure: true},
	"internal/i18n":       {third: "golang.org/x/text"},
	"internal/importer":   {ours: values + " internal/catalog"},
	"internal/seed":       {},
	"internal/embeddedpg": {},
	"internal/postgres":   {ours: domain + " migrations", third: pgxAnd + " github.com/golang-migrate/migrate/v4 github.com/riverqueue/river"},
	"internal/mail":       {ours: domain, third: "github.com/wneessen/go-mail"},
	"internal/chart":      {ours: "internal/i18n internal/money"},
	"internal/view":       {ours: domain + " internal/i18n internal/chart", third: "golang.org/x/text"},
	"internal/pdf":        {ours: "internal/view", third: templRT + " github.com/carlos7ags/folio golang.org/x/image golang.org/x/net golang.org/x/text"},
	"internal/predict":    {ours: domain + " internal/importer internal/seed"},
	"internal/calibrate":  {ours: domain + " internal/predict", third: "gonum.org/v1/gonum"},
	"internal/demo":       {ours: domain + " internal/postgres internal/i18n"},
	"internal/server": {ours: domain + " internal/i18n internal/view internal/chart internal/pdf static web/templates/",
		third: templRT + " github.com/go-chi"},
	"migrations": {},
	"static":     {},

	"web/templates":            {},
	"web/templates/components": {ours: "internal/view internal/i18n static", third: templRT},
	"web/templates/layout":     {ours: "internal/view internal/i18n static web/templates/components", third: templRT},
	"web/templates/pages":      {ours: "internal/view internal/i18n web/templates/layout web/templates/components", third: templRT},
	"web/templates/documents":  {ours: "internal/view internal/i18n web/templates/layout web/templates/components", third: templRT},

	"cmd/web": {ours: domain + " internal/i18n internal/importer internal/seed internal/embeddedpg internal/postgres internal/demo internal/server internal/mail internal/predict internal/calibrate"},

	// For tests only: no other package may import them.
	"internal/testdb":      {ours: domain + " internal/postgres internal/importer internal/seed internal/embeddedpg migrations", third: pgxAnd},
	"internal/browsertest": {third: "github.com/chromedp"},
	"internal/mailtest":    {},

	// The rooms of the sizing engine; internal/sizing is their only way in.
	"internal/sizing/basis":       {ours: values, pure: true},
	"internal/sizing/llm":         {ours: values + " internal/sizing/basis", pure: true},
	"internal/sizing/hardware":    {ours: values + " internal/catalog internal/sizing/basis", pure: true},
	"internal/sizing/serving":     {ours: values + " internal/sizing/basis internal/sizing/llm internal/sizing/hardware internal/sizing/calibration internal/sizing/kernel", pure: true},
	"internal/sizing/kernel":      {ours: "internal/apperr", pure: true},
	"internal/sizing/sim":         {ours: "internal/apperr", pure: true},
	"internal/sizing/replica":     {ours: "internal/sizing/serving internal/sizing/sim", pure: true},
	"internal/sizing/cost":        {ours: values + " internal/catalog internal/sizing/basis internal/sizing/hardware", pure: true},
	"internal/sizing/calibration": {ours: values + " internal/sizing/basis internal/sizing/kernel", pure: true},
}

// impureImports are what a pure package must not know, by prefix.
var impureImports = []string{
	"database/sql", "embed/", "html", "io/fs", "log", "math/rand", "net", "os", "path/filepath", "runtime", "sync", "syscall", "text/template",
}

// exempt are standard packages below a forbidden prefix that are values only.
var exempt = []string{"database/sql/driver", "html", "net/url", "net/mail", "net/netip"}

// file is one parsed source file of ours.
type file struct {
	name string // relative, with slashes
	dir  string
	text string
	fset *token.FileSet
	ast  *ast.File
}

func (f file) test() bool      { return strings.HasSuffix(f.name, "_test.go") }
func (f file) generated() bool { return strings.HasSuffix(f.name, "_templ.go") }

// at returns a position for a message.
func (f file) at(p token.Pos) string { return f.name + ":" + strconv.Itoa(f.fset.Position(p).Line) }

// goFiles parses all Go files of the module.
func goFiles(t *testing.T) []file {
	t.Helper()
	var files []file
	for _, name := range sources(t, ".go") {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		f := file{name: filepath.ToSlash(name), text: string(b), fset: token.NewFileSet()}
		f.dir = path.Dir(f.name)
		if f.ast, err = parser.ParseFile(f.fset, name, b, parser.ParseComments); err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	return files
}

// sources returns the files of the module with one of the extensions; without extensions, all of them.
func sources(t *testing.T, extensions ...string) []string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && name != "." && slices.Contains([]string{".git", "bin", "data", "tmp", "node_modules"}, d.Name()) && !strings.HasPrefix(name, "internal") {
			return filepath.SkipDir
		}
		if d.Type().IsRegular() && (len(extensions) == 0 || slices.Contains(extensions, filepath.Ext(name))) {
			names = append(names, name)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return names
}

func TestImports(t *testing.T) {
	for _, f := range goFiles(t) {
		if f.test() {
			continue
		}
		r, known := rules[f.dir]
		if !known {
			t.Errorf("%s: package %s is not in the table of imports", f.name, f.dir)
			continue
		}
		for _, spec := range f.ast.Imports {
			imported, err := strconv.Unquote(spec.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			if !r.allows(imported) {
				t.Errorf("%s: %s must not import %s", f.at(spec.Pos()), f.dir, imported)
			}
		}
	}
}

func (r rule) allows(imported string) bool {
	if own, ok := strings.CutPrefix(imported, module+"/"); ok {
		return slices.ContainsFunc(strings.Fields(r.ours), func(allowed string) bool {
			return own == allowed || strings.HasSuffix(allowed, "/") && strings.HasPrefix(own, allowed)
		})
	}
	if first, _, _ := strings.Cut(imported, "/"); strings.Contains(first, ".") {
		return slices.ContainsFunc(strings.Fields(r.third), func(allowed string) bool { return below(imported, allowed) })
	}
	return !r.pure || slices.Contains(exempt, imported) ||
		!slices.ContainsFunc(impureImports, func(forbidden string) bool { return below(imported, forbidden) })
}

// below reports whether an import path is p or lies below it.
func below(imported, p string) bool { return imported == p || strings.HasPrefix(imported, p+"/") }

// The table is only as good as its reader.
func TestRuleAllows(t *testing.T) {
	quote := rules["internal/quote"]
	for imported, want := range map[string]bool{
		"rackwright/internal/money":        true,
		"rackwright/internal/moneyed":      false,
		"rackwright/internal/postgres":     false,
		"rackwright/internal/sizing/basis": false,
		"github.com/jackc/pgx/v5":          false,
		"net/http":                         false,
		"net/netip":                        true,
		"os":                               false,
		"log/slog":                         false,
		"math/rand/v2":                     false,
		"strings":                          true,
	} {
		if got := quote.allows(imported); got != want {
			t.Errorf("internal/quote imports %s: allowed %v, want %v", imported, got, want)
		}
	}
	if !rules["internal/server"].allows("rackwright/web/templates/pages") {
		t.Error("a tree is not taken whole")
	}
}
