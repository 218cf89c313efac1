package quote

import (
	"time"

	"rackwright/internal/money"
)

// LineKind says how a line counts.
type LineKind string

// The kinds of lines. Only items count in the totals. An option may be added by the customer, an
// alternative may be taken instead of an item; both show their own amount beside the total (Content.Choose).
// A section heads the lines below it, a note is text. A trade-in is an item with a price below zero.
const (
	Item        LineKind = "item"
	Option      LineKind = "option"
	Alternative LineKind = "alternative"
	Section     LineKind = "section"
	Note        LineKind = "note"
)

// LineKinds lists the kinds in the order in which menus show them.
var LineKinds = []LineKind{Item, Option, Alternative, Section, Note}

// Priced reports whether lines of the kind have a quantity and a price.
func (k LineKind) Priced() bool { return k == Item || k == Option || k == Alternative }

// Line is one line of a revision. Lines are in the order in which they are read.
//
// A bundle is a line followed by its parts (Part is true). A part's quantity is per one of the
// bundle. Parts carry no discount; and no price either when the bundle has its own. A bundle without
// a price of its own costs what its parts cost.
type Line struct {
	ID          int64    `json:"id,omitempty"` // within the quote, kept by saves and revisions; 0 is a new line
	Kind        LineKind `json:"kind"`
	Part        bool     `json:"part,omitempty"`       // part of the bundle above
	Assembled   bool     `json:"assembled,omitempty"`  // of a bundle: built here, so its parts are reserved and not the bundle
	SKU         string   `json:"sku,omitempty"`        // catalogue code; empty is a free line
	Stocked     bool     `json:"stocked,omitempty"`    // the SKU is a thing that lies in a warehouse
	Description string   `json:"description"`          // what the customer reads, in the document's language
	ControlTo   string   `json:"control_to,omitempty"` // export-control group of the SKU, empty is not classified

	Quantity  money.Decimal  `json:"quantity"`
	UnitPrice *money.Decimal `json:"unit_price"` // of one, and of one period of the term; in the quote's currency and tax mode; nil is not known
	Term      Term           `json:"term,omitzero"`
	Discount  money.Percent  `json:"discount"`
	Off       money.Decimal  `json:"off,omitzero"` // discount as an amount of the whole line, instead of Discount
	TaxRate   money.Percent  `json:"tax_rate"`
	TaxName   string         `json:"tax_name,omitempty"` // as printed, for example "GST"

	List     ListPrice      `json:"list"`
	Override *Override      `json:"override,omitempty"` // nil while the price is the list's
	Floor    *money.Decimal `json:"floor,omitempty"`    // lowest unit price without asking, after discount; nil is none set
	Cost     *money.Decimal `json:"cost,omitempty"`     // buying price of one, and of one period; nil is not known

	Lump     bool      `json:"lump,omitempty"`     // of a bundle: the customer's documents name it without its parts
	Replaces int64     `json:"replaces,omitempty"` // of an alternative: ID of the item it stands for; 0 is the item above it
	Promise  time.Time `json:"promise,omitzero"`   // day of delivery as promised; zero is none
	Config   string    `json:"config,omitempty"`   // serial numbers and configuration, printed below the description
}

// TermUnit is the period that the unit price of a subscription is for.
type TermUnit string

// The periods of terms.
const (
	Once    TermUnit = ""
	Monthly TermUnit = "month"
	Yearly  TermUnit = "year"
)

// Term is how long a line of software, support or warranty runs: its unit price counts Periods times. The
// zero value is a price that is paid once.
type Term struct {
	Periods int      `json:"periods"` // 1 to MaxPeriods
	Unit    TermUnit `json:"unit"`
}

// MaxPeriods is the longest term: ten years of months.
const MaxPeriods = 120

// Factor returns how often the unit price counts.
func (t Term) Factor() money.Decimal { return money.FromInt(int64(max(1, t.Periods))) }

// Origin says where a line's list price comes from.
type Origin string

// The origins of a list price.
const (
	FromPriceList Origin = "price_list" // an item of a list in the quote's currency
	Converted     Origin = "converted"  // an item of the company-currency list, converted
	Manual        Origin = "manual"     // typed: there was no list price, or a free line
	NoPrice       Origin = "none"       // no list price on that day
)

// ListPrice is the list price of a line as it was when the line was priced (rule R10). It is never
// re-read silently.
type ListPrice struct {
	Origin Origin         `json:"origin"`
	Price  *money.Decimal `json:"price,omitempty"`   // per unit in the quote's currency; nil when there is none
	ListID int64          `json:"list_id,omitempty"` // of the price list
	List   string         `json:"list,omitempty"`    // its name then
	AsOf   time.Time      `json:"as_of,omitzero"`    // first day of the list item's validity
	Source *money.Amount  `json:"source,omitempty"`  // as the list says it, before conversion
	Rate   *Rate          `json:"rate,omitempty"`    // the exchange rate used; nil when not converted
	MinQty money.Decimal  `json:"min_qty"`           // quantity break that applied; without a price the smallest that has one
}

// Override says who set a price other than the list's, when and why.
type Override struct {
	UserID int64     `json:"user_id"`
	User   string    `json:"user"` // the name then
	At     time.Time `json:"at"`
	Reason string    `json:"reason"`
}

// OffList reports whether the line's price differs from its list price.
func (l Line) OffList() bool {
	if l.List.Price == nil || l.UnitPrice == nil {
		return l.List.Price != nil || l.UnitPrice != nil
	}
	return !l.List.Price.Equal(*l.UnitPrice)
}
