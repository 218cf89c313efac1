package server

import (
	"encoding/base64"
	"encoding/json"
	"net/http"
	"slices"

	"rackwright/internal/i18n"
	"rackwright/internal/view"
)

// The message after an action travels in a cookie of its own and is shown once. It holds a
// message id and short arguments, no text: whoever manages to set the cookie can make one of
// our own sentences appear, and nothing else, so it needs no signature and no secret.
const (
	flashCookie = "flash"
	flashMaxLen = 1500 // bytes of the cookie; longer ones are dropped
)

var flashKinds = []string{"ok", "note", "bad"}

type flashMessage struct {
	Kind string   `json:"k"`
	ID   string   `json:"i"`
	Args []string `json:"a,omitempty"`
}

// flash leaves a message for the next page. kind is "ok", "note" or "bad"; args alternate
// name, value and are finished strings.
func (s *Server) flash(w http.ResponseWriter, kind, id string, args ...string) {
	b, err := json.Marshal(flashMessage{Kind: kind, ID: id, Args: args})
	if err != nil {
		return // strings always marshal
	}
	value := base64.RawURLEncoding.EncodeToString(b)
	if len(value) > flashMaxLen {
		return
	}
	http.SetCookie(w, s.cookie(flashCookie, value, 60))
}

// takeFlash returns the message of the request's cookie, if it is one of ours.
func (s *Server) takeFlash(r *http.Request, l i18n.Localizer) *view.Flash {
	c, err := r.Cookie(flashCookie)
	if err != nil {
		return nil
	}
	infoOf(r).flashRead = true
	b, err := base64.RawURLEncoding.DecodeString(c.Value)
	if err != nil {
		return nil
	}
	var m flashMessage
	if json.Unmarshal(b, &m) != nil || !slices.Contains(flashKinds, m.Kind) || !i18n.Has(m.ID) {
		return nil
	}
	args := make([]any, len(m.Args))
	for i, a := range m.Args {
		args[i] = a
	}
	return &view.Flash{Kind: m.Kind, Text: l.T(m.ID, args...)}
}

func (s *Server) clearFlash(w http.ResponseWriter) {
	http.SetCookie(w, s.cookie(flashCookie, "", -1))
}

// cookie returns a cookie with the attributes that all of ours have. maxAge is in seconds.
func (s *Server) cookie(name, value string, maxAge int) *http.Cookie {
	return &http.Cookie{
		Name: name, Value: value, Path: "/", MaxAge: maxAge,
		HttpOnly: true, Secure: s.secure, SameSite: http.SameSiteLaxMode,
	}
}
