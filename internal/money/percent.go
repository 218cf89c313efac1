package money

// Percent is a percentage: 12.5 means 12.5 %, never 0.125. The zero value is 0 %.
type Percent struct {
	d Decimal
}

// hundredth is one per cent as a factor.
var hundredth = MustDecimal("0.01")

// ParsePercent reads a percentage without its sign, as ParseDecimal reads a number: "12.5".
// It sets no range; a discount or a tax rate checks its own.
func ParsePercent(s string) (Percent, error) {
	d, err := ParseDecimal(s)
	return Percent{d}, err
}

// MustPercent is ParsePercent for constants in code; it panics on bad syntax.
func MustPercent(s string) Percent { return Percent{MustDecimal(s)} }

// NewPercent returns d as a percentage: 12.5 becomes 12.5 %.
func NewPercent(d Decimal) Percent { return Percent{d} }

// Decimal returns the number before the sign: 12.5 for 12.5 %.
func (p Percent) Decimal() Decimal { return p.d }

// Factor returns the percentage as an exact factor: 0.125 for 12.5 %.
func (p Percent) Factor() Decimal { return p.d.Mul(hundredth) }

// Of returns that percentage of v, exactly and unrounded.
func (p Percent) Of(v Decimal) Decimal { return v.Mul(p.Factor()) }

// Off returns v less that percentage, exactly and unrounded.
func (p Percent) Off(v Decimal) Decimal { return v.Sub(p.Of(v)) }

// Cmp returns -1, 0 or +1 as p is less than, equal to or greater than q.
func (p Percent) Cmp(q Percent) int { return p.d.Cmp(q.d) }

// Equal reports whether p and q are the same percentage.
func (p Percent) Equal(q Percent) bool { return p.d.Equal(q.d) }

// IsZero reports whether p is 0 %.
func (p Percent) IsZero() bool { return p.d.IsZero() }

// Sign returns -1, 0 or +1.
func (p Percent) Sign() int { return p.d.Sign() }

// String returns the number without its sign and without trailing zeros: "12.5".
func (p Percent) String() string { return p.d.Trim().String() }
