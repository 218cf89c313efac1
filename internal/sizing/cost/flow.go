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

// discount holds the factors of one yearly rate over one horizon, exactly: with a rate of r
// percent, compounded monthly at r/12, the factor of one month is q = (1200 + r)/1200, a
// fraction. Multiplied by N^n, with N = 1200 + r and D = 1200, every discount factor is an
// exact decimal, and only the division at the end is rounded. Monthly payments fall due at
// the end of each month.
type discount struct {
	growth  money.Decimal // N^n
	last    money.Decimal // D^n, of what falls due at the end
	annuity money.Decimal // Σ N^(n-k)·D^k, of a payment each month
	divisor money.Decimal // (N^n - D^n)·D, the levelised divisor over r
	rate    money.Decimal
	months  int
}

var perYear = money.FromInt(1200)

func newDiscount(rate money.Decimal, months int) discount {
	n := perYear.Add(rate)
	d := discount{growth: money.FromInt(1), last: money.FromInt(1), rate: rate, months: months}
	for range months { // Horner
		d.growth = d.growth.Mul(n)
		d.last = d.last.Mul(perYear)
		d.annuity = d.annuity.Mul(n).Add(d.last)
	}
	d.divisor = d.growth.Sub(d.last).Mul(perYear)
	return d
}

// discounted is a flow under a discount.
type discounted struct {
	discount
	future money.Decimal // NPV · N^n
}

// of takes the payments of a flow, whose horizon must be that of the discount, to their value.
func (d discount) of(f flow) discounted {
	return discounted{d, money.Sum(f.start.Mul(d.growth), f.monthly.Mul(d.annuity), f.end.Mul(d.last))}
}

// npv returns the net present value, rounded once.
func (d discounted) npv(places int) money.Decimal { return d.future.Quo(d.growth, places) }

// levelised returns the equal monthly payment of the same net present value, divided by a
// positive divisor, rounded once: NPV·i/(1-(1+i)^-n).
func (d discounted) levelised(divisor money.Decimal, places int) money.Decimal {
	if d.rate.IsZero() {
		return d.future.Quo(d.growth.Mul(money.FromInt(int64(d.months))).Mul(divisor), places)
	}
	return d.future.Mul(d.rate).Quo(d.divisor.Mul(divisor), places)
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
