package server

import (
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"rackwright/internal/auth"
	"rackwright/internal/company"
	"rackwright/internal/inventory"
	"rackwright/internal/money"
	"rackwright/internal/postgres"
	"rackwright/internal/quote"
	"rackwright/internal/testdb"
)

// The products of a shop. Prices, floors and costs are invented; the figures of cost and floor
// are such that a search in a page finds them and nothing else.
const (
	dgx       = "DGX-H100"
	switchSKU = "QM9700"
	dgxFloor  = "301234.5"
	dgxCost   = "287654.3"
)

// shop is a site with the shipped catalogue, a company, a price list, a tax and people.
type shop struct {
	*site
	sales *browser
	place int64
	boss  int64
	lead  *browser // nil until somebody asks for it
	admin *browser // the same
}

func newShop(t *testing.T) *shop {
	t.Helper()
	t.Parallel()
	s := &site{t: t}
	sh := &shop{site: s}
	db, err := postgres.Open(t.Context(), testdb.URLWithCatalog(t), s.now)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	s.db = db
	s.server = New(Config{Store: db, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Clock: s.now, BaseURL: "http://example.com"})
	s.handler = s.server.Handler()
	sh.boss = s.person("boss", aHash, false, auth.Admin)
	sh.stockUp(t)
	sh.sales = s.as("ines", auth.Sales)
	return sh
}

// stockUp fills what a company fills in before it sells.
func (s *shop) stockUp(t *testing.T) {
	ctx := t.Context()
	limit := money.MustPercent("15")
	check := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	check(s.db.SaveCompany(ctx, s.boss, company.Profile{
		Name: "Harbourline Systems", Address: "1 Example Road", Country: "SG", TaxNumber: "TAX-1", Email: "sales@harbourline.example",
		Bank: "Example Bank", Currency: "USD", TimeZone: "Asia/Singapore", QuotePrefix: "Q", ValidityDays: 14, ReservationDays: 30,
		Terms: map[string]string{"en": "30 days net."}, DiscountLimit: &limit, Version: 1,
	}))
	list, err := s.db.SavePriceList(ctx, s.boss, quote.PriceList{Name: "Test list", Currency: "USD", TaxMode: quote.Exclusive})
	check(err)
	from := time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)
	for sku, price := range map[string]string{dgx: "330000", switchSKU: "36000"} {
		_, err = s.db.SavePriceItem(ctx, s.boss, quote.PriceItem{ListID: list, SKU: sku, Price: money.MustDecimal(price), From: from})
		check(err)
	}
	floor, cost := money.MustDecimal(dgxFloor), money.MustDecimal(dgxCost)
	check(s.db.SaveLimit(ctx, s.boss, quote.Limit{SKU: dgx, Currency: "USD", Floor: &floor, Cost: &cost}))
	_, err = s.db.SaveTaxRate(ctx, s.boss, quote.Tax{Name: "GST", Country: "SG", Rate: money.MustPercent("9"), Default: true})
	check(err)
	s.place, err = s.db.SaveLocation(ctx, s.boss, inventory.Location{Code: "SIN", Name: "Singapore"})
	check(err)
	_, err = s.db.MoveStock(ctx, inventory.NewMove{
		Key: "shop-stock", Kind: inventory.Receive, SKU: dgx, To: s.place, Quantity: 1, ActorID: s.boss,
	})
	check(err)
}

// draft starts a quote for a new customer and returns its address.
func (s *shop) draft(b *browser) string {
	s.t.Helper()
	f := b.get("/quotes/new").status(http.StatusOK).form("/quotes/new")
	f.Set("customer.name", "Meridian Robotics")
	f.Set("customer.contact", "Tan Wei Ling")
	f.Set("customer.country", "SG")
	f.Set("title", "Two servers")
	a := b.post("/quotes/new", f).status(http.StatusSeeOther)
	at := a.Header().Get("Location")
	if !regexp.MustCompile(`^/quotes/\d+$`).MatchString(at) {
		s.t.Fatalf("leads to %q", at)
	}
	return at
}

// edit sends the editor's form with changes; do is the button.
func edit(b *browser, at, do string, changes map[string]string) *answer {
	b.t.Helper()
	f := b.get(at).status(http.StatusOK).form(at)
	return b.post(at, changed(f, do, changes))
}

func changed(f url.Values, do string, changes map[string]string) url.Values {
	for name, value := range changes {
		f.Set(name, value)
	}
	if do != "" {
		f.Set("do", do)
	}
	return f
}

// priced is a draft with two servers, ready to be sent.
func (s *shop) priced(b *browser) string {
	s.t.Helper()
	at := s.draft(b)
	edit(b, at, "add", map[string]string{"add": dgx}).status(http.StatusSeeOther)
	edit(b, at, "save", map[string]string{
		"lines[0].quantity": "2", "lines[0].discount": "3", "discount": "1", "discount_kind": "percent",
	}).leads(at)
	return at
}

// send sends a draft and returns the path of the customer's link.
func (s *shop) send(b *browser, at string) string {
	s.t.Helper()
	b.post(at+"/send", b.get(at+"/send").status(http.StatusOK).form(at+"/send")).leads(at)
	link, ok := b.get(at).status(http.StatusOK).page().Find("[data-select-all]").Attr("value")
	if !ok {
		s.t.Fatal("the link is not shown after sending")
	}
	return strings.TrimPrefix(link, "http://example.com")
}

// grand returns the total as the page prints it.
func grand(a *answer) string {
	a.t.Helper()
	return strings.TrimSpace(a.page().Find("dd.grand").First().Text())
}

// text returns the text of what a selector finds.
func text(a *answer, selector string) string {
	a.t.Helper()
	return strings.Join(strings.Fields(a.page().Find(selector).Text()), " ")
}

// silent checks that a page holds none of some texts.
func (a *answer) silent(secrets ...string) *answer {
	a.t.Helper()
	for _, secret := range secrets {
		if strings.Contains(a.Body.String(), secret) {
			a.t.Errorf("%s: the page holds %q", a.what, secret)
		}
	}
	return a
}

// formAt returns what a form of the page would send, by selector.
func formAt(a *answer, selector string) url.Values {
	a.t.Helper()
	values := url.Values{}
	a.page().Find(selector).Find("input[name]").Each(func(_ int, c *goquery.Selection) {
		name, _ := c.Attr("name")
		v, _ := c.Attr("value")
		if kind, _ := c.Attr("type"); kind == "hidden" {
			values.Add(name, v)
		}
	})
	return values
}
