package postgres_test

import (
	"testing"

	"rackwright/internal/apperr"
	"rackwright/internal/quote"
)

// PR051, PR052: what was accepted does not change. A change is a new revision, in draft and not accepted; the accepted one
// keeps its total and its acceptance.
func TestPR051AcceptedStaysAccepted(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	q, sent := s.send(t, s.content())
	must(s.AcceptQuote(t.Context(), quote.Answer{Token: sent.Token, Name: "Tan"}))(t)
	q = must(s.Quote(t.Context(), q.ID))(t)
	before := q.Revision.Totals.Total.String()
	changed := q.Revision.Content
	changed.Lines[1].Quantity = dec("3")
	if _, err := s.SaveDraft(t.Context(), quote.Edit{QuoteID: q.ID, Version: q.Version, Actor: s.sales, Content: changed}); !apperr.Is(err, apperr.Conflict) {
		t.Errorf("an accepted quote was changed: %v", err)
	}
	n := must(s.NewRevision(t.Context(), quote.Step{QuoteID: q.ID, Version: q.Version, Actor: s.sales}))(t)
	draft := must(s.Quote(t.Context(), q.ID))(t)
	if n != 2 || draft.Revision.State != quote.Draft || !draft.Revision.Decision.At.IsZero() {
		t.Errorf("revision %d is %s, decided %v", n, draft.Revision.State, draft.Revision.Decision.At)
	}
	first := must(s.QuoteRevision(t.Context(), q.ID, 1))(t)
	if first.Revision.State != quote.Accepted || first.Revision.Totals.Total.String() != before || first.Revision.Decision.Name != "Tan" {
		t.Errorf("revision 1: %+v", first.Revision.Decision)
	}
}

// PR053: four revisions are one row of the list; all can be read, the newest sent one alone can be accepted.
func TestPR053RevisionsUnderOneNumber(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	q, sent := s.send(t, s.content())
	tokens := []string{sent.Token}
	for range 3 {
		must(s.NewRevision(t.Context(), quote.Step{QuoteID: q.ID, Version: q.Version, Actor: s.sales}))(t)
		q = must(s.Quote(t.Context(), q.ID))(t)
		again := must(s.SendQuote(t.Context(), s.dispatch(q)))(t)
		if again.Number != sent.Number {
			t.Errorf("number %s, want %s", again.Number, sent.Number)
		}
		tokens = append(tokens, again.Token)
		q = must(s.Quote(t.Context(), q.ID))(t)
	}
	list := must(s.Quotes(t.Context(), quote.Filter{}))(t)
	if len(list.Rows) != 1 || list.Rows[0].Revision != 4 {
		t.Errorf("%+v", list.Rows)
	}
	for n := 1; n <= 4; n++ {
		if r := must(s.QuoteRevision(t.Context(), q.ID, n))(t); r.Revision.Number != n {
			t.Errorf("revision %d is %d", n, r.Revision.Number)
		}
	}
	for i, token := range tokens {
		_, err := s.AcceptQuote(t.Context(), quote.Answer{Token: token, Name: "Tan"})
		if last := i == 3; (err == nil) != last {
			t.Errorf("revision %d: %v", i+1, err)
		}
	}
}

// PR055, PR056: drafts have no number, so they collide with nothing and leave no gap; who is sent first is first.
func TestPR055NumbersAreGivenOnSending(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	first, second := s.create(t, s.content()), s.create(t, s.content())
	if first.Number != "" || second.Number != "" {
		t.Errorf("drafts have the numbers %q and %q", first.Number, second.Number)
	}
	for i, q := range []quote.Quote{second, first} {
		want := []string{"Q-2026-0001", "Q-2026-0002"}[i]
		if got := must(s.SendQuote(t.Context(), s.dispatch(q)))(t).Number; got != want {
			t.Errorf("number %s, want %s", got, want)
		}
	}
}

// PR049: an expired offer cannot be accepted by its customer; staff extend it with a reason, and then it can. Nothing that
// was sent changes, and the day never moves back.
func TestPR049Extension(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	q, sent := s.send(t, s.content()) // valid until 14 December
	s.setClock(date("2026-12-20"))
	if _, err := s.AcceptQuote(t.Context(), quote.Answer{Token: sent.Token, Name: "Tan"}); !apperr.Is(err, apperr.Conflict) {
		t.Errorf("an expired offer was accepted: %v", err)
	}
	extend := func(until, reason string) error {
		q = must(s.Quote(t.Context(), q.ID))(t)
		return s.ExtendQuote(t.Context(), quote.Extension{QuoteID: q.ID, Version: q.Version, Actor: s.sales, Until: date(until), Reason: reason})
	}
	for _, bad := range []struct{ until, reason string }{
		{"2026-12-14", "same day"}, {"2026-12-19", "in the past"}, {"2028-01-01", "too long"}, {"2026-12-31", " "},
	} {
		if err := extend(bad.until, bad.reason); !apperr.Is(err, apperr.Invalid) {
			t.Errorf("%+v: %v", bad, err)
		}
	}
	pdf := q.Revision.Frozen.PDFSHA256
	if err := extend("2026-12-31", "order is on its way"); err != nil {
		t.Fatal(err)
	}
	q = must(s.Quote(t.Context(), q.ID))(t)
	if q.Revision.State != quote.Sent || !q.Revision.LastDay().Equal(date("2026-12-31")) || q.Revision.Frozen.PDFSHA256 != pdf ||
		!q.Revision.Content.ValidTo.Equal(date("2026-12-14")) || q.Events[0].Kind != quote.Extend {
		t.Errorf("%+v", q.Revision)
	}
	if err := extend("2026-12-25", "back"); !apperr.Is(err, apperr.Invalid) {
		t.Errorf("moved back: %v", err)
	}
	if err := extend("2027-06-30", "the hall is late"); err != nil {
		t.Fatal(err)
	}
	q = must(s.Quote(t.Context(), q.ID))(t)
	s.setClock(date("2027-06-20")) // long after the link of the first validity would have ended
	token := must(s.NewLink(t.Context(), quote.Step{QuoteID: q.ID, Version: q.Version, Actor: s.sales}))(t)
	must(s.AcceptQuote(t.Context(), quote.Answer{Token: token, Name: "Tan"}))(t)
	if err := extend("2027-01-31", "after acceptance"); !apperr.Is(err, apperr.Conflict) {
		t.Errorf("an accepted quote was extended: %v", err)
	}
}
