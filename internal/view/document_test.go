package view

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"rackwright/internal/apperr"
	"rackwright/internal/company"
	"rackwright/internal/money"
	"rackwright/internal/quote"
)

// figure reads an amount as it is printed.
func figure(t *rapid.T, s string) money.Decimal {
	d, err := money.ParseDecimal(strings.NewReplacer(",", "", "−", "-", "+", "").Replace(s))
	if err != nil {
		t.Fatalf("%q is no figure: %v", s, err)
	}
	return d
}

// anyContent is a quote of random lines in a random currency.
func anyContent(t *rapid.T) quote.Content {
	c := quote.Content{
		Lang: rapid.SampledFrom([]string{"en", "zh-Hans", "zh-Hant"}).Draw(t, "lang"), TaxMode: rapid.SampledFrom([]quote.TaxMode{quote.Exclusive, quote.Inclusive}).Draw(t, "mode"),
		Currency: money.Currency(rapid.SampledFrom([]string{"USD", "JPY", "KWD"}).Draw(t, "currency")), Day: time.Date(2026, 12, 1, 0, 0, 0, 0, time.UTC),
		Layout: rapid.SampledFrom([]quote.Layout{quote.Detailed, quote.LumpSum}).Draw(t, "layout"),
	}
	if rapid.Bool().Draw(t, "discounted") {
		c.Discount.Percent = money.MustPercent(rapid.SampledFrom([]string{"0.5", "7", "33.333"}).Draw(t, "discount"))
	}
	for i := range rapid.IntRange(1, 12).Draw(t, "lines") {
		l := quote.Line{ID: int64(i + 1), Description: "x", Kind: rapid.SampledFrom(quote.LineKinds).Draw(t, "kind")}
		if l.Kind.Priced() {
			price := money.FromInt(rapid.Int64Range(-50_000, 5_000_000).Draw(t, "price")).Quo(money.FromInt(1000), 3)
			l.UnitPrice, l.Quantity = &price, money.FromInt(rapid.Int64Range(1, 999).Draw(t, "quantity"))
			l.TaxRate = money.MustPercent(rapid.SampledFrom([]string{"0", "9", "20"}).Draw(t, "tax"))
			if rapid.Bool().Draw(t, "term") {
				l.Term = quote.Term{Periods: rapid.IntRange(1, 120).Draw(t, "periods"), Unit: quote.Monthly}
			}
		}
		c.Lines = append(c.Lines, l)
	}
	return c
}

// What is printed adds up: lines to sections and to the subtotal, the totals by the tax mode, the payments to the total. An
// option or alternative changes the total by what is printed beside it, where no discount on the whole follows.
func TestPrintedFiguresAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		c := anyContent(t)
		for range rapid.IntRange(0, 5).Draw(t, "payments") {
			c.Payments = append(c.Payments, quote.Instalment{Label: "x", Due: quote.OnOrder})
		}
		totals, err := quote.Calculate(c.Input())
		if apperr.Is(err, apperr.Invalid) {
			t.Skip(err) // drawn figures that the form would refuse, such as a sum beyond the bounds; nothing is printed of them
		}
		if err != nil {
			t.Fatal(err)
		}
		q := quote.Quote{Revision: quote.Revision{Number: 1, Content: c, Totals: totals}}
		d := NewQuoteDocument(q, company.Profile{})
		sum := money.Decimal{}
		for _, s := range d.Sections {
			section := money.Decimal{}
			for _, l := range s.Lines {
				if l.Number == "" || d.Unpriced {
					if l.Amount != "" {
						t.Fatalf("a line without a price prints %q", l.Amount)
					}
					continue
				}
				section = section.Add(figure(t, l.Amount))
			}
			if s.Amount != "" && !figure(t, s.Amount).Equal(section) {
				t.Fatalf("section says %s, its lines come to %s", s.Amount, section)
			}
			sum = sum.Add(section)
		}
		if !d.Unpriced && !figure(t, d.Totals[0].Value).Equal(sum) {
			t.Fatalf("subtotal says %s, the lines come to %s", d.Totals[0].Value, sum)
		}
		checkTotals(t, c, d)
		if d.Payments != nil {
			paid := money.Decimal{}
			for _, r := range d.Payments.Rows {
				paid = paid.Add(figure(t, r.Sum))
			}
			if !paid.Equal(figure(t, d.Payments.Sum.Sum)) || !paid.Equal(*totals.Total) {
				t.Fatalf("payments come to %s of %s", paid, totals.Total)
			}
		}
		checkChoices(t, c, totals, d)
	})
}

// checkTotals adds up the rows of the totals.
func checkTotals(t *rapid.T, c quote.Content, d QuoteDocument) {
	rows := d.Totals
	left := figure(t, rows[0].Value)
	i := 1
	if rows[i].Discount {
		left = left.Add(figure(t, rows[i].Value)) // printed below zero
		i++
	}
	if c.TaxMode == quote.Inclusive {
		for j := len(rows) - 2; j > i; j-- {
			left = left.Sub(figure(t, rows[j].Value))
		}
		if net := figure(t, rows[len(rows)-1].Value); !net.Equal(left) {
			t.Fatalf("net says %s, the rows come to %s", net, left)
		}
		return
	}
	if net := figure(t, rows[i].Value); !net.Equal(left) {
		t.Fatalf("net says %s, the rows come to %s", net, left)
	}
	for _, r := range rows[i+1 : len(rows)-1] {
		left = left.Add(figure(t, r.Value))
	}
	if total := figure(t, rows[len(rows)-1].Value); !total.Equal(left) {
		t.Fatalf("total says %s, the rows come to %s", total, left)
	}
}

// checkChoices takes each option and alternative by itself and compares the subtotals.
func checkChoices(t *rapid.T, c quote.Content, totals quote.Totals, d QuoteDocument) {
	n := 0
	for i, l := range c.Lines {
		if l.Kind != quote.Option && l.Kind != quote.Alternative {
			continue
		}
		printed := d.Options[n].Amount
		n++
		if l.Kind == quote.Alternative && quote.ReplacedBy(c.Lines, i) < 0 {
			continue
		}
		chosen, err := c.Choose([]int64{l.ID})
		if err != nil {
			t.Fatal(err)
		}
		with, err := quote.Calculate(chosen.Input())
		if err != nil {
			continue
		}
		if change := with.Subtotal.Sub(*totals.Subtotal); !change.Equal(figure(t, printed)) {
			t.Fatalf("line %d prints %s, choosing it changes the subtotal by %s", i, printed, change)
		}
	}
	if n != len(d.Options) {
		t.Fatalf("%d options are printed, there are %d", len(d.Options), n)
	}
}
