package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"strings"
	"syscall"
	"time"

	"rackwright/internal/demo"
	"rackwright/internal/importer"
	"rackwright/internal/postgres"
	"rackwright/internal/seed"
	"rackwright/internal/server"
	"rackwright/internal/sizing/llm"
)

// Limits of a connection. Writing may take long: a PDF is made meanwhile, and lines are slow.
const (
	readHeaderTimeout = 10 * time.Second
	readTimeout       = 2 * time.Minute // an upload over a slow line
	writeTimeout      = 2 * time.Minute
	idleTimeout       = 2 * time.Minute
	drainTimeout      = 20 * time.Second // for requests under way at the end
	maxHeaderBytes    = 64 << 10
)

// adminName is the user that the first start creates.
const adminName = "admin"

// serveCommand serves the product until ctx ends, then lets requests under way finish.
func serveCommand(ctx context.Context, e env, args []string) error {
	if err := parseFlags(newFlags("serve"), args, 0); err != nil {
		return err
	}
	// First of all, so that an address in use is heard before a database is made. Browsers that
	// come early wait.
	listener, err := (&net.ListenConfig{}).Listen(ctx, "tcp", e.cfg.Addr)
	if errors.Is(err, syscall.EADDRINUSE) {
		return fmt.Errorf("ADDR: %w; stop the program that listens there, or choose another address: export ADDR=localhost:8081", err)
	}
	if err != nil {
		return fmt.Errorf("ADDR: %w", err)
	}
	defer listener.Close()
	local := listenerURL(e.cfg, listener)
	if e.cfg.BaseURL == "" {
		e.cfg.BaseURL = local
	}
	err = withDatabase(ctx, e, func(db *postgres.DB) error {
		password, err := prepare(ctx, e, db)
		if err != nil {
			if password != "" { // the user is there already, and nobody else knows this
				fmt.Fprintf(e.stdout, "The user %s was made with the one-time password %s\n", adminName, password)
			}
			return err
		}
		// What the pages say follows the data, not the setting: demo data stays when DEMO is taken away, and is not there
		// where the database was in use before.
		if e.cfg.Demo, err = db.HasDemo(ctx); err != nil {
			return err
		}
		welcome(e.stdout, local, password)
		return serve(ctx, e, db, listener)
	})
	if ctx.Err() != nil && errors.Is(err, ctx.Err()) {
		return nil // asked to end while it was starting
	}
	return err
}

// prepare fills a new database: catalogue, first user, demo. It returns the password of the user if it made one up.
func prepare(ctx context.Context, e env, db *postgres.DB) (oneTime string, err error) {
	report, err := importer.Shipped(ctx, seed.FS, db)
	if err := tellImport(e.stderr, report, err); err != nil {
		return "", err
	}
	password := string(e.cfg.AdminPassword)
	if password == "" {
		oneTime = randomPassword()
		password = oneTime
	}
	created, err := db.EnsureAdmin(ctx, password)
	if err != nil {
		return "", fmt.Errorf("first user: %w", err)
	}
	if !created {
		oneTime = ""
	}
	return oneTime, seedDemo(ctx, e, db)
}

// seedDemo adds the invented data that DEMO asks for, if nobody has worked with the database yet.
func seedDemo(ctx context.Context, e env, db *postgres.DB) error {
	if !e.cfg.Demo {
		return nil
	}
	filled, err := demo.Seed(ctx, db, time.Now(), server.QuotePDF)
	if filled {
		fmt.Fprintln(e.stderr, "Added demo data: company, customers, quotes, stock and prices are invented.")
	}
	return err
}

// randomPassword has 100 random bits in groups that can be read out and typed.
func randomPassword() string {
	text := strings.ToLower(rand.Text())
	return strings.Join([]string{text[0:5], text[5:10], text[10:15], text[15:20]}, "-")
}

// welcome tells where the product is and, once, how to sign in.
func welcome(w io.Writer, url, password string) {
	fmt.Fprintf(w, "\nRackwright is running at %s\n", url)
	if password != "" {
		fmt.Fprintf(w, "Sign in as %s with the one-time password %s (shown only now)\n", adminName, password)
		fmt.Fprintf(w, "If it is lost, \"%s password\" makes a new one.\n", app)
	}
	fmt.Fprintln(w, "Ctrl-C stops it.")
}

// listenerURL is the address of the product on this machine, with the real port if ADDR left that open.
func listenerURL(cfg Config, l net.Listener) string {
	host, _, err := net.SplitHostPort(cfg.Addr)
	tcp, ok := l.Addr().(*net.TCPAddr)
	if err != nil || !ok {
		return localURL(cfg.Addr)
	}
	return localURL(net.JoinHostPort(host, fmt.Sprint(tcp.Port)))
}

// serve answers requests until ctx ends.
func serve(ctx context.Context, e env, db *postgres.DB, listener net.Listener) error {
	log := newLog(e.stderr, e.cfg.LogFormat)
	models, err := shippedModels()
	if err != nil {
		return err
	}
	cfg := server.Config{
		Store: db, Log: log, Clock: time.Now,
		BaseURL: e.cfg.BaseURL, TrustedProxies: e.cfg.TrustedProxies, Models: models, Demo: e.cfg.Demo, Calibration: e.cfg.Calibration,
	}
	if e.cfg.Mail != nil {
		cfg.MailHost, cfg.MailFrom = e.cfg.Mail.Host(), e.cfg.Mail.From()
	}
	srv := server.New(cfg)
	httpServer := &http.Server{
		Handler:           srv.Handler(),
		ReadHeaderTimeout: readHeaderTimeout,
		ReadTimeout:       readTimeout,
		WriteTimeout:      writeTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    maxHeaderBytes,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	stopJobs := startJobs(ctx, e, db, srv)
	defer stopJobs()
	failed := make(chan error, 1)
	go func() { failed <- httpServer.Serve(listener) }()
	select {
	case err := <-failed:
		return fmt.Errorf("serve: %w", err)
	case <-ctx.Done():
	}
	fmt.Fprintln(e.stderr, "Stopping ...")
	drain, cancel := context.WithTimeout(context.WithoutCancel(ctx), drainTimeout)
	defer cancel()
	if err := httpServer.Shutdown(drain); err != nil {
		return errors.Join(fmt.Errorf("requests cut off: %w", err), httpServer.Close())
	}
	return nil
}

// shippedModels reads the library of models that the sizing form offers.
func shippedModels() (llm.Library, error) {
	f, err := seed.FS.Open("models.csv")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return llm.ReadLibrary(f)
}

func newLog(w io.Writer, format string) *slog.Logger { return logFrom(w, format, slog.LevelInfo) }

// logFrom returns a log of what is at least of a level.
func logFrom(w io.Writer, format string, level slog.Level) *slog.Logger {
	opts := &slog.HandlerOptions{Level: level}
	if format == "json" {
		return slog.New(slog.NewJSONHandler(w, opts))
	}
	return slog.New(slog.NewTextHandler(w, opts))
}
