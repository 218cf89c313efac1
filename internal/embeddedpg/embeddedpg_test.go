//go:build unix

package embeddedpg

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// folder returns a data folder that the server's account can reach, also when the test runs as root
// (t.TempDir is closed to others). The space in its name is meant.
func folder(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "embeddedpg")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "data folder")
}

func start(t *testing.T, dir string) *Server {
	t.Helper()
	s, err := Start(t.Context(), Config{Dir: dir, BinDir: os.Getenv("PG_BIN_DIR")})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Stop(); err != nil && !errors.Is(err, os.ErrClosed) { // closed: the test stopped it
			t.Error(err)
		}
	})
	return s
}

func stop(t *testing.T, s *Server) {
	t.Helper()
	if err := s.Stop(); err != nil {
		t.Fatal(err)
	}
}

// query runs a statement and returns its one value.
func query(t *testing.T, url, sql string) string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	var v string
	if err := conn.QueryRow(t.Context(), sql).Scan(&v); err != nil {
		t.Fatal(err)
	}
	return v
}

// keepRow commits a row that later starts must find.
func keepRow(t *testing.T, url string) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	if _, err := conn.Exec(t.Context(), "CREATE TABLE kept AS SELECT 'row' AS v"); err != nil {
		t.Fatal(err)
	}
}

// serverPID returns the server's process, 0 if none runs.
func serverPID(s *Server) int {
	if f := readPIDFile(s.paths.data); f.alive(s.paths.data) {
		return f.pid()
	}
	return 0
}

func TestStartCreatesOnceAndStopsClean(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	first := start(t, dir)
	if !first.Created || !first.Started {
		t.Fatalf("first start: created %v, started %v", first.Created, first.Started)
	}
	keepRow(t, first.URL)
	pid := serverPID(first)
	stop(t, first)
	if err := syscall.Kill(pid, 0); !errors.Is(err, syscall.ESRCH) {
		t.Fatalf("process %d is still there: %v", pid, err)
	}
	second := start(t, dir)
	if second.Created || !second.Started {
		t.Fatalf("second start: created %v, started %v", second.Created, second.Started)
	}
	if v := query(t, second.URL, "SELECT v FROM kept"); v != "row" {
		t.Fatalf("kept %q", v)
	}
}

func TestServerIsOnNoNetwork(t *testing.T) {
	t.Parallel()
	s := start(t, folder(t))
	if v := query(t, s.URL, "SHOW listen_addresses"); v != "" {
		t.Errorf("listens on %q", v)
	}
	info, err := os.Stat(s.paths.socket)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o700 {
		t.Errorf("socket folder is %v", info.Mode())
	}
}

func TestLastUserStopsServer(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	a, b := start(t, dir), start(t, dir)
	if b.Started {
		t.Fatal("the second program started a second server")
	}
	stop(t, a)
	if serverPID(b) == 0 {
		t.Fatal("the first program stopped a server that the second still uses")
	}
	stop(t, b)
	if serverPID(b) != 0 {
		t.Fatal("the last program left the server running")
	}
}

// The postmaster alone is killed; its children go away by themselves.
func TestKilledPostmaster(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	a := start(t, dir)
	keepRow(t, a.URL)
	if err := syscall.Kill(serverPID(a), syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	stop(t, a)
	b := start(t, dir)
	if b.Created || !b.Started {
		t.Fatalf("after the crash: created %v, started %v", b.Created, b.Started)
	}
	if v := query(t, b.URL, "SELECT v FROM kept"); v != "row" {
		t.Fatalf("kept %q", v)
	}
}

// A program that keeps the server has it back without a restart, and still stops it at the end.
func TestKeepStartsKilledServerAgain(t *testing.T) {
	t.Parallel()
	s := start(t, folder(t))
	keepRow(t, s.URL)
	ctx, release := context.WithCancel(t.Context())
	told, done := make(chan string, 10), make(chan struct{})
	go func() { s.Keep(ctx, func(text string) { told <- text }); close(done) }()
	old := serverPID(s)
	if err := syscall.Kill(old, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	back := func() bool {
		pid := serverPID(s)
		return pid != 0 && pid != old && readPIDFile(s.paths.data).ready(s.paths.socket)
	}
	for deadline := time.Now().Add(30 * time.Second); !back(); time.Sleep(pollEvery) {
		if time.Now().After(deadline) {
			t.Fatal("the server did not come back")
		}
	}
	if v := query(t, s.URL, "SELECT v FROM kept"); v != "row" {
		t.Errorf("kept %q", v)
	}
	if text := <-told; !strings.Contains(text, "starting it again") {
		t.Errorf("told %q", text)
	}
	release()
	<-done
	stop(t, s)
	if serverPID(s) != 0 {
		t.Error("the server runs on")
	}
}

func TestLongPath(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(folder(t), strings.Repeat("long/", 30))
	s := start(t, dir)
	t.Cleanup(func() { _ = os.RemoveAll(s.paths.socket) })
	if strings.HasPrefix(s.paths.socket, dir) {
		t.Fatalf("socket in %s", s.paths.socket)
	}
	query(t, s.URL, "SELECT 'reached'")
}

func TestSocketFolderOfSomebodyElse(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Log("only root can make a folder that belongs to somebody else")
		return
	}
	dir := folder(t)
	foreign := filepath.Join(dir, "s")
	if err := errors.Join(os.MkdirAll(foreign, 0o777), os.Chown(foreign, 54321, 54321)); err != nil {
		t.Fatal(err)
	}
	_, err := Start(t.Context(), Config{Dir: dir})
	if err == nil || !strings.Contains(err.Error(), "does not belong to") {
		t.Fatalf("got %v", err)
	}
}

func TestNoPrograms(t *testing.T) {
	t.Parallel()
	_, err := Start(t.Context(), Config{Dir: folder(t), BinDir: t.TempDir()})
	if !errors.Is(err, ErrNoPrograms) {
		t.Fatalf("got %v", err)
	}
	for _, way := range []string{"apt-get install postgresql", "PG_BIN_DIR=", "DATABASE_URL="} {
		if !strings.Contains(err.Error(), way) {
			t.Errorf("the message lacks %q: %v", way, err)
		}
	}
}

func TestOtherMajorIsLeftAsItIs(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	mark := filepath.Join(dir, "data-9", "PG_VERSION")
	if err := errors.Join(os.MkdirAll(filepath.Dir(mark), 0o755), os.WriteFile(mark, []byte("9\n"), 0o600)); err != nil {
		t.Fatal(err)
	}
	_, err := Start(t.Context(), Config{Dir: dir})
	if err == nil || !strings.Contains(err.Error(), "made by PostgreSQL 9") || !strings.Contains(err.Error(), "left as it is") {
		t.Fatalf("got %v", err)
	}
	if b, err := os.ReadFile(mark); err != nil || string(b) != "9\n" {
		t.Fatalf("PG_VERSION: %q, %v", b, err)
	}
	if others, _ := filepath.Glob(filepath.Join(dir, "data-[^9]*")); len(others) > 0 {
		t.Fatalf("made %v beside the data of another version", others)
	}
}

func TestFolderThatServerCannotReach(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Log("only root's server runs as another account")
		return
	}
	closed := filepath.Join(filepath.Dir(folder(t)), "closed")
	if err := os.Mkdir(closed, 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := Start(t.Context(), Config{Dir: filepath.Join(closed, "data")})
	if err == nil || !strings.Contains(err.Error(), closed+" is closed to it") || !strings.Contains(err.Error(), "DATA_DIR") {
		t.Fatalf("got %v", err)
	}
}

func TestStartGivesUpWithItsContext(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	if err := os.MkdirAll(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	gate, err := lockFile(t.Context(), filepath.Join(dir, "gate.lock"), exclusive) // as if another start hung
	if err != nil {
		t.Fatal(err)
	}
	defer gate.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, err := Start(ctx, Config{Dir: dir}); !errors.Is(err, context.DeadlineExceeded) {
		t.Fatalf("got %v", err)
	}
}

// A server that cannot start says why, by its own log.
func TestBrokenDataShowsLog(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	s := start(t, dir)
	stop(t, s)
	conf := filepath.Join(s.paths.data, "postgresql.conf")
	if err := os.WriteFile(conf, []byte("no_such_setting = 1\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	_, err := Start(t.Context(), Config{Dir: dir})
	if err == nil || !strings.Contains(err.Error(), "no_such_setting") {
		t.Fatalf("got %v", err)
	}
}

func TestMatchCluster(t *testing.T) {
	found := []programs{{"/17", 17}, {"/15", 15}, {"/13", 13}}
	tests := []struct {
		name    string
		found   []programs
		cluster int
		want    string // folder, or part of the error
	}{
		{"new cluster takes the newest", found, 0, "/17"},
		{"existing cluster takes its own", found, 15, "/15"},
		{"old programs run no new cluster", found[2:], 0, "version 15 or newer"},
		{"old cluster still runs", found, 13, "/13"},
		{"version not installed", found, 16, "only 17, 15, 13 is installed"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := matchCluster(tt.found, tt.cluster)
			if err != nil {
				if !strings.Contains(err.Error(), tt.want) {
					t.Fatalf("got error %v, want %q in it", err, tt.want)
				}
				return
			}
			if got[0].dir != tt.want {
				t.Fatalf("got %v, want %s first", got, tt.want)
			}
		})
	}
}

func TestMajorOf(t *testing.T) {
	dir := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text+"\n"), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	write("postgres", `echo "postgres (PostgreSQL) 17beta2"`)
	if got := majorOf(dir); got != 0 {
		t.Fatalf("without initdb: %d", got)
	}
	write("initdb", "")
	for line, want := range map[string]int{
		`echo "postgres (PostgreSQL) 17beta2"`:                           17,
		`echo "postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1)"`:    15,
		`echo "postgres: something else"`:                                0,
		`echo nothing; exit 1`:                                           0,
		fmt.Sprintf("echo %q; exit 3", "postgres (PostgreSQL) 15.1 bad"): 0,
	} {
		write("postgres", line)
		if got := majorOf(dir); got != want {
			t.Errorf("%s: %d, want %d", line, got, want)
		}
	}
}
