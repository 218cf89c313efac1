package testdb

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"rackwright/internal/embeddedpg"
)

const (
	clonePrefix    = "test_"
	templatePrefix = "template_"
	startLimit     = 2 * time.Minute
)

// testServer is this test program's hold on the shared server. It is never let go of explicitly: the
// kernel does that when the program ends, and the server ends with its last user.
type testServer struct {
	pg    *embeddedpg.Server // kept reachable: its lock ends when it is collected
	admin *pgxpool.Pool
}

// server returns the one hold of this test program.
var server = sync.OnceValues(func() (*testServer, error) {
	ctx, cancel := context.WithTimeout(context.Background(), startLimit)
	defer cancel()
	dir, err := folder()
	if err != nil {
		return nil, err
	}
	pg, err := embeddedpg.Start(ctx, embeddedpg.Config{Dir: dir, BinDir: os.Getenv("PG_BIN_DIR"), Disposable: true})
	if err != nil {
		return nil, err
	}
	admin, err := pgxpool.New(ctx, pg.URL)
	if err != nil {
		return nil, err
	}
	srv := &testServer{pg: pg, admin: admin}
	return srv, srv.sweep(ctx)
})

// folder is the shared server's data folder: in the temporary folder, where the account that root's
// server runs as can reach it, and therefore checked to be nobody else's.
func folder() (string, error) {
	dir := filepath.Join(os.TempDir(), fmt.Sprintf("rackwright-test-%d", os.Geteuid()))
	if err := os.Mkdir(dir, 0o755); err != nil && !errors.Is(err, os.ErrExist) {
		return "", err
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return "", err
	}
	if st, ok := info.Sys().(*syscall.Stat_t); !info.IsDir() || !ok || int(st.Uid) != os.Geteuid() {
		return "", fmt.Errorf("%s belongs to somebody else", dir)
	}
	return dir, nil
}

// exec runs one statement that must be outside a transaction.
func (s *testServer) exec(sql string) error {
	ctx, cancel := context.WithTimeout(context.Background(), startLimit)
	defer cancel()
	_, err := s.admin.Exec(ctx, sql)
	return err
}

// url returns the address of a database of the server.
func (s *testServer) url(name string) string {
	u, err := withDatabase(s.pg.URL, name)
	if err != nil {
		panic(err) // embeddedpg made the URL
	}
	return u
}

// sweep drops the databases of test programs that were killed.
func (s *testServer) sweep(ctx context.Context) error {
	rows, err := s.admin.Query(ctx, `SELECT datname FROM pg_database WHERE datname LIKE 'test\_%'`)
	if err != nil {
		return err
	}
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	for _, name := range names {
		pid, _, _ := strings.Cut(strings.TrimPrefix(name, clonePrefix), "_")
		if n, err := strconv.Atoi(pid); err == nil && errors.Is(syscall.Kill(n, 0), syscall.ESRCH) {
			if err := s.exec("DROP DATABASE IF EXISTS " + quote(name) + " WITH (FORCE)"); err != nil {
				return err
			}
		}
	}
	return nil
}
