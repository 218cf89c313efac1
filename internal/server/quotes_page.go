package server

import (
	"context"
	"net/http"
	"strconv"

	"rackwright/internal/apperr"
	"rackwright/internal/auth"
	"rackwright/internal/inventory"
	"rackwright/internal/quote"
	"rackwright/internal/view"
	"rackwright/web/templates/pages"
)

// quoteShow shows the newest revision: in the editor while it is a draft.
func (s *Server) quoteShow(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "id")
	if err != nil {
		return err
	}
	q, err := s.store.Quote(r.Context(), id)
	if err != nil {
		return err
	}
	in := s.quoteData(r, q)
	in.NewURL = s.takeLink(w, r, id)
	return s.quotePage(w, r, in)
}

// quoteRevision shows any revision as it is or was.
func (s *Server) quoteRevision(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "id")
	if err != nil {
		return err
	}
	n, err := pathID(r, "n")
	if err != nil {
		return err
	}
	q, err := s.store.QuoteRevision(r.Context(), id, int(min(n, maxRevision)))
	if err != nil {
		return err
	}
	return s.quotePage(w, r, s.quoteData(r, q))
}

// quoteData is what the page of a stored quote shows, without what has to be looked up.
func (s *Server) quoteData(r *http.Request, q quote.Quote) view.QuoteData {
	in := view.QuoteData{
		Quote: q, Content: q.Revision.Content, Totals: q.Revision.Totals,
		SeeFloor: s.can(r, auth.ReadFloor), MayEdit: s.mayEdit(r, q), MayLicence: s.can(r, auth.RecordLicence), Key: newKey(), Now: s.now(),
	}
	u := s.currentUser(r)
	in.MayDecide = q.OwnerID != u.ID && (u.Can(auth.ApproveQuotes) || u.Can(auth.ApproveFloor))
	return in
}

// quotePage looks up what belongs to a quote and renders its page. The status follows from
// what is wrong with the form, if it is one that is shown again.
func (s *Server) quotePage(w http.ResponseWriter, r *http.Request, in view.QuoteData) error {
	if err := s.lookUp(r, &in); err != nil {
		return err
	}
	title := in.Quote.Number
	p := s.page(r, title)
	if title == "" {
		p.Title = p.T("quote.no_number")
	}
	p.Crumbs = []view.Crumb{{Label: p.T("navigation.quotes"), Href: "/quotes"}, {Label: p.Title}}
	w.Header().Set("Cache-Control", "no-store")
	return s.render(w, r, statusOf(in.Err), pages.QuoteEdit(view.NewQuotePage(p, in)))
}

// lookUp fills the parts of the page that the quote itself does not carry.
func (s *Server) lookUp(r *http.Request, in *view.QuoteData) (err error) {
	ctx, q := r.Context(), in.Quote
	if in.Zone, err = s.companyZone(ctx); err != nil {
		return err
	}
	rev := q.Revision
	if rev.State.Editable() {
		if in.Blockers, err = s.store.QuoteBlockers(ctx, q.ID); err != nil {
			return err
		}
		if in.Names, err = s.store.ProductNames(ctx, string(s.langOf(r))); err != nil {
			return err
		}
		if in.Customers, err = s.customerOptions(ctx); err != nil {
			return err
		}
		if in.Stock, err = s.store.Availability(ctx, skusOf(in.Content)); err != nil {
			return err
		}
	}
	if s.can(r, auth.SeeMargin) {
		m := quote.MarginOf(in.Content, in.Totals)
		in.Margin = &m
	}
	if q.Number != "" {
		if in.Links, err = s.store.QuoteLinks(ctx, q.ID); err != nil {
			return err
		}
		if in.Papers, err = s.store.Papers(ctx, q.ID); err != nil {
			return err
		}
	}
	if rev.State == quote.Accepted {
		return s.reservations(r, in)
	}
	return nil
}

// skusOf lists the products of a quote that lie in a warehouse.
func skusOf(c quote.Content) []string {
	var skus []string
	for _, l := range c.Lines {
		if l.SKU != "" && l.Stocked && !l.Part {
			skus = append(skus, l.SKU)
		}
	}
	return skus
}

// reservations fills the stock that is kept for the revision and has not ended.
func (s *Server) reservations(r *http.Request, in *view.QuoteData) error {
	all, err := s.store.ReservationsOf(r.Context(), in.Quote.ID)
	if err != nil {
		return err
	}
	var live []inventory.Reservation
	for _, v := range all {
		if v.Revision == in.Quote.Revision.Number && v.Live(in.Now) {
			live = append(live, v)
		}
	}
	in.Reserved = live
	return nil
}

// quoteSave saves the draft, with what a button besides "save" asks for.
func (s *Server) quoteSave(w http.ResponseWriter, r *http.Request) error {
	q, err := s.ownQuote(r)
	if err != nil {
		return err
	}
	in, f, err := s.readEditor(w, r, q)
	if err != nil {
		return err
	}
	do, err := s.editStep(r, f)
	if err != nil {
		return err
	}
	edit := quote.Edit{
		QuoteID: q.ID, Version: f.version(), Key: f.key(), Actor: s.actor(r), Content: f.content, Reprice: do.reprice, Licence: f.licence,
	}
	if do.reprice {
		zone, err := s.companyZone(r.Context())
		if err != nil {
			return err
		}
		edit.Content.Day = quote.Day(s.now(), zone)
	}
	var version int64
	if err = f.faults(); err == nil {
		version, err = s.store.SaveDraft(r.Context(), edit)
	}
	if err != nil {
		return s.quoteAgain(w, r, in, f, err)
	}
	if do.submit {
		return s.submit(w, r, quote.Step{QuoteID: q.ID, Version: version, Key: edit.Key + "s", Actor: edit.Actor})
	}
	s.flash(w, "ok", do.flash, "name", do.name)
	return s.redirect(w, r, quoteURL(q.ID)+do.next)
}

// readEditor reads the editor's form over the stored quote.
func (s *Server) readEditor(w http.ResponseWriter, r *http.Request, q quote.Quote) (view.QuoteData, *quoteForm, error) {
	raw, err := s.parseForm(w, r)
	if err != nil {
		return view.QuoteData{}, nil, err
	}
	taxes, err := s.store.TaxRates(r.Context())
	if err != nil {
		return view.QuoteData{}, nil, err
	}
	f := readQuoteForm(raw, q.Revision.Content, taxes, s.can(r, auth.RecordLicence))
	return s.quoteData(r, q), f, s.readCustomer(r.Context(), f)
}

// readCustomer takes the customer that was chosen in the editor. Contact and countries that were
// given with the choice stay; those of the customer before do not, since the export check rests on them.
func (s *Server) readCustomer(ctx context.Context, f *quoteForm) error {
	id, err := strconv.ParseInt(f.raw("customer_id"), 10, 64)
	old := f.content.Customer
	if err != nil || id == old.CustomerID {
		return nil // not chosen, or as it was
	}
	c, err := s.store.Customer(ctx, id)
	if apperr.Is(err, apperr.NotFound) {
		f.Add("customer_id", "errors.form_choose")
		return nil
	}
	if err != nil {
		return err
	}
	party := c.Party(0)
	if old.Contact != "" && old.Contact != f.storedContact {
		party.ContactID, party.Contact, party.Email = 0, old.Contact, old.Email
	}
	f.content.Customer = party
	if to := &f.content.ShipTo; *to == "" || *to == f.storedShipTo {
		*to = party.Country
	}
	if user := &f.content.EndUser; *user == "" || *user == f.storedEndUser {
		*user = party.Country
	}
	return nil
}

// quoteAgain shows the form again with everything that was typed and what is wrong with it.
// After a conflict the form carries the newest version, so that saving again keeps what was
// typed here.
func (s *Server) quoteAgain(w http.ResponseWriter, r *http.Request, in view.QuoteData, f *quoteForm, cause error) error {
	if !isForm(cause) {
		return cause
	}
	if !in.Quote.Revision.State.Editable() {
		// Sent meanwhile: there is no form to show.
		in.Content, in.Totals = in.Quote.Revision.Content, in.Quote.Revision.Totals
		in.Late, in.LateTyped, in.Err = &f.content, f.typed, cause
		return s.quotePage(w, r, in)
	}
	in.Content, in.Typed, in.Err = f.content, f.typed, cause
	in.Stale = apperr.Is(cause, apperr.Conflict)
	in.Totals = quote.Totals{}
	if t, err := quote.Calculate(f.content.Input()); err == nil {
		in.Totals = t
	}
	return s.quotePage(w, r, in)
}

// quotePreview computes the totals of the form without saving it: as a fragment for the live
// totals, and as the whole page where there is no script.
func (s *Server) quotePreview(w http.ResponseWriter, r *http.Request) error {
	q, err := s.ownQuote(r)
	if err != nil {
		return err
	}
	in, f, err := s.readEditor(w, r, q)
	if err != nil {
		return err
	}
	if err = f.faults(); err == nil {
		in.Content, in.Totals, err = s.store.PreviewDraft(r.Context(), quote.Edit{
			QuoteID: q.ID, Version: q.Version, Key: newKey(), Actor: s.actor(r), Content: f.content, Licence: f.licence,
		})
	}
	if wantsFragment(r) {
		return s.totalsFragment(w, r, in, f, err)
	}
	if err != nil {
		return s.quoteAgain(w, r, in, f, err)
	}
	in.Typed, in.Unsaved = f.typed, true
	in.Quote.Version = f.version()
	return s.quotePage(w, r, in)
}

// totalsFragment answers the live totals. What cannot be computed yet is unknown, with the
// reason; the form on the page is not touched.
func (s *Server) totalsFragment(w http.ResponseWriter, r *http.Request, in view.QuoteData, f *quoteForm, cause error) error {
	if cause != nil {
		if !isForm(cause) {
			return cause
		}
		in.Content, in.Totals = f.content, quote.Totals{}
		in.Err = cause
	}
	if s.can(r, auth.SeeMargin) {
		m := quote.MarginOf(in.Content, in.Totals)
		in.Margin = &m
	}
	v := view.NewQuoteLive(s.page(r, ""), in, len(f.content.Lines))
	// A fault that is typed on the way to something right is no failed request: 200, with the reason.
	return s.render(w, r, http.StatusOK, pages.QuoteLive(v))
}

// step is what a button of the editor asks for besides saving.
type step struct {
	flash   string // message id
	name    string // of the line, for the message
	next    string // after the address of the quote
	reprice bool
	submit  bool
}

// editStep carries a button's wish out on the form.
func (s *Server) editStep(r *http.Request, f *quoteForm) (step, error) {
	name, arg := f.raw("do"), -1
	for i := range name {
		if name[i] == ':' {
			arg, _ = strconv.Atoi(name[i+1:])
			name = name[:i]
			break
		}
	}
	do := step{flash: "quote.saved_flash"}
	switch name {
	case "add":
		names, err := s.store.ProductNames(r.Context(), string(s.langOf(r)))
		if err != nil {
			return do, err
		}
		f.add(names)
		do = step{flash: "quote.line_added_flash", name: f.text("add", quote.MaxDescription), next: "#f-add"}
	case "remove":
		do = step{flash: "quote.line_removed_flash", name: f.remove(arg)}
	case "up":
		f.move(arg, -1)
	case "down":
		f.move(arg, +1)
	case "send":
		do.next = "/send"
	case "reprice":
		do.reprice, do.flash = true, "quote.repriced_flash"
	case "submit":
		do.submit = true
	}
	return do, nil
}
