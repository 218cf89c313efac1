package server

import (
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"rackwright/internal/money"
	"rackwright/internal/quote"
)

// offered sends a quote made from lines without SKUs and returns its address for staff and the customer's link.
func (s *shop) offered(t *testing.T, change func(*quote.Content), lines ...quote.Line) (at, link string) {
	t.Helper()
	ctx := context.Background()
	settings, err := s.db.QuoteSettings(ctx)
	if err != nil {
		t.Fatal(err)
	}
	c := quote.NewContent(settings, s.now(), "en")
	c.Customer, c.ShipTo, c.EndUser = quote.Party{Name: "Meridian Robotics", Country: "SG"}, "SG", "SG"
	c.Lines = lines
	if change != nil {
		change(&c)
	}
	id, err := s.db.CreateQuote(ctx, quote.Create{Actor: quote.Actor{ID: s.boss, Name: "Boss"}, Content: c})
	if err != nil {
		t.Fatal(err)
	}
	q, err := s.db.Quote(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	sent, err := s.db.SendQuote(ctx, quote.Dispatch{QuoteID: id, Version: q.Version, Actor: quote.Actor{ID: s.boss, Name: "Boss"}, Render: func(q quote.Quote) ([]byte, error) {
		return []byte("%PDF of " + q.Number), nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return "/quotes/" + itoa(id), "/q/" + sent.Token
}

func line(kind quote.LineKind, text, quantity, price string) quote.Line {
	p := money.MustDecimal(price)
	return quote.Line{Kind: kind, Description: text, Quantity: money.MustDecimal(quantity), UnitPrice: &p}
}

// PR149: two alternatives to one item; exactly one of the three is taken.
func TestPR149ChooseAnAlternative(t *testing.T) {
	s := newShop(t)
	at, link := s.offered(t, nil, line(quote.Item, "Storage", "2", "150"),
		line(quote.Alternative, "More storage", "2", "200"), line(quote.Alternative, "Most storage", "2", "400"))
	customer := s.visitor()
	page := customer.get(link).says("One of these: Storage").says("+100.00").says("+500.00")
	if got := page.page().Find("#pub-grand").Text(); !strings.Contains(got, "300.00") {
		t.Errorf("total %q, want 300.00", got)
	}
	chosen := customer.get(link + "?choice.1=3")
	if got := chosen.page().Find("#pub-grand").Text(); !strings.Contains(got, "800.00") {
		t.Errorf("with the second alternative %q, want 800.00", got)
	}
	customer.get(link + "?choice.1=2&choice.1=3").status(http.StatusUnprocessableEntity).says("two were chosen")
	customer.get(link + "?choice=77").status(http.StatusUnprocessableEntity).says("not an option of this quote")
	customer.get(link + "?choice=x").status(http.StatusUnprocessableEntity)

	f := chosen.form(link + "/accept")
	f.Set("name", "Tan")
	f.Set("agree", "yes")
	both := cloned(f)
	both["choice"] = []string{"2", "3"}
	customer.post(link+"/accept", both).status(http.StatusUnprocessableEntity).says("two were chosen")
	other := cloned(f)
	other["choice"] = []string{"2"} // another total than the one that was read
	if got := customer.post(link+"/accept", other).status(http.StatusUnprocessableEntity).says("The total has changed").page().Find("#pub-grand").Text(); !strings.Contains(got, "400.00") {
		t.Errorf("the new total is not shown: %q", got)
	}
	customer.post(link+"/accept", f).leads(link)
	after := customer.get(link).says("This quote is accepted").silent("type=\"radio\"")
	if got := after.page().Find("#pub-grand").Text(); !strings.Contains(got, "800.00") {
		t.Errorf("accepted for %q, want 800.00", got)
	}
	s.sales.get(at).status(http.StatusOK)
}

func cloned(v url.Values) url.Values {
	c := url.Values{}
	for k, x := range v {
		c[k] = append([]string(nil), x...)
	}
	return c
}

// PR150: choices are shown as the difference to what they replace, with the total of each.
func TestPR150DifferencesToTheBase(t *testing.T) {
	s := newShop(t)
	_, link := s.offered(t, nil, line(quote.Item, "Server", "1", "7000"), line(quote.Item, "Storage", "1", "3000"),
		line(quote.Alternative, "Better storage", "1", "4000"), line(quote.Alternative, "Best storage", "1", "5000"))
	customer := s.visitor()
	customer.get(link).says("+1,000.00").says("+2,000.00")
	for query, want := range map[string]string{"": "10,000.00", "?choice.2=2": "10,000.00", "?choice.2=3": "11,000.00", "?choice.2=4": "12,000.00"} {
		if got := customer.get(link + "/total" + query).status(http.StatusOK).page().Find("#pub-grand").Text(); !strings.Contains(got, want) {
			t.Errorf("%q: %q, want %s", query, got, want)
		}
	}
}

// PR151: a lump sum has no figures but its sum; an option keeps its price outside of it.
func TestPR151LumpSum(t *testing.T) {
	s := newShop(t)
	_, link := s.offered(t, func(c *quote.Content) { c.Layout = quote.LumpSum },
		line(quote.Item, "Server", "1", "100"), line(quote.Item, "Switch", "1", "200"), line(quote.Option, "Cables", "1", "50"))
	page := s.visitor().get(link).says("Server").says("+50.00").silent("100.00", "200.00")
	if got := page.page().Find("#pub-grand").Text(); !strings.Contains(got, "300.00") {
		t.Errorf("total %q, want 300.00", got)
	}
}

// Terms, instalments, notes and places that a quote has are on the customer's page.
func TestPublicPageSaysAll(t *testing.T) {
	s := newShop(t)
	half := money.MustPercent("50")
	support := line(quote.Item, "Support", "2", "10")
	support.Term, support.Config = quote.Term{Periods: 36, Unit: quote.Monthly}, "SN 0012345"
	_, link := s.offered(t, func(c *quote.Content) {
		c.Payments = []quote.Instalment{{Label: "Deposit", Percent: &half, Due: quote.OnOrder}, {Label: "Rest", Due: quote.OnDelivery, Days: 30}}
		c.TaxRule, c.TaxNote = quote.ExportZero, "Zero-rated export"
		c.Delivery = quote.Delivery{Name: "Hall 3", Address: "2 Example Quay"}
	}, support)
	s.visitor().get(link).says("10.00 × 36 months").says("720.00").says("SN 0012345").says("Deposit").says("50%").says("360.00").
		says("30 days after delivery").says("Zero-rated export").says("2 Example Quay")
}

// The record of an acceptance says who, when, from where, and to which bytes; staff and customer read the same.
func TestEvidence(t *testing.T) {
	s := newShop(t)
	at, link := s.offered(t, nil, line(quote.Item, "Server", "1", "100"), line(quote.Option, "Cables", "1", "50"))
	customer := s.visitor()
	customer.get(link + "/evidence").status(http.StatusNotFound)
	f := customer.get(link + "?choice=2").form(link + "/accept")
	f.Set("name", "Tan Wei Ling")
	f.Set("agree", "yes")
	customer.post(link+"/accept", f).leads(link)
	q, err := s.db.Quote(t.Context(), quoteID(t, at))
	if err != nil {
		t.Fatal(err)
	}
	if q.Revision.Frozen.PDFSHA256 == "" {
		t.Fatal("no hash")
	}
	for _, a := range []*answer{customer.get(link).says("Record of the answer"), customer.get(link + "/evidence"), s.sales.get(at + "/revisions/1/evidence")} {
		a.status(http.StatusOK)
		if a.page().Find("dl.facts").Length() == 0 {
			continue // the quote itself
		}
		a.says("Tan Wei Ling").says(q.Revision.Frozen.PDFSHA256).says("150.00").says("Cables").says(q.Revision.Decision.Address)
	}
	s.visitor().get(at + "/revisions/1/evidence").status(http.StatusSeeOther)
	s.sales.get(at + "/revisions/7/evidence").status(http.StatusNotFound)
	s.sales.get(at + "/revisions/99999999999/evidence").status(http.StatusNotFound)
}

// What the editor has for documents reaches the draft, the checks before sending and the customer; a fault keeps what was
// typed.
func TestEditorOfDocumentFields(t *testing.T) {
	s := newShop(t)
	at := s.priced(s.sales)
	bad := edit(s.sales, at, "save", map[string]string{"payments": "Deposit, thirty percent"}).status(http.StatusUnprocessableEntity)
	if bad.fault("payments") == "" {
		t.Error("a line that nobody understands is no fault of its field")
	}
	bad.says("Deposit, thirty percent")
	edit(s.sales, at, "save", map[string]string{"payments": "Deposit; 30 %; order\nBalance; 60 %; delivery"}).
		status(http.StatusUnprocessableEntity).says("they must make 100 %")
	edit(s.sales, at, "save", map[string]string{
		"payments": "Deposit; 30 %; order\nBalance; rest; delivery 30", "tax_rule": "export", "delivery.name": "Hall 3",
		"delivery.address": "2 Example Quay", "layout": "lump_sum",
	}).leads(at)
	s.sales.get(at).says("Deposit; 30 %; order").says("2 Example Quay")
	s.sales.get(at + "/send").says("needs the note")
	edit(s.sales, at, "save", map[string]string{"tax_note": "Zero-rated export"}).leads(at)
	link := s.send(s.sales, at)
	page := s.visitor().get(link).says("Hall 3").says("Zero-rated export").says("Balance").says("30 days after delivery")
	if n := page.page().Find(".pub-lines .pub-n strong").Text(); strings.ContainsAny(n, "0123456789") {
		t.Errorf("a lump sum shows amounts of lines: %q", n)
	}
	if words := quoteWords(t, s.visitor().get(link+"/pdf")); !strings.Contains(words, "Zero-rated export") || !strings.Contains(words, "Balance") {
		t.Errorf("PDF:\n%s", words)
	}
}

// The fields of a line that few lines need: they are calculated, kept, shown and faulty at their places.
func TestEditorOfLineDetails(t *testing.T) {
	s := newShop(t)
	at := s.draft(s.sales)
	edit(s.sales, at, "add", map[string]string{"add": "Support", "add_kind": "item"}).status(http.StatusSeeOther)
	edit(s.sales, at, "save", map[string]string{
		"lines[0].quantity": "2", "lines[0].unit_price": "10.50", "lines[0].tax_rate": "0", "lines[0].term": "36", "lines[0].term_unit": "month",
		"lines[0].off": "1.25", "lines[0].promise": "2027-01-31", "lines[0].config": "SN 0012345",
	}).leads(at)
	s.sales.get(at).says("754.75").says("× 36 months").says("SN 0012345").says("31 January 2027") // 2 x 36 x 10.50 - 1.25
	for field, value := range map[string]string{
		"lines[0].term": "121", "lines[0].off": "1000000", "lines[0].promise": "31.31.2027",
	} {
		a := edit(s.sales, at, "save", map[string]string{field: value}).status(http.StatusUnprocessableEntity)
		if !strings.Contains(a.Body.String(), value) {
			t.Errorf("%s: %q is lost", field, value)
		}
	}
	edit(s.sales, at, "save", map[string]string{"lines[0].term": "", "lines[0].term_unit": "month"}).status(http.StatusUnprocessableEntity)
	edit(s.sales, at, "save", map[string]string{"lines[0].term": "", "lines[0].term_unit": "", "lines[0].off": "", "lines[0].promise": ""}).leads(at)
	s.sales.get(at).says("21.00").silent("36 months", "31 January 2027")
}

// Staff extend what has expired; the customer's page says the new day, and the old link works.
func TestExtendInTheBrowser(t *testing.T) {
	s := newShop(t)
	at := s.priced(s.sales)
	link := s.send(s.sales, at) // valid until 14 December
	f := s.sales.get(at).form(at + "/extend")
	f.Set("extend_until", "2026-12-10")
	f.Set("extend_reason", "asked for more time")
	if a := s.sales.post(at+"/extend", f).status(http.StatusUnprocessableEntity); a.fault("extend_until") == "" {
		t.Error("an earlier day is no fault of its field")
	}
	f.Set("extend_until", "2027-01-15")
	f.Set("key", newKey())
	s.sales.post(at+"/extend", f).leads(at)
	s.sales.get(at).says("extended the validity of revision 1").says("asked for more time")
	s.visitor().get(link).says("15 January 2027").says("Accept quote")
	s.sales.get(at).says("15 January 2027")
	s.sales.get("/quotes").says("2027-01-15")
	s.visitor().post(at+"/extend", f).status(http.StatusSeeOther)
}
