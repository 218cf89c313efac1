package server

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"

	"github.com/a-h/templ"

	"rackwright/internal/i18n"
	"rackwright/internal/view"
	"rackwright/web/templates/components"
	"rackwright/web/templates/pages"
)

// writeError writes the body of an error in the form that the request can use: JSON, a
// notice for the part of a page that htmx swaps, or a page. None of them needs the database.
func (s *Server) writeError(w http.ResponseWriter, r *http.Request, status int, err error) {
	l := i18n.For(s.langOf(r))
	text := s.errorText(l, status, err)
	switch {
	case wantsJSON(r):
		w.Header().Set("Content-Type", "application/json; charset=utf-8")
		w.WriteHeader(status)
		_ = json.NewEncoder(w).Encode(map[string]any{
			"status": status, "message": text, "request_id": infoOf(r).id,
		})
	case wantsFragment(r):
		s.writeComponent(w, r, status, components.Notice("bad", text), text)
	default:
		s.writeComponent(w, r, status, pages.Error(s.errorView(r, status, text)), text)
	}
}

func (s *Server) errorView(r *http.Request, status int, text string) view.ErrorPage {
	p := s.page(r, "")
	if !isRead(r) {
		p.Path, p.Query = "/", "" // "try again" must not turn a POST into a GET of its address
	}
	v := view.NewErrorPage(p, status, text)
	if status >= http.StatusInternalServerError {
		v.RequestID = infoOf(r).id
		v.When = view.DateTime(p.Lang, s.now().UTC())
	}
	return v
}

// writeComponent renders the component of an error. If even that fails, the sentence alone
// is sent. The request's own time may be over, so rendering does not depend on it.
func (s *Server) writeComponent(w http.ResponseWriter, r *http.Request, status int, c templ.Component, text string) {
	var buf bytes.Buffer
	kind := "text/html; charset=utf-8"
	if err := c.Render(context.WithoutCancel(r.Context()), &buf); err != nil {
		s.log.ErrorContext(r.Context(), "render error page", "request_id", infoOf(r).id, "error", err)
		buf.Reset()
		buf.WriteString(text + "\n")
		kind = "text/plain; charset=utf-8"
	}
	w.Header().Set("Content-Type", kind)
	w.WriteHeader(status)
	_, _ = w.Write(buf.Bytes()) // the client has gone; nobody is left to tell
}
