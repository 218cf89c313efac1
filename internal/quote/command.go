package quote

import (
	"time"

	"rackwright/internal/money"
)

// Settings are the company's settings that rules of quotes need. The store loads them with the
// company's profile.
type Settings struct {
	Currency        money.Currency // of the company; empty is not chosen yet
	Zone            *time.Location // validity, numbers and days are in this zone
	Prefix          string         // of numbers, for example "Q"
	ValidityDays    int            // of a new quote
	MaxDiscount     *money.Percent // above it, on a line or on the whole, a lead is asked; nil is no limit
	TargetMargin    *money.Percent // below it a lead is asked; nil is no target
	ReservationDays int            // a firm reservation ends so long after acceptance
	Missing         []string       // fields of the profile that documents need
}

// Actor is who does something: a signed-in user, or a customer by name with ID 0.
type Actor struct {
	ID   int64
	Name string
}

// Create asks for a new draft. Key is the idempotency key of the form: the same key twice gives the
// same quote.
type Create struct {
	Key     string
	Actor   Actor
	Content Content // lines with ID 0; prices that are nil are looked up
}

// Edit is a draft as somebody typed it. Of each line it takes Kind, Part, Assembled, SKU, Description,
// Quantity, UnitPrice, Discount, TaxRate, TaxName and the reason of an Override; what the catalogue and
// the price lists say of a line is looked up and never taken from a form.
type Edit struct {
	QuoteID int64
	Version int64 // of the quote that the form was made from
	Key     string
	Actor   Actor
	Content Content
	Reprice bool // read all list prices again, as of the content's day
	// Licence is the reference of an export licence as typed by somebody with the right to record one
	// (R14); nil from everybody else. What Content says of it is not read.
	Licence *string
}

// Dispatch asks to send the draft.
type Dispatch struct {
	QuoteID int64
	Version int64
	Key     string
	Actor   Actor
	// Render makes the PDF of the frozen quote, number included. It runs while the number is locked, so it
	// must not use the database. An error undoes everything.
	Render func(Quote) ([]byte, error)
	// Mail goes to the customer in the same transaction; nil sends none. Its LinkMark becomes BaseURL + "/q/" + token.
	Mail    *Mail
	BaseURL string
}

// Dispatched is what sending gave.
type Dispatched struct {
	Number   string
	Revision int
	Token    string // of the customer's link, shown once; empty when the same key was sent before
}

// Answer is the customer's decision on the public page.
type Answer struct {
	Token  string
	Key    string
	Name   string
	Role   string
	Order  string // purchase order number, may be empty
	Reason string // of a refusal
	Remark string

	Choices []int64 // IDs of the options and alternatives that are taken with an acceptance
	Address string  // network address that the answer came from
	Agent   string  // the browser's name for itself
	Notice  *Mail   // to the owner of the quote, with the answer; nil sends none
}

// Close is a close by staff, with a reason: Lost, or Cancelled.
type Close struct {
	QuoteID int64
	Version int64
	Key     string
	Actor   Actor
	As      State // Lost or Cancelled
	Reason  string
}

// Extension moves the last day of validity of a sent revision, expired or not. What was sent stays as it is.
type Extension struct {
	QuoteID int64
	Version int64
	Key     string
	Actor   Actor
	Until   time.Time // the new last day, at 00:00 UTC
	Reason  string
}

// Step is a change of a quote that needs nothing but who asks: a new revision, a submission.
type Step struct {
	QuoteID int64
	Version int64
	Key     string
	Actor   Actor
}

// Ruling is a decision on the exceptions of a submitted draft. Nobody rules on an own quote (R13).
type Ruling struct {
	QuoteID int64
	Version int64
	Key     string
	Actor   Actor
	Margin  bool // the actor may decide on discounts and margins
	Floor   bool // the actor may decide on floor prices
	Approve bool // false sends the draft back
	Reason  string
}

// Filter chooses quotes of the list. Zero fields do not restrict.
type Filter struct {
	States     []State // of the newest revision; Expired is understood
	OwnerID    int64
	CustomerID int64
	Search     string // number, title or customer, any part, any case
	Expiring   int    // sent, and the validity ends within so many days
	Before     Cursor // continue after the last row of a page
	Limit      int    // 0 is 50; at most 200
}

// Cursor is a place in the list. The zero value is its start.
type Cursor struct {
	At time.Time `json:"at"`
	ID int64     `json:"id"`
}

// Summary is one row of the list of quotes.
type Summary struct {
	ID         int64
	Number     string
	Revision   int
	Title      string
	State      State
	CustomerID int64
	Customer   string
	Country    string
	OwnerID    int64
	Owner      string
	Currency   money.Currency
	Total      *money.Decimal // with tax; nil is not known
	Day        time.Time
	ValidTo    time.Time
	ChangedAt  time.Time
}

// List is a page of the list of quotes, newest change first.
type List struct {
	Rows []Summary
	Next *Cursor // nil at the end
}

// Document is the PDF of a sent revision, byte for byte as it was sent.
type Document struct {
	FileName string
	SHA256   string // hex
	Bytes    []byte
}

// Link is a customer's link as staff sees it; its token is not known any more.
type Link struct {
	ID        int64
	Revision  int
	CreatedAt time.Time
	ExpiresAt time.Time
	RevokedAt time.Time // zero while it works
}
