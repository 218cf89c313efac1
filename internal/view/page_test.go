package view

import (
	"testing"

	"rackwright/internal/i18n"
)

func TestPageAddresses(t *testing.T) {
	p := Page{L: i18n.For(i18n.English), Path: "/catalog", Query: "q=h100&kind=gpu"}
	check(t, "here", p.Here(), "/catalog?q=h100&kind=gpu")
	check(t, "other language", p.InLang(i18n.Traditional), "/catalog?kind=gpu&lang=zh-Hant&q=h100")
	check(t, "no query", Page{Path: "/sizing"}.Here(), "/sizing")
	check(t, "no path", Page{}.Here(), "/")
	check(t, "broken query", Page{Path: "/catalog", Query: "q=%zz"}.InLang(i18n.English), "/catalog?lang=en")
	check(t, "title", Page{L: p.L, Title: "Prices"}.DocumentTitle(), "Prices · Rackwright")
	check(t, "no title", Page{L: p.L}.DocumentTitle(), "Rackwright")
	check(t, "language", Page{L: i18n.For(i18n.Simplified)}.Tag(), "zh-Hans")
}

func TestFieldDescribe(t *testing.T) {
	check(t, "nothing", Field{Name: "qty"}.Describe(), "")
	check(t, "help", Field{Name: "qty", Help: "pieces"}.Describe(), "f-qty-help")
	check(t, "error first", Field{Name: "qty", Help: "pieces", Error: "wrong"}.Describe(), "f-qty-error f-qty-help")
}

func TestErrorPage(t *testing.T) {
	p := Page{L: i18n.For(i18n.English), Path: "/catalog/H100"}
	tests := map[string]struct {
		status        int
		text          string
		heading, body string
		back          string
		alone         bool
	}{
		"not found":          {404, "This page does not exist.", "This page does not exist.", "", "/", false},
		"not found, by name": {404, "“H100” was not found.", "This page does not exist.", "“H100” was not found.", "/", false},
		"conflict":           {409, "x", "This has changed meanwhile.", "x", "/", false},
		"internal":           {500, "x", "Something went wrong on our side.", "x", "/catalog/H100", true},
		"internal, fixed":    {500, "Something went wrong on our side. It has been recorded; please try again.", "Something went wrong on our side.", "", "/catalog/H100", true},
		"unavailable":        {503, "x", "The service is briefly unavailable.", "x", "/catalog/H100", true},
		"any other":          {418, "x", "Something went wrong on our side.", "x", "/", false},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			e := NewErrorPage(p, tt.status, tt.text)
			check(t, "heading", e.Heading, tt.heading)
			check(t, "text", e.Text, tt.body)
			check(t, "way on", e.Back.Href, tt.back)
			if e.Alone != tt.alone {
				t.Errorf("alone = %t", e.Alone)
			}
		})
	}
}
