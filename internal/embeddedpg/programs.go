//go:build unix

package embeddedpg

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

// WaysOut tells a newcomer how to get a database; it follows whatever went wrong.
const WaysOut = `Do one of these:
  - install PostgreSQL:     as root on Debian, Ubuntu: apt-get install postgresql   Fedora: dnf install postgresql-server   macOS: brew install postgresql
  - name its programs:      export PG_BIN_DIR=/path/to/postgres/bin
  - use a running server:   export DATABASE_URL=postgres://user:password@host:5432/database`

// ErrNoPrograms is returned when the machine has no PostgreSQL server programs.
var ErrNoPrograms = errors.New("DATABASE_URL is not set, and no PostgreSQL server programs (initdb, postgres) were found.\n" + WaysOut)

// minMajor is the oldest version that the schema is tested on.
const minMajor = 15

// programFolders are where packages put the server programs, which is seldom on the PATH.
var programFolders = []string{
	"/usr/lib/postgresql/*/bin", // Debian, Ubuntu
	"/usr/pgsql-*/bin",          // packages of postgresql.org for Fedora and its kin
	"/usr/local/pgsql/bin",      // built from source
	"/opt/homebrew/opt/postgresql*/bin",
	"/usr/local/opt/postgresql*/bin",
	"/Applications/Postgres.app/Contents/Versions/*/bin",
}

// programs is a folder with initdb and postgres of one major version.
type programs struct {
	dir   string
	major int
}

// findPrograms returns the usable server programs, newest first. A given binDir is the only place looked at.
func findPrograms(binDir string) ([]programs, error) {
	var found []programs
	for _, dir := range candidates(binDir) {
		if major := majorOf(dir); major > 0 {
			found = append(found, programs{dir, major})
		}
	}
	if len(found) == 0 && binDir != "" {
		return nil, fmt.Errorf("PG_BIN_DIR=%s: %w", binDir, ErrNoPrograms)
	}
	if len(found) == 0 {
		return nil, ErrNoPrograms
	}
	sort.SliceStable(found, func(i, j int) bool { return found[i].major > found[j].major })
	return found, nil
}

func candidates(binDir string) []string {
	if binDir != "" {
		return []string{binDir}
	}
	var dirs []string
	for _, pattern := range programFolders {
		matches, _ := filepath.Glob(pattern) // the only error is a bad pattern
		dirs = append(dirs, matches...)
	}
	if path, err := exec.LookPath("postgres"); err == nil {
		dirs = append(dirs, filepath.Dir(path))
	}
	return dirs
}

// majorOf returns the major version of the programs in dir, 0 if they are incomplete or do not run.
// The line reads: postgres (PostgreSQL) 15.18 (Debian 15.18-0+deb12u1).
func majorOf(dir string) int {
	if _, err := os.Stat(filepath.Join(dir, "initdb")); err != nil {
		return 0
	}
	out, err := exec.Command(filepath.Join(dir, "postgres"), "--version").Output()
	fields := strings.Fields(string(out))
	if err != nil || len(fields) < 3 {
		return 0
	}
	number, _, _ := strings.Cut(fields[2], ".")
	return leadingInt(number)
}

// leadingInt reads the digits at the start, so that "17beta2" is 17.
func leadingInt(s string) int {
	end := strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' })
	if end >= 0 {
		s = s[:end]
	}
	n, _ := strconv.Atoi(s) // no digits: 0
	return n
}

// matchCluster keeps the programs that can run a cluster of the major version; 0 is a new cluster.
func matchCluster(found []programs, cluster int) ([]programs, error) {
	for i, p := range found {
		switch {
		case cluster == 0 && p.major < minMajor:
			return nil, fmt.Errorf("PostgreSQL %d is installed; version %d or newer is needed.\n%s", p.major, minMajor, WaysOut)
		case cluster == 0 || p.major == cluster:
			return found[i:], nil
		}
	}
	return nil, fmt.Errorf(`the data folder was made by PostgreSQL %d, but only %s is installed. The data was left as it is.
Install PostgreSQL %d again, or set PG_BIN_DIR to its programs; or keep this data aside and set DATA_DIR to a new folder`,
		cluster, majors(found), cluster)
}

func majors(found []programs) string {
	var names []string
	for _, p := range found {
		names = append(names, strconv.Itoa(p.major))
	}
	return strings.Join(names, ", ")
}
