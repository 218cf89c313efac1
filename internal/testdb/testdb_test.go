package testdb_test

import (
	"testing"

	"rackwright/internal/testdb"
)

// Each test has a database of its own, also when tests run at the same time.
func TestNewIsolated(t *testing.T) {
	for _, name := range []string{"first", "second", "third"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			conn := testdb.Connect(t, testdb.URL(t))
			if _, err := conn.Exec(t.Context(), "CREATE TABLE mine (n int)"); err != nil {
				t.Fatal(err)
			}
		})
	}
}

func TestNewIsMigrated(t *testing.T) {
	db := testdb.New(t)
	if err := db.Ping(t.Context()); err != nil {
		t.Fatal(err)
	}
}
