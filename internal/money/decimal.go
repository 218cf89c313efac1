// Package money holds exact decimals, currencies, amounts and percentages.
//
// Everything that touches a price goes through here, so there is no float and no silent
// rounding: sums and products are exact, and the only operations that round say so in
// their name and doc (Round, Quo, Allocate). Rounding is half away from zero, once.
// The package knows no language and no database driver; display is in internal/view.
// Start at Decimal and Amount; docs/adr/0001-money-and-rounding.md gives the reasons.
package money

import (
	"errors"
	"fmt"
	"math/big"

	"github.com/cockroachdb/apd/v3"
)

// MaxDigits is the longest number ParseDecimal reads, sign and point not counted. The widest
// column of the database has 18 digits; products of two columns fit as well.
const MaxDigits = 40

// precision is far above any sum or product of a quote or a cash flow. A result that would not
// be exact at this width is a mistake in the caller (an unrounded chain of products), not data.
const precision = 2000

// The errors of ParseDecimal. They carry no text for people; a form names its own message.
var (
	ErrSyntax  = errors.New("not a plain decimal number")
	ErrTooLong = fmt.Errorf("more than %d digits", MaxDigits)
)

var (
	// exact refuses to lose a digit.
	exact = apd.Context{
		Precision: precision, MaxExponent: 10 * precision, MinExponent: -10 * precision,
		Rounding: apd.RoundHalfUp, Traps: apd.DefaultTraps | apd.Inexact,
	}
	// rounding is for Round alone. apd's "half up" goes by magnitude: half away from zero.
	rounding = apd.Context{
		Precision: precision, MaxExponent: 10 * precision, MinExponent: -10 * precision,
		Rounding: apd.RoundHalfUp, Traps: apd.DefaultTraps,
	}
)

// Decimal is an exact decimal number. It is an immutable value: methods return new ones, and
// copies are safe to share. The zero value is 0. A Decimal is always finite. Compare with
// Equal or Cmp, not with ==: 1.5 and 1.50 are the same number.
type Decimal struct {
	d apd.Decimal
}

// ParseDecimal reads a plain decimal number: an optional "-", digits, optionally a point and
// more digits; the digits before the point may be absent (".5"). Nothing else is accepted: no
// "+", spaces, grouping, exponent, NaN or infinity, and at most MaxDigits digits. The number
// keeps the places it was written with.
func ParseDecimal(s string) (Decimal, error) {
	if err := checkSyntax(s); err != nil {
		return Decimal{}, err
	}
	var v Decimal
	if _, _, err := v.d.SetString(s); err != nil {
		return Decimal{}, fmt.Errorf("%w: %w", ErrSyntax, err)
	}
	if v.d.IsZero() {
		v.d.Negative = false // "-0" is 0
	}
	return v, nil
}

// checkSyntax accepts -?(D+(.D+)?|.D+).
func checkSyntax(s string) error {
	if s != "" && s[0] == '-' {
		s = s[1:]
	}
	digits, point, last := 0, false, byte('.')
	if s != "" && s[0] == '.' {
		digits = 1 // it is written as 0.5, which must be readable again
	}
	for i := range len(s) {
		c := s[i]
		switch {
		case c >= '0' && c <= '9':
			digits++
		case c == '.' && !point:
			point = true
		default:
			return ErrSyntax
		}
		last = c
	}
	if last == '.' {
		return ErrSyntax
	}
	if digits > MaxDigits {
		return ErrTooLong
	}
	return nil
}

// MustDecimal is ParseDecimal for constants in code; it panics on bad syntax.
func MustDecimal(s string) Decimal {
	v, err := ParseDecimal(s)
	if err != nil {
		panic(fmt.Sprintf("money.MustDecimal(%q): %v", s, err))
	}
	return v
}

// FromInt returns n as a Decimal.
func FromInt(n int64) Decimal {
	var v Decimal
	v.d.SetInt64(n)
	return v
}

// must turns the trap of the exact context into a panic: see precision.
func must(_ apd.Condition, err error) {
	if err != nil {
		panic(fmt.Sprintf("money: result is not exact: %v", err))
	}
}

// Add returns v + w, exactly.
func (v Decimal) Add(w Decimal) Decimal {
	var z Decimal
	must(exact.Add(&z.d, &v.d, &w.d))
	return z
}

// Sub returns v - w, exactly.
func (v Decimal) Sub(w Decimal) Decimal {
	var z Decimal
	must(exact.Sub(&z.d, &v.d, &w.d))
	return z
}

// Mul returns v times w, exactly; the places add up.
func (v Decimal) Mul(w Decimal) Decimal {
	var z Decimal
	must(exact.Mul(&z.d, &v.d, &w.d))
	if z.d.IsZero() {
		z.d.Negative = false
	}
	return z
}

// Neg returns -v.
func (v Decimal) Neg() Decimal {
	var z Decimal
	z.d.Neg(&v.d)
	if z.d.IsZero() {
		z.d.Negative = false
	}
	return z
}

// Abs returns v without its sign.
func (v Decimal) Abs() Decimal {
	var z Decimal
	z.d.Abs(&v.d)
	return z
}

// Cmp returns -1, 0 or +1 as v is less than, equal to or greater than w.
func (v Decimal) Cmp(w Decimal) int { return v.d.Cmp(&w.d) }

// Equal reports whether v and w are the same number, whatever their places.
func (v Decimal) Equal(w Decimal) bool { return v.Cmp(w) == 0 }

// Less reports whether v < w.
func (v Decimal) Less(w Decimal) bool { return v.Cmp(w) < 0 }

// IsZero reports whether v is 0.
func (v Decimal) IsZero() bool { return v.d.IsZero() }

// Sign returns -1, 0 or +1.
func (v Decimal) Sign() int { return v.d.Sign() }

// Round returns v with exactly the given places, half away from zero: 2.5 becomes 3, -2.5
// becomes -3, and 3.6 at two places becomes 3.60. places may be negative (tens, hundreds).
func (v Decimal) Round(places int) Decimal {
	var z Decimal
	must(rounding.Quantize(&z.d, &v.d, -int32(places)))
	if z.d.IsZero() {
		z.d.Negative = false
	}
	return z
}

// Trim returns v without trailing zeros after the point: 3.600000 becomes 3.6.
func (v Decimal) Trim() Decimal {
	z := v
	for z.d.Exponent < 0 {
		shorter := z.Round(int(-z.d.Exponent) - 1)
		if !shorter.Equal(v) {
			break
		}
		z = shorter
	}
	return z
}

// Places returns the number of digits after the point that String shows.
func (v Decimal) Places() int { return max(0, -int(v.d.Exponent)) }

// Quo returns v / w with the given places, rounded once, half away from zero. Like integer
// division it panics when w is zero; ask IsZero first.
func (v Decimal) Quo(w Decimal, places int) Decimal {
	if w.IsZero() {
		panic("money: division by zero")
	}
	// v/w in units of 10^-places, as one fraction of integers.
	scale := max(0, v.Places(), w.Places())
	num := v.units(scale + max(0, places))
	den := w.units(scale)
	if places < 0 {
		den.Mul(den, pow10(-places))
	}
	return fromUnits(quoHalfAway(num, den), places)
}

// Sum adds up its arguments; the sum of none is 0.
func Sum(values ...Decimal) Decimal {
	var z Decimal
	for _, v := range values {
		z = z.Add(v)
	}
	return z
}

// Int64 returns v as an integer, and false when v has a fraction or does not fit.
func (v Decimal) Int64() (int64, bool) {
	n, err := v.d.Int64()
	return n, err == nil
}

// Float returns the nearest float64, for charts and estimates only, never for money that is shown
// or stored.
func (v Decimal) Float() float64 {
	f, err := v.d.Float64()
	if err != nil {
		panic(fmt.Sprintf("money: %v", err)) // unreachable: a Decimal is finite and bounded
	}
	return f
}

// String returns the number in plain notation with its own places, for example "-1234.50".
func (v Decimal) String() string { return v.d.Text('f') }

// units returns v times 10^places; the caller makes sure that v has no more places.
func (v Decimal) units(places int) *big.Int {
	var n big.Int
	n.Set(v.d.Coeff.MathBigInt())
	if v.d.Negative {
		n.Neg(&n)
	}
	return n.Mul(&n, pow10(places+int(v.d.Exponent)))
}

// fromUnits returns n times 10^-places.
func fromUnits(n *big.Int, places int) Decimal {
	var z Decimal
	z.d.Coeff.SetMathBigInt(n)
	if z.d.Coeff.Sign() < 0 {
		z.d.Negative = true
		z.d.Coeff.Abs(&z.d.Coeff)
	}
	z.d.Exponent = -int32(places)
	return z
}

// quoHalfAway returns num/den as an integer, rounded half away from zero.
func quoHalfAway(num, den *big.Int) *big.Int {
	var q, r big.Int
	q.QuoRem(num, den, &r)
	r.Abs(&r).Lsh(&r, 1)
	if r.CmpAbs(den) >= 0 {
		if num.Sign()*den.Sign() < 0 {
			return q.Sub(&q, big.NewInt(1))
		}
		return q.Add(&q, big.NewInt(1))
	}
	return &q
}

func pow10(n int) *big.Int {
	return new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(n)), nil)
}
