package postgres_test

import (
	"testing"

	"rackwright/internal/quote"
)

// A floor price that was raised, or that no rate converted, after a draft was last saved holds when it is sent. What is
// sent keeps the cost of that moment.
func TestLimitsAreThoseOfSending(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	set := func(version int64, floor, cost string) {
		t.Helper()
		l := quote.Limit{SKU: "SRV-8", Currency: "USD", Floor: ptr(floor), Cost: ptr(cost), Version: version}
		if err := s.SaveLimit(t.Context(), s.price.ID, l); err != nil {
			t.Fatal(err)
		}
	}
	open := func(q quote.Quote) []quote.BlockerKind {
		t.Helper()
		var kinds []quote.BlockerKind
		for _, b := range must(s.QuoteBlockers(t.Context(), q.ID))(t) {
			if b.Severity != quote.Remark {
				kinds = append(kinds, b.Kind)
			}
		}
		return kinds
	}
	q := s.create(t, s.content())
	set(0, "285000.01", "240000")
	if kinds := open(q); len(kinds) != 1 || kinds[0] != quote.BelowFloor {
		t.Errorf("a raised floor: %v", kinds)
	}
	if _, err := s.SendQuote(t.Context(), s.dispatch(q)); err == nil {
		t.Fatal("sent below the floor of today")
	}
	step := quote.Step{QuoteID: q.ID, Version: q.Version, Actor: s.sales}
	if err := s.SubmitQuote(t.Context(), step); err != nil {
		t.Fatal(err)
	}
	if got := must(s.Quote(t.Context(), q.ID))(t).Revision.Content.Lines[1].Floor; got == nil || got.String() != "285000.01" {
		t.Errorf("who decides sees the floor %v", got)
	}

	c := s.content()
	c.Currency, c.Lines[1].UnitPrice = "EUR", ptr("200000") // no list price in EUR, and no rate yet
	foreign := s.create(t, c)
	rate := quote.Rate{Base: "USD", Quote: "EUR", Day: date("2026-11-30"), Rate: dec("0.92"), Source: "test"}
	if err := s.SaveRate(t.Context(), s.price.ID, rate); err != nil {
		t.Fatal(err)
	}
	if kinds := open(foreign); len(kinds) == 0 || kinds[0] != quote.BelowFloor {
		t.Errorf("a floor that could not be converted before: %v", kinds)
	}

	set(1, "270000", "250000")
	sent, _ := s.send(t, s.content())
	q = s.create(t, s.content())
	set(2, "270000", "255000.5")
	must(s.SendQuote(t.Context(), s.dispatch(q)))(t)
	if got := must(s.Quote(t.Context(), q.ID))(t).Revision.Content.Lines[1].Cost; got == nil || got.String() != "255000.5" {
		t.Errorf("cost of sending %v", got)
	}
	if got := must(s.Quote(t.Context(), sent.ID))(t).Revision.Content.Lines[1].Cost; got == nil || got.String() != "250000" {
		t.Errorf("the cost of what was sent before changed: %v", got)
	}
}

// A floor price in a currency without a recent rate is not known, and so nobody can tell that a price is above it.
func TestLimitWithoutRate(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	l := quote.Limit{SKU: "SRV-8", Currency: "JPY", Floor: ptr("40000000")}
	if err := s.SaveLimit(t.Context(), s.price.ID, l); err != nil {
		t.Fatal(err)
	}
	q := s.create(t, s.content())
	blockers := must(s.QuoteBlockers(t.Context(), q.ID))(t)
	if len(blockers) != 1 || blockers[0].Kind != quote.RateMissing || blockers[0].Severity != quote.Stop || len(blockers[0].Lines) != 1 {
		t.Errorf("%+v", blockers)
	}
}
