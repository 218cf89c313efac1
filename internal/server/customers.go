package server

import (
	"context"
	"net/http"
	"strconv"
	"strings"

	"rackwright/internal/apperr"
	"rackwright/internal/auth"
	"rackwright/internal/quote"
	"rackwright/internal/view"
	"rackwright/web/templates/pages"
)

// CustomerStore is what the pages of customers ask of the database.
type CustomerStore interface {
	Customers(ctx context.Context, search string, limit int) ([]quote.Customer, error)
	Customer(ctx context.Context, id int64) (quote.Customer, error)
	CreateCustomer(ctx context.Context, actor int64, key string, c quote.Customer) (int64, error)
	SaveCustomer(ctx context.Context, actor int64, c quote.Customer) error
	Quotes(ctx context.Context, f quote.Filter) (quote.List, error)
}

const (
	customersShown = 200 // of the list
	maxContacts    = 100 // of one customer
)

func (s *Server) customerRoutes() []Route {
	return []Route{
		{Method: http.MethodGet, Pattern: "/customers", Perm: auth.ReadCustomers, Handler: s.customerList},
		{Method: http.MethodPost, Pattern: "/customers", Perm: auth.EditCustomers, Handler: s.customerCreate},
		{Method: http.MethodGet, Pattern: "/customers/new", Perm: auth.EditCustomers, Handler: s.customerNew},
		{Method: http.MethodGet, Pattern: "/customers/{id}", Perm: auth.ReadCustomers, Handler: s.customer},
		{Method: http.MethodPost, Pattern: "/customers/{id}", Perm: auth.EditCustomers, Handler: s.customerSave},
	}
}

// customerList shows the customers whose name contains ?q=.
func (s *Server) customerList(w http.ResponseWriter, r *http.Request) error {
	search := strings.TrimSpace(r.URL.Query().Get("q"))
	if !storable(search) || len(search) > 4*quote.MaxShort {
		search = ""
	}
	customers, err := s.store.Customers(r.Context(), search, customersShown+1)
	if err != nil {
		return err
	}
	cut := len(customers) > customersShown
	customers = customers[:min(len(customers), customersShown)]
	v := view.NewCustomers(s.pageT(r, "navigation.customers"), customers, search, cut, s.can(r, auth.EditCustomers))
	return s.render(w, r, http.StatusOK, pages.Customers(v))
}

// customerNew shows the empty form.
func (s *Server) customerNew(w http.ResponseWriter, r *http.Request) error {
	return s.customerPage(w, r, view.CustomerArgs{Key: newKey()})
}

// customer shows one customer and its quotes.
func (s *Server) customer(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "id")
	if err != nil {
		return err
	}
	c, err := s.store.Customer(r.Context(), id)
	if err != nil {
		return err
	}
	return s.customerPage(w, r, view.CustomerArgs{Customer: c})
}

func (s *Server) customerPage(w http.ResponseWriter, r *http.Request, a view.CustomerArgs) error {
	p := s.pageT(r, "actions.new_customer")
	a.MayEdit = s.can(r, auth.EditCustomers)
	if a.Customer.ID != 0 {
		p.Title = a.Customer.Name
		rows, err := s.quotesOf(r, p, a.Customer.ID)
		if err != nil {
			return err
		}
		a.Quotes = rows
	}
	p.Crumbs = []view.Crumb{{Label: p.T("navigation.customers"), Href: "/customers"}, {Label: p.Title}}
	return s.render(w, r, statusOf(a.Returned.Cause), pages.Customer(view.NewCustomerPage(p, a)))
}

// quotesOf returns the latest quotes of a customer, for people who may read quotes.
func (s *Server) quotesOf(r *http.Request, p view.Page, customer int64) ([]view.QuoteRow, error) {
	if !s.can(r, auth.ReadQuotes) {
		return nil, nil
	}
	list, err := s.store.Quotes(r.Context(), quote.Filter{CustomerID: customer})
	if err != nil {
		return nil, err
	}
	c, err := s.store.Company(r.Context())
	if err != nil {
		return nil, err
	}
	return view.NewQuoteRows(p, list.Rows, s.now(), c.Location()), nil
}

// readCustomer reads the form. The second result is the number of rows of contacts in it;
// rows without any text are left out, and the third says which rows are kept.
func readCustomer(f *form) (c quote.Customer, rows int, kept []int) {
	c = quote.Customer{
		Name: f.needText("name", quote.MaxShort), Address: f.text("address", quote.MaxDescription),
		Country: f.text("country", 2), TaxNumber: f.text("tax_number", quote.MaxShort),
		Group: f.text("group", quote.MaxShort), Note: f.text("note", quote.MaxDescription), Archived: f.checked("archived"),
	}
	if c.Country != "" && !view.IsCountry(c.Country) {
		f.Add("country", "errors.form_choose")
	}
	for rows < maxContacts && f.has(view.ContactField(rows, "name")) {
		at := func(field string) string { return f.text(view.ContactField(rows, field), quote.MaxShort) }
		contact := quote.Contact{Name: at("name"), JobTitle: at("job_title"), Email: at("email"), Phone: at("phone")}
		if contact != (quote.Contact{}) {
			contact.ID, _ = strconv.ParseInt(f.raw(view.ContactField(rows, "id")), 10, 64) // a blank row is a new contact
			c.Contacts = append(c.Contacts, contact)
			kept = append(kept, rows)
		}
		rows++
	}
	return c, rows, kept
}

// validateCustomer checks a customer and names faults of contacts by the rows of the form.
func validateCustomer(c quote.Customer, kept []int) error {
	e, ok := asInvalid(c.Validate())
	if !ok {
		return nil
	}
	fields := make(map[string]apperr.Message, len(e.Fields))
	for name, m := range e.Fields {
		if i, field, isContact := contactOf(name); isContact {
			name = view.ContactField(kept[i], field)
		}
		fields[name] = m
	}
	return &apperr.Error{Kind: e.Kind, Msg: e.Msg, Fields: fields, Err: e}
}

// contactOf takes "contacts[1].name" apart.
func contactOf(name string) (i int, field string, ok bool) {
	rest, ok := strings.CutPrefix(name, "contacts[")
	number, field, found := strings.Cut(rest, "].")
	i, err := strconv.Atoi(number)
	return i, field, ok && found && err == nil
}

// customerCreate adds a customer, once for each form.
func (s *Server) customerCreate(w http.ResponseWriter, r *http.Request) error {
	f, err := s.parseForm(w, r)
	if err != nil {
		return err
	}
	c, rows, kept := readCustomer(f)
	key := f.key()
	id := int64(0)
	if err = firstError(f.err(), validateCustomer(c, kept)); err == nil {
		id, err = s.store.CreateCustomer(r.Context(), s.currentUser(r).ID, key, c)
	}
	if err != nil && isForm(err) {
		return s.customerPage(w, r, view.CustomerArgs{Key: f.keyAgain(), Rows: rows, Returned: view.Returned{Raw: f.raw, Cause: err}})
	}
	if err != nil {
		return err
	}
	return s.savedAt(w, r, view.CustomerHref(id))
}

// customerSave stores a customer and its contacts.
func (s *Server) customerSave(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "id")
	if err != nil {
		return err
	}
	stored, err := s.store.Customer(r.Context(), id)
	if err != nil {
		return err
	}
	f, err := s.parseForm(w, r)
	if err != nil {
		return err
	}
	c, rows, kept := readCustomer(f)
	c.ID, c.Version = id, f.version()
	if err = firstError(f.err(), validateCustomer(c, kept)); err == nil {
		err = s.store.SaveCustomer(r.Context(), s.currentUser(r).ID, c)
	}
	if err != nil && isForm(err) {
		return s.customerPage(w, r, view.CustomerArgs{Customer: stored, Rows: rows, Returned: view.Returned{Raw: f.raw, Cause: err}})
	}
	if err != nil {
		return err
	}
	return s.savedAt(w, r, view.CustomerHref(id))
}
