package quote

import (
	"fmt"

	"rackwright/internal/apperr"
	"rackwright/internal/money"
)

// MaxPayments is the most parts a quote can be paid in: five years of months.
const MaxPayments = 60

// Due says from when the days of an instalment count.
type Due string

// The events that instalments are due after.
const (
	OnOrder    Due = "order"
	OnDelivery Due = "delivery"
	OnInvoice  Due = "invoice"
)

// Dues lists the events in the order in which menus show them.
var Dues = []Due{OnOrder, OnDelivery, OnInvoice}

// Instalment is one part of the payment of a quote: a percentage of the total, an amount, or with neither an equal
// share of what the others leave.
type Instalment struct {
	Label   string         `json:"label"`             // as printed, for example "Deposit"
	Percent *money.Percent `json:"percent,omitempty"` // of the total with tax
	Amount  *money.Decimal `json:"amount,omitempty"`  // in the quote's currency
	Due     Due            `json:"due"`
	Days    int            `json:"days"` // after the event, 0 to 3650
}

// Payment is an instalment with its amount worked out.
type Payment struct {
	Instalment
	Sum money.Decimal `json:"sum"`
}

// Payments works out the instalments of a total. Each is rounded by itself, half away from zero, and the last takes the
// rest, so that they add up to the total exactly. Percentages without equal shares or amounts must make 100;
// parts that come to more than the total are refused at "payments[1].amount".
func Payments(total money.Decimal, parts []Instalment, c money.Currency) ([]Payment, error) {
	if len(parts) == 0 {
		return nil, nil
	}
	var f apperr.Faults
	places := c.Decimals()
	left, shares := total, int64(0)
	sums := make([]money.Decimal, len(parts))
	for i, p := range parts {
		switch {
		case p.Percent != nil:
			sums[i] = p.Percent.Of(total).Round(places)
		case p.Amount != nil:
			sums[i] = p.Amount.Round(places)
		default:
			shares++
			continue
		}
		left = left.Sub(sums[i])
	}
	if shares > 0 {
		share := left.Quo(money.FromInt(shares), places)
		for i, p := range parts {
			if p.Percent == nil && p.Amount == nil {
				sums[i] = share
			}
		}
	}
	last := len(parts) - 1
	rest := total
	for i := range last {
		rest = rest.Sub(sums[i])
	}
	if opposes(rest, total) || opposes(left, total) {
		f.Add(paymentField(last, "amount"), "quote.payments_exceed")
		return nil, f.Err()
	}
	if parts[last].Amount != nil && !rest.Equal(*parts[last].Amount) {
		f.Add(paymentField(last, "amount"), "quote.payments_rest", "rest", rest.String())
		return nil, f.Err()
	}
	sums[last] = rest
	payments := make([]Payment, len(parts))
	for i, p := range parts {
		payments[i] = Payment{Instalment: p, Sum: sums[i].Round(places)}
	}
	return payments, nil
}

// opposes reports whether a value has the other sign than a total: more was given out than there is.
func opposes(v, total money.Decimal) bool {
	return v.Sign()*total.Sign() < 0 || (total.IsZero() && !v.IsZero())
}

func paymentField(i int, field string) string { return fmt.Sprintf("payments[%d].%s", i, field) }

// validatePayments checks the parts by themselves; whether they fit the total is known later.
func validatePayments(f *apperr.Faults, parts []Instalment, c money.Currency) {
	if len(parts) > MaxPayments {
		f.Add("payments", "quote.payments_too_many", "n", MaxPayments)
		return
	}
	percents, others := money.Decimal{}, false
	for i, p := range parts {
		requireText(f, paymentField(i, "label"), "quote.payment_label", p.Label)
		if p.Due != OnOrder && p.Due != OnDelivery && p.Due != OnInvoice {
			f.Add(paymentField(i, "due"), "errors.form_choose")
		}
		if p.Days < 0 || p.Days > 3650 {
			f.Add(paymentField(i, "days"), "errors.form_range", "field", apperr.Msg("quote.payment_days"), "min", 0, "max", 3650)
		}
		switch {
		case p.Percent != nil && p.Amount != nil:
			f.Add(paymentField(i, "amount"), "quote.payment_twice")
		case p.Percent != nil:
			checkPercent(f, paymentField(i, "percent"), apperr.Msg("quote.payment_percent"), *p.Percent)
			percents = percents.Add(p.Percent.Decimal())
		case p.Amount != nil:
			others = true
			checkFigure(f, paymentField(i, "amount"), apperr.Msg("quote.payment_amount"), *p.Amount, true)
			if c.Valid() && p.Amount.Trim().Places() > c.Decimals() {
				f.Add(paymentField(i, "amount"), "errors.form_decimals", "field", apperr.Msg("quote.payment_amount"), "n", c.Decimals())
			}
		default:
			others = true
		}
	}
	if len(parts) > 0 && (hundred.Less(percents) || (!others && percents.Less(hundred))) {
		f.Add("payments", "quote.payments_not_whole", "sum", percents.Trim().String())
	}
}
