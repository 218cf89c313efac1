package money

import (
	"errors"
	"strings"
	"testing"

	bojanz "github.com/bojanz/currency"
	"pgregory.net/rapid"
)

func decimals(s string) []Decimal {
	var out []Decimal
	for f := range strings.FieldsSeq(s) {
		out = append(out, MustDecimal(f))
	}
	return out
}

func join(ds []Decimal) string {
	var parts []string
	for _, d := range ds {
		parts = append(parts, d.String())
	}
	return strings.Join(parts, " ")
}

func TestAllocate(t *testing.T) {
	tests := []struct {
		name, total, weights string
		places               int
		want                 string
	}{
		{"ties go to the earlier", "100.00", "1 1 1", 2, "33.34 33.33 33.33"},
		{"largest remainder first", "1.00", "1 2 4", 2, "0.14 0.29 0.57"},
		{"yen", "100", "1 1 1", 0, "34 33 33"},
		{"negative total mirrors", "-100.00", "1 1 1", 2, "-33.34 -33.33 -33.33"},
		{"no weight, no share", "10.00", "0 5 -3 5", 2, "0.00 5.00 0.00 5.00"},
		{"no positive weight", "10.00", "0 -1", 2, "0.00 0.00"},
		{"weights of different places", "1.00", "0.5 1.50", 2, "0.25 0.75"},
		{"one cent among many", "0.01", "3 3 3", 2, "0.01 0.00 0.00"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := join(Allocate(MustDecimal(tt.total), decimals(tt.weights), tt.places)); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestAllocateSharesAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		places := rapid.IntRange(0, 3).Draw(t, "places")
		total := genDecimal().Draw(t, "total").Round(places)
		weights := rapid.SliceOfN(genDecimal(), 1, 40).Draw(t, "weights")
		sum := Decimal{}
		for i, w := range weights {
			weights[i] = w.Abs()
			sum = sum.Add(weights[i])
		}
		shares := Allocate(total, weights, places)
		if sum.IsZero() {
			return
		}
		if !Sum(shares...).Equal(total) {
			t.Fatalf("shares %v do not add up to %s", shares, total)
		}
		step := fromUnits(FromInt(1).units(0), places)
		for i, s := range shares {
			// |share - total*w/sum| < step, without dividing
			if d := s.Mul(sum).Sub(total.Mul(weights[i])).Abs(); !d.Less(step.Mul(sum)) {
				t.Fatalf("share %s of weight %s is a step off", s, weights[i])
			}
		}
	})
}

func TestAllocateQuo(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		places := rapid.IntRange(0, 3).Draw(t, "places")
		divisor := MustDecimal("100").Add(fromUnits(FromInt(rapid.Int64Range(0, 5000).Draw(t, "rate")).units(0), 2))
		parts := rapid.SliceOfN(genDecimal(), 1, 40).Draw(t, "parts")
		for i := range parts {
			parts[i] = parts[i].Round(places)
		}
		total := Sum(parts...).Quo(divisor, places)
		got := AllocateQuo(total, parts, divisor, places)
		if !Sum(got...).Equal(total) {
			t.Fatalf("%v do not add up to %s", got, total)
		}
		step := fromUnits(FromInt(1).units(0), places)
		for i := range got {
			if d := got[i].Mul(divisor).Sub(parts[i]).Abs(); divisor.Mul(step).Less(d) {
				t.Fatalf("%s of %s is more than a step off", got[i], parts[i])
			}
		}
	})
}

func TestCurrenciesMatchCLDR(t *testing.T) {
	for _, code := range bojanz.GetCurrencyCodes() {
		digits, _ := bojanz.GetDigits(code)
		c, err := ParseCurrency(code)
		if err != nil {
			t.Errorf("%s is missing", code)
			continue
		}
		if c.Decimals() != int(digits) {
			t.Errorf("%s has %d decimals, CLDR says %d", code, c.Decimals(), digits)
		}
	}
}

func TestParseCurrency(t *testing.T) {
	if c, err := ParseCurrency(" jpy "); err != nil || c != "JPY" || c.Decimals() != 0 {
		t.Errorf("%q, %v", c, err)
	}
	for _, bad := range []string{"", "US", "XXX", "USDT", "美元"} {
		if _, err := ParseCurrency(bad); !errors.Is(err, ErrCurrency) {
			t.Errorf("%q: %v", bad, err)
		}
	}
	if MustDecimal("1.2345").Round(Currency("KWD").Decimals()).String() != "1.235" {
		t.Error("KWD has three decimals")
	}
}

func TestAmount(t *testing.T) {
	usd, jpy := New(MustDecimal("0.125"), "USD"), New(MustDecimal("99.5"), "JPY")
	if _, err := usd.Add(jpy); !errors.Is(err, ErrMixedCurrency) {
		t.Errorf("mixed currencies added: %v", err)
	}
	if got := usd.Mul(FromInt(3)).Round().String(); got != "USD 0.38" {
		t.Error(got)
	}
	if got := jpy.Round().String(); got != "JPY 100" {
		t.Error(got)
	}
	if got, err := usd.Sub(usd); err != nil || !got.IsZero() {
		t.Error(got, err)
	}
}

func TestPercent(t *testing.T) {
	p := MustPercent("12.5")
	if got := p.Of(MustDecimal("0.10")).String(); got != "0.01250" && got != "0.0125" {
		t.Error(got)
	}
	if got := p.Off(FromInt(8)); !got.Equal(FromInt(7)) {
		t.Error(got)
	}
	if MustPercent("7.500000").String() != "7.5" || !MustPercent("7.50").Equal(MustPercent("7.5")) {
		t.Error("places matter")
	}
}
