package server

import (
	"net/http"

	"rackwright/internal/auth"
	"rackwright/internal/quote"
	"rackwright/internal/view"
	"rackwright/web/templates/pages"
)

// maxRates is the number of exchange rates on the page: a year of one pair, and more.
const maxRates = 400

// ratePlaces is the number of decimals of an exchange rate.
const ratePlaces = 10

// floors shows floor prices and costs; ?sku= puts one into the form.
func (s *Server) floors(w http.ResponseWriter, r *http.Request) error {
	return s.floorsPage(w, r, r.URL.Query().Get("sku"), view.Returned{})
}

func (s *Server) floorsPage(w http.ResponseWriter, r *http.Request, sku string, typed view.Returned) error {
	limits, err := s.store.Limits(r.Context())
	if err != nil {
		return err
	}
	c, err := s.store.Company(r.Context())
	if err != nil {
		return err
	}
	current := quote.Limit{Currency: c.Currency}
	for _, l := range limits {
		if l.SKU == sku {
			current = l
		}
	}
	p := s.pageT(r, "prices.floors")
	v := view.NewFloors(p, s.priceTabs(r, p, "/price-list/floors"), limits, current, s.can(r, auth.EditPrices), typed)
	return s.render(w, r, statusOf(typed.Cause), pages.Ledger(v))
}

// floorSave stores floor price and cost of a SKU.
func (s *Server) floorSave(w http.ResponseWriter, r *http.Request) error {
	f, err := s.parseForm(w, r)
	if err != nil {
		return err
	}
	l := quote.Limit{
		SKU: f.needText("sku", quote.MaxShort), Currency: f.currency("currency"),
		Floor: f.optExact("floor", 6), Cost: f.optExact("cost", 6), Version: f.version(),
	}
	if err = firstError(f.err(), l.Validate()); err == nil {
		err = s.store.SaveLimit(r.Context(), s.currentUser(r).ID, l)
	}
	if err != nil && isForm(err) {
		return s.floorsPage(w, r, l.SKU, view.Returned{Raw: f.raw, Cause: err})
	}
	if err != nil {
		return err
	}
	return s.savedAt(w, r, "/price-list/floors")
}

// rates shows the newest exchange rates.
func (s *Server) rates(w http.ResponseWriter, r *http.Request) error {
	return s.ratesPage(w, r, view.Returned{})
}

func (s *Server) ratesPage(w http.ResponseWriter, r *http.Request, typed view.Returned) error {
	rates, err := s.store.Rates(r.Context(), maxRates)
	if err != nil {
		return err
	}
	c, err := s.store.Company(r.Context())
	if err != nil {
		return err
	}
	p := s.pageT(r, "admin.exchange_rate_table")
	v := view.NewRates(p, s.priceTabs(r, p, "/price-list/rates"), rates, c.Currency, c.Today(s.now()), s.can(r, auth.EditPrices), typed)
	return s.render(w, r, statusOf(typed.Cause), pages.Ledger(v))
}

// rateSave stores the rate of a day; the same again changes nothing, so it needs no key.
func (s *Server) rateSave(w http.ResponseWriter, r *http.Request) error {
	f, err := s.parseForm(w, r)
	if err != nil {
		return err
	}
	rate := quote.Rate{
		Base: f.currency("base"), Quote: f.currency("quote"), Day: f.date("day"),
		Rate: f.exact("rate", ratePlaces), Source: f.needText("source", quote.MaxShort),
	}
	if err = firstError(f.err(), rate.Validate()); err == nil {
		err = s.store.SaveRate(r.Context(), s.currentUser(r).ID, rate)
	}
	if err != nil && isForm(err) {
		return s.ratesPage(w, r, view.Returned{Raw: f.raw, Cause: err})
	}
	if err != nil {
		return err
	}
	return s.savedAt(w, r, "/price-list/rates")
}

// taxes shows the tax rates; ?tax= puts one into the form.
func (s *Server) taxes(w http.ResponseWriter, r *http.Request) error {
	return s.taxesPage(w, r, queryID(r, "tax"), view.Returned{})
}

func (s *Server) taxesPage(w http.ResponseWriter, r *http.Request, id int64, typed view.Returned) error {
	taxes, err := s.store.TaxRates(r.Context())
	if err != nil {
		return err
	}
	var current quote.Tax
	for _, t := range taxes {
		if t.ID == id {
			current = t
		}
	}
	p := s.pageT(r, "admin.tax_table")
	v := view.NewTaxes(p, s.priceTabs(r, p, "/price-list/taxes"), taxes, current, s.can(r, auth.EditPrices), typed)
	return s.render(w, r, statusOf(typed.Cause), pages.Ledger(v))
}

// taxSave stores a tax rate: a new one, or the one of the address. The same rate that was
// added a moment ago is not added twice.
func (s *Server) taxSave(w http.ResponseWriter, r *http.Request) error {
	id, err := optPathID(r, "id")
	if err != nil {
		return err
	}
	f, err := s.parseForm(w, r)
	if err != nil {
		return err
	}
	t := quote.Tax{ID: id, Name: f.needText("name", quote.MaxShort), Country: f.text("country", 2), Default: f.checked("default")}
	if rate := f.optPercent("rate"); rate != nil {
		t.Rate = *rate
	} else {
		f.Add("rate", "errors.required")
	}
	if id != 0 {
		t.Version = f.version()
	}
	if t.Country != "" && !view.IsCountry(t.Country) {
		f.Add("country", "errors.form_choose")
	}
	if err = firstError(f.err(), t.Validate()); err == nil {
		err = s.saveTax(r, t)
	}
	if err != nil && isForm(err) {
		return s.taxesPage(w, r, id, view.Returned{Raw: f.raw, Cause: err})
	}
	if err != nil {
		return err
	}
	return s.savedAt(w, r, "/price-list/taxes")
}

func (s *Server) saveTax(r *http.Request, t quote.Tax) error {
	if t.ID == 0 {
		taxes, err := s.store.TaxRates(r.Context())
		if err != nil {
			return err
		}
		for _, there := range taxes {
			if sameTax(there, t) {
				return nil
			}
		}
	}
	_, err := s.store.SaveTaxRate(r.Context(), s.currentUser(r).ID, t)
	return err
}

func sameTax(a, b quote.Tax) bool {
	return a.Name == b.Name && a.Country == b.Country && a.Default == b.Default && a.Rate.Cmp(b.Rate) == 0
}
