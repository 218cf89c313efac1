package postgres_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/apperr"
	"rackwright/internal/postgres"
	"rackwright/internal/testdb"
)

func TestOpenFaults(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, url string
		away      bool
	}{
		{"no URL", "postgres://user:hidden-word@[bad", false},
		{"nobody listens", "postgres://user:hidden-word@127.0.0.1:1/none", true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := postgres.Open(t.Context(), tt.url, testdb.Clock)
			if err == nil || apperr.Is(err, apperr.Unavailable) != tt.away {
				t.Fatalf("got %v", err)
			}
			if strings.Contains(err.Error(), "hidden-word") {
				t.Errorf("prints the password: %v", err)
			}
		})
	}
}

// Two transactions that lock each other's row: one is told to start again, and both are done in the end.
func TestInTxRetriesDeadlock(t *testing.T) {
	t.Parallel()
	url := testdb.EmptyURL(t)
	conn := testdb.Connect(t, url)
	if _, err := conn.Exec(t.Context(), "CREATE TABLE n AS SELECT id, 0 AS v FROM generate_series(1, 2) AS id"); err != nil {
		t.Fatal(err)
	}
	db := open(t, url)
	var met sync.WaitGroup
	met.Add(2)
	var runs [2]int
	transfer := func(i int, ids []int) error {
		return db.InTx(t.Context(), func(ctx context.Context, tx pgx.Tx) error {
			runs[i]++
			for step, id := range ids {
				if _, err := tx.Exec(ctx, "UPDATE n SET v = v + 1 WHERE id = $1", id); err != nil {
					return err
				}
				if step == 0 && runs[i] == 1 { // both hold their first row before they want the other's
					met.Done()
					met.Wait()
				}
			}
			return nil
		})
	}
	var errs [2]error
	var wg sync.WaitGroup
	wg.Go(func() { errs[0] = transfer(0, []int{1, 2}) })
	wg.Go(func() { errs[1] = transfer(1, []int{2, 1}) })
	wg.Wait()
	if err := errors.Join(errs[:]...); err != nil {
		t.Fatal(err)
	}
	if runs[0]+runs[1] != 3 {
		t.Errorf("ran %v times; one of two should have started again once", runs)
	}
	var sum int
	if err := conn.QueryRow(t.Context(), "SELECT sum(v) FROM n").Scan(&sum); err != nil || sum != 4 {
		t.Errorf("sum %d, %v; each transaction counts once", sum, err)
	}
}

func TestInTxRollsBack(t *testing.T) {
	t.Parallel()
	url := testdb.EmptyURL(t)
	conn := testdb.Connect(t, url)
	if _, err := conn.Exec(t.Context(), "CREATE TABLE n (v int)"); err != nil {
		t.Fatal(err)
	}
	refused := apperr.New(apperr.Conflict, "errors.form_conflict")
	runs := 0
	err := open(t, url).InTx(t.Context(), func(ctx context.Context, tx pgx.Tx) error {
		runs++
		if _, err := tx.Exec(ctx, "INSERT INTO n VALUES (1)"); err != nil {
			return err
		}
		return refused
	})
	if !errors.Is(err, refused) || runs != 1 {
		t.Fatalf("got %v after %d runs", err, runs)
	}
	var rows int
	if err := conn.QueryRow(t.Context(), "SELECT count(*) FROM n").Scan(&rows); err != nil || rows != 0 {
		t.Errorf("%d rows, %v", rows, err)
	}
}

func TestInstantsAreUTC(t *testing.T) {
	t.Parallel()
	var at time.Time
	err := testdb.New(t).InTx(t.Context(), func(ctx context.Context, tx pgx.Tx) error {
		return tx.QueryRow(ctx, "SELECT timestamptz '2026-11-30 20:00+08'").Scan(&at)
	})
	if err != nil || at != testdb.Now {
		t.Fatalf("got %v, %v", at, err)
	}
}

// Connections that the server closed are noticed: at most the request at hand fails, as unavailable.
func TestServerClosesConnections(t *testing.T) {
	t.Parallel()
	url := testdb.EmptyURL(t)
	db := open(t, url)
	conn := testdb.Connect(t, url)
	sever := `SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()`
	for range 3 {
		if _, err := conn.Exec(t.Context(), sever); err != nil {
			t.Fatal(err)
		}
		err := db.Ping(t.Context())
		if err != nil && !apperr.Is(err, apperr.Unavailable) {
			t.Fatalf("got %v", err)
		}
		if err := db.Ping(t.Context()); err != nil {
			t.Fatalf("no recovery: %v", err)
		}
	}
}

func open(t *testing.T, url string) *postgres.DB {
	t.Helper()
	db, err := postgres.Open(t.Context(), url, testdb.Clock)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	return db
}
