package quote

import (
	"slices"
	"strings"

	"rackwright/internal/inventory"
	"rackwright/internal/money"
)

// StockDemand returns what an acceptance of the content reserves, by SKU in alphabetical order, which is also the
// order in which stock is locked. A bundle takes its own SKU, or its parts where it is assembled here. Options,
// alternatives, free lines and what does not lie in a warehouse take nothing; a fraction takes a whole piece.
func StockDemand(c Content) []inventory.Demand {
	bySKU := map[string]int64{}
	for i, l := range c.Lines {
		if l.Kind != Item || l.Part {
			continue
		}
		if !l.Assembled {
			count(bySKU, l, l.Quantity)
			continue
		}
		from, to := partsOf(c.Lines, i)
		for _, p := range c.Lines[from:to] {
			count(bySKU, p, p.Quantity.Mul(l.Quantity))
		}
	}
	demands := make([]inventory.Demand, 0, len(bySKU))
	for sku, n := range bySKU {
		demands = append(demands, inventory.Demand{SKU: sku, Quantity: n})
	}
	slices.SortFunc(demands, func(a, b inventory.Demand) int { return strings.Compare(a.SKU, b.SKU) })
	return demands
}

func count(bySKU map[string]int64, l Line, quantity money.Decimal) {
	if l.SKU == "" || !l.Stocked {
		return
	}
	whole := quantity.Round(0)
	if whole.Less(quantity) {
		whole = whole.Add(money.FromInt(1))
	}
	if n, ok := whole.Int64(); ok && n > 0 {
		bySKU[l.SKU] += n
	}
}
