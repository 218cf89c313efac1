package quote

import (
	"slices"
	"strings"
	"testing"

	"rackwright/internal/money"
)

// withIDs numbers lines from 1.
func withIDs(lines ...Line) Content {
	for i := range lines {
		lines[i].ID = int64(i + 1)
	}
	return Content{Currency: "USD", TaxMode: Exclusive, Lines: lines}
}

func TestChoose(t *testing.T) {
	pr149 := withIDs(item("2 150.00"), as(Alternative, item("2 200.00")), as(Alternative, item("2 400.00")))
	storage := withIDs(item("1 7000.00"), item("1 3000.00"), as(Alternative, item("1 4000.00")), as(Alternative, item("1 5000.00")))
	named := withIDs(item("1 7000.00"), item("1 3000.00"), as(Alternative, item("1 8000.00")))
	named.Lines[2].Replaces = 1
	bundle := withIDs(item("1 -"), part(item("2 50.00")), as(Option, item("1 -")), part(item("3 20.00")))
	tests := []struct {
		name    string
		content Content
		ids     []int64
		want    string // total; or the field of the fault
	}{
		{"PR149 as quoted", pr149, nil, "300.00"},
		{"PR149 second alternative", pr149, []int64{3}, "800.00"},
		{"PR149 two chosen", pr149, []int64{2, 3}, "choices"},
		{"PR150 base", storage, nil, "10000.00"},
		{"PR150 good", storage, []int64{3}, "11000.00"},
		{"PR150 best", storage, []int64{4}, "12000.00"},
		{"PR150 an alternative to the item it names", named, []int64{3}, "11000.00"},
		{"an option with its parts", bundle, []int64{3}, "160.00"},
		{"a part alone", bundle, []int64{4}, "choices"},
		{"an item", pr149, []int64{1}, "choices"},
		{"a stranger", pr149, []int64{99}, "choices"},
		{"the same twice", storage, []int64{3, 3}, "11000.00"},
		{"below another heading", withIDs(item("1 5.00"), Line{Kind: Section, Description: "s"}, as(Alternative, item("1 6.00"))), []int64{3}, "choices"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			before := slices.Clone(tt.content.Lines)
			r := Revision{Content: tt.content}
			var err error
			if r.Totals, err = Calculate(tt.content.Input()); err != nil {
				t.Fatal(err)
			}
			if err = r.Take(tt.ids); err != nil {
				if !hasField(err, tt.want) {
					t.Errorf("%v, want %s", err, tt.want)
				}
				return
			}
			agreed, totals := r.Agreed()
			if got := show(totals.Total); got != tt.want {
				t.Errorf("total %s, want %s", got, tt.want)
			}
			again, err := Calculate(agreed.Input())
			if err != nil || show(again.Total) != show(totals.Total) {
				t.Errorf("agreed content makes %s: %v", show(again.Total), err)
			}
			for i := range before {
				if before[i].Kind != tt.content.Lines[i].Kind {
					t.Error("the quote itself was changed")
				}
			}
		})
	}
}

// What was replaced stays on the document as the alternative to what was taken.
func TestChooseKeepsTheReplaced(t *testing.T) {
	c := withIDs(item("2 150.00"), as(Alternative, item("2 200.00")))
	chosen, err := c.Choose([]int64{2})
	if err != nil {
		t.Fatal(err)
	}
	if l := chosen.Lines; l[0].Kind != Alternative || l[0].Replaces != 2 || l[1].Kind != Item {
		t.Errorf("%+v", l)
	}
	back, err := chosen.Choose([]int64{1})
	if err != nil || back.Lines[0].Kind != Item || back.Lines[1].Kind != Alternative {
		t.Errorf("back: %+v, %v", back.Lines, err)
	}
	if got := c.Choices(); !slices.Equal(got, []int64{2}) {
		t.Errorf("choices %v", got)
	}
}

func TestTermsAndAmountsOff(t *testing.T) {
	term := func(l Line, n int, unit TermUnit) Line { l.Term = Term{n, unit}; return l }
	off := func(l Line, amount string) Line { l.Off = dec(amount); return l }
	tests := []struct {
		name string
		line Line
		want string // amount, or the field of the fault
	}{
		{"36 months of support", term(item("8 125.50"), 36, Monthly), "36144.00"},
		{"three years with a discount", term(item("2 333.335 10"), 3, Yearly), "1800.01"},
		{"one year", term(item("1 99.99"), 1, Yearly), "99.99"},
		{"amount off", off(item("3 100.00"), "50.00"), "250.00"},
		{"amount off a term", off(term(item("1 10.00"), 12, Monthly), "20.00"), "100.00"},
		{"all of it", off(item("1 40.00"), "40.00"), "0.00"},
		{"more than the line", off(item("1 40.00"), "40.01"), "lines[0].discount"},
		{"off a trade-in", off(item("1 -40.00"), "1.00"), "lines[0].discount"},
		{"twice", off(item("1 40.00 10"), "1.00"), "lines[0].discount"},
		{"below zero", off(item("1 40.00"), "-1.00"), "lines[0].discount"},
		{"tenths of a cent", off(item("1 40.00"), "0.005"), "lines[0].discount"},
		{"term without a period", term(item("1 1.00"), 3, Once), "lines[0].term"},
		{"period without a number", term(item("1 1.00"), 0, Yearly), "lines[0].term"},
		{"too long", term(item("1 1.00"), 121, Monthly), "lines[0].term"},
		{"trade-in", item("1 -2500.00"), "-2500.00"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := Calculate(Input{Currency: "USD", TaxMode: Exclusive, Lines: []Line{tt.line}})
			if err != nil {
				if !hasField(err, tt.want) {
					t.Errorf("%v, want %s", err, tt.want)
				}
				return
			}
			if s := show(got.Lines[0].Amount); s != tt.want {
				t.Errorf("%s, want %s", s, tt.want)
			}
		})
	}
}

// A discount asks for approval by what it is worth, however it was written.
func TestAmountOffCountsAsDiscount(t *testing.T) {
	limit := money.MustPercent("10")
	c := withIDs(item("2 100.00"))
	c.Lines[0].Off = dec("20.01")
	totals, err := Calculate(c.Input())
	if err != nil {
		t.Fatal(err)
	}
	kinds := func() string {
		var s []string
		for _, b := range SendBlockers(c, totals, Facts{Settings: Settings{Currency: "USD", MaxDiscount: &limit}}) {
			s = append(s, string(b.Kind))
		}
		return strings.Join(s, " ")
	}
	if got := kinds(); !strings.Contains(got, string(AboveDiscount)) {
		t.Errorf("20.01 off 200: %s", got)
	}
	c.Lines[0].Off = dec("20.00")
	if totals, err = Calculate(c.Input()); err != nil {
		t.Fatal(err)
	}
	if got := kinds(); strings.Contains(got, string(AboveDiscount)) {
		t.Errorf("20.00 off 200: %s", got)
	}
}
