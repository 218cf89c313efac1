package money

import "fmt"

// Amount is a decimal of a currency. The value may have more places than the currency (a unit
// price of 0.0125 USD); Round brings it to the currency's own.
type Amount struct {
	Value    Decimal  `json:"value"`
	Currency Currency `json:"currency"`
}

// New returns an amount; it does not round.
func New(value Decimal, currency Currency) Amount { return Amount{value, currency} }

// Add returns a + b, or ErrMixedCurrency.
func (a Amount) Add(b Amount) (Amount, error) {
	if a.Currency != b.Currency {
		return Amount{}, fmt.Errorf("%w: %s and %s", ErrMixedCurrency, a.Currency, b.Currency)
	}
	return Amount{a.Value.Add(b.Value), a.Currency}, nil
}

// Sub returns a - b, or ErrMixedCurrency.
func (a Amount) Sub(b Amount) (Amount, error) {
	return a.Add(b.Neg())
}

// Neg returns -a.
func (a Amount) Neg() Amount { return Amount{a.Value.Neg(), a.Currency} }

// Mul returns a times a plain number, exactly and unrounded.
func (a Amount) Mul(n Decimal) Amount { return Amount{a.Value.Mul(n), a.Currency} }

// Round returns the amount in the currency's decimals, half away from zero.
func (a Amount) Round() Amount { return Amount{a.Value.Round(a.Currency.Decimals()), a.Currency} }

// Equal reports whether a and b are the same amount in the same currency.
func (a Amount) Equal(b Amount) bool { return a.Currency == b.Currency && a.Value.Equal(b.Value) }

// IsZero reports whether the value is 0.
func (a Amount) IsZero() bool { return a.Value.IsZero() }

// String returns code and number, "USD 1234.50", for logs and tests; internal/view formats for people.
func (a Amount) String() string { return string(a.Currency) + " " + a.Value.String() }
