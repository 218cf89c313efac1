package quote

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"rackwright/internal/apperr"
	"rackwright/internal/money"
)

func dec(s string) money.Decimal { return money.MustDecimal(s) }

func ptr(s string) *money.Decimal { d := dec(s); return &d }

// item returns a line "quantity price [discount% [tax%]]".
func item(spec string) Line {
	f := strings.Fields(spec)
	l := Line{Kind: Item, Description: spec, Quantity: dec(f[0])}
	if f[1] != "-" {
		l.UnitPrice = ptr(f[1])
	}
	if len(f) > 2 {
		l.Discount = money.MustPercent(f[2])
	}
	if len(f) > 3 {
		l.TaxRate = money.MustPercent(f[3])
	}
	return l
}

func items(specs ...string) []Line {
	var lines []Line
	for _, s := range specs {
		lines = append(lines, item(s))
	}
	return lines
}

func as(kind LineKind, l Line) Line { l.Kind = kind; return l }

func part(l Line) Line { l.Part = true; return l }

func repeat(n int, spec string) []Line { return slices.Repeat(items(spec), n) }

func show(d *money.Decimal) string {
	if d == nil {
		return "unknown"
	}
	return d.String()
}

func summary(t Totals) string { return show(t.Net) + " + " + show(t.Tax) + " = " + show(t.Total) }

// The names of the cases are ids of the project's collection of public reports: bugs that people met
// in other systems, restated with own numbers.
func TestCalculateCases(t *testing.T) {
	tests := []struct {
		name string
		in   Input
		want string
	}{
		{"PR001 discounted line is rounded before tax", Input{Lines: items("16 348.35 4 22")}, "5350.66 + 1177.15 = 6527.81"},
		{"PR002 ten units on one line", Input{Lines: items("10 3.60 0 5.5")}, "36.00 + 1.98 = 37.98"},
		{"PR002 ten lines of one unit", Input{Lines: repeat(10, "1 3.60 0 5.5")}, "36.00 + 1.98 = 37.98"},
		{"PR002 a single unit", Input{Lines: items("1 3.60 0 5.5")}, "3.60 + 0.20 = 3.80"},
		{"PR003 tax on the sum", Input{Lines: items("1 55.55 0 23", "1 11.11 0 23")}, "66.66 + 15.33 = 81.99"},
		{"PR004 rounding rule", Input{Lines: items("4 5.63 0 22")}, "22.52 + 4.95 = 27.47"},
		{"PR005 three lines", Input{Lines: repeat(3, "1 33.33 0 19")}, "99.99 + 19.00 = 118.99"},
		{"PR006 header discount amount", Input{Discount: Discount{Amount: dec("75.00")},
			Lines: items("1 333.33 0 24", "1 333.33 0 24", "1 308.34 0 24")}, "900.00 + 216.00 = 1116.00"},
		{"PR007 header discount of one", Input{Discount: Discount{Amount: dec("1.00")},
			Lines: items("1 21333.33", "1 21333.33", "1 21333.34")}, "63999.00 + 0.00 = 63999.00"},
		{"PR008 two rates", Input{Lines: items("1 500.00 0 0", "1 100.00 0 20")}, "600.00 + 20.00 = 620.00"},
		{"PR008 surcharge without tax", Input{Lines: items("1 500.00 0 0", "1 100.00 0 20", "1 0.01 0 0")}, "600.01 + 20.00 = 620.01"},
		{"PR009 free of charge", Input{TaxMode: Inclusive, Lines: items("1 1300.00 100 18")}, "0.00 + 0.00 = 0.00"},
		{"PR010 tax included", Input{TaxMode: Inclusive, Lines: items("1 1190.00 10 19")}, "900.00 + 171.00 = 1071.00"},
		{"PR011 discount before tax", Input{Discount: Discount{Amount: dec("0.62")}, Lines: items("1 12.49 0 19")}, "11.87 + 2.26 = 14.13"},
		{"PR012 gross price list", Input{TaxMode: Inclusive, Lines: items("680 3.35 0 20")}, "1898.33 + 379.67 = 2278.00"},
		{"PR013 seven small lines", Input{Lines: repeat(7, "1 0.13 0 20")}, "0.91 + 0.18 = 1.09"},
		{"PR014 printed lines add up", Input{Lines: items("2 81.4315", "1 904.1645", "1 654.902", "1 395.324", "1 254.9895",
			"1 193.9705", "2 26.772", "2 28.5085", "2.5 417.427", "1 4043.40", "6 540.00", "1 480.00")}, "11483.73 + 0.00 = 11483.73"},
		{"PR016 a line that takes off", Input{Currency: "EUR", Lines: items("1 200.00", "1 200.00", "1 -100.00")}, "300.00 + 0.00 = 300.00"},
		{"PR017 whole line discount", Input{Lines: items("1 40000.00 100")}, "0.00 + 0.00 = 0.00"},
		{"PR019 one bundle", Input{Lines: []Line{item("1 -"), part(item("24 120.00"))}}, "2880.00 + 0.00 = 2880.00"},
		{"PR019 three bundles", Input{Lines: []Line{item("3 -"), part(item("24 120.00"))}}, "8640.00 + 0.00 = 8640.00"},
		{"PR020 bundle with its own price", Input{Lines: []Line{item("1 1800.00 0 18"), part(item("1 -")), part(item("1 -"))}}, "1800.00 + 324.00 = 2124.00"},
		{"PR021 three bundles", Input{Lines: []Line{item("1 -"), part(item("2 100.00")), item("1 -"), part(item("3 50.00")),
			item("1 -"), part(item("1 75.50"))}}, "425.50 + 0.00 = 425.50"},
		{"PR022 two children", Input{Lines: []Line{item("1 -"), part(item("1 10.00")), part(item("1 15.00"))}}, "25.00 + 0.00 = 25.00"},
		{"PR025 break price is per unit", Input{Lines: items("100 1.00")}, "100.00 + 0.00 = 100.00"},
		{"PR027 pack of six", Input{Lines: items("12 4.00")}, "48.00 + 0.00 = 48.00"},
		{"PR028 more decimals than cents", Input{Lines: items("1000 0.831")}, "831.00 + 0.00 = 831.00"},
		{"PR041 yen", Input{Currency: "JPY", Lines: items("1 100 0 10")}, "100 + 10 = 110"},
		{"PR041 won", Input{Currency: "KRW", Lines: items("1 1500")}, "1500 + 0 = 1500"},
		{"PR041 dinar", Input{Currency: "KWD", Lines: items("1 1.2345")}, "1.235 + 0.000 = 1.235"},
		{"PR149 alternatives do not count", Input{Lines: []Line{item("2 150.00"), as(Alternative, item("2 200.00")), as(Alternative, item("2 400.00"))}},
			"300.00 + 0.00 = 300.00"},
		{"PR151 options do not count", Input{Lines: []Line{item("1 100.00"), item("1 200.00"), as(Option, item("1 50.00"))}}, "300.00 + 0.00 = 300.00"},
		{"rule R4: three times ten cents stay thirty", Input{TaxMode: Inclusive, Lines: repeat(3, "1 0.10 0 19")}, "0.25 + 0.05 = 0.30"},
		{"rule R9: a blank price makes the totals unknown", Input{Lines: items("1 100.00", "1 -")}, "unknown + unknown = unknown"},
		{"a blank option does not", Input{Lines: []Line{item("1 100.00"), as(Option, item("1 -"))}}, "100.00 + 0.00 = 100.00"},
		{"no lines", Input{}, "0.00 + 0.00 = 0.00"},
		{"sections and notes have no amount", Input{Lines: []Line{{Kind: Section}, item("1 5.00"), {Kind: Note}}}, "5.00 + 0.00 = 5.00"},
		{"half away from zero", Input{Lines: items("1 0.005", "1 -0.005")}, "0.00 + 0.00 = 0.00"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Calculate(withDefaults(tt.in))
			if err != nil {
				t.Fatal(err)
			}
			if summary(got) != tt.want {
				t.Errorf("got %s, want %s", summary(got), tt.want)
			}
		})
	}
}

func withDefaults(in Input) Input {
	if in.Currency == "" {
		in.Currency = "USD"
	}
	if in.TaxMode == "" {
		in.TaxMode = Exclusive
	}
	return in
}

func TestCalculateRefuses(t *testing.T) {
	tests := []struct {
		name  string
		in    Input
		field string
		id    string
	}{
		{"PR017 150 %", Input{Lines: items("1 40000.00 150")}, "lines[0].discount", "errors.form_range"},
		{"PR017 -10 %", Input{Lines: items("1 40000.00 -10")}, "lines[0].discount", "errors.form_range"},
		{"PR017 100.01 %", Input{Lines: items("1 5", "1 40000.00 100.01")}, "lines[1].discount", "errors.form_range"},
		{"PR018 more than the sum", Input{Discount: Discount{Amount: dec("500.00")}, Lines: items("1 100.00")}, "discount", "quote.discount_exceeds_sum"},
		{"percentage above 100", Input{Discount: Discount{Percent: money.MustPercent("100.5")}, Lines: items("1 1")}, "discount", "errors.form_range"},
		{"percentage and amount", Input{Discount: Discount{Percent: money.MustPercent("5"), Amount: dec("1")}, Lines: items("1 100")}, "discount", "quote.discount_twice"},
		{"negative amount", Input{Discount: Discount{Amount: dec("-1")}, Lines: items("1 100")}, "discount", "errors.form_range"},
		{"half a cent", Input{Discount: Discount{Amount: dec("0.005")}, Lines: items("1 100")}, "discount", "errors.form_decimals"},
		{"percentage of a sum below zero", Input{Discount: Discount{Percent: money.MustPercent("5")}, Lines: items("1 -100")}, "discount", "quote.discount_exceeds_sum"},
		{"negative quantity", Input{Lines: items("-1 5")}, "lines[0].quantity", "errors.form_range"},
		{"quantity beyond the column", Input{Lines: items("1000000000000 5")}, "lines[0].quantity", "errors.form_range"},
		{"seven decimals", Input{Lines: items("1 0.0000001")}, "lines[0].unit_price", "errors.form_decimals"},
		{"huge product", Input{Lines: items("999999999999 999999999999")}, "lines[0].unit_price", "quote.too_large"},
		{"tax above 100 %", Input{Lines: items("1 5 0 101")}, "lines[0].tax_rate", "errors.form_range"},
		{"unknown kind", Input{Lines: []Line{{Kind: "gift"}}}, "lines[0].kind", "errors.form_choose"},
		{"unknown currency", Input{Currency: "XYZ"}, "currency", "errors.form_choose"},
		{"part without a bundle", Input{Lines: []Line{{Kind: Section}, part(item("1 5"))}}, "lines[1].part", "quote.part_without_bundle"},
		{"priced part of a priced bundle", Input{Lines: []Line{item("1 5"), part(item("1 5"))}}, "lines[1].unit_price", "quote.part_price"},
		{"discount on a part", Input{Lines: []Line{item("1 -"), part(item("1 5 10"))}}, "lines[1].discount", "quote.part_discount"},
		{"too many lines", Input{Lines: repeat(MaxLines+1, "1 1")}, "lines", "quote.too_many_lines"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			_, err := Calculate(withDefaults(tt.in))
			e, ok := errors.AsType[*apperr.Error](err)
			if !ok || e.Kind != apperr.Invalid || e.Fields[tt.field].ID != tt.id {
				t.Errorf("got %v, want %s at %s", err, tt.id, tt.field)
			}
		})
	}
}

func TestHeaderDiscountShares(t *testing.T) {
	got, err := Calculate(withDefaults(Input{Discount: Discount{Percent: money.MustPercent("10")},
		Lines: []Line{item("1 100.00"), as(Option, item("1 50.00")), item("1 -30.00"), item("1 33.33")}}))
	if err != nil {
		t.Fatal(err)
	}
	var shares []string
	for _, l := range got.Lines {
		shares = append(shares, show(l.Share))
	}
	// 10 % of 103.33 is 10.33, over 100.00 and 33.33; the option and the negative line get none.
	if s := strings.Join(shares, " "); show(got.Discount) != "10.33" || s != "7.75 unknown 0.00 2.58" {
		t.Errorf("discount %s, shares %s", show(got.Discount), s)
	}
}

func TestBundleLines(t *testing.T) {
	got, err := Calculate(withDefaults(Input{Lines: []Line{item("3 -"), part(item("24 120.00"))}}))
	if err != nil {
		t.Fatal(err)
	}
	bundle, child := got.Lines[0], got.Lines[1]
	if show(bundle.UnitPrice) != "2880.00" || child.Quantity.String() != "72" || child.Counts || child.Amount != nil {
		t.Errorf("bundle %+v, part %+v", bundle, child)
	}
	got, err = Calculate(withDefaults(Input{Lines: []Line{item("1 -"), part(item("1 10.00")), part(item("1 -"))}}))
	if err != nil || got.Known() {
		t.Errorf("a bundle with an unpriced part is known: %v, %v", got, err)
	}
}

func TestSectionAmounts(t *testing.T) {
	section := Line{Kind: Section}
	got, err := Calculate(withDefaults(Input{Lines: []Line{section, item("1 10.00"), as(Option, item("1 5.00")), item("2 2.50"),
		section, item("1 -"), section}}))
	if err != nil {
		t.Fatal(err)
	}
	if a, b, c := show(got.Lines[0].Amount), show(got.Lines[4].Amount), show(got.Lines[6].Amount); a != "15.00" || b != "unknown" || c != "0.00" {
		t.Errorf("sections: %s, %s, %s", a, b, c)
	}
}

func TestThreeHundredLines(t *testing.T) {
	file, err := os.Open("testdata/quote_300_lines.csv")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	lines := make([]Line, 0, len(rows))
	for _, r := range rows[1:] {
		lines = append(lines, item(strings.Join(r[4:8], " ")))
	}
	got, err := Calculate(withDefaults(Input{Lines: lines}))
	if err != nil {
		t.Fatal(err)
	}
	for i, r := range rows[1:] {
		if show(got.Lines[i].Net) != r[8] {
			t.Errorf("line %s: net %s, want %s", r[0], show(got.Lines[i].Net), r[8])
		}
	}
	var want struct {
		Net, Tax, Total string
		PerRate         map[string]struct{ Net, Tax string } `json:"per_rate"`
	}
	raw, err := os.ReadFile("testdata/quote_300_lines_expected.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, &want); err != nil {
		t.Fatal(err)
	}
	if summary(got) != want.Net+" + "+want.Tax+" = "+want.Total {
		t.Errorf("got %s, want %+v", summary(got), want)
	}
	for _, tax := range got.Taxes {
		if w := want.PerRate[tax.Rate.String()]; tax.Net.String() != w.Net || tax.Tax.String() != w.Tax {
			t.Errorf("rate %s: %s and %s, want %+v", tax.Rate, tax.Net, tax.Tax, w)
		}
	}
}
