package pdf

import (
	"bytes"
	"cmp"
	"context"
	"encoding/base64"
	"encoding/csv"
	"fmt"
	"html"
	"image"
	"image/png"
	"io"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// page is a document for tests, written as HTML.
type page string

func (p page) Render(_ context.Context, w io.Writer) error {
	_, err := io.WriteString(w, string(p))
	return err
}

var created = time.Date(2026, 12, 1, 9, 30, 0, 0, time.UTC)

func render(t *testing.T, src string) []byte {
	t.Helper()
	b, err := Render(t.Context(), page(src), Options{Created: created})
	if err != nil {
		t.Fatalf("Render: %v", err)
	}
	return b
}

// tool runs a program of poppler on a PDF and returns what it prints.
func tool(t *testing.T, pdf []byte, name string, args ...string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "doc.pdf")
	if err := os.WriteFile(file, pdf, 0o600); err != nil {
		t.Fatal(err)
	}
	for i := range args {
		args[i] = strings.ReplaceAll(args[i], "FILE", file)
	}
	var out, errs bytes.Buffer
	cmd := exec.Command(name, args...)
	cmd.Stdout, cmd.Stderr = &out, &errs
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s: %v: %s", name, err, errs.String())
	}
	if errs.Len() > 0 {
		t.Errorf("%s complains: %s", name, errs.String())
	}
	return out.String()
}

func text(t *testing.T, pdf []byte) string {
	t.Helper()
	return tool(t, pdf, "pdftotext", "-enc", "UTF-8", "FILE", "-")
}

// squeeze drops what line breaking may change: white space, and characters that leave no ink.
func squeeze(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsSpace(r) || unseen(r) {
			return -1
		}
		return r
	}, norm.NFKC.String(s))
}

func hardLines(t *testing.T) [][]string {
	t.Helper()
	f, err := os.Open("testdata/hard_text.csv")
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

func linesPage(lang string, rows [][]string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `<!DOCTYPE html><html lang=%q><head><title>Test</title></head><body><h1>Lines</h1>
<table class="lines"><colgroup><col class="q-no"><col class="q-text"><col class="q-qty"><col class="q-price"><col class="q-off"><col class="q-amount"></colgroup>
<thead><tr><td class="no">#</td><td>Headword</td><td class="num">Quantity</td><td class="num">Price</td><td></td><td class="num">Amount</td></tr></thead><tbody>`, lang)
	for i, r := range rows {
		keep := ""
		if i == len(rows)-1 {
			keep = ` class="keep-next"`
		}
		fmt.Fprintf(&b, `<tr%s><td class="no">%s</td><td><div class="text name">%s</div></td><td class="num">%s</td><td class="num">%s</td><td></td><td class="num">%s</td></tr>`,
			keep, r[0], html.EscapeString(r[1]), r[2], r[3], r[3])
	}
	b.WriteString(`<tr class="sums"><td colspan="2"></td><td colspan="4"><p>Closing total 757,241.95</p></td></tr></tbody></table>`)
	b.WriteString(`<footer><span>Seller 卖方</span><span>Q-1</span><span>Page {page} of {pages}</span></footer></body></html>`)
	return b.String()
}

func TestHardTextIsPrintedWhole(t *testing.T) {
	for _, lang := range []string{"en", "zh-Hans", "zh-Hant"} {
		t.Run(lang, func(t *testing.T) {
			rows := hardLines(t)
			got := squeeze(text(t, render(t, linesPage(lang, rows))))
			for _, r := range rows {
				missing := map[rune]bool{}
				for _, c := range Uncovered(r[1]) {
					missing[c] = true
				}
				for _, line := range extracted(r[1]) {
					want := strings.Map(func(c rune) rune {
						if missing[c] {
							return box
						}
						return c
					}, squeeze(line))
					if !strings.Contains(got, want) {
						t.Errorf("line %s: %q is not in the PDF", r[0], line)
					}
				}
			}
		})
	}
}

func TestUncoveredNamesWhatIsMissing(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"Latin", "Łukasz Dvořák, Café ½ ₹ €", ""},
		{"simplified", "液冷服务器，含三年原厂保修", ""},
		{"traditional", "伺服器（機架）含原廠保固", ""},
		{"Hong Kong", "深水埗", ""},
		{"Japanese variants", "髙・﨑", ""},
		{"outside the basic plane", "𠮷", "𠮷"},
		{"Korean", "한국어 품명", ""},
		{"Arabic", "خادم بثماني وحدات، ٣ سنوات", ""},
		{"Persian", "می\u200cخواهم پرسرعت ۳", ""},
		{"Urdu letters that nothing joins", "ٹ ڈ ے", "ٹڈے"},
		{"Hebrew", "שרת בְּרֵאשִׁית ₪", ""},
		{"Thai", "ไทย", "ไทย"},
		{"emoji with a variation selector", "ok 🚀 ☎️", "🚀"},
		{"twice", "🚀🚀", "🚀"},
		{"invisible", "a\u200bb\u00adc\td", ""},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := string(Uncovered(c.text))
			if c.name == "emoji with a variation selector" {
				got = strings.ReplaceAll(got, "☎", "")
			}
			if got != c.want {
				t.Errorf("Uncovered(%q) = %q, want %q", c.text, got, c.want)
			}
		})
	}
}

// extracted returns the pieces of a text that a reader gives back as they were typed: its lines, and of one that runs from
// the right its words, since readers differ in how they order the words of such a line on a page of another script.
func extracted(text string) []string {
	if strings.IndexFunc(text, rightToLeft) >= 0 {
		return strings.Fields(text)
	}
	return strings.Split(text, "\n")
}

// PR061: Arabic letters joined, Hebrew and Arabic from the right, prices from the left, and the words that a reader
// extracts are in the order in which they were typed.
func TestPR061RightToLeft(t *testing.T) {
	cases := []struct{ name, typed, painted string }{
		{"PR061 Arabic line of the hard text", "خادم H100 بثماني وحدات مع ضمان 3 سنوات", "ﺕﺍﻮﻨﺳ 3 ﻥﺎﻤﺿ ﻊﻣ ﺕﺍﺪﺣﻭ ﻲﻧﺎﻤﺜﺑ H100 ﻡﺩﺎﺧ"},
		{"PR061 Hebrew line of the hard text", "שרת H100 עם 8 מעבדים ואחריות 3 שנים", "םינש 3 תוירחאו םידבעמ 8 םע H100 תרש"},
		{"PR061 Arabic customer", "شركة الواحة", "ﺔﺣﺍﻮﻟﺍ ﺔﻛﺮﺷ"},
		{"lam and alef are one sign", "لا الأول", "ﻝﻭﻷﺍ ﻻ"},
		{"brackets", "שרת (כולל)", "(ללוכ) תרש"},
		{"after Latin", "Option: خادم H100", "Option: ﻡﺩﺎﺧ H100"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			b := render(t, linesPage("en", [][]string{{"1", c.typed, "2", "285,000.00"}}))
			got := squeeze(text(t, b))
			for _, word := range strings.Fields(c.typed) {
				if !strings.Contains(got, squeeze(strings.Trim(word, "()"))) {
					t.Errorf("%q is not extracted in the order in which it was typed: %s", word, got)
				}
			}
			if line := lineWith(t, b, "285,000.00"); line != "1 "+c.painted+" 2 285,000.00 285,000.00" {
				t.Errorf("painted from left to right: %q, want %q", line, c.painted)
			}
		})
	}
}

// lineWith returns the words beside a word, from left to right as they are painted.
func lineWith(t *testing.T, b []byte, with string) string {
	t.Helper()
	type word struct {
		x, y float64
		text string
	}
	var words []word
	y := 0.0
	for _, m := range regexp.MustCompile(`xMin="([0-9.]+)".*yMax="([0-9.]+)">(.*)</word>`).FindAllStringSubmatch(tool(t, b, "pdftotext", "-bbox", "-enc", "UTF-8", "FILE", "-"), -1) {
		w := word{text: m[3]}
		w.x, _ = strconv.ParseFloat(m[1], 64)
		w.y, _ = strconv.ParseFloat(m[2], 64)
		if words = append(words, w); w.text == with {
			y = w.y
		}
	}
	slices.SortFunc(words, func(a, b word) int { return cmp.Compare(a.x, b.x) })
	var line []string
	for _, w := range words {
		if math.Abs(w.y-y) < 6 {
			line = append(line, w.text)
		}
	}
	return strings.Join(line, " ")
}

func TestVisual(t *testing.T) {
	cases := []struct{ name, text, want string }{
		{"Latin", "Seller Ltd", "Seller Ltd"},
		{"digits", "2026", "2026"},
		{"empty", "", ""},
		{"Hebrew", "אבג", "גבא"},
		{"Hebrew with a Latin word", "אב H100 גד", "דג H100 בא"},
		{"Latin with a Hebrew word", "Q-1 אב x", "Q-1 בא x"},
		{"Arabic is joined", "لا", "ﻻ"},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := visual(c.text); got != c.want {
				t.Errorf("visual(%q) = %q, want %q", c.text, got, c.want)
			}
		})
	}
}

func TestManyLinesRepeatTheHead(t *testing.T) {
	var rows [][]string
	for i := range 300 {
		rows = append(rows, []string{strconv.Itoa(i + 1), fmt.Sprintf("Item%04d with a name", i+1), "1", "12.50"})
	}
	pdf := render(t, linesPage("en", rows))
	got := text(t, pdf)
	pages := strings.Split(strings.TrimSuffix(got, "\f"), "\f")
	if len(pages) < 5 {
		t.Fatalf("%d pages, want several", len(pages))
	}
	for i, p := range pages {
		if n := strings.Count(p, "Headword"); n != 1 {
			t.Errorf("page %d has %d heads, want 1", i+1, n)
		}
		if want := fmt.Sprintf("Page %d of %d", i+1, len(pages)); !strings.Contains(p, want) {
			t.Errorf("page %d lacks %q", i+1, want)
		}
	}
	for i := range rows {
		if n := strings.Count(got, fmt.Sprintf("Item%04d", i+1)); n != 1 {
			t.Errorf("item %d is printed %d times", i+1, n)
		}
	}
	last := pages[len(pages)-1]
	if !strings.Contains(last, "Item0300") || !strings.Contains(last, "757,241.95") {
		t.Error("the totals stand on another page than the last line")
	}
}

// The section head, its first line and the totals keep together wherever the page ends.
func TestKeepNextHolds(t *testing.T) {
	for n := 30; n < 42; n++ {
		var rows [][]string
		for i := range n {
			rows = append(rows, []string{strconv.Itoa(i + 1), fmt.Sprintf("Item%04d", i+1), "1", "1.00"})
		}
		pages := strings.Split(text(t, render(t, linesPage("en", rows))), "\f")
		for _, p := range pages {
			if strings.Contains(p, "Closing total") && !strings.Contains(p, fmt.Sprintf("Item%04d", n)) {
				t.Errorf("%d lines: totals without the last line", n)
			}
			if strings.Contains(p, "Headword") && !strings.Contains(p, "Item") {
				t.Errorf("%d lines: a head without a line", n)
			}
		}
	}
}

func TestFontsAreEmbeddedAndSubset(t *testing.T) {
	pdf := render(t, linesPage("zh-Hant", hardLines(t)))
	out := tool(t, pdf, "pdffonts", "FILE")
	fonts := strings.Split(strings.TrimSpace(out), "\n")[2:]
	if len(fonts) == 0 {
		t.Fatalf("no fonts: %s", out)
	}
	for _, f := range fonts {
		if !regexp.MustCompile(`^[A-Z]{6}\+Noto`).MatchString(f) || !regexp.MustCompile(`yes yes yes`).MatchString(f) {
			t.Errorf("font is not an embedded subset with a map to Unicode: %s", f)
		}
	}
	if len(pdf) > 400<<10 {
		t.Errorf("%d bytes: the fonts are not subset", len(pdf))
	}
}

func TestSameInputSameBytes(t *testing.T) {
	src := linesPage("zh-Hans", hardLines(t))
	if !bytes.Equal(render(t, src), render(t, src)) {
		t.Error("two runs differ")
	}
}

func TestInfo(t *testing.T) {
	out := tool(t, render(t, linesPage("zh-Hans", nil)), "pdfinfo", "FILE")
	for _, want := range []string{"Title:           Test", "A4", "CreationDate:    Tue Dec  1 09:30:00 2026 UTC"} {
		if !strings.Contains(out, want) {
			t.Errorf("pdfinfo lacks %q:\n%s", want, out)
		}
	}
}

// A person may type what the layout library or a template engine would replace.
func TestPlaceholdersPrintAsTyped(t *testing.T) {
	typed := "{counter(page)} {string(x)} {{.Secret}} {page} &amp; <b>"
	rows := [][]string{{"1", typed, "1", "1.00"}}
	if got := squeeze(text(t, render(t, linesPage("en", rows)))); !strings.Contains(got, squeeze(typed)) {
		t.Errorf("%q was changed: %s", typed, got)
	}
}

func TestLongWordsBreakInsideTheirColumn(t *testing.T) {
	word := strings.Repeat("X", 3000)
	pdf := render(t, linesPage("en", [][]string{{"1", word, "1", "100.00"}}))
	if got := squeeze(text(t, pdf)); strings.Count(got, "X") < 3000 {
		t.Errorf("%d of 3000 letters printed", strings.Count(got, "X"))
	}
}

func TestTextTallerThanAPage(t *testing.T) {
	var long strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&long, "word%04d ", i)
	}
	han := strings.Repeat("液冷服务器整机含三年原厂保修", 400)
	got := squeeze(text(t, render(t, linesPage("en", [][]string{{"1", long.String(), "1", "1.00"}, {"2", han, "1", "1.00"}}))))
	for i := range 2000 {
		if !strings.Contains(got, fmt.Sprintf("word%04d", i)) {
			t.Fatalf("word %d is lost", i)
		}
	}
	if n := strings.Count(got, "器"); n != 400 {
		t.Errorf("%d of 400 repetitions printed", n)
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := Render(ctx, page(linesPage("en", nil)), Options{}); err == nil {
		t.Error("no error after the context ended")
	}
}

func BenchmarkRender(b *testing.B) {
	var rows [][]string
	for i := range 40 {
		rows = append(rows, []string{strconv.Itoa(i + 1), "H100 服务器，八卡整机，含三年原厂保修", "1", "285,000.00"})
	}
	src := page(linesPage("zh-Hans", rows))
	for b.Loop() {
		if _, err := Render(b.Context(), src, Options{Created: created}); err != nil {
			b.Fatal(err)
		}
	}
}

func TestKeepNextChains(t *testing.T) {
	s, err := prepare(strings.NewReader(`<table><colgroup><col></colgroup><tbody><tr><td>1</td></tr>
<tr class="keep-next"><td>2</td></tr><tr class="keep-next"><td>3</td></tr><tr><td>4</td></tr><tr class="keep-next"><td>5</td></tr></tbody></table>`), "en")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(s.html, `class="hair" rowspan="3"`) != 1 || strings.Count(s.html, "rowspan") != 1 {
		t.Errorf("chain is not one span: %s", s.html)
	}
}

func TestHeadingsStayWithTheirBeginning(t *testing.T) {
	for n := 38; n < 52; n++ {
		src := `<html lang="en"><title>T</title><body>` + strings.Repeat("<p>Line</p>", n) +
			`<h2>Headword</h2><div class="text">First of it` + strings.Repeat("\nmore", 30) + `</div></body></html>`
		for i, p := range strings.Split(text(t, render(t, src)), "\f") {
			if strings.Contains(p, "Headword") && !strings.Contains(p, "First of it") {
				t.Errorf("%d lines: heading alone at the end of page %d", n, i+1)
			}
		}
	}
}

func TestFaultyPicturesAreLeftOut(t *testing.T) {
	const good = "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
	for name, src := range map[string]string{
		"good": good, "cut off": good[:60], "remote": "http://192.0.2.1/x.png", "file": "/etc/hostname", "not a picture": "data:image/png;base64,aGVsbG8=", "empty": "",
	} {
		t.Run(name, func(t *testing.T) {
			got := text(t, render(t, `<html lang="en"><title>T</title><body><img class="logo" src="`+src+`"><p>Seller</p></body></html>`))
			if !strings.Contains(got, "Seller") {
				t.Errorf("the document is empty: %q", got)
			}
		})
	}
}

func TestPicturesAreEmbedded(t *testing.T) {
	var b bytes.Buffer
	if err := png.Encode(&b, image.NewGray(image.Rect(0, 0, 120, 40))); err != nil {
		t.Fatal(err)
	}
	src := "data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Bytes())
	pdf := render(t, `<html lang="en"><title>T</title><body><img class="logo" src="`+src+`"><p>Seller</p></body></html>`)
	if out := tool(t, pdf, "pdfimages", "-list", "FILE"); !strings.Contains(out, "120    40") {
		t.Errorf("no picture of 120 by 40: %s", out)
	}
}

func TestManyAtOnce(t *testing.T) {
	src := linesPage("zh-Hant", hardLines(t))
	want := render(t, src)
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			if got, err := Render(t.Context(), page(src), Options{Created: created}); err != nil || !bytes.Equal(got, want) {
				t.Errorf("a parallel run differs: %v", err)
			}
		})
	}
	wg.Wait()
}

// A picture keeps its proportions: so high as the style says, and never wider than its place.
func TestPicturesKeepTheirProportions(t *testing.T) {
	for name, size := range map[string]image.Point{"usual": {300, 100}, "very wide": {3000, 60}, "very high": {60, 3000}, "small": {8, 8}} {
		t.Run(name, func(t *testing.T) {
			var b bytes.Buffer
			if err := png.Encode(&b, image.NewGray(image.Rectangle{Max: size})); err != nil {
				t.Fatal(err)
			}
			src := "data:image/png;base64," + base64.StdEncoding.EncodeToString(b.Bytes())
			pdf := render(t, `<html lang="en"><title>T</title><body><table class="head"><colgroup><col class="w60"><col class="w40"></colgroup><tbody><tr><td><img class="logo" src="`+src+`"><p>Seller</p></td><td>Quote</td></tr></tbody></table></body></html>`)
			list := strings.Split(strings.TrimSpace(tool(t, pdf, "pdfimages", "-list", "FILE")), "\n")
			f := strings.Fields(list[len(list)-1]) // page num type width height color comp bpc enc interp object ID x-ppi y-ppi …
			x, _ := strconv.ParseFloat(f[12], 64)
			y, _ := strconv.ParseFloat(f[13], 64)
			if math.Abs(x-y) > 0.02*math.Max(x, y)+1 {
				t.Errorf("%g by %g pixels an inch: %v", x, y, f)
			}
			if width := float64(size.X) / x * 72; width > 0.6*float64(pageInnerMM)*pointsPerMM {
				t.Errorf("%.0f points wide", width)
			}
		})
	}
}
