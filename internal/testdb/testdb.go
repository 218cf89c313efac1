// Package testdb gives each test a Postgres database of its own. For tests only.
//
// All test programs of one user share a private server (see embeddedpg), which ends with the last of them.
// A template database is made once for each state of the migrations, and one more with the shipped catalogue; a
// test's database is a copy of it. Tests may run in parallel. Where no server can be had, a test fails: it never skips.
package testdb

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/postgres"
)

// Now is the present of databases made by New: a weekday noon, UTC.
var Now = time.Date(2026, time.November, 30, 12, 0, 0, 0, time.UTC)

// Clock returns Now.
func Clock() time.Time { return Now }

// New returns a migrated, empty database, gone when the test ends.
func New(t testing.TB) *postgres.DB {
	t.Helper()
	return open(t, URL(t))
}

// WithCatalog returns a database with the shipped catalogue imported, gone when the test ends.
func WithCatalog(t testing.TB) *postgres.DB {
	t.Helper()
	return open(t, URLWithCatalog(t))
}

// URL is New for a test that opens the database itself, or several times.
func URL(t testing.TB) string {
	t.Helper()
	return clone(t, migrated)
}

// URLWithCatalog is WithCatalog for a test that opens the database itself, or several times.
func URLWithCatalog(t testing.TB) string {
	t.Helper()
	return clone(t, catalogue)
}

// EmptyURL returns a database without any table, for tests of the migrations.
func EmptyURL(t testing.TB) string {
	t.Helper()
	return clone(t, empty)
}

// Connect opens a plain connection for a test that looks at rows itself.
func Connect(t testing.TB, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatalf("testdb: %v", err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) }) // the database is dropped by force anyway
	return conn
}

func open(t testing.TB, url string) *postgres.DB {
	t.Helper()
	db, err := postgres.Open(t.Context(), url, Clock)
	if err != nil {
		t.Fatalf("testdb: %v", err)
	}
	t.Cleanup(db.Close)
	return db
}

var cloneCount atomic.Int64

// clone copies a template into a new database and drops it when the test ends.
func clone(t testing.TB, source template) string {
	t.Helper()
	srv, err := server()
	if err != nil {
		t.Fatalf("testdb: %v", err)
	}
	from, err := srv.ensure(source)
	if err != nil {
		t.Fatalf("testdb: %v", err)
	}
	// The process number lets a later run see that this one is gone, if it is killed before it cleans up.
	name := fmt.Sprintf("%s%d_%d", clonePrefix, os.Getpid(), cloneCount.Add(1))
	// Copying files takes half as long as writing each page to the log, which is the default.
	if err := srv.exec("CREATE DATABASE " + quote(name) + " TEMPLATE " + quote(from) + " STRATEGY FILE_COPY"); err != nil {
		t.Fatalf("testdb: %v", err)
	}
	t.Cleanup(func() {
		if err := srv.exec("DROP DATABASE " + quote(name) + " WITH (FORCE)"); err != nil {
			t.Errorf("testdb: %v", err)
		}
	})
	return srv.url(name)
}

func quote(name string) string { return pgx.Identifier{name}.Sanitize() }

// withDatabase replaces the database's name in a URL.
func withDatabase(raw, name string) (string, error) {
	u, err := url.Parse(raw)
	if err != nil {
		return "", err
	}
	u.Path = "/" + name
	return u.String(), nil
}
