//go:build unix

package embeddedpg

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// These tests run real programs that use the server: this test binary, started again.

const helperVar = "EMBEDDEDPG_HELPER"

// TestMain is the other program when the variable is set: it starts the server of a folder, tells so, and stops it
// when its input ends.
func TestMain(m *testing.M) {
	dir := os.Getenv(helperVar)
	if dir == "" {
		os.Exit(m.Run())
	}
	s, err := Start(context.Background(), Config{Dir: dir, BinDir: os.Getenv("PG_BIN_DIR"), Disposable: os.Getenv("DISPOSABLE") != ""})
	if err != nil {
		fmt.Println("failed:", strings.ReplaceAll(err.Error(), "\n", " "))
		os.Exit(1)
	}
	fmt.Printf("running created=%v started=%v\n", s.Created, s.Started)
	_, _ = io.Copy(io.Discard, os.Stdin)
	if err := s.Stop(); err != nil {
		fmt.Println("failed:", err)
		os.Exit(1)
	}
	os.Exit(0)
}

// program is a running helper.
type program struct {
	cmd   *exec.Cmd
	input io.Closer
	lines *bufio.Scanner
}

// launchProgram starts a helper, as another account if cred is given.
func launchProgram(t *testing.T, dir string, cred *syscall.Credential, env ...string) *program {
	t.Helper()
	binary, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	if cred != nil {
		binary = readableCopy(t, binary)
	}
	cmd := exec.Command(binary)
	cmd.Env = append(append(os.Environ(), helperVar+"="+dir), env...)
	cmd.Dir = "/"
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: cred}
	in, errIn := cmd.StdinPipe()
	out, errOut := cmd.StdoutPipe()
	if err := errors.Join(errIn, errOut, cmd.Start()); err != nil {
		t.Fatal(err)
	}
	p := &program{cmd: cmd, input: in, lines: bufio.NewScanner(out)}
	t.Cleanup(p.end)
	return p
}

// readableCopy puts the test binary where another account can run it.
func readableCopy(t *testing.T, binary string) string {
	t.Helper()
	dir := folder(t)
	path := filepath.Join(dir, "program")
	b, err := os.ReadFile(binary)
	if err := errors.Join(err, os.MkdirAll(dir, 0o755), os.WriteFile(path, b, 0o755)); err != nil {
		t.Fatal(err)
	}
	return path
}

// say returns the helper's next line.
func (p *program) say() string {
	p.lines.Scan()
	return p.lines.Text()
}

// end closes the input, upon which the helper stops, and waits for it.
func (p *program) end() {
	_ = p.input.Close() // twice is fine
	_ = p.cmd.Wait()    // killed is fine
}

// kill is kill -9.
func (p *program) kill(t *testing.T) {
	t.Helper()
	if err := p.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = p.cmd.Wait() // killed
}

func TestTwoProgramsStartAtOnce(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	a, b := launchProgram(t, dir, nil), launchProgram(t, dir, nil)
	said := []string{a.say(), b.say()}
	if said[0] > said[1] {
		said[0], said[1] = said[1], said[0]
	}
	if said[0] != "running created=false started=false" || said[1] != "running created=true started=true" {
		t.Fatalf("programs said %q", said)
	}
	a.end()
	c := start(t, dir)
	if c.Started {
		t.Fatal("the server went with the first program")
	}
	b.end()
	query(t, c.URL, "SELECT 'still here'")
}

func TestKilledProgramLeavesServerToTheNext(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	p := launchProgram(t, dir, nil)
	if line := p.say(); line != "running created=true started=true" {
		t.Fatal(line)
	}
	p.kill(t)
	s := start(t, dir)
	if s.Started || s.Created {
		t.Fatalf("after kill -9: created %v, started %v", s.Created, s.Started)
	}
	stop(t, s)
	if serverPID(s) != 0 {
		t.Fatal("the server of the killed program still runs")
	}
}

func TestKilledProgramAndServer(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	p := launchProgram(t, dir, nil)
	p.say()
	s := start(t, dir)
	keepRow(t, s.URL)
	pid := serverPID(s)
	p.kill(t)
	if err := errors.Join(syscall.Kill(pid, syscall.SIGKILL), s.users.Close()); err != nil {
		t.Fatal(err)
	}
	again := start(t, dir)
	if again.Created || !again.Started {
		t.Fatalf("after kill -9 of both: created %v, started %v", again.Created, again.Started)
	}
	if v := query(t, again.URL, "SELECT v FROM kept"); v != "row" {
		t.Fatalf("kept %q", v)
	}
}

func TestKilledWhileClusterIsMade(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	p := launchProgram(t, dir, nil)
	for deadline := time.Now().Add(30 * time.Second); ; time.Sleep(time.Millisecond) {
		if left, _ := filepath.Glob(filepath.Join(dir, "data-*.new-*", "base")); len(left) > 0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatal("no cluster in the making was seen")
		}
	}
	p.kill(t)
	s := start(t, dir)
	if !s.Created {
		t.Fatal("took a half-made cluster for a whole one")
	}
	query(t, s.URL, "SELECT 'whole'")
	if left, _ := filepath.Glob(filepath.Join(dir, "data-*.new-*")); len(left) > 0 {
		t.Errorf("left behind: %v", left)
	}
}

// After a reboot the number in the pid file may belong to any program. Postgres alone refuses then.
func TestPIDFileNamesAnotherProgram(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	a := start(t, dir)
	stop(t, a)
	acct, err := serverAccount()
	if err != nil {
		t.Fatal(err)
	}
	other := exec.Command("sleep", "60")
	other.SysProcAttr = &syscall.SysProcAttr{Credential: acct.cred}
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	defer func() { _ = other.Process.Kill(); _ = other.Wait() }()
	file := filepath.Join(a.paths.data, "postmaster.pid")
	lines := []string{strconv.Itoa(other.Process.Pid), a.paths.data, "1", dbPort, a.paths.socket, "", "5432001 0", "ready"}
	if err := errors.Join(os.WriteFile(file, []byte(strings.Join(lines, "\n")+"\n"), 0o600), acct.own(file)); err != nil {
		t.Fatal(err)
	}
	b := start(t, dir)
	if !b.Started {
		t.Fatal("attached to a program that is no server")
	}
	query(t, b.URL, "SELECT 'reached'")
}

func TestDisposableServerEndsWithKilledProgram(t *testing.T) {
	t.Parallel()
	dir := folder(t)
	p := launchProgram(t, dir, nil, "DISPOSABLE=1")
	if line := p.say(); line != "running created=true started=true" {
		t.Fatal(line)
	}
	s := start(t, dir)
	pid := serverPID(s)
	if err := s.users.Close(); err != nil { // let go without stopping
		t.Fatal(err)
	}
	if serverPID(s) != pid {
		t.Fatal("the server ended while a program uses it")
	}
	p.kill(t)
	for deadline := time.Now().Add(20 * time.Second); serverPID(s) != 0; time.Sleep(pollEvery) {
		if time.Now().After(deadline) {
			t.Fatal("the server outlived the last program")
		}
	}
}

// Root can also try the program as other accounts; for an ordinary user every other test does that.
func TestOrdinaryAccount(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Log("runs as an ordinary account already")
		return
	}
	acct, err := serverAccount()
	if err != nil {
		t.Fatal(err)
	}
	dir := folder(t)
	if err := errors.Join(os.MkdirAll(dir, 0o755), acct.own(dir)); err != nil {
		t.Fatal(err)
	}
	p := launchProgram(t, dir, acct.cred)
	if line := p.say(); line != "running created=true started=true" {
		t.Fatal(line)
	}
}

func TestAccountWithoutName(t *testing.T) {
	t.Parallel()
	if os.Geteuid() != 0 {
		t.Log("only root can take another account")
		return
	}
	// Without cgo, os/user believes $USER where /etc/passwd does not know the number.
	p := launchProgram(t, folder(t), &syscall.Credential{Uid: 54321, Gid: 54321}, "USER=")
	if line := p.say(); !strings.Contains(line, "54321 has no entry in /etc/passwd") || !strings.Contains(line, "DATABASE_URL") {
		t.Fatal(line)
	}
}
