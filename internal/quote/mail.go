package quote

import (
	"errors"
	"net/mail"
	"strings"
	"time"

	"rackwright/internal/apperr"
)

// MailKind says what a message is about.
type MailKind string

// The kinds of messages.
const (
	QuoteMail    MailKind = "quote"    // the offer, to the customer
	ReminderMail MailKind = "reminder" // the offer ends soon
	AnswerMail   MailKind = "answer"   // the customer accepted or declined, to the owner
	TestMail     MailKind = "test"
)

// MailState says how far a message has come.
type MailState string

// The states of messages. A queued message is tried again until the server takes it or refuses it for good.
const (
	MailQueued MailState = "queued"
	MailSent   MailState = "sent" // the server took it; whether somebody reads it nobody knows
	MailFailed MailState = "failed"
)

// The bounds of messages. The schema has the same.
const (
	MaxRecipients = 20
	MaxMailBody   = 20000
	maxMail       = 254 // characters of an address
)

// LinkMark stands in a message for the customer's link, which is made when the message is stored and forgotten when
// it is sent.
const LinkMark = "{link}"

// ErrMailRefused marks a message that the mail server refused for good (a reply of the 500s): trying again would not help.
var ErrMailRefused = errors.New("refused by the mail server")

// Mail is one message that goes out.
type Mail struct {
	ID        int64
	Kind      MailKind
	QuoteID   int64    // 0 is none
	Revision  int      // number of the revision; 0 is none
	Dedupe    string   // what is said only once has the same; empty is said each time
	To, Cc    []string // addresses, without names
	ReplyTo   string
	Subject   string
	Body      string // plain text; LinkMark stands for the customer's link
	Lang      string // BCP 47
	Document  bool   // the PDF of the revision is attached
	State     MailState
	CreatedAt time.Time
	By        string // who sent it; empty is the program
	SentAt    time.Time
	Attempts  []MailAttempt
}

// MailAttempt is one attempt to hand a message to the mail server.
type MailAttempt struct {
	Number int
	At     time.Time
	Error  string // empty: the server took it
}

// Outgoing is a message ready for the mail server.
type Outgoing struct {
	Mail
	HeaderID string // Message-ID without brackets; the same in every attempt
	FromName string // of the company
	From     string // its address
	FileName string // of the document
	File     []byte // nil is none
}

// Reminder is a sent quote whose validity ends soon.
type Reminder struct {
	QuoteID    int64
	RevisionID int64
	Number     string
	Revision   int
	Title      string
	Lang       string // of the document
	Customer   string
	Contact    string
	Email      string // of the contact; may be empty
	Owner      string
	OwnerEmail string // may be empty
	OwnerLang  string // may be empty
	LastDay    time.Time
	Total      string // with the currency's decimals
	Currency   string
	Seller     string
	ToCustomer bool // the company reminds customers
	Viewed     bool // the customer has opened the page
}

// Addresses reads addresses as people type them, separated by commas, semicolons or new lines, with or without names.
// An address that occurs twice is kept once. What is none is returned as bad.
func Addresses(typed string) (good []string, bad string) {
	seen := map[string]bool{}
	for part := range strings.FieldsFuncSeq(typed, func(r rune) bool { return r == ',' || r == ';' || r == '\n' || r == '\r' || r == '，' || r == '；' }) {
		part = strings.TrimSpace(part)
		if part == "" {
			continue
		}
		a, err := mail.ParseAddress(part)
		if err != nil || len(a.Address) > maxMail || !plausible(a.Address) {
			return nil, part
		}
		if key := strings.ToLower(a.Address); !seen[key] {
			seen[key] = true
			good = append(good, a.Address)
		}
	}
	return good, ""
}

// plausible reports whether an address has a domain with a dot, or is on this machine.
func plausible(address string) bool {
	_, domain, ok := strings.Cut(address, "@")
	return ok && (strings.Contains(strings.Trim(domain, "."), ".") || domain == "localhost") && !strings.ContainsAny(address, " \t\"<>")
}

// Validate checks what was typed.
func (m Mail) Validate() error {
	var f apperr.Faults
	if len(m.To) == 0 {
		f.Add("to", "errors.form_required", "field", apperr.Msg("mail.to"))
	}
	if len(m.To) > MaxRecipients {
		f.Add("to", "mail.too_many", "n", MaxRecipients)
	}
	if len(m.Cc) > MaxRecipients {
		f.Add("cc", "mail.too_many", "n", MaxRecipients)
	}
	requireText(&f, "subject", "mail.subject", m.Subject)
	if strings.ContainsAny(m.Subject, "\r\n") {
		f.Add("subject", "mail.one_line")
	}
	if strings.TrimSpace(m.Body) == "" {
		f.Add("body", "errors.form_required", "field", apperr.Msg("mail.body"))
	}
	checkLength(&f, "body", "mail.body", m.Body, MaxMailBody)
	if m.Kind == QuoteMail && !strings.Contains(m.Body, LinkMark) && !m.Document {
		f.Add("body", "mail.no_link", "link", LinkMark)
	}
	return f.Err()
}

// NumberMark stands in a message for the number of the quote, which a first sending gives.
const NumberMark = "{number}"

// ReminderRule says who is reminded of an offer that ends soon, and when.
type ReminderRule struct {
	Days      int  // before the last day of validity, 0 to MaxReminderDays; 0 reminds nobody
	Customers bool // the customer too, not the owner alone
	Version   int64
}

// MaxReminderDays is the earliest reminder.
const MaxReminderDays = 60
