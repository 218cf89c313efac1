package server

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"rackwright/internal/apperr"
	"rackwright/internal/company"
	"rackwright/internal/pdf"
	"rackwright/internal/quote"
	"rackwright/internal/view"
	"rackwright/web/templates/documents"
)

// renderQuote makes the PDF of the revision that q carries, now.
func (s *Server) renderQuote(ctx context.Context, q quote.Quote, seller company.Profile) ([]byte, error) {
	return QuotePDF(ctx, q, seller, s.now())
}

// QuotePDF makes the PDF of the revision that q carries, also for programs that send without a
// page. What is ours alone never gets near the document.
func QuotePDF(ctx context.Context, q quote.Quote, seller company.Profile, created time.Time) ([]byte, error) {
	q.Revision.Content = q.Revision.Content.ForCustomer()
	doc := view.NewQuoteDocument(q, seller)
	b, err := pdf.Render(ctx, documents.Quote(doc), pdf.Options{
		Title: doc.Title, Author: seller.Name, Lang: doc.Lang, Created: created,
	})
	if err != nil {
		return nil, fmt.Errorf("quote %d: %w", q.ID, err)
	}
	return b, nil
}

// quoteDraftPDF shows what would be sent, marked as a draft.
func (s *Server) quoteDraftPDF(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "id")
	if err != nil {
		return err
	}
	q, err := s.store.Quote(r.Context(), id)
	if err != nil {
		return err
	}
	if q.Revision.State.Frozen() {
		return s.redirect(w, r, quoteURL(id)+"/pdf")
	}
	seller, err := s.store.Company(r.Context())
	if err != nil {
		return err
	}
	b, err := s.renderQuote(r.Context(), q, seller)
	if err != nil {
		return err
	}
	name := "draft-" + strconv.FormatInt(id, 10) + ".pdf"
	return writePDF(w, name, b)
}

// maxRevision is more than any quote has, and fits the column.
const maxRevision = 1 << 30

// quotePDF serves the bytes that were sent.
func (s *Server) quotePDF(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "id")
	if err != nil {
		return err
	}
	n := 0
	if v := r.URL.Query().Get("revision"); v != "" {
		if n, err = strconv.Atoi(v); err != nil || n < 1 || n > maxRevision {
			return apperr.New(apperr.NotFound, "errors.not_found")
		}
	} else if n, err = s.newestSent(r.Context(), id); err != nil {
		return err
	}
	doc, err := s.store.QuoteDocument(r.Context(), id, n)
	if err != nil {
		return err
	}
	return writePDF(w, doc.FileName, doc.Bytes)
}

// newestSent returns the number of the newest revision that was sent.
func (s *Server) newestSent(ctx context.Context, id int64) (int, error) {
	q, err := s.store.Quote(ctx, id)
	if err != nil {
		return 0, err
	}
	n := 0
	for _, rev := range q.Revisions {
		if !rev.SentAt.IsZero() {
			n = max(n, rev.Number)
		}
	}
	if n == 0 {
		return 0, apperr.New(apperr.NotFound, "errors.not_found")
	}
	return n, nil
}

// sellerOf returns the seller as a sent revision names it.
func sellerOf(rev quote.Revision) (company.Profile, error) {
	var c company.Profile
	if len(rev.Frozen.Company) == 0 {
		return c, nil
	}
	if err := json.Unmarshal(rev.Frozen.Company, &c); err != nil {
		return c, fmt.Errorf("frozen profile of revision %d: %w", rev.ID, err)
	}
	return c, nil
}

// uncoveredIn returns the signs of a draft that the fonts of documents lack, as one text: of
// everything that somebody typed and that the document prints.
func uncoveredIn(q quote.Quote, seller company.Profile) string {
	q.Revision.Content = q.Revision.Content.ForCustomer()
	var signs []string
	for _, r := range pdf.Uncovered(view.NewQuoteDocument(q, seller).Typed()) {
		signs = append(signs, string(r))
	}
	return strings.Join(signs, " ")
}
