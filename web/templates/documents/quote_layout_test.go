package documents_test

import (
	"encoding/csv"
	"fmt"
	"math"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"rackwright/internal/i18n"
	"rackwright/internal/money"
	"rackwright/internal/pdf"
	"rackwright/internal/quote"
	"rackwright/internal/view"
	"rackwright/web/templates/documents"
)

// rowsOf reads a file of test data; its README names the source.
func rowsOf(t *testing.T, name string) [][]string {
	t.Helper()
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return rows[1:]
}

// quoteOf is a sent quote of these lines.
func quoteOf(t *testing.T, lang i18n.Lang, lines ...quote.Line) quote.Quote {
	t.Helper()
	q := sample(t, lang, quote.Exclusive)
	q.Revision.Content.Lines, q.Revision.Content.Discount = lines, quote.Discount{}
	recalculate(t, &q)
	return q
}

// of300 is the quotation of 300 lines; times repeats it.
func of300(t *testing.T, times int) quote.Quote {
	t.Helper()
	rows := rowsOf(t, "../../../internal/quote/testdata/quote_300_lines.csv")
	var lines []quote.Line
	for n := range times {
		section := ""
		for _, r := range rows {
			if r[1] != section {
				section = r[1]
				lines = append(lines, quote.Line{Kind: quote.Section, Description: section})
			}
			l := item(quote.Item, fmt.Sprintf("%s-%d", r[2], n), r[3], r[4], r[5], r[6])
			l.TaxRate, l.TaxName = percent(r[7]), "VAT"
			lines = append(lines, l)
		}
	}
	return quoteOf(t, i18n.English, lines[:min(len(lines), 1000)]...)
}

// box is a word of a page with its place, in points from the top left.
type box struct {
	page           int
	x0, y0, x1, y1 float64
	text           string
}

var (
	pageOrWord = regexp.MustCompile(`<page |xMin="([0-9.-]+)" yMin="([0-9.-]+)" xMax="([0-9.-]+)" yMax="([0-9.-]+)">(.*)</word>`)
)

// boxes returns the words of a document.
func boxes(t *testing.T, b []byte) []box {
	t.Helper()
	file := filepath.Join(t.TempDir(), "doc.pdf")
	if err := os.WriteFile(file, b, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "pdftotext", "-bbox", "-enc", "UTF-8", file, "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	var words []box
	page := 0
	for _, m := range pageOrWord.FindAllStringSubmatch(string(out), -1) {
		if m[1] == "" {
			page++
			continue
		}
		w := box{page: page, text: m[5]}
		for i, to := range []*float64{&w.x0, &w.y0, &w.x1, &w.y1} {
			*to, _ = strconv.ParseFloat(m[i+1], 64)
		}
		words = append(words, w)
	}
	return words
}

// checkOverlap reports words that are printed over each other, and words outside the page.
func checkOverlap(t *testing.T, words []box) {
	t.Helper()
	for i, a := range words {
		if a.x0 < 40 || a.x1 > 596-40 || a.y0 < 30 || a.y1 > 842-20 {
			t.Errorf("page %d: %q stands in the margin at %.0f, %.0f", a.page, a.text, a.x1, a.y1)
		}
		for _, b := range words[i+1:] {
			if b.page != a.page {
				break
			}
			wide := math.Min(a.x1, b.x1) - math.Max(a.x0, b.x0)
			high := math.Min(a.y1, b.y1) - math.Max(a.y0, b.y0)
			if wide > 1 && high > math.Min(a.y1-a.y0, b.y1-b.y0)/2 { // the boxes of two lines of Arabic meet by some points
				t.Errorf("page %d: %q is printed over %q", a.page, a.text, b.text)
			}
		}
	}
}

func renderQuote(t *testing.T, name string, q quote.Quote) []byte {
	t.Helper()
	return render(t, name, documents.Quote(view.NewQuoteDocument(q, seller)), i18n.Lang(q.Revision.Content.Lang))
}

// lastFigures returns the figures at the right edge, page by page from top to bottom.
func lastFigures(words []box) []string {
	var out []string
	for _, w := range words {
		if w.x1 > 549 && strings.Contains(w.text, ".") {
			out = append(out, w.text)
		}
	}
	return out
}

// PR063: a header row on every page, every line once, the totals with their last line, page x of y, and the sums of the
// 300 lines read back from the document. 1,000 lines are the same.
func TestPR063ManyLines(t *testing.T) {
	for _, times := range []int{1, 4} {
		q := of300(t, times)
		start := time.Now()
		b := renderQuote(t, "lines-"+strconv.Itoa(len(q.Revision.Content.Lines)), q)
		t.Logf("%d lines: %v, %d bytes", len(q.Revision.Content.Lines), time.Since(start).Round(time.Millisecond), len(b))
		if len(b) > 1<<20 {
			t.Errorf("%d bytes", len(b))
		}
		got := pdfText(t, b)
		pages := strings.Split(strings.TrimSuffix(got, "\f"), "\f")
		items := 0
		for _, l := range q.Revision.Content.Lines {
			if l.Kind == quote.Item {
				items++
				if n := len(regexp.MustCompile(`(?m)^`+l.SKU+`$`).FindAllString(got, -1)); n != 1 {
					t.Errorf("%s is printed %d times", l.SKU, n)
				}
			}
		}
		last := q.Revision.Content.Lines[len(q.Revision.Content.Lines)-1].SKU
		for i, p := range pages {
			if want := fmt.Sprintf("Page %d of %d", i+1, len(pages)); !strings.Contains(p, want) {
				t.Errorf("page %d lacks %q", i+1, want)
			}
			lines, head := strings.Contains(p, "TL-"), strings.Count(p, "Unit price, USD")
			if lines && head != 1 || !lines && head != 0 {
				t.Errorf("page %d has %d header rows", i+1, head)
			}
			if strings.Contains(p, "Total excl. tax") && !strings.Contains(p, last) {
				t.Errorf("page %d: the totals stand without their last line", i+1)
			}
		}
		words := boxes(t, b)
		checkOverlap(t, words)
		if times > 1 {
			continue
		}
		for _, want := range []string{"688,486.51", "22,738.87", "46,016.57", "757,241.95"} {
			if !strings.Contains(got, want) {
				t.Errorf("%s is not printed", want)
			}
		}
		// At the right edge stand the lines, the sums of the sections, and the totals: subtotal, net, taxes, total.
		sum := money.Decimal{}
		for _, f := range lastFigures(words) {
			sum = sum.Add(*dec(strings.ReplaceAll(f, ",", "")))
		}
		want := dec("688486.51").Mul(*dec("4")).Add(*dec("68755.44")).Add(*dec("757241.95"))
		if !sum.Equal(want) {
			t.Errorf("the printed figures come to %s, want %s", sum, want)
		}
	}
}

// hardText is inputs of public-reports as lines of a quote.
func hardText(t *testing.T) []quote.Line {
	t.Helper()
	var lines []quote.Line
	for _, r := range rowsOf(t, "../../../internal/pdf/testdata/hard_text.csv") {
		lines = append(lines, item(quote.Item, "HARD-"+r[0], r[1], r[2], r[3], ""))
	}
	return lines
}

// PR059, PR060, PR061, PR062, PR066, PR069 and PR071 in one: the hard text is printed whole, in every language and layout.
func TestHardTextInAQuote(t *testing.T) {
	for _, lang := range i18n.Langs {
		for _, layout := range []quote.Layout{quote.Detailed, quote.LumpSum} {
			t.Run(string(lang)+" "+string(layout), func(t *testing.T) {
				q := quoteOf(t, lang, hardText(t)...)
				q.Revision.Content.Layout = layout
				b := renderQuote(t, "hard-"+string(layout), q)
				got := squeeze(pdfText(t, b))
				for _, l := range q.Revision.Content.Lines {
					checkPrinted(t, got, l.Description)
				}
				checkOverlap(t, boxes(t, b))
			})
		}
	}
}

// checkPrinted looks for a text in what was extracted: by line, or by word where it runs from the right. A character that no
// font has is a box.
func checkPrinted(t *testing.T, got, text string) {
	t.Helper()
	missing := string(pdf.Uncovered(text))
	parts := strings.Split(text, "\n")
	if strings.ContainsAny(text, "خשم") {
		parts = strings.Fields(text)
	}
	for _, part := range parts {
		want := strings.Map(func(r rune) rune {
			if strings.ContainsRune(missing, r) {
				return '□'
			}
			return r
		}, squeeze(part))
		if !strings.Contains(got, want) {
			t.Errorf("%q is not printed", part)
		}
	}
}

func TestPR060MissingCharactersAreNamed(t *testing.T) {
	rows := hardText(t)
	for i, want := range map[int]string{3: "𠮷", 4: "", 5: "", 6: "", 9: "🚀"} {
		if got := string(pdf.Uncovered(view.NewQuoteDocument(quoteOf(t, i18n.English, rows[i]), seller).Typed())); got != want {
			t.Errorf("line %d: %q is named as missing, want %q", i+1, got, want)
		}
	}
}

// fill is n short lines, to move what follows down the page.
func fill(n int) []quote.Line {
	var lines []quote.Line
	for i := range n {
		lines = append(lines, item(quote.Item, "", fmt.Sprintf("Filler %d", i+1), "1", "1", ""))
	}
	return lines
}

// PR062: 45 lines of text that start near the end of a page go on below the repeated header; nothing is printed over.
// PR064: a name of 120 characters at the end of a page is one line. PR065: no header and no section stands alone.
func TestPR062PR064PR065EndOfAPage(t *testing.T) {
	long := hardText(t)[1]
	name := strings.TrimSpace(strings.Repeat("Rack of servers ", 7)) + " LASTWORD" // 120 characters
	for n := 10; n < 24; n++ {
		lines := append(fill(n), item(quote.Item, "NAME-120", name, "7", "1234.56", ""),
			quote.Line{Kind: quote.Section, Description: "Headword"}, long, item(quote.Item, "AFTER", "After", "1", "2", ""))
		q := quoteOf(t, i18n.English, lines...)
		b := renderQuote(t, "end-"+strconv.Itoa(n), q)
		got := pdfText(t, b)
		for i := 1; i <= 45; i++ {
			if c := strings.Count(got, fmt.Sprintf("spec row %02d:", i)); c != 1 {
				t.Errorf("%d lines before: row %d is printed %d times", n, i, c)
			}
		}
		for word, want := range map[string]int{"NAME-120": 1, "LASTWORD": 1, "8,641.92": 1, "1,234.56": 1} {
			if c := strings.Count(got, word); c != want {
				t.Errorf("%d lines before: %s is printed %d times", n, word, c)
			}
		}
		for i, p := range strings.Split(got, "\f") {
			if strings.Contains(p, "Headword") && !strings.Contains(p, "spec row 01") {
				t.Errorf("%d lines before: the section stands alone at the end of page %d", n, i+1)
			}
			if strings.Contains(p, "Unit price, USD") && !strings.Contains(p, "spec row") && !strings.Contains(p, "Filler") && !strings.Contains(p, "AFTER") {
				t.Errorf("%d lines before: a header row stands alone on page %d", n, i+1)
			}
			if strings.Contains(p, "spec row") && !strings.Contains(p, "Unit price, USD") {
				t.Errorf("%d lines before: page %d has no header row", n, i+1)
			}
		}
		checkOverlap(t, boxes(t, b))
	}
}

// PR066: a word of 184 characters is broken inside its column, and the price beside it can be read.
func TestPR066LongWord(t *testing.T) {
	q := quoteOf(t, i18n.English, hardText(t)[0])
	words := boxes(t, renderQuote(t, "long-word", q))
	letters, price := 0, 0.0
	for _, w := range words {
		if w.text == "100.00" && price == 0 {
			price = w.x0
		}
	}
	for _, w := range words {
		if strings.HasPrefix(w.text, "GPU-X") || strings.Trim(w.text, "X") == "" {
			letters += strings.Count(w.text, "X")
			if w.x1 > price {
				t.Errorf("%q reaches the price", w.text)
			}
		}
	}
	if letters != 180 || price == 0 {
		t.Errorf("%d letters of 180, price at %.0f", letters, price)
	}
}

// PR067: a company name of 140 characters and an address of 8 lines stay in their block.
func TestPR067LongNames(t *testing.T) {
	q := quoteOf(t, i18n.English, fill(1)...)
	c := &q.Revision.Content.Customer
	c.Name = strings.Repeat("Consolidated Robotics ", 6) + "Pte Ltd."
	c.Address = strings.TrimSpace(strings.Repeat("Building 21, Sample Road number 118200, second floor, eastern wing\n", 8))
	d := view.NewQuoteDocument(q, seller)
	b := renderQuote(t, "long-names", q)
	findAll(t, b, d, unprinted...)
	words := boxes(t, b)
	checkOverlap(t, words)
	for _, w := range words {
		if (strings.HasPrefix(w.text, "Consolidated") || w.text == "eastern") && w.page == 1 && w.y0 < 300 && w.x1 > 300 {
			t.Errorf("%q stands at %.0f, beside its block", w.text, w.x1)
		}
	}
}

// PR071: markup that somebody typed is printed as text, and nothing is fetched while a document is made.
func TestPR071MarkupIsText(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	asked := make(chan string, 100)
	go func() {
		_ = http.Serve(listener, http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { asked <- r.URL.String() })) // ends with the listener
	}()
	defer listener.Close()
	base := "http://" + listener.Addr().String()
	typed := []string{
		`<b>bold</b> & <img src="` + base + `/img.png">`, `<link rel="stylesheet" href="` + base + `/a.css">`, `<iframe src="file:///etc/passwd"></iframe>`,
		`<style>@import url("` + base + `/b.css"); body { background: url(` + base + `/c.png) }</style>`, `<svg><image href="` + base + `/d.png"/></svg>`,
		hardText(t)[10].Description,
	}
	var lines []quote.Line
	for _, s := range typed {
		l := item(quote.Item, "<i>SKU</i>", s, "1", "10", "")
		l.Config = s
		lines = append(lines, l)
	}
	q := quoteOf(t, i18n.English, lines...)
	c := &q.Revision.Content
	c.Title, c.Note, c.Terms, c.Customer.Name, c.Customer.Address = typed[0], typed[3], typed[2], typed[0], typed[1]
	own := seller
	own.Name, own.Bank = typed[0], typed[4]
	d := view.NewQuoteDocument(q, own)
	b := render(t, "markup", documents.Quote(d), i18n.English)
	findAll(t, b, d, append(unprinted, ".Foot.Left")...)
	if strings.Contains(pdfText(t, b), "root:") {
		t.Error("the document holds a file of this machine")
	}
	select {
	case url := <-asked:
		t.Errorf("%s was fetched", url)
	case <-time.After(50 * time.Millisecond):
	}
}
