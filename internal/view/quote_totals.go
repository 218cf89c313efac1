package view

import (
	"rackwright/internal/money"
	"rackwright/internal/quote"
)

// NewQuoteTotals lays out the totals of a quote. The editor, the customer's page and the page
// before sending all print these strings; the figures are those of quote.Calculate.
func NewQuoteTotals(p Page, c quote.Content, t quote.Totals) QuoteTotals {
	v := QuoteTotals{Currency: string(c.Currency)}
	digits := func(d *money.Decimal) string { return digitsOr(p, d, c.Currency) }
	v.Rows = append(v.Rows, TotalRow{Label: p.T("quote.subtotal"), Value: digits(t.Subtotal)})
	if !c.Discount.IsZero() {
		v.Rows = append(v.Rows, TotalRow{Label: discountLabel(p, c.Discount), Value: digits(negated(t.Discount)), Discount: true})
	}
	if c.TaxMode == quote.Inclusive {
		v.inclusive(p, t, digits)
	} else {
		v.exclusive(p, t, digits)
	}
	v.Grand = digits(t.Total)
	v.GrandAs = p.T("quote.total_incl_currency", "currency", v.Currency)
	v.extras(p, c, t)
	if n := unpriced(c.Lines, t); n > 0 {
		v.Warning = p.N("quote.lines_unpriced", n)
	}
	return v
}

// exclusive adds net, taxes on top, and the total.
func (v *QuoteTotals) exclusive(p Page, t quote.Totals, digits func(*money.Decimal) string) {
	v.Rows = append(v.Rows, TotalRow{Label: p.T("quote.net_total"), Value: digits(t.Net), Class: "sum", Rule: true})
	for _, tax := range t.Taxes {
		v.Rows = append(v.Rows, TotalRow{Label: taxLabel(p, tax), Value: digits(&tax.Tax)})
	}
	v.Rows = append(v.Rows, TotalRow{
		Label: p.T("quote.total_incl_currency", "currency", v.Currency), Value: digits(t.Total), Class: "grand", Rule: true,
	})
}

// inclusive adds the total, and below it what of it is tax.
func (v *QuoteTotals) inclusive(p Page, t quote.Totals, digits func(*money.Decimal) string) {
	v.Rows = append(v.Rows, TotalRow{
		Label: p.T("quote.total_incl_currency", "currency", v.Currency), Value: digits(t.Total), Class: "grand", Rule: true,
	})
	for i, tax := range t.Taxes {
		v.Rows = append(v.Rows, TotalRow{
			Label: p.T("quote.tax_in_gross", "tax", taxLabel(p, tax)), Value: digits(&tax.Tax), Rule: i == 0,
		})
	}
	v.Rows = append(v.Rows, TotalRow{Label: p.T("quote.net_total"), Value: digits(t.Net)})
}

// extras lists the options and alternatives, which stand beside the total. An option would
// be added; an alternative would stand in the place of something, so it has no plus sign.
func (v *QuoteTotals) extras(p Page, c quote.Content, t quote.Totals) {
	pos := LinePositions(c.Lines)
	for i, l := range c.Lines {
		if l.Part || l.Kind != quote.Option && l.Kind != quote.Alternative || i >= len(t.Lines) {
			continue
		}
		v.Extras = append(v.Extras, TotalRow{
			Label: p.T("quote."+string(l.Kind)) + " " + pos[i], Class: "small",
			Value: plusIf(l.Kind == quote.Option, digitsOr(p, t.Lines[i].Amount, c.Currency), t.Lines[i].Amount),
		})
	}
	if len(v.Extras) > 0 {
		v.ExtraSub = p.T("quote.not_in_total_note", "mode", p.T("quote.tax_mode_"+string(c.TaxMode)))
	}
}

// discountLabel names the discount on the whole quote, with its percentage if it is one.
func discountLabel(p Page, d quote.Discount) string {
	if d.Percent.IsZero() {
		return p.T("quote.discount_whole")
	}
	return p.T("quote.discount_whole_percent", "percent", Percent(p.Lang, d.Percent))
}

// taxLabel names a tax as the quote does, "GST 9%".
func taxLabel(p Page, t quote.TaxTotal) string {
	if t.Name == "" {
		return p.T("quote.tax_plain", "rate", Percent(p.Lang, t.Rate))
	}
	return p.T("quote.tax_at", "name", t.Name, "rate", Percent(p.Lang, t.Rate))
}

// unpriced counts the lines that keep the total from being known.
func unpriced(lines []quote.Line, t quote.Totals) int {
	n := 0
	for i, l := range lines {
		if i < len(t.Lines) && l.Kind == quote.Item && !l.Part && t.Lines[i].Amount == nil {
			n++
		}
	}
	return n
}

// digitsOr returns an amount of the quote's currency without its code, or the word for unknown.
func digitsOr(p Page, d *money.Decimal, c money.Currency) string {
	if d == nil {
		return Unknown(p.Lang)
	}
	return MoneyDigits(money.New(*d, c))
}

func negated(d *money.Decimal) *money.Decimal {
	if d == nil {
		return nil
	}
	n := d.Neg()
	return &n
}

// plus sets a plus sign before what would be added.
func plus(s string, d *money.Decimal) string {
	if d == nil || d.Sign() < 0 {
		return s
	}
	return "+" + s
}
