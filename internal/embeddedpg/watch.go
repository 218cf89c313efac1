//go:build unix

package embeddedpg

import (
	"fmt"
	"os/exec"
	"strconv"
	"syscall"
)

// watchScript waits for the lock that every user of the server holds shared, then stops the server and keeps the
// lock until it is gone, so that a start in between waits and makes a new one.
const watchScript = `exec flock "$1" sh -c 'kill -INT "$0" 2>/dev/null; while kill -0 "$0" 2>/dev/null; do sleep 0.02; done' "$2"`

// watch lets a disposable server end with the last program that uses it, even one that is
// killed: test programs have no common end at which they could stop it. Where util-linux' flock is missing,
// the server stays until the next Stop that is the last.
func (s *Server) watch() error {
	if !s.cfg.Disposable {
		return nil
	}
	if _, err := exec.LookPath("flock"); err != nil {
		return nil
	}
	pid := readPIDFile(s.paths.data).pid()
	cmd := exec.Command("sh", "-c", watchScript, "watch", s.paths.users, strconv.Itoa(pid))
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	if err := cmd.Start(); err != nil {
		return fmt.Errorf("watch the test server: %w", err)
	}
	go func() { _ = cmd.Wait() }() // collected if this program outlives it
	return nil
}
