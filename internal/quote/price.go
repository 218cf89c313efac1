package quote

import (
	"time"

	"rackwright/internal/money"
)

// PriceList is a list of own prices in one currency.
type PriceList struct {
	ID       int64
	Name     string
	Currency money.Currency
	TaxMode  TaxMode // whether its prices contain tax
	Group    string  // customer group; empty is for everybody else
	Demo     bool    // invented for the demo, and labelled so
	Version  int64
}

// PriceItem is the price of one SKU in a list, for a range of days and from a quantity on.
type PriceItem struct {
	ID     int64
	ListID int64
	SKU    string
	MinQty money.Decimal // at least 1 piece in most lists; 0 is any quantity
	Price  money.Decimal // per unit
	From   time.Time     // first day
	To     time.Time     // last day; zero is open
}

// ValidOn reports whether the item is valid on the day, both ends included.
func (i PriceItem) ValidOn(day time.Time) bool {
	return !day.Before(i.From) && (i.To.IsZero() || !day.After(i.To))
}

// Limit is what pricing sets for a SKU besides its list price. Sales staff see neither figure.
type Limit struct {
	SKU      string
	Currency money.Currency
	Floor    *money.Decimal // lowest unit price without asking
	Cost     *money.Decimal // buying price of one
	Version  int64
}

// Tax is a named tax rate to choose from. A line carries its own copy.
type Tax struct {
	ID      int64
	Name    string
	Country string // ISO 3166-1 alpha-2; empty is any
	Rate    money.Percent
	Default bool
	Version int64
}
