package server

import (
	"cmp"
	"context"
	"net/http"
	"slices"
	"time"

	"rackwright/internal/auth"
	"rackwright/internal/catalog"
	"rackwright/internal/company"
	"rackwright/internal/inventory"
	"rackwright/internal/money"
	"rackwright/internal/quote"
	"rackwright/internal/view"
	"rackwright/web/templates/pages"
)

// HomeStore is what the first page asks of the database, besides the stores of the nouns.
type HomeStore interface {
	QuoteCounts(ctx context.Context, f quote.Filter) (map[quote.State]int, error)
	// QuotesToDecide returns the quotes with an exception of these kinds that wait for the person.
	QuotesToDecide(ctx context.Context, user int64, kinds []quote.BlockerKind, limit int) ([]quote.Pending, error)
	// OpenShortages returns accepted quotes for which stock was short.
	OpenShortages(ctx context.Context, limit int) ([]quote.OpenShortage, error)
	// AgedPrices counts the own prices that are marked as old, by list.
	AgedPrices(ctx context.Context, limit int) ([]quote.AgedPrices, error)
	// CatalogueCounts returns how much the catalogue holds.
	CatalogueCounts(ctx context.Context) (catalog.Counts, error)
}

const (
	homeRows     = 8  // of each group of quotes
	alertRows    = 5  // of each kind
	homePieces   = 20 // reservations, which are gathered by quote
	homeDays     = 7  // ahead
	alertHorizon = homeDays * 24 * time.Hour
)

func (s *Server) homeRoutes() []Route {
	return []Route{
		{Method: http.MethodGet, Pattern: "/", Perm: auth.Public, Handler: s.home},
		{Method: http.MethodPost, Pattern: "/display", Perm: auth.Public, Handler: s.displaySave},
	}
}

// home shows the day's work to staff and the ways into the product to everybody else.
func (s *Server) home(w http.ResponseWriter, r *http.Request) error {
	c, err := s.store.Company(r.Context())
	if err != nil {
		return err
	}
	u := s.currentUser(r)
	if u == nil {
		return s.visitorHome(w, r, c)
	}
	in := view.HomeData{
		Now: s.now(), Zone: c.Location(), ExpireDays: homeDays, ReadsQuotes: u.Can(auth.ReadQuotes), EditsQuotes: u.Can(auth.EditQuotes),
		ReadsStock: u.Can(auth.ReadStock), SeesAlerts: u.Can(auth.SeeInternalData),
	}
	if in.ReadsQuotes {
		if err := s.homeQuotes(r.Context(), u, &in); err != nil {
			return err
		}
	}
	p := s.pageT(r, "navigation.home")
	if in.Alerts, err = s.homeAlerts(r.Context(), u, c, p); err != nil {
		return err
	}
	return s.render(w, r, http.StatusOK, pages.Home(view.NewStaffHome(p, in)))
}

// visitorHome says what is here.
func (s *Server) visitorHome(w http.ResponseWriter, r *http.Request, c company.Profile) error {
	counts, err := s.store.CatalogueCounts(r.Context())
	if err != nil {
		return err
	}
	v := view.NewVisitorHome(s.page(r, ""), c.Name, counts, len(s.models))
	return s.render(w, r, http.StatusOK, pages.Home(v))
}

// homeQuotes collects the quotes that wait for the person: what only they can decide, and, for
// people who edit quotes, their own; a lead's are everybody's, but for drafts.
func (s *Server) homeQuotes(ctx context.Context, u *auth.User, in *view.HomeData) (err error) {
	owner := u.ID
	if u.Can(auth.EditAnyQuote) || !in.EditsQuotes {
		owner = 0
	}
	if in.Counts, err = s.store.QuoteCounts(ctx, quote.Filter{OwnerID: owner}); err != nil {
		return err
	}
	if kinds := quote.DecidableKinds(u.Can(auth.ApproveQuotes), u.Can(auth.ApproveFloor)); len(kinds) > 0 {
		if in.Decide, err = s.store.QuotesToDecide(ctx, u.ID, kinds, homeRows+1); err != nil {
			return err
		}
		in.More = len(in.Decide) > homeRows
		in.Decide = in.Decide[:min(len(in.Decide), homeRows)]
	}
	if !in.EditsQuotes {
		return nil
	}
	for _, group := range []struct {
		rows   *[]quote.Summary
		filter quote.Filter
	}{
		{&in.Approved, quote.Filter{OwnerID: owner, States: []quote.State{quote.Approved}}},
		{&in.Expiring, quote.Filter{OwnerID: owner, States: []quote.State{quote.Sent}, Expiring: homeDays}},
		{&in.Drafts, quote.Filter{OwnerID: u.ID, States: []quote.State{quote.Draft}}},
		{&in.Waiting, quote.Filter{OwnerID: u.ID, States: []quote.State{quote.Awaiting}}},
	} {
		group.filter.Limit = homeRows
		list, err := s.store.Quotes(ctx, group.filter)
		if err != nil {
			return err
		}
		*group.rows = list.Rows
		in.More = in.More || list.Next != nil
	}
	return nil
}

// homeAlerts collects what wants the person's attention besides quotes. Who keeps stock learns
// nothing of prices and of customers.
func (s *Server) homeAlerts(ctx context.Context, u *auth.User, c company.Profile, p view.Page) ([]view.HomeAlert, error) {
	in := view.HomeAlertData{
		Company: c, Profile: u.Can(auth.EditCompany),
		NamesCustomers: u.Can(auth.ReadCustomers), OpensQuotes: u.Can(auth.ReadQuotes),
	}
	var err error
	if u.Can(auth.ReadStock) {
		if in.Short, err = s.store.OpenShortages(ctx, alertRows); err != nil {
			return nil, err
		}
		if in.Reserved, err = s.endingReservations(ctx); err != nil {
			return nil, err
		}
	}
	if u.Can(auth.ReadPrices) {
		if in.Aged, err = s.store.AgedPrices(ctx, alertRows); err != nil {
			return nil, err
		}
	}
	if u.Can(auth.EditPrices) && c.Currency != "" {
		if in.NoRate, err = s.missingRates(ctx, c); err != nil {
			return nil, err
		}
	}
	return view.NewHomeAlerts(p, in), nil
}

// endingReservations returns the reservations that end soon, the earliest first.
func (s *Server) endingReservations(ctx context.Context) ([]inventory.Reservation, error) {
	all, err := s.store.Reservations(ctx)
	if err != nil {
		return nil, err
	}
	var soon []inventory.Reservation
	for _, r := range all {
		if r.Live(s.now()) && r.Until.Before(s.now().Add(alertHorizon)) {
			soon = append(soon, r)
		}
	}
	slices.SortStableFunc(soon, func(a, b inventory.Reservation) int {
		return cmp.Or(a.Until.Compare(b.Until), cmp.Compare(a.QuoteID, b.QuoteID), cmp.Compare(a.SKU, b.SKU))
	})
	return soon[:min(len(soon), homePieces)], nil
}

// missingRates returns the currencies that cannot be converted today: those of price lists, and
// those that had a rate before.
func (s *Server) missingRates(ctx context.Context, c company.Profile) ([]money.Currency, error) {
	lists, err := s.store.PriceLists(ctx)
	if err != nil {
		return nil, err
	}
	rates, err := s.store.Rates(ctx, maxRates)
	if err != nil {
		return nil, err
	}
	var used []money.Currency
	for _, l := range lists {
		used = append(used, l.Currency)
	}
	for _, r := range rates {
		switch c.Currency {
		case r.Base:
			used = append(used, r.Quote)
		case r.Quote:
			used = append(used, r.Base)
		}
	}
	slices.Sort(used)
	return slices.DeleteFunc(slices.Compact(used), func(other money.Currency) bool {
		_, ok := quote.FindRate(rates, c.Currency, other, c.Today(s.now()))
		return ok || other == c.Currency
	}), nil
}
