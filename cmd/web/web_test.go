package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"rackwright/internal/postgres"
	"rackwright/internal/testdb"
)

// buffer is a bytes.Buffer that a running program may write to while a test reads it.
type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.b.String()
}

// program is the whole program, running in this process.
type program struct {
	t        *testing.T
	out, err buffer
	stop     context.CancelFunc
	done     chan error
	url      string
}

// startProgram runs "serve" and waits until it says where it is.
func startProgram(t *testing.T, env map[string]string) *program {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	p := &program{t: t, stop: cancel, done: make(chan error, 1)}
	if env["ADDR"] == "" {
		env["ADDR"] = "127.0.0.1:0"
	}
	go func() { p.done <- run(ctx, nil, getenvOf(env), &p.out, &p.err) }()
	t.Cleanup(cancel)
	where := regexp.MustCompile(`running at (http://\S+)`)
	for deadline := time.Now().Add(time.Minute); time.Now().Before(deadline); time.Sleep(10 * time.Millisecond) {
		if m := where.FindStringSubmatch(p.out.String()); m != nil {
			p.url = m[1]
			return p
		}
		select {
		case err := <-p.done:
			t.Fatalf("ended: %v\n%s%s", err, p.out.String(), p.err.String())
		default:
		}
	}
	t.Fatalf("did not start:\n%s%s", p.out.String(), p.err.String())
	return nil
}

// end is Ctrl-C.
func (p *program) end() {
	p.t.Helper()
	p.stop()
	select {
	case err := <-p.done:
		if err != nil {
			p.t.Fatal(err)
		}
	case <-time.After(30 * time.Second):
		p.t.Fatal("does not stop")
	}
}

func (p *program) status(path string) int {
	p.t.Helper()
	resp, err := http.Get(p.url + path)
	if err != nil {
		p.t.Fatal(err)
	}
	defer resp.Body.Close()
	_, _ = io.Copy(io.Discard, resp.Body)
	return resp.StatusCode
}

func runCommand(t *testing.T, env map[string]string, args ...string) (string, error) {
	t.Helper()
	var out, errs buffer
	err := run(t.Context(), args, getenvOf(env), &out, &errs)
	return out.String() + errs.String(), err
}

// reachable returns a folder that root's Postgres can reach, too.
func reachable(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("", "web")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	return filepath.Join(dir, "data")
}

// First start on nothing: a private server, schema, catalogue, first user. Second start: as it was.
func TestServeWithPrivateServer(t *testing.T) {
	t.Parallel()
	env := map[string]string{"DATA_DIR": reachable(t), "PG_BIN_DIR": os.Getenv("PG_BIN_DIR")}
	first := startProgram(t, env)
	if got := first.status("/readyz"); got != http.StatusOK {
		t.Errorf("/readyz: %d", got)
	}
	if !regexp.MustCompile(`Sign in as admin with the one-time password [a-z2-7]{5}(-[a-z2-7]{5}){3} `).MatchString(first.out.String()) {
		t.Errorf("no password shown:\n%s", first.out.String())
	}
	if text := first.err.String(); !strings.Contains(text, "Starting the database in ") || !strings.Contains(text, "Imported the catalogue") {
		t.Errorf("progress:\n%s", text)
	}
	first.end()
	second := startProgram(t, env)
	if strings.Contains(second.out.String(), "password") {
		t.Errorf("a password on the second start:\n%s", second.out.String())
	}
	if text := second.err.String(); !strings.Contains(text, "catalogue is up to date") {
		t.Errorf("progress of the second start:\n%s", text)
	}
	second.end()
	if left, _ := filepath.Glob(filepath.Join(env["DATA_DIR"], "data-*", "postmaster.pid")); len(left) > 0 {
		t.Errorf("the server still runs: %v", left)
	}
}

func TestServeWithDatabaseURL(t *testing.T) {
	t.Parallel()
	p := startProgram(t, map[string]string{"DATABASE_URL": testdb.URLWithCatalog(t), "ADMIN_PASSWORD": "correct horse battery"})
	if strings.Contains(p.out.String()+p.err.String(), "correct horse") {
		t.Error("prints a password that was given")
	}
	if got := p.status("/readyz"); got != http.StatusOK {
		t.Errorf("/readyz: %d", got)
	}
	p.end()
}

// A request under way at Ctrl-C is answered.
func TestServeDrains(t *testing.T) {
	t.Parallel()
	p := startProgram(t, map[string]string{"DATABASE_URL": testdb.URLWithCatalog(t)})
	conn, err := net.Dial("tcp", strings.TrimPrefix(p.url, "http://"))
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	const form = "name=nobody&password=wrong-word"
	fmt.Fprintf(conn, "POST /login HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\nContent-Length: %d\r\nConnection: close\r\n\r\n", len(form))
	time.Sleep(200 * time.Millisecond) // the handler waits for the form
	p.stop()
	time.Sleep(200 * time.Millisecond)
	fmt.Fprint(conn, form)
	answer, err := io.ReadAll(conn)
	if err != nil || !strings.HasPrefix(string(answer), "HTTP/1.1 422") {
		t.Errorf("got %.200q, %v", answer, err)
	}
	p.end()
}

func TestServeRefuses(t *testing.T) {
	t.Parallel()
	busy, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer busy.Close()
	tests := []struct {
		name string
		env  map[string]string
		want string
	}{
		{"address in use", map[string]string{"ADDR": busy.Addr().String(), "DATABASE_URL": "postgres://h/d"}, "export ADDR="},
		{"wrong setting", map[string]string{"DEMO": "maybe"}, "DEMO: "},
		{"no server programs", map[string]string{"ADDR": "127.0.0.1:0", "DATA_DIR": reachable(t), "PG_BIN_DIR": t.TempDir()}, "export DATABASE_URL="},
		{"URL that is none", map[string]string{"ADDR": "127.0.0.1:0", "DATABASE_URL": "postgres://u:hiddenword@[bad"}, "database URL: "},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, err := runCommand(t, tt.env, "serve")
			if err == nil || !strings.Contains(err.Error(), tt.want) || strings.Contains(out+err.Error(), "hiddenword") {
				t.Errorf("got %v, want %q in it\n%s", err, tt.want, out)
			}
		})
	}
}

// An unreachable database is tried for a while; Ctrl-C ends that.
func TestServeWaitsForDatabase(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	var out, errs buffer
	done := make(chan error, 1)
	env := map[string]string{"ADDR": "127.0.0.1:0", "DATABASE_URL": "postgres://u:hiddenword@127.0.0.1:1/d"}
	go func() { done <- run(ctx, nil, getenvOf(env), &out, &errs) }()
	for deadline := time.Now().Add(10 * time.Second); !strings.Contains(errs.String(), "the database cannot be reached: "); time.Sleep(10 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("said %q", errs.String())
		}
	}
	cancel()
	if err := <-done; err != nil {
		t.Errorf("asked to end, it ended with %v", err)
	}
	if strings.Contains(errs.String(), "hiddenword") {
		t.Error("prints the password")
	}
}

func TestMigrateCommand(t *testing.T) {
	t.Parallel()
	env := map[string]string{"DATABASE_URL": testdb.EmptyURL(t), "ADDR": "127.0.0.1:0"}
	m, err := postgres.NewMigrator(env["DATABASE_URL"])
	if err != nil {
		t.Fatal(err)
	}
	state, err := m.State()
	if err := errors.Join(err, m.Close()); err != nil {
		t.Fatal(err)
	}
	last := state.Latest
	steps := []struct {
		args []string
		want string
	}{
		{[]string{"-status"}, fmt.Sprintf("schema version 0 of %d\n%d to run\n", last, last)},
		{nil, fmt.Sprintf("schema version %d of %d\n", last, last)},
		{nil, fmt.Sprintf("schema version %d of %d\n", last, last)},
		{[]string{"-down", "1"}, fmt.Sprintf("schema version %d of %d\n1 to run\n", last-1, last)},
		{nil, fmt.Sprintf("schema version %d of %d\n", last, last)},
	}
	for _, step := range steps {
		out, err := runCommand(t, env, append([]string{"migrate"}, step.args...)...)
		if err != nil || out != step.want {
			t.Fatalf("migrate %v: %q, %v; want %q", step.args, out, err, step.want)
		}
	}
	conn := testdb.Connect(t, env["DATABASE_URL"])
	if _, err := conn.Exec(t.Context(), "UPDATE schema_migrations SET dirty = true"); err != nil {
		t.Fatal(err)
	}
	if out, err := runCommand(t, env, "migrate", "-status"); err != nil || !strings.Contains(out, "DIRTY") || !strings.Contains(out, "migrate -force ") {
		t.Fatalf("dirty: %q, %v", out, err)
	}
	if _, err := runCommand(t, env, "serve"); err == nil || !strings.Contains(err.Error(), "migrate -force N") {
		t.Fatalf("served a dirty database: %v", err)
	}
	if out, err := runCommand(t, env, "migrate", "-force", fmt.Sprint(last)); err != nil || strings.Contains(out, "DIRTY") {
		t.Fatalf("force: %q, %v", out, err)
	}
}

func TestImportCommand(t *testing.T) {
	t.Parallel()
	env := map[string]string{"DATABASE_URL": testdb.URL(t)}
	if out, err := runCommand(t, env, "import"); err != nil || !strings.Contains(out, "Imported the catalogue") {
		t.Fatalf("%s%v", out, err)
	}
	if out, err := runCommand(t, env, "import"); err != nil || !strings.Contains(out, "up to date") {
		t.Fatalf("again: %s%v", out, err)
	}
	folder := t.TempDir()
	if err := os.WriteFile(filepath.Join(folder, "skus.csv"), []byte("nonsense\n1\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := runCommand(t, env, "import", folder)
	if err == nil || !strings.Contains(out, "skus.csv") || strings.Contains(out+err.Error(), "catalog.import") {
		t.Fatalf("faulty file: %s%v", out, err)
	}
	if _, err := runCommand(t, env, "import", filepath.Join(folder, "nowhere")); err == nil {
		t.Fatal("imported from nowhere")
	}
}

// Whoever runs the program gets back in without the pages.
func TestPasswordCommand(t *testing.T) {
	t.Parallel()
	url := testdb.URL(t)
	env := map[string]string{"DATABASE_URL": url}
	if _, err := runCommand(t, env, "password"); err == nil || !strings.Contains(err.Error(), `no user "admin"`) {
		t.Fatalf("nobody there: %v", err)
	}
	db, err := postgres.Open(t.Context(), url, testdb.Clock)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	if _, err := db.EnsureAdmin(t.Context(), "the forgotten one"); err != nil {
		t.Fatal(err)
	}
	out, err := runCommand(t, env, "password", "Admin")
	m := regexp.MustCompile(`as admin with the one-time password (\S+)\n`).FindStringSubmatch(out)
	if err != nil || m == nil {
		t.Fatalf("%q, %v", out, err)
	}
	who, err := db.Credentials(t.Context(), "admin")
	if err != nil || !who.Password.Matches(m[1]) || !who.User.MustChangePassword {
		t.Fatalf("the printed password does not count: %v, %v", who.User, err)
	}
}

func TestCommandLine(t *testing.T) {
	t.Parallel()
	out, err := runCommand(t, nil, "help")
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range commands() {
		if !strings.Contains(out, c.name) {
			t.Errorf("help lacks %s", c.name)
		}
	}
	if sub, err := runCommand(t, nil, "migrate", "-h"); err != nil || sub != out {
		t.Errorf("migrate -h: %q, %v", sub, err)
	}
	env := map[string]string{"DATABASE_URL": "postgres://h/d"}
	if out, err := runCommand(t, env, "version"); err != nil || !strings.HasPrefix(out, "rackwright ") {
		t.Errorf("version: %q, %v", out, err)
	}
	for _, args := range [][]string{{"nonsense"}, {"serve", "extra"}, {"version", "-x"}, {"migrate", "-force", "-2"}, {"migrate", "-down", "1", "-force", "1"}} {
		_, err := runCommand(t, env, args...)
		if _, ok := errors.AsType[usageError](err); !ok {
			t.Errorf("%v: got %v", args, err)
		}
	}
}
