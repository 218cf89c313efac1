package postgres_test

import (
	"errors"
	"testing"

	"rackwright/internal/apperr"
	"rackwright/internal/money"
	"rackwright/internal/quote"
)

func TestPriceItems(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	save := func(i quote.PriceItem) error {
		i.ListID = s.list
		_, err := s.SavePriceItem(t.Context(), s.price.ID, i)
		return err
	}
	// PR030: a year that ends, and the next one
	for _, i := range []quote.PriceItem{
		{SKU: "BOARD-8", Price: dec("7.50"), From: date("2021-01-01"), To: date("2021-12-31")},
		{SKU: "BOARD-8", Price: dec("4.60"), From: date("2022-01-01"), To: date("2910-12-31")},
		{SKU: "BOARD-8", Price: dec("4.00"), MinQty: dec("10"), From: date("2022-01-01")},
	} {
		if err := save(i); err != nil {
			t.Fatal(err)
		}
	}
	for name, i := range map[string]quote.PriceItem{
		"overlap":         {SKU: "BOARD-8", Price: dec("1"), From: date("2021-12-31"), To: date("2021-12-31")},
		"negative":        {SKU: "BOARD-8", Price: dec("-1"), From: date("1999-01-01")},
		"ends before":     {SKU: "BOARD-8", Price: dec("1"), From: date("1999-01-02"), To: date("1999-01-01")},
		"unknown SKU":     {SKU: "NO-SUCH", Price: dec("1"), From: date("1999-01-02")},
		"seven decimals":  {SKU: "BOARD-8", Price: dec("0.0000001"), From: date("1999-01-02"), To: date("1999-01-03")},
		"no first day":    {SKU: "BOARD-8", Price: dec("1")},
		"negative breaks": {SKU: "BOARD-8", Price: dec("1"), MinQty: dec("-1"), From: date("1999-01-02")},
	} {
		if err := save(i); !apperr.Is(err, apperr.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	list, items, err := s.PriceList(t.Context(), s.list)
	if err != nil || list.Name != "Own list" || len(items) != 6 {
		t.Fatalf("%+v, %d items, %v", list, len(items), err)
	}
	prices := must(s.PricesOf(t.Context(), "BOARD-8"))(t)
	if len(prices) != 3 || prices[0].Price.String() != "7.5" {
		t.Errorf("%+v", prices)
	}
	prices[0].Price = dec("7.25")
	if err := save(prices[0]); err != nil {
		t.Fatal(err)
	}
	if err := s.DeletePriceItem(t.Context(), s.price.ID, 999, prices[1].ID); !apperr.Is(err, apperr.NotFound) {
		t.Errorf("a price of another list: %v", err)
	}
	if err := s.DeletePriceItem(t.Context(), s.price.ID, s.list, prices[1].ID); err != nil {
		t.Fatal(err)
	}
	for field, change := range map[string]func(*quote.PriceList){
		"currency": func(l *quote.PriceList) { l.Currency = "JPY" },
		"tax_mode": func(l *quote.PriceList) { l.TaxMode = quote.Inclusive },
	} {
		other := list
		change(&other)
		if _, err := s.SavePriceList(t.Context(), s.price.ID, other); !faulty(err, field) {
			t.Errorf("%s of a list with prices: %v", field, err)
		}
	}
	empty := quote.PriceList{Name: "Empty", Currency: "USD", TaxMode: quote.Exclusive}
	empty.ID, empty.Version, empty.Currency = must(s.SavePriceList(t.Context(), s.price.ID, empty))(t), 1, "EUR"
	must(s.SavePriceList(t.Context(), s.price.ID, empty))(t)
	if got := must(s.PricesOf(t.Context(), "BOARD-8"))(t); len(got) != 2 || !got[0].Price.Equal(dec("7.25")) {
		t.Errorf("%+v", got)
	}
	list.Name = "Renamed"
	must(s.SavePriceList(t.Context(), s.price.ID, list))(t)
	if _, err := s.SavePriceList(t.Context(), s.price.ID, list); !apperr.Is(err, apperr.Conflict) {
		t.Errorf("an old version was stored: %v", err)
	}
	if _, _, err := s.PriceList(t.Context(), 999); !apperr.Is(err, apperr.NotFound) {
		t.Errorf("no such list: %v", err)
	}
}

// faulty reports whether err is a fault of a field.
func faulty(err error, field string) bool {
	e, ok := errors.AsType[*apperr.Error](err)
	return ok && e.Kind == apperr.Invalid && e.Fields[field].ID != ""
}

func TestLimitsRatesAndTaxes(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	ctx := t.Context()
	limit := quote.Limit{SKU: "nic", Currency: "USD", Floor: ptr("1400")}
	if err := s.SaveLimit(ctx, s.price.ID, limit); err != nil {
		t.Fatal(err)
	}
	if err := s.SaveLimit(ctx, s.price.ID, limit); !apperr.Is(err, apperr.Conflict) {
		t.Errorf("two first versions: %v", err)
	}
	limits := must(s.Limits(ctx))(t)
	if len(limits) != 1 || limits[0].SKU != "NIC" || limits[0].Cost != nil || limits[0].Floor.String() != "1400" {
		t.Errorf("%+v", limits)
	}
	rate := quote.Rate{Base: "USD", Quote: "JPY", Day: date("2026-11-30"), Rate: dec("153.2"), Source: "test"}
	for range 2 { // the same day again corrects
		if err := s.SaveRate(ctx, s.price.ID, rate); err != nil {
			t.Fatal(err)
		}
		rate.Rate = dec("153.25")
	}
	if rates := must(s.Rates(ctx, 10))(t); len(rates) != 1 || rates[0].Rate.String() != "153.25" {
		t.Errorf("%+v", rates)
	}
	for name, bad := range map[string]quote.Rate{
		"zero":          {Base: "USD", Quote: "EUR", Day: date("2026-11-30"), Source: "test"},
		"same currency": {Base: "USD", Quote: "USD", Day: date("2026-11-30"), Rate: dec("1"), Source: "test"},
		"no source":     {Base: "USD", Quote: "EUR", Day: date("2026-11-30"), Rate: dec("1")},
	} {
		if err := s.SaveRate(ctx, s.price.ID, bad); !apperr.Is(err, apperr.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	must(s.SaveTaxRate(ctx, s.price.ID, quote.Tax{Name: "GST", Country: "SG", Rate: money.MustPercent("9"), Default: true}))(t)
	must(s.SaveTaxRate(ctx, s.price.ID, quote.Tax{Name: "VAT", Country: "DE", Rate: money.MustPercent("19"), Default: true}))(t)
	taxes := must(s.TaxRates(ctx))(t)
	if len(taxes) != 2 || !taxes[0].Default || taxes[1].Default || taxes[0].Country != "DE" {
		t.Errorf("%+v", taxes)
	}
	if _, err := s.SaveTaxRate(ctx, s.price.ID, quote.Tax{Name: "x", Rate: money.MustPercent("101")}); !apperr.Is(err, apperr.Invalid) {
		t.Errorf("101 %%: %v", err)
	}
}

func TestCustomers(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	ctx := t.Context()
	c := quote.Customer{Name: "Meridian 机器人", Country: "SG", Contacts: []quote.Contact{{Name: "Tan Wei Ling", Email: "tan@example.com"}}}
	id := must(s.CreateCustomer(ctx, s.sales.ID, "new", c))(t)
	if again := must(s.CreateCustomer(ctx, s.sales.ID, "new", c))(t); again != id {
		t.Errorf("one form made the customers %d and %d", id, again)
	}
	got := must(s.Customer(ctx, id))(t)
	if got.Name != c.Name || len(got.Contacts) != 1 {
		t.Fatalf("%+v", got)
	}
	if p := got.Party(0); p.CustomerID != id || p.Contact != "Tan Wei Ling" || p.Email != "tan@example.com" {
		t.Errorf("%+v", p)
	}
	got.Contacts = append(got.Contacts[1:], quote.Contact{Name: "Lim"})
	if err := s.SaveCustomer(ctx, s.sales.ID, got); err != nil {
		t.Fatal(err)
	}
	if err := s.SaveCustomer(ctx, s.sales.ID, got); !apperr.Is(err, apperr.Conflict) {
		t.Errorf("an old version was stored: %v", err)
	}
	got = must(s.Customer(ctx, id))(t)
	if len(got.Contacts) != 1 || got.Contacts[0].Name != "Lim" {
		t.Errorf("%+v", got.Contacts)
	}
	for search, want := range map[string]int{"": 1, "机器": 1, "MERID": 1, "%": 0} {
		if found := must(s.Customers(ctx, search, 10))(t); len(found) != want {
			t.Errorf("%q finds %d", search, len(found))
		}
	}
	bad := quote.Customer{Contacts: []quote.Contact{{Email: "nobody"}}}
	if _, err := s.CreateCustomer(ctx, s.sales.ID, "bad", bad); !apperr.Is(err, apperr.Invalid) {
		t.Errorf("stored: %v", err)
	}
}
