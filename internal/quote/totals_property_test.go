package quote

import (
	"encoding/json"
	"testing"

	"pgregory.net/rapid"

	"rackwright/internal/money"
)

// genInput draws quotes with all kinds of lines, both tax modes and currencies of 0, 2 and 3 decimals.
func genInput() *rapid.Generator[Input] {
	return rapid.Custom(func(t *rapid.T) Input {
		in := Input{
			Currency: rapid.SampledFrom([]money.Currency{"USD", "JPY", "KWD"}).Draw(t, "currency"),
			TaxMode:  rapid.SampledFrom([]TaxMode{Exclusive, Inclusive}).Draw(t, "mode"),
			Lines:    rapid.SliceOfN(genLine(), 0, 30).Draw(t, "lines"),
		}
		if rapid.Bool().Draw(t, "discounted") {
			in.Discount.Percent = money.NewPercent(genDecimal(t, 0, 10000, 2))
		}
		return in
	})
}

func genDecimal(t *rapid.T, low, high int64, places int) money.Decimal {
	return money.FromInt(rapid.Int64Range(low, high).Draw(t, "units")).Quo(money.FromInt(pow(10, places)), places)
}

func pow(b int64, n int) int64 {
	p := int64(1)
	for range n {
		p *= b
	}
	return p
}

func genLine() *rapid.Generator[Line] {
	return rapid.Custom(func(t *rapid.T) Line {
		price := genDecimal(t, 0, 1e11, 6)
		return Line{
			Kind:      rapid.SampledFrom([]LineKind{Item, Item, Item, Option, Alternative, Section, Note}).Draw(t, "kind"),
			Quantity:  genDecimal(t, 0, 100000, 2),
			UnitPrice: &price,
			Discount:  money.NewPercent(genDecimal(t, 0, 10000, 2)),
			TaxRate:   rapid.SampledFrom([]money.Percent{{}, money.MustPercent("5.5"), money.MustPercent("9"), money.MustPercent("19")}).Draw(t, "rate"),
		}
	})
}

func calculate(t *rapid.T, in Input) Totals {
	got, err := Calculate(in)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

func TestPartsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := genInput().Draw(t, "in")
		got := calculate(t, in)
		var amounts, shares, nets, taxes, rateNets money.Decimal
		for _, l := range got.Lines {
			if !l.Counts {
				if l.Net != nil || l.Share != nil {
					t.Fatal("a line outside the totals has a share")
				}
				continue
			}
			amounts, shares, nets = amounts.Add(*l.Amount), shares.Add(*l.Share), nets.Add(*l.Net)
			if l.Share.Sign() < 0 || l.Amount.Less(*l.Share) {
				t.Fatalf("share %s of amount %s", l.Share, l.Amount)
			}
		}
		for _, r := range got.Taxes {
			taxes, rateNets = taxes.Add(r.Tax), rateNets.Add(r.Net)
			if !r.Net.Add(r.Tax).Equal(r.Gross) {
				t.Fatalf("rate %s: %s + %s is not %s", r.Rate, r.Net, r.Tax, r.Gross)
			}
		}
		check := func(what string, a, b money.Decimal) {
			if !a.Equal(b) {
				t.Fatalf("%s: %s and %s", what, a, b)
			}
		}
		check("lines and subtotal", amounts, *got.Subtotal)
		check("shares and discount", shares, *got.Discount)
		check("nets of lines and net", nets, *got.Net)
		check("nets of rates and net", rateNets, *got.Net)
		check("taxes and tax", taxes, *got.Tax)
		check("net + tax and total", got.Net.Add(*got.Tax), *got.Total)
		if in.TaxMode == Inclusive {
			check("gross lines less discount and total", amounts.Sub(shares), *got.Total)
		} else {
			check("lines less discount and net", amounts.Sub(shares), *got.Net)
		}
		for _, v := range []money.Decimal{*got.Subtotal, *got.Discount, *got.Net, *got.Tax, *got.Total} {
			if v.Places() != in.Currency.Decimals() {
				t.Fatalf("%s has not the decimals of %s", v, in.Currency)
			}
		}
	})
}

// Sums do not depend on the order of the lines while no discount on the whole has to be spread: ties of
// the spread go to the earlier line, so shares of equal lines do.
func TestOrderDoesNotMatter(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := genInput().Draw(t, "in")
		in.Discount = Discount{}
		want := calculate(t, in)
		in.Lines = rapid.Permutation(in.Lines).Draw(t, "lines")
		if got := calculate(t, in); summary(got) != summary(want) {
			t.Fatalf("%s, in another order %s", summary(want), summary(got))
		}
	})
}

// Where nothing has to be rounded, ten times the quantity is ten times the total.
func TestScaling(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(0, 20).Draw(t, "n")
		one, ten := Input{Currency: "USD", TaxMode: Exclusive}, Input{Currency: "USD", TaxMode: Exclusive}
		for range n {
			price := genDecimal(t, 0, 1e9, 0)
			l := Line{Kind: Item, Quantity: genDecimal(t, 0, 1000, 0), UnitPrice: &price, TaxRate: money.MustPercent("20")}
			one.Lines = append(one.Lines, l)
			l.Quantity = l.Quantity.Mul(money.FromInt(10))
			ten.Lines = append(ten.Lines, l)
		}
		a, b := calculate(t, one), calculate(t, ten)
		if !a.Total.Mul(money.FromInt(10)).Equal(*b.Total) {
			t.Fatalf("%s and %s", a.Total, b.Total)
		}
	})
}

// A stored quote that is read back has the same totals.
func TestTotalsSurviveStorage(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		in := genInput().Draw(t, "in")
		raw, err := json.Marshal(Content{Currency: in.Currency, TaxMode: in.TaxMode, Discount: in.Discount, Lines: in.Lines})
		if err != nil {
			t.Fatal(err)
		}
		var back Content
		if err := json.Unmarshal(raw, &back); err != nil {
			t.Fatal(err)
		}
		if a, b := calculate(t, in), calculate(t, back.Input()); summary(a) != summary(b) {
			t.Fatalf("%s, read back %s", summary(a), summary(b))
		}
	})
}

func BenchmarkCalculate(b *testing.B) {
	in := withDefaults(Input{Lines: repeat(300, "3 1234.56 2.5 9"), Discount: Discount{Percent: money.MustPercent("1")}})
	for b.Loop() {
		if _, err := Calculate(in); err != nil {
			b.Fatal(err)
		}
	}
}
