package server

import (
	"net/http"
	"strconv"

	"rackwright/internal/apperr"
	"rackwright/internal/company"
	"rackwright/internal/quote"
	"rackwright/internal/view"
	"rackwright/web/templates/pages"
)

// quoteSendForm is the last look at a draft before it is sent.
func (s *Server) quoteSendForm(w http.ResponseWriter, r *http.Request) error {
	q, err := s.ownQuote(r)
	if err != nil {
		return err
	}
	return s.sendPage(w, r, q, nil, nil)
}

// sendPage shows the draft's open points, and the button where none blocks.
func (s *Server) sendPage(w http.ResponseWriter, r *http.Request, q quote.Quote, f *form, cause error) error {
	if !q.Revision.State.Editable() {
		return s.redirect(w, r, quoteURL(q.ID)) // sent already
	}
	ctx := r.Context()
	blockers, err := s.store.QuoteBlockers(ctx, q.ID)
	if err != nil {
		return err
	}
	seller, err := s.store.Company(ctx)
	if err != nil {
		return err
	}
	in := view.SendData{
		Quote: q, Blockers: blockers, Uncovered: uncoveredIn(q, seller), Key: newKey(), Err: cause,
		Mail: s.mailForm(r, q, seller, f, cause), ByMail: byMail(f, q),
	}
	if q.Number == "" {
		if in.NextNumber, err = s.store.NextNumber(ctx); err != nil {
			return err
		}
	}
	p := s.pageT(r, "quote.send_title")
	p.Crumbs = []view.Crumb{
		{Label: p.T("navigation.quotes"), Href: "/quotes"}, {Label: view.QuoteName(p, q), Href: quoteURL(q.ID)}, {Label: p.Title},
	}
	w.Header().Set("Cache-Control", "no-store")
	return s.render(w, r, statusOf(cause), pages.QuoteSend(view.NewQuoteSendPage(p, in)))
}

// byMail reports whether the message is to be sent too: as it was chosen, at first where there is an address.
func byMail(f *form, q quote.Quote) bool {
	if f == nil {
		return q.Revision.Content.Customer.Email != ""
	}
	return f.checked("by_mail")
}

// quoteSend sends the draft: number, frozen content, PDF and link in one transaction.
func (s *Server) quoteSend(w http.ResponseWriter, r *http.Request) error {
	q, err := s.ownQuote(r)
	if err != nil {
		return err
	}
	f, err := s.parseForm(w, r)
	if err != nil {
		return err
	}
	seller, err := s.store.Company(r.Context())
	if err != nil {
		return err
	}
	d := quote.Dispatch{QuoteID: q.ID, Version: f.version(), Key: f.key(), Actor: s.actor(r), Render: s.renderer(r, seller)}
	if q.Revision.State.Editable() && uncoveredIn(q, seller) != "" && !f.checked("confirm") {
		f.Add("confirm", "quote.uncovered_needs_confirm")
	}
	if s.mailHost != "" && f.checked("by_mail") {
		m := readMail(f, quote.QuoteMail, q.Revision.Content.Lang)
		m.ReplyTo = s.currentUser(r).Email
		d.Mail, d.BaseURL = &m, s.baseURL
	}
	if err := f.err(); err != nil {
		return s.sendPage(w, r, q, f, err)
	}
	sent, err := s.store.SendQuote(r.Context(), d)
	if isForm(err) && q.Revision.State.Editable() {
		return s.sendPage(w, r, q, f, err)
	}
	if err != nil {
		return err
	}
	if sent.Token != "" {
		s.keepLink(w, q.ID, sent.Token)
	}
	s.flash(w, "ok", "quote.sent_flash", "number", sent.Number)
	return s.redirect(w, r, quoteURL(q.ID))
}

// renderer returns what makes the PDF while the number is locked: no database in it.
func (s *Server) renderer(r *http.Request, seller company.Profile) func(quote.Quote) ([]byte, error) {
	return func(q quote.Quote) ([]byte, error) { return s.renderQuote(r.Context(), q, seller) }
}

// linkCookie carries a customer's link to the next page, which shows it once. The link is
// stored nowhere: the database has its hash.
func linkCookie(id int64) string { return "link-" + strconv.FormatInt(id, 10) }

// keepLink leaves the link of a token for the page of the quote.
func (s *Server) keepLink(w http.ResponseWriter, id int64, token string) {
	http.SetCookie(w, s.cookie(linkCookie(id), token, 60))
}

// takeLink returns the link that was issued just now, and forgets it.
func (s *Server) takeLink(w http.ResponseWriter, r *http.Request, id int64) string {
	token := cookieValue(r, linkCookie(id))
	if token == "" || !tokenForm.MatchString(token) {
		return ""
	}
	http.SetCookie(w, s.cookie(linkCookie(id), "", -1))
	return s.baseURL + "/q/" + token
}

// readStep reads key and version of a form that has nothing else.
func (s *Server) readStep(w http.ResponseWriter, r *http.Request, id int64) (quote.Step, *form, error) {
	f, err := s.parseForm(w, r)
	if err != nil {
		return quote.Step{}, nil, err
	}
	step := quote.Step{QuoteID: id, Version: f.version(), Key: f.key(), Actor: s.actor(r)}
	return step, f, f.err()
}

// quoteRevise opens a new revision of a sent quote.
func (s *Server) quoteRevise(w http.ResponseWriter, r *http.Request) error {
	q, err := s.ownQuote(r)
	if err != nil {
		return err
	}
	step, _, err := s.readStep(w, r, q.ID)
	if err != nil {
		return err
	}
	n, err := s.store.NewRevision(r.Context(), step)
	if err != nil {
		return err
	}
	s.flash(w, "ok", "quote.revision_flash", "n", strconv.Itoa(n))
	return s.redirect(w, r, quoteURL(q.ID))
}

// quoteNewLink issues a link to the newest sent revision; the older ones stop.
func (s *Server) quoteNewLink(w http.ResponseWriter, r *http.Request) error {
	q, err := s.ownQuote(r)
	if err != nil {
		return err
	}
	step, _, err := s.readStep(w, r, q.ID)
	if err != nil {
		return err
	}
	token, err := s.store.NewLink(r.Context(), step)
	if err != nil {
		return err
	}
	if token != "" {
		s.keepLink(w, q.ID, token)
	}
	return s.redirect(w, r, quoteURL(q.ID))
}

// quoteRevokeLink stops every link of the quote that still works.
func (s *Server) quoteRevokeLink(w http.ResponseWriter, r *http.Request) error {
	q, err := s.ownQuote(r)
	if err != nil {
		return err
	}
	step, _, err := s.readStep(w, r, q.ID)
	if err != nil {
		return err
	}
	if err := s.store.RevokeLinks(r.Context(), step); err != nil {
		return err
	}
	s.flash(w, "ok", "quote.link_revoked_flash")
	return s.redirect(w, r, quoteURL(q.ID))
}

// quoteClose ends a quote as lost or cancelled.
func (s *Server) quoteClose(w http.ResponseWriter, r *http.Request) error {
	q, err := s.ownQuote(r)
	if err != nil {
		return err
	}
	step, f, err := s.readStep(w, r, q.ID)
	if err != nil {
		return err
	}
	end := quote.State(f.choice("as", string(quote.Lost), string(quote.Cancelled)))
	reason := f.needText("close_reason", quote.MaxShort)
	if err = f.err(); err == nil {
		err = s.store.CloseQuote(r.Context(), quote.Close{
			QuoteID: q.ID, Version: step.Version, Key: step.Key, Actor: step.Actor, As: end, Reason: reason,
		})
	}
	if apperr.Is(err, apperr.Invalid) {
		in := s.quoteData(r, q)
		in.Err = err
		return s.quotePage(w, r, in)
	}
	if err != nil {
		return err
	}
	if end == quote.Cancelled {
		s.flash(w, "ok", "quote.cancelled_flash")
	} else {
		s.flash(w, "ok", "quote.lost_flash")
	}
	return s.redirect(w, r, quoteURL(q.ID))
}

// submit asks others to allow the exceptions of a draft that was saved just now.
func (s *Server) submit(w http.ResponseWriter, r *http.Request, step quote.Step) error {
	if err := s.store.SubmitQuote(r.Context(), step); err != nil {
		return err
	}
	s.flash(w, "ok", "quote.submitted_flash")
	return s.redirect(w, r, quoteURL(step.QuoteID))
}

// quoteRuling allows the exceptions of a submitted draft, or sends it back.
func (s *Server) quoteRuling(w http.ResponseWriter, r *http.Request) error {
	id, err := pathID(r, "id")
	if err != nil {
		return err
	}
	q, err := s.store.Quote(r.Context(), id)
	if err != nil {
		return err
	}
	in := s.quoteData(r, q)
	if !in.MayDecide {
		return apperr.New(apperr.Forbidden, "errors.forbidden")
	}
	step, f, err := s.readStep(w, r, id)
	if err != nil {
		return err
	}
	ruling := quote.Ruling{
		QuoteID: id, Version: step.Version, Key: step.Key, Actor: step.Actor, Margin: s.mayAllowMargin(r), Floor: s.mayAllowFloor(r),
		Approve: f.choice("do", "approve", "send_back") == "approve", Reason: f.text("reason", quote.MaxShort),
	}
	if err := f.err(); err != nil {
		return err
	}
	if err := s.store.RuleOnQuote(r.Context(), ruling); err != nil {
		return err
	}
	s.flash(w, "ok", "quote.ruled_flash")
	return s.redirect(w, r, quoteURL(id))
}
