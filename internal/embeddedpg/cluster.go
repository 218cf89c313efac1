//go:build unix

package embeddedpg

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"time"
)

// maxSocketPath keeps socket and lock names within sockaddr_un: 108 bytes on Linux, 104 on macOS.
const maxSocketPath = 100

// paths are the places of one data folder.
type paths struct {
	dir, socket, gate, users, log string
	data                          string // set once the major version is known
}

// preparePaths makes the data folder and the socket's folder.
func preparePaths(dir string, acct account) (paths, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return paths{}, fmt.Errorf("data folder: %w", err)
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return paths{}, fmt.Errorf("data folder (set DATA_DIR to choose another): %w", err)
	}
	if err := acct.reach(dir); err != nil {
		return paths{}, err
	}
	p := paths{
		dir: dir, socket: socketDir(dir),
		gate:  filepath.Join(dir, "gate.lock"),
		users: filepath.Join(dir, "users.lock"),
		log:   filepath.Join(dir, "server.log"),
	}
	return p, ensurePrivate(p.socket, acct)
}

// socketDir is a folder inside dir, or a short one in the temporary folder if a socket's path would be too long
// there or could not be written in a URL (a comma separates hosts).
func socketDir(dir string) string {
	inside := filepath.Join(dir, "s")
	if socketFits(inside) {
		return inside
	}
	hash := sha256.Sum256([]byte(dir))
	short := fmt.Sprintf("rackwright-%d-%x", os.Geteuid(), hash[:6])
	if outside := filepath.Join(os.TempDir(), short); socketFits(outside) {
		return outside
	}
	return filepath.Join("/tmp", short)
}

func socketFits(dir string) bool {
	return len(dir)+len("/.s.PGSQL."+dbPort+".lock") <= maxSocketPath && !strings.Contains(dir, ",")
}

// ensurePrivate makes a folder that only the server's account may enter. One that stands there already
// must be that account's own: in the temporary folder anybody can make one beforehand.
func ensurePrivate(dir string, acct account) error {
	err := os.Mkdir(dir, 0o700)
	if err == nil {
		return acct.own(dir)
	}
	if !errors.Is(err, os.ErrExist) {
		return fmt.Errorf("socket folder: %w", err)
	}
	info, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("socket folder: %w", err)
	}
	if !info.IsDir() || !ownedBy(info, acct.uid()) {
		if os.Geteuid() == 0 && info.IsDir() && ownedBy(info, 0) { // a start was killed between making it and giving it away
			return acct.own(dir)
		}
		return fmt.Errorf("socket folder %s does not belong to %s", dir, acct.name)
	}
	return os.Chmod(dir, 0o700)
}

// clusterMajor returns the major version of the cluster in dir, the highest of several, 0 if there is none.
func clusterMajor(dir string) int {
	files, _ := filepath.Glob(filepath.Join(escapeGlob(dir), "data-*", "PG_VERSION")) // the pattern is sound
	highest := 0
	for _, f := range files {
		if strings.Contains(filepath.Base(filepath.Dir(f)), ".new-") {
			continue
		}
		if b, err := os.ReadFile(f); err == nil {
			highest = max(highest, leadingInt(string(b)))
		}
	}
	return highest
}

// escapeGlob takes the special meaning off a path's characters.
func escapeGlob(path string) string {
	return strings.NewReplacer(`\`, `\\`, `*`, `\*`, `?`, `\?`, `[`, `\[`).Replace(path)
}

// runner runs the server programs as the server's account.
type runner struct {
	bin     string
	account account
}

// command prepares a program in a session of its own, so that Ctrl-C reaches only our program, which then
// drains before it stops the server. The environment is fixed: PG… variables of the caller must not leak in.
func (r runner) command(name string, args ...string) *exec.Cmd {
	cmd := exec.Command(filepath.Join(r.bin, name), args...)
	cmd.Dir = "/"
	cmd.Env = []string{"PATH=/usr/bin:/bin", "LC_ALL=C", "TZ=UTC", "HOME=/nonexistent"}
	cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Credential: r.account.cred}
	return cmd
}

// ensureCluster makes the cluster if there is none. It is made beside its place and moved there when it is complete,
// so that a program that was killed meanwhile leaves nothing that looks like data.
func (p paths) ensureCluster(ctx context.Context, run runner) (created bool, err error) {
	if _, err := os.Stat(filepath.Join(p.data, "PG_VERSION")); err == nil {
		return false, nil
	}
	if err := p.clearUnfinished(); err != nil {
		return false, err
	}
	tmp, err := os.MkdirTemp(p.dir, filepath.Base(p.data)+".new-")
	if err != nil {
		return false, fmt.Errorf("new cluster: %w", err)
	}
	if err := run.account.own(tmp); err != nil {
		return false, fmt.Errorf("new cluster: %w", err)
	}
	cmd := run.command("initdb", "-D", tmp, "-U", dbUser, "--auth=trust", "-E", "UTF8", "--locale=C.UTF-8", "--no-instructions", "--no-sync")
	stop := context.AfterFunc(ctx, func() {
		if cmd.Process != nil {
			_ = cmd.Process.Kill() // it may have ended meanwhile
		}
	})
	defer stop()
	if out, err := cmd.CombinedOutput(); err != nil {
		return false, errors.Join(fmt.Errorf("initdb: %w\n%s", err, out), os.RemoveAll(tmp))
	}
	return true, os.Rename(tmp, p.data)
}

// clearUnfinished removes what starts that were killed while they made a cluster left behind.
func (p paths) clearUnfinished() error {
	left, _ := filepath.Glob(filepath.Join(escapeGlob(p.dir), "data-*.new-*")) // the pattern is sound
	for _, dir := range left {
		if err := removeBusy(dir); err != nil {
			return fmt.Errorf("clear an unfinished cluster: %w", err)
		}
	}
	return nil
}

// removeBusy removes a folder into which a program that is being killed may still write for a
// moment: a file that appears between listing and removing makes one attempt fail.
func removeBusy(dir string) error {
	var err error
	for range 20 {
		if err = os.RemoveAll(dir); err == nil {
			return nil
		}
		time.Sleep(100 * time.Millisecond)
	}
	return err
}
