//go:build unix

package embeddedpg

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"time"
)

const (
	startLimit   = 60 * time.Second // a crash recovery replays the log first
	orphanLimit  = 15 * time.Second // for server processes that outlived a killed postmaster
	fastLimit    = 20 * time.Second // for a fast shutdown, which writes a checkpoint
	abruptLimit  = 5 * time.Second
	maxLogBytes  = 10 << 20
	shownLogTail = 1500
)

// ensureRunning attaches to the cluster's server or starts it.
func (s *Server) ensureRunning(ctx context.Context, run runner) error {
	ctx, cancel := context.WithTimeout(ctx, startLimit)
	defer cancel()
	attached, err := s.attach(ctx)
	if err != nil || attached {
		return err
	}
	if err := errors.Join(readPIDFile(s.paths.data).disown(), s.paths.clearSocketLock()); err != nil {
		return err
	}
	for deadline := time.Now().Add(orphanLimit); ; {
		err := s.launch(ctx, run)
		if err == nil {
			s.Started = true
			return s.watch()
		}
		// Postgres refuses while processes of a killed postmaster still hold its memory; they end by themselves.
		if !strings.Contains(err.Error(), "is still in use") || time.Now().After(deadline) {
			return err
		}
		if err := pause(ctx); err != nil {
			return err
		}
	}
}

// attach waits for a server that is starting, and reports false when there is none or it is going down.
func (s *Server) attach(ctx context.Context) (bool, error) {
	for {
		f := readPIDFile(s.paths.data)
		if !f.alive(s.paths.data) {
			return false, nil
		}
		if f.ready(s.paths.socket) {
			return true, nil
		}
		if err := pause(ctx); err != nil {
			return false, fmt.Errorf("a PostgreSQL server on %s does not get ready (process %d): %w", s.paths.data, f.pid(), err)
		}
	}
}

// launch starts the server and waits until it takes connections.
func (s *Server) launch(ctx context.Context, run runner) error {
	log, size, err := openLog(s.paths.log)
	if err != nil {
		return err
	}
	defer log.Close()
	cmd := run.command("postgres", s.arguments()...)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("start PostgreSQL: %w", err)
	}
	stopped := make(chan error, 1)
	go func() { stopped <- cmd.Wait(); close(stopped) }()
	for {
		select {
		case err := <-stopped:
			return fmt.Errorf("PostgreSQL stopped at once (%v); its log %s ends:\n%s", err, s.paths.log, tail(log, size))
		case <-ctx.Done():
			_ = cmd.Process.Signal(syscall.SIGQUIT) // it may have ended meanwhile
			<-stopped
			return fmt.Errorf("PostgreSQL was not ready in time; its log is %s: %w", s.paths.log, context.Cause(ctx))
		case <-time.After(pollEvery):
			if f := readPIDFile(s.paths.data); f.pid() == cmd.Process.Pid && f.ready(s.paths.socket) {
				s.stopped = stopped
				return nil
			}
		}
	}
}

// arguments are the server's settings. Those for tests keep nothing safe and need no writer in the background.
func (s *Server) arguments() []string {
	args := []string{"-D", s.paths.data}
	settings := []string{
		"listen_addresses=", "port=" + dbPort, "unix_socket_directories=" + escapeList(s.paths.socket), "unix_socket_permissions=0700",
	}
	if s.cfg.Disposable {
		settings = append(settings, "fsync=off", "synchronous_commit=off", "full_page_writes=off", "wal_level=minimal",
			"max_wal_senders=0", "max_connections=300", "autovacuum=off")
	}
	for _, set := range settings {
		args = append(args, "-c", set)
	}
	return args
}

// escapeList quotes a path for a setting that is a comma-separated list of names.
func escapeList(path string) string { return `"` + strings.ReplaceAll(path, `"`, `""`) + `"` }

// shutdown stops the server: first a fast shutdown, then an abrupt one, which is as safe but recovers at the next start.
func (s *Server) shutdown() error {
	f := readPIDFile(s.paths.data)
	if !f.alive(s.paths.data) {
		return nil
	}
	for _, step := range []struct {
		signal syscall.Signal
		limit  time.Duration
	}{{syscall.SIGINT, fastLimit}, {syscall.SIGQUIT, abruptLimit}} {
		if err := syscall.Kill(f.pid(), step.signal); err != nil && !errors.Is(err, syscall.ESRCH) {
			return fmt.Errorf("stop PostgreSQL: %w", err)
		}
		if s.awaitEnd(f, step.limit) {
			return nil
		}
	}
	return fmt.Errorf("PostgreSQL (process %d) did not stop; its log is %s", f.pid(), s.paths.log)
}

// awaitEnd reports whether the process of f ended within limit.
func (s *Server) awaitEnd(f pidFile, limit time.Duration) bool {
	for deadline := time.Now().Add(limit); time.Now().Before(deadline); time.Sleep(pollEvery) {
		if !f.alive(s.paths.data) {
			if s.stopped != nil {
				<-s.stopped // collected, so that it does not stay in the process table
			}
			return true
		}
	}
	return false
}

func pause(ctx context.Context) error {
	select {
	case <-ctx.Done():
		return context.Cause(ctx)
	case <-time.After(pollEvery):
		return nil
	}
}

// openLog opens the server's log for appending and returns its size; a big one is put aside first.
func openLog(path string) (*os.File, int64, error) {
	if info, err := os.Stat(path); err == nil && info.Size() > maxLogBytes {
		if err := os.Rename(path, path+".1"); err != nil {
			return nil, 0, fmt.Errorf("server log: %w", err)
		}
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_APPEND|os.O_RDWR, 0o600)
	if err != nil {
		return nil, 0, fmt.Errorf("server log: %w", err)
	}
	info, err := f.Stat()
	if err != nil {
		return nil, 0, errors.Join(fmt.Errorf("server log: %w", err), f.Close())
	}
	return f, info.Size(), nil
}

// tail returns the end of what was written to the log since it had the size.
func tail(log *os.File, size int64) string {
	b, err := io.ReadAll(io.NewSectionReader(log, size, maxLogBytes))
	if err != nil {
		return err.Error()
	}
	return string(b[max(0, len(b)-shownLogTail):])
}
