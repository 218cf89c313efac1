package server

import (
	"context"
	"errors"
	"net/http"
	"strconv"

	"rackwright/internal/apperr"
	"rackwright/internal/i18n"
	"rackwright/internal/money"
	"rackwright/internal/quote"
	"rackwright/internal/view"
	"rackwright/web/templates/pages"
)

// customerChoices is how many customers the form that starts a quote offers.
const customerChoices = 1000

// quoteNew shows the form that starts a quote; ?customer= chooses one.
func (s *Server) quoteNew(w http.ResponseWriter, r *http.Request) error {
	chosen := r.URL.Query().Get("customer")
	typed := func(name string) (string, bool) { return chosen, name == "customer_id" && chosen != "" }
	return s.newQuotePage(w, r, typed, nil)
}

// newQuotePage renders the form that starts a quote.
func (s *Server) newQuotePage(w http.ResponseWriter, r *http.Request, typed view.Typed, cause error) error {
	content, err := s.newContent(r.Context(), s.langOf(r))
	if err != nil {
		return err
	}
	in := view.NewQuoteData{Content: content, Typed: typed, Err: cause, Key: newKey()}
	if in.Customers, err = s.customerOptions(r.Context()); err != nil {
		return err
	}
	p := s.pageT(r, "actions.new_quote")
	p.Crumbs = []view.Crumb{{Label: p.T("navigation.quotes"), Href: "/quotes"}, {Label: p.Title}}
	w.Header().Set("Cache-Control", "no-store")
	return s.render(w, r, statusOf(cause), pages.QuoteNew(view.NewQuoteNewPage(p, in)))
}

// customerOptions lists the customers to choose from.
func (s *Server) customerOptions(ctx context.Context) ([]view.Option, error) {
	customers, err := s.store.Customers(ctx, "", customerChoices)
	if err != nil {
		return nil, err
	}
	options := make([]view.Option, len(customers))
	for i, c := range customers {
		options[i] = view.Option{Value: strconv.FormatInt(c.ID, 10), Label: c.Name}
	}
	return options, nil
}

// firstCurrency is what a draft is in while the company has not chosen its currency.
const firstCurrency money.Currency = "USD"

// newContent returns what a quote starts from: today, the company's currency, validity and
// standing terms.
func (s *Server) newContent(ctx context.Context, lang i18n.Lang) (quote.Content, error) {
	settings, err := s.store.QuoteSettings(ctx)
	if err != nil {
		return quote.Content{}, err
	}
	seller, err := s.store.Company(ctx)
	if err != nil {
		return quote.Content{}, err
	}
	c := quote.NewContent(settings, s.now(), string(lang))
	if c.Currency == "" {
		c.Currency = firstCurrency // a draft has to have one; sending waits for the company's own
	}
	c.Terms = seller.TermsIn(string(lang))
	return c, nil
}

// quoteCreate starts a quote for an existing customer, or for one that is entered here.
func (s *Server) quoteCreate(w http.ResponseWriter, r *http.Request) error {
	f, err := s.parseForm(w, r)
	if err != nil {
		return err
	}
	content, err := s.readNewQuote(r, f)
	if err != nil {
		return err
	}
	key := f.key()
	if err = f.err(); err == nil {
		content.Customer, err = s.newParty(r, f)
	}
	var id int64
	if err == nil {
		content.ShipTo, content.EndUser = content.Customer.Country, content.Customer.Country
		id, err = s.store.CreateQuote(r.Context(), quote.Create{Key: key, Actor: s.actor(r), Content: content})
	}
	if isForm(err) {
		typed := func(name string) (string, bool) { return f.raw(name), f.has(name) }
		return s.newQuotePage(w, r, typed, err)
	}
	if err != nil {
		return err
	}
	s.flash(w, "ok", "quote.created_flash")
	return s.redirect(w, r, quoteURL(id))
}

// readNewQuote reads what the quote says besides its customer.
func (s *Server) readNewQuote(r *http.Request, f *form) (quote.Content, error) {
	lang, _ := i18n.ParseLang(f.choice("lang", string(i18n.English), string(i18n.Simplified), string(i18n.Traditional)))
	c, err := s.newContent(r.Context(), lang)
	if err != nil {
		return c, err
	}
	c.Title = f.text("title", quote.MaxShort)
	c.Currency = f.currency("currency")
	c.TaxMode = quote.TaxMode(f.choice("tax_mode", string(quote.Exclusive), string(quote.Inclusive)))
	c.ValidTo = f.date("valid_until")
	if !c.ValidTo.IsZero() && c.ValidTo.Before(c.Day) {
		f.Add("valid_until", "errors.form_date_past")
	}
	return c, nil
}

// newParty returns the customer of a new quote: the one that was chosen, or a new one that
// is stored here. The form's key keeps a second submission from storing it twice.
func (s *Server) newParty(r *http.Request, f *form) (quote.Party, error) {
	name := f.text("customer.name", quote.MaxShort)
	switch chosen := f.raw("customer_id"); {
	case chosen == "" && name == "":
		f.Add("customer_id", "quote.customer_required")
	case chosen != "" && name != "":
		f.Add("customer.name", "quote.customer_both")
	case chosen != "":
		return s.chosenParty(r, f, chosen)
	}
	c := quote.Customer{Name: name, Address: f.text("customer.address", quote.MaxDescription), Country: f.raw("customer.country")}
	contact := quote.Contact{Name: f.text("customer.contact", quote.MaxShort), Email: f.text("customer.email", 254)}
	if contact.Name != "" {
		c.Contacts = []quote.Contact{contact}
	} else if contact.Email != "" {
		f.Add("customer.contact", "errors.required")
	}
	if err := f.err(); err != nil {
		return quote.Party{}, err
	}
	key := f.keyOf("customer.name", "customer.address", "customer.country", "customer.contact", "customer.email")
	id, err := s.store.CreateCustomer(r.Context(), s.currentUser(r).ID, key, c)
	if err != nil {
		return quote.Party{}, renamed(err, customerFields)
	}
	if c, err = s.store.Customer(r.Context(), id); err != nil {
		return quote.Party{}, err
	}
	return c.Party(0), nil
}

func (s *Server) chosenParty(r *http.Request, f *form, chosen string) (quote.Party, error) {
	id, err := strconv.ParseInt(chosen, 10, 64)
	if err != nil {
		f.Add("customer_id", "errors.form_choose")
		return quote.Party{}, f.err()
	}
	c, err := s.store.Customer(r.Context(), id)
	if apperr.Is(err, apperr.NotFound) {
		f.Add("customer_id", "errors.form_choose")
		return quote.Party{}, f.err()
	}
	return c.Party(0), err
}

// customerFields are the names of a customer's fields in the form that starts a quote.
var customerFields = map[string]string{
	"name": "customer.name", "address": "customer.address", "country": "customer.country",
	"contacts[0].name": "customer.contact", "contacts[0].email": "customer.email",
}

// createQuoteFromPlan starts a quote with the lines of a sizing plan, for nobody yet: the
// salesperson names the customer in the editor. Notes become lines of text below them. It
// returns the address of the quote.
func (s *Server) createQuoteFromPlan(r *http.Request, key string, plan quote.Plan, notes ...string) (string, error) {
	content, err := s.newContent(r.Context(), s.langOf(r))
	if err != nil {
		return "", err
	}
	taxes, err := s.store.TaxRates(r.Context())
	if err != nil {
		return "", err
	}
	content.Title, content.SizingID = plan.Title, plan.SizingID
	content.Lines = quote.FromPlan(plan)
	for i := range content.Lines {
		content.Lines[i].TaxRate, content.Lines[i].TaxName = defaultTax(taxes)
	}
	for _, text := range notes {
		content.Lines = append(content.Lines, quote.Line{Kind: quote.Note, Description: text})
	}
	id, err := s.store.CreateQuote(r.Context(), quote.Create{Key: key, Actor: s.actor(r), Content: content})
	if err != nil {
		return "", err
	}
	return quoteURL(id), nil
}

// renamed returns an error with the names that its fields have in a form.
func renamed(err error, names map[string]string) error {
	e, ok := errors.AsType[*apperr.Error](err)
	if !ok || len(e.Fields) == 0 {
		return err
	}
	fields := make(map[string]apperr.Message, len(e.Fields))
	for name, msg := range e.Fields {
		if to, ok := names[name]; ok {
			name = to
		}
		fields[name] = msg
	}
	return &apperr.Error{Kind: e.Kind, Msg: e.Msg, Fields: fields, Err: e.Err}
}
