//go:build unix

package embeddedpg

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
)

// pidFile is what the server writes into postmaster.pid, by line.
type pidFile struct {
	path  string
	lines []string
}

// Lines of postmaster.pid (src/include/utils/pidfile.h of PostgreSQL, counted from 0).
const (
	linePID    = 0
	lineSocket = 4
	lineStatus = 7
)

// readPIDFile returns no lines if there is no file.
func readPIDFile(data string) pidFile {
	f := pidFile{path: filepath.Join(data, "postmaster.pid")}
	if b, err := os.ReadFile(f.path); err == nil {
		f.lines = strings.Split(strings.TrimRight(string(b), "\n"), "\n")
	}
	return f
}

func (f pidFile) exists() bool { return len(f.lines) > 0 }

func (f pidFile) pid() int {
	if !f.exists() {
		return 0
	}
	n, _ := strconv.Atoi(strings.TrimSpace(f.lines[linePID])) // a half-written file: 0
	return n
}

// ready reports whether the server takes connections on the socket.
func (f pidFile) ready(socket string) bool {
	return len(f.lines) > lineStatus && strings.TrimSpace(f.lines[lineStatus]) == "ready" && f.lines[lineSocket] == socket
}

// alive reports whether the process is the server of the cluster. After a crash the number may belong to
// another program, even to the server of another cluster, so the command line is looked at.
func (f pidFile) alive(data string) bool {
	pid := f.pid()
	if pid <= 0 || errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return false
	}
	cmdline, err := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil {
		_, noProc := os.Stat("/proc/self/cmdline")
		return noProc != nil // no /proc on this system: take the number's word
	}
	for arg := range strings.SplitSeq(string(cmdline), "\x00") { // empty for a process that has ended but was not waited for
		if arg == data {
			return true
		}
	}
	return false
}

// disown makes a file left by a crash harmless if its number now belongs to another process: the server itself
// only notices a number that is free. Line 1 is pointed at a free one; deleting the file would
// also take away the check that no orphaned server process still uses the shared memory.
func (f pidFile) disown() error {
	pid := f.pid()
	if pid <= 0 || errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return nil
	}
	free := 4194303 // the highest number Linux can give
	for !errors.Is(syscall.Kill(free, 0), syscall.ESRCH) {
		free--
	}
	f.lines[linePID] = strconv.Itoa(free)
	// In one write and without cutting the file first, so that it is never empty: free has the most digits there are.
	file, err := os.OpenFile(f.path, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("stale pid file: %w", err)
	}
	_, err = file.WriteString(strings.Join(f.lines, "\n") + "\n")
	return errors.Join(err, file.Close())
}

// clearSocketLock removes the lock beside the socket of a server that is gone: its number may belong to another
// process by now. Only the holder of the gate may call it, when the server is not alive.
func (p paths) clearSocketLock() error {
	err := os.Remove(filepath.Join(p.socket, ".s.PGSQL."+dbPort+".lock"))
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("stale socket lock: %w", err)
	}
	return nil
}
