package server

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"time"

	"rackwright/internal/apperr"
	"rackwright/internal/auth"
	"rackwright/static"
)

// PeopleStore is what sessions, sign-in and the pages of people ask of the database.
type PeopleStore interface {
	// SessionUser returns the live session of a token and its person, in one indexed query;
	// NotFound when it does not count any more or the person is disabled.
	SessionUser(ctx context.Context, h auth.TokenHash, now time.Time) (auth.Session, auth.User, error)
	TouchSession(ctx context.Context, h auth.TokenHash, now time.Time) error
	CreateSession(ctx context.Context, s auth.Session) error
	EndSession(ctx context.Context, h auth.TokenHash) error
	// EndSessions signs a person out everywhere but in the kept session.
	EndSessions(ctx context.Context, userID int64, keep auth.TokenHash) (int64, error)

	AccountStore
}

// loadSession finds the person of the request by the session cookie.
func (s *Server) loadSession(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := s.findUser(w, r); err != nil {
			s.fail(w, r, err)
			return
		}
		if s.currentUser(r) != nil {
			w.Header().Set("Cache-Control", "no-store")
		}
		next.ServeHTTP(w, r)
	})
}

// findUser fills the person and the session of the request's info.
func (s *Server) findUser(w http.ResponseWriter, r *http.Request) error {
	if sameForAll(r.URL.Path) {
		return nil
	}
	token, ok := auth.ParseToken(cookieValue(r, s.sessionCookie()))
	if !ok {
		return nil
	}
	info := infoOf(r)
	now := s.now()
	session, user, err := s.store.SessionUser(r.Context(), token.Hash(), now)
	if apperr.Is(err, apperr.NotFound) {
		info.signedOut = true
		http.SetCookie(w, s.cookie(s.sessionCookie(), "", -1))
		return nil
	}
	if err != nil {
		return err
	}
	info.user, info.session = &user, &session
	if session.NeedsTouch(now) {
		s.touch(r.Context(), session.Hash, now)
	}
	return nil
}

// touch notes that the session was used. A failure is only logged: the next request tries again.
func (s *Server) touch(ctx context.Context, h auth.TokenHash, now time.Time) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), touchTimeout)
	defer cancel()
	if err := s.store.TouchSession(ctx, h, now); err != nil {
		s.log.WarnContext(ctx, "touch session", "error", err)
	}
}

// sameForAll reports whether an address answers everybody alike, so that the session need
// not be read: files, and the health of the process, which must not depend on the database.
func sameForAll(path string) bool {
	return path == "/healthz" || path == "/readyz" || strings.HasPrefix(path, static.Prefix)
}

// sessionCookie returns the name of the session cookie. Over https the prefix __Host- keeps
// other hosts of the same domain from planting one.
func (s *Server) sessionCookie() string {
	if s.secure {
		return "__Host-session"
	}
	return "session"
}

// startSession signs a person in and leaves the cookie. The cookie itself lives as long as
// the session may; the database decides whether it counts.
func (s *Server) startSession(w http.ResponseWriter, r *http.Request, userID int64) error {
	token := auth.NewToken()
	if err := s.store.CreateSession(r.Context(), auth.NewSession(token, userID, s.now())); err != nil {
		return err
	}
	http.SetCookie(w, s.cookie(s.sessionCookie(), string(token), int(auth.SessionLife.Seconds())))
	http.SetCookie(w, s.cookie(langNowCookie, "", -1))
	return nil
}

// loginURL returns the sign-in page that leads back to the request's page.
func loginURL(r *http.Request) string {
	next := "/"
	if isRead(r) {
		next = r.URL.RequestURI()
	} else if ref, err := url.Parse(r.Referer()); err == nil && ref.Host == r.Host {
		next = ref.RequestURI()
	}
	q := url.Values{}
	if next = localPath(next); next != "/" {
		q.Set("next", next)
	}
	if infoOf(r).signedOut {
		q.Set("ended", "1")
	}
	if len(q) == 0 {
		return "/login"
	}
	return "/login?" + q.Encode()
}
