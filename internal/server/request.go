package server

import (
	"context"
	"net/http"

	"rackwright/internal/apperr"
	"rackwright/internal/auth"
	"rackwright/internal/i18n"
	"rackwright/internal/quote"
)

// requestInfo is what the middleware finds out about a request. There is one per request,
// made by withInfo and filled layer by layer.
type requestInfo struct {
	id      string
	pattern string // of the route, for the log
	maxBody int64
	addr    string // of the client, without port
	secure  bool   // the client speaks https to us or to our proxy
	lang    i18n.Lang
	user    *auth.User    // nil for a visitor
	session *auth.Session // nil for a visitor
	// signedOut says that the browser brought a session that no longer counts.
	signedOut bool
	flashRead bool  // the flash message is on the page and its cookie can go
	err       error // what was answered with a 5xx, for the log
}

type infoKey struct{}

// infoOf returns the info of a request. A request that did not pass the middleware (in a
// test) has an empty one.
func infoOf(r *http.Request) *requestInfo {
	if info, ok := r.Context().Value(infoKey{}).(*requestInfo); ok {
		return info
	}
	return &requestInfo{lang: i18n.English}
}

func withInfo(r *http.Request, info *requestInfo) *http.Request {
	return r.WithContext(context.WithValue(r.Context(), infoKey{}, info))
}

// currentUser returns the person of the request; nil is a visitor.
func (s *Server) currentUser(r *http.Request) *auth.User { return infoOf(r).user }

// can reports whether the person of the request holds a permission.
func (s *Server) can(r *http.Request, p auth.Permission) bool { return infoOf(r).user.Can(p) }

// langOf returns the language to answer in.
func (s *Server) langOf(r *http.Request) i18n.Lang { return infoOf(r).lang }

// authorise checks the permission of a route. Who still has a password that was handed out
// is led to its change from everywhere else, public pages included: they would show more to
// somebody who is signed in.
func (s *Server) authorise(r *http.Request, rt Route) error {
	u := s.currentUser(r)
	switch {
	case u != nil && u.MustChangePassword && !openBeforePasswordChange[rt.Pattern]:
		return errPasswordChangeNeeded
	case u.Can(rt.permission()):
		return nil
	case u == nil:
		return apperr.New(apperr.Unauthenticated, "errors.unauthenticated")
	}
	return apperr.New(apperr.Forbidden, "errors.forbidden")
}

// actor returns the person of the request as quotes record who did something. Routes that
// call it need a permission, so there is somebody.
func (s *Server) actor(r *http.Request) quote.Actor {
	u := s.currentUser(r)
	return quote.Actor{ID: u.ID, Name: u.DisplayName}
}
