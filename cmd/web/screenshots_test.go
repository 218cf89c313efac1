package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rackwright/internal/browsertest"
	"rackwright/internal/testdb"
)

var (
	screenshots = flag.String("screenshots", "", "folder for pictures of whole pages in several looks; without it none are taken")
	pictures    = flag.String("pictures", "", "folder for the pictures of the documentation, docs/img; without it none are taken")
)

// look is a window, a theme and a language in which pages are looked at.
type look struct {
	width, height int
	theme, lang   string
}

var looks = []look{
	{1440, 1000, "light", "en"},
	{1440, 1000, "dark", "zh-Hans"},
	{390, 844, "light", "zh-Hant"},
	{390, 844, "dark", "en"},
}

// TestPictures makes the pictures of the documentation: a deal on the demo's data.
func TestPictures(t *testing.T) {
	if *pictures == "" {
		t.Skip("no folder given with -pictures")
	}
	p := startProgram(t, map[string]string{"DATABASE_URL": testdb.EmptyURL(t), "DEMO": "true", "ADMIN_PASSWORD": firstPassword})
	defer p.end()
	b := browsertest.New(t, 1440, 1000, "en-US")
	signIn(b, p.url)
	take := func(name string) {
		if err := os.WriteFile(filepath.Join(*pictures, name+".png"), b.Viewport(), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	b.Goto(p.url + "/catalog")
	take("catalogue")
	b.Goto(p.url + "/catalog/H100-SXM5-80GB")
	take("product")
	sizeLlama(b, p.url)
	take("sizing")
	quoteBestPlan(b)
	changeDiscount(t, b)
	take("quote")
	link := sendQuote(b)
	b.Resize(390, 844)
	b.Goto(link)
	take("public")
}

// TestScreenshots takes pictures of the pages of the demo, for people to look at.
func TestScreenshots(t *testing.T) {
	if *screenshots == "" {
		t.Skip("no folder given with -screenshots")
	}
	p := startProgram(t, map[string]string{"DATABASE_URL": testdb.EmptyURL(t), "DEMO": "true", "ADMIN_PASSWORD": firstPassword})
	defer p.end()
	b := browsertest.New(t, 1440, 1000, "en-US")
	signIn(b, p.url)
	sizeLlama(b, p.url)
	report := strings.TrimPrefix(b.URL(), p.url)
	pages := map[string]string{
		"home": "/", "catalogue": "/catalog", "product": "/catalog/H100-SXM5-80GB", "system": "/catalog/DGX-H100",
		"sizing-form": "/sizing?preset=chat_70b", "sizing": report, "quotes": "/quotes", "quote": "/quotes/1", "quote-new": "/quotes/new",
		"stock": "/inventory", "customers": "/customers", "price-list": "/price-list", "company": "/admin/company", "users": "/admin",
		"mail":    "/admin/mail",
		"account": "/account", "sources": "/sources",
	}
	for _, l := range looks {
		b.Resize(l.width, l.height)
		b.Goto(p.url + "/catalog?lang=" + l.lang)
		b.Eval(fmt.Sprintf("document.cookie = 'theme=%s; path=/'", l.theme))
		for name, path := range pages {
			b.Goto(p.url + path)
			file := fmt.Sprintf("%s-%d-%s-%s.png", name, l.width, l.theme, l.lang)
			if err := os.WriteFile(filepath.Join(*screenshots, file), b.Screenshot(), 0o644); err != nil {
				t.Fatal(err)
			}
		}
	}
}
