package view

import (
	"strings"
	"time"

	"rackwright/internal/company"
	"rackwright/internal/i18n"
	"rackwright/internal/money"
	"rackwright/internal/quote"
)

// MailForm is a message to a customer as it is being written.
type MailForm struct {
	Host     string // of the mail server; empty is none set up
	To       Field
	Cc       Field
	Subject  Field
	Body     Field
	Document Field
	Faults   []Fault
}

// MailDraft is what a message to a customer starts from.
type MailDraft struct {
	Quote  quote.Quote
	Seller company.Profile
	Sender string
	Host   string
	Typed  Typed
	Err    error
}

// NewMailForm lays out the message in the language of the document, with what was typed if it was.
func NewMailForm(p Page, in MailDraft) MailForm {
	c := in.Quote.Revision.Content
	subject, body := quoteMessage(in)
	field := func(name, label, value string) Field {
		return Field{Name: name, Label: label, Value: in.Typed.or(name, value), Error: FieldError(p.L, in.Err, name)}
	}
	v := MailForm{
		Host: in.Host, To: field("to", p.T("mail.to"), c.Customer.Email), Cc: field("cc", p.T("mail.cc"), ""),
		Subject: field("subject", p.T("mail.subject"), subject), Body: field("body", p.T("mail.body"), body),
		Document: field("document", p.T("mail.attach_document"), "yes"),
	}
	v.To.Help, v.Cc.Note = p.T("mail.several"), p.T("public.optional")
	v.Subject.Max, v.Subject.Lang = quote.MaxShort, foreignLang(p, c.Lang)
	v.Body.Type, v.Body.Rows, v.Body.Max, v.Body.Lang = "textarea", 12, quote.MaxMailBody, foreignLang(p, c.Lang)
	v.Body.Help = p.T("mail.marks_help", "link", quote.LinkMark, "number", quote.NumberMark)
	v.Document.Checked, v.Document.Value = v.Document.Value == "yes", "yes"
	v.Faults = formFaults(p, in.Err, &v.To, &v.Cc, &v.Subject, &v.Body)
	return v
}

// quoteMessage writes the usual message in the language of the document.
func quoteMessage(in MailDraft) (subject, body string) {
	c := in.Quote.Revision.Content
	l, ok := i18n.ParseLang(c.Lang)
	if !ok {
		l = i18n.English
	}
	t := i18n.For(l)
	number := in.Quote.Number
	if number == "" {
		number = quote.NumberMark
	}
	subject = t.T("mail.quote_subject", "number", number)
	if c.Title != "" {
		subject = t.T("mail.quote_subject_titled", "number", number, "title", c.Title)
	}
	greeting := t.T("mail.greeting")
	if c.Customer.Contact != "" {
		greeting = t.T("mail.greeting_to", "name", c.Customer.Contact)
	}
	body = strings.Join([]string{greeting, t.T("mail.quote_text", "number", number), quote.LinkMark,
		t.T("mail.quote_valid", "date", Date(l, in.Quote.Revision.LastDay())), t.T("mail.regards") + "\n" + in.Sender + "\n" + in.Seller.Name}, "\n\n")
	return subject, body
}

// MailPage shows the messages about one quote, and the form for another.
type MailPage struct {
	Page
	Action  string
	Key     string
	Version string
	Form    MailForm
	CanSend bool
	Log     []MailRow
}

// MailData is what the page of messages is made from.
type MailData struct {
	Quote quote.Quote
	Form  MailForm
	Log   []quote.Mail
	Zone  *time.Location
	Key   string
	Err   error
}

// MailRow is one message and what became of it.
type MailRow struct {
	When     string
	Who      string
	Kind     string
	To       string
	Subject  string
	State    string // to read
	Badge    string // kind of badge
	Attempts []string
}

// NewMailPage lays out the messages about a quote.
func NewMailPage(p Page, in MailData) MailPage {
	state := in.Quote.Revision.State
	return MailPage{
		Page: p, Action: "/quotes/" + itoa(int(in.Quote.ID)) + "/mail", Key: in.Key, Version: itoa(int(in.Quote.Version)), Form: in.Form,
		CanSend: in.Form.Host != "" && (state == quote.Sent || state == quote.Accepted), Log: mailRows(p, in.Log, in.Zone),
	}
}

func mailRows(p Page, log []quote.Mail, zone *time.Location) []MailRow {
	l := p.L.Lang()
	rows := make([]MailRow, len(log))
	for i, m := range log {
		rows[i] = MailRow{
			When: DateTime(l, m.CreatedAt.In(zone)), Who: m.By, Kind: p.T("mail.kind_" + string(m.Kind)), Subject: m.Subject,
			To: strings.Join(append(append([]string{}, m.To...), m.Cc...), ", "), State: p.T("mail.state_" + string(m.State)), Badge: mailBadge(m.State),
		}
		for _, a := range m.Attempts {
			text := p.T("mail.attempt_ok", "n", a.Number, "time", DateTime(l, a.At.In(zone)))
			if a.Error != "" {
				text = p.T("mail.attempt_failed", "n", a.Number, "time", DateTime(l, a.At.In(zone)), "error", a.Error)
			}
			rows[i].Attempts = append(rows[i].Attempts, text)
		}
	}
	return rows
}

func mailBadge(s quote.MailState) string {
	switch s {
	case quote.MailSent:
		return "ok"
	case quote.MailFailed:
		return "bad"
	}
	return "warn"
}

// MailSettings is the page of the mail server and the reminders.
type MailSettings struct {
	Page
	Tabs      []Tab
	Key       string
	Version   string
	Facts     []Fact
	Ready     bool
	Days      Field
	Customers Field
	To        Field
	Faults    []Fault
	Log       []MailRow
}

// MailSettingsData is what that page is made from.
type MailSettingsData struct {
	Rule  quote.ReminderRule
	Log   []quote.Mail
	Zone  *time.Location
	Host  string // empty is none
	From  string
	Me    string // address of who looks
	Key   string
	Typed Typed
	Err   error
}

// NewMailSettings lays out the settings of mail.
func NewMailSettings(p Page, in MailSettingsData) MailSettings {
	v := MailSettings{
		Page: p, Tabs: AdminTabs(p, "/admin/mail"), Key: in.Key, Version: itoa(int(in.Rule.Version)), Ready: in.Host != "",
		Facts: []Fact{{Label: p.T("mail.server"), Value: in.Host}, {Label: p.T("mail.from"), Value: in.From}},
		Days: Field{Name: "reminder_days", Label: p.T("mail.reminder_days"), Type: "number", Value: in.Typed.or("reminder_days", itoa(in.Rule.Days)),
			Help: p.T("mail.reminder_help"), Error: FieldError(p.L, in.Err, "reminder_days")},
		Customers: Field{Name: "remind_customers", Label: p.T("mail.remind_customers"), Checked: in.Rule.Customers},
		To:        Field{Name: "to", Label: p.T("mail.to"), Value: in.Typed.or("to", in.Me), Error: FieldError(p.L, in.Err, "to")},
		Log:       mailRows(p, in.Log, in.Zone),
	}
	if in.Host == "" {
		v.Facts[0].Value = p.T("mail.none_set_up")
	}
	v.Faults = formFaults(p, in.Err, &v.Days, &v.To)
	return v
}

// OwnerReminder writes to the owner of a quote that its validity ends soon.
func OwnerReminder(l i18n.Lang, r quote.Reminder, address string) (subject, body string) {
	t := i18n.For(l)
	seen := t.T("mail.not_viewed")
	if r.Viewed {
		seen = t.T("mail.viewed")
	}
	subject = t.T("mail.owner_reminder_subject", "number", r.Number, "date", Date(l, r.LastDay))
	body = strings.Join([]string{
		t.T("mail.owner_reminder_text", "number", r.Number, "customer", r.Customer, "total", reminderTotal(l, r), "date", Date(l, r.LastDay)), seen, address,
	}, "\n\n")
	return subject, body
}

// CustomerReminder writes to a customer that the offer ends soon.
func CustomerReminder(l i18n.Lang, r quote.Reminder) (subject, body string) {
	t := i18n.For(l)
	greeting := t.T("mail.greeting")
	if r.Contact != "" {
		greeting = t.T("mail.greeting_to", "name", r.Contact)
	}
	subject = t.T("mail.customer_reminder_subject", "number", r.Number, "date", Date(l, r.LastDay))
	body = strings.Join([]string{greeting, t.T("mail.customer_reminder_text", "number", r.Number, "date", Date(l, r.LastDay)), quote.LinkMark,
		t.T("mail.regards") + "\n" + r.Owner + "\n" + r.Seller}, "\n\n")
	return subject, body
}

func reminderTotal(l i18n.Lang, r quote.Reminder) string {
	return Money(l, money.New(money.MustDecimal(r.Total), money.Currency(r.Currency)))
}

// AnswerNotice writes to the owner of a quote what the customer answered.
func AnswerNotice(l i18n.Lang, q quote.Quote, a quote.Answer, accepted bool, address string) (subject, body string) {
	t := i18n.For(l)
	customer := q.Revision.Content.Customer.Name
	if !accepted {
		subject = t.T("mail.declined_subject", "number", q.Number, "customer", customer)
		return subject, strings.Join([]string{t.T("mail.declined_text", "number", q.Number, "customer", customer, "name", a.Name), address}, "\n\n")
	}
	_, totals := q.Revision.Agreed()
	total := ""
	if totals.Total != nil {
		total = Money(l, money.New(*totals.Total, q.Revision.Content.Currency))
	}
	subject = t.T("mail.accepted_subject", "number", q.Number, "customer", customer)
	return subject, strings.Join([]string{t.T("mail.accepted_text", "number", q.Number, "customer", customer, "name", a.Name, "total", total), address}, "\n\n")
}
