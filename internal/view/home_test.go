package view

import (
	"testing"
	"time"

	"rackwright/internal/i18n"
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

func TestVisitorHome(t *testing.T) {
	p := Page{L: i18n.For(i18n.Traditional)}
	h := NewVisitorHome(p, "", nil)
	check(t, "heading", h.Heading, "Rackwright")
	if len(h.Ways) != 2 || h.Staff() {
		t.Errorf("home = %+v", h)
	}
	check(t, "seller", NewVisitorHome(p, "Seller", nil).Heading, "Seller")
}
