package postgres_test

import (
	"encoding/json"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rackwright/internal/apperr"
	"rackwright/internal/quote"
	"rackwright/internal/testdb"
)

func TestAcceptReserves(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.receive(t, "SRV-8", 5)
	q, sent := s.send(t, s.content())
	a := quote.Answer{Token: sent.Token, Key: "accept-1", Name: "Tan Wei Ling", Role: "CTO", Order: "PO-7"}
	for range 2 { // a double click is one acceptance
		if short := must(s.AcceptQuote(t.Context(), a))(t); len(short) != 0 {
			t.Errorf("short: %v", short)
		}
	}
	q = must(s.Quote(t.Context(), q.ID))(t)
	d := q.Revision.Decision
	if q.Revision.State != quote.Accepted || d.Name != "Tan Wei Ling" || d.Role != "CTO" || d.Order != "PO-7" || d.ByStaff || !d.At.Equal(testdb.Now) {
		t.Errorf("%+v", q.Revision)
	}
	reservations := must(s.ReservationsOf(t.Context(), q.ID))(t)
	// thirty days after acceptance, to the end of the day in Singapore
	if len(reservations) != 1 || reservations[0].Quantity != 2 || !reservations[0].Until.Equal(time.Date(2026, 12, 30, 16, 0, 0, 0, time.UTC)) {
		t.Fatalf("%+v", reservations)
	}
	if _, err := s.AcceptQuote(t.Context(), quote.Answer{Token: sent.Token, Key: "accept-2", Name: "Tan"}); !apperr.Is(err, apperr.Conflict) {
		t.Errorf("accepted twice: %v", err)
	}
	// R8: the stock is free the moment the end passes; nothing has to run.
	s.setClock(reservations[0].Until.Add(-time.Second))
	if got := s.stock(t, "SRV-8"); got.Reserved != 2 {
		t.Errorf("just before the end: %+v", got)
	}
	s.setClock(reservations[0].Until)
	if got := s.stock(t, "SRV-8"); got.Reserved != 0 || got.Available() != 5 {
		t.Errorf("at the end: %+v", got)
	}
	if live := must(s.Reservations(t.Context()))(t); len(live) != 0 {
		t.Errorf("still listed: %+v", live)
	}
}

// Many customers accept at once, and there is stock for three of them: nobody hears an error, nothing is sold twice, and
// what is short is recorded.
func TestParallelAccepts(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.receive(t, "SRV-8", 6)
	const n = 12
	tokens := make([]string, n)
	for i := range tokens {
		_, sent := s.send(t, s.content())
		tokens[i] = sent.Token
	}
	var missing atomic.Int64
	var wg sync.WaitGroup
	for _, token := range tokens {
		wg.Go(func() {
			short, err := s.AcceptQuote(t.Context(), quote.Answer{Token: token, Name: "Tan"})
			if err != nil {
				t.Error(err)
			}
			for _, x := range short {
				missing.Add(x.Quantity)
			}
		})
	}
	wg.Wait()
	got := s.stock(t, "SRV-8")
	if got.OnHand != 6 || got.Reserved != 6 || missing.Load() != 2*n-6 {
		t.Errorf("on hand %d, reserved %d, short %d", got.OnHand, got.Reserved, missing.Load())
	}
}

func TestAcceptRecordsShortage(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.receive(t, "SRV-8", 1)
	c := s.content()
	c.Lines = append(c.Lines, quote.Line{Kind: quote.Item, SKU: "LICENCE", Quantity: dec("16")}, // does not lie in a warehouse
		quote.Line{Kind: quote.Option, SKU: "NIC", Quantity: dec("4")})
	q, sent := s.send(t, c)
	short := must(s.AcceptQuote(t.Context(), quote.Answer{Token: sent.Token, Name: "Tan"}))(t)
	if len(short) != 1 || short[0] != (quote.Shortage{SKU: "SRV-8", Quantity: 1}) {
		t.Errorf("%v", short)
	}
	q = must(s.Quote(t.Context(), q.ID))(t)
	if q.Revision.State != quote.Accepted || len(q.Revision.Decision.Shortages) != 1 {
		t.Errorf("%+v", q.Revision)
	}
}

// A bundle that is assembled here takes its parts and not its own SKU.
func TestAssembledBundleReservesParts(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.receive(t, "BOARD-8", 2)
	s.receive(t, "NIC", 20)
	c := s.content()
	c.Lines[1].Assembled = true
	_, sent := s.send(t, c)
	if short := must(s.AcceptQuote(t.Context(), quote.Answer{Token: sent.Token, Name: "Tan"}))(t); len(short) != 0 {
		t.Errorf("short: %v", short)
	}
	if nic := s.stock(t, "NIC"); nic.Reserved != 16 {
		t.Errorf("%+v", nic)
	}
}

// PR045: valid all day in the company's zone, expired from the first moment of the next.
func TestAcceptAroundExpiry(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	_, first := s.send(t, s.content())
	q, second := s.send(t, s.content())
	s.setClock(time.Date(2026, 12, 14, 15, 59, 59, 0, time.UTC))
	must(s.AcceptQuote(t.Context(), quote.Answer{Token: first.Token, Name: "Tan"}))(t)
	s.setClock(time.Date(2026, 12, 14, 16, 0, 0, 0, time.UTC))
	_, err := s.AcceptQuote(t.Context(), quote.Answer{Token: second.Token, Name: "Tan"})
	if !apperr.Is(err, apperr.Conflict) || !strings.Contains(err.Error(), "quote.refused_expired") {
		t.Errorf("accepted after the end: %v", err)
	}
	public := must(s.QuoteByToken(t.Context(), second.Token))(t)
	if public.Revision.State != quote.Expired {
		t.Errorf("the page says %s", public.Revision.State)
	}
	if err := s.DeclineQuote(t.Context(), quote.Answer{Token: second.Token, Reason: "price"}); !apperr.Is(err, apperr.Conflict) {
		t.Errorf("declined after the end: %v", err)
	}
	if q = must(s.Quote(t.Context(), q.ID))(t); q.Revision.State != quote.Expired {
		t.Errorf("staff sees %s", q.Revision.State)
	}
}

func TestDecline(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	q, sent := s.send(t, s.content())
	if err := s.DeclineQuote(t.Context(), quote.Answer{Token: sent.Token}); !apperr.Is(err, apperr.Invalid) {
		t.Errorf("declined without a reason: %v", err)
	}
	a := quote.Answer{Token: sent.Token, Key: "decline", Name: "Tan", Reason: "price", Remark: "two servers, not one"}
	for range 2 {
		if err := s.DeclineQuote(t.Context(), a); err != nil {
			t.Fatal(err)
		}
	}
	q = must(s.Quote(t.Context(), q.ID))(t)
	if q.Revision.State != quote.Declined || q.Revision.Decision.Remark != a.Remark {
		t.Errorf("%+v", q.Revision)
	}
	if n := must(s.NewRevision(t.Context(), quote.Step{QuoteID: q.ID, Version: q.Version, Actor: s.sales}))(t); n != 2 {
		t.Errorf("revision %d", n)
	}
}

// PR144: unknown, revoked and expired links open nothing, and what they show is counted once.
func TestLinks(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	q, sent := s.send(t, s.content())
	for range 2 {
		if err := s.RecordViewed(t.Context(), sent.Token); err != nil {
			t.Fatal(err)
		}
	}
	views := 0
	for _, e := range must(s.Quote(t.Context(), q.ID))(t).Events {
		if e.Kind == quote.View {
			views++
		}
	}
	if views != 1 {
		t.Errorf("%d views", views)
	}
	wrong := []byte(sent.Token)
	wrong[3] ^= 1
	for _, token := range []string{"", "x", string(wrong)} {
		if _, err := s.QuoteByToken(t.Context(), token); !apperr.Is(err, apperr.NotFound) {
			t.Errorf("token %q: %v", token, err)
		}
	}
	step := quote.Step{QuoteID: q.ID, Version: q.Version, Actor: s.sales}
	fresh := must(s.NewLink(t.Context(), step))(t)
	if _, err := s.QuoteByToken(t.Context(), sent.Token); !apperr.Is(err, apperr.NotFound) {
		t.Errorf("the old link still works: %v", err)
	}
	must(s.DocumentByToken(t.Context(), fresh))(t)
	q = must(s.Quote(t.Context(), q.ID))(t)
	if err := s.RevokeLinks(t.Context(), quote.Step{QuoteID: q.ID, Version: q.Version, Actor: s.sales}); err != nil {
		t.Fatal(err)
	}
	for _, f := range []func() error{
		func() error { _, err := s.QuoteByToken(t.Context(), fresh); return err },
		func() error { _, err := s.DocumentByToken(t.Context(), fresh); return err },
		func() error {
			_, err := s.AcceptQuote(t.Context(), quote.Answer{Token: fresh, Name: "Tan"})
			return err
		},
		func() error { return s.RecordViewed(t.Context(), fresh) },
	} {
		if err := f(); !apperr.Is(err, apperr.NotFound) {
			t.Errorf("a revoked link works: %v", err)
		}
	}
	_, late := s.send(t, s.content())
	s.setClock(quote.LinkEnd(date("2026-12-14"), time.UTC))
	if _, err := s.QuoteByToken(t.Context(), late.Token); !apperr.Is(err, apperr.NotFound) {
		t.Errorf("an expired link works: %v", err)
	}
}

// R12: nothing of ours reaches the customer's page or document.
func TestPublicQuoteHidesWhatIsOurs(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	limit := quote.Limit{SKU: "SRV-8", Currency: "USD", Floor: ptr("201111"), Cost: ptr("203333")}
	if err := s.SaveLimit(t.Context(), s.price.ID, limit); err != nil {
		t.Fatal(err)
	}
	c := s.content()
	c.InternalNote = "our secret"
	c.Lines[1].UnitPrice, c.Lines[1].Override = ptr("280000"), &quote.Override{Reason: "to win it"}
	q := s.create(t, c)
	var document quote.Quote
	d := s.dispatch(q)
	d.Render = func(q quote.Quote) ([]byte, error) { document = q; return []byte("%PDF"), nil }
	sent := must(s.SendQuote(t.Context(), d))(t)
	for name, public := range map[string]quote.Quote{"page": must(s.QuoteByToken(t.Context(), sent.Token))(t), "document": document} {
		if len(public.Events) != 0 {
			t.Errorf("the %s has the history", name)
		}
		raw, err := json.Marshal(public)
		if err != nil {
			t.Fatal(err)
		}
		for _, secret := range []string{"201111", "203333", "our secret", "to win it", "285000"} {
			if strings.Contains(string(raw), secret) {
				t.Errorf("the %s shows %q", name, secret)
			}
		}
	}
}

// A newer revision that is accepted takes over the stock of the older one.
func TestNewerAcceptanceReplacesOlder(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.receive(t, "SRV-8", 2)
	q, sent := s.send(t, s.content())
	must(s.AcceptQuote(t.Context(), quote.Answer{Token: sent.Token, Name: "Tan"}))(t)
	q = must(s.Quote(t.Context(), q.ID))(t)
	must(s.NewRevision(t.Context(), quote.Step{QuoteID: q.ID, Version: q.Version, Actor: s.sales}))(t)
	q = must(s.Quote(t.Context(), q.ID))(t)
	second := must(s.SendQuote(t.Context(), s.dispatch(q)))(t)
	if q = must(s.Quote(t.Context(), q.ID))(t); q.Revisions[0].State != quote.Accepted {
		t.Errorf("sending took the acceptance away: %s", q.Revisions[0].State)
	}
	if short := must(s.AcceptQuote(t.Context(), quote.Answer{Token: second.Token, Name: "Tan"}))(t); len(short) != 0 {
		t.Errorf("short: %v", short)
	}
	q = must(s.Quote(t.Context(), q.ID))(t)
	if got := s.stock(t, "SRV-8"); got.Reserved != 2 || q.Revisions[0].State != quote.Superseded || q.Revision.State != quote.Accepted {
		t.Errorf("%+v, %s, %s", got, q.Revisions[0].State, q.Revision.State)
	}
}
