package main

import (
	"net/http"
	"os"
	"testing"
	"time"

	"rackwright/internal/embeddedpg"
)

// The database goes away under the running program: pages say so with 503 and the process stays healthy. When it is
// back, so are the pages, without a restart.
func TestDatabaseGoesAwayAndComesBack(t *testing.T) {
	t.Parallel()
	cfg := embeddedpg.Config{Dir: reachable(t), BinDir: os.Getenv("PG_BIN_DIR")}
	pg, err := embeddedpg.Start(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	p := startProgram(t, map[string]string{"DATABASE_URL": pg.URL})
	if got := p.status("/catalog"); got != http.StatusOK {
		t.Fatalf("before: %d", got)
	}
	if err := pg.Stop(); err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if got := p.status("/catalog"); got != http.StatusServiceUnavailable {
			t.Errorf("while it is away: %d", got)
		}
	}
	if ready, healthy := p.status("/readyz"), p.status("/healthz"); ready != http.StatusServiceUnavailable || healthy != http.StatusOK {
		t.Errorf("while it is away: /readyz %d, /healthz %d", ready, healthy)
	}
	if pg, err = embeddedpg.Start(t.Context(), cfg); err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := pg.Stop(); err != nil {
			t.Error(err)
		}
	}()
	got := 0
	for deadline := time.Now().Add(20 * time.Second); got != http.StatusOK && time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		got = p.status("/catalog")
	}
	if got != http.StatusOK {
		t.Errorf("after: %d", got)
	}
	p.end()
}
