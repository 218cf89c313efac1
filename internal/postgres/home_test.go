package postgres_test

import (
	"testing"
	"time"

	"rackwright/internal/catalog"
	"rackwright/internal/money"
	"rackwright/internal/quote"
)

func TestQuotesToDecide(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	if err := s.SaveLimit(t.Context(), s.price.ID, quote.Limit{SKU: "SRV-8", Currency: "USD", Floor: ptr("280000")}); err != nil {
		t.Fatal(err)
	}
	c := s.content()
	c.Lines[1].Discount = money.MustPercent("20") // above the limit of the shop, and below the floor
	q := s.create(t, c)
	if err := s.SubmitQuote(t.Context(), quote.Step{QuoteID: q.ID, Version: q.Version, Actor: s.sales}); err != nil {
		t.Fatal(err)
	}
	margin, floor := quote.DecidableKinds(true, false), quote.DecidableKinds(false, true)
	cases := []struct {
		name  string
		user  int64
		kinds []quote.BlockerKind
		want  []quote.BlockerKind
	}{
		{"lead", s.lead.ID, margin, []quote.BlockerKind{quote.AboveDiscount}},
		{"pricing", s.price.ID, floor, []quote.BlockerKind{quote.BelowFloor}},
		{"owner, though a lead", s.sales.ID, margin, nil},
		{"nobody", s.lead.ID, nil, nil},
	}
	for _, tt := range cases {
		t.Run(tt.name, func(t *testing.T) {
			got := must(s.QuotesToDecide(t.Context(), tt.user, tt.kinds, 10))(t)
			if len(tt.want) == 0 {
				if len(got) != 0 {
					t.Errorf("got %+v", got)
				}
				return
			}
			if len(got) != 1 || got[0].ID != q.ID || len(got[0].Kinds) != 1 || got[0].Kinds[0] != tt.want[0] || !got[0].AskedAt.Equal(*s.clock.Load()) {
				t.Errorf("got %+v", got)
			}
		})
	}
	q = must(s.Quote(t.Context(), q.ID))(t)
	ruling := quote.Ruling{QuoteID: q.ID, Version: q.Version, Actor: s.lead, Margin: true, Approve: true, Reason: "Fine"}
	if err := s.RuleOnQuote(t.Context(), ruling); err != nil {
		t.Fatal(err)
	}
	if got := must(s.QuotesToDecide(t.Context(), s.lead.ID, margin, 10))(t); len(got) != 0 {
		t.Errorf("the lead has decided and is asked again: %+v", got)
	}
	if got := must(s.QuotesToDecide(t.Context(), s.price.ID, floor, 10))(t); len(got) != 1 {
		t.Errorf("pricing is not asked any more: %+v", got)
	}
}

func TestOpenShortages(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.receive(t, "SRV-8", 1)
	q, sent := s.send(t, s.content())
	if got := must(s.OpenShortages(t.Context(), 10))(t); len(got) != 0 {
		t.Errorf("before the acceptance: %+v", got)
	}
	must(s.AcceptQuote(t.Context(), quote.Answer{Token: sent.Token, Name: "Jo"}))(t)
	got := must(s.OpenShortages(t.Context(), 10))(t)
	if len(got) != 1 || got[0].Number != q.Number || len(got[0].Shortages) != 1 || got[0].Shortages[0] != (quote.Shortage{SKU: "SRV-8", Quantity: 1}) {
		t.Fatalf("got %+v", got)
	}
	q = must(s.Quote(t.Context(), q.ID))(t)
	if err := s.CloseQuote(t.Context(), quote.Close{QuoteID: q.ID, Version: q.Version, Actor: s.lead, As: quote.Cancelled, Reason: "Withdrawn"}); err != nil {
		t.Fatal(err)
	}
	if got := must(s.OpenShortages(t.Context(), 10))(t); len(got) != 0 {
		t.Errorf("after the quote was cancelled: %+v", got)
	}
}

func TestAgedPrices(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	day := date("2026-11-02") // of the prices of the shop
	s.setClock(day.AddDate(0, 0, quote.StaleDays).Add(4 * time.Hour))
	if got := must(s.AgedPrices(t.Context(), 10))(t); len(got) != 0 {
		t.Errorf("45 days old: %+v", got)
	}
	s.setClock(day.AddDate(0, 0, quote.StaleDays+1).Add(4 * time.Hour))
	got := must(s.AgedPrices(t.Context(), 10))(t)
	if len(got) != 1 || got[0].ListID != s.list || got[0].List != "Own list" || got[0].Items != 3 || !got[0].Oldest.Equal(day) {
		t.Errorf("46 days old: %+v", got)
	}
	if counts := must(s.CatalogueCounts(t.Context()))(t); counts != (catalog.Counts{SKUs: 4, Sources: 1}) {
		t.Errorf("counts %+v", counts)
	}
}
