package quote

import "rackwright/internal/money"

// Margin is what a quote earns. It never reaches a customer (R12).
type Margin struct {
	Cost    *money.Decimal // nil while the cost of a line is not known
	Profit  *money.Decimal
	Percent *money.Percent // of the net total, two decimals; nil when the net total is 0
	Unknown []int          // lines that count and whose cost is not known

	// Of the lines whose cost is known, while all nets are: one line without a cost must not hide what
	// the others lose.
	knownNet, knownCost *money.Decimal
}

// Below reports whether the lines whose cost is known earn less than a target. Lines that are given
// away earn less than any.
func (m Margin) Below(target money.Percent) bool {
	return m.knownNet != nil && m.knownNet.Sub(*m.knownCost).Less(target.Of(*m.knownNet))
}

// MarginOf returns the margin of a content with its totals. The cost of a bundle without one is that of
// its parts.
func MarginOf(c Content, t Totals) Margin {
	var m Margin
	var cost, net money.Decimal
	known := 0
	for i, l := range c.Lines {
		if i >= len(t.Lines) || !t.Lines[i].Counts {
			continue
		}
		unit := unitCost(c.Lines, i)
		if unit == nil {
			m.Unknown = append(m.Unknown, i)
			continue
		}
		known++
		cost = cost.Add(l.Quantity.Mul(*unit).Mul(l.Term.Factor()).Round(c.Currency.Decimals()))
		if t.Lines[i].Net != nil {
			net = net.Add(*t.Lines[i].Net)
		}
	}
	if known > 0 && t.Net != nil {
		m.knownNet, m.knownCost = &net, &cost
	}
	if len(m.Unknown) > 0 || t.Net == nil {
		return m
	}
	profit := t.Net.Sub(cost)
	m.Cost, m.Profit = &cost, &profit
	if !t.Net.IsZero() {
		percent := money.NewPercent(profit.Mul(hundred).Quo(*t.Net, 2))
		m.Percent = &percent
	}
	return m
}

func unitCost(lines []Line, i int) *money.Decimal {
	if lines[i].Cost != nil {
		return lines[i].Cost
	}
	from, to := partsOf(lines, i)
	if from == to {
		return nil
	}
	var sum money.Decimal
	for _, p := range lines[from:to] {
		if p.Cost == nil {
			return nil
		}
		sum = sum.Add(p.Quantity.Mul(*p.Cost))
	}
	return &sum
}
