package main

import (
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"rackwright/internal/browsertest"
	"rackwright/internal/testdb"
)

const (
	firstPassword = "the first password 1"
	ownPassword   = "the second password 2"
)

// TestDealInTheBrowser is one real deal from the catalogue to an accepted quote, as a person
// does it, once in English and once in Chinese. The total is the same string wherever it is
// read: in the editor, in the database, on the customer's page and in the PDF.
func TestDealInTheBrowser(t *testing.T) {
	for _, lang := range []struct{ tag, accept, specs string }{
		{"en", "en-US", "16,896"},
		{"zh-Hans", "zh-CN", "16,896"},
	} {
		t.Run(lang.tag, func(t *testing.T) {
			url := testdb.EmptyURL(t)
			p := startProgram(t, map[string]string{
				"DATABASE_URL": url, "DEMO": "true", "ADMIN_PASSWORD": firstPassword,
			})
			defer p.end()
			b := browsertest.New(t, 1440, 1000, lang.accept)
			signIn(b, p.url)
			if got := b.Eval("document.documentElement.lang"); got != lang.tag {
				t.Fatalf("page in %q, want %q", got, lang.tag)
			}
			b.Goto(p.url + "/catalog/H100-SXM5-80GB")
			if text := b.Text("main"); !strings.Contains(text, lang.specs) {
				t.Errorf("the product page does not say %q", lang.specs)
			}
			sizeLlama(b, p.url)
			quoteBestPlan(b)
			total := changeDiscount(t, b)
			quotePage := b.URL()
			link := sendQuote(b)
			checkStored(t, url, total)
			acceptAndRead(t, b, link, total)
			b.Goto(quotePage)
			if got := b.Text("dd.grand"); got != total {
				t.Errorf("total of the accepted quote %q, want %q", got, total)
			}
		})
	}
}

// signIn is the first sign-in, which asks for a password of one's own.
func signIn(b *browsertest.Page, url string) {
	b.Goto(url + "/login")
	b.Fill("#f-name", "admin")
	b.Fill("#f-password", firstPassword)
	b.ClickTo(`form[action="/login"] button[type=submit]`)
	b.Fill("#f-current", firstPassword)
	b.Fill("#f-new", ownPassword)
	b.Fill("#f-again", ownPassword)
	b.ClickTo(`form[action="/account/password"] button[type=submit]`)
}

// sizeLlama sizes Llama 3.1 70B in FP8 at 20 requests/s of 1,000 and 300 tokens.
func sizeLlama(b *browsertest.Page, url string) {
	b.Goto(url + "/sizing")
	b.Select("#f-model", "meta-llama/Llama-3.1-70B")
	b.Select("#f-weights", "fp8")
	b.Fill("#f-rate", "20")
	b.Fill("#f-input_len", "1000")
	b.Fill("#f-output_len", "300")
	b.ClickTo(`form[action="/sizing"] .btn-main`)
	b.WaitFor("#plans tr.is-picked")
}

// quoteBestPlan makes a quote from the plan that the report opens with and names a customer.
func quoteBestPlan(b *browsertest.Page) {
	b.ClickTo(`form[action$="/quote"] button[type=submit]`)
	customer := b.Eval(`document.querySelector("#f-customer_id option:nth-of-type(2)").value`)
	b.Select("#f-customer_id", customer)
	b.Select("#f-ship_to", "SG")
	b.Select("#f-end_user", "SG")
}

// changeDiscount changes the discount of the first line and sees the total move, then saves.
func changeDiscount(t *testing.T, b *browsertest.Page) string {
	t.Helper()
	before := b.Text("dd.grand")
	b.Fill(`[name="lines[0].discount"]`, "3")
	b.Blur(`[name="lines[0].discount"]`)
	live := b.WaitText("dd.grand", func(s string) bool { return s != "" && s != before })
	b.ClickTo(`.head button[value="save"]`)
	saved := b.Text("dd.grand")
	if saved != live {
		t.Errorf("live total %q, saved total %q", live, saved)
	}
	return saved
}

// sendQuote sends the quote and returns the customer's link.
func sendQuote(b *browsertest.Page) string {
	b.ClickTo(`.head button[value="send"]`)
	b.ClickTo(`form[action$="/send"] button[type=submit]`)
	return b.Value("[data-select-all]")
}

// checkStored compares the printed total with the exact one in the database.
func checkStored(t *testing.T, url, total string) {
	t.Helper()
	var stored string
	err := testdb.Connect(t, url).QueryRow(t.Context(),
		`SELECT total::text FROM quote_revision WHERE sent_at IS NOT NULL ORDER BY id DESC LIMIT 1`).Scan(&stored)
	if err != nil {
		t.Fatal(err)
	}
	stored = strings.TrimRight(strings.TrimRight(stored, "0"), ".")
	plain := strings.TrimRight(strings.TrimRight(strings.ReplaceAll(total, ",", ""), "0"), ".")
	if stored != plain {
		t.Errorf("stored total %s, printed total %s", stored, total)
	}
}

// acceptAndRead accepts the quote as the customer and reads the PDF.
func acceptAndRead(t *testing.T, b *browsertest.Page, link, total string) {
	t.Helper()
	b.Goto(link)
	if got := b.Text("dd.grand"); got != total {
		t.Errorf("total on the customer's page %q, want %q", got, total)
	}
	b.Fill("#f-name", "Tan Wei Ling 陈")
	b.Fill("#f-role", "CTO")
	b.Click("#f-agree")
	b.ClickTo(`form[action$="/accept"] button[type=submit]`)
	if b.Has(`form[action$="/accept"]`) {
		t.Error("the page still asks for acceptance")
	}
	if text := pdfText(t, link+"/pdf"); !strings.Contains(text, total) {
		t.Errorf("the PDF does not print the total %q:\n%s", total, text)
	}
}

// pdfText downloads a PDF and returns its words.
func pdfText(t *testing.T, url string) string {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, nil)
	if err != nil {
		t.Fatal(err)
	}
	client := &http.Client{Transport: &http.Transport{DisableKeepAlives: true}}
	resp, err := client.Do(req)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = resp.Body.Close() }()
	body, err := io.ReadAll(resp.Body)
	if err != nil || resp.Header.Get("Content-Type") != "application/pdf" {
		t.Fatalf("%s: %s, %v", url, resp.Header.Get("Content-Type"), err)
	}
	name := filepath.Join(t.TempDir(), "quote.pdf")
	if err := os.WriteFile(name, body, 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), "pdftotext", "-layout", name, "-").Output()
	if err != nil {
		t.Fatalf("pdftotext (package poppler-utils): %v", err)
	}
	return string(out)
}
