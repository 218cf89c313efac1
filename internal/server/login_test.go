package server

import (
	"net/http"
	"net/url"
	"testing"
	"time"

	"rackwright/internal/auth"
)

func mustHash(t *testing.T, password string) auth.PasswordHash {
	t.Helper()
	h, err := auth.HashPassword(password)
	if err != nil {
		t.Fatal(err)
	}
	return h
}

func credentials(name, password string) url.Values {
	return url.Values{"name": {name}, "password": {password}}
}

func TestSignInAndOut(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.person("anna", mustHash(t, "correct horse battery"), false, auth.Sales)
	b := s.visitor()
	b.get("/account").leads("/login?next=%2Faccount")
	page := b.get("/login?next=%2Faccount").status(200)
	form := page.form("/login")
	form.Set("name", " Anna ")
	form.Set("password", "correct horse battery")
	b.post("/login", form).leads("/account")
	b.get("/account").status(200).says("anna")
	b.get("/login").leads("/")
	token := b.cookies["session"]
	b.post("/logout", nil).leads("/login")
	b.cookies["session"] = token
	b.get("/account").leads("/login?ended=1&next=%2Faccount")
	b.get("/login?ended=1").says("signed out after a while")
}

func TestWrongNameAndWrongPasswordLookAlike(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.person("anna", mustHash(t, "correct horse battery"), false, auth.Sales)
	s.person("bert", mustHash(t, "correct horse battery"), false, auth.Admin)
	id := s.person("gone", mustHash(t, "correct horse battery"), false, auth.Sales)
	if err := s.db.UpdateUser(t.Context(), 0, auth.User{ID: id, DisplayName: "x", Roles: []auth.Role{auth.Sales}, Disabled: true, Version: 1}); err != nil {
		t.Fatal(err)
	}
	for _, c := range []url.Values{
		credentials("anna", "wrong"), credentials("nobody", "correct horse battery"), credentials("gone", "correct horse battery"),
		credentials("", ""), credentials("a\x00b", "x"), credentials("anna' OR '1'='1", "x"),
	} {
		a := s.visitor().post("/login", c).status(422).says("The user name or the password is wrong.")
		if v, _ := a.page().Find("#f-password").Attr("value"); v != "" {
			t.Errorf("%v: the password came back", c)
		}
	}
	a := s.visitor().post("/login", credentials("<b>anna", "wrong")).status(422)
	if v, _ := a.page().Find("#f-name").Attr("value"); v != "<b>anna" {
		t.Errorf("the typed name is %q", v)
	}
}

func TestGuessingIsSlowedAndNobodyLockedOut(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.person("anna", mustHash(t, "correct horse battery"), false, auth.Sales)
	home, stranger := s.visitor(), s.visitor()
	home.addr, stranger.addr = "203.0.113.1", "203.0.113.2"
	home.post("/login", credentials("anna", "correct horse battery")).leads("/")
	for range 5 {
		stranger.post("/login", credentials("anna", "guess")).status(422)
	}
	a := stranger.post("/login", credentials("anna", "correct horse battery")).status(http.StatusTooManyRequests).says("Too many tries")
	if a.Header().Get("Retry-After") == "" {
		t.Error("does not say how long to wait")
	}
	home.post("/login", credentials("anna", "correct horse battery")).leads("/")
	s.pass(16 * time.Second)
	stranger.post("/login", credentials("anna", "correct horse battery")).leads("/")
}

func TestManyTriesFromOneAddress(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.visitor()
	for i := range loginBurst {
		b.post("/login", credentials("user"+string(rune('a'+i%26))+string(rune('a'+i/26)), "x")).status(422)
	}
	b.post("/login", credentials("another", "x")).status(http.StatusTooManyRequests)
}

func TestSignInLeadsNowhereElse(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.person("anna", mustHash(t, "correct horse battery"), false, auth.Sales)
	form := credentials("anna", "correct horse battery")
	form.Set("next", "//evil.example/")
	s.visitor().post("/login", form).leads("/")
}

func TestSessionEnds(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.as("anna", auth.Sales)
	s.pass(auth.SessionIdle - time.Minute)
	b.get("/account").status(200) // and is noted as used
	s.pass(auth.SessionIdle - time.Minute)
	b.get("/account").status(200)
	s.pass(auth.SessionIdle)
	b.get("/account").leads("/login?ended=1&next=%2Faccount")
	if b.cookies["session"] != "" {
		t.Error("the cookie of the ended session is kept")
	}
	b.get("/account").leads("/login?next=%2Faccount")
}

func TestSessionHasAnAbsoluteEnd(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.as("anna", auth.Sales)
	for range int(auth.SessionLife/(10*time.Hour)) + 1 {
		s.pass(10 * time.Hour)
		if b.get("/account").Code != http.StatusOK {
			break
		}
	}
	s.pass(0)
	b.get("/account").status(303)
	if s.ahead.Load() < int64(auth.SessionLife) {
		t.Error("the session ended before its time")
	}
}

func TestForgedSessionCookies(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	for _, token := range []string{"x", string(auth.NewToken()), "' OR 1=1 --", string(make([]byte, 100))} {
		b := s.visitor()
		b.cookies["session"] = token
		if b.get("/account").Code != http.StatusSeeOther {
			t.Errorf("%q opens a page", token)
		}
	}
}

func TestSignOutEverywhereElse(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	id := s.person("anna", aHash, false, auth.Sales)
	here, there := s.session(id), s.session(id)
	here.post("/account/sessions", nil).leads("/account")
	here.get("/account").status(200).says("Signed out in 1 other browsers")
	there.get("/account").status(303)
}

func TestOneTimePasswordOpensNothingElse(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.person("anna", mustHash(t, "correct horse battery"), true, auth.Sales, auth.Admin)
	b := s.visitor()
	b.post("/login", credentials("anna", "correct horse battery")).leads("/account")
	for _, path := range []string{"/admin/users", "/", "/catalog", "/quotes"} {
		b.get(path).leads("/account")
	}
	b.get("/no/such/page").status(404)
	b.post("/admin/users", nil).leads("/account")
	form := b.get("/account").status(200).says("choose a password of your own").form("/account/password")
	form.Set("current", "correct horse battery")
	form.Set("new", "correct horse battery")
	form.Set("again", "correct horse battery")
	b.post("/account/password", form).status(422)
	form.Set("new", "staple battery horse")
	form.Set("again", "staple battery horse")
	b.post("/account/password", form).leads("/")
	b.get("/admin/users").status(200).says("Your password was changed.")
	s.visitor().post("/login", credentials("anna", "correct horse battery")).status(422)
	s.visitor().post("/login", credentials("anna", "staple battery horse")).leads("/")
}

func TestChangePasswordFaults(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	b := s.session(s.person("anna", mustHash(t, "correct horse battery"), false, auth.Sales))
	cases := []struct{ name, current, next, again, field string }{
		{"wrong current", "x", "staple battery horse", "staple battery horse", "current"},
		{"too short", "correct horse battery", "short", "short", "new"},
		{"differs", "correct horse battery", "staple battery horse", "staple battery house", "again"},
		{"same", "correct horse battery", "correct horse battery", "correct horse battery", "new"},
		{"user name", "correct horse battery", "anna-anna-anna", "anna-anna-anna", "new"},
	}
	for _, c := range cases {
		a := b.post("/account/password", url.Values{"current": {c.current}, "new": {c.next}, "again": {c.again}}).status(422)
		if a.fault(c.field) == "" {
			t.Errorf("%s: nothing is said at %s", c.name, c.field)
		}
	}
}
