package rackwright_test

import (
	"go/ast"
	"go/token"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// call is a function that only some places may use.
type call struct {
	pkg, name string
	allowed   []string // folders or files
	why       string
}

// clockUsers measure or wait for real things; everybody else is given the time.
var clockUsers = []string{"cmd/web", "internal/embeddedpg", "internal/testdb", "internal/browsertest"}

var restrictedCalls = []call{
	{"time", "Now", clockUsers, "take now or a clock as an argument"},
	{"time", "Since", clockUsers, "take now or a clock as an argument"},
	{"time", "Until", clockUsers, "take now or a clock as an argument"},
	{"fmt", "Print", nil, "print to a writer that was given"},
	{"fmt", "Printf", nil, "print to a writer that was given"},
	{"fmt", "Println", nil, "print to a writer that was given"},
	{"net/http", "Error", []string{"internal/server/errors.go"}, "return the error"},
	{"github.com/jackc/pgx/v5", "RowToStructByNameLax", nil, "scan strictly"},
	{"github.com/jackc/pgx/v5", "RowToAddrOfStructByNameLax", nil, "scan strictly"},
	{"github.com/a-h/templ", "Raw", nil, "raw HTML escapes nothing"},
	{"os", "Exit", []string{"cmd/web/main.go"}, "return the error"},
	{"log", "Fatal", nil, "return the error"},
	{"log", "Printf", nil, "use the logger that was given"},
	{"log", "Println", nil, "use the logger that was given"},
}

func TestRestrictedCalls(t *testing.T) {
	for _, f := range goFiles(t) {
		if f.test() || f.generated() {
			continue
		}
		names := importNames(f.ast)
		ast.Inspect(f.ast, func(n ast.Node) bool {
			sel, ok := n.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			id, ok := sel.X.(*ast.Ident)
			if !ok || id.Obj != nil { // a local variable, not a package
				return true
			}
			for _, c := range restrictedCalls {
				if names[id.Name] == c.pkg && sel.Sel.Name == c.name && !c.allowedIn(f) {
					t.Errorf("%s: %s.%s: %s", f.at(sel.Pos()), c.pkg, c.name, c.why)
				}
			}
			return true
		})
	}
}

func (c call) allowedIn(f file) bool {
	return slices.Contains(c.allowed, f.dir) || slices.Contains(c.allowed, f.name)
}

// importNames maps the name that a file uses to the path that it imports.
func importNames(f *ast.File) map[string]string {
	names := map[string]string{}
	for _, spec := range f.Imports {
		p, err := strconv.Unquote(spec.Path.Value)
		if err != nil {
			continue
		}
		name := filepath.Base(regexp.MustCompile(`/v\d+$`).ReplaceAllString(p, ""))
		if spec.Name != nil {
			name = spec.Name.Name
		}
		names[name] = p
	}
	return names
}

func TestNoInitFunctions(t *testing.T) {
	for _, f := range goFiles(t) {
		for _, d := range f.ast.Decls {
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv == nil && fn.Name.Name == "init" {
				t.Errorf("%s: work at import time is hidden work", f.at(fn.Pos()))
			}
		}
	}
}

// Columns are listed, so that a new one cannot change what a query returns. A subquery may hand on whole rows of
// one table (r.*): the query around it lists what it takes of them.
func TestNoStarInSQL(t *testing.T) {
	anywhere := regexp.MustCompile(`(?i)\b(SELECT|RETURNING)\s+\*|\bRETURNING\s+\w+\.\*`)
	outermost := regexp.MustCompile("(?i)^[`\"\\s]*SELECT\\s+\\w+\\.\\*")
	star := func(sql string) bool { return anywhere.MatchString(sql) || outermost.MatchString(sql) }
	for _, f := range goFiles(t) {
		ast.Inspect(f.ast, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING && f.dir == "internal/postgres" && star(lit.Value) {
				t.Errorf("%s: list the columns", f.at(lit.Pos()))
			}
			return true
		})
	}
	for _, name := range sources(t, ".sql") {
		if star(string(read(t, name))) {
			t.Errorf("%s: list the columns", name)
		}
	}
}

const (
	maxFunctionLines = 80
	maxFileLines     = 500
)

func TestFunctionLength(t *testing.T) {
	for _, f := range goFiles(t) {
		if f.test() || f.generated() {
			continue
		}
		for _, d := range f.ast.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok {
				continue
			}
			lines := f.fset.Position(fn.End()).Line - f.fset.Position(fn.Pos()).Line
			if lines > maxFunctionLines {
				t.Errorf("%s: %s has %d lines, the most is %d", f.at(fn.Pos()), fn.Name.Name, lines, maxFunctionLines)
			}
		}
	}
}

func TestFileLength(t *testing.T) {
	for _, name := range sources(t, ".go", ".templ", ".css", ".js", ".sh") {
		if ours := filepath.Base(name); strings.HasSuffix(ours, "_templ.go") || strings.HasSuffix(ours, "_test.go") ||
			strings.HasPrefix(ours, "htmx") || strings.Contains(ours, ".min.") {
			continue
		}
		if lines := strings.Count(string(read(t, name)), "\n"); lines > maxFileLines {
			t.Errorf("%s has %d lines, the most is %d", name, lines, maxFileLines)
		}
	}
}

// Every exported name says what it is, starting with its name.
func TestDocComments(t *testing.T) {
	for _, f := range goFiles(t) {
		if f.test() || f.generated() {
			continue
		}
		for _, d := range f.ast.Decls {
			switch d := d.(type) {
			case *ast.FuncDecl:
				if d.Name.IsExported() && exportedReceiver(d) && d.Doc == nil {
					t.Errorf("%s: %s has no doc comment", f.at(d.Pos()), d.Name.Name)
				}
			case *ast.GenDecl:
				checkSpecs(t, f, d)
			}
		}
	}
}

func exportedReceiver(fn *ast.FuncDecl) bool {
	if fn.Recv == nil {
		return true
	}
	typ := fn.Recv.List[0].Type
	if star, ok := typ.(*ast.StarExpr); ok {
		typ = star.X
	}
	if generic, ok := typ.(*ast.IndexExpr); ok {
		typ = generic.X
	}
	id, ok := typ.(*ast.Ident)
	return !ok || id.IsExported()
}

// checkSpecs looks at types, constants and variables; a comment on a group speaks for all in it.
func checkSpecs(t *testing.T, f file, d *ast.GenDecl) {
	t.Helper()
	for _, spec := range d.Specs {
		switch s := spec.(type) {
		case *ast.TypeSpec:
			if s.Name.IsExported() && d.Doc == nil && s.Doc == nil {
				t.Errorf("%s: %s has no doc comment", f.at(s.Pos()), s.Name.Name)
			}
		case *ast.ValueSpec:
			if s.Names[0].IsExported() && d.Doc == nil && s.Doc == nil && s.Comment == nil {
				t.Errorf("%s: %s has no doc comment", f.at(s.Pos()), s.Names[0].Name)
			}
		}
	}
}

// No file names a folder of the machine that it was written on.
func TestNoPathsOfThisMachine(t *testing.T) {
	top, err := os.Getwd()
	if err != nil {
		t.Fatal(err)
	}
	common := []string{"/", "/tmp", "/var/tmp", "/home", "/opt", "/srv", "/usr/src"}
	var paths []string
	for _, dir := range []string{filepath.Dir(top), os.Getenv("HOME")} {
		if dir != "" && !slices.Contains(common, dir) {
			paths = append(paths, dir+"/")
		}
	}
	for _, name := range sources(t) {
		text := string(read(t, name))
		for _, p := range paths {
			if strings.Contains(text, p) {
				t.Errorf("%s names %s", name, p)
			}
		}
	}
}

func read(t *testing.T, name string) []byte {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return b
}
