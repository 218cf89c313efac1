package server

import (
	"net/http"
	"strconv"

	"rackwright/internal/apperr"
	"rackwright/internal/i18n"
	"rackwright/internal/money"
	"rackwright/internal/quote"
	"rackwright/internal/sizing"
	"rackwright/internal/sizing/serving"
	"rackwright/internal/view"
)

// reportCurrency is that of the cost comparison.
const reportCurrency money.Currency = "USD"

// sizingQuote starts a quote from one plan of a report: its systems with list prices of
// today. The customer is chosen in the editor.
func (s *Server) sizingQuote(w http.ResponseWriter, r *http.Request) error {
	ref := r.PathValue("ref")
	f, err := s.parseForm(w, r)
	if err != nil {
		return err
	}
	key := f.key()
	if err := f.err(); err != nil {
		return err
	}
	report, err := s.sizingByRef(r, ref)
	if err != nil {
		return err
	}
	plan, found := view.SizingPlanByKey(&report.Result, f.raw("plan"))
	if plan == nil || found != f.raw("plan") {
		return apperr.New(apperr.Conflict, "sizing.no_plan_to_quote")
	}
	sku, quantity, ok := plan.Sale()
	if !ok {
		return apperr.New(apperr.Conflict, "sizing.rented_not_sold")
	}
	seller, err := s.store.Company(r.Context())
	if err != nil {
		return err
	}
	lang := s.langOf(r)
	content := quote.NewContent(quote.Settings{
		Currency: seller.Currency, Zone: seller.Location(), ValidityDays: seller.ValidityDays,
	}, s.now(), string(lang))
	if content.Currency == "" {
		content.Currency = reportCurrency // the company has not chosen one; the draft can be changed
	}
	content.Title, content.SizingID = report.Title, report.ID
	content.Lines = planLines(i18n.For(lang), plan, quote.Plan{SizingID: report.ID, SKU: sku, Systems: int64(quantity)})
	id, err := s.store.CreateQuote(r.Context(), quote.Create{Key: key, Actor: s.actor(r), Content: content})
	if err != nil {
		return err
	}
	return s.redirect(w, r, "/quotes/"+strconv.FormatInt(id, 10))
}

// planLines are the lines of a plan. A plan whose memory is tight never enters a quote
// without a note that says so (R21).
func planLines(l i18n.Localizer, plan *sizing.Plan, sold quote.Plan) []quote.Line {
	lines := quote.FromPlan(sold)
	if plan.Memory.Status == serving.Tight {
		lines = append(lines, quote.Line{Kind: quote.Note, Description: l.T("sizing.quote_note_tight")})
	}
	if plan.Extrapolated {
		lines = append(lines, quote.Line{Kind: quote.Note, Description: l.T("sizing.quote_note_extrapolated")})
	}
	return lines
}
