package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/go-chi/chi/v5"

	"rackwright/internal/apperr"
	"rackwright/internal/i18n"
	"rackwright/internal/view"
)

// Errors of the server itself that want a status or a step of their own.
var (
	errPasswordChangeNeeded = apperr.New(apperr.Forbidden, "people.must_change_password")
	errMethod               = apperr.New(apperr.Invalid, "errors.method")
	errCrossOrigin          = apperr.New(apperr.Forbidden, "errors.cross_origin")
)

// tooLargeError is a body above the limit of its route.
type tooLargeError struct{ limit int64 }

func (e *tooLargeError) Error() string { return fmt.Sprintf("body larger than %d bytes", e.limit) }

// waitError is a request that came too soon after others.
type waitError struct{ wait time.Duration }

func (e *waitError) Error() string { return fmt.Sprintf("too many requests, wait %s", e.wait) }

// statusFor returns the status that an error becomes. It is the only place that knows.
func statusFor(err error) int {
	if _, ok := errors.AsType[*tooLargeError](err); ok {
		return http.StatusRequestEntityTooLarge
	}
	if _, ok := errors.AsType[*waitError](err); ok {
		return http.StatusTooManyRequests
	}
	if errors.Is(err, errMethod) {
		return http.StatusMethodNotAllowed
	}
	if e, ok := errors.AsType[*apperr.Error](err); ok {
		return statusOfKind[e.Kind]
	}
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) {
		return http.StatusServiceUnavailable
	}
	return http.StatusInternalServerError
}

var statusOfKind = map[apperr.Kind]int{
	apperr.Invalid:         http.StatusUnprocessableEntity,
	apperr.NotFound:        http.StatusNotFound,
	apperr.Conflict:        http.StatusConflict,
	apperr.Forbidden:       http.StatusForbidden,
	apperr.Unauthenticated: http.StatusUnauthorized,
	apperr.Unavailable:     http.StatusServiceUnavailable,
}

// fail answers an error that a handler returned.
func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	status := statusFor(err)
	if status >= http.StatusInternalServerError {
		infoOf(r).err = err // the request's log line carries it
	}
	if isPage(r) && s.sendElsewhere(w, r, err) {
		return
	}
	header := w.Header()
	header.Set("Cache-Control", "no-store")
	header.Del("ETag")
	header.Del("Content-Disposition")
	setRetryAfter(w, err)
	if status == http.StatusServiceUnavailable {
		header.Set("Retry-After", "5")
	}
	s.writeError(w, r, status, err)
}

// setRetryAfter says when to come back, where the error knows it.
func setRetryAfter(w http.ResponseWriter, err error) {
	if e, ok := errors.AsType[*waitError](err); ok {
		w.Header().Set("Retry-After", strconv.Itoa(int(e.wait.Seconds())+1))
	}
}

// sendElsewhere answers the two errors that a page can lead out of: not signed in, and a
// password that has to be changed first.
func (s *Server) sendElsewhere(w http.ResponseWriter, r *http.Request, err error) bool {
	switch {
	case errors.Is(err, errPasswordChangeNeeded):
		_ = s.redirect(w, r, "/account")
		return true
	case apperr.Is(err, apperr.Unauthenticated):
		_ = s.redirect(w, r, loginURL(r))
		return true
	}
	return false
}

// errorText returns the sentence of an error in the reader's language.
func (s *Server) errorText(l i18n.Localizer, status int, err error) string {
	if e, ok := errors.AsType[*tooLargeError](err); ok {
		return l.T("errors.file_too_large", "max", sizeText(e.limit))
	}
	if e, ok := errors.AsType[*waitError](err); ok {
		return l.T("people.wait", "n", waitText(l, e.wait))
	}
	if status == http.StatusServiceUnavailable && !apperr.Is(err, apperr.Unavailable) {
		return l.T("errors.unavailable")
	}
	return view.ErrorText(l, err)
}

// sizeText writes a limit in whole mebibytes or kibibytes.
func sizeText(n int64) string {
	if n >= 1<<20 {
		return strconv.FormatInt(n>>20, 10) + "\u00a0MiB"
	}
	return strconv.FormatInt(n>>10, 10) + "\u00a0KiB"
}

// waitText writes a wait in whole seconds or minutes, never too short.
func waitText(l i18n.Localizer, d time.Duration) string {
	if d <= time.Minute {
		return l.N("people.seconds", int((d+time.Second-1)/time.Second))
	}
	return l.N("people.minutes", int((d+time.Minute-1)/time.Minute))
}

// isPage reports whether the request is a person's browser asking for a page or sending a form.
func isPage(r *http.Request) bool { return !wantsJSON(r) }

// wantsJSON reports whether the client asks for JSON and not for a page.
func wantsJSON(r *http.Request) bool { return r.Header.Get("Accept") == "application/json" }

// notFound answers an address that no route has.
func (s *Server) notFound(http.ResponseWriter, *http.Request) error {
	return apperr.New(apperr.NotFound, "errors.page_not_found")
}

// methodNotAllowed answers a known address with a method that it does not take, and names
// those that it takes (RFC 9110, section 15.5.6).
func (s *Server) methodNotAllowed(w http.ResponseWriter, r *http.Request) error {
	path := r.URL.Path
	if r.URL.RawPath != "" {
		path = r.URL.RawPath
	}
	routes := chi.RouteContext(r.Context()).Routes
	for _, m := range []string{http.MethodGet, http.MethodPost} {
		if !routes.Match(chi.NewRouteContext(), m, path) {
			continue
		}
		w.Header().Add("Allow", m)
		if m == http.MethodGet {
			w.Header().Add("Allow", http.MethodHead)
		}
	}
	return errMethod
}

// asInvalid returns err as an error about fields of a form.
func asInvalid(err error) (*apperr.Error, bool) {
	e, ok := errors.AsType[*apperr.Error](err)
	return e, ok && e.Kind == apperr.Invalid && len(e.Fields) > 0
}
