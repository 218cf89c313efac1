package inventory

import "time"

// Reservation keeps stock of a place for a revision of a quote until a moment. From then on its stock is free,
// whether or not anything ran (R8).
type Reservation struct {
	ID       int64
	SKU      string
	Place    Location
	Quantity int64
	Until    time.Time
	Released time.Time // given back before its end; zero if not
	Quote    string    // number
	QuoteID  int64
	Revision int
	Customer string
}

// Live reports whether the reservation still holds its stock.
func (r Reservation) Live(now time.Time) bool { return r.Released.IsZero() && now.Before(r.Until) }

// Location is a place where stock lies.
type Location struct {
	ID   int64
	Code string // short, unique
	Name string
}

// MoveKind says why stock changed.
type MoveKind string

// The kinds of moves. A transfer is one move with two places.
const (
	Receive  MoveKind = "receive"
	Transfer MoveKind = "transfer"
	Ship     MoveKind = "ship"
	Adjust   MoveKind = "adjust"
	Return   MoveKind = "return"
)

// Move is one line of the ledger. The ledger only grows: a correction is another move.
type Move struct {
	ID       int64
	At       time.Time
	Kind     MoveKind
	SKU      string
	From     *Location // nil where stock comes from outside
	To       *Location // nil where it leaves
	Quantity int64     // always positive
	Note     string
	Actor    string
}

// Inbound is stock that a supplier owes.
type Inbound struct {
	SKU       string
	Quantity  int64 // still open
	Expected  time.Time
	Confirmed bool
}

// Availability is what a catalogue page says of a SKU: the counts are for staff, a visitor sees in stock or not.
type Availability struct {
	OnHand    int64
	Reserved  int64
	Inbound   []Inbound // open, the earliest first
	Forecast  []Promise // from today on
	EverMoved bool      // there has been stock of it; without, nothing is known about lead time
}

// Available returns what can be had at once.
func (a Availability) Available() int64 { return max(0, a.OnHand-a.Reserved) }
