package quote

import (
	"slices"

	"rackwright/internal/money"
)

// Input is what totals are computed from.
type Input struct {
	Currency money.Currency
	TaxMode  TaxMode
	Discount Discount
	Lines    []Line
}

// Totals are the sums of a quote, all in its currency and rounded to its decimals. A nil value is not
// known, because a line that counts has no price yet (R9).
type Totals struct {
	Currency money.Currency `json:"currency"`
	TaxMode  TaxMode        `json:"tax_mode"`
	Lines    []LineTotal    `json:"lines"`    // one for each line, in order
	Subtotal *money.Decimal `json:"subtotal"` // sum of the items' amounts; with tax if the mode is Inclusive
	Discount *money.Decimal `json:"discount"` // on the whole quote, as a positive amount
	Net      *money.Decimal `json:"net"`      // without tax, discount taken off
	Taxes    []TaxTotal     `json:"taxes"`    // by rate, lowest first; none when not known
	Tax      *money.Decimal `json:"tax"`
	Total    *money.Decimal `json:"total"` // with tax
}

// Known reports whether every line that counts has a price.
func (t Totals) Known() bool { return t.Total != nil }

// TaxTotal is the tax of one rate. Net + Tax = Gross.
type TaxTotal struct {
	Rate  money.Percent `json:"rate"`
	Name  string        `json:"name,omitempty"` // of the first line with this rate that has one
	Net   money.Decimal `json:"net"`
	Tax   money.Decimal `json:"tax"`
	Gross money.Decimal `json:"gross"`
}

// LineTotal is what Calculate says of one line.
type LineTotal struct {
	Counts    bool           `json:"counts"`     // in the totals of the quote
	Quantity  money.Decimal  `json:"quantity"`   // of a part: for all bundles together
	UnitPrice *money.Decimal `json:"unit_price"` // of a bundle without its own: the sum of its parts
	Amount    *money.Decimal `json:"amount"`     // as printed: quantity x price x periods less line discount, rounded; of a section: the sum below it
	Share     *money.Decimal `json:"share"`      // of the discount on the whole quote
	Net       *money.Decimal `json:"net"`        // without tax, both discounts taken off
}

// Calculate computes the totals of a quote. It is the only place where totals come from: the editor, the
// stored quote, the PDF, the public page and the export all show its result (R11). Faulty input
// is an Invalid error with the faults by field, for example "lines[2].discount".
//
// Every line is rounded once, half away from zero, to the currency's decimals (R1). The discount on
// the whole is rounded once and spread over the items with a positive amount by largest remainder (R2).
// Exclusive: tax once per rate on the sum of discounted nets (R3). Inclusive: per rate tax is taken out
// of the gross sum, and the lines' nets share the rest (R4).
func Calculate(in Input) (Totals, error) {
	if err := in.validate(); err != nil {
		return Totals{}, err
	}
	t := Totals{Currency: in.Currency, TaxMode: in.TaxMode, Lines: make([]LineTotal, len(in.Lines))}
	places := in.Currency.Decimals()
	for i := range in.Lines {
		t.Lines[i] = lineTotal(in.Lines, i, places)
	}
	if err := checkOff(in.Lines, t.Lines); err != nil {
		return Totals{}, err
	}
	sumSections(in.Lines, t.Lines, places)

	counted, known := countedLines(t.Lines)
	if !known {
		return t, nil
	}
	subtotal := money.Decimal{}.Round(places)
	for _, i := range counted {
		subtotal = subtotal.Add(*t.Lines[i].Amount)
	}
	discount, err := in.Discount.amount(subtotal, places)
	if err != nil {
		return Totals{}, err
	}
	t.Subtotal, t.Discount = &subtotal, &discount
	spread(discount, t.Lines, counted, places)
	t.addTaxes(in, counted, places)
	return t, nil
}

// lineTotal computes what line i is by itself.
func lineTotal(lines []Line, i, places int) LineTotal {
	l := lines[i]
	if !l.Kind.Priced() {
		return LineTotal{}
	}
	if l.Part {
		b := bundleOf(lines, i)
		return LineTotal{Quantity: l.Quantity.Mul(lines[b].Quantity), UnitPrice: l.UnitPrice}
	}
	t := LineTotal{Counts: l.Kind == Item, Quantity: l.Quantity, UnitPrice: unitPrice(lines, i)}
	if t.UnitPrice != nil {
		amount := l.Discount.Off(l.Quantity.Mul(*t.UnitPrice).Mul(l.Term.Factor())).Round(places).Sub(l.Off)
		t.Amount = &amount
	}
	return t
}

// bundleOf returns the index of the bundle that part i belongs to. Input is validated: there is one.
func bundleOf(lines []Line, i int) int {
	for lines[i].Part {
		i--
	}
	return i
}

// partsOf returns the indexes of the parts of line i.
func partsOf(lines []Line, i int) (from, to int) {
	to = i + 1
	for to < len(lines) && lines[to].Part {
		to++
	}
	return i + 1, to
}

// unitPrice returns the price of one: the line's own, or of a bundle without one the sum of its
// parts. It is nil when a price is missing.
func unitPrice(lines []Line, i int) *money.Decimal {
	if lines[i].UnitPrice != nil {
		return lines[i].UnitPrice
	}
	from, to := partsOf(lines, i)
	if from == to {
		return nil
	}
	var sum money.Decimal
	for _, part := range lines[from:to] {
		if part.UnitPrice == nil {
			return nil
		}
		sum = sum.Add(part.Quantity.Mul(*part.UnitPrice))
	}
	return &sum
}

// sumSections gives every section the sum of the items below it, up to the next section.
func sumSections(lines []Line, totals []LineTotal, places int) {
	section := -1
	for i, l := range lines {
		if l.Kind == Section {
			section = i
			zero := money.Decimal{}.Round(places)
			totals[i].Amount = &zero
			continue
		}
		if section < 0 || !totals[i].Counts || totals[section].Amount == nil {
			continue
		}
		if totals[i].Amount == nil {
			totals[section].Amount = nil
			continue
		}
		sum := totals[section].Amount.Add(*totals[i].Amount)
		totals[section].Amount = &sum
	}
}

// countedLines returns the indexes of the lines in the totals, and whether all their amounts are known.
func countedLines(totals []LineTotal) ([]int, bool) {
	var counted []int
	for i, t := range totals {
		if !t.Counts {
			continue
		}
		if t.Amount == nil {
			return nil, false
		}
		counted = append(counted, i)
	}
	return counted, true
}

// spread divides the discount on the whole over the counted lines with a positive amount.
func spread(discount money.Decimal, totals []LineTotal, counted []int, places int) {
	weights := make([]money.Decimal, len(counted))
	for n, i := range counted {
		weights[n] = *totals[i].Amount // Allocate gives nothing to what is not positive
	}
	for n, share := range money.Allocate(discount, weights, places) {
		totals[counted[n]].Share = &share
	}
}

// addTaxes fills Net of the counted lines and everything from Net to Total.
func (t *Totals) addTaxes(in Input, counted []int, places int) {
	net, tax := money.Decimal{}.Round(places), money.Decimal{}.Round(places)
	for _, group := range groupByRate(in.Lines, counted) {
		var one TaxTotal
		if in.TaxMode == Inclusive {
			one = t.taxIncluded(group, places)
		} else {
			one = t.taxOnTop(group, places)
		}
		t.Taxes = append(t.Taxes, one)
		net, tax = net.Add(one.Net), tax.Add(one.Tax)
	}
	total := net.Add(tax)
	t.Net, t.Tax, t.Total = &net, &tax, &total
}

// rateGroup is the counted lines of one tax rate, in order.
type rateGroup struct {
	rate  money.Percent
	name  string
	lines []int
}

// groupByRate puts lines of equal rates together, lowest rate first.
func groupByRate(lines []Line, counted []int) []rateGroup {
	var groups []rateGroup
	index := map[string]int{}
	for _, i := range counted {
		key := lines[i].TaxRate.String() // 9 and 9.00 are one rate
		g, ok := index[key]
		if !ok {
			g = len(groups)
			index[key] = g
			groups = append(groups, rateGroup{rate: lines[i].TaxRate})
		}
		groups[g].lines = append(groups[g].lines, i)
		if groups[g].name == "" {
			groups[g].name = lines[i].TaxName
		}
	}
	slices.SortFunc(groups, func(a, b rateGroup) int { return a.rate.Cmp(b.rate) })
	return groups
}

// taxOnTop is rule R3: the lines' amounts are nets, and tax is rounded once on their sum.
func (t *Totals) taxOnTop(g rateGroup, places int) TaxTotal {
	sum := money.Decimal{}.Round(places)
	for _, i := range g.lines {
		net := t.Lines[i].Amount.Sub(*t.Lines[i].Share)
		t.Lines[i].Net = &net
		sum = sum.Add(net)
	}
	tax := g.rate.Of(sum).Round(places)
	return TaxTotal{Rate: g.rate, Name: g.name, Net: sum, Tax: tax, Gross: sum.Add(tax)}
}

// taxIncluded is rule R4: the lines' amounts are gross, tax is taken out of their sum once, and the rest
// is shared by the lines' nets.
func (t *Totals) taxIncluded(g rateGroup, places int) TaxTotal {
	gross := make([]money.Decimal, len(g.lines))
	sum := money.Decimal{}.Round(places)
	for n, i := range g.lines {
		gross[n] = t.Lines[i].Amount.Sub(*t.Lines[i].Share)
		sum = sum.Add(gross[n])
	}
	rate := g.rate.Decimal()
	tax := sum.Mul(rate).Quo(money.FromInt(100).Add(rate), places)
	net := sum.Sub(tax)
	for n, share := range money.AllocateQuo(net, gross, money.FromInt(1).Add(g.rate.Factor()), places) {
		t.Lines[g.lines[n]].Net = &share
	}
	return TaxTotal{Rate: g.rate, Name: g.name, Net: net, Tax: tax, Gross: sum}
}
