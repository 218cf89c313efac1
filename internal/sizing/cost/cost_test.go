package cost

import (
	"encoding/json"
	"math/big"
	"os"
	"testing"
	"time"

	"pgregory.net/rapid"

	"rackwright/internal/apperr"
	"rackwright/internal/catalog"
	"rackwright/internal/importer"
	"rackwright/internal/money"
	"rackwright/internal/seed"
	"rackwright/internal/sizing/hardware"
)

var today = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

func shipped(t testing.TB) (Book, map[string]hardware.System) {
	t.Helper()
	b, err := importer.Read(seed.FS, catalog.Keys{})
	if err != nil {
		t.Fatal(err)
	}
	claims, parts := map[string][]catalog.Claim{}, map[string][]catalog.Component{}
	for _, c := range b.Claims {
		claims[c.SKU] = append(claims[c.SKU], c)
	}
	for _, c := range b.Components {
		parts[c.Parent] = append(parts[c.Parent], c)
	}
	var products []catalog.Product
	for _, s := range b.SKUs {
		products = append(products, catalog.Product{SKU: s, Claims: claims[s.Code], Components: parts[s.Code]})
	}
	systems, _ := hardware.FromProducts(products)
	bySKU := map[string]hardware.System{}
	for _, s := range systems {
		bySKU[s.SKU] = s
	}
	return NewBook("USD", Sources{Products: products, Subjects: b.Subjects, Observations: b.Observations, Offers: b.Offers, Defaults: b.CostDefaults}), bySKU
}

func settings(t testing.TB, b Book, own map[string]string, months int) Settings {
	t.Helper()
	s, err := NewSettings(b, own, months)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// ratNPV is the same sum, written independently on rationals: payments at month's end,
// discounted at rate/12 a month.
func ratNPV(start, monthly, end *big.Rat, months int, yearlyPercent *big.Rat) *big.Rat {
	q := new(big.Rat).Add(big.NewRat(1, 1), new(big.Rat).Quo(yearlyPercent, big.NewRat(1200, 1)))
	sum := new(big.Rat).Set(start)
	factor := big.NewRat(1, 1)
	for range months {
		factor.Quo(factor, q)
		sum.Add(sum, new(big.Rat).Mul(monthly, factor))
	}
	return sum.Add(sum, new(big.Rat).Mul(end, factor))
}

// One 8-GPU H100 server in colocation for 48 months at 8 % a year, with the shipped
// defaults: net present value 653,717.60, 2.82 per available GPU-hour.
func TestWorkedExample(t *testing.T) {
	b, systems := shipped(t)
	s := settings(t, b, nil, 48)
	c := Compare(Plan{System: systems["HGX-H100-8GPU"], Systems: 1, Group: 2, Replicas: 4, Tokens: 3344}, s, today)
	own := c.Main()
	if own == nil || !own.Complete {
		t.Fatalf("not complete: %+v", own)
	}
	for _, l := range own.Lines {
		if l.Amount != nil {
			t.Logf("%-12s %-8s %s", l.Key, l.When, l.Amount)
		}
	}
	for _, x := range []struct {
		name string
		got  *money.Decimal
		want string
	}{
		{"NPV", own.NPV, "653717.60"}, {"per month", own.PerMonth, "15959.16"},
		{"per GPU-hour", own.PerGPUHour, "2.8172"},
	} {
		if x.got == nil || !x.got.Equal(money.MustDecimal(x.want)) {
			t.Errorf("%s = %v, want %s", x.name, x.got, x.want)
		}
	}
	rat := func(v string) *big.Rat {
		r, ok := new(big.Rat).SetString(v)
		if !ok {
			t.Fatal(v)
		}
		return r
	}
	want := ratNPV(rat("315850"), rat("9259.872"), rat("-57000"), 48, rat("8")).FloatString(2)
	if own.NPV.String() != want {
		t.Errorf("NPV %s, rationals give %s", own.NPV, want)
	}
	var aws *BreakEven
	for i := range c.BreakEvens {
		if c.BreakEvens[i].Provider == "aws" {
			aws = &c.BreakEvens[i]
		}
	}
	if aws == nil || aws.Month == nil || *aws.Month != 11 || aws.Utilisation.String() != "40.9" {
		t.Errorf("against AWS: %+v, want month 11 and about 41 %%", aws)
	}
}

func TestDiscountAgainstRationals(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		cents := func(name string) money.Decimal {
			return money.FromInt(rapid.Int64Range(-1e12, 1e12).Draw(t, name)).Quo(money.FromInt(100), 2)
		}
		f := flow{start: cents("start"), monthly: cents("monthly"), end: cents("end"), months: rapid.IntRange(1, 120).Draw(t, "months")}
		rate := money.FromInt(rapid.Int64Range(0, 10_000).Draw(t, "rate")).Quo(money.FromInt(100), 2)
		rat := func(d money.Decimal) *big.Rat {
			r, _ := new(big.Rat).SetString(d.String())
			return r
		}
		want := ratNPV(rat(f.start), rat(f.monthly), rat(f.end), f.months, rat(rate))
		got := newDiscount(rate, f.months).of(f).npv(6)
		off := new(big.Rat).Sub(want, rat(got))
		if off.Abs(off).Cmp(big.NewRat(1, 2_000_000)) > 0 {
			t.Fatalf("npv %s, rationals give %s", got, want.FloatString(8))
		}
		// The levelised payment has the same net present value.
		level := flow{monthly: newDiscount(rate, f.months).of(f).levelised(money.FromInt(1), 12), months: f.months}
		diff := newDiscount(rate, f.months).of(level).npv(6).Sub(got).Abs()
		if money.MustDecimal("0.00001").Less(diff) {
			t.Fatalf("levelised is off by %s", diff)
		}
	})
}

// testdata/tco_cases.json: energy, depreciation and break-even cases of other tools' reports.
func TestTCOCases(t *testing.T) {
	raw, err := os.ReadFile("testdata/tco_cases.json")
	if err != nil {
		t.Fatal(err)
	}
	var cases []struct{ ID string }
	if err := json.Unmarshal(raw, &cases); err != nil || len(cases) != 6 {
		t.Fatalf("%d cases, %v", len(cases), err)
	}
	d := money.MustDecimal
	kwh := d("10.2").Mul(d("0.8")).Mul(d("1.3")).Mul(d("8760"))
	energy := EnergyMonthly(d("10.2").Mul(d("0.8")), d("8760"), d("1.3"), d("0.12"))
	if !kwh.Equal(d("92926.08")) || energy.Round(2).String() != "11151.13" { // T1
		t.Errorf("energy %s kWh, %s", kwh, energy)
	}
	if got := StraightLine(d("320000"), d("32000"), 48); !got.Equal(d("6000")) { // T2
		t.Errorf("depreciation %s", got)
	}
	if got := d("2.5").Mul(d("8")).Mul(d("8760")).Mul(d("3")); !got.Equal(d("525600")) { // T4
		t.Errorf("cloud %s", got)
	}
	twelfth := func(s string) money.Decimal { return d(s).Quo(d("12"), 12) }
	months, ok := BreakEvenMonths(d("320000"), twelfth("40000"), twelfth("175200"), 1)
	if !ok || months.String() != "28.4" || ceil(months) != 29 { // T5
		t.Errorf("break-even %s %v", months, ok)
	}
	if _, ok := BreakEvenMonths(d("320000"), twelfth("200000"), twelfth("175200"), 1); ok { // T6
		t.Error("breaks even although running costs alone are higher")
	}
}

// T3: without load the cost of a token is not defined; nothing divides by zero.
func TestZeroLoad(t *testing.T) {
	b, systems := shipped(t)
	c := Compare(Plan{System: systems["HGX-H100-8GPU"], Systems: 1, Group: 1, Replicas: 1}, settings(t, b, nil, 48), today)
	if main := c.Main(); main.PerMillionTokens != nil || main.PerMillionFull != nil || main.PerMonth == nil {
		t.Errorf("%+v", main)
	}
	zero := settings(t, b, map[string]string{"cost_of_capital": "0"}, 48)
	own := Compare(Plan{System: systems["HGX-H100-8GPU"], Systems: 1, Group: 1, Replicas: 1}, zero, today).Main()
	if !own.NPV.Equal(*own.Total) {
		t.Errorf("without interest NPV %s is the total %s", own.NPV, own.Total)
	}
}

func TestUnknownIsNeverZero(t *testing.T) {
	b, systems := shipped(t)
	c := Compare(Plan{System: systems["SMC-SYS-821GE-TNHR"], Systems: 1, Group: 1, Replicas: 1}, settings(t, b, nil, 48), today)
	own := c.Main()
	if own.Complete || own.NPV != nil || own.PerMonth != nil || c.Priced() {
		t.Errorf("a server without a price has totals: %+v", own)
	}
	if own.Lines[0].Amount != nil {
		t.Errorf("hardware %s", own.Lines[0].Amount)
	}
	c = Compare(Plan{System: systems["SMC-SYS-821GE-TNHR"], Systems: 2, Group: 1, Replicas: 9}, settings(t, b, map[string]string{"price.SMC-SYS-821GE-TNHR": "290000"}, 36), today)
	if !c.Priced() || !c.Main().Lines[0].Amount.Equal(money.FromInt(580000)) {
		t.Errorf("own figure does not count: %+v", c.Main())
	}
}

func TestOwnFiguresAreChecked(t *testing.T) {
	b, _ := shipped(t)
	_, err := NewSettings(b, map[string]string{"pue_colo": "0.5", "staff_cost": "-1", "nonsense": "1", "spares_share": "three", "availability": "0", "residual_value": " "}, 48)
	e, ok := err.(*apperr.Error)
	if !ok || len(e.Fields) != 5 {
		t.Errorf("faults: %v", err)
	}
}

// Whole instances: a copy on two GPUs does not go on single-GPU instances, and three copies
// on two GPUs each take one instance of eight.
func TestInstances(t *testing.T) {
	for _, c := range []struct {
		size, group, replicas, want int
		ok                          bool
	}{{8, 2, 3, 1, true}, {8, 2, 5, 2, true}, {1, 2, 1, 0, false}, {1, 1, 5, 5, true}, {8, 16, 2, 4, true}, {4, 8, 1, 0, false}} {
		if n, ok := instances(c.size, c.group, c.replicas); n != c.want || ok != c.ok {
			t.Errorf("instances(%d, %d, %d) = %d %v", c.size, c.group, c.replicas, n, ok)
		}
	}
}

func TestStalePrices(t *testing.T) {
	b, systems := shipped(t)
	c := Compare(Plan{System: systems["AWS-P5-48XLARGE"], Systems: 1, Group: 1, Replicas: 1}, settings(t, b, nil, 12), today)
	if c == nil || c.Main().Stale || c.Main().Lines[0].Basis[0].AsOf != "2026-11-09" {
		t.Errorf("newest AWS offer: %+v", c)
	}
	late := today.AddDate(0, 2, 0)
	if !Compare(Plan{System: systems["AWS-P5-48XLARGE"], Systems: 1, Group: 1, Replicas: 1}, settings(t, b, nil, 12), late).Main().Stale {
		t.Error("a price of 82 days is not marked stale")
	}
}
