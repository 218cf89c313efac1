package postgres_test

import (
	"go/ast"
	"go/constant"
	"go/importer"
	"go/parser"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/testdb"
)

// Every statement of the package is known to the server: tables, columns and types exist.
func TestStatementsPrepare(t *testing.T) {
	t.Parallel()
	statements := constants(t)
	if len(statements) < 20 {
		t.Fatalf("found %d statements only; the search is broken", len(statements))
	}
	conn := testdb.Connect(t, testdb.URL(t))
	for name, sql := range statements {
		// The arguments' values play no part, only their names.
		plain, _, err := pgx.NamedArgs(nil).RewriteQuery(t.Context(), conn, sql, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if _, err := conn.Prepare(t.Context(), name, plain); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
}

// constants returns the values of all constants named sql… of the package.
func constants(t *testing.T) map[string]string {
	t.Helper()
	fset := token.NewFileSet()
	names, err := filepath.Glob("*.go")
	if err != nil {
		t.Fatal(err)
	}
	var files []*ast.File
	for _, name := range names {
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := parser.ParseFile(fset, name, nil, 0)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, f)
	}
	// The type checker adds up constants of constants. What it says of other packages does not matter here.
	info := &types.Info{Defs: map[*ast.Ident]types.Object{}}
	conf := types.Config{Importer: importer.Default(), Error: func(error) {}}
	_, _ = conf.Check("postgres", fset, files, info)
	found := map[string]string{}
	for id, obj := range info.Defs {
		c, ok := obj.(*types.Const)
		if ok && strings.HasPrefix(id.Name, "sql") && c.Val().Kind() == constant.String {
			found[id.Name] = constant.StringVal(c.Val())
		}
	}
	return found
}
