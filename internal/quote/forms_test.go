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

func faultsOf(t *testing.T, err error) []string {
	t.Helper()
	if err == nil {
		return nil
	}
	e, ok := errors.AsType[*apperr.Error](err)
	if !ok || e.Kind != apperr.Invalid {
		t.Fatal(err)
	}
	return e.FieldNames()
}

// Each form is right as it stands in one row, and wrong in every field in the next.
func TestForms(t *testing.T) {
	long := strings.Repeat("长", MaxShort+1)
	day := onDay("2026-11-30")
	tests := []struct {
		name string
		form interface{ Validate() error }
		want []string
	}{
		{"price list", PriceList{Name: "USD", Currency: "USD", TaxMode: Exclusive}, nil},
		{"price list, all wrong", PriceList{Group: long}, []string{"currency", "group", "name", "tax_mode"}},
		{"price", PriceItem{SKU: "A", Price: dec("1"), From: day}, nil},
		{"price, all wrong", PriceItem{Price: dec("-1"), MinQty: dec("0.0000001")}, []string{"from", "min_qty", "price", "sku"}},
		{"price that ends before", PriceItem{SKU: "A", From: day, To: day.AddDate(0, 0, -1)}, []string{"to"}},
		{"floor", Limit{SKU: "A", Currency: "USD", Floor: ptr("1")}, nil},
		{"floor, all wrong", Limit{Floor: ptr("-1"), Cost: ptr("1000000000000")}, []string{"cost", "currency", "floor", "sku"}},
		{"tax", Tax{Name: "GST", Country: "SG", Rate: money.MustPercent("9")}, nil},
		{"tax, all wrong", Tax{Country: "Singapore", Rate: money.MustPercent("9.1234567")}, []string{"country", "name", "rate"}},
		{"rate", Rate{Base: "USD", Quote: "EUR", Day: day, Rate: dec("0.9200000001"), Source: "ECB"}, nil},
		{"rate, all wrong", Rate{Base: "X", Quote: "Y"}, []string{"base", "day", "quote", "rate", "source"}},
		{"rate with eleven decimals", Rate{Base: "USD", Quote: "EUR", Day: day, Rate: dec("0.00000000001"), Source: "ECB"}, []string{"rate"}},
		{"customer", Customer{Name: "A", Contacts: []Contact{{Name: "B", Email: "b@example.com"}}}, nil},
		{"customer, all wrong", Customer{Country: "sg", Group: long, TaxNumber: long, Contacts: []Contact{{Email: "a b@c", Phone: long, JobTitle: long}}},
			[]string{"contacts[0].email", "contacts[0].job_title", "contacts[0].name", "contacts[0].phone", "country", "group", "name", "tax_number"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := faultsOf(t, tt.form.Validate()); !slices.Equal(got, tt.want) {
				t.Errorf("faults at %v, want %v", got, tt.want)
			}
		})
	}
}

func TestCloseEvent(t *testing.T) {
	for as, want := range map[State]EventKind{Lost: CloseLost, Cancelled: Cancel} {
		if got, err := (Close{As: as, Reason: "price"}).Event(); err != nil || got != want {
			t.Errorf("%s: %s, %v", as, got, err)
		}
	}
	_, err := Close{As: Sent}.Event()
	if got := faultsOf(t, err); !slices.Equal(got, []string{"as", "reason"}) {
		t.Errorf("%v", got)
	}
}

func TestRulingMay(t *testing.T) {
	lead, pricing := Ruling{Margin: true}, Ruling{Floor: true}
	if !lead.May(AboveDiscount) || !lead.May(BelowMargin) || lead.May(BelowFloor) || !pricing.May(BelowFloor) || pricing.May(BelowMargin) || lead.May(BlankPrice) {
		t.Error("somebody decides on what is not theirs")
	}
}

func TestParty(t *testing.T) {
	c := Customer{ID: 3, Name: "A", Group: "partner", Contacts: []Contact{{ID: 1, Name: "B"}, {ID: 2, Name: "C", Email: "c@example.com"}}}
	if p := c.Party(2); p.Contact != "C" || p.Email != "c@example.com" || p.CustomerID != 3 || p.Group != "partner" {
		t.Errorf("%+v", p)
	}
	if p := c.Party(0); p.ContactID != 1 {
		t.Errorf("%+v", p)
	}
	if p := c.Party(9); p.ContactID != 0 {
		t.Errorf("%+v", p)
	}
}

// R12: what the customer's page and the PDF are made from.
func TestForCustomer(t *testing.T) {
	c, _ := sendable()
	c.InternalNote, c.LicenceRef, c.Customer.Group = "secret", "L-1", "partner"
	c.Lines[0].Override = &Override{Reason: "to win"}
	got := c.ForCustomer()
	l := got.Lines[0]
	if l.Cost != nil || l.Floor != nil || l.Override != nil || l.List.Price != nil || l.ControlTo != "" || got.InternalNote != "" || got.LicenceRef != "" || got.Customer.Group != "" {
		t.Errorf("%+v", got)
	}
	if c.Lines[0].Cost == nil || l.UnitPrice == nil || l.Description == "" {
		t.Error("the original lost its cost, or the copy its price")
	}
}

func TestNewContent(t *testing.T) {
	singapore := time.FixedZone("UTC+8", 8*3600)
	c := NewContent(Settings{Currency: "SGD", Zone: singapore, ValidityDays: 14}, time.Date(2026, 11, 30, 17, 0, 0, 0, time.UTC), "en")
	if !c.Day.Equal(onDay("2026-12-01")) || !c.ValidTo.Equal(onDay("2026-12-15")) || c.Currency != "SGD" || c.TaxMode != Exclusive {
		t.Errorf("%+v", c)
	}
	if end := LinkEnd(c.ValidTo, singapore); !end.Equal(time.Date(2027, 3, 15, 16, 0, 0, 0, time.UTC)) {
		t.Errorf("the link ends %s", end.UTC())
	}
}

func TestLimitInAnotherCurrency(t *testing.T) {
	b := aBook()
	b.Limits["A"] = Limit{SKU: "A", Currency: "USD", Floor: ptr("100"), Cost: nil}
	floor, cost := b.limit("A", "EUR", onDay("2026-11-30"))
	if show(floor) != "92.00" || cost != nil {
		t.Errorf("floor %s, cost %s", show(floor), show(cost))
	}
	if floor, _ = b.limit("A", "JPY", onDay("2026-11-30")); floor != nil {
		t.Errorf("a floor without a rate: %s", floor)
	}
}

func TestBetterPrice(t *testing.T) {
	older, newer := listItem(1, "A", "0", "1", "2026-01-01", ""), listItem(5, "A", "0", "2", "2026-06-01", "")
	if !better(newer, older) || better(older, newer) {
		t.Error("of two lists the newer price counts")
	}
	same := older
	same.ListID = 5
	if !better(older, same) {
		t.Error("a tie goes to the older list")
	}
}
