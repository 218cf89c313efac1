package quote

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"rackwright/internal/apperr"
	"rackwright/internal/money"
)

var noon = time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)

var ines = Actor{ID: 7, Name: "Ines"}

func aContent(lines ...Line) Content {
	return Content{Currency: "USD", TaxMode: Exclusive, Lang: "en", Day: onDay("2026-11-30"), ValidTo: onDay("2026-12-14"), Lines: lines}
}

func sku(code, quantity string) Line { return Line{Kind: Item, SKU: code, Quantity: dec(quantity)} }

// merged merges and fails the test on a fault.
func merged(t *testing.T, stored *Content, typed Content, b Book) Content {
	t.Helper()
	c, err := Merge(stored, Edit{Actor: ines, Content: typed}, b, noon)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// edit returns a copy of a content whose lines can be changed.
func edit(c Content) Content { c.Lines = slices.Clone(c.Lines); return c }

// outline writes lines as "SKU quantity @ price", parts indented, with "*" where somebody set the price.
func outline(c Content) string {
	var b strings.Builder
	for _, l := range c.Lines {
		if l.Part {
			b.WriteString(">")
		}
		b.WriteString(l.SKU + " " + l.Quantity.String() + " @ " + show(l.UnitPrice))
		if l.Override != nil {
			b.WriteString("*")
		}
		b.WriteString("; ")
	}
	return b.String()
}

func breaksBook() Book {
	return aBook(listItem(1, "A", "1", "100.00", "2026-01-01", "2026-11-30"), listItem(1, "A", "10", "80.00", "2026-01-01", "2026-11-30"),
		listItem(1, "A", "1", "110.00", "2026-12-01", ""), listItem(2, "A", "1", "899.00", "2026-01-01", ""))
}

func TestMergeKeepsPrices(t *testing.T) {
	book := breaksBook()
	stored := merged(t, nil, aContent(sku("a", "2")), book)
	if got := outline(stored); got != "A 2 @ 100.00; " || stored.Lines[0].Description != "Product A" || stored.Lines[0].ID != 1 {
		t.Fatalf("%s %+v", got, stored.Lines[0])
	}
	change := func(fn func(*Content)) string {
		typed := edit(stored)
		fn(&typed)
		return outline(merged(t, &stored, typed, book))
	}
	tests := map[string]struct {
		change func(*Content)
		want   string
	}{
		"nothing":                            {func(*Content) {}, "A 2 @ 100.00; "},
		"PR033 a date does not re-price":     {func(c *Content) { c.Day, c.ValidTo = onDay("2026-12-01"), onDay("2026-12-20") }, "A 2 @ 100.00; "},
		"PR023 a quantity does":              {func(c *Content) { c.Lines[0].Quantity = dec("10") }, "A 10 @ 80.00; "},
		"a price is set":                     {func(c *Content) { c.Lines[0].UnitPrice = ptr("95") }, "A 2 @ 95*; "},
		"an empty price takes the list's":    {func(c *Content) { c.Lines[0].UnitPrice = nil }, "A 2 @ 100.00; "},
		"PR038 the list of another currency": {func(c *Content) { c.Currency = "EUR" }, "A 2 @ 899.00; "},
		"a copied line":                      {func(c *Content) { c.Lines = append(c.Lines, c.Lines[0]) }, "A 2 @ 100.00; A 2 @ 100.00; "},
		"another SKU is a new line":          {func(c *Content) { c.Lines[0].SKU = ""; c.Lines[0].UnitPrice = ptr("5") }, " 2 @ 5; "},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			if got := change(tt.change); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

func TestMergeOverrides(t *testing.T) {
	book := breaksBook()
	typed := aContent(sku("A", "2"))
	typed.Lines[0].UnitPrice, typed.Lines[0].Override = ptr("95.00"), &Override{Reason: " volume deal "}
	stored := merged(t, nil, typed, book)
	o := stored.Lines[0].Override
	if o == nil || o.UserID != 7 || o.User != "Ines" || !o.At.Equal(noon) || o.Reason != "volume deal" {
		t.Fatalf("%+v", o)
	}
	if l := stored.Lines[0].List; show(l.Price) != "100.00" || l.List != "USD" {
		t.Errorf("the list price is forgotten: %+v", l)
	}
	later, err := Merge(&stored, Edit{Actor: Actor{ID: 8, Name: "Mei"}, Content: edit(stored)}, book, noon.Add(time.Hour))
	if err != nil || later.Lines[0].Override.User != "Ines" {
		t.Errorf("an untouched price changed hands: %+v, %v", later.Lines[0].Override, err)
	}
	typed = edit(stored)
	typed.Lines[0].Quantity = dec("10")
	if got := outline(merged(t, &stored, typed, book)); got != "A 10 @ 95.00*; " {
		t.Errorf("a quantity re-priced what somebody set: %s", got)
	}
	typed = edit(stored)
	typed.Currency = "EUR"
	if got := outline(merged(t, &stored, typed, book)); got != "A 2 @ 87.40*; " {
		t.Errorf("PR039: %s", got)
	}
	typed.Currency = "CHF"
	if got := outline(merged(t, &stored, typed, book)); got != "A 2 @ unknown; " {
		t.Errorf("without a rate the price is blank: %s", got)
	}
	typed = edit(stored)
	typed.Lines[0].UnitPrice = ptr("100")
	if got := outline(merged(t, &stored, typed, book)); got != "A 2 @ 100; " {
		t.Errorf("back at list price: %s", got)
	}
}

func TestMergeReprices(t *testing.T) {
	book := breaksBook()
	stored := merged(t, nil, aContent(sku("A", "2"), sku("A", "1")), book)
	typed := edit(stored)
	typed.Lines[1].UnitPrice = ptr("97.00")
	stored = merged(t, &stored, typed, book)
	typed = edit(stored)
	typed.Day, typed.ValidTo = onDay("2026-12-02"), onDay("2026-12-20")
	got, err := Merge(&stored, Edit{Actor: ines, Content: typed, Reprice: true}, book, noon)
	if err != nil || outline(got) != "A 2 @ 110.00; A 1 @ 97.00*; " || show(got.Lines[1].List.Price) != "110.00" {
		t.Errorf("%s, %v", outline(got), err)
	}
}

// bundleBook knows a server with two kinds of parts; the kit has no price of its own.
func bundleBook() Book {
	b := aBook(listItem(1, "SRV", "0", "1000", "2026-01-01", ""), listItem(1, "X", "0", "10", "2026-01-01", ""), listItem(1, "Y", "0", "15", "2026-01-01", ""))
	parts := []BundlePart{{"X", 1}, {"Y", 2}}
	b.Products["SRV"] = Product{Names: map[string]string{"en": "Server"}, Parts: parts}
	b.Products["KIT"] = Product{Names: map[string]string{"en": "Kit"}, Parts: parts}
	return b
}

func TestMergeBundles(t *testing.T) {
	book := bundleBook()
	stored := merged(t, nil, aContent(sku("SRV", "2"), sku("X", "1")), book)
	if got := outline(stored); got != "SRV 2 @ 1000; >X 1 @ unknown; >Y 2 @ unknown; X 1 @ 10; " {
		t.Fatal(got)
	}
	if again := outline(merged(t, &stored, edit(stored), book)); again != outline(stored) {
		t.Errorf("saving twice changed the bundle: %s", again)
	}
	typed := edit(stored)
	typed.Lines = append(typed.Lines[:1:1], typed.Lines[3]) // the parts were deleted
	if got := outline(merged(t, &stored, typed, book)); got != "SRV 2 @ 1000; X 1 @ 10; " {
		t.Errorf("deleted parts came back: %s", got)
	}
	typed = edit(stored)
	typed.Lines = slices.Concat([]Line{typed.Lines[3]}, typed.Lines[1:3]) // the bundle was deleted, its parts were not
	if got := outline(merged(t, &stored, typed, book)); got != "X 1 @ 10; " {
		t.Errorf("parts joined another line: %s", got)
	}
	typed = edit(stored)
	typed.Lines[0].SKU, typed.Lines[0].UnitPrice = "KIT", nil
	if got := outline(merged(t, &stored, typed, book)); got != "KIT 2 @ unknown; >X 1 @ 10; >Y 2 @ 15; X 1 @ 10; " {
		t.Errorf("another bundle: %s", got)
	}
}

// PR020: the price of a bundle replaces those of its parts, is marked, and line, tax and total agree.
func TestMergeOverridesBundlePrice(t *testing.T) {
	book := bundleBook()
	stored := merged(t, nil, aContent(sku("KIT", "1")), book)
	totals, err := Calculate(stored.Input())
	if err != nil || show(totals.Total) != "40.00" {
		t.Fatalf("%s, %v", show(totals.Total), err)
	}
	typed := edit(stored)
	typed.Lines[0].UnitPrice, typed.Lines[0].TaxRate = ptr("30"), money.MustPercent("18")
	after := merged(t, &stored, typed, book)
	if got := outline(after); got != "KIT 1 @ 30*; >X 1 @ unknown; >Y 2 @ unknown; " {
		t.Error(got)
	}
	if totals, err = Calculate(after.Input()); err != nil || summary(totals) != "30.00 + 5.40 = 35.40" {
		t.Errorf("%s, %v", summary(totals), err)
	}
}

func TestMergeLanguageAndDiscount(t *testing.T) {
	book := breaksBook()
	stored := merged(t, nil, aContent(sku("A", "1"), Line{Kind: Note, Description: "as agreed"}), book)
	stored.Discount.Amount = dec("50.00")
	typed := edit(stored)
	typed.Lang, typed.Currency = "zh-Hans", "EUR"
	got := merged(t, &stored, typed, book)
	if got.Lines[0].Description != "产品 A" || got.Lines[1].Description != "as agreed" || got.Discount.Amount.String() != "46.00" {
		t.Errorf("%+v", got)
	}
	typed.Currency = "CHF"
	_, err := Merge(&stored, Edit{Actor: ines, Content: typed}, book, noon)
	if e, ok := errors.AsType[*apperr.Error](err); !ok || e.Fields["discount"].ID != "quote.discount_without_rate" {
		t.Errorf("an amount became another currency's: %v", err)
	}
}

func TestMergeFaults(t *testing.T) {
	bad := aContent(Line{Kind: Item, SKU: "NOPE", Quantity: dec("-1"), Description: strings.Repeat("x", MaxDescription+1)}, Line{Kind: Section}, Line{Kind: "gift", Description: "x"})
	bad.Lang, bad.Incoterm, bad.ShipTo, bad.ValidTo = "de", "ABC", "Singapore", onDay("2026-11-29")
	bad.Title = strings.Repeat("长", MaxShort+1)
	_, err := Merge(nil, Edit{Actor: ines, Content: bad}, aBook(), noon)
	e, ok := errors.AsType[*apperr.Error](err)
	if !ok || e.Kind != apperr.Invalid {
		t.Fatal(err)
	}
	want := []string{"incoterm", "lang", "lines[0].description", "lines[0].quantity", "lines[0].sku", "lines[1].description", "lines[2].kind", "ship_to", "title", "valid_until"}
	if !slices.Equal(e.FieldNames(), want) {
		t.Errorf("faults at %v, want %v", e.FieldNames(), want)
	}
}

func TestFromPlan(t *testing.T) {
	lines := FromPlan(Plan{SKU: "SRV", Systems: 3, Accessories: []Pick{{"X", 4}, {"Y", 0}}})
	if got := outline(merged(t, nil, aContent(lines...), bundleBook())); got != "SRV 3 @ 1000; >X 1 @ unknown; >Y 2 @ unknown; X 4 @ 10; " {
		t.Error(got)
	}
}
