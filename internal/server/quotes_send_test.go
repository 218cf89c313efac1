package server

import (
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"testing"
	"time"

	"rackwright/internal/auth"
	"rackwright/internal/quote"
)

// Sales staff see that a line is below the floor, and neither floor nor cost nor margin; a
// lead sees all of them; visitors and stock keepers see no quote at all.
func TestWhoSeesCost(t *testing.T) {
	s := newShop(t)
	at := s.priced(s.sales)
	edit(s.sales, at, "save", map[string]string{"lines[0].discount": "12"}).leads(at)
	secrets := []string{"301,234", "301234", "287,654", "287654", "Margin", "Cost price"}
	s.sales.get(at).status(http.StatusOK).says("below floor").says("Below the floor price").silent(secrets...)
	s.sales.get(at + "/send").silent(secrets...)
	lead := s.as("daniel", auth.Lead)
	lead.get(at).says("below floor 301,234.50").says("Cost price").says("575,308.60").says("Margin in percent")
	for _, path := range []string{at, at + "/send", at + "/pdf", at + "/preview.pdf", "/quotes", "/quotes/new"} {
		s.visitor().get(path).status(http.StatusSeeOther)
	}
	s.as("jonas", auth.Stock).get(at).status(http.StatusForbidden)
	edit(s.sales, at, "save", map[string]string{"lines[0].discount": "3"}).leads(at)
	link := s.send(s.sales, at)
	s.visitor().get(link).silent(append(secrets, "floor", "330,000.00, list")...)
}

// A salesperson reads all quotes and changes only own ones; a lead changes any.
func TestWhoChangesAQuote(t *testing.T) {
	s := newShop(t)
	at := s.priced(s.sales)
	other := s.as("mei", auth.Sales)
	a := other.get(at).status(http.StatusOK).says("its owner is ines").silent(`action="` + at + `"`)
	f := s.sales.get(at).form(at)
	other.post(at, changed(f, "save", nil)).status(http.StatusForbidden)
	other.post(at+"/send", url.Values{"key": {newKey()}, "version": {"1"}}).status(http.StatusForbidden)
	if got := grand(a); got != wantGrand {
		t.Errorf("total for another salesperson %q", got)
	}
	edit(s.as("daniel", auth.Lead), at, "save", map[string]string{"title": "By the lead"}).leads(at)
}

// A double click on send has one effect: one number, one document, and no error.
func TestSendTwice(t *testing.T) {
	s := newShop(t)
	at := s.priced(s.sales)
	f := s.sales.get(at + "/send").says("Q-2026-0001").form(at + "/send")
	s.sales.post(at+"/send", f).leads(at)
	s.sales.post(at+"/send", f).leads(at)
	q, err := s.db.Quote(t.Context(), quoteID(t, at))
	if err != nil || q.Number != "Q-2026-0001" || q.Revision.State != quote.Sent {
		t.Fatalf("%s %s, %v", q.Number, q.Revision.State, err)
	}
	sent := 0
	for _, e := range q.Events {
		if e.Kind == quote.Send {
			sent++
		}
	}
	if sent != 1 {
		t.Errorf("%d events of sending", sent)
	}
	s.sales.get(at + "/send").leads(at)
	// The editor of another tab is too late: what was sent never changes.
	stale := s.sales.get(at).status(http.StatusOK)
	if stale.page().Find(`form[action="`+at+`"]`).Length() != 0 {
		t.Error("a sent revision can be edited")
	}
}

// A draft with open points cannot be sent, and says why.
func TestBlockedSending(t *testing.T) {
	s := newShop(t)
	at := s.draft(s.sales)
	a := s.sales.get(at + "/send").status(http.StatusOK).says("no line that counts").says("Sending is not possible yet")
	if a.page().Find(`form[action="`+at+`/send"]`).Length() != 0 {
		t.Error("there is a button to send")
	}
	edit(s.sales, at, "add", map[string]string{"add": "NVAIE-SUB-1Y"}).status(http.StatusSeeOther)
	s.sales.get(at + "/send").says("A line without a price cannot be sent.")
	f := url.Values{"key": {newKey()}, "version": s.sales.get(at).form(at)["version"]}
	s.sales.post(at+"/send", f).status(http.StatusConflict).says("Some points must be settled")
}

// An exception goes to somebody else: the owner submits, another allows, the owner sends.
func TestException(t *testing.T) {
	s := newShop(t)
	at := s.priced(s.sales)
	edit(s.sales, at, "submit", map[string]string{"lines[0].discount": "12"}).leads(at)
	s.sales.get(at).says("Awaiting approval")
	pricing := s.as("sofia", auth.Pricing)
	ruling := formAt(pricing.get(at).says("Approve"), "#ruling")
	ruling.Set("do", "approve")
	ruling.Set("reason", "volume")
	pricing.post(at+"/ruling", ruling).leads(at)
	s.sales.get(at).says("Approved")
	s.send(s.sales, at)
}

func TestRevisions(t *testing.T) {
	s := newShop(t)
	at := s.priced(s.sales)
	first := s.send(s.sales, at)
	s.sales.post(at+"/revise", s.sales.get(at).form(at+"/revise")).leads(at)
	s.sales.get(at).says("Revision 2").says("Revision 1 was sent on 30 November 2026")
	s.visitor().get(first).says("Accept quote") // until the new one is sent
	edit(s.sales, at, "save", map[string]string{"lines[0].quantity": "3"}).leads(at)
	second := s.send(s.sales, at)
	s.visitor().get(first).status(http.StatusOK).says("There is a newer revision").silent("/accept\"")
	s.visitor().get(second).says("Q-2026-0001").says("revision 2")
	old := s.sales.get(at + "/revisions/1").status(http.StatusOK).says("This is an older revision")
	if got := grand(old); got != wantGrand {
		t.Errorf("revision 1 now says %q", got)
	}
	s.sales.get(at + "/revisions/9").status(http.StatusNotFound)
	s.sales.get(at + "/pdf?revision=1").status(http.StatusOK)
	s.sales.get(at + "/pdf?revision=x").status(http.StatusNotFound)
}

// The countries follow the customer: those of the customer before would let an export check pass that must not.
func TestAnotherCustomerBringsItsCountries(t *testing.T) {
	s := newShop(t)
	id, err := s.db.CreateCustomer(t.Context(), s.boss, newKey(), quote.Customer{Name: "Yunling", Country: "CN"})
	if err != nil {
		t.Fatal(err)
	}
	chosen := strconv.FormatInt(id, 10)
	at := s.priced(s.sales)
	edit(s.sales, at, "save", map[string]string{"customer_id": chosen}).leads(at)
	other := s.priced(s.sales)
	edit(s.sales, other, "save", map[string]string{"customer_id": chosen, "end_user": "JP"}).leads(other)
	for path, want := range map[string][2]string{at: {"CN", "CN"}, other: {"CN", "JP"}} {
		q, err := s.db.Quote(t.Context(), quoteID(t, path))
		if c := q.Revision.Content; err != nil || c.Customer.Name != "Yunling" || [2]string{c.ShipTo, c.EndUser} != want {
			t.Errorf("%s: %s to %s, end user in %s, %v; want %v", path, c.Customer.Name, c.ShipTo, c.EndUser, err, want)
		}
	}
}

// A quote ends by staff in any state that allows it; cancelling an accepted one gives its stock back.
func TestCloseQuote(t *testing.T) {
	s := newShop(t)
	end := func(at, as, reason string) *answer {
		f := s.sales.get(at).form(at + "/close")
		f.Set("as", as)
		f.Set("close_reason", reason)
		return s.sales.post(at+"/close", f)
	}
	draft := s.draft(s.sales)
	end(draft, "cancelled", "").status(http.StatusUnprocessableEntity)
	end(draft, "accepted", "no").status(http.StatusUnprocessableEntity)
	end(draft, "cancelled", "typed twice").leads(draft)
	s.sales.get(draft).says("Cancelled").says("typed twice").silent(draft + "/close")

	at := s.priced(s.sales)
	link := s.send(s.sales, at)
	f := s.visitor().get(link).form(link + "/accept")
	f.Set("name", "Tan Wei Ling")
	f.Set("agree", "yes")
	s.visitor().post(link+"/accept", f).leads(link)
	s.sales.get(at).says("Reserved by this revision")
	end(at, "cancelled", "budget withdrawn").leads(at)
	s.sales.get(at).says("budget withdrawn").silent("Reserved by this revision")
	s.visitor().get(link).silent("/accept\"")
}

func TestQuoteList(t *testing.T) {
	s := newShop(t)
	at := s.priced(s.sales)
	other := s.draft(s.sales)
	edit(s.sales, other, "save", map[string]string{"title": "百万 token 服务"}).leads(other)
	s.send(s.sales, at)
	rows := func(query string) int { return s.sales.get("/quotes" + query).page().Find("tbody tr").Length() }
	for query, want := range map[string]int{
		"": 2, "?view=drafts": 1, "?view=sent": 1, "?view=expiring": 0, "?view=accepted": 0, "?q=meridian": 2,
		"?q=Q-2026-0001": 1, "?q=%E7%99%BE%E4%B8%87": 1, "?state=draft": 1, "?state=nonsense": 2, "?view=nonsense": 2,
		"?after=nonsense": 2, "?q=%25": 0, "?q=%00": 2,
	} {
		if got := rows(query); got != want {
			t.Errorf("%q: %d rows, want %d", query, got, want)
		}
	}
	s.pass(8 * 24 * time.Hour)
	s.sales = s.as("mei", auth.Sales) // the session of last week has ended
	if rows("?view=expiring") != 1 {
		t.Error("six days before the end the quote is not among those that expire soon")
	}
	s.pass(7 * 24 * time.Hour)
	s.sales = s.as("aiko", auth.Sales)
	s.sales.get("/quotes").says("Expired")
}

// A quote in Chinese: the page, the document and the customer's page speak it.
func TestQuoteInChinese(t *testing.T) {
	s := newShop(t)
	b := s.sales
	b.cookies[langCookie] = "zh-Hans"
	at := s.priced(b)
	b.get(at).says("价税合计").says(wantGrand)
	edit(b, at, "save", map[string]string{"lang": "zh-Hant", "title": "兩台伺服器"}).leads(at)
	link := s.send(b, at)
	customer := s.visitor()
	a := customer.get(link).status(http.StatusOK).says("含稅總計").says("兩台伺服器")
	if lang, _ := a.page().Find("html").Attr("lang"); lang != "zh-Hant" {
		t.Errorf("the customer's page is in %q", lang)
	}
	if words := quoteWords(t, customer.get(link+"/pdf")); !strings.Contains(words, "含稅總計") || !strings.Contains(words, wantGrand) {
		t.Errorf("PDF:\n%s", words)
	}
	customer.get(link + "?lang=en").status(http.StatusSeeOther)
	customer.get(link).says("Total incl. tax")
}

// Sales can neither type nor forge the export licence that unblocks their quote (R14); a lead records it, and it
// goes with a change of what it was for.
func TestExportLicence(t *testing.T) {
	s := newShop(t)
	at := s.priced(s.sales)
	edit(s.sales, at, "save", map[string]string{"end_user": "CN", "licence_ref": "FORGED"}).leads(at)
	a := s.sales.get(at).says("This destination needs an export licence.").says("a lead records the reference").silent("FORGED")
	if a.page().Find(`[name="licence_ref"]`).Length() != 0 {
		t.Error("sales is offered the field")
	}
	s.sales.post(at+"/send", url.Values{"key": {newKey()}, "version": s.sales.get(at).form(at)["version"]}).
		status(http.StatusConflict).says("Some points must be settled")

	lead := s.as("daniel", auth.Lead)
	edit(lead, at, "save", map[string]string{"licence_ref": strings.Repeat("x", 201)}).status(http.StatusUnprocessableEntity).
		says("must not be longer than 200")
	edit(lead, at, "save", map[string]string{"licence_ref": "BIS-D-1234"}).leads(at)
	s.sales.get(at).says("BIS-D-1234").says("daniel recorded the export licence").silent("needs an export licence")
	edit(s.sales, at, "save", map[string]string{"title": "Another title"}).leads(at)
	s.sales.get(at).silent("needs an export licence")
	edit(s.sales, at, "save", map[string]string{"lines[0].quantity": "3"}).leads(at)
	s.sales.get(at).says("needs an export licence").says("does not hold for the quote as ines changed it")
	edit(lead, at, "save", map[string]string{"licence_ref": "BIS-D-1235"}).leads(at)
	link := s.send(s.sales, at)
	s.visitor().get(link).silent("BIS-D")
	lead.get(at).says("BIS-D-1235")
}

// Revoking stops the links to older revisions too, and works while a revision is a draft: until it is sent the
// customer could accept the one before.
func TestRevokeStopsEveryLink(t *testing.T) {
	s := newShop(t)
	at := s.priced(s.sales)
	first := s.send(s.sales, at)
	s.sales.post(at+"/revise", s.sales.get(at).form(at+"/revise")).leads(at)
	second := s.send(s.sales, at)
	s.sales.post(at+"/link/revoke", s.sales.get(at).form(at+"/link/revoke")).leads(at)
	for _, link := range []string{first, second, first + "/pdf"} {
		s.visitor().get(link).status(http.StatusNotFound)
	}

	at = s.priced(s.sales)
	first = s.send(s.sales, at)
	s.sales.post(at+"/revise", s.sales.get(at).form(at+"/revise")).leads(at)
	page := s.sales.get(at).says("link works until")
	if page.page().Find(`form#quote form`).Length() != 0 || page.page().Find(`button[form="unlink"]`).Length() != 1 {
		t.Error("no button to revoke on the draft")
	}
	s.sales.post(at+"/link/revoke", page.form(at+"/link/revoke")).leads(at)
	s.visitor().get(first).status(http.StatusNotFound)
	s.sales.get(at).silent("link works until")
}

// A draft says that it is no offer in every state before it is sent, also as a later revision.
func TestPreviewIsMarkedUntilSent(t *testing.T) {
	s := newShop(t)
	at := s.priced(s.sales)
	s.send(s.sales, at)
	s.sales.post(at+"/revise", s.sales.get(at).form(at+"/revise")).leads(at)
	edit(s.sales, at, "submit", map[string]string{"lines[0].discount": "12"}).leads(at)
	if words := pdfText(t, s.sales.get(at+"/preview.pdf").status(http.StatusOK).Body.Bytes()); !strings.Contains(words, "not an offer") {
		t.Errorf("a draft that awaits approval is not marked:\n%s", words)
	}
	if words := pdfText(t, s.sales.get(at+"/pdf").status(http.StatusOK).Body.Bytes()); strings.Contains(words, "not an offer") {
		t.Error("what was sent is marked as a draft")
	}
	s.sales.get(at + "/pdf?revision=99999999999").status(http.StatusNotFound)
}

// Signs that no font has are announced wherever the document prints what somebody typed.
func TestUncoveredSignsAreAnnounced(t *testing.T) {
	s := newShop(t)
	at := s.priced(s.sales)
	for _, field := range []string{"title", "customer.contact", "reference", "note", "terms", "customer.email"} {
		edit(s.sales, at, "save", map[string]string{field: "a🚀b@example.com"}).leads(at)
		s.sales.get(at + "/send").says("🚀")
		edit(s.sales, at, "save", map[string]string{field: ""}).leads(at)
	}
	edit(s.sales, at, "save", map[string]string{"incoterm": "DAP", "place": "Port 🚀"}).leads(at)
	f := s.sales.get(at + "/send").says("🚀").form(at + "/send")
	s.sales.post(at+"/send", f).status(http.StatusUnprocessableEntity).says("🚀")
	f.Set("confirm", "yes")
	s.sales.post(at+"/send", f).leads(at)
}
