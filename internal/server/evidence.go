package server

import (
	"net/http"

	"rackwright/internal/apperr"
	"rackwright/internal/quote"
	"rackwright/internal/view"
	"rackwright/web/templates/pages"
)

// publicEvidence shows a customer the record of their answer.
func (s *Server) publicEvidence(w http.ResponseWriter, r *http.Request) error {
	token := r.PathValue("token")
	q, err := s.quoteByToken(r, token)
	if err != nil {
		return s.publicGone(w, r, err)
	}
	publicHeaders(w)
	return s.evidence(w, r, q, s.publicView(r, q.Revision.Content.Lang), "/q/"+token, "/q/"+token+"/pdf")
}

// quoteEvidence shows the same record to staff.
func (s *Server) quoteEvidence(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "id")
	if err != nil {
		return err
	}
	n, err := pathID(r, "n")
	if err != nil {
		return err
	}
	q, err := s.store.QuoteRevision(r.Context(), id, int(min(n, maxRevision)))
	if err != nil {
		return err
	}
	back := quoteURL(id)
	return s.evidence(w, r, q, s.page(r, ""), back, back+"/pdf?revision="+r.PathValue("n"))
}

// evidence renders the record of an answered revision; of another there is none.
func (s *Server) evidence(w http.ResponseWriter, r *http.Request, q quote.Quote, p view.Page, back, pdf string) error {
	state := q.Revision.State
	if q.Revision.Decision.At.IsZero() || (state != quote.Accepted && state != quote.Declined && state != quote.Superseded) {
		return apperr.New(apperr.NotFound, "errors.page_not_found")
	}
	seller, err := sellerOf(q.Revision)
	if err != nil {
		return err
	}
	p.Title = p.T("public.evidence_title")
	return s.render(w, r, http.StatusOK, pages.PublicEvidence(view.NewEvidencePage(p, view.EvidenceData{
		Quote: q, Seller: seller, Zone: seller.Location(), Back: back, PDF: pdf,
	})))
}
