package server

import (
	"context"
	"crypto/sha256"
	"encoding/base32"
	"encoding/hex"
	"encoding/json"
	"net/http"
	"strconv"
	"time"

	"github.com/go-chi/httprate"

	"rackwright/internal/apperr"
	"rackwright/internal/auth"
	"rackwright/internal/catalog"
	"rackwright/internal/i18n"
	"rackwright/internal/pdf"
	"rackwright/internal/sizing"
	"rackwright/internal/sizing/cost"
	"rackwright/internal/view"
	"rackwright/web/templates/documents"
	"rackwright/web/templates/pages"
)

// SizingStore is what the sizing pages ask of the database.
type SizingStore interface {
	SizingInputs(ctx context.Context) (s cost.Sources, catalogueHash string, err error)
	CostDefaults(ctx context.Context) ([]catalog.CostDefault, error)
	Sources(ctx context.Context) ([]catalog.Source, error)
	SaveSizingReport(ctx context.Context, n sizing.NewReport) (int64, error)
	SizingReport(ctx context.Context, id int64) (sizing.Report, error)
	SizingReportByToken(ctx context.Context, tokenHash [32]byte) (sizing.Report, error)
	SizingReports(ctx context.Context, limit int) ([]sizing.ReportHead, error)
}

// recentReports is how many stored reports the form lists.
const recentReports = 12

// sizingsAMinute is how many reports, and how many PDFs of them, one visitor's address may ask
// this process for in a minute: each is stored, or costs a fifth of a second.
const sizingsAMinute = 60

// previewsAMinute is how many instant estimates one address may ask for in a minute: people
// type, and each costs some milliseconds.
const previewsAMinute = 300

// sizingRoutes lists the addresses of sizing.
func (s *Server) sizingRoutes() []Route {
	reports := httprate.NewRateLimiter(sizingsAMinute, time.Minute)
	previews := httprate.NewRateLimiter(previewsAMinute, time.Minute)
	pdfs := httprate.NewRateLimiter(sizingsAMinute, time.Minute)
	return []Route{
		{Method: http.MethodGet, Pattern: "/sizing", Handler: s.sizingForm},
		{Method: http.MethodPost, Pattern: "/sizing", Handler: s.visitorLimited(reports, s.sizingCreate), MaxBody: maxConfigBody},
		{Method: http.MethodPost, Pattern: "/sizing/preview", Handler: s.visitorLimited(previews, (&estimates{Server: s}).preview), MaxBody: maxConfigBody},
		{Method: http.MethodGet, Pattern: "/sizing/{ref}", Handler: s.sizingReport},
		{Method: http.MethodGet, Pattern: "/sizing/{ref}.pdf", Handler: s.visitorLimited(pdfs, s.sizingPDF)},
		{Method: http.MethodPost, Pattern: "/sizing/{ref}/quote", Perm: auth.EditQuotes, Handler: s.sizingQuote},
	}
}

// sizingForm shows the form: empty, filled with a preset, or with a stored request.
func (s *Server) sizingForm(w http.ResponseWriter, r *http.Request) error {
	in := view.SizingDefaults()
	if id := r.URL.Query().Get("preset"); id != "" {
		if preset, ok := view.SizingPresetInput(id); ok {
			in = preset
		}
	}
	if ref := r.URL.Query().Get("from"); ref != "" {
		report, err := s.sizingByRef(r, ref)
		if err != nil {
			return err
		}
		in = view.SizingInputOf(report.Request)
	}
	return s.showSizingForm(w, r, in, newKey(), nil)
}

// showSizingForm renders the form with what was typed and what is wrong with it.
func (s *Server) showSizingForm(w http.ResponseWriter, r *http.Request, in view.SizingInput, key string, fault error) error {
	ctx := r.Context()
	defaults, err := s.store.CostDefaults(ctx)
	if err != nil {
		return err
	}
	sources, err := s.sourceMap(ctx)
	if err != nil {
		return err
	}
	data := view.SizingFormData{
		Action: "/sizing", Key: key, Library: s.models, Defaults: defaults, Sources: sources, Err: fault,
	}
	if s.can(r, auth.ReadQuotes) {
		if data.Recent, err = s.store.SizingReports(ctx, recentReports); err != nil {
			return err
		}
	}
	page := s.pageT(r, "sizing.form_title")
	return s.render(w, r, statusOf(fault), pages.SizingForm(view.NewSizingForm(page, in, data)))
}

// sizingCreate computes and stores a report. Whatever was typed wrong is shown beside its field.
func (s *Server) sizingCreate(w http.ResponseWriter, r *http.Request) error {
	f, err := s.parseForm(w, r)
	if err != nil {
		return err
	}
	key := f.key()
	req, err := readSizing(f, r)
	if err != nil {
		return s.showSizingForm(w, r, sizingInput(f), f.keyAgain(), err)
	}
	report, err := s.computeSizing(r, req)
	if isForm(err) {
		return s.showSizingForm(w, r, sizingInput(f), f.keyAgain(), err)
	}
	if err != nil {
		return err
	}
	act, err := actOf(key, req)
	if err != nil {
		return err
	}
	token := tokenOf(act)
	report.TokenHash, report.IdempotencyKey = sha256.Sum256([]byte(token)), hashHex(act)
	id, err := s.store.SaveSizingReport(r.Context(), report)
	if err != nil {
		return err
	}
	if s.can(r, auth.ReadQuotes) {
		return s.redirect(w, r, "/sizing/"+strconv.FormatInt(id, 10))
	}
	return s.redirect(w, r, "/sizing/"+token)
}

// sizingInputs joins what the catalogue says with the set of constants that is in use.
func (s *Server) sizingInputs(sources cost.Sources, now time.Time) sizing.Inputs {
	in := sizing.InputsFrom(s.models, sources, now)
	in.Set = s.set
	return in
}

// computeSizing runs the engine on the catalogue and the prices of now.
func (s *Server) computeSizing(r *http.Request, req sizing.Request) (sizing.NewReport, error) {
	sources, hash, err := s.store.SizingInputs(r.Context())
	if err != nil {
		return sizing.NewReport{}, err
	}
	result, err := sizing.Run(req, s.sizingInputs(sources, s.now()))
	if err != nil {
		return sizing.NewReport{}, err
	}
	l := i18n.For(s.langOf(r))
	report := sizing.NewReport{
		Title:         view.ReportTitle(l, &result),
		CatalogueHash: hash, Request: req, Result: result,
	}
	if u := s.currentUser(r); u != nil {
		report.CreatedBy = &u.ID
	}
	return report, nil
}

// sizingByRef opens a report by its number, for staff, or by the token that its visitor got.
// To anyone else a number is an address that does not exist.
func (s *Server) sizingByRef(r *http.Request, ref string) (sizing.Report, error) {
	id, err := strconv.ParseInt(ref, 10, 64)
	if err != nil {
		return s.store.SizingReportByToken(r.Context(), sha256.Sum256([]byte(ref)))
	}
	if !s.can(r, auth.ReadQuotes) {
		return sizing.Report{}, apperr.New(apperr.NotFound, "errors.not_found")
	}
	return s.store.SizingReport(r.Context(), id)
}

// sizingReport shows a stored report with one of its plans opened.
func (s *Server) sizingReport(w http.ResponseWriter, r *http.Request) error {
	v, _, err := s.sizingView(r, r.PathValue("ref"))
	if err != nil {
		return err
	}
	return s.render(w, r, http.StatusOK, pages.SizingReport(v))
}

// sizingView builds the page of a stored report.
func (s *Server) sizingView(r *http.Request, ref string) (view.SizingPage, sizing.Report, error) {
	report, err := s.sizingByRef(r, ref)
	if err != nil {
		return view.SizingPage{}, report, err
	}
	sources, err := s.sourceMap(r.Context())
	if err != nil {
		return view.SizingPage{}, report, err
	}
	data := view.SizingPageData{Ref: ref, Plan: r.URL.Query().Get("plan"), Sources: sources}
	if s.can(r, auth.EditQuotes) {
		data.Key = newKey()
	}
	page := s.page(r, view.ReportTitle(i18n.For(s.langOf(r)), &report.Result))
	page.Crumbs = []view.Crumb{{Label: page.T("navigation.sizing"), Href: "/sizing"}, {Label: page.Title}}
	return view.NewSizingPage(page, report, data), report, nil
}

// sizingPDF sends the report, with one of its plans opened, as a document. It is made from
// the page, so that both say the same.
func (s *Server) sizingPDF(w http.ResponseWriter, r *http.Request) error {
	v, report, err := s.sizingView(r, r.PathValue("ref"))
	if err != nil {
		return err
	}
	seller, err := s.store.Company(r.Context())
	if err != nil {
		return err
	}
	doc := view.NewSizingDocument(v, view.SizingDocumentData{
		Number: reportNumber(report), Seller: seller, Created: report.CreatedAt, Zone: seller.Location(),
	})
	file, err := pdf.Render(r.Context(), documents.SizingReport(doc), pdf.Options{
		Title: doc.Title, Author: seller.Name, Lang: string(v.Lang), Created: report.CreatedAt,
	})
	if err != nil {
		return err
	}
	return writePDF(w, doc.Title+".pdf", file)
}

// sourceMap returns every source by its id.
func (s *Server) sourceMap(ctx context.Context) (map[string]catalog.Source, error) {
	list, err := s.store.Sources(ctx)
	if err != nil {
		return nil, err
	}
	byID := make(map[string]catalog.Source, len(list))
	for _, src := range list {
		byID[src.ID] = src
	}
	return byID, nil
}

// reportNumber names a stored report in documents.
func reportNumber(r sizing.Report) string { return "SR-" + strconv.FormatInt(r.ID, 10) }

// actOf names one sending of the form: its key with what was asked. A second click is the same
// act; a form that the browser's "back" brings up again and that then asks for something else
// is another one, and must not lead to the old answer.
func actOf(key string, req sizing.Request) (string, error) {
	asked, err := json.Marshal(req)
	return key + " " + string(asked), err
}

// tokenOf derives a visitor's token from the act, so that a second click leads to the same
// report although only hashes are stored.
func tokenOf(act string) string {
	sum := sha256.Sum256([]byte("sizing report " + act))
	return base32.StdEncoding.WithPadding(base32.NoPadding).EncodeToString(sum[:16])
}

func hashHex(s string) string {
	sum := sha256.Sum256([]byte(s))
	return hex.EncodeToString(sum[:])
}
