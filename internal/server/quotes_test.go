package server

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"rackwright/internal/money"
	"rackwright/internal/quote"
)

// wantGrand is the total of the priced draft: 2 x 330,000 less 3 %, less 1 %, plus 9 %.
const wantGrand = "690,839.82"

// One deal from the empty draft to the acceptance: the total is the same string in the live
// preview, in the editor, in the database, on the customer's page and in the PDF.
func TestQuoteFromDraftToAcceptance(t *testing.T) {
	s := newShop(t)
	b := s.sales
	at := s.draft(b)
	edit(b, at, "add", map[string]string{"add": strings.ToLower(dgx)}).leads(at + "#f-add")
	page := b.get(at).status(http.StatusOK).says("330,000.00, list “Test list” of 2026-11-02")
	if kids := page.page().Find(".kids li").Length(); kids != 3 {
		t.Errorf("the bundle shows %d parts, want 3", kids)
	}

	f := changed(page.form(at), "", map[string]string{
		"lines[0].quantity": "2", "lines[0].discount": "3", "discount": "1", "discount_kind": "percent",
	})
	b.header = http.Header{"Hx-Request": {"true"}}
	live := b.post(at+"/preview", f).status(http.StatusOK)
	b.post(at+"/preview", changed(page.form(at), "", map[string]string{"lines[0].discount": "120"})).
		status(http.StatusOK).says("Discount %, line 1: This must not be more than 100.")
	b.header = nil
	if got := grand(live); got != wantGrand {
		t.Errorf("live total %q, want %q", got, wantGrand)
	}
	if got := text(live, "#net-0"); got != "640,200.00" {
		t.Errorf("live amount %q", got)
	}
	if got := grand(b.get(at)); got != "359,700.00" {
		t.Errorf("the preview changed the draft: total is %q", got)
	}
	b.post(at, changed(f, "save", nil)).leads(at)
	if got := grand(b.get(at)); got != wantGrand {
		t.Errorf("saved total %q, want %q", got, wantGrand)
	}

	q, err := s.db.Quote(t.Context(), quoteID(t, at))
	if err != nil || q.Revision.Totals.Total.String() != strings.ReplaceAll(wantGrand, ",", "") {
		t.Errorf("stored total %v, %v", q.Revision.Totals.Total, err)
	}
	if text(b.get(at+"/send"), "#totals dd.grand") != wantGrand {
		t.Error("the page before sending has another total")
	}
	link := s.send(b, at)
	if again := b.get(at).page().Find("[data-select-all]").Length(); again != 0 {
		t.Error("the link is shown a second time")
	}
	customer := s.visitor()
	public := customer.get(link).status(http.StatusOK).says("US$" + wantGrand).says("Q-2026-0001")
	if got := grand(public); got != wantGrand {
		t.Errorf("public total %q, want %q", got, wantGrand)
	}
	if words := quoteWords(t, customer.get(link+"/pdf")); !strings.Contains(words, wantGrand) || !strings.Contains(words, "Q-2026-0001") {
		t.Errorf("the PDF lacks number or total:\n%s", words)
	}
	if b.get(at+"/pdf").Body.String() != customer.get(link+"/pdf").Body.String() {
		t.Error("staff and customer get different documents")
	}

	f = public.form(link + "/accept")
	f.Set("name", "Tan Wei Ling")
	f.Set("role", "Head of infrastructure")
	f.Set("agree", "yes")
	customer.post(link+"/accept", f).leads(link)
	customer.get(link).says("Accepted by Tan Wei Ling on").silent("/accept\"")
	b.get(at).says("Accepted by Tan Wei Ling").says("Head of infrastructure").
		says("Reserved by this revision").says("2026-12-30, end of day").says("1 short")
	if got := text(b.get("/quotes?view=accepted"), "tbody"); !strings.Contains(got, "Q-2026-0001") || !strings.Contains(got, "USD "+wantGrand) {
		t.Errorf("the list says %q", got)
	}
}

func quoteID(t *testing.T, at string) int64 {
	t.Helper()
	var id int64
	for _, c := range strings.TrimPrefix(at, "/quotes/") {
		id = id*10 + int64(c-'0')
	}
	return id
}

// quoteWords returns the words of a PDF that an answer carries.
func quoteWords(t *testing.T, a *answer) string {
	t.Helper()
	a.status(http.StatusOK)
	if got := a.Header().Get("Cache-Control"); got != "private, no-store" {
		t.Errorf("Cache-Control of the PDF is %q", got)
	}
	return pdfText(t, a.Body.Bytes())
}

// Everything works without a script: the button "Recalculate" shows the whole page with the
// new figures and what was typed, and saves nothing.
func TestRecalculateWithoutScript(t *testing.T) {
	s := newShop(t)
	at := s.priced(s.sales)
	f := changed(s.sales.get(at).form(at), "", map[string]string{"lines[0].quantity": "4", "title": "Four servers"})
	a := s.sales.post(at+"/preview", f).status(http.StatusOK).says("calculated but not saved")
	if got := grand(a); got != "1,381,679.64" {
		t.Errorf("recalculated total %q", got)
	}
	if v, _ := a.page().Find("#f-title").Attr("value"); v != "Four servers" {
		t.Errorf("title %q", v)
	}
	if got := grand(s.sales.get(at)); got != wantGrand {
		t.Errorf("stored total changed to %q", got)
	}
	s.sales.post(at, changed(a.form(at), "save", nil)).leads(at)
	if got := grand(s.sales.get(at)); got != "1,381,679.64" {
		t.Errorf("saved total %q", got)
	}
}

// The second of two tabs hears that the quote was changed, keeps what was typed, and can save
// it over the other version.
func TestTwoTabsOnOneQuote(t *testing.T) {
	s := newShop(t)
	at := s.priced(s.sales)
	first, second := s.sales.get(at).form(at), s.sales.get(at).form(at)
	s.sales.post(at, changed(first, "save", map[string]string{"title": "Saved first"})).leads(at)
	a := s.sales.post(at, changed(second, "save", map[string]string{
		"title": "Typed second", "lines[0].quantity": "5", "note": "kept",
	})).status(http.StatusConflict).says("This quote was changed meanwhile")
	for id, want := range map[string]string{`#f-title`: "Typed second", `[name="lines[0].quantity"]`: "5"} {
		if v, _ := a.page().Find(id).Attr("value"); v != want {
			t.Errorf("%s is %q, want %q", id, v, want)
		}
	}
	if got := a.page().Find("#f-note").Text(); got != "kept" {
		t.Errorf("note %q", got)
	}
	if href, _ := a.page().Find(".notice-warn a").Attr("href"); href != at {
		t.Errorf("the notice leads to %q", href)
	}
	if title, _ := s.sales.get(at).page().Find("#f-title").Attr("value"); title != "Saved first" {
		t.Errorf("stored title %q", title)
	}
	s.sales.post(at, changed(a.form(at), "save", nil)).leads(at)
	if title, _ := s.sales.get(at).page().Find("#f-title").Attr("value"); title != "Typed second" {
		t.Errorf("saved again, the title is %q", title)
	}
}

// What cannot be accepted answers 422, says so at the field and in the summary, and loses nothing.
func TestBadInputInTheEditor(t *testing.T) {
	s := newShop(t)
	at := s.priced(s.sales)
	tests := []struct {
		name, field, value, fault string
	}{
		{"discount over 100", "lines[0].discount", "120", "must not be more than 100"},
		{"discount on the whole over 100", "discount", "100.01", "must not be more than 100"},
		{"negative discount", "lines[0].discount", "-5", "must not be negative"},
		{"empty quantity", "lines[0].quantity", "", "fill this in"},
		{"zero quantity", "lines[0].quantity", "0", "greater than 0"},
		{"negative quantity", "lines[0].quantity", "-2", "must not be negative"},
		{"words for a quantity", "lines[0].quantity", "two", "must be a number"},
		{"huge quantity", "lines[0].quantity", "999999999999999999999", "must not be more than"},
		{"exponent", "lines[0].unit_price", "1e9", "must be a number"},
		{"negative price", "lines[0].unit_price", "-1", "must not be negative"},
		{"too many decimals", "lines[0].unit_price", "0.1234567", "At most 6 decimal places"},
		{"tax over 100", "lines[0].tax_rate", "900", "must not be more than 100"},
		{"day that does not exist", "valid_until", "2026-02-30", "valid date"},
		{"validity before the day of the quote", "valid_until", "2026-01-30", "must not be before"},
		{"currency that does not exist", "currency", "XXX", "one of the listed values"},
		{"unknown tax mode", "tax_mode", "both", "one of the listed values"},
		{"unknown language", "lang", "tlh", "one of the listed values"},
		{"country that is none", "ship_to", "Singapore", "one of the listed values"},
		{"title that is too long", "title", strings.Repeat("x", 201), "must not be longer than 200"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			a := edit(s.sales, at, "save", map[string]string{tt.field: tt.value, "internal_note": "do not lose me"}).
				status(http.StatusUnprocessableEntity)
			at := a.page().Find(`[id="f-` + tt.field + `-error"]`)
			if !strings.Contains(at.Text(), tt.fault) {
				t.Errorf("at the field: %q, want %q", at.Text(), tt.fault)
			}
			if sum := a.page().Find(`#errors a[href="#f-` + tt.field + `"]`); !strings.Contains(sum.Text(), tt.fault) {
				t.Errorf("in the summary: %q", a.page().Find("#errors").Text())
			}
			c := a.page().Find(`[id="f-` + tt.field + `"]`)
			if v, _ := c.Attr("value"); v != tt.value && c.Find("option").Length() == 0 {
				t.Errorf("the field holds %q, want %q", v, tt.value)
			}
			if got := a.page().Find("#f-internal_note").Text(); got != "do not lose me" {
				t.Errorf("the note holds %q", got)
			}
		})
	}
	if got := grand(s.sales.get(at)); got != wantGrand {
		t.Errorf("the draft changed: total %q", got)
	}
}

// A line whose amount is beyond any quote says so at the price, which fits by itself.
func TestHugeAmount(t *testing.T) {
	s := newShop(t)
	at := s.priced(s.sales)
	a := edit(s.sales, at, "save", map[string]string{"lines[0].quantity": "999999999999"}).status(http.StatusUnprocessableEntity)
	if got := text(a, `[id="f-lines[0].unit_price-error"]`); !strings.Contains(got, "must not be more than 999999999999999") {
		t.Errorf("at the price: %q", got)
	}
}

func TestUnknownSKU(t *testing.T) {
	s := newShop(t)
	at := s.draft(s.sales)
	a := edit(s.sales, at, "add", map[string]string{"add": "H100-XXL"}).status(http.StatusUnprocessableEntity).
		says("“H100-XXL” was not found.")
	if v, _ := a.page().Find("#f-add").Attr("value"); v != "H100-XXL" {
		t.Errorf("what was typed is lost: %q", v)
	}
	if s.sales.get(at).page().Find("tr[id^=line-]").Length() != 0 {
		t.Error("a line was added")
	}
	edit(s.sales, at, "add", map[string]string{"add": " "}).status(http.StatusUnprocessableEntity).says("Type what to add first.")
	edit(s.sales, at, "add", map[string]string{"add": "Transceivers and fibre, lump sum"}).leads(at + "#f-add")
	s.sales.get(at).says("free line, no SKU, no list price").says("1 line has no price")
}

// Lines keep their figures when others are added, moved and removed.
func TestLinesMoveAndGo(t *testing.T) {
	s := newShop(t)
	at := s.priced(s.sales)
	edit(s.sales, at, "add", map[string]string{"add": "Network", "add_kind": "section"}).leads(at + "#f-add")
	edit(s.sales, at, "add", map[string]string{"add": switchSKU}).leads(at + "#f-add")
	edit(s.sales, at, "add", map[string]string{"add": switchSKU, "add_kind": "option"}).leads(at + "#f-add")
	names := func() string {
		var s2 []string
		page := s.sales.get(at).page()
		for _, n := range page.Find("tr .sub .code, tr.sec input.input").EachIter() {
			v, ok := n.Attr("value")
			if !ok {
				v = n.Text()
			}
			s2 = append(s2, v)
		}
		return strings.Join(s2, " ")
	}
	if got := names(); got != "DGX-H100 Network QM9700 QM9700" {
		t.Fatalf("lines %q", got)
	}
	a := s.sales.get(at)
	if got := text(a, ".money .small"); !strings.Contains(got, "Option 2a") || !strings.Contains(got, "+36,000.00") {
		t.Errorf("extras %q", got)
	}
	// The bundle moves with its parts: the section is its second neighbour in the form.
	edit(s.sales, at, "down:0", nil).leads(at)
	if got := names(); got != "Network DGX-H100 QM9700 QM9700" {
		t.Errorf("after moving down: %q", got)
	}
	if kids := s.sales.get(at).page().Find(".kids li").Length(); kids != 3 {
		t.Errorf("the bundle lost its parts: %d", kids)
	}
	edit(s.sales, at, "up:1", nil).leads(at)
	f := s.sales.get(at).form(at)
	last := ""
	for name := range f {
		if m := lineName.FindStringSubmatch(name); m != nil && m[1] > last {
			last = m[1]
		}
	}
	edit(s.sales, at, "remove:"+last, nil).leads(at)
	if got := names(); got != "DGX-H100 Network QM9700" {
		t.Errorf("after removing: %q", got)
	}
	for _, bad := range []string{"remove:999", "up:-1", "down:x", "nonsense"} {
		edit(s.sales, at, bad, nil).leads(at)
	}
	if got := names(); got != "DGX-H100 Network QM9700" {
		t.Errorf("after nonsense: %q", got)
	}
}

// A price set by hand is remembered with who set it and why; an empty price is the list's.
func TestPriceByHand(t *testing.T) {
	s := newShop(t)
	at := s.priced(s.sales)
	edit(s.sales, at, "save", map[string]string{"lines[0].unit_price": "３２５,０００", "lines[0].reason": "supplier offer 4471"}).leads(at)
	a := s.sales.get(at).says("set by ines, 2026-11-30: supplier offer 4471")
	if got := text(a, ".origin s"); got != "330,000.00" {
		t.Errorf("struck price %q", got)
	}
	edit(s.sales, at, "save", map[string]string{"lines[0].unit_price": "", "lines[0].reason": ""}).leads(at)
	if got := grand(s.sales.get(at).silent("supplier offer")); got != wantGrand {
		t.Errorf("total at list price %q", got)
	}
}

// Prices are read again only when somebody asks for it: a later day alone changes none (R10).
func TestReprice(t *testing.T) {
	s := newShop(t)
	at := s.priced(s.sales)
	lists, err := s.db.PriceLists(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	from := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	item := quote.PriceItem{ListID: lists[0].ID, SKU: dgx, Price: money.MustDecimal("320000"), From: from, MinQty: money.FromInt(2)}
	if _, err := s.db.SavePriceItem(t.Context(), s.boss, item); err != nil {
		t.Fatal(err)
	}
	edit(s.sales, at, "save", map[string]string{"valid_until": "2026-12-20"}).leads(at)
	if got := grand(s.sales.get(at)); got != wantGrand {
		t.Errorf("a saved draft was priced again: %q", got)
	}
	edit(s.sales, at, "reprice", nil).leads(at)
	s.sales.get(at).says("320,000.00, list “Test list” of 2026-11-20")
}

// A quote may have 2,000 lines; one more is refused in words, and what was typed is still there.
func TestLongestQuote(t *testing.T) {
	s := newShop(t)
	at := s.draft(s.sales)
	f := s.sales.get(at).form(at)
	for i := range quote.MaxLines {
		for field, value := range map[string]string{"id": "", "sku": "", "kind": "item", "description": "Cable " + itoa(int64(i)),
			"quantity": "3", "unit_price": "12.34", "discount": "2.5", "tax_rate": "9", "reason": ""} {
			f.Set(quote.LineField(i, field), value)
		}
	}
	s.sales.post(at, changed(f, "save", nil)).leads(at)
	page := s.sales.get(at)
	if got := grand(page); got != "78,676.20" {
		t.Errorf("total %q", got)
	}
	f = page.form(at)
	f.Set("add", "One cable more")
	a := s.sales.post(at, changed(f, "add", nil)).status(http.StatusUnprocessableEntity).says("2000")
	if v, _ := a.page().Find("#f-add").Attr("value"); v != "One cable more" {
		t.Errorf("what was typed is lost: %q", v)
	}
	if !strings.Contains(a.page().Find("#errors").Text(), "lines") {
		t.Errorf("the summary says %q", a.page().Find("#errors").Text())
	}
}

// Below the lowest quantity break there is no price, and the line says from which quantity on there is one.
func TestBelowTheLowestBreak(t *testing.T) {
	s := newShop(t)
	list, err := s.db.PriceLists(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	_, err = s.db.SavePriceItem(t.Context(), s.boss, quote.PriceItem{ListID: list[0].ID, SKU: "H100-SXM5-80GB",
		MinQty: money.FromInt(10), Price: money.FromInt(95), From: time.Date(2026, 11, 2, 0, 0, 0, 0, time.UTC)})
	if err != nil {
		t.Fatal(err)
	}
	at := s.draft(s.sales)
	edit(s.sales, at, "add", map[string]string{"add": "H100-SXM5-80GB"}).leads(at + "#f-add")
	s.sales.get(at).says("list price from a quantity of 10").silent(">0.00<")
	edit(s.sales, at, "save", map[string]string{"lines[0].quantity": "10"}).leads(at)
	s.sales.get(at).says("95.00, list “Test list”")
}

// PR054: who saves a draft that a colleague sent meanwhile hears so, and reads what they typed; what was sent stays.
func TestSentMeanwhile(t *testing.T) {
	s := newShop(t)
	at := s.priced(s.sales)
	f := s.sales.get(at).form(at)
	s.send(s.sales, at)
	for name, value := range map[string]string{"note": "Please call\nbefore delivery", "lines[0].quantity": "7", "currency": "EUR", "add": "One rail kit"} {
		f.Set(name, value)
	}
	a := s.sales.post(at, changed(f, "save", nil)).status(http.StatusConflict).says("the quote is now “Sent”").
		says("before delivery").says("One rail kit").says("Make a revision")
	if got := text(a, ".notice .facts"); !strings.Contains(got, "Quantity, line 17") || !strings.Contains(got, "CurrencyEUR") {
		t.Errorf("what was typed: %q", got)
	}
	if got := grand(a); got != wantGrand {
		t.Errorf("the page shows a total of %q", got)
	}
	b := s.sales.post(at+"/preview", f).status(http.StatusConflict).says("One rail kit")
	if got := grand(b); got != wantGrand {
		t.Errorf("the preview of a sent quote shows a total of %q", got)
	}
	s.sales.header = http.Header{"Hx-Request": {"true"}}
	s.sales.post(at+"/preview", f).says("the quote is now “Sent”")
	s.sales.header = nil

	// What the database alone refuses is said too, though it names no field.
	at = s.priced(s.sales)
	a = edit(s.sales, at, "save", map[string]string{"lines[0].sku": "a\x00b", "lines[0].id": ""}).status(http.StatusUnprocessableEntity)
	if got := text(a, "#errors li"); got == "" {
		t.Error("a refusal without a reason")
	}
}
