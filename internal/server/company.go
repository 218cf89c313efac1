package server

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"

	"rackwright/internal/apperr"
	"rackwright/internal/auth"
	"rackwright/internal/company"
	"rackwright/internal/i18n"
	"rackwright/internal/pdf"
	"rackwright/internal/view"
	"rackwright/web/templates/pages"
)

// CompanyStore is what the company's profile asks of the database.
type CompanyStore interface {
	Company(ctx context.Context) (company.Profile, error)
	SaveCompany(ctx context.Context, actor int64, p company.Profile) error
}

// logoBody is the largest body of the profile's form: a photograph from a camera, which is made smaller.
const logoBody = 16 << 20

func (s *Server) companyRoutes() []Route {
	return []Route{
		{Method: http.MethodGet, Pattern: "/admin/company", Perm: auth.EditCompany, Handler: s.companyForm},
		{Method: http.MethodPost, Pattern: "/admin/company", Perm: auth.EditCompany, Handler: s.companySave, MaxBody: logoBody},
		{Method: http.MethodGet, Pattern: "/company/logo", Perm: auth.Public, Handler: s.companyLogo},
	}
}

// companyForm shows the profile.
func (s *Server) companyForm(w http.ResponseWriter, r *http.Request) error {
	c, err := s.store.Company(r.Context())
	if err != nil {
		return err
	}
	return s.companyPage(w, r, c, nil, nil)
}

func (s *Server) companyPage(w http.ResponseWriter, r *http.Request, c company.Profile, typed func(string) string, cause error) error {
	v := view.NewCompany(s.adminPage(r, "admin.company"), c, typed, cause)
	return s.render(w, r, statusOf(cause), pages.Company(v))
}

// companySave stores the profile.
func (s *Server) companySave(w http.ResponseWriter, r *http.Request) error {
	f, err := s.parseForm(w, r)
	if err != nil {
		return err
	}
	stored, err := s.store.Company(r.Context())
	if err != nil {
		return err
	}
	c := readCompany(f)
	c.Version = f.version()
	c.Logo, err = readLogo(r, f, stored.Logo)
	if err != nil {
		return err
	}
	err = firstError(f.err(), c.Validate())
	if err == nil {
		err = s.store.SaveCompany(r.Context(), s.currentUser(r).ID, c)
	}
	if err != nil && isForm(err) {
		return s.companyPage(w, r, stored, f.raw, err)
	}
	if err != nil {
		return err
	}
	s.flash(w, "ok", "actions.saved")
	return s.redirect(w, r, "/admin/company")
}

func readCompany(f *form) company.Profile {
	c := company.Profile{
		Name: f.text("name", company.MaxNameLen), Address: f.text("address", company.MaxTextLen),
		Country: f.text("country", 2), TaxNumber: f.text("tax_number", company.MaxTextLen),
		Email: f.text("email", company.MaxTextLen), Phone: f.text("phone", company.MaxTextLen),
		Website: f.text("website", company.MaxTextLen), Bank: f.text("bank", company.MaxTextLen),
		Currency: f.optCurrency("currency"), TimeZone: f.needText("time_zone", company.MaxNameLen),
		QuotePrefix:     strings.ToUpper(narrow(f.needText("quote_prefix", company.MaxNameLen))),
		ValidityDays:    int(f.integer("validity_days", 1, company.MaxDays)),
		ReservationDays: int(f.integer("reservation_days", 1, company.MaxDays)),
		DiscountLimit:   f.optPercent("discount_limit"), TargetMargin: f.optPercent("target_margin"),
		Terms: map[string]string{},
	}
	if c.Country != "" && !view.IsCountry(c.Country) {
		f.Add("country", "errors.form_choose")
	}
	for _, l := range i18n.Langs {
		c.Terms[string(l)] = f.text("terms_"+string(l), company.MaxTermsLen)
	}
	return c
}

// readLogo returns the logo to store: a new one as documents carry it, none, or the one that is there.
func readLogo(r *http.Request, f *form, stored []byte) ([]byte, error) {
	content, _, chosen, err := file(r, "logo")
	switch {
	case err != nil:
		return nil, err
	case !chosen && f.checked("no_logo"):
		return nil, nil
	case !chosen:
		return stored, nil
	}
	logo, err := pdf.Logo(content, company.MaxLogoBytes)
	switch {
	case errors.Is(err, pdf.ErrNotPicture):
		f.Add("logo", "company.logo_type")
	case errors.Is(err, pdf.ErrPictureTooBig):
		f.Add("logo", "company.logo_side", "max", pdf.MaxPictureSide)
	case errors.Is(err, pdf.ErrPictureDamaged):
		f.Add("logo", "company.logo_broken")
	case err != nil:
		return nil, fmt.Errorf("logo: %w", err)
	default:
		return logo, nil
	}
	return stored, nil
}

// companyLogo sends the logo. It is on documents that customers see, so it is public.
func (s *Server) companyLogo(w http.ResponseWriter, r *http.Request) error {
	c, err := s.store.Company(r.Context())
	if err != nil {
		return err
	}
	if len(c.Logo) == 0 {
		return apperr.New(apperr.NotFound, "errors.not_found")
	}
	h := w.Header()
	h.Set("Content-Type", http.DetectContentType(c.Logo))
	h.Set("Cache-Control", "private, max-age=300")
	h.Set("ETag", `"`+strconv.FormatInt(c.Version, 10)+`"`)
	_, _ = w.Write(c.Logo) // the client has gone; nobody is left to tell
	return nil
}
