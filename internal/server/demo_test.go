package server

import (
	"bytes"
	"regexp"
	"testing"

	"rackwright/internal/demo"
	"rackwright/internal/quote"
)

// Every page of the demo is there, in each language, and what was sent is a PDF.
func TestDemoQuotesRender(t *testing.T) {
	t.Parallel()
	s := newSiteWithCatalog(t)
	if _, err := s.db.EnsureAdmin(t.Context(), "correct horse battery"); err != nil {
		t.Fatal(err)
	}
	if _, err := demo.Seed(t.Context(), s.db, s.now(), QuotePDF); err != nil {
		t.Fatal(err)
	}
	b := s.named("admin")
	list, err := s.db.Quotes(t.Context(), quote.Filter{Limit: 200})
	if err != nil {
		t.Fatal(err)
	}
	paths := []string{
		"/", "/quotes", "/customers", "/inventory", "/price-list", "/price-list/rates", "/price-list/taxes", "/price-list/floors",
		"/admin/users", "/admin/company", "/admin/audit", "/catalog/DGX-H200", "/quotes/new",
	}
	for _, q := range list.Rows {
		paths = append(paths, quoteURL(q.ID))
		if q.Number == "" {
			continue
		}
		pdf := b.get(quoteURL(q.ID) + "/pdf").status(200).Body.Bytes()
		if !bytes.HasPrefix(pdf, []byte("%PDF-")) || len(pdf) < 5000 {
			t.Errorf("%s: no PDF, %d bytes", q.Number, len(pdf))
		}
	}
	missing := regexp.MustCompile(`\[[a-z]+\.[a-z_.]+\]`)
	for _, lang := range []string{"en", "zh-Hans", "zh-Hant"} {
		b.get("/?lang=" + lang).status(303)
		for _, path := range paths {
			if id := missing.FindString(b.get(path).status(200).says(`<html lang="` + lang).Body.String()); id != "" {
				t.Errorf("%s in %s: no message %s", path, lang, id)
			}
		}
	}
}
