package pages

import (
	"context"
	"strings"
	"testing"

	"github.com/PuerkitoBio/goquery"
	"github.com/a-h/templ"

	"rackwright/internal/i18n"
	"rackwright/internal/view"
)

// framePage returns the page of a visitor, or of a signed-in person.
func framePage(l i18n.Lang, user *view.User) view.Page {
	p := view.Page{Lang: l, L: i18n.For(l), Path: "/catalog", Query: "q=h100", User: user, Title: "x"}
	p.Nav = []view.NavItem{{Label: "Catalogue", Href: "/catalog", Current: true}, {Label: "Sizing", Href: "/sizing"}}
	return p
}

func frameDoc(t *testing.T, c templ.Component) *goquery.Document {
	t.Helper()
	var b strings.Builder
	if err := c.Render(context.Background(), &b); err != nil {
		t.Fatal(err)
	}
	d, err := goquery.NewDocumentFromReader(strings.NewReader(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func has(t *testing.T, d *goquery.Document, selectors ...string) {
	t.Helper()
	for _, s := range selectors {
		if d.Find(s).Length() == 0 {
			t.Errorf("no %s", s)
		}
	}
}

func hasNot(t *testing.T, d *goquery.Document, selectors ...string) {
	t.Helper()
	for _, s := range selectors {
		if d.Find(s).Length() > 0 {
			t.Errorf("there is a %s", s)
		}
	}
}

func TestShellOfVisitor(t *testing.T) {
	d := frameDoc(t, Home(view.Home{Page: framePage(i18n.Traditional, nil), Heading: "x"}))
	has(t, d, `html[lang=zh-Hant]`, `a.skip[href="#main"]`, `main#main`, `nav a[aria-current=page][href="/catalog"]`,
		`a[href="/login?next=%2Fcatalog%3Fq%3Dh100"]`, `form[action="/display"] input[name=next][value="/catalog?q=h100"]`,
		`button[name=lang][value=zh-Hant][aria-pressed=true]`, `button[name=theme][value=auto][aria-pressed=true]`,
		`button[name=density][value=standard][aria-pressed=true]`, `footer a[hreflang=en][href="/catalog?lang=en&q=h100"]`,
		`link[rel=stylesheet][href^="/static/css/rackwright."]`, `script[src^="/static/js/htmx.min."][defer]`)
	hasNot(t, d, `#menu-you`, `html[data-theme]`, `html[data-density]`, `.toasts`, `[style]`, `script:not([src])`)
}

func TestShellOfStaff(t *testing.T) {
	p := framePage(i18n.English, &view.User{Name: "Ines Okafor", Initials: "IO", Roles: "Lead", IsAdmin: true})
	p.Theme, p.Density, p.DemoNote = "dark", "compact", true
	p.Flash = &view.Flash{Kind: "ok", Text: "Saved"}
	d := frameDoc(t, Home(view.Home{Page: p, Heading: "x"}))
	has(t, d, `html[data-theme=dark][data-density=compact]`, `#menu-you a[href="/account"]`, `#menu-you a[href="/admin"]`,
		`#menu-you form[method=post][action="/logout"] button`, `.toast[role=status]`, `footer .badge`,
		`button[name=theme][value=dark][aria-pressed=true]`, `button[name=theme][value=auto][aria-pressed=false]`)
	hasNot(t, d, `a[href^="/login"]`)
}

func TestHome(t *testing.T) {
	visitor := framePage(i18n.English, nil)
	d := frameDoc(t, Home(view.Home{Page: visitor, Heading: "x", Ways: view.VisitorWays(visitor)}))
	has(t, d, `.way a[href="/catalog"]`, `.way a[href="/sizing"]`)
	hasNot(t, d, `#act`, `#alerts`)

	staff := framePage(i18n.English, &view.User{Name: "Ines"})
	d = frameDoc(t, Home(view.Home{Page: staff, Heading: "x", QuotesAll: "/quotes", AlertsFor: true}))
	has(t, d, `#act .empty a[href="/quotes"]`, `#alerts .empty`)

	d = frameDoc(t, Home(view.Home{
		Page: staff, QuotesAll: "/quotes",
		Quotes: []view.HomeGroup{{Title: "Drafts", Rows: []view.HomeQuote{{Number: "Q-1", Href: "/quotes/1", Badge: "draft", State: "Draft", Total: "USD 1.00"}}}},
	}))
	has(t, d, `#act tbody.group th[scope=rowgroup]`, `#act a.main[href="/quotes/1"]`, `#act .badge-draft`)
	hasNot(t, d, `#alerts`)
}

func TestLogin(t *testing.T) {
	v := view.NewLogin(framePage(i18n.English, nil), "Seller Ltd", "ines", "/quotes")
	d := frameDoc(t, Login(v))
	has(t, d, `form[method=post][action="/login"] input[name=name][value=ines][autocomplete=username]`,
		`input[name=password][type=password][autocomplete=current-password]`, `input[name=next][value="/quotes"]`)
	hasNot(t, d, `.notice`, `.bar`)

	v.Ended = true
	has(t, frameDoc(t, Login(v)), `.notice[role=status]`)
	v.Error = "wrong"
	has(t, frameDoc(t, Login(v)), `.notice-bad[role=alert]`)
	if got := frameDoc(t, Login(v)).Find(`input[type=password]`).AttrOr("value", ""); got != "" {
		t.Errorf("the password is sent back: %q", got)
	}
}

func TestAccount(t *testing.T) {
	v := view.NewAccount(framePage(i18n.English, &view.User{Name: "Ines"}), 12, "zh-Hant")
	v.Name, v.UserName, v.Email = "Ines Okafor", "ines", "ines@example.com"
	v.Sessions = []view.SessionRow{{Since: "a", Current: true}, {Since: "b"}}
	d := frameDoc(t, Account(v))
	has(t, d, `form[action="/account/password"] input[name=current]`, `input[name=new][autocomplete=new-password]`, `input[name=again]`,
		`form[action="/account/language"] option[value=zh-Hant][selected]`, `form[action="/account/sessions"] button`, `#sessions .badge-ok`)
	hasNot(t, d, `.notice`)
	if n := d.Find(`#sessions li`).Length(); n != 2 {
		t.Errorf("%d sessions", n)
	}
	v.MustChange = true
	has(t, frameDoc(t, Account(v)), `.notice-warn`)
}

func TestErrorPages(t *testing.T) {
	e := view.NewErrorPage(framePage(i18n.English, nil), 404, "“H10” was not found.")
	e.Close = []view.Suggestion{{Label: "H100", Code: "H100-SXM5", Href: "/catalog/H100-SXM5", Why: "one letter away"}}
	d := frameDoc(t, Error(e))
	has(t, d, `.bar`, `.fault-no`, `h1`, `a[href="/catalog/H100-SXM5"]`, `.actions a.btn-main[href="/"]`)
	if got := d.Find("title").Text(); got != "This page does not exist. · Rackwright" {
		t.Errorf("title = %q", got)
	}

	e = view.NewErrorPage(framePage(i18n.Simplified, nil), 503, "")
	e.RequestID, e.When = "01J", "2026-11-30"
	d = frameDoc(t, Error(e))
	has(t, d, `html[lang=zh-Hans]`, `.actions a[href="/catalog?q=h100"]`, `.code`)
	hasNot(t, d, `.bar`, `nav`) // nothing there may need what is away
}
