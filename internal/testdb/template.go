package testdb

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/postgres"
	"rackwright/migrations"
)

// template is a state that databases are copied from. Its name in the server carries a hash of what
// it was made of, so that a changed migration makes a new one.
type template struct {
	kind  string
	files []fs.FS
	code  []string // folders of the module whose Go files shape it
	fill  func(ctx context.Context, url string) error
}

var (
	empty    = template{kind: "empty", fill: func(context.Context, string) error { return nil }}
	migrated = template{kind: "migrated", files: []fs.FS{migrations.FS}, fill: postgres.Migrate}
)

// lockTemplates is the advisory lock under which one test program at a time makes a template.
const lockTemplates = 7_420_011

// made holds the templates that this test program has seen.
var made sync.Map

// ensure returns the name of the template's database and makes it if there is none.
func (s *testServer) ensure(t template) (string, error) {
	name, err := t.name()
	if err != nil {
		return "", err
	}
	make := sync.OnceValue(func() error { return s.make(t, name) })
	once, _ := made.LoadOrStore(name, make)
	if err := once.(func() error)(); err != nil {
		return "", fmt.Errorf("template %s: %w", t.kind, err)
	}
	return name, nil
}

func (t template) name() (string, error) {
	h := sha256.New()
	all := t.files
	if len(t.code) > 0 {
		root, err := moduleRoot()
		if err != nil {
			return "", err
		}
		for _, dir := range t.code {
			all = append(all[:len(all):len(all)], os.DirFS(filepath.Join(root, dir)))
		}
	}
	for _, files := range all {
		if err := hashFiles(h.Write, files); err != nil {
			return "", err
		}
	}
	return templatePrefix + t.kind + "_" + hex.EncodeToString(h.Sum(nil)[:8]), nil
}

// moduleRoot finds the folder of go.mod: tests run in the folder of their package.
func moduleRoot() (string, error) {
	dir, err := os.Getwd()
	if err != nil {
		return "", err
	}
	for {
		if _, err := os.Stat(filepath.Join(dir, "go.mod")); err == nil {
			return dir, nil
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return "", errors.New("go.mod is in no folder above")
		}
		dir = parent
	}
}

// hashFiles hashes names and contents, but not of tests.
func hashFiles(write func([]byte) (int, error), files fs.FS) error {
	return fs.WalkDir(files, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || strings.HasSuffix(path, "_test.go") {
			return err
		}
		b, err := fs.ReadFile(files, path)
		if err != nil {
			return err
		}
		_, err = write(fmt.Appendf(nil, "%s %d\n%s", path, len(b), b))
		return err
	})
}

// make builds the template under another name and renames it when it is complete, so that a test
// program that is killed meanwhile leaves nothing that looks like one. Templates of the same kind that
// other versions of the code left are dropped.
func (s *testServer) make(t template, name string) (err error) {
	ctx, cancel := context.WithTimeout(context.Background(), startLimit)
	defer cancel()
	conn, err := pgx.Connect(ctx, s.pg.URL) // its own connection: closing it gives the lock back
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, conn.Close(context.Background())) }()
	if _, err := conn.Exec(ctx, "SELECT pg_advisory_lock($1)", lockTemplates); err != nil {
		return err
	}
	var there bool
	if err := conn.QueryRow(ctx, "SELECT EXISTS (SELECT FROM pg_database WHERE datname = $1)", name).Scan(&there); err != nil || there {
		return err
	}
	if err := dropOld(ctx, conn, t.kind); err != nil {
		return err
	}
	building := "building_" + t.kind
	if _, err := conn.Exec(ctx, "CREATE DATABASE "+quote(building)+" TEMPLATE template0"); err != nil {
		return err
	}
	if err := t.fill(ctx, s.url(building)); err != nil {
		return err
	}
	_, err = conn.Exec(ctx, "ALTER DATABASE "+quote(building)+" RENAME TO "+quote(name))
	return err
}

// keptTemplates is how many templates of one kind stay, for test programs of other versions of the code.
const keptTemplates = 4

// dropOld drops what is left of a template that was not completed, and all but the newest templates of the kind.
func dropOld(ctx context.Context, conn *pgx.Conn, kind string) error {
	rows, err := conn.Query(ctx, `
		(SELECT datname FROM pg_database WHERE starts_with(datname, $1) ORDER BY oid DESC OFFSET $2)
		UNION ALL
		SELECT datname FROM pg_database WHERE datname = $3`,
		templatePrefix+kind+"_", keptTemplates-1, "building_"+kind)
	if err != nil {
		return err
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	for _, name := range names {
		if _, err := conn.Exec(ctx, "DROP DATABASE "+quote(name)+" WITH (FORCE)"); err != nil {
			return err
		}
	}
	return nil
}
