package postgres_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"rackwright/internal/auth"
	"rackwright/internal/company"
	"rackwright/internal/inventory"
	"rackwright/internal/money"
	"rackwright/internal/postgres"
	"rackwright/internal/quote"
	"rackwright/internal/testdb"
)

// shop is a company with a small catalogue, a price list, people and a clock that tests can set.
type shop struct {
	*postgres.DB
	url                string
	clock              *atomic.Pointer[time.Time]
	sales, lead, price quote.Actor
	list               int64 // in USD
	place              int64
}

// The catalogue of a shop: a server with its bill of materials, and what may be added. Prices are invented.
const shopCatalogue = `
INSERT INTO source (id, kind, title, publisher, url, retrieved, licence) VALUES ('test', 'test', 'Test', 'Test', 'test', '2026-01-01', 'test');
INSERT INTO vendor (name) VALUES ('Test');
INSERT INTO sku (code, kind, family, name, vendor, form_factor, status, source_id, confidence) VALUES
	('SRV-8', 'system', 'Test', 'Server with eight', 'Test', '8U', 'shipping', 'test', 'high'),
	('BOARD-8', 'baseboard', 'Test', 'Board with eight', 'Test', 'board', 'shipping', 'test', 'high'),
	('NIC', 'network', 'Test', 'Network card', 'Test', 'card', 'shipping', 'test', 'high'),
	('LICENCE', 'accessory', 'Test', 'Licence', 'Test', 'software subscription', 'shipping', 'test', 'high');
INSERT INTO sku_name (sku, lang, name) VALUES ('SRV-8', 'en', 'Server with eight GPUs'), ('SRV-8', 'zh-Hans', '八卡服务器');
INSERT INTO sku_component (parent, child, role, quantity, source_id, confidence) VALUES
	('SRV-8', 'BOARD-8', 'gpu', 1, 'test', 'high'), ('SRV-8', 'NIC', 'network', 8, 'test', 'high');
INSERT INTO control_class (sku, class, control_group, rule, confidence) VALUES ('SRV-8', '3A090.a', 'advanced_ic', 'test', 'high');
INSERT INTO control_destination (country_code, applies_to, rule, country, effect, source_id, confidence) VALUES
	('SG', 'advanced_all', 'country_group', 'Singapore', 'none', 'test', 'high'),
	('VN', 'advanced_all', 'rule_2023', 'Viet Nam', 'licence_required', 'test', 'high'),
	('*', 'advanced_all', 'default', 'Every other', 'check', 'test', 'high');`

func dec(s string) money.Decimal { return money.MustDecimal(s) }

func ptr(s string) *money.Decimal { d := dec(s); return &d }

func date(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}

// must returns a value whose error ends the test.
func must[T any](v T, err error) func(testing.TB) T {
	return func(t testing.TB) T {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
}

func newShop(t *testing.T) *shop {
	t.Helper()
	s := &shop{url: testdb.URL(t), clock: new(atomic.Pointer[time.Time])}
	s.setClock(testdb.Now)
	db, err := postgres.Open(t.Context(), s.url, func() time.Time { return *s.clock.Load() })
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(db.Close)
	s.DB = db
	if _, err := testdb.Connect(t, s.url).Exec(t.Context(), shopCatalogue); err != nil {
		t.Fatal(err)
	}
	s.sales = quote.Actor{ID: createPerson(t, db, "sales", auth.Sales), Name: "Sales"}
	s.lead = quote.Actor{ID: createPerson(t, db, "lead", auth.Lead), Name: "Lead"}
	s.price = quote.Actor{ID: createPerson(t, db, "pricing", auth.Pricing), Name: "Pricing"}
	limit, target := money.MustPercent("10"), money.MustPercent("9")
	profile := company.Profile{Name: "Shop", Address: "1 Road", Country: "SG", TaxNumber: "1", Email: "a@example.com", Bank: "Bank",
		Currency: "USD", TimeZone: "Asia/Singapore", QuotePrefix: "Q", ValidityDays: 14, ReservationDays: 30,
		DiscountLimit: &limit, TargetMargin: &target, Version: 1}
	if err := db.SaveCompany(t.Context(), s.lead.ID, profile); err != nil {
		t.Fatal(err)
	}
	s.list = must(db.SavePriceList(t.Context(), s.price.ID, quote.PriceList{Name: "Own list", Currency: "USD", TaxMode: quote.Exclusive}))(t)
	for sku, price := range map[string]string{"SRV-8": "285000", "NIC": "1500", "LICENCE": "4500"} {
		must(db.SavePriceItem(t.Context(), s.price.ID, quote.PriceItem{ListID: s.list, SKU: sku, Price: dec(price), From: date("2026-11-02")}))(t)
	}
	s.place = must(db.SaveLocation(t.Context(), s.lead.ID, inventory.Location{Code: "SIN", Name: "Singapore"}))(t)
	return s
}

func (s *shop) setClock(now time.Time) { s.clock.Store(&now) }

// content is a quote that can be sent: two servers to Singapore.
func (s *shop) content() quote.Content {
	return quote.Content{
		Title: "Two servers", Customer: quote.Party{Name: "Example Robotics", Country: "SG"}, Currency: "USD", TaxMode: quote.Exclusive,
		Day: date("2026-11-30"), ValidTo: date("2026-12-14"), Lang: "en", ShipTo: "SG", EndUser: "SG",
		Lines: []quote.Line{
			{Kind: quote.Section, Description: "Compute"},
			{Kind: quote.Item, SKU: "SRV-8", Quantity: dec("2"), TaxRate: money.MustPercent("9"), TaxName: "GST"},
		},
	}
}

func (s *shop) create(t testing.TB, c quote.Content) quote.Quote {
	t.Helper()
	id := must(s.CreateQuote(t.Context(), quote.Create{Actor: s.sales, Content: c}))(t)
	return must(s.Quote(t.Context(), id))(t)
}

func (s *shop) dispatch(q quote.Quote) quote.Dispatch {
	return quote.Dispatch{QuoteID: q.ID, Version: q.Version, Actor: s.sales, Render: renderNumber}
}

// renderNumber stands in for the PDF.
func renderNumber(q quote.Quote) ([]byte, error) { return []byte("%PDF of " + q.Number), nil }

// send creates and sends a quote.
func (s *shop) send(t testing.TB, c quote.Content) (quote.Quote, quote.Dispatched) {
	t.Helper()
	q := s.create(t, c)
	sent := must(s.SendQuote(t.Context(), s.dispatch(q)))(t)
	return must(s.Quote(t.Context(), q.ID))(t), sent
}

func (s *shop) receive(t testing.TB, sku string, n int64) {
	t.Helper()
	must(s.MoveStock(t.Context(), inventory.NewMove{Kind: inventory.Receive, SKU: sku, To: s.place, Quantity: n}))(t)
}

func (s *shop) stock(t testing.TB, sku string) inventory.Availability {
	t.Helper()
	return must(s.Availability(context.Background(), []string{sku}))(t)[sku]
}
