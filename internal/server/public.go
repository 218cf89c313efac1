package server

import (
	"errors"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/go-chi/httprate"

	"rackwright/internal/apperr"
	"rackwright/internal/auth"
	"rackwright/internal/i18n"
	"rackwright/internal/quote"
	"rackwright/internal/view"
	"rackwright/web/templates/pages"
)

// How often one address may open customers' pages and answer on them, in this process. A
// token has 128 bits, so this is against noise and not what keeps a link secret.
const (
	publicReads  = 120
	publicWrites = 20
	publicWindow = time.Minute
)

// tokenForm is what a token looks like; anything else is not looked up.
var tokenForm = regexp.MustCompile(`^[A-Za-z0-9_-]{16,64}$`)

func (s *Server) publicRoutes() []Route {
	reads := httprate.NewRateLimiter(publicReads, publicWindow)
	writes := httprate.NewRateLimiter(publicWrites, publicWindow)
	return []Route{
		{Method: http.MethodGet, Pattern: "/q/{token}", Perm: auth.Public, Handler: limited(reads, s.publicQuote)},
		{Method: http.MethodGet, Pattern: "/q/{token}/pdf", Perm: auth.Public, Handler: limited(reads, s.publicPDF)},
		{Method: http.MethodGet, Pattern: "/q/{token}/total", Perm: auth.Public, Handler: limited(reads, s.publicTotal)},
		{Method: http.MethodGet, Pattern: "/q/{token}/evidence", Perm: auth.Public, Handler: limited(reads, s.publicEvidence)},
		{Method: http.MethodGet, Pattern: "/quotes/{id}/revisions/{n}/evidence", Perm: auth.ReadQuotes, Handler: s.quoteEvidence},
		{Method: http.MethodPost, Pattern: "/q/{token}/accept", Perm: auth.Public, Handler: limited(writes, s.publicAccept)},
		{Method: http.MethodPost, Pattern: "/q/{token}/decline", Perm: auth.Public, Handler: limited(writes, s.publicDecline)},
	}
}

// limited refuses requests of an address that come too often.
func limited(l *httprate.RateLimiter, h HandlerFunc) HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) error {
		if l.OnLimit(w, r, infoOf(r).addr) {
			return &waitError{wait: publicWindow}
		}
		return h(w, r)
	}
}

// visitorLimited is limited for people who are not signed in.
func (s *Server) visitorLimited(l *httprate.RateLimiter, h HandlerFunc) HandlerFunc {
	refuse := limited(l, h)
	return func(w http.ResponseWriter, r *http.Request) error {
		if s.currentUser(r) != nil {
			return h(w, r)
		}
		return refuse(w, r)
	}
}

// publicQuote shows a sent revision to its customer.
func (s *Server) publicQuote(w http.ResponseWriter, r *http.Request) error {
	token := r.PathValue("token")
	q, err := s.quoteByToken(r, token)
	if err != nil {
		return s.publicGone(w, r, err)
	}
	// Opening the page is the one thing that a GET records (once). Staff looking at the
	// customer's page is not the customer.
	if s.currentUser(r) == nil && r.Method == http.MethodGet {
		if err := s.store.RecordViewed(r.Context(), token); err != nil {
			return err
		}
	}
	err = chooseFrom(r.URL.Query(), &q.Revision)
	return s.publicPage(w, r, token, q, nil, err)
}

// publicTotal is the fragment with the totals of a choice.
func (s *Server) publicTotal(w http.ResponseWriter, r *http.Request) error {
	q, err := s.quoteByToken(r, r.PathValue("token"))
	if err != nil {
		return s.publicGone(w, r, err)
	}
	cause := chooseFrom(r.URL.Query(), &q.Revision)
	v, err := s.publicQuoteView(r, r.PathValue("token"), q, nil, cause)
	if err != nil {
		return err
	}
	publicHeaders(w)
	return s.render(w, r, http.StatusOK, pages.PublicTotals(v))
}

// choicesIn reads the lines that a form or an address takes: options under "choice", and for each item with alternatives
// one line, the item itself or what is taken instead.
func choicesIn(values url.Values) ([]int64, error) {
	var f apperr.Faults
	var ids []int64
	for name, given := range values {
		rest, group := strings.CutPrefix(name, "choice.")
		if name != "choice" && !group {
			continue
		}
		if len(given) > quote.MaxLines {
			given = nil
			f.Add("choices", "quote.choice_unknown")
		}
		for _, v := range given {
			id, err := strconv.ParseInt(v, 10, 64)
			switch {
			case err != nil:
				f.Add("choices", "quote.choice_unknown")
			case group && v == rest: // the item as it was quoted
				if len(given) > 1 {
					f.Add("choices", "quote.choice_twice")
				}
			default:
				ids = append(ids, id)
			}
		}
	}
	return ids, f.Err()
}

// readChoice reads what an acceptance takes, and refuses it when the total is not the one that the customer has read.
func readChoice(f *form, rev *quote.Revision, a *quote.Answer) {
	ids, err := choicesIn(f.values)
	if err == nil && rev.State == quote.Sent {
		err = rev.Take(ids)
	}
	if e, ok := errors.AsType[*apperr.Error](err); ok {
		for field, msg := range e.Fields {
			f.Add(field, msg.ID, msg.Args...)
		}
		return
	}
	a.Choices = rev.Decision.Choices
	_, totals := rev.Agreed()
	if rev.State == quote.Sent && totals.Total != nil && f.raw("seen") != totals.Total.String() {
		f.Add("choices", "public.total_changed")
	}
}

// maxAgent is how much of a browser's name for itself is kept.
const maxAgent = 500

// cutText returns at most n characters of a text.
func cutText(s string, n int) string {
	if r := []rune(strings.ToValidUTF8(s, "")); len(r) > n {
		return string(r[:n])
	}
	return strings.ToValidUTF8(s, "")
}

// chooseFrom makes the totals of a revision that is open those of a choice. A choice that cannot be leaves them.
func chooseFrom(values url.Values, rev *quote.Revision) error {
	if rev.State != quote.Sent {
		return nil
	}
	ids, err := choicesIn(values)
	if err != nil {
		return err
	}
	return rev.Take(ids)
}

func (s *Server) quoteByToken(r *http.Request, token string) (quote.Quote, error) {
	if !tokenForm.MatchString(token) {
		return quote.Quote{}, apperr.New(apperr.NotFound, "errors.page_not_found")
	}
	return s.store.QuoteByToken(r.Context(), token)
}

// publicPage renders the customer's page, after a refused answer with what was typed.
func (s *Server) publicPage(w http.ResponseWriter, r *http.Request, token string, q quote.Quote, f *form, cause error) error {
	v, err := s.publicQuoteView(r, token, q, f, cause)
	if err != nil {
		return err
	}
	publicHeaders(w)
	return s.render(w, r, statusOf(cause), pages.PublicQuote(v))
}

// publicQuoteView lays out the customer's page.
func (s *Server) publicQuoteView(r *http.Request, token string, q quote.Quote, f *form, cause error) (view.PublicQuotePage, error) {
	seller, err := sellerOf(q.Revision)
	if err != nil {
		return view.PublicQuotePage{}, err
	}
	p := s.publicView(r, q.Revision.Content.Lang)
	p.Title = q.Number
	in := view.PublicData{
		Quote: q, Base: "/q/" + token, Key: newKey(), Now: s.now(), Zone: seller.Location(), Err: cause,
		Seller: seller,
	}
	if f != nil {
		in.Typed = func(name string) (string, bool) { return f.raw(name), true }
	}
	return view.NewPublicQuotePage(p, in), nil
}

// publicView is the page in the language of the quote, unless the reader chose another.
func (s *Server) publicView(r *http.Request, lang string) view.Page {
	p := s.page(r, "")
	if _, chosen := i18n.ParseLang(cookieValue(r, langCookie)); !chosen && s.currentUser(r) == nil {
		if l, ok := i18n.ParseLang(lang); ok {
			p.Lang, p.L = l, i18n.For(l)
		}
	}
	return p
}

// publicHeaders keep a customer's page out of caches, search engines and other sites' logs.
func publicHeaders(w http.ResponseWriter) {
	h := w.Header()
	h.Set("Cache-Control", "private, no-store")
	h.Set("X-Robots-Tag", "noindex, nofollow")
	h.Set("Referrer-Policy", "no-referrer")
}

// publicGone answers a link that shows no quote, in words for a customer.
func (s *Server) publicGone(w http.ResponseWriter, r *http.Request, cause error) error {
	if !apperr.Is(cause, apperr.NotFound) {
		return cause
	}
	c, err := s.store.Company(r.Context())
	if err != nil {
		return err
	}
	publicHeaders(w)
	return s.render(w, r, statusOf(cause), pages.PublicGone(view.NewPublicGone(s.pageT(r, "public.gone_title"), c.Name)))
}

// publicPDF serves the document that was sent.
func (s *Server) publicPDF(w http.ResponseWriter, r *http.Request) error {
	token := r.PathValue("token")
	if !tokenForm.MatchString(token) {
		return s.publicGone(w, r, apperr.New(apperr.NotFound, "errors.page_not_found"))
	}
	doc, err := s.store.DocumentByToken(r.Context(), token)
	if err != nil {
		return s.publicGone(w, r, err)
	}
	publicHeaders(w)
	return writePDF(w, doc.FileName, doc.Bytes)
}

// publicAccept accepts the quote in the name that was typed.
func (s *Server) publicAccept(w http.ResponseWriter, r *http.Request) error {
	return s.publicAnswer(w, r, func(f *form, rev *quote.Revision, a *quote.Answer) {
		readChoice(f, rev, a)
		a.Name = f.needText("name", quote.MaxShort)
		a.Role = f.text("role", quote.MaxShort)
		a.Order = f.text("order", quote.MaxShort)
		if !f.checked("agree") {
			f.Add("agree", "public.agree_required")
		}
	}, func(a quote.Answer) error {
		_, err := s.store.AcceptQuote(r.Context(), a)
		return err
	})
}

// publicDecline declines the quote with a reason.
func (s *Server) publicDecline(w http.ResponseWriter, r *http.Request) error {
	return s.publicAnswer(w, r, func(f *form, _ *quote.Revision, a *quote.Answer) {
		if f.raw("reason") == "" {
			f.Add("reason", "public.reason_required")
		} else {
			a.Reason = f.choice("reason", view.DeclineReasons()...)
		}
		a.Remark = f.text("comment", 1000)
	}, func(a quote.Answer) error { return s.store.DeclineQuote(r.Context(), a) })
}

// publicAnswer reads and stores a customer's answer. A refusal shows the page as it is now:
// with what was typed while the quote can still be answered, and else with why it cannot.
func (s *Server) publicAnswer(w http.ResponseWriter, r *http.Request, read func(*form, *quote.Revision, *quote.Answer), store func(quote.Answer) error) error {
	token := r.PathValue("token")
	q, err := s.quoteByToken(r, token)
	if err != nil {
		return s.publicGone(w, r, err)
	}
	f, err := s.parseForm(w, r)
	if err != nil {
		return err
	}
	a := quote.Answer{Token: token, Key: f.key(), Address: infoOf(r).addr, Agent: cutText(r.UserAgent(), maxAgent)}
	read(f, &q.Revision, &a)
	if err = f.err(); err == nil {
		a.Notice = s.answerNotice(r.Context(), q, a, a.Reason == "")
		err = store(a)
	}
	switch {
	case err == nil:
		return s.redirect(w, r, "/q/"+token)
	case apperr.Is(err, apperr.NotFound):
		return s.publicGone(w, r, err)
	case apperr.Is(err, apperr.Conflict):
		if q, err2 := s.quoteByToken(r, token); err2 == nil {
			return s.publicPage(w, r, token, q, f, err)
		}
		return err
	case apperr.Is(err, apperr.Invalid):
		return s.publicPage(w, r, token, q, f, err)
	}
	return err
}
