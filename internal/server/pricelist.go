package server

import (
	"context"
	"net/http"
	"strconv"

	"rackwright/internal/apperr"
	"rackwright/internal/auth"
	"rackwright/internal/quote"
	"rackwright/internal/view"
	"rackwright/web/templates/pages"
)

// PriceStore is what the pages of price lists, floors, exchange rates and taxes ask of the database.
type PriceStore interface {
	PriceLists(ctx context.Context) ([]quote.PriceList, error)
	PriceList(ctx context.Context, id int64) (quote.PriceList, []quote.PriceItem, error)
	SavePriceList(ctx context.Context, actor int64, l quote.PriceList) (int64, error)
	SavePriceItem(ctx context.Context, actor int64, i quote.PriceItem) (int64, error)
	DeletePriceItem(ctx context.Context, actor, listID, id int64) error
	Limits(ctx context.Context) ([]quote.Limit, error)
	SaveLimit(ctx context.Context, actor int64, l quote.Limit) error
	Rates(ctx context.Context, limit int) ([]quote.Rate, error)
	SaveRate(ctx context.Context, actor int64, r quote.Rate) error
	TaxRates(ctx context.Context) ([]quote.Tax, error)
	SaveTaxRate(ctx context.Context, actor int64, t quote.Tax) (int64, error)
}

func (s *Server) priceRoutes() []Route {
	return []Route{
		{Method: http.MethodGet, Pattern: "/price-list", Perm: auth.ReadPrices, Handler: s.priceLists},
		{Method: http.MethodPost, Pattern: "/price-list", Perm: auth.EditPrices, Handler: s.priceListCreate},
		{Method: http.MethodGet, Pattern: "/price-list/{id}", Perm: auth.ReadPrices, Handler: s.priceList},
		{Method: http.MethodPost, Pattern: "/price-list/{id}", Perm: auth.EditPrices, Handler: s.priceListSave},
		{Method: http.MethodPost, Pattern: "/price-list/{id}/items", Perm: auth.EditPrices, Handler: s.priceItemSave},
		{Method: http.MethodPost, Pattern: "/price-list/{id}/items/{item}", Perm: auth.EditPrices, Handler: s.priceItemSave},
		{Method: http.MethodPost, Pattern: "/price-list/{id}/items/{item}/delete", Perm: auth.EditPrices, Handler: s.priceItemDelete},
		{Method: http.MethodGet, Pattern: "/price-list/floors", Perm: auth.ReadFloor, Handler: s.floors},
		{Method: http.MethodPost, Pattern: "/price-list/floors", Perm: auth.EditPrices, Handler: s.floorSave},
		{Method: http.MethodGet, Pattern: "/price-list/rates", Perm: auth.ReadPrices, Handler: s.rates},
		{Method: http.MethodPost, Pattern: "/price-list/rates", Perm: auth.EditPrices, Handler: s.rateSave},
		{Method: http.MethodGet, Pattern: "/price-list/taxes", Perm: auth.ReadPrices, Handler: s.taxes},
		{Method: http.MethodPost, Pattern: "/price-list/taxes", Perm: auth.EditPrices, Handler: s.taxSave},
		{Method: http.MethodPost, Pattern: "/price-list/taxes/{id}", Perm: auth.EditPrices, Handler: s.taxSave},
	}
}

// priceTabs returns the pages of own prices that the person may see.
func (s *Server) priceTabs(r *http.Request, p view.Page, current string) []view.Tab {
	return view.PriceTabs(p, current, s.can(r, auth.ReadFloor))
}

// priceLists shows all price lists.
func (s *Server) priceLists(w http.ResponseWriter, r *http.Request) error {
	return s.priceListsPage(w, r, view.Returned{})
}

func (s *Server) priceListsPage(w http.ResponseWriter, r *http.Request, typed view.Returned) error {
	lists, err := s.store.PriceLists(r.Context())
	if err != nil {
		return err
	}
	p := s.pageT(r, "prices.lists")
	v := view.NewPriceLists(p, s.priceTabs(r, p, "/price-list"), lists, s.can(r, auth.EditPrices), typed)
	return s.render(w, r, statusOf(typed.Cause), pages.Ledger(v))
}

func readPriceList(f *form) quote.PriceList {
	return quote.PriceList{
		Name: f.needText("name", quote.MaxShort), Currency: f.currency("currency"),
		TaxMode: quote.TaxMode(f.choice("tax_mode", string(quote.Exclusive), string(quote.Inclusive))),
		Group:   f.text("group", quote.MaxShort),
	}
}

// priceListCreate makes a price list and opens it.
func (s *Server) priceListCreate(w http.ResponseWriter, r *http.Request) error {
	f, err := s.parseForm(w, r)
	if err != nil {
		return err
	}
	l := readPriceList(f)
	id := int64(0)
	if err = firstError(f.err(), l.Validate()); err == nil {
		id, err = s.store.SavePriceList(r.Context(), s.currentUser(r).ID, l)
	}
	if err != nil && isForm(err) {
		return s.priceListsPage(w, r, view.Returned{Raw: f.raw, Cause: err})
	}
	if err != nil {
		return err
	}
	s.flash(w, "ok", "actions.saved")
	return s.redirect(w, r, "/price-list/"+strconv.FormatInt(id, 10))
}

// priceList shows one price list; ?item= puts a price into the form.
func (s *Server) priceList(w http.ResponseWriter, r *http.Request) error {
	return s.priceListPage(w, r, queryID(r, "item"), view.Returned{}, view.Returned{})
}

// priceListPage renders one price list with what came back of its two forms.
func (s *Server) priceListPage(w http.ResponseWriter, r *http.Request, item int64, typed, head view.Returned) error {
	id, err := pathID(r, "id")
	if err != nil {
		return err
	}
	list, items, err := s.store.PriceList(r.Context(), id)
	if err != nil {
		return err
	}
	c, err := s.store.Company(r.Context())
	if err != nil {
		return err
	}
	a := view.PriceListArgs{
		List: list, Items: items, Today: c.Today(s.now()), Edit: s.can(r, auth.EditPrices), Typed: typed, Head: head,
	}
	for _, i := range items {
		if i.ID == item {
			a.Item = i
		}
	}
	p := s.page(r, list.Name)
	p.Crumbs = []view.Crumb{{Label: p.T("prices.lists"), Href: "/price-list"}, {Label: list.Name}}
	v := view.NewPriceList(p, s.priceTabs(r, p, ""), a)
	return s.render(w, r, max(statusOf(typed.Cause), statusOf(head.Cause)), pages.Ledger(v))
}

// priceListSave stores the head of a price list.
func (s *Server) priceListSave(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "id")
	if err != nil {
		return err
	}
	f, err := s.parseForm(w, r)
	if err != nil {
		return err
	}
	l := readPriceList(f)
	l.ID, l.Version = id, f.version()
	if err = firstError(f.err(), l.Validate()); err == nil {
		_, err = s.store.SavePriceList(r.Context(), s.currentUser(r).ID, l)
	}
	if err != nil && isForm(err) {
		return s.priceListPage(w, r, 0, view.Returned{}, view.Returned{Raw: f.raw, Cause: err})
	}
	if err != nil {
		return err
	}
	return s.savedAt(w, r, "/price-list/"+strconv.FormatInt(id, 10))
}

// priceItemSave stores a price: a new one, or the one of the address.
func (s *Server) priceItemSave(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "id")
	if err != nil {
		return err
	}
	item, err := optPathID(r, "item")
	if err != nil {
		return err
	}
	f, err := s.parseForm(w, r)
	if err != nil {
		return err
	}
	i := quote.PriceItem{ID: item, ListID: id, SKU: f.needText("sku", quote.MaxShort), Price: f.exact("price", 6), From: f.date("from")}
	if q := f.optExact("min_qty", 6); q != nil {
		i.MinQty = *q
	}
	if to := f.optDate("to"); to != nil {
		i.To = *to
	}
	if err = firstError(f.err(), i.Validate()); err == nil {
		_, err = s.store.SavePriceItem(r.Context(), s.currentUser(r).ID, i)
	}
	if err != nil && isForm(err) {
		return s.priceListPage(w, r, item, view.Returned{Raw: f.raw, Cause: err}, view.Returned{})
	}
	if err != nil {
		return err
	}
	return s.savedAt(w, r, "/price-list/"+strconv.FormatInt(id, 10))
}

// priceItemDelete removes a price. One that is gone already is no error: it was clicked twice.
func (s *Server) priceItemDelete(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "id")
	if err != nil {
		return err
	}
	item, err := pathID(r, "item")
	if err != nil {
		return err
	}
	err = s.store.DeletePriceItem(r.Context(), s.currentUser(r).ID, id, item)
	if err != nil && !apperr.Is(err, apperr.NotFound) {
		return err
	}
	s.flash(w, "ok", "prices.removed")
	return s.redirect(w, r, "/price-list/"+strconv.FormatInt(id, 10))
}

// savedAt says that it was saved and goes to an address.
func (s *Server) savedAt(w http.ResponseWriter, r *http.Request, path string) error {
	s.flash(w, "ok", "actions.saved")
	return s.redirect(w, r, path)
}
