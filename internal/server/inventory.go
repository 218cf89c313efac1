package server

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"rackwright/internal/apperr"
	"rackwright/internal/auth"
	"rackwright/internal/inventory"
	"rackwright/internal/quote"
	"rackwright/internal/view"
	"rackwright/web/templates/pages"
)

// latestMoves is how much of the ledger the stock page shows.
const latestMoves = 30

// StockStore is what the stock page asks of the database.
type StockStore interface {
	Locations(ctx context.Context) ([]inventory.Location, error)
	SaveLocation(ctx context.Context, actor int64, l inventory.Location) (id int64, err error)
	Stock(ctx context.Context, search string) ([]inventory.Level, error)
	MoveStock(ctx context.Context, m inventory.NewMove) (id int64, err error)
	Moves(ctx context.Context, sku string, before int64, limit int) ([]inventory.Move, error)
	Reservations(ctx context.Context) ([]inventory.Reservation, error)
}

// stockRoutes lists the addresses of the stock page.
func (s *Server) stockRoutes() []Route {
	return []Route{
		{Method: http.MethodGet, Pattern: "/inventory", Perm: auth.ReadStock, Handler: s.stockPage},
		{Method: http.MethodPost, Pattern: "/inventory/receive", Perm: auth.EditStock, Handler: s.stockReceive},
		{Method: http.MethodPost, Pattern: "/inventory/move", Perm: auth.EditStock, Handler: s.stockMove},
		{Method: http.MethodPost, Pattern: "/inventory/places", Perm: auth.EditStock, Handler: s.stockPlace},
	}
}

// stockPage shows what is where and what is kept for whom.
func (s *Server) stockPage(w http.ResponseWriter, r *http.Request) error {
	search := strings.TrimSpace(r.URL.Query().Get("q"))
	if len(search) > 4*quote.MaxShort || !storable(search) {
		search = ""
	}
	return s.renderStock(w, r, view.StockData{Search: search})
}

// renderStock fills the page and renders it, with the form that is shown again if there is one.
func (s *Server) renderStock(w http.ResponseWriter, r *http.Request, in view.StockData) (err error) {
	ctx := r.Context()
	if in.Places, err = s.store.Locations(ctx); err != nil {
		return err
	}
	if in.Levels, err = s.store.Stock(ctx, ""); err != nil {
		return err
	}
	if in.Reserved, err = s.store.Reservations(ctx); err != nil {
		return err
	}
	if in.Moves, err = s.store.Moves(ctx, "", 0, latestMoves); err != nil {
		return err
	}
	if in.Names, err = s.store.ProductNames(ctx, string(s.langOf(r))); err != nil {
		return err
	}
	if in.Zone, err = s.companyZone(ctx); err != nil {
		return err
	}
	in.MayMove, in.MayQuote, in.Key = s.can(r, auth.EditStock), s.can(r, auth.ReadQuotes), newKey()
	w.Header().Set("Cache-Control", "no-store")
	return s.render(w, r, statusOf(in.Err), pages.Stock(view.NewStockPage(s.pageT(r, "navigation.inventory"), in)))
}

// stockAgain shows a form again with what was typed and what is wrong with it.
func (s *Server) stockAgain(w http.ResponseWriter, r *http.Request, name string, f *form, cause error) error {
	if !isForm(cause) {
		return cause
	}
	typed := func(field string) (string, bool) { return f.raw(field), true }
	return s.renderStock(w, r, view.StockData{Form: name, Typed: typed, Err: cause})
}

// stockReceive puts stock that arrived on its place.
func (s *Server) stockReceive(w http.ResponseWriter, r *http.Request) error {
	f, err := s.parseForm(w, r)
	if err != nil {
		return err
	}
	m := s.readMove(r, f, inventory.Receive)
	m.To = f.placeID("to")
	if err := s.storeMove(r, f, m); err != nil {
		return s.stockAgain(w, r, "receive", f, err)
	}
	place, err := s.placeName(r.Context(), "to", m.To)
	if err != nil {
		return err
	}
	s.flash(w, "ok", "stock.received_flash", "n", strconv.FormatInt(m.Quantity, 10), "sku", m.SKU, "place", place)
	return s.redirect(w, r, "/inventory")
}

// stockMove brings stock from one place to another.
func (s *Server) stockMove(w http.ResponseWriter, r *http.Request) error {
	f, err := s.parseForm(w, r)
	if err != nil {
		return err
	}
	m := s.readMove(r, f, inventory.Transfer)
	m.From, m.To = f.placeID("from"), f.placeID("to")
	if m.From != 0 && m.From == m.To {
		f.Add("to", "stock.same_place")
	}
	if err := s.storeMove(r, f, m); err != nil {
		return s.stockAgain(w, r, "move", f, err)
	}
	from, err := s.placeName(r.Context(), "from", m.From)
	if err != nil {
		return err
	}
	to, err := s.placeName(r.Context(), "to", m.To)
	if err != nil {
		return err
	}
	s.flash(w, "ok", "stock.moved_flash", "n", strconv.FormatInt(m.Quantity, 10), "sku", m.SKU, "from", from, "to", to)
	return s.redirect(w, r, "/inventory")
}

// stockPlace adds a place where stock can lie.
func (s *Server) stockPlace(w http.ResponseWriter, r *http.Request) error {
	f, err := s.parseForm(w, r)
	if err != nil {
		return err
	}
	l := inventory.Location{Code: strings.ToUpper(f.text("code", 20)), Name: f.needText("name", quote.MaxShort)}
	if err = f.err(); err == nil {
		_, err = s.store.SaveLocation(r.Context(), s.currentUser(r).ID, l)
	}
	if err != nil {
		return s.stockAgain(w, r, "places", f, err)
	}
	s.flash(w, "ok", "stock.place_flash", "place", l.Name)
	return s.redirect(w, r, "/inventory")
}

// readMove reads what the forms of all moves have.
func (s *Server) readMove(r *http.Request, f *form, kind inventory.MoveKind) inventory.NewMove {
	return inventory.NewMove{
		Key: f.key(), Kind: kind, SKU: strings.ToUpper(f.needText("sku", 64)),
		Quantity: f.integer("quantity", 1, inventory.MaxQuantity), Note: f.text("note", 200), ActorID: s.currentUser(r).ID,
	}
}

// storeMove writes a move into the ledger if the form is right.
func (s *Server) storeMove(r *http.Request, f *form, m inventory.NewMove) error {
	if err := f.err(); err != nil {
		return err
	}
	for field, id := range map[string]int64{"from": m.From, "to": m.To} {
		if id == 0 {
			continue // receiving has no place that it comes from
		}
		if _, err := s.placeName(r.Context(), field, id); err != nil {
			return err
		}
	}
	_, err := s.store.MoveStock(r.Context(), m)
	return err
}

// placeID reads the choice of a place.
func (f *form) placeID(name string) int64 {
	id, err := strconv.ParseInt(f.raw(name), 10, 64)
	if err != nil || id <= 0 {
		f.Add(name, "errors.form_choose")
		return 0
	}
	return id
}

// placeName returns the name of a place; one that does not exist is a fault of a field.
func (s *Server) placeName(ctx context.Context, field string, id int64) (string, error) {
	places, err := s.store.Locations(ctx)
	if err != nil {
		return "", err
	}
	for _, p := range places {
		if p.ID == id {
			return p.Name, nil
		}
	}
	var f apperr.Faults
	f.Add(field, "errors.form_choose")
	return "", f.Err()
}
