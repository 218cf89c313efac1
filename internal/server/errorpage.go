package server

import (
	"net/http"

	"rackwright/internal/i18n"
)

// errorView is what an error answer says.
type errorView struct {
	Text      string
	RequestID string
}

func (s *Server) errorPage(r *http.Request, status int, err error) errorView {
	l := i18n.For(s.langOf(r))
	return errorView{Text: s.errorText(l, status, err), RequestID: infoOf(r).id}
}

func (s *Server) writeErrorPage(w http.ResponseWriter, _ *http.Request, status int, p errorView) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write([]byte(p.Text + "\n"))
}
