package postgres_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"rackwright/internal/apperr"
	"rackwright/internal/money"
	"rackwright/internal/quote"
	"rackwright/internal/testdb"
)

func TestApproval(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	if err := s.SaveLimit(t.Context(), s.price.ID, quote.Limit{SKU: "SRV-8", Currency: "USD", Floor: ptr("278000"), Cost: ptr("250000")}); err != nil {
		t.Fatal(err)
	}
	c := s.content()
	c.Lines[1].Discount = money.MustPercent("12") // below the floor, above the limit, and hardly a margin
	q := s.create(t, c)
	if err := s.SubmitQuote(t.Context(), quote.Step{QuoteID: q.ID, Version: q.Version, Actor: s.sales}); err != nil {
		t.Fatal(err)
	}
	q = must(s.Quote(t.Context(), q.ID))(t)
	own := quote.Ruling{QuoteID: q.ID, Version: q.Version, Actor: s.sales, Margin: true, Floor: true, Approve: true}
	if err := s.RuleOnQuote(t.Context(), own); !apperr.Is(err, apperr.Forbidden) {
		t.Errorf("the owner approved: %v", err)
	}
	if _, err := s.SendQuote(t.Context(), s.dispatch(q)); !apperr.Is(err, apperr.Conflict) {
		t.Errorf("sent while waiting: %v", err)
	}
	lead := quote.Ruling{QuoteID: q.ID, Version: q.Version, Actor: s.lead, Margin: true, Approve: true}
	if err := s.RuleOnQuote(t.Context(), lead); err != nil {
		t.Fatal(err)
	}
	q = must(s.Quote(t.Context(), q.ID))(t)
	if q.Revision.State != quote.Awaiting {
		t.Errorf("a lead alone approved the floor price: %s", q.Revision.State)
	}
	pricing := quote.Ruling{QuoteID: q.ID, Version: q.Version, Actor: s.price, Floor: true, Approve: true}
	if err := s.RuleOnQuote(t.Context(), pricing); err != nil {
		t.Fatal(err)
	}
	q = must(s.Quote(t.Context(), q.ID))(t)
	if q.Revision.State != quote.Approved {
		t.Fatalf("state %s", q.Revision.State)
	}
	edit := quote.Edit{QuoteID: q.ID, Version: q.Version, Actor: s.sales, Content: q.Revision.Content}
	edit.Content.Lines[1].Discount = money.MustPercent("13")
	must(s.SaveDraft(t.Context(), edit))(t)
	q = must(s.Quote(t.Context(), q.ID))(t)
	if blockers := must(s.QuoteBlockers(t.Context(), q.ID))(t); q.Revision.State != quote.Draft || !quote.NeedsApproval(blockers) {
		t.Errorf("an approval outlived a change: %s, %+v", q.Revision.State, blockers)
	}
}

func TestQuotesListPages(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	for i := range 5 {
		c := s.content()
		c.Title = fmt.Sprintf("Deal %d, 100%% GPU", i)
		s.setClock(testdb.Now.Add(time.Duration(i) * time.Minute))
		s.create(t, c)
	}
	s.send(t, s.content())
	var titles []string
	f := quote.Filter{Limit: 2, States: []quote.State{quote.Draft}}
	for {
		page := must(s.Quotes(t.Context(), f))(t)
		for _, r := range page.Rows {
			titles = append(titles, r.Title[:6])
		}
		if page.Next == nil {
			break
		}
		f.Before = *page.Next
	}
	if got := strings.Join(titles, ","); got != "Deal 4,Deal 3,Deal 2,Deal 1,Deal 0" {
		t.Error(got)
	}
	for search, want := range map[string]int{"deal 3": 1, "100%": 5, "q-2026": 1, "robotics": 6, "100_": 0, "nothing": 0} {
		if page := must(s.Quotes(t.Context(), quote.Filter{Search: search}))(t); len(page.Rows) != want {
			t.Errorf("%q finds %d, want %d", search, len(page.Rows), want)
		}
	}
	if page := must(s.Quotes(t.Context(), quote.Filter{Expiring: 14}))(t); len(page.Rows) != 1 {
		t.Errorf("%d expire within 14 days", len(page.Rows))
	}
	s.setClock(testdb.Now.AddDate(0, 0, 20))
	counts := must(s.QuoteCounts(t.Context(), quote.Filter{OwnerID: s.sales.ID}))(t)
	if counts[quote.Draft] != 5 || counts[quote.Expired] != 1 || counts[quote.Sent] != 0 {
		t.Errorf("%v", counts)
	}
	if page := must(s.Quotes(t.Context(), quote.Filter{States: []quote.State{quote.Expired}}))(t); len(page.Rows) != 1 {
		t.Errorf("%d expired", len(page.Rows))
	}
}
