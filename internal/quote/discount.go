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

// checkOff refuses an amount off a line that is more than the line, or off a line that is paid out.
func checkOff(lines []Line, totals []LineTotal) error {
	var f apperr.Faults
	for i, l := range lines {
		if l.Off.IsZero() || totals[i].Amount == nil {
			continue
		}
		if totals[i].Amount.Sign() < 0 {
			f.Add(LineField(i, "discount"), "quote.discount_exceeds_line")
		}
	}
	return f.Err()
}

// offPercent returns which part of a line's price its own discount is, for limits of discounts.
func offPercent(l Line, unit *money.Decimal) money.Percent {
	if l.Off.IsZero() || unit == nil {
		return l.Discount
	}
	full := l.Quantity.Mul(*unit).Mul(l.Term.Factor())
	if full.Sign() <= 0 {
		return l.Discount
	}
	return money.NewPercent(l.Off.Mul(hundred).Quo(full, maxPlaces))
}
