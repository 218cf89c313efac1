//go:build unix

package embeddedpg

import (
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
)

// account is who the server runs as. PostgreSQL refuses root, so root gives the work to another account.
type account struct {
	name string
	cred *syscall.Credential // nil: this program's own account
}

func serverAccount() (account, error) {
	if os.Geteuid() != 0 {
		return ownAccount()
	}
	for _, name := range []string{"postgres", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, errUID := strconv.ParseUint(u.Uid, 10, 32)
		gid, errGID := strconv.ParseUint(u.Gid, 10, 32)
		if err := errors.Join(errUID, errGID); err != nil {
			return account{}, fmt.Errorf("account %s: %w", name, err)
		}
		return account{name, &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}, nil
	}
	return account{}, errors.New("PostgreSQL refuses to run as root, and there is no account postgres or nobody to run it as.\n" + WaysOut)
}

// ownAccount checks that the account has a name, as initdb wants one (a container may run under a bare number).
func ownAccount() (account, error) {
	u, err := user.Current()
	if err == nil && u.Username != "" {
		return account{name: u.Username}, nil
	}
	return account{}, fmt.Errorf("user number %d has no entry in /etc/passwd, which PostgreSQL needs.\n%s", os.Geteuid(), WaysOut)
}

// own gives a folder that was just made to the server's account.
func (a account) own(dir string) error {
	if a.cred == nil {
		return nil
	}
	return os.Chown(dir, int(a.cred.Uid), int(a.cred.Gid))
}

// uid is the number that owns the server's folders.
func (a account) uid() int {
	if a.cred == nil {
		return os.Geteuid()
	}
	return int(a.cred.Uid)
}

// reach checks that another account than root can enter dir: a folder on the way may be closed to it.
func (a account) reach(dir string) error {
	if a.cred == nil {
		return nil
	}
	for d := dir; ; d = filepath.Dir(d) {
		info, err := os.Stat(d)
		if err != nil {
			return err
		}
		if info.Mode().Perm()&0o001 == 0 && !ownedBy(info, a.uid()) {
			return fmt.Errorf("the data folder %s cannot be used: PostgreSQL runs as %s, and %s is closed to it. Set DATA_DIR to a folder it can enter", dir, a.name, d)
		}
		if d == filepath.Dir(d) {
			return nil
		}
	}
}

func ownedBy(info os.FileInfo, uid int) bool {
	st, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(st.Uid) == uid
}
