package quote

import (
	"rackwright/internal/apperr"
	"rackwright/internal/money"
)

// validate checks the discount by itself; whether it fits the sum is known later.
func (d Discount) validate(f *apperr.Faults, c money.Currency) {
	checkPercent(f, "discount", labelDiscount, d.Percent)
	switch {
	case d.Amount.IsZero():
	case !d.Percent.IsZero():
		f.Add("discount", "quote.discount_twice")
	case d.Amount.Sign() < 0 || maxTotal.Less(d.Amount):
		f.Add("discount", "errors.form_range", "field", labelDiscount, "min", 0, "max", maxTotal.String())
	case d.Amount.Trim().Places() > c.Decimals():
		f.Add("discount", "errors.form_decimals", "field", labelDiscount, "n", c.Decimals())
	}
}

// amount returns the discount on a sum of lines: a percentage is rounded once. More than the sum is
// refused, and so is any discount on a sum below zero.
func (d Discount) amount(sum money.Decimal, places int) (money.Decimal, error) {
	amount := d.Amount.Round(places)
	if !d.Percent.IsZero() {
		amount = d.Percent.Of(sum).Round(places)
	}
	if amount.Sign() < 0 || (sum.Less(amount) && !amount.IsZero()) {
		var f apperr.Faults
		f.Add("discount", "quote.discount_exceeds_sum")
		return money.Decimal{}, f.Err()
	}
	return amount, nil
}
