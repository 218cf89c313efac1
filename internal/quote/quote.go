// Package quote holds what a quote is and every rule about it: lines, discounts, taxes and
// totals, prices of lines, validity, states, and what stops a quote from being sent.
//
// It is pure: values in, values and errors out; no SQL, no HTTP, no clock, no words of any
// language (errors and blockers name messages). Entry points: Calculate is the only function
// that computes totals (rule R11); Apply moves a quote between states; SendBlockers says
// what is missing before sending; PriceLine finds a list price; FromPlan turns a sizing plan into
// lines. docs/quote_lifecycle.md shows the states, docs/adr/0001-money-and-rounding.md the sums.
package quote

import (
	"time"

	"rackwright/internal/money"
)

// TaxMode says whether the prices of a quote contain tax. A quote is wholly one or the other (R4).
type TaxMode string

// The tax modes.
const (
	Exclusive TaxMode = "exclusive"
	Inclusive TaxMode = "inclusive"
)

// Discount is a discount on the whole quote: a percentage of the sum of the lines or an amount of the
// quote's currency, never both. The zero value is none.
type Discount struct {
	Percent money.Percent `json:"percent"`
	Amount  money.Decimal `json:"amount"`
}

// IsZero reports whether there is no discount.
func (d Discount) IsZero() bool { return d.Percent.IsZero() && d.Amount.IsZero() }

// Party is a customer as the document names it. A revision carries its own copy (R5).
type Party struct {
	CustomerID int64  `json:"customer_id,omitempty"` // 0 is not chosen yet
	Name       string `json:"name"`
	Address    string `json:"address"` // lines separated by "\n"
	Country    string `json:"country"` // ISO 3166-1 alpha-2; empty is not known
	TaxNumber  string `json:"tax_number,omitempty"`
	ContactID  int64  `json:"contact_id,omitempty"` // 0 is none
	Contact    string `json:"contact,omitempty"`
	Email      string `json:"email,omitempty"`
	Phone      string `json:"phone,omitempty"`
	Group      string `json:"group,omitempty"` // customer group of price lists; empty is the default
}

// Content is what a person edits in a draft and what sending freezes. Days are times at 00:00 UTC.
type Content struct {
	Title     string         `json:"title"`
	Customer  Party          `json:"customer"`
	Currency  money.Currency `json:"currency"`
	TaxMode   TaxMode        `json:"tax_mode"`
	Day       time.Time      `json:"day"`         // date of the quote, for prices
	ValidTo   time.Time      `json:"valid_until"` // last day of validity in the company's zone
	Lang      string         `json:"lang"`        // BCP 47 tag of the document's language
	Reference string         `json:"reference,omitempty"`
	Note      string         `json:"note,omitempty"` // to the customer
	Terms     string         `json:"terms,omitempty"`

	ShipTo       string `json:"ship_to"`  // ISO 3166-1 alpha-2
	EndUser      string `json:"end_user"` // ISO 3166-1 alpha-2
	Incoterm     string `json:"incoterm,omitempty"`
	Place        string `json:"place,omitempty"` // named place of the incoterm
	LicenceRef   string `json:"licence_ref,omitempty"`
	InternalNote string `json:"internal_note,omitempty"` // never on the document
	SizingID     int64  `json:"sizing_id,omitempty"`     // the report it came from; 0 is none

	Layout   Layout       `json:"layout,omitempty"` // of the document; empty is Detailed
	Delivery Delivery     `json:"delivery,omitzero"`
	TaxRule  TaxRule      `json:"tax_rule,omitempty"`
	TaxNote  string       `json:"tax_note,omitempty"` // what the law wants printed with the rule
	Payments []Instalment `json:"payments,omitempty"` // none: all at once, as the terms say

	Discount Discount `json:"discount"`
	Lines    []Line   `json:"lines"`
}

// Layout says how much a document shows.
type Layout string

// The layouts. A lump sum names every line and prints the sum of all; options keep their own prices.
const (
	Detailed Layout = "detailed"
	LumpSum  Layout = "lump_sum"
)

// TaxRule says why a quote has no tax. The zero value is tax by the lines' rates.
type TaxRule string

// The rules. With either every rate is 0, and the document carries TaxNote.
const (
	Taxed         TaxRule = ""
	ReverseCharge TaxRule = "reverse_charge" // the customer owes the tax
	ExportZero    TaxRule = "export"         // goods leave the tax area
)

// Delivery is where goods go when that is not the customer's address. The country is Content.ShipTo.
type Delivery struct {
	Name    string `json:"name,omitempty"`
	Address string `json:"address,omitempty"` // lines separated by "\n"
	Contact string `json:"contact,omitempty"` // person and telephone at the place
}

// Input returns what Calculate needs of the content.
func (c Content) Input() Input {
	return Input{Currency: c.Currency, TaxMode: c.TaxMode, Discount: c.Discount, Lines: c.Lines}
}

// Quote is one offer through all its revisions. Number is empty until a revision is sent for the first time.
type Quote struct {
	ID        int64
	Number    string
	OwnerID   int64
	Owner     string // display name
	CreatedAt time.Time
	Version   int64      // row version; a save names the version it was made from
	Revision  Revision   // the one that was asked for, the newest by default
	Revisions []Revision // all, oldest first, without content and totals
	Events    []Event    // newest first
}

// Revision is one version of a quote. Once sent its content never changes (R5).
type Revision struct {
	ID        int64
	Number    int // 1, 2, …
	State     State
	Content   Content
	Totals    Totals
	CreatedAt time.Time
	SentAt    time.Time // zero until sent
	ExpiresAt time.Time // first moment after the last day, fixed on sending; zero until sent
	Extended  time.Time // last day of validity as staff extended it; zero is as sent
	Frozen    Frozen
	Decision  Decision
	Files     []File // attached, in the order in which they came
}

// LastDay returns the last day of validity: as sent, or as staff extended it.
func (r Revision) LastDay() time.Time {
	if r.Extended.After(r.Content.ValidTo) {
		return r.Extended
	}
	return r.Content.ValidTo
}

// Frozen holds what was fixed on sending besides the content.
type Frozen struct {
	Company   []byte // the company's profile as JSON; its shape belongs to the company's page
	Rate      *Rate  // to the company's currency; nil when the quote is in it
	PDFSHA256 string // hex
	PDFSize   int
}

// Decision is the customer's answer, or how staff closed the quote.
type Decision struct {
	At        time.Time
	Name      string // who accepted or declined; the user for a close by staff
	Role      string // job title as typed
	Order     string // the customer's purchase order number, may be empty
	Reason    string // why it was declined, lost or cancelled
	Remark    string
	ByStaff   bool
	Choices   []int64 // IDs of the options and alternatives that were taken
	Agreed    *Totals // with them; nil when nothing was chosen, and the revision's totals hold
	Address   string  // network address that the answer came from; empty for staff
	Agent     string  // the browser's name for itself
	SHA256    string  // hex, of the document that was accepted
	Shortages []Shortage
}

// Shortage is what an acceptance could not reserve.
type Shortage struct {
	SKU      string
	Quantity int64
}

// Event is one entry of a quote's history.
type Event struct {
	ID       int64
	At       time.Time
	Kind     EventKind
	Revision int
	Actor    string            // a user's or a customer's name; empty is the system
	Data     map[string]string // what the kind needs, for example old and new state
}
