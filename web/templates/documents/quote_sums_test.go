package documents_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"rackwright/internal/company"
	"rackwright/internal/i18n"
	"rackwright/internal/money"
	"rackwright/internal/quote"
	"rackwright/internal/view"
	"rackwright/web/templates/documents"
)

// with gives a line a tax rate.
func with(l quote.Line, rate string) quote.Line {
	l.TaxRate, l.TaxName = percent(rate), "VAT"
	return l
}

// printed returns the text of a quote's document with its white space folded.
func printed(t *testing.T, name string, q quote.Quote) string {
	t.Helper()
	return strings.Join(strings.Fields(pdfText(t, renderQuote(t, name, q))), " ")
}

func wants(t *testing.T, got string, want ...string) {
	t.Helper()
	for _, w := range want {
		if !strings.Contains(got, w) {
			t.Errorf("%q is not printed: %s", w, got)
		}
	}
}

// PR011: the tax row names the rate that was used, whatever discount there is.
func TestPR011TaxRowSaysTheRate(t *testing.T) {
	q := quoteOf(t, i18n.English, with(item(quote.Item, "", "Part", "1", "12.49", ""), "19"))
	q.Revision.Content.Discount = quote.Discount{Amount: *dec("0.62")}
	recalculate(t, &q)
	got := printed(t, "pr011", q)
	wants(t, got, "11.87", "VAT 19%", "2.26", "14.13")
	if strings.Contains(got, "18%") {
		t.Error("another rate is printed")
	}
}

// PR013: the same figures as a draft, as sent, and as the next revision.
func TestPR013SameTotalsInEveryState(t *testing.T) {
	q := quoteOf(t, i18n.English)
	for range 7 {
		q.Revision.Content.Lines = append(q.Revision.Content.Lines, with(item(quote.Item, "", "Part", "1", "0.13", ""), "20"))
	}
	recalculate(t, &q)
	for _, state := range []quote.State{quote.Draft, quote.Sent, quote.Accepted} {
		q.Revision.State, q.Revision.SentAt = state, created
		if state == quote.Draft {
			q.Revision.SentAt = time.Time{}
		}
		q.Revision.Number++
		wants(t, printed(t, "pr013", q), "0.91", "0.18", "1.09")
	}
}

// PR014: the line amounts as printed add up to the total as printed.
func TestPR014PrintedLinesAddUp(t *testing.T) {
	var lines []quote.Line
	for _, x := range []string{"2 70.81", "1 786.23", "1 569.48", "1 343.76", "1 221.73", "1 168.67", "2 23.28", "2 24.79", "2.5 362.98", "1 3516.00"} {
		quantity, price, _ := strings.Cut(x, " ")
		lines = append(lines, with(item(quote.Item, "", "Part", quantity, dec(price).Mul(*dec("1.15")).String(), ""), "0"))
	}
	lines = append(lines, with(item(quote.Item, "", "Part", "6", "540", ""), "0"), with(item(quote.Item, "", "Part", "1", "480", ""), "0"))
	q := quoteOf(t, i18n.English, lines...)
	b := renderQuote(t, "pr014", q)
	figures := lastFigures(boxes(t, b))
	if len(figures) < len(lines)+1 {
		t.Fatalf("figures %v", figures)
	}
	sum := money.Decimal{}
	for _, f := range figures[:len(lines)] {
		sum = sum.Add(*dec(strings.ReplaceAll(f, ",", "")))
	}
	if sum.String() != "11483.73" || figures[len(figures)-1] != "11,483.73" {
		t.Errorf("lines come to %s, the total says %s", sum, figures[len(figures)-1])
	}
}

// PR150: choices are printed as the difference to what they replace, beside the total of the base.
func TestPR150DifferencesOnPaper(t *testing.T) {
	q := quoteOf(t, i18n.English, with(item(quote.Item, "", "Server", "1", "7000", ""), "0"), with(item(quote.Item, "", "Storage", "1", "3000", ""), "0"),
		with(item(quote.Alternative, "", "Better storage", "1", "4000", ""), "0"), with(item(quote.Alternative, "", "Best storage", "1", "5000", ""), "0"))
	wants(t, printed(t, "pr150", q), "+1,000.00", "+2,000.00", "10,000.00", "Alternative to 2: Better storage")
	for choice, want := range map[int64]string{3: "11,000.00", 4: "12,000.00"} {
		x := q
		x.Revision.Content.Lines = append([]quote.Line{}, q.Revision.Content.Lines...)
		for i := range x.Revision.Content.Lines {
			x.Revision.Content.Lines[i].ID = int64(i + 1)
		}
		x.Revision.State, x.Revision.Decision = quote.Accepted, quote.Decision{At: created, Name: "Tan"}
		if err := x.Revision.Take([]int64{choice}); err != nil {
			t.Fatal(err)
		}
		d := view.NewOrderDocument(quote.OrderConfirmation, x, seller, created)
		got := pdfText(t, render(t, "pr150-order", documents.Quote(d), i18n.English))
		if !strings.Contains(got, want) || strings.Contains(got, "+1,000.00") {
			t.Errorf("choice %d: want %s: %s", choice, want, got)
		}
	}
}

// PR151: a lump sum prints the sum of what counts; an option stands outside of it with its price.
func TestPR151LumpSumWithoutOptions(t *testing.T) {
	q := quoteOf(t, i18n.English, with(item(quote.Item, "", "One", "1", "100", ""), "0"), with(item(quote.Item, "", "Two", "1", "200", ""), "0"),
		with(item(quote.Option, "", "Three", "1", "50", ""), "0"))
	q.Revision.Content.Layout = quote.LumpSum
	got := printed(t, "pr151", q)
	wants(t, got, "300.00", "+50.00", "Option: Three")
	for _, no := range []string{" 100.00", " 200.00", "350.00"} {
		if strings.Contains(got, no) {
			t.Errorf("%s is printed", no)
		}
	}
}

// The amounts of the payment schedule come to the total, in every currency and for totals that do not divide.
func TestPaymentsAddUpOnPaper(t *testing.T) {
	for _, c := range []struct{ currency, price string }{{"USD", "100.01"}, {"JPY", "100"}, {"KWD", "0.001"}, {"USD", "-0.05"}} {
		q := quoteOf(t, i18n.English, with(item(quote.Item, "", "Part", "1", c.price, ""), "0"))
		q.Revision.Content.Currency = money.Currency(c.currency)
		q.Revision.Content.Payments = []quote.Instalment{{Label: "A", Due: quote.OnOrder}, {Label: "B", Due: quote.OnDelivery, Days: 10}, {Label: "C", Due: quote.OnInvoice}}
		recalculate(t, &q)
		d := view.NewQuoteDocument(q, seller)
		sum := money.Decimal{}
		for _, r := range d.Payments.Rows {
			sum = sum.Add(*dec(strings.ReplaceAll(r.Sum, "−", "-")))
		}
		if !sum.Equal(*q.Revision.Totals.Total) {
			t.Errorf("%s %s: payments come to %s", c.currency, c.price, sum)
		}
	}
}

// Papers of an order in every language: what is in them is printed, and a delivery note has no figure of money.
func TestOrderDocuments(t *testing.T) {
	for _, lang := range i18n.Langs {
		for _, paper := range quote.Papers {
			t.Run(string(lang)+" "+string(paper), func(t *testing.T) {
				q := orderSample(t, lang)
				d := view.NewOrderDocument(paper, q, seller, created)
				b := render(t, string(paper), documents.Quote(d), lang)
				skip := unprinted
				if paper == quote.DeliveryNote {
					skip = append(skip, ".Heads.UnitPrice", ".Heads.Discount", ".Heads.Amount")
				}
				findAll(t, b, d, skip...)
				if m := missingMessage.FindString(fmt.Sprint(d)); m != "" {
					t.Errorf("message %s is missing", m)
				}
				got := pdfText(t, b)
				if money := regexp.MustCompile(`\d\.\d\d\b`).FindString(strings.ReplaceAll(got, "7.68", "")); paper == quote.DeliveryNote && (money != "" && money != "0.26" || strings.Contains(got, "USD 1")) {
					t.Errorf("a delivery note prints %q", money)
				}
				if strings.Contains(got, "PSU-3000") || !strings.Contains(got, "STO-2") {
					t.Error("the document does not follow the customer's choice")
				}
			})
		}
	}
}

// orderSample is fullSample, accepted with the first alternative to the storage.
func orderSample(t *testing.T, lang i18n.Lang) quote.Quote {
	t.Helper()
	q := fullSample(t, lang, quote.Detailed)
	q.Revision.State = quote.Accepted
	q.Revision.Decision = quote.Decision{At: created, Name: "Tan Wei Ling", Role: "Buyer", Order: "PO-4711"}
	for _, l := range q.Revision.Content.Lines {
		if l.SKU == "STO-2" {
			if err := q.Revision.Take([]int64{l.ID}); err != nil {
				t.Fatal(err)
			}
		}
	}
	return q
}

var update = flag.Bool("update", false, "rewrite the golden files")

// The texts of the documents as a reader extracts them, a file for each document and language.
func TestGoldenTexts(t *testing.T) {
	for _, lang := range i18n.Langs {
		golden := map[string]view.QuoteDocument{
			"detailed":   view.NewQuoteDocument(fullSample(t, lang, quote.Detailed), seller),
			"lump_sum":   view.NewQuoteDocument(fullSample(t, lang, quote.LumpSum), seller),
			"order":      view.NewOrderDocument(quote.OrderConfirmation, orderSample(t, lang), seller, created),
			"pro_forma":  view.NewOrderDocument(quote.ProForma, orderSample(t, lang), seller, created),
			"delivery":   view.NewOrderDocument(quote.DeliveryNote, orderSample(t, lang), seller, created),
			"arabic":     view.NewQuoteDocument(arabicSample(t, lang), seller),
			"arabic_own": view.NewQuoteDocument(arabicSample(t, lang), arabicSeller()),
		}
		for name, d := range golden {
			t.Run(string(lang)+" "+name, func(t *testing.T) {
				got := rawText(t, render(t, "golden-"+name, documents.Quote(d), lang))
				file := filepath.Join("testdata", name+"."+string(lang)+".txt")
				if *update {
					if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if got != string(want) {
					t.Errorf("%s (run with -update after a review):\n%s", file, got)
				}
			})
		}
	}
}

// arabicSample is a quote to an Arabic customer with a Hebrew delivery address.
func arabicSample(t *testing.T, lang i18n.Lang) quote.Quote {
	t.Helper()
	q := quoteOf(t, lang, with(item(quote.Item, "SYS-821GE-TNHR", "خادم H100 بثماني وحدات مع ضمان 3 سنوات (شامل التركيب)", "2", "285000", ""), "0"),
		with(item(quote.Item, "", "שרת H100 עם 8 מעבדים ואחריות 3 שנים", "1", "1250.5", ""), "0"))
	c := &q.Revision.Content
	c.Title = "عرض سعر لخادمين H100"
	c.Customer.Name, c.Customer.Contact = "شركة الواحة للحوسبة المتقدمة", "ليلى الحسن"
	c.Customer.Address = "برج الأعمال، الطابق 12\nشارع الملك فهد، الرياض 12345"
	c.Delivery = quote.Delivery{Name: "מרכז נתונים צפון", Address: "רחוב הדוגמה 7\nחיפה 3100000"}
	return q
}

// arabicSeller is a seller whose name runs from the right, at the foot of every page too.
func arabicSeller() company.Profile {
	own := seller
	own.Name = "شركة المرفأ للأنظمة"
	return own
}

// Lines of different tax rates say theirs; where all have one, the totals do.
func TestLinesSayTheirTax(t *testing.T) {
	q := quoteOf(t, i18n.English, with(item(quote.Item, "", "One", "1", "100", ""), "10"), with(item(quote.Item, "", "Two", "1", "200", ""), "20"))
	if got := printed(t, "taxes", q); strings.Count(got, "VAT 10%") != 2 || strings.Count(got, "VAT 20%") != 2 {
		t.Errorf("the lines do not say their rates: %s", got)
	}
	q = quoteOf(t, i18n.English, with(item(quote.Item, "", "One", "1", "100", ""), "10"), with(item(quote.Item, "", "Two", "1", "200", ""), "10"))
	if got := printed(t, "taxes", q); strings.Count(got, "VAT 10%") != 1 {
		t.Errorf("one rate for all is repeated: %s", got)
	}
}
