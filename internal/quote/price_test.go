package quote

import (
	"testing"
	"time"
)

func onDay(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}

func listItem(list int64, sku, minQty, price, from, to string) PriceItem {
	i := PriceItem{ListID: list, SKU: sku, MinQty: dec(minQty), Price: dec(price), From: onDay(from)}
	if to != "" {
		i.To = onDay(to)
	}
	return i
}

// aBook is the prices of a company in USD: a list in USD and one in EUR for everybody, and one in USD for
// partners. Figures are those of the cases.
func aBook(items ...PriceItem) Book {
	b := Book{
		Company: "USD",
		Lists: []PriceList{
			{ID: 1, Name: "USD", Currency: "USD", TaxMode: Exclusive}, {ID: 2, Name: "EUR", Currency: "EUR", TaxMode: Exclusive},
			{ID: 3, Name: "Partners", Currency: "USD", TaxMode: Exclusive, Group: "partner"},
			{ID: 4, Name: "Gross", Currency: "USD", TaxMode: Inclusive},
		},
		Items: map[string][]PriceItem{}, Limits: map[string]Limit{}, Products: map[string]Product{},
		Rates: []Rate{{Base: "USD", Quote: "EUR", Day: onDay("2026-11-26"), Rate: dec("0.92")}},
	}
	for _, i := range items {
		b.Items[i.SKU] = append(b.Items[i.SKU], i)
		b.Products[i.SKU] = Product{Names: map[string]string{"en": "Product " + i.SKU, "zh-Hans": "产品 " + i.SKU}}
	}
	return b
}

func TestPriceOfLine(t *testing.T) {
	breaks := []PriceItem{listItem(1, "A", "3", "15.00", "2026-01-01", ""), listItem(1, "A", "6", "10.00", "2026-01-01", "")}
	years := []PriceItem{listItem(1, "A", "0", "7.50", "2021-01-01", "2021-12-31"), listItem(1, "A", "0", "4.60", "2022-01-01", "2910-12-31")}
	tests := []struct {
		name  string
		items []PriceItem
		ask   Ask
		want  string
		from  Origin
		min   string
		zero  bool // the quantity 0 is meant
	}{
		{"PR023 six pieces", breaks, Ask{Quantity: dec("6")}, "10.00", FromPriceList, "6", false},
		{"PR023 three pieces", breaks, Ask{Quantity: dec("3")}, "15.00", FromPriceList, "3", false},
		{"PR024 from ten", []PriceItem{listItem(1, "A", "1", "100.00", "2026-01-01", ""), listItem(1, "A", "10", "80.00", "2026-01-01", "")},
			Ask{Quantity: dec("10")}, "80.00", FromPriceList, "10", false},
		{"PR024 quantity 0 is priced as one", []PriceItem{listItem(1, "A", "1", "100.00", "2026-01-01", "")}, Ask{}, "100.00", FromPriceList, "1", true},
		{"PR026 below the only break", []PriceItem{listItem(1, "A", "10", "95.00", "2026-01-01", "")}, Ask{Quantity: dec("9")}, "unknown", NoPrice, "10", false},
		{"PR030 next year", years, Ask{Day: onDay("2022-02-15")}, "4.60", FromPriceList, "0", false},
		{"PR030 last day", years, Ask{Day: onDay("2021-12-31")}, "7.50", FromPriceList, "0", false},
		{"PR030 before", years, Ask{Day: onDay("2020-12-31")}, "unknown", NoPrice, "0", false},
		{"PR031 ends today", []PriceItem{listItem(1, "A", "0", "10.00", "2026-01-01", "2026-11-30")}, Ask{}, "10.00", FromPriceList, "0", false},
		{"PR031 ended yesterday", []PriceItem{listItem(1, "A", "0", "10.00", "2026-01-01", "2026-11-29")}, Ask{}, "unknown", NoPrice, "0", false},
		{"PR036 other way of the rate", []PriceItem{listItem(1, "A", "0", "1085.00", "2026-01-01", "")}, Ask{Currency: "CHF"}, "1000.00", Converted, "0", false},
		{"PR037 converted", []PriceItem{listItem(1, "A", "0", "1000.00", "2026-01-01", "")}, Ask{Currency: "EUR"}, "920.00", Converted, "0", false},
		{"PR038 own currency wins", []PriceItem{listItem(1, "A", "0", "1000.00", "2026-01-01", ""), listItem(2, "A", "0", "899.00", "2026-01-01", "")},
			Ask{Currency: "EUR"}, "899.00", FromPriceList, "0", false},
		{"PR040 not the inverse", []PriceItem{listItem(1, "A", "0", "100.00", "2026-01-01", "")}, Ask{Currency: "EUR"}, "92.00", Converted, "0", false},
		{"no rate", []PriceItem{listItem(1, "A", "0", "100.00", "2026-01-01", "")}, Ask{Currency: "JPY"}, "unknown", NoPrice, "0", false},
		{"rate older than seven days", []PriceItem{listItem(1, "A", "0", "100.00", "2026-01-01", "")}, Ask{Currency: "EUR", Day: onDay("2026-12-04")}, "unknown", NoPrice, "0", false},
		{"rate seven days old", []PriceItem{listItem(1, "A", "0", "100.00", "2026-01-01", "")}, Ask{Currency: "EUR", Day: onDay("2026-12-03")}, "92.00", Converted, "0", false},
		{"a rate of tomorrow does not count", []PriceItem{listItem(1, "A", "0", "100.00", "2026-01-01", "")}, Ask{Currency: "EUR", Day: onDay("2026-11-25")}, "unknown", NoPrice, "0", false},
		{"partner", []PriceItem{listItem(1, "A", "0", "100.00", "2026-01-01", ""), listItem(3, "A", "0", "90.00", "2026-01-01", "")}, Ask{Group: "partner"}, "90.00", FromPriceList, "0", false},
		{"partner without an own price", []PriceItem{listItem(1, "A", "0", "100.00", "2026-01-01", "")}, Ask{Group: "partner"}, "100.00", FromPriceList, "0", false},
		{"others do not get partner prices", []PriceItem{listItem(3, "A", "0", "90.00", "2026-01-01", "")}, Ask{}, "unknown", NoPrice, "0", false},
		{"gross list on a net quote", []PriceItem{listItem(4, "A", "0", "90.00", "2026-01-01", "")}, Ask{}, "unknown", NoPrice, "0", false},
		{"gross list on a gross quote", []PriceItem{listItem(4, "A", "0", "90.00", "2026-01-01", "")}, Ask{TaxMode: Inclusive}, "90.00", FromPriceList, "0", false},
		{"no such SKU", nil, Ask{}, "unknown", NoPrice, "0", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := aBook(tt.items...)
			b.Rates = append(b.Rates, Rate{Base: "CHF", Quote: "USD", Day: onDay("2026-11-30"), Rate: dec("1.0850")})
			a := Ask{SKU: "A", Quantity: dec("1"), Day: onDay("2026-11-30"), Currency: "USD", TaxMode: Exclusive}
			if !tt.ask.Quantity.IsZero() || tt.zero {
				a.Quantity = tt.ask.Quantity
			}
			if !tt.ask.Day.IsZero() {
				a.Day = tt.ask.Day
			}
			if tt.ask.Currency != "" {
				a.Currency = tt.ask.Currency
			}
			if tt.ask.TaxMode != "" {
				a.TaxMode = tt.ask.TaxMode
			}
			a.Group = tt.ask.Group
			got := b.Price(a)
			if show(got.Price) != tt.want || got.Origin != tt.from || got.MinQty.String() != tt.min {
				t.Errorf("got %s from %s with minimum %s, want %s from %s with %s", show(got.Price), got.Origin, got.MinQty, tt.want, tt.from, tt.min)
			}
			if (got.Origin == Converted) != (got.Rate != nil && got.Source != nil) {
				t.Errorf("a converted price without its rate: %+v", got)
			}
		})
	}
}

func TestFindRate(t *testing.T) {
	rates := []Rate{
		{Base: "USD", Quote: "EUR", Day: onDay("2026-11-24"), Rate: dec("0.90")},
		{Base: "EUR", Quote: "USD", Day: onDay("2026-11-27"), Rate: dec("1.10")},
		{Base: "USD", Quote: "JPY", Day: onDay("2026-11-27"), Rate: dec("153")},
	}
	got, ok := FindRate(rates, "USD", "EUR", onDay("2026-11-30"))
	if !ok || !got.Rate.Equal(dec("1.10")) {
		t.Errorf("the newest row counts in either direction: %+v, %v", got, ok)
	}
	if v := got.Convert(dec("140.00"), "USD", 2); v.String() != "127.27" {
		t.Errorf("PR015: %s", v)
	}
	if _, ok := FindRate(rates, "EUR", "JPY", onDay("2026-11-30")); ok {
		t.Error("a cross rate was made up")
	}
}
