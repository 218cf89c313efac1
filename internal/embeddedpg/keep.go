//go:build unix

package embeddedpg

import (
	"context"
	"fmt"
	"time"
)

// How often Keep looks, and how long it rests after a start that failed.
const (
	keepEvery  = time.Second
	keepResume = 10 * time.Second
)

// Keep starts the server again when it ends while it is in use (killed for want of memory, or by hand), until ctx ends. It
// tells what it does. Stop may be called when Keep has returned.
func (s *Server) Keep(ctx context.Context, tell func(text string)) {
	for wait := keepEvery; ; {
		select {
		case <-ctx.Done():
			return
		case <-time.After(wait):
		}
		wait = keepEvery
		if readPIDFile(s.paths.data).alive(s.paths.data) {
			continue
		}
		tell("The database has stopped; starting it again ...")
		if err := s.revive(ctx); err != nil {
			if ctx.Err() != nil {
				return
			}
			tell(fmt.Sprintf("The database does not start: %v", err))
			wait = keepResume
		}
	}
}

// revive starts the server, or attaches to one that another program has started meanwhile.
func (s *Server) revive(ctx context.Context) error {
	gate, err := lockFile(ctx, s.paths.gate, exclusive)
	if err != nil {
		return err
	}
	defer gate.Close()
	s.stopped = nil
	return s.ensureRunning(ctx, s.run)
}
