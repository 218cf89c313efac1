package server

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/PuerkitoBio/goquery"

	"rackwright/internal/auth"
	"rackwright/internal/postgres"
	"rackwright/internal/testdb"
)

// aHash is the hash of people who never type a password in a test.
const aHash auth.PasswordHash = "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$9s5uWcXYYmJpvF7w6GJ2kMJcPbbK5QhzRk3N6QYbUjY"

// site is the whole product on a database of its own, with a clock that a test can set.
type site struct {
	t       testing.TB
	db      *postgres.DB
	server  *Server
	handler http.Handler
	ahead   atomic.Int64 // of testdb.Now, as a time.Duration
}

func newSite(t *testing.T) *site { t.Helper(); return siteOn(t, testdb.New(t)) }

// newSiteWithCatalog has the shipped catalogue too.
func newSiteWithCatalog(t testing.TB) *site { t.Helper(); return siteOn(t, testdb.WithCatalog(t)) }

func siteOn(t testing.TB, db *postgres.DB) *site {
	t.Helper()
	s := &site{t: t, db: db}
	s.server = New(Config{
		Store: s.db, Log: slog.New(slog.NewTextHandler(io.Discard, nil)), Clock: s.now,
		BaseURL: "http://example.com", Models: shippedModels(t), RequestTimeout: 5 * time.Minute, // the machine of the tests may be busy
	})
	s.handler = s.server.Handler()
	return s
}

func (s *site) now() time.Time { return testdb.Now.Add(time.Duration(s.ahead.Load())) }

// pass lets time go by.
func (s *site) pass(d time.Duration) { s.ahead.Add(int64(d)) }

// person creates somebody who can sign in.
func (s *site) person(name string, hash auth.PasswordHash, mustChange bool, roles ...auth.Role) int64 {
	s.t.Helper()
	id, _, err := s.db.CreateUser(s.t.Context(), 0, auth.NewUser{Password: hash, Key: "key-" + name, User: auth.User{
		Name: name, DisplayName: name, Roles: roles, MustChangePassword: mustChange,
	}})
	if err != nil {
		s.t.Fatal(err)
	}
	return id
}

// visitor is a browser in which nobody is signed in.
func (s *site) visitor() *browser {
	return &browser{t: s.t, handler: s.handler, cookies: map[string]string{}}
}

// as is a browser in which a new person of these roles is signed in.
func (s *site) as(name string, roles ...auth.Role) *browser {
	s.t.Helper()
	return s.session(s.person(name, aHash, false, roles...))
}

// session is a browser in which the person is signed in.
func (s *site) session(userID int64) *browser {
	s.t.Helper()
	token := auth.NewToken()
	if err := s.db.CreateSession(s.t.Context(), auth.NewSession(token, userID, s.now())); err != nil {
		s.t.Fatal(err)
	}
	b := s.visitor()
	b.cookies["session"] = string(token)
	return b
}

// browser keeps cookies and sends what browsers send.
type browser struct {
	t       testing.TB
	handler http.Handler
	cookies map[string]string
	header  http.Header // of every request
	addr    string      // client address, default 192.0.2.1
}

func (b *browser) get(path string) *answer { return b.do(http.MethodGet, path, "", "") }

func (b *browser) post(path string, form url.Values) *answer {
	return b.do(http.MethodPost, path, form.Encode(), "application/x-www-form-urlencoded")
}

func (b *browser) do(method, path, body, contentType string) *answer {
	b.t.Helper()
	r := httptest.NewRequest(method, path, strings.NewReader(body))
	if b.addr != "" {
		r.RemoteAddr = b.addr + ":1234"
	}
	if contentType != "" {
		r.Header.Set("Content-Type", contentType)
	}
	r.Header.Set("Sec-Fetch-Site", "same-origin")
	for name, values := range b.header {
		r.Header[name] = values
	}
	for name, value := range b.cookies {
		r.AddCookie(&http.Cookie{Name: name, Value: value})
	}
	w := httptest.NewRecorder()
	b.handler.ServeHTTP(w, r)
	for _, c := range w.Result().Cookies() {
		if c.MaxAge < 0 {
			delete(b.cookies, c.Name)
		} else {
			b.cookies[c.Name] = c.Value
		}
	}
	return &answer{t: b.t, ResponseRecorder: w, what: method + " " + path}
}

// answer is a response with checks.
type answer struct {
	*httptest.ResponseRecorder
	t    testing.TB
	what string
}

func (a *answer) status(want int) *answer {
	a.t.Helper()
	if a.Code != want {
		a.t.Fatalf("%s: status %d, want %d\n%s", a.what, a.Code, want, clipped(a.Body.String()))
	}
	return a
}

// leads checks that the answer is a redirect to an address.
func (a *answer) leads(to string) *answer {
	a.t.Helper()
	a.status(http.StatusSeeOther)
	if got := a.Header().Get("Location"); got != to {
		a.t.Fatalf("%s: leads to %q, want %q", a.what, got, to)
	}
	return a
}

// says checks that the page contains a text.
func (a *answer) says(text string) *answer {
	a.t.Helper()
	// Pages keep numbers and units together by no-break spaces.
	if !strings.Contains(strings.ReplaceAll(a.Body.String(), "\u00a0", " "), text) {
		a.t.Fatalf("%s: %q is not on the page\n%s", a.what, text, clipped(a.Body.String()))
	}
	return a
}

func (a *answer) page() *goquery.Document {
	a.t.Helper()
	doc, err := goquery.NewDocumentFromReader(strings.NewReader(a.Body.String()))
	if err != nil {
		a.t.Fatal(err)
	}
	return doc
}

// form returns what the form to an address would send as it stands on the page.
func (a *answer) form(action string) url.Values {
	a.t.Helper()
	f := a.page().Find(`form[action="` + action + `"]`)
	if f.Length() == 0 {
		a.t.Fatalf("%s: no form to %s\n%s", a.what, action, clipped(a.Body.String()))
	}
	values := url.Values{}
	f.Find("input[name], textarea[name], select[name]").Each(func(_ int, c *goquery.Selection) {
		name, _ := c.Attr("name")
		kind, _ := c.Attr("type")
		_, checked := c.Attr("checked")
		switch {
		case goquery.NodeName(c) == "textarea":
			values.Add(name, c.Text())
		case goquery.NodeName(c) == "select":
			v, _ := c.Find("option[selected]").Attr("value")
			values.Add(name, v)
		case (kind == "checkbox" || kind == "radio") && !checked, kind == "file":
		default:
			v, _ := c.Attr("value")
			values.Add(name, v)
		}
	})
	return values
}

// fault returns the error text at a field of the page.
func (a *answer) fault(field string) string {
	a.t.Helper()
	return strings.TrimSpace(a.page().Find("#f-" + field + "-error").Text())
}

func clipped(s string) string {
	if i := strings.Index(s, "<main"); i >= 0 {
		s = s[i:]
	}
	return s[:min(len(s), 1500)]
}

func itoa(n int64) string { return strconv.FormatInt(n, 10) }
