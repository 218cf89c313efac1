package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rackwright/internal/browsertest"
	"rackwright/internal/money"
	"rackwright/internal/postgres"
	"rackwright/internal/quote"
	"rackwright/internal/testdb"
)

// TestCustomerOnAPhone chooses and accepts as a customer does: the total follows every tap, and what is accepted is the
// total that stands on the page.
func TestCustomerOnAPhone(t *testing.T) {
	url := testdb.EmptyURL(t)
	p := startProgram(t, map[string]string{"DATABASE_URL": url, "DEMO": "true", "ADMIN_PASSWORD": firstPassword})
	defer p.end()
	for _, lang := range []string{"en", "zh-Hans"} {
		t.Run(lang, func(t *testing.T) {
			link := offerChoices(t, url, lang)
			b := browsertest.New(t, 390, 844, "en-US")
			b.Goto(p.url + link)
			picture(t, b, "customer-choices-"+lang)
			total := func(want string) {
				t.Helper()
				for _, at := range []string{"#pub-grand", "#pub-stick-total", "#pub-submit button"} {
					b.WaitText(at, func(s string) bool { return strings.Contains(s, want) })
				}
			}
			total("10,000.00")
			tap(b, `input[name="choice.2"][value="4"]`)
			total("12,000.00")
			tap(b, `input[name="choice"][value="5"]`)
			total("12,500.00")
			tap(b, `input[name="choice.2"][value="2"]`)
			total("10,500.00")
			picture(t, b, "customer-chosen-"+lang)
			b.Fill("#f-name", "Tan Wei Ling")
			tap(b, "#f-agree")
			b.ClickTo("#pub-submit button")
			if text := b.Text("main"); !strings.Contains(text, "10,500.00") || b.Has("#pub-submit") {
				t.Errorf("after accepting:\n%s", text)
			}
			picture(t, b, "customer-accepted-"+lang)
			b.ClickTo(`a[href$="/evidence"]`)
			if text := b.Text("main"); !strings.Contains(text, "Tan Wei Ling") || !strings.Contains(text, "127.0.0.1") {
				t.Errorf("the record:\n%s", text)
			}
			if wide := b.Eval("String(document.documentElement.scrollWidth > innerWidth)"); wide != "false" {
				t.Error("the record is wider than the screen")
			}
			picture(t, b, "customer-record-"+lang)
		})
	}
}

// tap brings an element to the middle of the screen, away from the bar at its foot, and clicks it.
func tap(b *browsertest.Page, css string) {
	b.Eval(fmt.Sprintf(`document.querySelector(%q).scrollIntoView({block: "center", behavior: "instant"}), "there"`, css))
	b.Click(css)
}

// picture keeps the page for people to look at, where a folder was given.
func picture(t *testing.T, b *browsertest.Page, name string) {
	t.Helper()
	if *screenshots == "" {
		return
	}
	if err := os.WriteFile(filepath.Join(*screenshots, name+".png"), b.Screenshot(), 0o644); err != nil {
		t.Fatal(err)
	}
}

// offerChoices sends a quote with two alternatives to one item and an option, and returns the path of its link.
func offerChoices(t *testing.T, url, lang string) string {
	t.Helper()
	ctx := t.Context()
	db, err := postgres.Open(ctx, url, time.Now)
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	settings, err := db.QuoteSettings(ctx)
	if err != nil {
		t.Fatal(err)
	}
	settings.Currency = "USD"
	c := quote.NewContent(settings, time.Now(), lang)
	c.Title, c.Customer, c.ShipTo, c.EndUser = "Storage for one server", quote.Party{Name: "Meridian Robotics", Country: "SG"}, "SG", "SG"
	for _, l := range []struct {
		kind        quote.LineKind
		text, price string
	}{
		{quote.Item, "Server", "7000"}, {quote.Item, "Storage 30 TB", "3000"}, {quote.Alternative, "Storage 60 TB", "4000"},
		{quote.Alternative, "Storage 120 TB", "5000"}, {quote.Option, "Installation on site", "500"},
	} {
		price := money.MustDecimal(l.price)
		c.Lines = append(c.Lines, quote.Line{Kind: l.kind, Description: l.text, Quantity: money.FromInt(1), UnitPrice: &price})
	}
	half := money.MustPercent("50")
	c.Payments = []quote.Instalment{{Label: "Deposit", Percent: &half, Due: quote.OnOrder}, {Label: "Balance", Due: quote.OnDelivery, Days: 30}}
	boss := quote.Actor{ID: 1, Name: "Admin"}
	id, err := db.CreateQuote(ctx, quote.Create{Actor: boss, Content: c})
	if err != nil {
		t.Fatal(err)
	}
	q, err := db.Quote(ctx, id)
	if err != nil {
		t.Fatal(err)
	}
	sent, err := db.SendQuote(ctx, quote.Dispatch{QuoteID: id, Version: q.Version, Actor: boss, Render: func(quote.Quote) ([]byte, error) {
		return []byte("%PDF stands in for the document"), nil
	}})
	if err != nil {
		t.Fatal(err)
	}
	return "/q/" + sent.Token
}
