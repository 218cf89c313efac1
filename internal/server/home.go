package server

import (
	"context"
	"net/http"
	"slices"
	"time"

	"rackwright/internal/auth"
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
}

const (
	homeRows     = 5 // of each group of quotes, and of alerts
	homeDays     = 7 // ahead
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
		return s.render(w, r, http.StatusOK, pages.Home(view.NewVisitorHome(s.page(r, ""), c.Name, nil)))
	}
	in := view.HomeData{
		Now: s.now(), Zone: c.Location(), ExpireDays: homeDays, ReadsQuotes: u.Can(auth.ReadQuotes), EditsQuotes: u.Can(auth.EditQuotes),
		Decides: u.Can(auth.ApproveQuotes) || u.Can(auth.ApproveFloor), SeesAlerts: u.Can(auth.SeeInternalData),
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

// homeQuotes collects the quotes that wait for the person. Who edits only own quotes and
// decides nothing is shown only those.
func (s *Server) homeQuotes(ctx context.Context, u *auth.User, in *view.HomeData) (err error) {
	owner := int64(0)
	if in.EditsQuotes && !in.Decides && !u.Can(auth.EditAnyQuote) {
		owner = u.ID
	}
	if in.Counts, err = s.store.QuoteCounts(ctx, quote.Filter{OwnerID: owner}); err != nil {
		return err
	}
	for _, group := range []struct {
		rows   *[]quote.Summary
		filter quote.Filter
	}{
		{&in.Awaiting, quote.Filter{OwnerID: owner, States: []quote.State{quote.Awaiting}}},
		{&in.Approved, quote.Filter{OwnerID: owner, States: []quote.State{quote.Approved}}},
		{&in.Expiring, quote.Filter{OwnerID: owner, States: []quote.State{quote.Sent}, Expiring: homeDays}},
		{&in.Drafts, quote.Filter{OwnerID: u.ID, States: []quote.State{quote.Draft}}},
	} {
		group.filter.Limit = homeRows
		list, err := s.store.Quotes(ctx, group.filter)
		if err != nil {
			return err
		}
		*group.rows = list.Rows
	}
	return nil
}

// homeAlerts collects what wants the person's attention besides quotes.
func (s *Server) homeAlerts(ctx context.Context, u *auth.User, c company.Profile, p view.Page) ([]view.HomeAlert, error) {
	in := view.HomeAlertData{Company: c, Profile: u.Can(auth.EditCompany)}
	var err error
	if u.Can(auth.ReadStock) {
		if in.Reserved, err = s.endingReservations(ctx); err != nil {
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
	slices.SortStableFunc(soon, func(a, b inventory.Reservation) int { return a.Until.Compare(b.Until) })
	return soon[:min(len(soon), homeRows)], nil
}

// missingRates returns the currencies of price lists that cannot be converted today.
func (s *Server) missingRates(ctx context.Context, c company.Profile) ([]money.Currency, error) {
	lists, err := s.store.PriceLists(ctx)
	if err != nil {
		return nil, err
	}
	rates, err := s.store.Rates(ctx, maxRates)
	if err != nil {
		return nil, err
	}
	var missing []money.Currency
	seen := map[money.Currency]bool{c.Currency: true}
	for _, l := range lists {
		if seen[l.Currency] {
			continue
		}
		seen[l.Currency] = true
		if _, ok := quote.FindRate(rates, c.Currency, l.Currency, c.Today(s.now())); !ok {
			missing = append(missing, l.Currency)
		}
	}
	return missing, nil
}
