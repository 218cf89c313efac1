package i18n

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

const root = "../.."

// sourceFiles returns the files of the module with one of the endings.
func sourceFiles(t *testing.T, accept func(name string) bool) []string {
	t.Helper()
	var names []string
	for _, dir := range []string{"cmd", "internal", "web"} {
		err := filepath.WalkDir(filepath.Join(root, dir), func(name string, d fs.DirEntry, err error) error {
			if err == nil && !d.IsDir() && accept(name) {
				names = append(names, name)
			}
			return err
		})
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
	}
	return names
}

func isSource(name string) bool {
	return strings.HasSuffix(name, ".go") && !strings.HasSuffix(name, "_test.go") && !strings.HasSuffix(name, "_templ.go")
}

// takesID tells which argument of a call is a message id: Localizer.T and N, Page.T and N,
// apperr.Msg, New and Wrap, Faults.Add, Server.pageT and flash.
var takesID = map[string]int{"T": 0, "N": 0, "Msg": 0, "New": 1, "Wrap": 2, "Add": 1, "pageT": 1, "flash": 2}

// idShape is what a message id looks like; other strings in the same place are none.
var idShape = regexp.MustCompile(`^[a-z][a-z_0-9]*(\.[a-z_0-9]+)+$`)

// use is one place where the program names a message.
type use struct {
	id    string
	place string
	many  bool // N: id.one and id.other
}

// callUses returns the literal ids in calls of a Go file.
func callUses(t *testing.T, name string) []use {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, nil, 0)
	if err != nil {
		t.Logf("%s does not parse: %v", name, err)
		return nil
	}
	var uses []use
	ast.Inspect(file, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		method := calledName(call)
		at, ok := takesID[method]
		if !ok || at >= len(call.Args) {
			return true
		}
		lit, ok := call.Args[at].(*ast.BasicLit)
		if !ok || lit.Kind != token.STRING {
			return true
		}
		id, err := strconv.Unquote(lit.Value)
		if err == nil && idShape.MatchString(id) {
			uses = append(uses, use{id: id, place: fset.Position(lit.Pos()).String(), many: method == "N"})
		}
		return true
	})
	return uses
}

func calledName(call *ast.CallExpr) string {
	switch f := call.Fun.(type) {
	case *ast.SelectorExpr:
		return f.Sel.Name
	case *ast.Ident:
		return f.Name
	}
	return ""
}

var templUse = regexp.MustCompile(`\.(T|N)\(\s*"([^"]+)"`)

func templUses(t *testing.T, name string) []use {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	var uses []use
	for _, m := range templUse.FindAllStringSubmatchIndex(string(text), -1) {
		line := 1 + strings.Count(string(text[:m[0]]), "\n")
		uses = append(uses, use{
			id: string(text[m[4]:m[5]]), place: name + ":" + strconv.Itoa(line), many: string(text[m[2]:m[3]]) == "N",
		})
	}
	return uses
}

// Every id that the program names as a literal exists.
func TestNamedMessagesExist(t *testing.T) {
	var uses []use
	for _, name := range sourceFiles(t, isSource) {
		uses = append(uses, callUses(t, name)...)
	}
	for _, name := range sourceFiles(t, func(n string) bool { return strings.HasSuffix(n, ".templ") }) {
		uses = append(uses, templUses(t, name)...)
	}
	if len(uses) < 20 {
		t.Fatalf("only %d uses of messages found; the search is broken", len(uses))
	}
	for _, u := range uses {
		ids := []string{u.id}
		if u.many {
			ids = []string{u.id + ".one", u.id + ".other"}
		}
		for _, id := range ids {
			if !Has(id) {
				t.Errorf("%s: no message %q", u.place, id)
			}
		}
	}
}

// literals returns every string literal of the program.
func literals(t *testing.T) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	for _, name := range sourceFiles(t, isSource) {
		file, err := parser.ParseFile(token.NewFileSet(), name, nil, 0)
		if err != nil {
			t.Logf("%s does not parse: %v", name, err)
			continue
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if lit, ok := n.(*ast.BasicLit); ok && lit.Kind == token.STRING {
				if s, err := strconv.Unquote(lit.Value); err == nil {
					found[s] = true
				}
			}
			return true
		})
	}
	quoted := regexp.MustCompile(`"([^"\n]*)"`)
	for _, name := range sourceFiles(t, func(n string) bool { return strings.HasSuffix(n, ".templ") }) {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range quoted.FindAllStringSubmatch(string(text), -1) {
			found[m[1]] = true
		}
	}
	return found
}

// dynamicPrefix is a literal to which the program appends the rest of an id, such as
// "quote.state_".
var dynamicPrefix = regexp.MustCompile(`^[a-z][a-z_0-9]*\.([a-z_0-9.]*[_.])?$`)

// Every sentence of the product's own is said somewhere. The glossary is exempt: it holds
// the words of the trade, whether or not a page uses them yet.
func TestMessagesAreUsed(t *testing.T) {
	found := literals(t)
	var prefixes []string
	for s := range found {
		if dynamicPrefix.MatchString(s) {
			prefixes = append(prefixes, s)
		}
	}
	glossary := map[string]message{}
	load(glossary, "glossary.csv", strings.NewReader(string(glossaryFile)), glossaryHeader, glossaryRow)
	for id := range shipped() {
		if _, ok := glossary[id]; ok || isUsed(id, found, prefixes) {
			continue
		}
		t.Errorf("nothing says %q", id)
	}
}

func isUsed(id string, found map[string]bool, prefixes []string) bool {
	if found[id] {
		return true
	}
	for _, form := range []string{".one", ".other"} {
		if base, ok := strings.CutSuffix(id, form); ok && isUsed(base, found, prefixes) {
			return true
		}
	}
	for _, p := range prefixes {
		if strings.HasPrefix(id, p) {
			return true
		}
	}
	return false
}
