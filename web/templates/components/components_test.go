package components

import (
	"context"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/a-h/templ"

	"rackwright/internal/i18n"
	"rackwright/internal/view"
)

var page = view.Page{L: i18n.For(i18n.English)}

// render returns the document of a component, and its source.
func render(t *testing.T, c templ.Component) (*goquery.Document, string) {
	t.Helper()
	var b strings.Builder
	if err := c.Render(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	d, err := goquery.NewDocumentFromReader(strings.NewReader(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	return d, b.String()
}

func attr(s *goquery.Selection, name string) string { return s.AttrOr(name, "(none)") }

func TestFieldNamesItsControl(t *testing.T) {
	d, _ := render(t, Field(view.Field{
		Name: "qty", Label: "Quantity", Value: "1,0x", Type: "number", Unit: "pcs", Help: "whole pieces",
		Error: "This must be a number.", Required: true, Max: 12,
	}))
	in := d.Find("input")
	if in.Length() != 1 || attr(d.Find("label"), "for") != attr(in, "id") {
		t.Fatalf("label leads to %q, control is %q", attr(d.Find("label"), "for"), attr(in, "id"))
	}
	for name, want := range map[string]string{
		"name": "qty", "value": "1,0x", "type": "text", "inputmode": "decimal", "aria-invalid": "true",
		"aria-describedby": "f-qty-error f-qty-help", "maxlength": "12",
	} {
		if got := attr(in, name); got != want {
			t.Errorf("%s = %q, want %q", name, got, want)
		}
	}
	if _, ok := in.Attr("required"); !ok {
		t.Error("the control is not required")
	}
	if got := d.Find("#f-qty-error").Text(); got != "This must be a number." {
		t.Errorf("error = %q", got)
	}
	if d.Find(".unit").Text() != "pcs" || !d.Find(".field").HasClass("is-bad") {
		t.Error("unit or state is missing")
	}
}

func TestFieldTypes(t *testing.T) {
	options := []view.Option{{Value: "a", Label: "A"}, {Value: "b", Label: "B", Selected: true}}
	tests := map[string]struct {
		field    view.Field
		selector string
	}{
		"text":               {view.Field{}, `input[type=text]`},
		"date":               {view.Field{Type: "date", Value: "2026-11-30"}, `input[type=date][value="2026-11-30"]`},
		"password":           {view.Field{Type: "password"}, `input[type=password]`},
		"unknown type":       {view.Field{Type: "range"}, `input[type=text]`},
		"text of many lines": {view.Field{Type: "textarea", Value: "x", Rows: 8}, `textarea[rows="8"]`},
		"file":               {view.Field{Type: "file"}, `input[type=file]`},
		"select":             {view.Field{Type: "select", Options: options}, `select option[value=b][selected]`},
		"suggestions":        {view.Field{Name: "m", Suggest: []string{"H100"}}, `input[list=f-m-list] + datalist#f-m-list option[value=H100]`},
		"read only":          {view.Field{ReadOnly: true}, `input[readonly]`},
		"another language":   {view.Field{Lang: "zh-Hant"}, `input[lang=zh-Hant]`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d, html := render(t, Field(tt.field))
			if d.Find(tt.selector).Length() != 1 {
				t.Errorf("no %s in %s", tt.selector, html)
			}
		})
	}
}

func TestControlTakesAttributes(t *testing.T) {
	d, _ := render(t, Control(view.Field{Name: "lines[0].qty"}, templ.Attributes{"hx-post": "/quotes/1/total", "aria-label": "Quantity"}))
	in := d.Find("input")
	if attr(in, "hx-post") != "/quotes/1/total" || attr(in, "aria-label") != "Quantity" || attr(in, "id") != "f-lines[0].qty" {
		t.Errorf("attributes are missing: %v", in.Nodes[0].Attr)
	}
}

func TestChoicesAndCheck(t *testing.T) {
	d, _ := render(t, Choices(view.Field{Name: "tax", Label: "Tax", Options: []view.Option{
		{Value: "excl", Label: "Exclusive", Selected: true}, {Value: "incl", Label: "Inclusive", Help: "prices hold the tax", Disabled: true},
	}}))
	if d.Find(`fieldset legend`).Text() != "Tax" || d.Find(`input[type=radio][checked]`).Length() != 1 || d.Find(`input[disabled]`).Length() != 1 {
		t.Error("the radio buttons are wrong")
	}
	d, _ = render(t, Check(view.Field{Name: "all", Label: "All", Checked: true}))
	if d.Find(`label input[type=checkbox][name=all][value=yes][checked]`).Length() != 1 {
		t.Error("the check box is wrong")
	}
}

func TestErrorSummaryLeadsToFields(t *testing.T) {
	d, _ := render(t, ErrorSummary(page, []view.Fault{
		{Field: "qty", Label: "Quantity", Text: "This must be a number."}, {Text: "The quote has no lines."},
	}))
	if got := d.Find("strong").Text(); got != "There are 2 errors on this page." {
		t.Errorf("summary says %q", got)
	}
	if got := attr(d.Find("a"), "href"); got != "#f-qty" {
		t.Errorf("link = %q", got)
	}
	if got := strings.TrimSpace(d.Find("a").Text()); got != "Quantity: This must be a number." {
		t.Errorf("text = %q", got)
	}
	if _, html := render(t, ErrorSummary(page, nil)); html != "" {
		t.Errorf("no faults give %q", html)
	}
}

func TestFormKeys(t *testing.T) {
	d, _ := render(t, FormKeys("k1", "7"))
	if d.Find(`input[name=key][value=k1]`).Length() != 1 || d.Find(`input[name=version][value="7"]`).Length() != 1 {
		t.Error("a key is missing")
	}
	if _, html := render(t, FormKeys("", "")); html != "" {
		t.Errorf("empty keys give %q", html)
	}
}

func TestAddressesAreSafe(t *testing.T) {
	_, html := render(t, Link(view.Button{Label: "x", Href: "javascript:alert(1)"}))
	if strings.Contains(html, "javascript:") {
		t.Errorf("an address with a script survives: %s", html)
	}
	_, html = render(t, Badge("stock", `<b onmouseover="x()">`))
	if strings.Contains(html, "<b ") {
		t.Errorf("text is not escaped: %s", html)
	}
}

func TestParts(t *testing.T) {
	tests := map[string]struct {
		component templ.Component
		selector  string
	}{
		"badge":             {Badge("stock", "In stock"), `span.badge.badge-stock`},
		"unknown badge":     {Badge("rubbish", "x"), `span.badge:not(.badge-rubbish)`},
		"unknown value":     {Unknown("unknown"), `span.unknown`},
		"old price":         {Age("14 Sep", true), `.age.age-stale`},
		"new price":         {Age("14 Sep", false), `.age:not(.age-stale)`},
		"part number":       {Code("H100"), `span.code[translate=no]`},
		"bad notice":        {Notice("bad", "x"), `.notice.notice-bad[role=alert] strong`},
		"other notice":      {Notice("", "x"), `.notice[role=status]`},
		"open point":        {Gates([]view.Gate{{State: "open", Text: "x", Href: "#a", Sub: "y"}}), `li.is-open a[href="#a"]`},
		"history":           {History([]view.Event{{When: "x", ISO: "2026-11-30T06:05:00Z", Text: "y"}}), `time[datetime="2026-11-30T06:05:00Z"]`},
		"source":            {SourceMark(3, "#s3", true), `a.src.src-3rd[href="#s3"]`},
		"confidence":        {Confidence(2, "medium"), `.conf-2[role=img][aria-label=medium]`},
		"main button":       {Submit(view.Button{Label: "x", Kind: "main", Name: "do", Value: "send"}), `button.btn-main[type=submit][name=do][value=send]`},
		"small link":        {Link(view.Button{Label: "x", Href: "/q", Small: true, Icon: "add"}), `a.btn-small[href="/q"] svg[aria-hidden=true]`},
		"sorted column":     {HeadCell(view.Column{Label: "x", Href: "?sort=x", Sort: "descending", Num: true}), `a[href="?sort=x"]`},
		"first page":        {Pager(page, view.Pager{Shown: "1–50", Next: "?after=x"}), `a[rel=next]`},
		"first page, back":  {Pager(page, view.Pager{Shown: "1–50", Next: "?after=x"}), `span[aria-disabled=true]`},
		"current tab":       {Tabs("x", []view.Tab{{Label: "a", Href: "/a", Count: "3", Current: true}}), `a[aria-current=page] .n`},
		"crumbs":            {Crumbs(page, []view.Crumb{{Label: "a", Href: "/a"}, {Label: "b"}}), `li span[aria-current=page]`},
		"fact with badge":   {Facts([]view.Fact{{Label: "a", Value: "b", Badge: "ok"}}), `dd .badge-ok`},
		"fact with link":    {TitleBlock([]view.Fact{{Label: "a", Value: "b", Href: "/b", Lang: "zh-Hans"}}), `dd a[href="/b"] span[lang=zh-Hans]`},
		"total":             {Facts([]view.Fact{{Label: "a", Value: "b", Sum: true}}), `dd.rule + dt.sum + dd.sum`},
		"figure":            {Figures([]view.Figure{{Label: "a", Value: "8", Unit: "kW", Sub: "c", Href: "/d"}}), `dd:has(a) .u`},
		"head of a page":    {Head("Title", "Lead"), `.head h1 + p`},
		"details":           {More("x"), `details summary`},
		"table for readers": {Table("Plans", "plans"), `[role=group][aria-label=Plans] table.table.plans caption.sr`},
		"sheet":             {Sheet("act", "Quotes"), `section#act[aria-labelledby=act-h] h2#act-h`},
		"sheet with note":   {SheetNote("act", "Quotes", "newest first"), `.sheet-head p`},
		"sheet with link":   {SheetLink("act", "Quotes", view.Crumb{Label: "All", Href: "/q"}), `.sheet-head a.push[href="/q"]`},
		"empty":             {Empty("nothing"), `.empty svg[aria-hidden=true] + p`},
		"wordmark":          {Wordmark(), `svg[role=img][aria-label=Rackwright]`},
		"rack":              {RackPicture(), `svg[aria-hidden=true]`},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			d, html := render(t, tt.component)
			if d.Find(tt.selector).Length() == 0 {
				t.Errorf("no %s in %s", tt.selector, html)
			}
		})
	}
}

// Every icon that a name promises has strokes.
func TestIcons(t *testing.T) {
	for _, name := range []string{
		"menu", "search", "more", "close", "add", "document", "table", "upload", "download", "filter", "link", "lorry", "lock",
	} {
		if d, _ := render(t, Icon(name)); d.Find("svg path").Length() == 0 {
			t.Errorf("icon %s is empty", name)
		}
	}
}
