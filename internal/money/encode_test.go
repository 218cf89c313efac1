package money

import "testing"

// What the database driver does: a value goes out as text and comes back with the column's scale.
func TestThroughTheDatabase(t *testing.T) {
	v, err := MustDecimal("0.831").Value()
	if err != nil || v != "0.831" {
		t.Fatal(v, err)
	}
	var p Percent
	if err := p.Scan("12.500000"); err != nil || p.String() != "12.5" || !p.Equal(MustPercent("12.5")) {
		t.Errorf("%s, %v", p, err)
	}
	if v, err = p.Value(); err != nil || v != "12.500000" {
		t.Error(v, err)
	}
	var d Decimal
	if err := d.Scan(int64(42)); err != nil || !d.Equal(FromInt(42)) {
		t.Errorf("%s, %v", d, err)
	}
}

func TestPercentComparisons(t *testing.T) {
	p, err := ParsePercent("9")
	if err != nil || p.Cmp(NewPercent(FromInt(10))) >= 0 || p.IsZero() || p.Sign() != 1 || !p.Decimal().Equal(FromInt(9)) {
		t.Errorf("%s, %v", p, err)
	}
	if _, err := ParsePercent("9 %"); err == nil {
		t.Error("a sign was accepted")
	}
}

func TestConversions(t *testing.T) {
	if n, ok := MustDecimal("12.00").Int64(); !ok || n != 12 {
		t.Error(n, ok)
	}
	if _, ok := MustDecimal("12.5").Int64(); ok {
		t.Error("12.5 is not an integer")
	}
	if f := MustDecimal("-0.25").Float(); f != -0.25 {
		t.Error(f)
	}
	all := Currencies()
	if len(all) < 150 || all[0] != "AED" || Currency("nope").Decimals() != 2 {
		t.Errorf("%d currencies", len(all))
	}
	if !New(FromInt(1), "USD").Equal(New(MustDecimal("1.00"), "USD")) || New(FromInt(1), "USD").Equal(New(FromInt(1), "EUR")) {
		t.Error("amounts compare wrongly")
	}
}

// A chain of products that was never rounded is a mistake in the program, and stops there.
func TestInexactPanics(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("no panic")
		}
	}()
	v := MustDecimal("1.000000001")
	for range 12 {
		v = v.Mul(v)
	}
}
