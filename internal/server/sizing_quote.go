package server

import (
	"net/http"

	"rackwright/internal/apperr"
	"rackwright/internal/i18n"
	"rackwright/internal/quote"
	"rackwright/internal/sizing"
	"rackwright/internal/sizing/serving"
	"rackwright/internal/view"
)

// sizingQuote starts a quote from one plan of a report: its systems with list prices of
// today. The customer is chosen in the editor.
func (s *Server) sizingQuote(w http.ResponseWriter, r *http.Request) error {
	f, err := s.parseForm(w, r)
	if err != nil {
		return err
	}
	key := f.key()
	if err := f.err(); err != nil {
		return err
	}
	report, err := s.sizingByRef(r, r.PathValue("ref"))
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
	at, err := s.createQuoteFromPlan(r, key, quote.Plan{
		Title: view.ReportTitle(i18n.For(s.langOf(r)), &report.Result), SizingID: report.ID, SKU: sku, Systems: int64(quantity),
	}, planNotes(i18n.For(s.langOf(r)), plan)...)
	if err != nil {
		return err
	}
	return s.redirect(w, r, at)
}

// planNotes are what a quote has to say of a plan. One whose memory is tight never enters a
// quote without a note that says so (R21).
func planNotes(l i18n.Localizer, plan *sizing.Plan) []string {
	var notes []string
	if plan.Memory.Status == serving.Tight {
		notes = append(notes, l.T("sizing.quote_note_tight"))
	}
	if plan.Extrapolated {
		notes = append(notes, l.T("sizing.quote_note_extrapolated"))
	}
	return notes
}
