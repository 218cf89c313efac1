package quote

import "time"

// Pending is a quote whose exceptions somebody is asked to decide on.
type Pending struct {
	Summary
	Kinds   []BlockerKind // the exceptions that this person may decide on
	AskedAt time.Time
}

// OpenShortage is an accepted quote for which stock was short.
type OpenShortage struct {
	QuoteID    int64
	Number     string
	Customer   string
	AcceptedAt time.Time
	Shortages  []Shortage
}

// AgedPrices counts the prices of a list that hold today and are older than StaleDays (R15).
type AgedPrices struct {
	ListID int64
	List   string
	Items  int
	Oldest time.Time // first day of the oldest
}

// DecidableKinds lists the exceptions that somebody may decide on: discounts and margins, floor prices, or both.
func DecidableKinds(margin, floor bool) []BlockerKind {
	r := Ruling{Margin: margin, Floor: floor}
	var kinds []BlockerKind
	for _, k := range []BlockerKind{BelowFloor, AboveDiscount, BelowMargin} {
		if r.May(k) {
			kinds = append(kinds, k)
		}
	}
	return kinds
}
