package server

import (
	"context"
	"net/http"
	"time"

	"rackwright/internal/apperr"
	"rackwright/internal/auth"
)

// readyTimeout bounds the question to the database; a balancer asks again soon.
const readyTimeout = 2 * time.Second

func (s *Server) healthRoutes() []Route {
	return []Route{
		{Method: http.MethodGet, Pattern: "/healthz", Perm: auth.Public, Handler: s.healthz},
		{Method: http.MethodGet, Pattern: "/readyz", Perm: auth.Public, Handler: s.readyz},
	}
}

// healthz says that the process answers. It does not ask the database: restarting us would
// not bring that back.
func (s *Server) healthz(w http.ResponseWriter, _ *http.Request) error {
	return s.plain(w, "ok\n")
}

// readyz says whether we can serve pages.
func (s *Server) readyz(w http.ResponseWriter, r *http.Request) error {
	ctx, cancel := context.WithTimeout(r.Context(), readyTimeout)
	defer cancel()
	if err := s.store.Ping(ctx); err != nil {
		return apperr.Wrap(apperr.Unavailable, err, "errors.unavailable")
	}
	return s.plain(w, "ready\n")
}

func (s *Server) plain(w http.ResponseWriter, text string) error {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	_, _ = w.Write([]byte(text)) // the client has gone; nobody is left to tell
	return nil
}
