package server

import (
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"path/filepath"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/auth"
	"rackwright/internal/postgres"
	"rackwright/internal/testdb"
)

// proxy stands between the product and the database, so that a test can take the database
// away and bring it back.
type proxy struct {
	t      *testing.T
	server string // socket of the database
	addr   string // where we listen
	mu     sync.Mutex
	listen net.Listener
	conns  []net.Conn
}

func newProxy(t *testing.T, cfg *pgx.ConnConfig) *proxy {
	t.Helper()
	p := &proxy{t: t, server: filepath.Join(cfg.Host, fmt.Sprintf(".s.PGSQL.%d", cfg.Port)), addr: "127.0.0.1:0"}
	p.up()
	t.Cleanup(p.down)
	return p
}

// up listens again at the same address.
func (p *proxy) up() {
	p.t.Helper()
	l, err := (&net.ListenConfig{}).Listen(p.t.Context(), "tcp", p.addr)
	if err != nil {
		p.t.Fatal(err)
	}
	p.mu.Lock()
	p.listen, p.addr = l, l.Addr().String()
	p.mu.Unlock()
	go p.serve(l)
}

func (p *proxy) serve(l net.Listener) {
	for {
		in, err := l.Accept()
		if err != nil {
			return // closed by down
		}
		out, err := (&net.Dialer{}).DialContext(p.t.Context(), "unix", p.server)
		if err != nil {
			_ = in.Close() // the test sees a lost connection
			continue
		}
		p.mu.Lock()
		p.conns = append(p.conns, in, out)
		p.mu.Unlock()
		go pipe(in, out)
		go pipe(out, in)
	}
}

func pipe(to, from net.Conn) {
	_, _ = io.Copy(to, from) // ends when either side is closed
	_ = to.Close()
}

// down closes the listener and every connection.
func (p *proxy) down() {
	p.mu.Lock()
	defer p.mu.Unlock()
	_ = p.listen.Close()
	for _, c := range p.conns {
		_ = c.Close()
	}
	p.conns = nil
}

// TestDatabaseGoesAndComesBack takes the database away from a running product: pages are a
// plain 503, nobody is signed out, and all is well again without a restart.
func TestDatabaseGoesAndComesBack(t *testing.T) {
	t.Parallel()
	cfg, err := pgx.ParseConfig(testdb.URL(t))
	if err != nil {
		t.Fatal(err)
	}
	if !filepath.IsAbs(cfg.Host) {
		t.Fatalf("the test database is reached at %q, not over a socket", cfg.Host)
	}
	p := newProxy(t, cfg)
	u := url.URL{Scheme: "postgres", User: url.UserPassword(cfg.User, cfg.Password), Host: p.addr, Path: "/" + cfg.Database, RawQuery: "sslmode=disable"}
	db, err := postgres.Open(t.Context(), u.String(), testdb.Clock)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	s := &site{t: t, db: db}
	s.server = New(Config{Store: db, Log: slog.New(slog.DiscardHandler), Clock: s.now, BaseURL: "http://example.com"})
	s.handler = s.server.Handler()
	b := s.as("anna", auth.Sales)
	b.get("/account").status(http.StatusOK)
	b.get("/readyz").status(http.StatusOK)

	p.down()
	for range 3 {
		b.get("/account").status(http.StatusServiceUnavailable).says("503").says("Nothing that was saved is lost")
	}
	b.post("/account/language", url.Values{"lang": {"en"}}).status(http.StatusServiceUnavailable)
	b.get("/readyz").status(http.StatusServiceUnavailable)
	b.get("/healthz").status(http.StatusOK)

	p.up()
	b.get("/readyz").status(http.StatusOK)
	b.get("/account").status(http.StatusOK)
}
