package server

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"rackwright/internal/auth"
	"rackwright/internal/postgres"
)

// The program wires the database to the server; this holds the two together here already.
var _ Store = (*postgres.DB)(nil)

var pathParam = regexp.MustCompile(`\{[^}]+\}|\*`)

// sample returns an address of a pattern, for a thing that does not exist.
func sample(pattern string) string { return pathParam.ReplaceAllString(pattern, "999999") }

// TestEveryRouteForEveryRole walks all routes with all roles. What a person may not do is
// refused before the handler runs; what a person may do is answered without a 5xx.
func TestEveryRouteForEveryRole(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	people := map[auth.Role]*browser{auth.Visitor: s.visitor()}
	for _, role := range auth.StaffRoles {
		people[role] = s.as(string(role), role)
	}
	for _, rt := range s.server.routes() {
		if rt.Pattern == "/logout" || rt.Pattern == "/account/sessions" {
			continue // would end the sessions of this walk; they have tests of their own
		}
		for role, b := range people {
			path := sample(rt.Pattern)
			a := b.do(rt.Method, path, "", formType(rt.Method))
			checkWalk(t, rt, role, a)
		}
	}
}

func formType(method string) string {
	if method == http.MethodPost {
		return "application/x-www-form-urlencoded"
	}
	return ""
}

func checkWalk(t *testing.T, rt Route, role auth.Role, a *answer) {
	t.Helper()
	toLogin := a.Code == http.StatusSeeOther && strings.HasPrefix(a.Header().Get("Location"), "/login")
	switch allowed := rt.Perm == "" || role.Allows(rt.Perm); {
	case !allowed && role == auth.Visitor && !toLogin:
		t.Errorf("%s as visitor: status %d, want the way to sign-in", a.what, a.Code)
	case !allowed && role != auth.Visitor && a.Code != http.StatusForbidden:
		t.Errorf("%s as %s: status %d, want 403", a.what, role, a.Code)
	case allowed && (toLogin || a.Code == http.StatusUnauthorized):
		t.Errorf("%s as %s: sent to sign-in with the right to go on", a.what, role)
	case allowed && a.Code >= http.StatusInternalServerError:
		t.Errorf("%s as %s: status %d\n%s", a.what, role, a.Code, clipped(a.Body.String()))
	}
}

// TestRoutesAreSound checks the table itself.
func TestRoutesAreSound(t *testing.T) {
	s := New(Config{})
	seen := map[string]bool{}
	known := map[auth.Permission]bool{"": true} // "" is Public
	for _, p := range auth.Permissions {
		known[p] = true
	}
	for _, rt := range s.routes() {
		name := rt.Method + " " + rt.Pattern
		switch {
		case seen[name]:
			t.Errorf("%s stands twice", name)
		case rt.Method != http.MethodGet && rt.Method != http.MethodPost:
			t.Errorf("%s: only GET and POST work in forms", name)
		case !known[rt.Perm]:
			t.Errorf("%s: unknown permission %q", name, rt.Perm)
		case rt.Handler == nil:
			t.Errorf("%s: no handler", name)
		}
		seen[name] = true
	}
}

func TestUnknownAddressAndMethod(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	s.visitor().get("/no/such/page").status(http.StatusNotFound).says("404")
	s.visitor().post("/healthz", url.Values{}).status(http.StatusMethodNotAllowed).says("405")
	s.visitor().do(http.MethodHead, "/healthz", "", "").status(http.StatusOK)
	s.visitor().do(http.MethodPut, "/login", "", "").status(http.StatusMethodNotAllowed)
}

func TestNavigationFollowsTheRole(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	cases := map[auth.Role]string{
		auth.Visitor: "/catalog /sizing",
		auth.Sales:   "/catalog /sizing /quotes /customers /inventory /price-list",
		auth.Stock:   "/catalog /sizing /inventory",
		auth.Admin:   "/catalog /sizing /quotes /customers /inventory /price-list /admin",
	}
	for role, want := range cases {
		b := s.visitor()
		if role != auth.Visitor {
			b = s.as(string(role), role)
		}
		var got []string
		for _, n := range b.get("/no/such/page").page().Find(".bar-nav a").EachIter() {
			href, _ := n.Attr("href")
			got = append(got, href)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%s sees %v, want %s", role, got, want)
		}
	}
}
