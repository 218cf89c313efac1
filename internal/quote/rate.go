package quote

import (
	"time"

	"rackwright/internal/apperr"
	"rackwright/internal/money"
)

// RateDays is how old an exchange rate may be.
const RateDays = 7

// ratePlaces and maxRate are the bounds of the column, numeric(20,10).
const ratePlaces = 10

var maxRate = money.MustDecimal("9999999999")

// Rate is one row of exchange rates: 1 Base = Rate Quote on a day. The other way divides by it once; an
// inverse is never stored.
type Rate struct {
	Base   money.Currency `json:"base"`
	Quote  money.Currency `json:"quote"`
	Day    time.Time      `json:"day"`
	Rate   money.Decimal  `json:"rate"`
	Source string         `json:"source"`
}

// FindRate returns the newest rate between two currencies, in either direction, that is not after the
// day and at most RateDays old. Of two rows of one day the direct one counts.
func FindRate(rates []Rate, from, to money.Currency, day time.Time) (Rate, bool) {
	oldest := day.AddDate(0, 0, -RateDays)
	var best Rate
	found := false
	for _, r := range rates {
		direct := r.Base == from && r.Quote == to
		if !direct && (r.Base != to || r.Quote != from) {
			continue
		}
		if r.Day.After(day) || r.Day.Before(oldest) || r.Rate.Sign() <= 0 {
			continue
		}
		if !found || r.Day.After(best.Day) || (r.Day.Equal(best.Day) && direct) {
			best, found = r, true
		}
	}
	return best, found
}

// Convert turns a value of one of the rate's currencies into the other, rounded once.
func (r Rate) Convert(v money.Decimal, from money.Currency, places int) money.Decimal {
	if from == r.Base {
		return v.Mul(r.Rate).Round(places)
	}
	return v.Quo(r.Rate, places)
}

// Validate checks what was typed as an exchange rate.
func (r Rate) Validate() error {
	var f apperr.Faults
	if !r.Base.Valid() {
		f.Add("base", "errors.form_choose")
	}
	if !r.Quote.Valid() || r.Quote == r.Base {
		f.Add("quote", "errors.form_choose")
	}
	label := apperr.Msg("price.exchange_rate")
	switch {
	case r.Rate.Sign() <= 0:
		f.Add("rate", "errors.form_positive", "field", label)
	case r.Rate.Trim().Places() > ratePlaces || maxRate.Less(r.Rate):
		f.Add("rate", "errors.form_decimals", "field", label, "n", ratePlaces)
	}
	if r.Day.IsZero() {
		f.Add("day", "errors.form_date")
	}
	requireText(&f, "source", "catalogue.source", r.Source)
	return f.Err()
}
