package server

import (
	"cmp"
	"context"
	"net/http"
	"strconv"
	"strings"

	"rackwright/internal/auth"
	"rackwright/internal/company"
	"rackwright/internal/i18n"
	"rackwright/internal/quote"
	"rackwright/internal/view"
	"rackwright/web/templates/pages"
)

// MailStore is what messages ask of the database.
type MailStore interface {
	MailQuote(ctx context.Context, s quote.Step, m quote.Mail, baseURL string) error
	MailOf(ctx context.Context, quoteID int64) ([]quote.Mail, error)
	RecentMail(ctx context.Context) ([]quote.Mail, error)
	QueueTestMail(ctx context.Context, m quote.Mail, key string, by quote.Actor) error
	ReminderRule(ctx context.Context) (quote.ReminderRule, error)
	SetReminderRule(ctx context.Context, actor int64, r quote.ReminderRule) error
	DueReminders(ctx context.Context) ([]quote.Reminder, error)
	QueueReminder(ctx context.Context, r quote.Reminder, m quote.Mail, baseURL string) error
}

func (s *Server) mailRoutes() []Route {
	return []Route{
		{Method: http.MethodGet, Pattern: "/quotes/{id}/mail", Perm: auth.EditQuotes, Handler: s.quoteMail},
		{Method: http.MethodPost, Pattern: "/quotes/{id}/mail", Perm: auth.EditQuotes, Handler: s.quoteMailSend},
		{Method: http.MethodGet, Pattern: "/admin/mail", Perm: auth.EditCompany, Handler: s.mailSettings},
		{Method: http.MethodPost, Pattern: "/admin/mail", Perm: auth.EditCompany, Handler: s.mailSettingsSave},
		{Method: http.MethodPost, Pattern: "/admin/mail/test", Perm: auth.EditCompany, Handler: s.mailTest},
	}
}

// maxAddresses is the longest list of addresses that somebody types, in characters.
const maxAddresses = 5000

// readMail reads the fields of a message. Faults are at the fields' names.
func readMail(f *form, kind quote.MailKind, lang string) quote.Mail {
	m := quote.Mail{Kind: kind, Lang: lang, Subject: f.text("subject", quote.MaxShort), Body: f.text("body", quote.MaxMailBody),
		Document: f.checked("document")}
	for field, into := range map[string]*[]string{"to": &m.To, "cc": &m.Cc} {
		addresses, bad := quote.Addresses(f.text(field, maxAddresses))
		if bad != "" {
			f.Add(field, "mail.bad_address", "value", bad)
		}
		*into = addresses
	}
	return m
}

// mailForm is the message that a form starts with.
func (s *Server) mailForm(r *http.Request, q quote.Quote, seller company.Profile, f *form, cause error) view.MailForm {
	draft := view.MailDraft{Quote: q, Seller: seller, Sender: s.currentUser(r).DisplayName, Err: cause, Host: s.mailHost}
	if f != nil {
		draft.Typed = func(name string) (string, bool) { return f.raw(name), true }
	}
	return view.NewMailForm(s.page(r, ""), draft)
}

// quoteMail shows what was sent about a quote, and the form to send it again.
func (s *Server) quoteMail(w http.ResponseWriter, r *http.Request) error {
	q, err := s.ownQuote(r)
	if err != nil {
		return err
	}
	return s.mailPage(w, r, q, nil, nil)
}

func (s *Server) mailPage(w http.ResponseWriter, r *http.Request, q quote.Quote, f *form, cause error) error {
	log, err := s.store.MailOf(r.Context(), q.ID)
	if err != nil {
		return err
	}
	seller, err := s.store.Company(r.Context())
	if err != nil {
		return err
	}
	p := s.pageT(r, "mail.title")
	p.Crumbs = []view.Crumb{
		{Label: p.T("navigation.quotes"), Href: "/quotes"}, {Label: view.QuoteName(p, q), Href: quoteURL(q.ID)}, {Label: p.Title},
	}
	in := view.MailData{Quote: q, Log: log, Zone: seller.Location(), Key: newKey(), Err: cause}
	in.Form = s.mailForm(r, q, seller, f, cause)
	return s.render(w, r, statusOf(cause), pages.QuoteMail(view.NewMailPage(p, in)))
}

// quoteMailSend sends the newest sent revision once more.
func (s *Server) quoteMailSend(w http.ResponseWriter, r *http.Request) error {
	q, err := s.ownQuote(r)
	if err != nil {
		return err
	}
	step, f, err := s.readStep(w, r, q.ID)
	if err != nil {
		return err
	}
	m := readMail(f, quote.QuoteMail, q.Revision.Content.Lang)
	m.ReplyTo = s.currentUser(r).Email
	if s.mailHost == "" {
		f.Add("to", "mail.not_set_up")
	}
	if err = firstError(f.err(), m.Validate()); err == nil {
		err = s.store.MailQuote(r.Context(), step, m, s.baseURL)
	}
	if isForm(err) {
		return s.mailPage(w, r, q, f, err)
	}
	if err != nil {
		return err
	}
	s.flash(w, "ok", "mail.queued_flash", "to", strings.Join(m.To, ", "))
	return s.redirect(w, r, quoteURL(q.ID)+"/mail")
}

// mailSettings shows the mail server, the reminders, and what was sent last.
func (s *Server) mailSettings(w http.ResponseWriter, r *http.Request) error {
	return s.mailSettingsPage(w, r, nil, nil)
}

func (s *Server) mailSettingsPage(w http.ResponseWriter, r *http.Request, f *form, cause error) error {
	ctx := r.Context()
	rule, err := s.store.ReminderRule(ctx)
	if err != nil {
		return err
	}
	log, err := s.store.RecentMail(ctx)
	if err != nil {
		return err
	}
	c, err := s.store.Company(ctx)
	if err != nil {
		return err
	}
	in := view.MailSettingsData{Rule: rule, Log: log, Zone: c.Location(), Host: s.mailHost, From: s.mailFrom(c.Email),
		Key: newKey(), Err: cause, Me: s.currentUser(r).Email}
	if f != nil {
		in.Typed = func(name string) (string, bool) { return f.raw(name), f.has(name) }
	}
	return s.render(w, r, statusOf(cause), pages.MailSettings(view.NewMailSettings(s.adminPage(r, "mail.settings"), in)))
}

// mailSettingsSave stores who is reminded of offers that end soon.
func (s *Server) mailSettingsSave(w http.ResponseWriter, r *http.Request) error {
	f, err := s.parseForm(w, r)
	if err != nil {
		return err
	}
	rule := quote.ReminderRule{Days: int(f.integer("reminder_days", 0, quote.MaxReminderDays)), Customers: f.checked("remind_customers"),
		Version: f.version()}
	if err = f.err(); err == nil {
		err = s.store.SetReminderRule(r.Context(), s.currentUser(r).ID, rule)
	}
	if isForm(err) {
		return s.mailSettingsPage(w, r, f, err)
	}
	if err != nil {
		return err
	}
	s.flash(w, "ok", "actions.saved")
	return s.redirect(w, r, "/admin/mail")
}

// mailTest sends a message that shows whether the mail server takes ours.
func (s *Server) mailTest(w http.ResponseWriter, r *http.Request) error {
	f, err := s.parseForm(w, r)
	if err != nil {
		return err
	}
	p := s.page(r, "")
	to, bad := quote.Addresses(f.text("to", maxAddresses))
	if bad != "" {
		f.Add("to", "mail.bad_address", "value", bad)
	}
	if s.mailHost == "" {
		f.Add("to", "mail.not_set_up")
	}
	m := quote.Mail{Kind: quote.TestMail, To: to, Subject: p.T("mail.test_subject"), Body: p.T("mail.test_body", "address", s.baseURL), Lang: p.Tag()}
	if err = firstError(f.err(), m.Validate()); err == nil {
		err = s.store.QueueTestMail(r.Context(), m, f.key(), s.actor(r))
	}
	if isForm(err) {
		return s.mailSettingsPage(w, r, f, err)
	}
	if err != nil {
		return err
	}
	s.flash(w, "ok", "mail.queued_flash", "to", strings.Join(to, ", "))
	return s.redirect(w, r, "/admin/mail")
}

// Remind queues the reminders of offers that end soon. Each goes out once, however often and on however many replicas
// this runs.
func (s *Server) Remind(ctx context.Context) error {
	due, err := s.store.DueReminders(ctx)
	if err != nil {
		return err
	}
	for _, r := range due {
		for _, m := range reminders(r, s.baseURL) {
			if err := s.store.QueueReminder(ctx, r, m, s.baseURL); err != nil {
				return err
			}
		}
	}
	return nil
}

// reminders writes what is sent about one offer: to its owner, and where the company wants it to the customer.
func reminders(r quote.Reminder, baseURL string) []quote.Mail {
	var out []quote.Mail
	key := func(who string) string {
		return "reminder/" + strconv.FormatInt(r.RevisionID, 10) + "/" + r.LastDay.Format("2006-01-02") + "/" + who
	}
	if r.OwnerEmail != "" {
		l := langOr(r.OwnerLang, i18n.English)
		subject, body := view.OwnerReminder(l, r, baseURL+quoteURL(r.QuoteID))
		out = append(out, quote.Mail{Kind: quote.ReminderMail, Dedupe: key("owner"), To: []string{r.OwnerEmail}, Subject: subject, Body: body, Lang: string(l)})
	}
	if to, bad := quote.Addresses(r.Email); r.ToCustomer && bad == "" && len(to) > 0 {
		l := langOr(r.Lang, i18n.English)
		subject, body := view.CustomerReminder(l, r)
		out = append(out, quote.Mail{Kind: quote.ReminderMail, Dedupe: key("customer"), To: to, ReplyTo: r.OwnerEmail, Subject: subject, Body: body, Lang: string(l)})
	}
	return out
}

// mailFrom returns the address that messages come from.
func (s *Server) mailFrom(company string) string { return cmp.Or(s.mailSender, company) }

// langOr returns the language of a tag, or another where there is none.
func langOr(tag string, fallback i18n.Lang) i18n.Lang {
	if l, ok := i18n.ParseLang(tag); ok {
		return l
	}
	return fallback
}

// answerNotice is the message that tells the owner of a quote what its customer answered; nil where none can be sent.
func (s *Server) answerNotice(ctx context.Context, q quote.Quote, a quote.Answer, accepted bool) *quote.Mail {
	if s.mailHost == "" {
		return nil
	}
	owner, err := s.store.User(ctx, q.OwnerID)
	if err != nil || owner.Email == "" || owner.Disabled {
		return nil // the answer matters more than the message about it; the quote shows it
	}
	l := langOr(owner.Lang, i18n.English)
	subject, body := view.AnswerNotice(l, q, a, accepted, s.baseURL+quoteURL(q.ID))
	return &quote.Mail{Kind: quote.AnswerMail, To: []string{owner.Email}, Subject: subject, Body: body, Lang: string(l)}
}
