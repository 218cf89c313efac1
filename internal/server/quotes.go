package server

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"rackwright/internal/apperr"
	"rackwright/internal/auth"
	"rackwright/internal/inventory"
	"rackwright/internal/quote"
)

// QuoteStore is what the pages of quotes ask of the database. A command has one effect per
// idempotency key, and is a Conflict when the quote is not in the version it names any more.
type QuoteStore interface {
	CreateQuote(ctx context.Context, c quote.Create) (id int64, err error)
	PreviewDraft(ctx context.Context, e quote.Edit) (quote.Content, quote.Totals, error)
	SaveDraft(ctx context.Context, e quote.Edit) (version int64, err error)
	Quote(ctx context.Context, id int64) (quote.Quote, error)
	QuoteRevision(ctx context.Context, id int64, revision int) (quote.Quote, error)
	Quotes(ctx context.Context, f quote.Filter) (quote.List, error)
	QuoteCounts(ctx context.Context, f quote.Filter) (map[quote.State]int, error)
	QuoteBlockers(ctx context.Context, id int64) ([]quote.Blocker, error)
	SubmitQuote(ctx context.Context, s quote.Step) error
	RuleOnQuote(ctx context.Context, r quote.Ruling) error
	NextNumber(ctx context.Context) (string, error)
	SendQuote(ctx context.Context, d quote.Dispatch) (quote.Dispatched, error)
	NewRevision(ctx context.Context, s quote.Step) (revision int, err error)
	CloseQuote(ctx context.Context, c quote.Close) error
	ExtendQuote(ctx context.Context, e quote.Extension) error
	QuoteLinks(ctx context.Context, id int64) ([]quote.Link, error)
	NewLink(ctx context.Context, s quote.Step) (token string, err error)
	RevokeLinks(ctx context.Context, s quote.Step) error
	QuoteDocument(ctx context.Context, id int64, revision int) (quote.Document, error)
	// Availability returns what is known of the stock of SKUs; one that never had any is absent.
	Availability(ctx context.Context, skus []string) (map[string]inventory.Availability, error)
	// ReservationsOf returns all reservations of a quote, ended ones too.
	ReservationsOf(ctx context.Context, quoteID int64) ([]inventory.Reservation, error)

	QuoteByToken(ctx context.Context, token string) (quote.Quote, error)
	RecordViewed(ctx context.Context, token string) error
	AcceptQuote(ctx context.Context, a quote.Answer) ([]quote.Shortage, error)
	DeclineQuote(ctx context.Context, a quote.Answer) error
	DocumentByToken(ctx context.Context, token string) (quote.Document, error)

	QuoteSettings(ctx context.Context) (quote.Settings, error)
	TaxRates(ctx context.Context) ([]quote.Tax, error)
	Customers(ctx context.Context, search string, limit int) ([]quote.Customer, error)
	Customer(ctx context.Context, id int64) (quote.Customer, error)
	CreateCustomer(ctx context.Context, actor int64, key string, c quote.Customer) (id int64, err error)
	// ProductNames returns the names of the products to choose from, by code.
	ProductNames(ctx context.Context, lang string) (map[string]string, error)
}

// quoteBody is the largest body of the editor's form: 2,000 lines with their figures.
const quoteBody = 4 << 20

// quoteRoutes lists the addresses of quotes and of the customer's page.
func (s *Server) quoteRoutes() []Route {
	read, edit := auth.ReadQuotes, auth.EditQuotes
	return append([]Route{
		{Method: http.MethodGet, Pattern: "/quotes", Perm: read, Handler: s.quoteList},
		{Method: http.MethodGet, Pattern: "/quotes/new", Perm: edit, Handler: s.quoteNew},
		{Method: http.MethodPost, Pattern: "/quotes/new", Perm: edit, Handler: s.quoteCreate},
		{Method: http.MethodGet, Pattern: "/quotes/{id}", Perm: read, Handler: s.quoteShow},
		{Method: http.MethodPost, Pattern: "/quotes/{id}", Perm: edit, Handler: s.quoteSave, MaxBody: quoteBody},
		{Method: http.MethodPost, Pattern: "/quotes/{id}/preview", Perm: edit, Handler: s.quotePreview, MaxBody: quoteBody},
		{Method: http.MethodGet, Pattern: "/quotes/{id}/preview.pdf", Perm: read, Handler: s.quoteDraftPDF},
		{Method: http.MethodGet, Pattern: "/quotes/{id}/pdf", Perm: read, Handler: s.quotePDF},
		{Method: http.MethodGet, Pattern: "/quotes/{id}/revisions/{n}", Perm: read, Handler: s.quoteRevision},
		{Method: http.MethodGet, Pattern: "/quotes/{id}/send", Perm: edit, Handler: s.quoteSendForm},
		{Method: http.MethodPost, Pattern: "/quotes/{id}/send", Perm: edit, Handler: s.quoteSend},
		{Method: http.MethodPost, Pattern: "/quotes/{id}/ruling", Perm: read, Handler: s.quoteRuling},
		{Method: http.MethodPost, Pattern: "/quotes/{id}/revise", Perm: edit, Handler: s.quoteRevise},
		{Method: http.MethodPost, Pattern: "/quotes/{id}/link", Perm: edit, Handler: s.quoteNewLink},
		{Method: http.MethodPost, Pattern: "/quotes/{id}/link/revoke", Perm: edit, Handler: s.quoteRevokeLink},
		{Method: http.MethodPost, Pattern: "/quotes/{id}/close", Perm: edit, Handler: s.quoteClose},
		{Method: http.MethodPost, Pattern: "/quotes/{id}/extend", Perm: edit, Handler: s.quoteExtend},
	}, s.publicRoutes()...)
}

// mayEdit reports whether the person may change a quote: an own one, or any as a lead.
func (s *Server) mayEdit(r *http.Request, q quote.Quote) bool {
	u := s.currentUser(r)
	return u.Can(auth.EditAnyQuote) || u.Can(auth.EditQuotes) && q.OwnerID == u.ID
}

// ownQuote loads a quote that the person may change.
func (s *Server) ownQuote(r *http.Request) (quote.Quote, error) {
	id, err := pathID(r, "id")
	if err != nil {
		return quote.Quote{}, err
	}
	q, err := s.store.Quote(r.Context(), id)
	if err != nil {
		return quote.Quote{}, err
	}
	if !s.mayEdit(r, q) {
		return quote.Quote{}, apperr.New(apperr.Forbidden, "errors.forbidden")
	}
	return q, nil
}

// quoteURL returns the address of a quote.
func quoteURL(id int64) string { return "/quotes/" + strconv.FormatInt(id, 10) }

// companyZone returns the zone in which days of quotes end.
func (s *Server) companyZone(ctx context.Context) (*time.Location, error) {
	c, err := s.store.Company(ctx)
	if err != nil {
		return nil, err
	}
	return c.Location(), nil
}

// mayAllowMargin reports whether the person may allow discounts and margins beyond the limits.
func (s *Server) mayAllowMargin(r *http.Request) bool { return s.can(r, auth.ApproveQuotes) }

// mayAllowFloor reports whether the person may allow prices below the floor.
func (s *Server) mayAllowFloor(r *http.Request) bool { return s.can(r, auth.ApproveFloor) }
