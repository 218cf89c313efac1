package view

import (
	"strings"
	"testing"
	"time"

	"rackwright/internal/catalog"
	"rackwright/internal/company"
	"rackwright/internal/i18n"
	"rackwright/internal/inventory"
	"rackwright/internal/money"
	"rackwright/internal/quote"
)

func TestStaffHome(t *testing.T) {
	zone := time.FixedZone("", 8*3600)
	now := time.Date(2026, 11, 30, 20, 0, 0, 0, time.UTC) // already Tuesday in the company's zone
	total := money.MustDecimal("655180")
	p := Page{L: i18n.For(i18n.English)}
	in := HomeData{
		Now: now, Zone: zone, ReadsQuotes: true, EditsQuotes: true, ExpireDays: 7, SeesAlerts: true,
		Expiring: []quote.Summary{{
			ID: 169, Number: "Q-2026-0169", Revision: 2, State: quote.Sent, Customer: "Corvid Genomics Ltd", Currency: "USD", Total: &total,
			ValidTo: time.Date(2026, 12, 4, 0, 0, 0, 0, time.UTC), ChangedAt: now,
		}},
		Drafts: []quote.Summary{{ID: 190, Revision: 1, State: quote.Draft, ChangedAt: now}},
	}
	h := NewStaffHome(p, in)
	check(t, "heading", h.Heading, "Tuesday, 1 December 2026")
	check(t, "lead", h.Lead, "2 quotes wait for you.")
	if len(h.Quotes) != 2 || len(h.Actions) != 2 || !h.AlertsFor {
		t.Fatalf("home = %+v", h)
	}
	check(t, "group", h.Quotes[0].Title, "Expire within 7 days")
	first, draft := h.Quotes[0].Rows[0], h.Quotes[1].Rows[0]
	check(t, "total", first.Total, "USD\u00a0655,180.00")
	check(t, "address", first.Href, "/quotes/169")
	check(t, "draft changed", draft.Why, "changed 2026-12-01 04:00")
	check(t, "unknown total", draft.Total, "")

	in.Expiring, in.Drafts, in.EditsQuotes = nil, nil, false
	h = NewStaffHome(p, in)
	check(t, "nothing to do", h.Lead, "No quote waits for you.")
	if len(h.Quotes) != 0 || len(h.Actions) != 1 {
		t.Errorf("home = %+v", h)
	}

	in.ReadsQuotes = false
	if h = NewStaffHome(p, in); h.QuotesAll != "" || h.Lead != "" {
		t.Errorf("a person without quotes sees %+v", h)
	}
}

func TestStaffHomeSaysWhatToDecide(t *testing.T) {
	now := time.Date(2026, 11, 30, 4, 0, 0, 0, time.UTC)
	p := Page{L: i18n.For(i18n.English)}
	in := HomeData{
		Now: now, Zone: time.UTC, ReadsQuotes: true, More: true,
		Decide: []quote.Pending{{
			Summary: quote.Summary{ID: 7, State: quote.Awaiting, ChangedAt: now},
			Kinds:   []quote.BlockerKind{quote.BelowFloor, quote.AboveDiscount}, AskedAt: now.Add(-time.Hour),
		}},
		Waiting: []quote.Summary{{ID: 8, State: quote.Awaiting, ChangedAt: now}},
	}
	h := NewStaffHome(p, in)
	check(t, "lead", h.Lead, "More than 1 quotes wait for you.")
	check(t, "first group", h.Quotes[0].Title, "Need your decision")
	row := h.Quotes[0].Rows[0]
	check(t, "what is asked", row.Why, "Below floor price · Discount above limit · asked 2026-11-30 03:00")
	check(t, "second group", h.Quotes[1].Title, "Wait for approval")

	in.Decide, in.More = nil, false
	check(t, "waiting for others is nothing to do", NewStaffHome(p, in).Lead, "No quote waits for you.")
}

func TestStoreKeeperHomeLeadsToStock(t *testing.T) {
	h := NewStaffHome(Page{L: i18n.For(i18n.English)}, HomeData{Zone: time.UTC, ReadsStock: true, SeesAlerts: true})
	if n := len(h.Actions); n != 2 || h.Actions[1].Href != "/inventory" {
		t.Errorf("actions %+v", h.Actions)
	}
}

func TestHomeAlerts(t *testing.T) {
	until := time.Date(2026, 12, 5, 16, 0, 0, 0, time.UTC)
	in := HomeAlertData{
		Company: company.Profile{Currency: "USD", TimeZone: "Asia/Singapore"},
		Short:   []quote.OpenShortage{{QuoteID: 5, Number: "Q-5", Customer: "Corvid", Shortages: []quote.Shortage{{SKU: "DGX-H200", Quantity: 2}}}},
		Reserved: []inventory.Reservation{
			{QuoteID: 6, Quote: "Q-6", Customer: "Fjord", SKU: "A", Quantity: 1, Until: until},
			{QuoteID: 6, Quote: "Q-6", Customer: "Fjord", SKU: "B", Quantity: 1000, Until: until},
			{QuoteID: 9, Quote: "Q-9", SKU: "A", Quantity: 1, Until: until},
		},
		Aged:   []quote.AgedPrices{{ListID: 3, List: "Own", Items: 2, Oldest: time.Date(2026, 9, 1, 0, 0, 0, 0, time.UTC)}},
		NoRate: []money.Currency{"TWD"},
	}
	text := func(alerts []HomeAlert) string {
		var b strings.Builder
		for _, a := range alerts {
			b.WriteString(a.Text + " | " + a.Sub + " | " + a.Href + "\n")
		}
		return b.String()
	}
	p := Page{L: i18n.For(i18n.English)}
	check(t, "of the store", text(NewHomeAlerts(p, in)), `Q-5 was accepted with too little stock. | missing 2 × DGX-H200 | /inventory
The reservation of Q-6 ends 6 Dec 2026, 00:00 (UTC+8). | 1 × A and 1,000 × B | /inventory
The reservation of Q-9 ends 6 Dec 2026, 00:00 (UTC+8). | 1 × A | /inventory
2 prices in Own are older than 45 days. | oldest of 2026-09-01; quotes that use them say so | /price-list/3
No recent rate from USD to TWD | Quotes that need it cannot be sent; a rate counts for 7 days. | /price-list/rates
`)
	in.NamesCustomers, in.OpensQuotes = true, true
	first := NewHomeAlerts(p, in)[0]
	check(t, "customer", first.Sub, "missing 2 × DGX-H200 · Corvid")
	check(t, "quote", first.Href, "/quotes/5")
}

func TestVisitorHome(t *testing.T) {
	p := Page{L: i18n.For(i18n.Traditional)}
	h := NewVisitorHome(p, "", catalog.Counts{}, 0)
	check(t, "heading", h.Heading, "Rackwright")
	if len(h.Ways) != 2 || h.Staff() || len(h.Figures) != 0 {
		t.Errorf("home = %+v", h)
	}
	h = NewVisitorHome(p, "Seller", catalog.Counts{SKUs: 90, Figures: 1222, Sources: 165}, 40)
	check(t, "seller", h.Heading, "Seller")
	check(t, "figures", h.Figures[1].Value, "1,222")
	if len(h.Figures) != 4 {
		t.Errorf("figures %+v", h.Figures)
	}
}
