package server

import (
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"rackwright/internal/auth"
	"rackwright/internal/inventory"
	"rackwright/internal/quote"
)

// accepting is the form with which a customer accepts.
func accepting(b *browser, link string) url.Values {
	f := b.get(link).status(http.StatusOK).form(link + "/accept")
	f.Set("name", "Tan Wei Ling")
	f.Set("agree", "yes")
	return f
}

// A double click on accept has one effect: one decision and one reservation.
func TestAcceptTwice(t *testing.T) {
	s := newShop(t)
	at := s.priced(s.sales)
	link := s.send(s.sales, at)
	customer := s.visitor()
	f := accepting(customer, link)
	customer.post(link+"/accept", f).leads(link)
	customer.post(link+"/accept", f).leads(link)
	reserved, err := s.db.ReservationsOf(t.Context(), quoteID(t, at))
	if err != nil || len(reserved) != 1 || reserved[0].Quantity != 1 {
		t.Errorf("reservations %+v, %v", reserved, err)
	}
	// A second form, rendered before, is refused: the quote is accepted already.
	f.Set("key", newKey())
	customer.post(link+"/accept", f).status(http.StatusConflict).says("This quote is accepted")
	g := url.Values{"key": {newKey()}, "reason": {"price"}}
	customer.post(link+"/decline", g).status(http.StatusConflict).says("This quote is accepted")
}

// What a customer leaves out is asked for, and what was typed stays.
func TestAcceptNeedsNameAndAgreement(t *testing.T) {
	s := newShop(t)
	link := s.send(s.sales, s.priced(s.sales))
	customer := s.visitor()
	f := customer.get(link).form(link + "/accept")
	f.Set("name", " ")
	f.Set("role", "Buyer")
	a := customer.post(link+"/accept", f).status(http.StatusUnprocessableEntity).says("Please confirm that you may order.")
	if a.fault("name") == "" || a.fault("agree") == "" {
		t.Error("the faults are not at the fields")
	}
	if v, _ := a.page().Find("#f-role").Attr("value"); v != "Buyer" {
		t.Errorf("job title %q", v)
	}
	customer.post(link+"/accept", url.Values{"name": {"x"}, "agree": {"yes"}}).status(http.StatusUnprocessableEntity)
}

func TestDecline(t *testing.T) {
	s := newShop(t)
	at := s.priced(s.sales)
	link := s.send(s.sales, at)
	customer := s.visitor()
	f := customer.get(link).form(link + "/decline")
	customer.post(link+"/decline", f).status(http.StatusUnprocessableEntity).says("Please choose a reason.")
	f.Set("reason", "free text")
	customer.post(link+"/decline", f).status(http.StatusUnprocessableEntity)
	f.Set("reason", "scope")
	f.Set("comment", "two servers, not one")
	customer.post(link+"/decline", f).leads(link)
	customer.get(link).says("This quote was declined").silent("/accept\"")
	s.sales.get(at).says("Declined by the customer").says("Not what we need: two servers, not one").says("Make a revision")
}

// After the last day in the company's zone nothing can be accepted, whether or not a job ran.
func TestExpiredQuote(t *testing.T) {
	s := newShop(t)
	link := s.send(s.sales, s.priced(s.sales))
	customer := s.visitor()
	f := accepting(customer, link)
	end := quote.EndOfDay(time.Date(2026, 12, 14, 0, 0, 0, 0, time.UTC), time.FixedZone("+08", 8*3600))
	s.pass(end.Sub(s.now()) - time.Second)
	customer.get(link).says("Accept quote")
	s.pass(time.Second)
	customer.get(link).status(http.StatusOK).says("This quote has expired").silent("/accept\"")
	customer.post(link+"/accept", f).status(http.StatusConflict).says("This quote has expired")
	customer.get(link + "/pdf").status(http.StatusOK)
}

// A revoked, an unknown and a malformed link say the same in plain words; a new link works.
func TestRevokedLink(t *testing.T) {
	s := newShop(t)
	at := s.priced(s.sales)
	link := s.send(s.sales, at)
	page := s.sales.get(at).says("link works until 14 March 2027")
	s.sales.post(at+"/link/revoke", page.form(at+"/link/revoke")).leads(at)
	customer := s.visitor()
	for _, path := range []string{link, link + "/pdf", "/q/AAAAAAAAAAAAAAAAAAAAAA", "/q/x", "/q/%2e%2e%2f"} {
		customer.get(path).status(http.StatusNotFound).says("This link no longer works")
	}
	customer.post(link+"/accept", url.Values{"key": {newKey()}, "name": {"x"}, "agree": {"yes"}}).status(http.StatusNotFound)
	page = s.sales.get(at).says("No link is live.")
	s.sales.post(at+"/link", page.form(at+"/link")).leads(at)
	again, _ := s.sales.get(at).page().Find("[data-select-all]").Attr("value")
	customer.get(strings.TrimPrefix(again, "http://example.com")).status(http.StatusOK).says("Accept quote")
}

// The customer's first look is recorded once; staff looking at the page is not the customer.
func TestViewedOnce(t *testing.T) {
	s := newShop(t)
	at := s.priced(s.sales)
	link := s.send(s.sales, at)
	s.sales.get(link).status(http.StatusOK)
	s.sales.get(at).says("not opened yet")
	for range 3 {
		s.visitor().get(link)
	}
	q, err := s.db.Quote(t.Context(), quoteID(t, at))
	if err != nil {
		t.Fatal(err)
	}
	views := 0
	for _, e := range q.Events {
		if e.Kind == quote.View {
			views++
		}
	}
	if views != 1 {
		t.Errorf("%d events of viewing, want 1", views)
	}
	s.sales.get(at).says("The customer opened revision 1")
}

// The customer's page is nobody's cache, and shows neither the staff's menu nor our words.
func TestPublicPageIsCalm(t *testing.T) {
	s := newShop(t)
	link := s.send(s.sales, s.priced(s.sales))
	a := s.visitor().get(link)
	for name, want := range map[string]string{
		"Cache-Control": "private, no-store", "X-Robots-Tag": "noindex, nofollow", "Referrer-Policy": "no-referrer",
	} {
		if got := a.Header().Get(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
	if a.page().Find(".bar-nav").Length() != 0 {
		t.Error("the staff's menu is on the page")
	}
	a.says("Harbourline Systems").says("30 days net.").says("What is inside")
}

func TestPublicPagesAreLimited(t *testing.T) {
	s := newShop(t)
	b := s.visitor()
	b.addr = "203.0.113.9"
	last := 0
	for range publicReads + 1 {
		last = b.get("/q/AAAAAAAAAAAAAAAAAAAAAA").Code
	}
	if last != http.StatusTooManyRequests {
		t.Errorf("request %d of a minute answers %d", publicReads+1, last)
	}
	s.visitor().get("/q/AAAAAAAAAAAAAAAAAAAAAA").status(http.StatusNotFound) // others are not affected
}

func TestStockPage(t *testing.T) {
	s := newShop(t)
	keeper := s.as("jonas", "stock")
	page := keeper.get("/inventory").status(http.StatusOK).says("DGX H100").says("Singapore")
	f := page.form("/inventory/receive")
	f.Set("sku", strings.ToLower(switchSKU))
	f.Set("to", itoa(s.place))
	f.Set("quantity", "1,200")
	f.Set("note", "RC-1")
	keeper.post("/inventory/receive", f).leads("/inventory")
	keeper.post("/inventory/receive", f).leads("/inventory") // a double click receives once
	keeper.get("/inventory").says("1,200").says("RC-1").silent("2,400")

	g := keeper.get("/inventory").form("/inventory/places")
	g.Set("code", "rtm")
	g.Set("name", "Rotterdam")
	keeper.post("/inventory/places", g).leads("/inventory")
	places, err := s.db.Locations(t.Context())
	if err != nil || len(places) != 2 {
		t.Fatal(places, err)
	}
	m := keeper.get("/inventory").form("/inventory/move")
	m.Set("sku", switchSKU)
	m.Set("from", itoa(s.place))
	m.Set("to", itoa(other(places, s.place)))
	for quantity, want := range map[string]string{
		"1201": "Not that many", "0": "at least 1", "-3": "at least 1", "x": "whole number", "1.5": "whole number", "": "fill this in",
		"99999999999999999999": "must not be more",
	} {
		m.Set("quantity", quantity)
		m.Set("key", newKey())
		a := keeper.post("/inventory/move", m).status(http.StatusUnprocessableEntity)
		if got := a.page().Find("#move #f-quantity-error").Text(); !strings.Contains(got, want) {
			t.Errorf("quantity %q: %q, want %q", quantity, got, want)
		}
	}
	m.Set("quantity", "200")
	m.Set("from", "999")
	if got := keeper.post("/inventory/move", m).status(http.StatusUnprocessableEntity).page().Find("#move #f-from-error").Text(); got == "" {
		t.Error("a place that does not exist is no fault of its field")
	}
	m.Set("from", itoa(s.place))
	keeper.post("/inventory/move", m).leads("/inventory")
	keeper.get("/inventory").says("Rotterdam").says("Singapore → Rotterdam")
	m.Set("key", newKey())
	m.Set("sku", "NO-SUCH")
	keeper.post("/inventory/move", m).status(http.StatusUnprocessableEntity).says("“NO-SUCH”")
}

func other(places []inventory.Location, id int64) int64 {
	for _, p := range places {
		if p.ID != id {
			return p.ID
		}
	}
	return 0
}

// Reserved stock cannot be moved away, and shows for which quote it is kept.
func TestReservedStockStays(t *testing.T) {
	s := newShop(t)
	link := s.send(s.sales, s.priced(s.sales))
	customer := s.visitor()
	customer.post(link+"/accept", accepting(customer, link)).leads(link)
	keeper := s.as("jonas", "stock")
	page := keeper.get("/inventory").says("Q-2026-0001").says("2026-12-30, end of day").silent("690,839", "330,000")
	if page.page().Find(`a[href^="/quotes/"]`).Length() != 0 {
		t.Error("a stock keeper is led to a page that they may not see")
	}
	s.sales.get("/inventory").status(http.StatusOK).silent("/inventory/receive")
	s.sales.post("/inventory/receive", url.Values{}).status(http.StatusForbidden)
	s.visitor().get("/inventory").status(http.StatusSeeOther)
}

// Where a quote has no terms of its own the standing ones hold, on paper and on the customer's page alike.
func TestStandingTermsOnPageAndPaper(t *testing.T) {
	s := newShop(t)
	at := s.priced(s.sales)
	edit(s.sales, at, "save", map[string]string{"terms": ""}).leads(at)
	link := s.send(s.sales, at)
	if words := quoteWords(t, s.visitor().get(link+"/pdf")); !strings.Contains(words, "30 days net.") {
		t.Errorf("PDF:\n%s", words)
	}
	s.visitor().get(link).says("30 days net.")
}

// A sent quote expires when its document says so, also after the company moved to another time zone: 20 hours lie
// between the ends of a day in Kiritimati and in Niue.
func TestExpiryKeepsTheZoneOfSending(t *testing.T) {
	s := newShop(t)
	move := func(zone string) {
		t.Helper()
		c, err := s.db.Company(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		c.TimeZone = zone
		if err := s.db.SaveCompany(t.Context(), s.boss, c); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct{ from, to, end string }{
		{"Pacific/Kiritimati", "Pacific/Niue", "2026-12-14T10:00:00Z"},
		{"Pacific/Niue", "Pacific/Kiritimati", "2026-12-15T11:00:00Z"},
	} {
		move(tt.from)
		at := s.priced(s.sales)
		edit(s.sales, at, "save", map[string]string{"valid_until": "2026-12-14"}).leads(at)
		link := s.send(s.sales, at)
		move(tt.to)
		end, err := time.Parse(time.RFC3339, tt.end)
		if err != nil {
			t.Fatal(err)
		}
		f := accepting(s.visitor(), link)
		back := s.ahead.Load()
		s.pass(end.Sub(s.now()) - time.Second)
		s.visitor().get(link).says("Accept quote").says("end of the day, " + tt.from)
		s.pass(time.Second)
		s.visitor().get(link).says("This quote has expired")
		s.visitor().post(link+"/accept", f).status(http.StatusConflict)
		s.sales = s.session(s.person("sales-"+tt.end[8:10], aHash, false, auth.Sales))
		if got := text(s.sales.get("/quotes?state=expired"), "tbody"); !strings.Contains(got, "Expired") {
			t.Errorf("the list of expired quotes says %q", got)
		}
		s.ahead.Store(back)
	}
}
