package server

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"time"

	"rackwright/internal/apperr"
	"rackwright/internal/company"
	"rackwright/internal/pdf"
	"rackwright/internal/quote"
	"rackwright/internal/view"
	"rackwright/web/templates/documents"
)

// makePaper makes a document of the order from the accepted revision. It is made once; asking again shows the one that is
// there.
func (s *Server) makePaper(w http.ResponseWriter, r *http.Request) error {
	q, err := s.ownQuote(r)
	if err != nil {
		return err
	}
	step, f, err := s.readStep(w, r, q.ID)
	if err != nil {
		return err
	}
	paper := quote.Paper(f.raw("paper"))
	seller, err := s.sellerNow(r.Context(), q.Revision)
	if err != nil {
		return err
	}
	if q.Revision.State == quote.Accepted && paper.Valid() {
		if err := s.checkSigns(paper, q, seller); err != nil {
			return err
		}
	}
	err = s.store.MakePaper(r.Context(), quote.MakePaper{
		QuoteID: q.ID, Version: step.Version, Key: step.Key, Actor: step.Actor, Paper: paper,
		Render: func(q quote.Quote) ([]byte, error) { return PaperPDF(r.Context(), paper, q, seller, s.now()) },
	})
	if err != nil {
		return err
	}
	s.flash(w, "ok", "papers.made_flash")
	return s.redirect(w, r, quoteURL(q.ID)+"#papers")
}

// checkSigns refuses a paper with signs that no font has and that the customer's document did not have either: a paper is
// made for good, and boxes in it would be seen too late.
func (s *Server) checkSigns(paper quote.Paper, q quote.Quote, seller company.Profile) error {
	frozen, err := sellerOf(q.Revision)
	if err != nil {
		return err
	}
	known := view.NewQuoteDocument(q, frozen).Typed() // whoever sent it knew
	var signs []string
	for _, r := range pdf.Uncovered(view.NewOrderDocument(paper, q, seller, s.now()).Typed()) {
		if !strings.ContainsRune(known, r) {
			signs = append(signs, string(r))
		}
	}
	if len(signs) > 0 {
		return apperr.New(apperr.Conflict, "papers.uncovered", "chars", strings.Join(signs, " "))
	}
	return nil
}

// sellerNow returns the seller as it is today, with the terms that the revision was sent with: an order keeps its terms,
// and money goes to the account of today.
func (s *Server) sellerNow(ctx context.Context, rev quote.Revision) (company.Profile, error) {
	seller, err := s.store.Company(ctx)
	if err != nil {
		return seller, err
	}
	frozen, err := sellerOf(rev)
	if err == nil && len(rev.Frozen.Company) > 0 {
		seller.Terms = frozen.Terms
	}
	return seller, err
}

// PaperPDF makes the PDF of a document of the order, also for programs without pages.
func PaperPDF(ctx context.Context, paper quote.Paper, q quote.Quote, seller company.Profile, made time.Time) ([]byte, error) {
	q.Revision.Content = q.Revision.Content.ForCustomer()
	doc := view.NewOrderDocument(paper, q, seller, made)
	b, err := pdf.Render(ctx, documents.Quote(doc), pdf.Options{Title: doc.Title, Author: seller.Name, Lang: doc.Lang, Created: made})
	if err != nil {
		return nil, fmt.Errorf("%s of quote %d: %w", paper, q.ID, err)
	}
	return b, nil
}

// quotePaper serves a document of the order, byte for byte as it was made.
func (s *Server) quotePaper(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "id")
	if err != nil {
		return err
	}
	n, err := pathID(r, "n")
	if err != nil {
		return err
	}
	doc, err := s.store.Paper(r.Context(), id, int(min(n, maxRevision)), quote.Paper(r.PathValue("paper")))
	if err != nil {
		return err
	}
	return writePDF(w, doc.FileName, doc.Bytes)
}
