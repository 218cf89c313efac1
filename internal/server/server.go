// Package server answers HTTP: chi routes, handlers, forms, sessions, and the one place
// where an error becomes a status (errors.go). It declares the stores that it needs; the
// program wires internal/postgres to them. It knows no SQL, computes no money and writes no
// HTML of its own.
//
// A handler has the shape
//
//	func (s *Server) quoteAccept(w http.ResponseWriter, r *http.Request) error
//
// and does five things: parse, authorise, one call, build the view, render. Its permission
// stands in its Route, and s.handle has checked it before the handler runs; a handler itself
// only checks what depends on the thing at hand ("is this quote yours"). What a handler
// returns as error is answered by s.fail. GET changes nothing; POST answers 303 by
// s.redirect; a form that cannot be accepted is rendered again with 422 and what was typed.
// The layers around every handler are listed in middleware.go, outermost first.
package server

import (
	"context"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"time"

	"github.com/go-chi/chi/v5"
	"github.com/go-chi/httprate"

	"rackwright/internal/sizing/calibration"
	"rackwright/internal/sizing/llm"
	"rackwright/static"
)

// Store is everything the server asks of the database, noun by noun. Each part is declared
// in the file of its noun.
type Store interface {
	PeopleStore
	CompanyStore
	CustomerStore
	PriceStore
	CatalogStore
	SizingStore
	QuoteStore
	PaperStore
	StockStore
	HomeStore
	MailStore
	// Ping reports whether the database answers.
	Ping(ctx context.Context) error
}

// Config is what a Server is made of. Store, Log and Clock are required.
type Config struct {
	Store          Store
	Log            *slog.Logger
	Clock          func() time.Time
	BaseURL        string           // "https://quotes.example.com", as customers reach us
	TrustedProxies []netip.Prefix   // whose X-Forwarded-For and -Proto count
	RequestTimeout time.Duration    // zero means 30 s
	Models         llm.Library      // offered by the sizing form
	Demo           bool             // demo data is loaded; every page says so
	Calibration    *calibration.Set // of the sizing engine; nil is the shipped one
	MailHost       string           // of the mail server, as pages name it; empty is none: nothing is mailed
	MailFrom       string           // address that messages come from; empty is the company's
}

// Server answers requests. What it knows between them is in the store.
type Server struct {
	store   Store
	log     *slog.Logger
	clock   func() time.Time
	baseURL string
	secure  bool // customers reach us by https
	proxies []netip.Prefix
	timeout time.Duration
	models  llm.Library
	demo    bool
	set     *calibration.Set

	mailHost, mailSender string

	loginLimit *httprate.RateLimiter // per process; what matters is in the database
}

// New returns a server.
func New(c Config) *Server {
	s := &Server{
		store: c.Store, log: c.Log, clock: c.Clock,
		baseURL: strings.TrimSuffix(c.BaseURL, "/"),
		proxies: c.TrustedProxies, timeout: c.RequestTimeout, models: c.Models, demo: c.Demo, set: c.Calibration,
		mailHost: c.MailHost, mailSender: c.MailFrom, loginLimit: newLoginLimit(),
	}
	s.secure = strings.HasPrefix(s.baseURL, "https://")
	if s.timeout == 0 {
		s.timeout = 30 * time.Second
	}
	return s
}

// Handler returns the whole product as one handler.
func (s *Server) Handler() http.Handler {
	r := chi.NewRouter()
	s.useMiddleware(r)
	for _, rt := range s.routes() {
		r.Method(rt.Method, rt.Pattern, s.handle(rt))
	}
	r.Method(http.MethodGet, static.Prefix+"*", static.Handler())
	r.NotFound(s.handle(Route{Handler: s.notFound}))
	r.MethodNotAllowed(s.handle(Route{Handler: s.methodNotAllowed}))
	return r
}

// now returns the time of the server's clock.
func (s *Server) now() time.Time { return s.clock() }
