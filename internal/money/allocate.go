package money

import (
	"cmp"
	"math/big"
	"slices"
)

// Allocate divides total among the weights by largest remainder, in steps of 10^-places. The
// shares add up to total rounded to places; a share never differs from its exact part by a whole
// step; ties go to the earlier weight. A weight that is not positive gets 0. Where no weight is
// positive there is nobody to give to, and all shares are 0.
func Allocate(total Decimal, weights []Decimal, places int) []Decimal {
	scale := 0
	for _, w := range weights {
		scale = max(scale, w.Places())
	}
	sum := new(big.Int)
	units := make([]*big.Int, len(weights))
	for i, w := range weights {
		units[i] = new(big.Int)
		if w.Sign() > 0 {
			units[i] = w.units(scale)
			sum.Add(sum, units[i])
		}
	}
	if sum.Sign() == 0 {
		return zeros(len(weights), places)
	}
	total = total.Round(places)
	n := total.Abs().units(places)
	for _, u := range units {
		u.Mul(u, n)
	}
	shares := apportion(n, units, sum)
	return toDecimals(shares, places, total.Sign() < 0)
}

// AllocateQuo returns parts[i] / divisor in steps of 10^-places so that the results add up to
// total, which should be the rounded quotient of the sum: each is rounded down, and the steps
// that are missing go to the largest remainders, ties to the earlier part. Parts may be negative;
// divisor is positive. It is how nets are taken out of tax-inclusive prices.
func AllocateQuo(total Decimal, parts []Decimal, divisor Decimal, places int) []Decimal {
	if divisor.Sign() <= 0 {
		panic("money: AllocateQuo by a divisor that is not positive")
	}
	scale := divisor.Places()
	for _, p := range parts {
		scale = max(scale, p.Places())
	}
	nums := make([]*big.Int, len(parts))
	for i, p := range parts {
		nums[i] = p.units(scale + places)
	}
	shares := apportion(total.Round(places).units(places), nums, divisor.units(scale))
	return toDecimals(shares, places, false)
}

// apportion rounds every nums[i]/den down and hands out the rest of total, one unit each, by
// descending remainder.
func apportion(total *big.Int, nums []*big.Int, den *big.Int) []*big.Int {
	shares := make([]*big.Int, len(nums))
	rests := make([]*big.Int, len(nums))
	order := make([]int, len(nums))
	left := new(big.Int).Set(total)
	for i, n := range nums {
		shares[i], rests[i] = new(big.Int).DivMod(n, den, new(big.Int)) // den > 0: floor
		left.Sub(left, shares[i])
		order[i] = i
	}
	if len(nums) == 0 {
		return shares
	}
	slices.SortStableFunc(order, func(a, b int) int {
		return cmp.Or(rests[b].Cmp(rests[a]), cmp.Compare(a, b))
	})
	// left is within 0..len for a total that fits its parts; whole rounds keep the sum right for any.
	rounds, rest := new(big.Int).DivMod(left, big.NewInt(int64(len(nums))), new(big.Int))
	one := big.NewInt(1)
	for rank, i := range order {
		shares[i].Add(shares[i], rounds)
		if int64(rank) < rest.Int64() {
			shares[i].Add(shares[i], one)
		}
	}
	return shares
}

func zeros(n, places int) []Decimal {
	z := make([]Decimal, n)
	for i := range z {
		z[i] = Decimal{}.Round(places)
	}
	return z
}

func toDecimals(units []*big.Int, places int, negate bool) []Decimal {
	out := make([]Decimal, len(units))
	for i, u := range units {
		if negate {
			u.Neg(u)
		}
		out[i] = fromUnits(u, places)
	}
	return out
}
