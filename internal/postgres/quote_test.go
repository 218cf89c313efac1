package postgres_test

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rackwright/internal/apperr"
	"rackwright/internal/money"
	"rackwright/internal/quote"
	"rackwright/internal/testdb"
)

func TestCreateQuotePricesAndExplodes(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	q := s.create(t, s.content())
	lines := q.Revision.Content.Lines
	if len(lines) != 4 {
		t.Fatalf("%d lines, want section, server and two parts: %+v", len(lines), lines)
	}
	server, board, nic := lines[1], lines[2], lines[3]
	if server.Description != "Server with eight GPUs" || server.List.Origin != quote.FromPriceList || server.List.List != "Own list" ||
		!server.UnitPrice.Equal(dec("285000")) || server.Override != nil || server.ControlTo != "advanced_ic" || !server.Stocked {
		t.Errorf("server: %+v", server)
	}
	if !board.Part || board.SKU != "BOARD-8" || board.UnitPrice != nil || !nic.Quantity.Equal(dec("8")) {
		t.Errorf("parts: %+v, %+v", board, nic)
	}
	totals := q.Revision.Totals
	if totals.Net.String() != "570000.00" || totals.Tax.String() != "51300.00" || totals.Total.String() != "621300.00" {
		t.Errorf("totals %s + %s = %s", totals.Net, totals.Tax, totals.Total)
	}
	if totals.Lines[3].Quantity.String() != "16" {
		t.Errorf("16 cards in two servers, got %s", totals.Lines[3].Quantity)
	}
	if q.Number != "" || q.Revision.State != quote.Draft || q.OwnerID != s.sales.ID || len(q.Events) != 1 {
		t.Errorf("%+v", q)
	}
}

func TestCreateQuoteOncePerKey(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	c := quote.Create{Key: "form-1", Actor: s.sales, Content: s.content()}
	var wg sync.WaitGroup
	ids := make([]int64, 8)
	for i := range ids {
		wg.Go(func() { ids[i] = must(s.CreateQuote(t.Context(), c))(t) })
	}
	wg.Wait()
	if ids[0] == 0 || slices.ContainsFunc(ids, func(id int64) bool { return id != ids[0] }) {
		t.Errorf("one form made the quotes %v", ids)
	}
	list := must(s.Quotes(t.Context(), quote.Filter{}))(t)
	if len(list.Rows) != 1 {
		t.Errorf("%d quotes", len(list.Rows))
	}
}

func TestCreateQuoteRefusesWithFields(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	c := s.content()
	c.Lines = append(c.Lines, quote.Line{Kind: quote.Item, SKU: "NO-SUCH", Quantity: dec("1")})
	c.Lines[1].Discount = money.MustPercent("150")
	c.Lang = "fr"
	_, err := s.CreateQuote(t.Context(), quote.Create{Actor: s.sales, Content: c})
	e, ok := errors.AsType[*apperr.Error](err)
	if !ok || e.Kind != apperr.Invalid {
		t.Fatal(err)
	}
	want := []string{"lang", "lines[1].discount", "lines[2].description", "lines[2].sku"}
	if !slices.Equal(e.FieldNames(), want) {
		t.Errorf("faults at %v, want %v", e.FieldNames(), want)
	}
}

// PR054: two tabs on one draft. The second hears that it changed, and what was typed is not stored.
func TestTwoTabs(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	q := s.create(t, s.content())
	edit := quote.Edit{QuoteID: q.ID, Version: q.Version, Actor: s.sales, Content: q.Revision.Content}
	edit.Content.Discount.Percent = money.MustPercent("1")
	version := must(s.SaveDraft(t.Context(), edit))(t)
	edit.Content.Discount.Percent = money.MustPercent("2")
	if _, err := s.SaveDraft(t.Context(), edit); !apperr.Is(err, apperr.Conflict) {
		t.Errorf("the second tab heard %v", err)
	}
	after := must(s.Quote(t.Context(), q.ID))(t)
	if after.Version != version || !after.Revision.Content.Discount.Percent.Equal(money.MustPercent("1")) {
		t.Errorf("version %d, want %d; discount %s", after.Version, version, after.Revision.Content.Discount.Percent)
	}
	if after.Revision.Totals.Total.String() != "615087.00" {
		t.Errorf("total %s", after.Revision.Totals.Total)
	}
	if _, err := s.SendQuote(t.Context(), s.dispatch(q)); !apperr.Is(err, apperr.Conflict) {
		t.Errorf("an old page could send: %v", err)
	}
}

// R11: the preview, the stored draft and the sent revision have the same totals.
func TestPreviewEqualsSaved(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	q := s.create(t, s.content())
	edit := quote.Edit{QuoteID: q.ID, Version: q.Version, Actor: s.sales, Content: q.Revision.Content}
	edit.Content.Lines = append(edit.Content.Lines, quote.Line{Kind: quote.Item, SKU: "nic", Quantity: dec("3"), TaxRate: money.MustPercent("9")})
	edit.Content.Discount.Percent = money.MustPercent("3.33")
	content, preview, err := s.PreviewDraft(t.Context(), edit)
	if err != nil || len(content.Lines) != 5 {
		t.Fatal(content, err)
	}
	if before := must(s.Quote(t.Context(), q.ID))(t); before.Version != q.Version || len(before.Revision.Content.Lines) != 4 {
		t.Error("a preview changed the draft")
	}
	must(s.SaveDraft(t.Context(), edit))(t)
	saved := must(s.Quote(t.Context(), q.ID))(t)
	if saved.Revision.Totals.Total.String() != preview.Total.String() {
		t.Errorf("saved %s, previewed %s", saved.Revision.Totals.Total, preview.Total)
	}
	var rendered string
	d := s.dispatch(saved)
	d.Render = func(q quote.Quote) ([]byte, error) {
		rendered = q.Revision.Totals.Total.String()
		return []byte("%PDF"), nil
	}
	sent := must(s.SendQuote(t.Context(), d))(t)
	public := must(s.QuoteByToken(t.Context(), sent.Token))(t)
	if rendered != preview.Total.String() || public.Revision.Totals.Total.String() != rendered {
		t.Errorf("document %s, public page %s, preview %s", rendered, public.Revision.Totals.Total, preview.Total)
	}
}

func TestSendFreezes(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	q, sent := s.send(t, s.content())
	if sent.Number != "Q-2026-0001" || q.Number != sent.Number || q.Revision.State != quote.Sent || len(sent.Token) != 22 {
		t.Errorf("%+v, %+v", sent, q.Revision)
	}
	doc := must(s.QuoteDocument(t.Context(), q.ID, 1))(t)
	if !bytes.Equal(doc.Bytes, []byte("%PDF of Q-2026-0001")) || doc.FileName != "Q-2026-0001.pdf" || doc.SHA256 != q.Revision.Frozen.PDFSHA256 {
		t.Errorf("%+v", doc)
	}
	if !strings.Contains(string(q.Revision.Frozen.Company), `"Shop"`) {
		t.Error("the company's profile was not frozen")
	}
	conn := testdb.Connect(t, s.url)
	for _, sql := range []string{
		"UPDATE quote_revision SET title = 'x'", "UPDATE quote_revision SET total = 1, net = 1, tax = 0", "DELETE FROM quote_revision",
		"UPDATE quote_line SET quantity = 1", "DELETE FROM quote_line", "UPDATE quote_document SET bytes = 'x'", "DELETE FROM quote_event",
	} {
		if _, err := conn.Exec(t.Context(), sql); err == nil {
			t.Errorf("%s was possible", sql)
		}
	}
	edit := quote.Edit{QuoteID: q.ID, Version: q.Version, Actor: s.sales, Content: q.Revision.Content}
	if _, err := s.SaveDraft(t.Context(), edit); !apperr.Is(err, apperr.Conflict) {
		t.Errorf("a sent revision was saved: %v", err)
	}
}

// A send whose document fails leaves nothing: no number, no state, no event.
func TestSendIsAllOrNothing(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	q := s.create(t, s.content())
	d := s.dispatch(q)
	d.Key = "send-1"
	d.Render = func(quote.Quote) ([]byte, error) { return nil, errors.New("no fonts") }
	if _, err := s.SendQuote(t.Context(), d); err == nil {
		t.Fatal("no error")
	}
	after := must(s.Quote(t.Context(), q.ID))(t)
	if after.Number != "" || after.Revision.State != quote.Draft || after.Version != q.Version || len(after.Events) != 1 {
		t.Errorf("%+v", after)
	}
	d.Render = renderNumber
	first := must(s.SendQuote(t.Context(), d))(t)
	again := must(s.SendQuote(t.Context(), d))(t)
	if first.Number != "Q-2026-0001" || again.Number != first.Number || first.Token == "" || again.Token != "" {
		t.Errorf("first %+v, again %+v", first, again)
	}
	if links := must(s.QuoteLinks(t.Context(), q.ID))(t); len(links) != 1 {
		t.Errorf("%d links", len(links))
	}
}

// PR057: parallel sends get consecutive numbers, and nobody sees an error.
func TestParallelSends(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	const n = 50
	quotes := make([]quote.Quote, n)
	for i := range quotes {
		quotes[i] = s.create(t, s.content())
	}
	numbers := make([]string, n)
	var wg sync.WaitGroup
	for i, q := range quotes {
		wg.Go(func() {
			sent, err := s.SendQuote(t.Context(), s.dispatch(q))
			if err != nil {
				t.Error(err)
			}
			numbers[i] = sent.Number
		})
	}
	wg.Wait()
	slices.Sort(numbers)
	for i, number := range numbers {
		if want := fmt.Sprintf("Q-2026-%04d", i+1); number != want {
			t.Fatalf("number %d is %s, want %s", i, number, want)
		}
	}
	if next := must(s.NextNumber(t.Context()))(t); next != "Q-2026-0051" {
		t.Errorf("next is %s", next)
	}
}

// The year of a number is that of the company's zone.
func TestNumberYear(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.setClock(time.Date(2026, 12, 31, 16, 30, 0, 0, time.UTC)) // half past midnight in Singapore
	c := s.content()
	c.Day, c.ValidTo = date("2027-01-01"), date("2027-01-15")
	if _, sent := s.send(t, c); sent.Number != "Q-2027-0001" {
		t.Error(sent.Number)
	}
}

func TestSendRefuses(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	tests := map[string]struct {
		change func(*quote.Content)
		kind   quote.BlockerKind
	}{
		"no lines":            {func(c *quote.Content) { c.Lines = nil }, quote.NoLines},
		"no customer":         {func(c *quote.Content) { c.Customer.Name = "" }, quote.NoCustomer},
		"blank price":         {func(c *quote.Content) { c.Lines[1].SKU = "BOARD-8" }, quote.BlankPrice},
		"past validity":       {func(c *quote.Content) { c.Day, c.ValidTo = date("2026-11-03"), date("2026-11-29") }, quote.PastValidity},
		"licence needed":      {func(c *quote.Content) { c.EndUser = "VN" }, quote.LicenceNeeded},
		"no destination":      {func(c *quote.Content) { c.ShipTo = "" }, quote.NoDestination},
		"no exchange rate":    {func(c *quote.Content) { c.Currency = "EUR"; c.Lines[1].UnitPrice = ptr("1") }, quote.RateMissing},
		"discount above 10 %": {func(c *quote.Content) { c.Lines[1].Discount = money.MustPercent("10.01") }, quote.AboveDiscount},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			c := s.content()
			tt.change(&c)
			q := s.create(t, c)
			blockers := must(s.QuoteBlockers(t.Context(), q.ID))(t)
			if !slices.ContainsFunc(blockers, func(b quote.Blocker) bool { return b.Kind == tt.kind }) {
				t.Errorf("blockers %+v", blockers)
			}
			if _, err := s.SendQuote(t.Context(), s.dispatch(q)); !apperr.Is(err, apperr.Conflict) {
				t.Errorf("sent: %v", err)
			}
		})
	}
	if next := must(s.NextNumber(t.Context()))(t); next != "Q-2026-0001" {
		t.Errorf("refused sends used up numbers: %s", next)
	}
}

func TestRevisions(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	q, first := s.send(t, s.content())
	s.setClock(testdb.Now.AddDate(0, 0, 2))
	key := quote.Step{QuoteID: q.ID, Version: q.Version, Actor: s.sales, Key: "revise"}
	for range 2 { // the second click of the button makes no second revision
		if n := must(s.NewRevision(t.Context(), key))(t); n != 2 {
			t.Fatalf("revision %d", n)
		}
	}
	q = must(s.Quote(t.Context(), q.ID))(t)
	if q.Number != first.Number || q.Revision.State != quote.Draft || len(q.Revisions) != 2 || q.Revisions[0].State != quote.Sent ||
		!q.Revision.Content.Day.Equal(date("2026-12-02")) || !q.Revision.Content.ValidTo.Equal(date("2026-12-16")) {
		t.Errorf("%+v", q)
	}
	if !q.Revision.Content.Lines[1].UnitPrice.Equal(dec("285000")) {
		t.Error("a revision re-priced its lines")
	}
	edit := quote.Edit{QuoteID: q.ID, Version: q.Version, Actor: s.sales, Content: q.Revision.Content}
	edit.Content.Lines[1].Quantity = dec("1")
	version := must(s.SaveDraft(t.Context(), edit))(t)
	q.Version = version
	second := must(s.SendQuote(t.Context(), s.dispatch(q)))(t)
	if second.Number != first.Number || second.Revision != 2 {
		t.Errorf("%+v", second)
	}
	old := must(s.QuoteByToken(t.Context(), first.Token))(t)
	if len(old.Revisions) != 2 || old.Revisions[1].State != quote.Sent {
		t.Errorf("the old page cannot name the new revision: %+v", old.Revisions)
	}
	if old.Revision.State != quote.Superseded || old.Revision.Totals.Total.String() != "621300.00" {
		t.Errorf("revision 1: %s, %s", old.Revision.State, old.Revision.Totals.Total)
	}
	if _, err := s.AcceptQuote(t.Context(), quote.Answer{Token: first.Token, Name: "Tan"}); !apperr.Is(err, apperr.Conflict) {
		t.Errorf("a superseded revision was accepted: %v", err)
	}
	list := must(s.Quotes(t.Context(), quote.Filter{}))(t)
	if len(list.Rows) != 1 || list.Rows[0].Revision != 2 || list.Rows[0].Total.String() != "310650.00" {
		t.Errorf("%+v", list)
	}
}

func TestForeignCurrency(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	rate := quote.Rate{Base: "USD", Quote: "EUR", Day: date("2026-11-26"), Rate: dec("0.92"), Source: "test"}
	if err := s.SaveRate(t.Context(), s.price.ID, rate); err != nil {
		t.Fatal(err)
	}
	inverse := quote.Rate{Base: "EUR", Quote: "USD", Day: date("2026-11-26"), Rate: dec("1.087"), Source: "test"}
	if err := s.SaveRate(t.Context(), s.price.ID, inverse); !apperr.Is(err, apperr.Invalid) {
		t.Errorf("an inverse was stored: %v", err)
	}
	c := s.content()
	c.Currency = "EUR"
	q, _ := s.send(t, c)
	line := q.Revision.Content.Lines[1]
	if !line.UnitPrice.Equal(dec("262200")) || line.List.Origin != quote.Converted || line.List.Rate == nil || q.Revision.Frozen.Rate == nil {
		t.Errorf("%+v, rate %+v", line, q.Revision.Frozen.Rate)
	}
}

func TestCloseReleasesAndKeepsTheNumber(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.receive(t, "SRV-8", 10)
	q, sent := s.send(t, s.content())
	must(s.AcceptQuote(t.Context(), quote.Answer{Token: sent.Token, Name: "Tan"}))(t)
	if a := s.stock(t, "SRV-8"); a.Reserved != 2 || a.Available() != 8 {
		t.Fatalf("%+v", a)
	}
	q = must(s.Quote(t.Context(), q.ID))(t)
	cancel := quote.Close{QuoteID: q.ID, Version: q.Version, Actor: s.sales, As: quote.Cancelled}
	if err := s.CloseQuote(t.Context(), cancel); !apperr.Is(err, apperr.Invalid) {
		t.Errorf("cancelled without a reason: %v", err)
	}
	cancel.Reason = "order withdrawn"
	if err := s.CloseQuote(t.Context(), cancel); err != nil {
		t.Fatal(err)
	}
	q = must(s.Quote(t.Context(), q.ID))(t)
	if a := s.stock(t, "SRV-8"); a.Reserved != 0 || q.Revision.State != quote.Cancelled || q.Number != "Q-2026-0001" || !q.Revision.Decision.ByStaff {
		t.Errorf("%+v, %+v", a, q.Revision)
	}
	if _, next := s.send(t, s.content()); next.Number != "Q-2026-0002" {
		t.Errorf("PR058: next is %s", next.Number)
	}
}
