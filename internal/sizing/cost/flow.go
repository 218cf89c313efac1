package cost

import "rackwright/internal/money"

// flow is what is paid: at the start, at the end of every month, and at the end of the
// horizon, where a negative amount comes back.
type flow struct {
	start, monthly, end money.Decimal
	months              int
}

// places of money in results: rounding happens here once, display rounds no further than
// the currency.
const places = 2

// total returns the undiscounted sum.
func (f flow) total() money.Decimal {
	return money.Sum(f.start, f.monthly.Mul(money.FromInt(int64(f.months))), f.end)
}

// cumulative returns what has been paid after 0, 1 … months, each rounded.
func (f flow) cumulative() []money.Decimal {
	out := make([]money.Decimal, f.months+1)
	sum := f.start
	for m := range out {
		if m > 0 {
			sum = sum.Add(f.monthly)
		}
		if m == f.months {
			sum = sum.Add(f.end)
		}
		out[m] = sum.Round(places)
	}
	return out
}

// discounted holds NPV and levelised payment as exact fractions: with a yearly rate of r
// percent, compounded monthly at r/12, the factor of one month is q = (1200 + r)/1200, a
// fraction. So the future value F = Σ payment·N^(n-k)·D^k with N = 1200 + r and D = 1200 is
// an exact decimal, and only the division at the end is rounded.
type discounted struct {
	future  money.Decimal // Σ payment_k · N^(n-k) · D^k
	growth  money.Decimal // N^n
	annuity money.Decimal // (N^n - D^n)·D, the levelised divisor over r
	rate    money.Decimal
	months  int
}

var perYear = money.FromInt(1200)

// discount takes the payments to their value at a yearly rate in percent, as of the start.
// Monthly payments fall due at the end of each month.
func (f flow) discount(rate money.Decimal) discounted {
	n := perYear.Add(rate)
	future, pow := f.start, money.FromInt(1)
	growth := money.FromInt(1)
	for k := 1; k <= f.months; k++ {
		growth = growth.Mul(n)
		pow = pow.Mul(perYear)
		due := f.monthly
		if k == f.months {
			due = due.Add(f.end)
		}
		future = future.Mul(n).Add(due.Mul(pow))
	}
	return discounted{future: future, growth: growth, annuity: growth.Sub(pow).Mul(perYear), rate: rate, months: f.months}
}

// npv returns the net present value, rounded once.
func (d discounted) npv(places int) money.Decimal { return d.future.Quo(d.growth, places) }

// levelised returns the equal monthly payment of the same net present value, divided by a
// positive divisor, rounded once: NPV·i/(1-(1+i)^-n).
func (d discounted) levelised(divisor money.Decimal, places int) money.Decimal {
	if d.rate.IsZero() {
		return d.future.Quo(d.growth.Mul(money.FromInt(int64(d.months))).Mul(divisor), places)
	}
	return d.future.Mul(d.rate).Quo(d.annuity.Mul(divisor), places)
}

// BreakEvenMonths returns after how many months owning has cost no more than renting, as
// the purchase divided by what renting costs more each month; false means never.
func BreakEvenMonths(purchase, owningMonthly, rentingMonthly money.Decimal, places int) (money.Decimal, bool) {
	saving := rentingMonthly.Sub(owningMonthly)
	if saving.Sign() <= 0 {
		return money.Decimal{}, false
	}
	return purchase.Quo(saving, places), true
}

// StraightLine returns the depreciation of one month; months must be positive.
func StraightLine(purchase, salvage money.Decimal, months int) money.Decimal {
	return purchase.Sub(salvage).Quo(money.FromInt(int64(months)), places)
}

// EnergyMonthly returns the cost of energy in a month: kilowatts × hours × PUE × price per kWh, exactly.
func EnergyMonthly(kilowatts, hours, pue, price money.Decimal) money.Decimal {
	return kilowatts.Mul(hours).Mul(pue).Mul(price)
}

// ceil returns the least whole number not below v, for a non-negative v.
func ceil(v money.Decimal) int {
	whole := v.Round(0)
	if whole.Less(v) {
		whole = whole.Add(money.FromInt(1))
	}
	n, ok := whole.Int64()
	if !ok {
		return 1 << 30
	}
	return int(n)
}
