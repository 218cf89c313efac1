package view

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"rackwright/internal/apperr"
	"rackwright/internal/i18n"
	"rackwright/internal/money"
	"rackwright/internal/quote"
)

var (
	testDay  = time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)
	testNow  = time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)
	testZone = time.FixedZone("+08", 8*3600)
)

func testPage(l i18n.Lang) Page { return Page{Lang: l, L: i18n.For(l)} }

func decimal(s string) *money.Decimal {
	d := money.MustDecimal(s)
	return &d
}

// testContent is a quote with a section, a bundle, an alternative, a note and an option.
func testContent() quote.Content {
	gst := money.MustPercent("9")
	item := func(kind quote.LineKind, sku, name, qty, price string) quote.Line {
		return quote.Line{
			Kind: kind, SKU: sku, Description: name, Quantity: money.MustDecimal(qty), UnitPrice: decimal(price),
			TaxRate: gst, TaxName: "GST", Cost: decimal("198765.43"), Floor: decimal("278000"),
			List: quote.ListPrice{Origin: quote.FromPriceList, Price: decimal(price), List: "Own list", AsOf: testDay},
		}
	}
	lines := []quote.Line{
		{Kind: quote.Section, Description: "Compute"},
		item(quote.Item, "SMC-SYS-821GE-TNHR", "Server with 8 x H100", "2", "285000"),
		{Kind: quote.Item, Part: true, SKU: "HGX-H100-8GPU", Description: "Baseboard", Quantity: money.FromInt(1), TaxRate: gst},
		item(quote.Alternative, "HGX-H200-8GPU", "The same with H200", "2", "342430"),
		{Kind: quote.Note, Description: "Delivered in crates"},
		item(quote.Item, "", "Installation", "1", "1000"),
		item(quote.Option, "QM9700", "Spare switch", "1", "38500"),
	}
	lines[1].Discount = money.MustPercent("3")
	for i := range lines {
		lines[i].ID = int64(i + 1)
	}
	return quote.Content{
		Title: "Two servers", Customer: quote.Party{CustomerID: 7, Name: "Meridian Robotics"}, Currency: "USD",
		TaxMode: quote.Exclusive, Day: testDay, ValidTo: testDay.AddDate(0, 0, 14), Lang: "en", ShipTo: "SG", EndUser: "SG",
		Discount: quote.Discount{Percent: money.MustPercent("1")}, Lines: lines,
	}
}

func testQuote(t *testing.T, state quote.State) quote.Quote {
	t.Helper()
	c := testContent()
	totals, err := quote.Calculate(c.Input())
	if err != nil {
		t.Fatal(err)
	}
	rev := quote.Revision{Number: 1, State: state, Content: c, Totals: totals}
	if state.Frozen() {
		rev.SentAt = testNow
	}
	return quote.Quote{ID: 12, Version: 3, Owner: "Ines Okafor", Revision: rev, Revisions: []quote.Revision{rev}}
}

func testData(t *testing.T, state quote.State) QuoteData {
	q := testQuote(t, state)
	return QuoteData{
		Quote: q, Content: q.Revision.Content, Totals: q.Revision.Totals, MayEdit: true, Key: "k", Now: testNow, Zone: testZone,
	}
}

func TestLinePositions(t *testing.T) {
	got := LinePositions(testContent().Lines)
	want := []string{"A", "1", "", "1a", "", "2", "2a"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	if letters(25) != "Z" || letters(26) != "AA" || letters(27) != "AB" {
		t.Error("letters after Z")
	}
}

func TestQuoteTotals(t *testing.T) {
	rows := func(v QuoteTotals) string {
		var s []string
		for _, r := range append(v.Rows, v.Extras...) {
			s = append(s, r.Label+"="+r.Value)
		}
		return strings.Join(s, "; ")
	}
	c := testContent()
	totals, err := quote.Calculate(c.Input())
	if err != nil {
		t.Fatal(err)
	}
	v := NewQuoteTotals(testPage(i18n.English), c, totals)
	want := "Subtotal=553,900.00; Discount on the whole, 1%=−5,539.00; Total excl. tax=548,361.00; GST 9%=49,352.49; " +
		"Total incl. tax, USD=597,713.49; Alternative 1a=684,860.00; Option 2a=+38,500.00"
	if got := rows(v); got != want {
		t.Errorf("exclusive:\n got %s\nwant %s", got, want)
	}
	if v.Grand != "597,713.49" || v.Warning != "" {
		t.Errorf("grand %q, warning %q", v.Grand, v.Warning)
	}
	c.TaxMode = quote.Inclusive
	totals, err = quote.Calculate(c.Input())
	if err != nil {
		t.Fatal(err)
	}
	v = NewQuoteTotals(testPage(i18n.Traditional), c, totals)
	if v.Grand != "548,361.00" || v.Rows[len(v.Rows)-1].Value != "503,083.49" {
		t.Errorf("inclusive: %s", rows(v))
	}
}

// A line that counts and has no price makes the total unknown, and says so; it is never 0.
func TestQuoteTotalsUnknown(t *testing.T) {
	c := testContent()
	c.Lines[5].UnitPrice = nil
	totals, err := quote.Calculate(c.Input())
	if err != nil {
		t.Fatal(err)
	}
	v := NewQuoteTotals(testPage(i18n.English), c, totals)
	if v.Grand != Unknown(i18n.English) || !strings.HasPrefix(v.Warning, "1 line has no price") {
		t.Errorf("grand %q, warning %q", v.Grand, v.Warning)
	}
}

func TestQuotePageGroups(t *testing.T) {
	in := testData(t, quote.Draft)
	in.Blockers = []quote.Blocker{
		{Kind: quote.BelowFloor, Severity: quote.Approval, Msg: apperr.Msg("quote.blocked_floor"), Lines: []int{1, 2}},
	}
	v := NewQuotePage(testPage(i18n.English), in)
	if len(v.Groups) != 1 || v.Groups[0].Head == nil || v.Groups[0].Subtotal != "553,900.00" || len(v.Groups[0].Lines) != 5 {
		t.Fatalf("%+v", v.Groups)
	}
	server, alternative := v.Groups[0].Lines[0], v.Groups[0].Lines[1]
	if server.Pos != "1" || server.Net != "552,900.00" || len(server.Kids) != 1 || server.Floor != "below floor" {
		t.Errorf("server %+v", server)
	}
	if server.Price.Name != "lines[1].unit_price" || server.Price.Value != "285,000.00" || server.Discount.Value != "3" {
		t.Errorf("fields %+v %+v", server.Price, server.Discount)
	}
	if alternative.Index != "3" || alternative.Net != "684,860.00" || !alternative.Extra {
		t.Errorf("alternative %+v", alternative)
	}
	if v.Gate.Open != 1 || v.Gate.Points[0].Href != "#line-1" || v.Gate.Points[0].Sub != "line 1" || !v.Steps.Submit {
		t.Errorf("gate %+v", v.Gate)
	}
	in.SeeFloor = true
	if got := NewQuotePage(testPage(i18n.English), in).Groups[0].Lines[0].Floor; got != "below floor 278,000.00" {
		t.Errorf("floor for a lead: %q", got)
	}
}

// Neither the page of somebody without the right nor the customer's page holds a cost or a
// floor price anywhere (R12).
func TestNoCostWithoutRight(t *testing.T) {
	for _, l := range i18n.Langs {
		staff := fmt.Sprintf("%+v", NewQuotePage(testPage(l), testData(t, quote.Draft)))
		q := testQuote(t, quote.Sent)
		public := fmt.Sprintf("%+v", NewPublicQuotePage(testPage(l), PublicData{Quote: q, Base: "/q/x", Now: testNow, Zone: testZone}))
		for name, page := range map[string]string{"staff": staff, "public": public} {
			for _, secret := range []string{"198,765", "198765", "278,000", "278000"} {
				if strings.Contains(page, secret) {
					t.Errorf("%s, %s: page holds %s", l, name, secret)
				}
			}
		}
		if strings.Contains(public, "Own list") {
			t.Errorf("%s: the customer sees the price list", l)
		}
	}
}

// What was typed comes back as it was, with what is wrong beside it.
func TestQuotePageTyped(t *testing.T) {
	in := testData(t, quote.Draft)
	typed := map[string]string{"lines[1].quantity": "many", "title": "New title", "discount": "120", "discount_kind": "percent"}
	in.Typed = func(name string) (string, bool) { v, ok := typed[name]; return v, ok }
	var f apperr.Faults
	f.Add("lines[1].quantity", "errors.not_a_number")
	f.Add("discount", "errors.too_large", "max", 100)
	in.Err = f.Err()
	v := NewQuotePage(testPage(i18n.Simplified), in)
	if q := v.Groups[0].Lines[0].Qty; q.Value != "many" || q.Error == "" {
		t.Errorf("quantity %+v", q)
	}
	if v.Details[1].Value != "New title" || v.Discount[0].Value != "120" || v.Discount[0].Error == "" {
		t.Errorf("title %+v, discount %+v", v.Details[1], v.Discount[0])
	}
	if len(v.Faults) != 2 || v.Faults[0].Href() != "#f-lines[1].quantity" {
		t.Errorf("summary %+v", v.Faults)
	}
}

func TestPublicStates(t *testing.T) {
	for _, state := range []quote.State{quote.Sent, quote.Accepted, quote.Declined, quote.Expired, quote.Superseded, quote.Lost, quote.Cancelled} {
		q := testQuote(t, state)
		v := NewPublicQuotePage(testPage(i18n.English), PublicData{Quote: q, Base: "/q/x", Now: testNow, Zone: testZone})
		if (v.Accept != nil) != (state == quote.Sent) || (v.Notice == nil) != (state == quote.Sent) {
			t.Errorf("%s: accept %v, notice %+v", state, v.Accept != nil, v.Notice)
		}
		if v.Grand != "US$597,713.49" {
			t.Errorf("%s: grand %q", state, v.Grand)
		}
	}
}

func TestDaysLeft(t *testing.T) {
	p := testPage(i18n.English)
	late := time.Date(2026, 11, 30, 17, 0, 0, 0, time.UTC) // 1 December in the zone
	for _, tt := range []struct {
		last time.Time
		now  time.Time
		want string
	}{
		{testDay, testNow, "last day today"},
		{testDay, late, ""},
		{testDay.AddDate(0, 0, 1), testNow, "1 day left"},
		{testDay.AddDate(0, 0, 14), late, "13 days left"},
		{time.Time{}, testNow, ""},
	} {
		if got := DaysLeft(p, tt.last, tt.now, testZone); got != tt.want {
			t.Errorf("until %s at %s: %q, want %q", tt.last, tt.now, got, tt.want)
		}
	}
}
