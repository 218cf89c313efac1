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

func TestCatalogueIsShipped(t *testing.T) {
	conn := testdb.Connect(t, testdb.URLWithCatalog(t))
	var skus, claims int
	err := conn.QueryRow(t.Context(), "SELECT (SELECT count(*) FROM sku), (SELECT count(*) FROM spec_claim)").Scan(&skus, &claims)
	if err != nil || skus == 0 || claims == 0 {
		t.Fatalf("%d SKUs, %d claims, %v", skus, claims, err)
	}
}

func BenchmarkNew(b *testing.B) {
	for b.Loop() {
		testdb.EmptyURL(b)
	}
}

func BenchmarkURLWithCatalog(b *testing.B) {
	for b.Loop() {
		testdb.URLWithCatalog(b)
	}
}
