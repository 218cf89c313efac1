package money

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestParseDecimal(t *testing.T) {
	tests := []struct {
		name, in, want string
		err            error
	}{
		{name: "integer", in: "42", want: "42"},
		{name: "negative", in: "-0.5", want: "-0.5"},
		{name: "keeps its places", in: "3.60", want: "3.60"},
		{name: "no digit before the point", in: ".5", want: "0.5"},
		{name: "minus zero is zero", in: "-0.00", want: "0.00"},
		{name: "leading zeros", in: "007", want: "7"},
		{name: "as long as allowed", in: strings.Repeat("9", MaxDigits), want: strings.Repeat("9", MaxDigits)},
		{name: "empty", in: "", err: ErrSyntax},
		{name: "sign alone", in: "-", err: ErrSyntax},
		{name: "point alone", in: ".", err: ErrSyntax},
		{name: "point at the end", in: "5.", err: ErrSyntax},
		{name: "two points", in: "1.2.3", err: ErrSyntax},
		{name: "plus", in: "+1", err: ErrSyntax},
		{name: "grouping", in: "1,234.50", err: ErrSyntax},
		{name: "space", in: " 1", err: ErrSyntax},
		{name: "exponent", in: "1e9", err: ErrSyntax},
		{name: "huge exponent", in: "1e999999999", err: ErrSyntax},
		{name: "not a number", in: "NaN", err: ErrSyntax},
		{name: "infinity", in: "Infinity", err: ErrSyntax},
		{name: "full-width digits", in: "１２", err: ErrSyntax},
		{name: "hexadecimal", in: "0x10", err: ErrSyntax},
		{name: "too long", in: strings.Repeat("9", MaxDigits+1), err: ErrTooLong},
		{name: "far too long", in: strings.Repeat("0", 1<<20), err: ErrTooLong},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := ParseDecimal(tt.in)
			if !errors.Is(err, tt.err) {
				t.Fatalf("error %v, want %v", err, tt.err)
			}
			if err == nil && got.String() != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestRound(t *testing.T) {
	tests := []struct {
		in     string
		places int
		want   string
	}{
		{"2.5", 0, "3"}, {"-2.5", 0, "-3"}, {"2.4999", 0, "2"}, {"0.005", 2, "0.01"}, {"-0.004", 2, "0.00"},
		{"1.005", 2, "1.01"}, {"3.6", 2, "3.60"}, {"1250", -2, "1300"}, {"2.0005", 3, "2.001"},
	}
	for _, tt := range tests {
		if got := MustDecimal(tt.in).Round(tt.places); got.String() != tt.want {
			t.Errorf("Round(%s, %d) = %s, want %s", tt.in, tt.places, got, tt.want)
		}
	}
}

func TestQuo(t *testing.T) {
	tests := []struct {
		v, w   string
		places int
		want   string
	}{
		{"1", "3", 4, "0.3333"}, {"2", "3", 4, "0.6667"}, {"1", "8", 2, "0.13"}, {"-1", "8", 2, "-0.13"},
		{"1", "-8", 2, "-0.13"}, {"100", "1.10", 6, "90.909091"}, {"0", "7", 2, "0.00"}, {"12345", "1", -2, "12300"},
		{"0.000001", "0.000002", 1, "0.5"},
	}
	for _, tt := range tests {
		if got := MustDecimal(tt.v).Quo(MustDecimal(tt.w), tt.places); got.String() != tt.want {
			t.Errorf("%s / %s at %d = %s, want %s", tt.v, tt.w, tt.places, got, tt.want)
		}
	}
}

func TestQuoByZeroPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	FromInt(1).Quo(Decimal{}, 2)
}

func TestTrim(t *testing.T) {
	for in, want := range map[string]string{"3.600000": "3.6", "5.000": "5", "100": "100", "0.00": "0", "-1.50": "-1.5"} {
		if got := MustDecimal(in).Trim().String(); got != want {
			t.Errorf("Trim(%s) = %s, want %s", in, got, want)
		}
	}
}

func TestScan(t *testing.T) {
	for _, in := range []any{"12.500000", []byte("12.5")} {
		var v Decimal
		if err := v.Scan(in); err != nil || !v.Equal(MustDecimal("12.5")) {
			t.Errorf("Scan(%v) = %s, %v", in, v, err)
		}
	}
	for _, in := range []any{"NaN", "Infinity", "-Infinity", nil, 1.5, "1e400000000"} {
		v := FromInt(7)
		if err := v.Scan(in); err == nil {
			t.Errorf("Scan(%v) was accepted as %s", in, v)
		} else if !v.Equal(FromInt(7)) {
			t.Errorf("Scan(%v) changed its receiver", in)
		}
	}
}

func TestJSON(t *testing.T) {
	type row struct {
		Price   *Decimal `json:"price"`
		Rate    Percent  `json:"rate"`
		Nothing *Decimal `json:"nothing"`
	}
	price := MustDecimal("0.10")
	b, err := json.Marshal(row{Price: &price, Rate: MustPercent("5.5")})
	if err != nil || string(b) != `{"price":"0.10","rate":"5.5","nothing":null}` {
		t.Fatalf("%s, %v", b, err)
	}
	var back row
	if err := json.Unmarshal(b, &back); err != nil || back.Price.String() != "0.10" || back.Nothing != nil {
		t.Errorf("%+v, %v", back, err)
	}
	for _, bad := range []string{`{"price":0.1}`, `{"price":"1e5"}`, `{"rate":{}}`} {
		if err := json.Unmarshal([]byte(bad), &back); err == nil {
			t.Errorf("%s was accepted", bad)
		}
	}
}

// genDecimal draws numbers as wide as the database's columns.
func genDecimal() *rapid.Generator[Decimal] {
	return rapid.Custom(func(t *rapid.T) Decimal {
		n := rapid.Int64Range(-1e15, 1e15).Draw(t, "units")
		return fromUnits(FromInt(n).units(0), rapid.IntRange(0, 6).Draw(t, "places"))
	})
}

func TestArithmeticIsExact(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b, c := genDecimal().Draw(t, "a"), genDecimal().Draw(t, "b"), genDecimal().Draw(t, "c")
		if !a.Add(b).Sub(b).Equal(a) {
			t.Fatal("a + b - b is not a")
		}
		if !a.Add(b).Mul(c).Equal(a.Mul(c).Add(b.Mul(c))) {
			t.Fatal("not distributive")
		}
		if !a.Neg().Round(2).Equal(a.Round(2).Neg()) {
			t.Fatal("rounding depends on the sign")
		}
		if d := a.Round(2).Sub(a).Abs(); MustDecimal("0.005").Less(d) {
			t.Fatalf("rounding moved %s by %s", a, d)
		}
		if !b.IsZero() && !a.Mul(b).Quo(b, a.Places()).Equal(a) {
			t.Fatal("a * b / b is not a")
		}
		back, err := ParseDecimal(a.String())
		if err != nil || back.String() != a.String() {
			t.Fatalf("%s is read back as %s, %v", a, back, err)
		}
	})
}

func FuzzParseDecimal(f *testing.F) {
	for _, s := range []string{"", "0", "-1.50", ".5", "1e9", "1E+1000000000", "NaN", "1_000", "." + strings.Repeat("0", MaxDigits), "0x1p-2", "٣", "--1"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, err := ParseDecimal(s)
		if err != nil {
			return
		}
		back, err := ParseDecimal(v.String())
		if err != nil || !back.Equal(v) || back.Places() != v.Places() {
			t.Errorf("%q became %s, read back as %s, %v", s, v, back, err)
		}
		v.Round(2)
	})
}
