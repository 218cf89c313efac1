package server

import (
	"net/http"

	"rackwright/internal/apperr"
	"rackwright/internal/quote"
)

// quoteExtend moves the last day of validity of what was sent.
func (s *Server) quoteExtend(w http.ResponseWriter, r *http.Request) error {
	q, err := s.ownQuote(r)
	if err != nil {
		return err
	}
	step, f, err := s.readStep(w, r, q.ID)
	if err != nil {
		return err
	}
	e := quote.Extension{QuoteID: q.ID, Version: step.Version, Key: step.Key, Actor: step.Actor, Reason: f.needText("extend_reason", quote.MaxShort)}
	e.Until = f.date("extend_until")
	if err = f.err(); err == nil {
		err = s.store.ExtendQuote(r.Context(), e)
	}
	if apperr.Is(err, apperr.Invalid) {
		in := s.quoteData(r, q)
		in.Err = err
		in.Typed = func(name string) (string, bool) { return f.raw(name), f.has(name) }
		return s.quotePage(w, r, in)
	}
	if err != nil {
		return err
	}
	s.flash(w, "ok", "quote.extended_flash")
	return s.redirect(w, r, quoteURL(q.ID))
}
