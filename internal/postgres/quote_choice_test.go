package postgres_test

import (
	"encoding/json"
	"testing"

	"rackwright/internal/apperr"
	"rackwright/internal/money"
	"rackwright/internal/quote"
)

// Everything that can be typed into a draft is there again when it is read.
func TestDraftKeepsWhatWasTyped(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	c := s.content()
	half := money.MustPercent("50")
	rest := quote.Instalment{Label: "Rest", Due: quote.OnDelivery, Days: 30}
	c.Layout, c.TaxRule, c.TaxNote = quote.LumpSum, quote.ReverseCharge, "Reverse charge"
	c.Delivery = quote.Delivery{Name: "Hall 3", Address: "1 Example Road\nSingapore", Contact: "Lim, +65 5550 0100"}
	c.Payments = []quote.Instalment{{Label: "Deposit", Percent: &half, Due: quote.OnOrder}, rest}
	c.Lines = append(c.Lines,
		quote.Line{Kind: quote.Item, Description: "Support", Quantity: dec("2"), UnitPrice: ptr("10.50"), Off: dec("1.25"),
			Term: quote.Term{Periods: 36, Unit: quote.Monthly}, Promise: date("2027-01-31"), Config: "SN 0012345"},
		quote.Line{Kind: quote.Alternative, Description: "Better support", Quantity: dec("2"), UnitPrice: ptr("20"), Replaces: 2},
		quote.Line{Kind: quote.Item, Description: "Set", Quantity: dec("1"), UnitPrice: ptr("5"), Lump: true})
	q := s.create(t, c)
	got := q.Revision.Content
	if got.Layout != c.Layout || got.TaxRule != c.TaxRule || got.TaxNote != c.TaxNote || got.Delivery != c.Delivery {
		t.Errorf("%+v", got)
	}
	if a, b := encode(t, got.Payments), encode(t, c.Payments); a != b {
		t.Errorf("payments %s, want %s", a, b)
	}
	typed, kept := c.Lines[2:], got.Lines[len(got.Lines)-3:] // the server's bill of materials is between them
	for i, want := range typed {
		l := kept[i]
		if !l.Off.Equal(want.Off) || l.Term != want.Term || !l.Promise.Equal(want.Promise) || l.Config != want.Config ||
			l.Lump != want.Lump || l.Replaces != want.Replaces {
			t.Errorf("line %d: %+v", i, l)
		}
	}
	if rate := got.Lines[1].TaxRate; !rate.IsZero() {
		t.Errorf("reverse charge with a rate of %s", rate)
	}
	if amount := q.Revision.Totals.Lines[len(got.Lines)-3].Amount; amount == nil || amount.String() != "754.75" { // 2 x 36 x 10.50 - 1.25
		t.Errorf("support costs %v", amount)
	}
}

func encode(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// The choice belongs to the acceptance: totals, stock and evidence follow it, and the offer stays as it was sent.
func TestAcceptWithAChoice(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.receive(t, "SRV-8", 5)
	c := s.content()
	c.Lines = append(c.Lines,
		quote.Line{Kind: quote.Alternative, SKU: "SRV-8", Quantity: dec("4"), TaxRate: money.MustPercent("9")},
		quote.Line{Kind: quote.Option, Description: "Installation", Quantity: dec("1"), UnitPrice: ptr("1000"), TaxRate: money.MustPercent("9")})
	q, sent := s.send(t, c)
	offered := q.Revision.Totals.Total.String()
	var alternative, option int64
	for _, l := range q.Revision.Content.Lines {
		switch l.Kind {
		case quote.Alternative:
			alternative = l.ID
		case quote.Option:
			option = l.ID
		}
	}
	a := quote.Answer{Token: sent.Token, Key: "k", Name: "Tan", Address: "192.0.2.7", Agent: "Browser", Choices: []int64{99}}
	if _, err := s.AcceptQuote(t.Context(), a); !apperr.Is(err, apperr.Invalid) {
		t.Fatalf("a line that is not there: %v", err)
	}
	a.Choices, a.Key = []int64{option, alternative}, "k2"
	if short := must(s.AcceptQuote(t.Context(), a))(t); len(short) != 0 {
		t.Errorf("short: %v", short)
	}
	q = must(s.Quote(t.Context(), q.ID))(t)
	_, totals := q.Revision.Agreed()
	if totals.Total.String() != "1243690.00" || q.Revision.Totals.Total.String() != offered {
		t.Errorf("agreed %s, offered %s", totals.Total, q.Revision.Totals.Total)
	}
	d := q.Revision.Decision
	if d.Address != "192.0.2.7" || d.Agent != "Browser" || d.SHA256 != q.Revision.Frozen.PDFSHA256 || d.SHA256 == "" {
		t.Errorf("evidence: %+v", d)
	}
	if got := s.stock(t, "SRV-8"); got.Reserved != 4 {
		t.Errorf("reserved %d, want the alternative's 4", got.Reserved)
	}
	list := must(s.Quotes(t.Context(), quote.Filter{}))(t)
	if len(list.Rows) != 1 || list.Rows[0].Total.String() != "1243690.00" {
		t.Errorf("list: %+v", list.Rows)
	}
}
