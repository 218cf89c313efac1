package quote

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"rackwright/internal/apperr"
	"rackwright/internal/money"
)

// hasField reports whether an error is about a field of the form.
func hasField(err error, field string) bool {
	e, ok := errors.AsType[*apperr.Error](err)
	return ok && slices.Contains(e.FieldNames(), field)
}

// parts reads instalments from a short form: "25%", "100.00" or "share".
func parts(specs ...string) []Instalment {
	var out []Instalment
	for _, s := range specs {
		p := Instalment{Label: s, Due: OnOrder}
		switch {
		case strings.HasSuffix(s, "%"):
			percent := money.MustPercent(strings.TrimSuffix(s, "%"))
			p.Percent = &percent
		case s != "share":
			p.Amount = ptr(s)
		}
		out = append(out, p)
	}
	return out
}

func TestPayments(t *testing.T) {
	tests := []struct {
		name, total string
		currency    money.Currency
		parts       []Instalment
		want        string // or the field of the fault
	}{
		{"PR042 three terms of a small total", "5.47", "USD", parts("33.34%", "33.33%", "33.33%"), "1.82 1.82 1.83"},
		{"PR043 three equal payments", "30000.00", "USD", parts("share", "share", "share"), "10000.00 10000.00 10000.00"},
		{"PR043 three percentages", "30000.00", "USD", parts("33.334%", "33.333%", "33.333%"), "10000.20 9999.90 9999.90"},
		{"PR044 deposit and four instalments", "99.99", "USD", parts("25%", "share", "share", "share", "share"), "25.00 18.75 18.75 18.75 18.74"},
		{"amount and rest", "1000.00", "USD", parts("300.00", "share"), "300.00 700.00"},
		{"rest before the end", "1000.00", "USD", parts("share", "30%"), "700.00 300.00"},
		{"yen have no decimals", "100", "JPY", parts("share", "share", "share"), "33 33 34"},
		{"all at once", "12.34", "USD", parts("100%"), "12.34"},
		{"paid out", "-10.00", "USD", parts("50%", "50%"), "-5.00 -5.00"},
		{"nothing to pay", "0.00", "USD", parts("50%", "share"), "0.00 0.00"},
		{"more than the total", "100.00", "USD", parts("150.00", "share"), "payments[1].amount"},
		{"last amount is not the rest", "100.00", "USD", parts("50.00", "49.00"), "payments[1].amount"},
		{"amount of nothing", "0.00", "USD", parts("10.00", "share"), "payments[1].amount"},
		{"none", "100.00", "USD", nil, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Payments(dec(tt.total), tt.parts, tt.currency)
			var shown []string
			for _, p := range got {
				shown = append(shown, p.Sum.String())
			}
			if s := strings.Join(shown, " "); err == nil && s != tt.want {
				t.Errorf("%s, want %s", s, tt.want)
			}
			if err != nil && !hasField(err, tt.want) {
				t.Errorf("%v, want %s", err, tt.want)
			}
		})
	}
}

func TestPaymentsAddUp(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		total := genDecimal(t, 0, 1e12, 2)
		n := rapid.IntRange(1, 12).Draw(t, "parts")
		var list []Instalment
		left := int64(10000)
		for range n {
			p := Instalment{Label: "x", Due: OnOrder}
			if rapid.Bool().Draw(t, "percent") {
				share := rapid.Int64Range(0, left).Draw(t, "share")
				left -= share
				percent := money.NewPercent(money.FromInt(share).Quo(dec("100"), 2))
				p.Percent = &percent
			}
			list = append(list, p)
		}
		list = append(list, Instalment{Label: "rest", Due: OnDelivery})
		got, err := Payments(total, list, "USD")
		if err != nil {
			return // rounding each share up can exceed a total of a few cents; that is refused, never printed
		}
		sum := dec("0.00")
		for _, p := range got {
			sum = sum.Add(p.Sum)
		}
		if !sum.Equal(total) {
			t.Fatalf("%s of %s", sum, total)
		}
	})
}

func TestValidatePayments(t *testing.T) {
	tests := []struct {
		name  string
		parts []Instalment
		field string
	}{
		{"not whole", parts("50%", "40%"), "payments"},
		{"more than whole", parts("60%", "50%", "share"), "payments"},
		{"both", func() []Instalment { p := parts("50%", "share"); p[0].Amount = ptr("5"); return p }(), "payments[0].amount"},
		{"no label", []Instalment{{Due: OnOrder}}, "payments[0].label"},
		{"no event", []Instalment{{Label: "x"}}, "payments[0].due"},
		{"days", []Instalment{{Label: "x", Due: OnOrder, Days: -1}}, "payments[0].days"},
		{"tenths of a cent", parts("1.005", "share"), "payments[0].amount"},
		{"fine", parts("50%", "50%"), ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var f apperr.Faults
			validatePayments(&f, tt.parts, "USD")
			if err := f.Err(); (err == nil) != (tt.field == "") || (err != nil && !hasField(err, tt.field)) {
				t.Errorf("%v, want %q", err, tt.field)
			}
		})
	}
}
