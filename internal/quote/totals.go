package quote

import "rackwright/internal/money"

// Input is what totals are computed from.
type Input struct {
	Currency money.Currency
	TaxMode  TaxMode
	Discount Discount
	Lines    []Line
}

// Totals are the sums of a quote, all in its currency and rounded to its decimals. A nil value is not
// known, because a line that counts has no price yet (R9).
type Totals struct {
	Currency money.Currency `json:"currency"`
	TaxMode  TaxMode        `json:"tax_mode"`
	Lines    []LineTotal    `json:"lines"`    // one for each line, in order
	Subtotal *money.Decimal `json:"subtotal"` // sum of the items' amounts; with tax if the mode is Inclusive
	Discount *money.Decimal `json:"discount"` // on the whole quote, as a positive amount
	Net      *money.Decimal `json:"net"`      // without tax, discount taken off
	Taxes    []TaxTotal     `json:"taxes"`    // by rate, lowest first; none when not known
	Tax      *money.Decimal `json:"tax"`
	Total    *money.Decimal `json:"total"` // with tax
}

// Known reports whether every line that counts has a price.
func (t Totals) Known() bool { return t.Total != nil }

// TaxTotal is the tax of one rate. Net + Tax = Gross.
type TaxTotal struct {
	Rate  money.Percent `json:"rate"`
	Name  string        `json:"name,omitempty"` // of the first line with this rate that has one
	Net   money.Decimal `json:"net"`
	Tax   money.Decimal `json:"tax"`
	Gross money.Decimal `json:"gross"`
}

// LineTotal is what Calculate says of one line.
type LineTotal struct {
	Counts    bool           `json:"counts"`     // in the totals of the quote
	Quantity  money.Decimal  `json:"quantity"`   // of a part: for all bundles together
	UnitPrice *money.Decimal `json:"unit_price"` // of a bundle without its own: the sum of its parts
	Amount    *money.Decimal `json:"amount"`     // as printed: quantity x price less line discount, rounded; of a section: the sum below it
	Share     *money.Decimal `json:"share"`      // of the discount on the whole quote
	Net       *money.Decimal `json:"net"`        // without tax, both discounts taken off
}
