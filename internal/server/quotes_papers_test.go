package server

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"time"

	"rackwright/internal/auth"
	"rackwright/internal/money"
	"rackwright/internal/quote"
)

// accepted is a quote with an option and an alternative that the customer took, and a cost that nobody else may see.
func (s *shop) accepted(t *testing.T) (at string) {
	t.Helper()
	storage, cost := line(quote.Item, "Storage", "1", "3000"), money.MustDecimal("24000")
	storage.Cost = &cost
	at, link := s.offered(t, func(c *quote.Content) { c.InternalNote = "SECRETNOTE" }, storage, line(quote.Alternative, "Better storage", "1", "4000"),
		line(quote.Option, "Spare supply", "2", "50"), line(quote.Option, "Not taken", "1", "77.77"))
	customer := s.visitor()
	f := customer.get(link + "?choice.1=2&choice=3").form(link + "/accept")
	f.Set("name", "Tan Wei Ling")
	f.Set("role", "Buyer")
	f.Set("order", "PO-4711")
	f.Set("agree", "yes")
	customer.post(link+"/accept", f).leads(link)
	return at
}

// paper makes a paper with its button and returns its address.
func (s *shop) paper(b *browser, at string, paper quote.Paper) string {
	s.t.Helper()
	form := b.get(at).status(http.StatusOK).page().Find("#papers form:has(input[value='" + string(paper) + "'])")
	f := url.Values{}
	for _, in := range form.Find("input").EachIter() {
		f.Set(in.AttrOr("name", ""), in.AttrOr("value", ""))
	}
	b.post(at+"/papers", f).leads(at + "#papers")
	b.post(at+"/papers", f).leads(at + "#papers") // a double click
	return at + "/revisions/1/papers/" + string(paper)
}

// From the accepted revision, with the customer's choice, each paper is made once and served byte for byte ever after.
func TestPapersOfAnOrder(t *testing.T) {
	s := newShop(t)
	at := s.accepted(t)
	cases := []struct {
		paper    quote.Paper
		file     string
		has, not []string
	}{
		{quote.OrderConfirmation, "Q-2026-0001-order-confirmation.pdf",
			[]string{"Order confirmation", "PO-4711", "Tan Wei Ling, Buyer", "Better storage", "4,000.00", "Spare supply", "100.00", "4,100.00", "30 days net."},
			[]string{"Not taken", "77.77", "+1,000.00", "Options"}},
		{quote.ProForma, "Q-2026-0001-pro-forma.pdf",
			[]string{"Pro-forma invoice", "not a tax invoice", "4,100.00", "Example Bank"}, []string{"Not taken"}},
		{quote.DeliveryNote, "Q-2026-0001-delivery-note.pdf",
			[]string{"Delivery note", "Better storage", "Spare supply", "Received for Meridian Robotics"}, []string{"4,000", "4,100", "100.00", "Example Bank", "Not taken", "USD"}},
	}
	for _, c := range cases {
		path := s.paper(s.sales2(t), at, c.paper)
		a := s.sales.get(path)
		b := a.pdf()
		if got := a.Header().Get("Content-Disposition"); !strings.Contains(got, c.file) {
			t.Errorf("%s is served as %q", c.paper, got)
		}
		got := pdfText(t, b)
		for _, want := range c.has {
			if !strings.Contains(got, want) {
				t.Errorf("%s: %q is not printed: %s", c.paper, want, got)
			}
		}
		for _, no := range append(c.not, "SECRET", "24,000", "24000") {
			if strings.Contains(got, no) {
				t.Errorf("%s prints %q: %s", c.paper, no, got)
			}
		}
		p, err := s.db.Company(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		p.Name = "Renamed " + string(c.paper)
		if err := s.db.SaveCompany(context.Background(), s.boss, p); err != nil {
			t.Fatal(err)
		}
		s.pass(time.Hour)
		if !bytes.Equal(b, s.sales.get(path).pdf()) {
			t.Errorf("%s changed with the company", c.paper)
		}
	}
	made, err := s.db.Papers(t.Context(), quoteID(t, at))
	if err != nil || len(made) != 3 {
		t.Fatalf("%d papers, %v", len(made), err)
	}
	s.visitor().get(at + "/revisions/1/papers/delivery_note").status(http.StatusSeeOther)
	s.as("jonas", auth.Stock).get(at + "/revisions/1/papers/delivery_note").status(http.StatusForbidden)
	s.sales.get(at + "/revisions/1/papers/receipt").status(http.StatusNotFound)
	s.sales.get(at + "/revisions/2/papers/delivery_note").status(http.StatusNotFound)
}

// sales2 is a lead: the quote of accepted belongs to somebody else.
func (s *shop) sales2(t *testing.T) *browser {
	t.Helper()
	if s.lead == nil {
		s.lead = s.as("lead", auth.Lead)
	}
	return s.lead
}

// A quote that was not accepted is no order.
func TestNoPapersBeforeAcceptance(t *testing.T) {
	s := newShop(t)
	at := s.priced(s.sales)
	s.send(s.sales, at)
	page := s.sales.get(at)
	if page.page().Find("#papers").Length() != 0 {
		t.Error("papers are offered for a quote that is not accepted")
	}
	q, err := s.db.Quote(t.Context(), quoteID(t, at))
	if err != nil {
		t.Fatal(err)
	}
	f := url.Values{"key": {newKey()}, "version": {itoa(q.Version)}, "paper": {"order_confirmation"}}
	s.sales.post(at+"/papers", f).status(http.StatusConflict).says("once the customer has accepted")
}

// PR060, papers: what no font has is named before the paper is made, and not printed as a box for good.
func TestPR060PaperNamesMissingSigns(t *testing.T) {
	s := newShop(t)
	at := s.accepted(t)
	p, err := s.db.Company(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p.Name = "Rocket \U0001F680 Systems"
	if err := s.db.SaveCompany(t.Context(), s.boss, p); err != nil {
		t.Fatal(err)
	}
	lead := s.as("mei", auth.Lead)
	q, err := s.db.Quote(t.Context(), quoteID(t, at))
	if err != nil {
		t.Fatal(err)
	}
	f := url.Values{"key": {newKey()}, "version": {itoa(q.Version)}, "paper": {string(quote.ProForma)}}
	lead.post(at+"/papers", f).status(http.StatusConflict).says("do not cover: \U0001F680")
	if made, err := s.db.Papers(t.Context(), q.ID); err != nil || len(made) != 0 {
		t.Errorf("%d papers were made, %v", len(made), err)
	}
}

// PR070: what is sent shows the draft as it is at that moment, not an older picture, and never changes afterwards.
func TestPR070SentIsNotStale(t *testing.T) {
	s := newShop(t)
	at := s.draft(s.sales)
	edit(s.sales, at, "add", map[string]string{"add": dgx}).status(http.StatusSeeOther)
	before := pdfText(t, s.sales.get(at+"/preview.pdf").pdf())
	if !strings.Contains(before, "330,000.00 330,000.00") {
		t.Fatalf("draft of one: %s", before)
	}
	edit(s.sales, at, "save", map[string]string{"lines[0].quantity": "2"}).leads(at)
	link := s.send(s.sales, at)
	sent := s.visitor().get(link + "/pdf").pdf()
	if got := pdfText(t, sent); !strings.Contains(got, "660,000.00") {
		t.Errorf("the sent document is that of before: %s", got)
	}
	s.sales.post(at+"/revise", s.sales.get(at).form(at+"/revise")).leads(at)
	edit(s.sales, at, "save", map[string]string{"lines[0].quantity": "5"}).leads(at)
	if !bytes.Equal(sent, s.visitor().get(link+"/pdf").pdf()) {
		t.Error("the stored document changed")
	}
}

// PR148, documents: no cost, floor or inner note in the text, the metadata or the bytes of anything printed.
func TestPR148NoCostOnPaper(t *testing.T) {
	s := newShop(t)
	at := s.priced(s.sales)
	edit(s.sales, at, "save", map[string]string{"internal_note": "SECRETNOTE"}).leads(at)
	draft := s.sales.get(at + "/preview.pdf").pdf()
	link := s.send(s.sales, at)
	for name, b := range map[string][]byte{"draft": draft, "sent": s.visitor().get(link + "/pdf").pdf()} {
		got := pdfText(t, b) + pdfInfo(t, b) + string(b)
		for _, secret := range []string{dgxCost, dgxFloor, "287,654", "301,234", "SECRETNOTE", "Margin", "Test list"} {
			if strings.Contains(got, secret) {
				t.Errorf("%s holds %q", name, secret)
			}
		}
	}
}
