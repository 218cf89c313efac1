//go:build unix

// Package embeddedpg runs a private PostgreSQL server in a data folder when no DATABASE_URL is set.
//
// It uses the server programs that are on the machine and downloads none. The server listens on
// a unix socket only, inside a folder that is closed to others. Several programs may share one server:
// each holds a shared lock, and the last one to stop stops it. A killed program leaves the server running,
// the next start attaches to it. Data is never deleted, whatever is found in the folder.
//
// Layout of the folder: data-<major>/ (the cluster), s/ (the socket), users.lock, gate.lock, server.log.
//
// Entry points: Start, and Keep for programs that run long.
package embeddedpg

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

const (
	dbUser = "rackwright"
	dbName = "postgres"
	dbPort = "5432" // names the socket only; nothing listens on a network port
)

// Config says where and how the server runs.
type Config struct {
	Dir    string // data folder; see DefaultDir
	BinDir string // folder of initdb and postgres; empty: searched for
	// Disposable trades safety for speed: nothing is flushed to disk. And the server ends by itself when the last
	// program that uses it has ended, however it ended. For tests.
	Disposable bool
}

// Server is a running server, started by this program or found running.
type Server struct {
	URL     string // for pgx
	Started bool   // false: attached to a server that was running already
	Created bool   // true: the cluster was made by this start

	cfg     Config
	paths   paths
	run     runner
	users   *os.File     // shared lock while in use
	stopped <-chan error // closed at the end of the process if this program started it; else nil
}

// Start finds or makes the server of cfg.Dir and returns when it takes connections.
// Call Stop at the end. Errors are written for the person who started the program.
func Start(ctx context.Context, cfg Config) (_ *Server, err error) {
	acct, err := serverAccount()
	if err != nil {
		return nil, err
	}
	p, err := preparePaths(cfg.Dir, acct)
	if err != nil {
		return nil, err
	}
	gate, err := lockFile(ctx, p.gate, exclusive) // one program at a time passes the rest
	if err != nil {
		return nil, err
	}
	defer gate.Close()
	s := &Server{cfg: cfg, URL: p.url(), paths: p}
	if s.users, err = lockFile(ctx, p.users, shared); err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, s.users.Close())
		}
	}()
	bin, err := s.chooseCluster()
	if err != nil {
		return nil, err
	}
	s.run = runner{bin: bin, account: acct}
	if s.Created, err = s.paths.ensureCluster(ctx, s.run); err != nil {
		return nil, err
	}
	if err := s.ensureRunning(ctx, s.run); err != nil {
		return nil, err
	}
	return s, nil
}

// chooseCluster picks the cluster and the programs of its major version: the newest ones for a new cluster.
func (s *Server) chooseCluster() (bin string, err error) {
	found, err := findPrograms(s.cfg.BinDir)
	if err != nil {
		return "", err
	}
	if found, err = matchCluster(found, clusterMajor(s.paths.dir)); err != nil {
		return "", err
	}
	s.paths.data = filepath.Join(s.paths.dir, fmt.Sprintf("data-%d", found[0].major))
	return found[0].dir, nil
}

// Stop lets go of the server. The last program that uses it stops it: open
// transactions are rolled back, everything committed is on disk.
func (s *Server) Stop() error {
	gate, err := lockFile(context.Background(), s.paths.gate, exclusive)
	if err != nil {
		return errors.Join(err, s.users.Close())
	}
	defer gate.Close()
	last, err := tryExclusive(s.users)
	if err == nil && last {
		err = s.shutdown()
	}
	return errors.Join(err, s.users.Close())
}

// DefaultDir is the data folder when none is set. Root's own home is closed to the account that
// the server then runs as, hence /var/lib.
func DefaultDir(app string) (string, error) {
	if os.Geteuid() == 0 {
		return filepath.Join("/var/lib", app), nil
	}
	if d := os.Getenv("XDG_DATA_HOME"); d != "" {
		return filepath.Join(d, app), nil
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return "", fmt.Errorf("no home folder for the data; set DATA_DIR: %w", err)
	}
	return filepath.Join(home, ".local", "share", app), nil
}

// url returns the address for pgx, which like libpq reads a plus sign as itself, not as a space.
func (p paths) url() string {
	host := strings.ReplaceAll(url.QueryEscape(p.socket), "+", "%20")
	return fmt.Sprintf("postgres://%s@/%s?host=%s&port=%s", dbUser, dbName, host, dbPort)
}

// pollEvery is the pause between two looks at a lock or a pid file.
const pollEvery = 10 * time.Millisecond
