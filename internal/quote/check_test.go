package quote

import (
	"slices"
	"testing"
	"time"

	"rackwright/internal/catalog"
	"rackwright/internal/inventory"
	"rackwright/internal/money"
)

// sendable is a content without open points, and the facts around it.
func sendable() (Content, Facts) {
	line := item("2 285000 0 9")
	line.SKU, line.ControlTo, line.Stocked = "SRV", "advanced_ic", true
	line.Cost, line.Floor = ptr("250000"), ptr("278000")
	line.List = ListPrice{Origin: FromPriceList, Price: ptr("285000"), AsOf: onDay("2026-11-02")}
	c := aContent(line)
	c.Customer.Name, c.ShipTo, c.EndUser = "Example", "SG", "SG"
	limit, target := money.MustPercent("10"), money.MustPercent("9")
	return c, Facts{
		Now: noon, State: Draft, Settings: Settings{Currency: "USD", Zone: time.UTC, MaxDiscount: &limit, TargetMargin: &target},
		Rules: []catalog.ControlDestination{
			{CountryCode: "SG", AppliesTo: "advanced_all", Effect: catalog.NoEffect},
			{CountryCode: "KZ", AppliesTo: "advanced_all", Effect: catalog.Check},
			{CountryCode: "VN", AppliesTo: "advanced_all", Effect: catalog.LicenceRequired},
			{CountryCode: "CN", AppliesTo: "advanced_all", Effect: catalog.PresumptionOfDenial},
			{CountryCode: "IR", AppliesTo: "any", Effect: catalog.Check},
			{CountryCode: "*", AppliesTo: "not_classified", Effect: catalog.Check},
		},
	}
}

func TestSendBlockers(t *testing.T) {
	tests := []struct {
		name   string
		change func(*Content, *Facts)
		want   []BlockerKind
	}{
		{"a clean quote passes without a step", func(*Content, *Facts) {}, nil},
		{"no lines", func(c *Content, _ *Facts) { c.Lines = []Line{{Kind: Note}} }, []BlockerKind{NoLines}},
		{"options alone", func(c *Content, _ *Facts) { c.Lines[0].Kind = Option }, []BlockerKind{NoLines}},
		{"no customer", func(c *Content, _ *Facts) { c.Customer.Name = "" }, []BlockerKind{NoCustomer}},
		{"blank price", func(c *Content, _ *Facts) { c.Lines[0].UnitPrice = nil }, []BlockerKind{BlankPrice}},
		{"blank price of an option", func(c *Content, _ *Facts) { c.Lines = append(c.Lines, as(Option, item("1 -"))) }, []BlockerKind{BlankPrice}},
		{"last day", func(c *Content, _ *Facts) { c.ValidTo = onDay("2026-11-30") }, nil},
		{"yesterday", func(c *Content, _ *Facts) { c.ValidTo = onDay("2026-11-29") }, []BlockerKind{PastValidity}},
		{"total below zero", func(c *Content, _ *Facts) { c.Lines = append(c.Lines, item("1 -600000")) }, []BlockerKind{NegativeTotal}},
		{"profile", func(_ *Content, f *Facts) { f.Settings.Missing = []string{"bank"} }, []BlockerKind{ProfileMissing}},
		{"no rate", func(c *Content, _ *Facts) { c.Currency = "EUR" }, []BlockerKind{RateMissing}},
		{"a rate", func(c *Content, f *Facts) { c.Currency, f.Rate = "EUR", &Rate{} }, nil},
		{"no ship-to", func(c *Content, _ *Facts) { c.ShipTo = "" }, []BlockerKind{NoDestination}},
		{"free lines need none", func(c *Content, _ *Facts) { c.ShipTo, c.Lines[0].SKU = "", "" }, nil},
		{"licence for the end user", func(c *Content, _ *Facts) { c.EndUser = "VN" }, []BlockerKind{LicenceNeeded}},
		{"licence by presumption of denial", func(c *Content, _ *Facts) { c.ShipTo = "CN" }, []BlockerKind{LicenceNeeded}},
		{"licence recorded", func(c *Content, _ *Facts) { c.EndUser, c.LicenceRef = "VN", "L-1" }, nil},
		{"licence for a part", func(c *Content, _ *Facts) {
			p := part(item("1 -"))
			p.SKU, p.ControlTo = "GPU", "advanced_ic"
			c.Lines[0].ControlTo, c.EndUser = "", "VN"
			c.Lines = append(c.Lines, p)
		}, []BlockerKind{LicenceNeeded}},
		{"ask first", func(c *Content, _ *Facts) { c.ShipTo = "KZ" }, []BlockerKind{CheckControl}},
		{"embargo counts for everything", func(c *Content, _ *Facts) { c.ShipTo, c.Lines[0].ControlTo = "IR", "" }, []BlockerKind{CheckControl}},
		{"what is not classified is no note everywhere", func(c *Content, _ *Facts) { c.Lines[0].ControlTo = "" }, nil},
		{"below floor by line discount", func(c *Content, _ *Facts) { c.Lines[0].Discount = money.MustPercent("2.5") }, []BlockerKind{BelowFloor}},
		{"at the floor", func(c *Content, _ *Facts) { c.Lines[0].UnitPrice = ptr("278000") }, nil},
		{"below floor by discount on the whole", func(c *Content, _ *Facts) { c.Discount.Percent = money.MustPercent("3") }, []BlockerKind{BelowFloor}},
		{"option below floor", func(c *Content, _ *Facts) {
			l := as(Option, c.Lines[0])
			l.UnitPrice = ptr("277999.99")
			c.Lines = append(c.Lines, l)
		}, []BlockerKind{BelowFloor}},
		{"tax does not lift a price over the floor", func(c *Content, _ *Facts) { c.TaxMode = Inclusive }, []BlockerKind{BelowFloor, BelowMargin}},
		{"line discount above the limit", func(c *Content, _ *Facts) {
			c.Lines[0].Discount, c.Lines[0].Floor, c.Lines[0].Cost = money.MustPercent("10.1"), nil, nil
		}, []BlockerKind{AboveDiscount}},
		{"amount on the whole above the limit", func(c *Content, _ *Facts) {
			c.Discount.Amount, c.Lines[0].Floor, c.Lines[0].Cost = dec("57000.01"), nil, nil
		}, []BlockerKind{AboveDiscount}},
		{"discounts that are above the limit together", func(c *Content, _ *Facts) {
			c.Lines[0].Discount, c.Lines[0].Floor, c.Lines[0].Cost = money.MustPercent("6"), nil, nil
			c.Discount.Percent = money.MustPercent("5")
		}, []BlockerKind{AboveDiscount}},
		{"the same as an amount", func(c *Content, _ *Facts) {
			c.Lines[0].Discount, c.Lines[0].Floor, c.Lines[0].Cost = money.MustPercent("6"), nil, nil
			c.Discount.Amount = dec("27000")
		}, []BlockerKind{AboveDiscount}},
		{"discounts that are at the limit together", func(c *Content, _ *Facts) {
			c.Lines[0].Discount, c.Lines[0].Floor, c.Lines[0].Cost = money.MustPercent("4"), nil, nil
			c.Discount.Percent = money.MustPercent("6.25")
		}, nil},
		{"a price by hand that is above the limit below the list", func(c *Content, _ *Facts) {
			c.Lines[0].UnitPrice, c.Lines[0].Floor, c.Lines[0].Cost = ptr("256499.99"), nil, nil
		}, []BlockerKind{AboveDiscount}},
		{"a price by hand at the limit", func(c *Content, _ *Facts) {
			c.Lines[0].UnitPrice, c.Lines[0].Floor, c.Lines[0].Cost = ptr("256500"), nil, nil
		}, nil},
		{"rounding is no discount", func(c *Content, _ *Facts) {
			c.Lines = []Line{item("1 0.05"), item("1 0.05")}
			c.Discount.Percent = money.MustPercent("10")
		}, nil},
		{"the whole does not count for an option", func(c *Content, _ *Facts) {
			c.Lines[0].Floor, c.Lines[0].Cost = nil, nil
			l := as(Option, c.Lines[0])
			l.Discount = money.MustPercent("6")
			c.Lines, c.Discount.Percent = append(c.Lines, l), money.MustPercent("5")
		}, nil},
		{"a line without a cost does not hide the margin", func(c *Content, _ *Facts) {
			c.Lines[0].Cost = ptr("260000")
			c.Lines = append(c.Lines, item("1 900000"))
		}, []BlockerKind{BelowMargin}},
		{"given away", func(c *Content, f *Facts) {
			c.Lines[0].Discount, c.Lines[0].Floor, f.Settings.MaxDiscount = money.MustPercent("100"), nil, nil
		}, []BlockerKind{BelowMargin}},
		{"nothing known of the cost", func(c *Content, _ *Facts) { c.Lines[0].Cost = nil }, nil},
		{"margin below the target", func(c *Content, _ *Facts) { c.Lines[0].Cost = ptr("260000") }, []BlockerKind{BelowMargin}},
		{"approved", func(c *Content, f *Facts) { c.Lines[0].Discount, f.State = money.MustPercent("20"), Approved }, nil},
		{"R15 stale price", func(c *Content, _ *Facts) { c.Lines[0].List.AsOf = onDay("2026-10-15") }, []BlockerKind{StalePrice}},
		{"45 days old", func(c *Content, _ *Facts) { c.Lines[0].List.AsOf = onDay("2026-10-16") }, nil},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c, f := sendable()
			tt.change(&c, &f)
			totals, err := Calculate(c.Input())
			if err != nil {
				t.Fatal(err)
			}
			var got []BlockerKind
			for _, b := range SendBlockers(c, totals, f) {
				got = append(got, b.Kind)
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("got %v, want %v", got, tt.want)
			}
		})
	}
}

func TestBlocksAndNeedsApproval(t *testing.T) {
	stop, exception, note := Blocker{Severity: Stop}, Blocker{Severity: Approval}, Blocker{Severity: Remark}
	tests := []struct {
		name            string
		blockers        []Blocker
		blocks, approve bool
	}{
		{"none", nil, false, false},
		{"a note", []Blocker{note}, false, false},
		{"an exception", []Blocker{note, exception}, true, true},
		{"an exception and more", []Blocker{exception, stop}, true, false},
	}
	for _, tt := range tests {
		if Blocks(tt.blockers) != tt.blocks || NeedsApproval(tt.blockers) != tt.approve {
			t.Errorf("%s: blocks %v, needs approval %v", tt.name, Blocks(tt.blockers), NeedsApproval(tt.blockers))
		}
	}
}

func TestMarginOf(t *testing.T) {
	c, _ := sendable()
	c.Lines = append(c.Lines, as(Option, item("1 5.00")))
	totals, err := Calculate(c.Input())
	if err != nil {
		t.Fatal(err)
	}
	m := MarginOf(c, totals)
	if show(m.Cost) != "500000.00" || show(m.Profit) != "70000.00" || m.Percent.String() != "12.28" {
		t.Errorf("%+v", m)
	}
	c.Lines[0].Cost = nil
	if m = MarginOf(c, totals); m.Profit != nil || m.Percent != nil || !slices.Equal(m.Unknown, []int{0}) {
		t.Errorf("R9: a margin without a cost: %+v", m)
	}
	p := part(item("4 -"))
	p.Cost = ptr("60000")
	c.Lines = slices.Insert(c.Lines, 1, p)
	if totals, err = Calculate(c.Input()); err != nil {
		t.Fatal(err)
	}
	if m = MarginOf(c, totals); show(m.Cost) != "480000.00" {
		t.Errorf("cost of the parts: %+v", m)
	}
}

func TestStockDemand(t *testing.T) {
	stocked := func(code, spec string) Line {
		l := item(spec)
		l.SKU, l.Stocked = code, true
		return l
	}
	bundle, kit := stocked("SRV", "2 1"), stocked("KIT", "3 1")
	kit.Assembled = true
	free, licence := item("5 1"), stocked("LIC", "8 1")
	licence.Stocked = false
	c := aContent(bundle, part(stocked("X", "8 -")), kit, part(stocked("X", "2 -")), part(stocked("Y", "1 -")),
		stocked("Y", "1.5 1"), as(Option, stocked("X", "9 1")), free, licence)
	want := []inventory.Demand{{SKU: "SRV", Quantity: 2}, {SKU: "X", Quantity: 6}, {SKU: "Y", Quantity: 5}}
	if got := StockDemand(c); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestAnswerValidate(t *testing.T) {
	if err := (Answer{}).Validate(Accept); err == nil {
		t.Error("accepted without a name")
	}
	if err := (Answer{Name: "Tan"}).Validate(Decline); err == nil {
		t.Error("declined without a reason")
	}
	if err := (Answer{Reason: "price"}).Validate(Decline); err != nil {
		t.Error(err)
	}
}

func TestNumbersAndFileNames(t *testing.T) {
	for got, want := range map[string]string{
		FormatNumber("Q", 2026, 187): "Q-2026-0187", FormatNumber("RW", 2026, 12345): "RW-2026-12345",
		FileName("Q-2026-0187", 1): "Q-2026-0187.pdf", FileName("Q-2026-0187", 2): "Q-2026-0187-r2.pdf",
	} {
		if got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}
