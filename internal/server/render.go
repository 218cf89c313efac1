package server

import (
	"bytes"
	"crypto/rand"
	"fmt"
	"net/http"
	"strings"
	"sync"

	"github.com/a-h/templ"

	"rackwright/internal/apperr"
	"rackwright/internal/auth"
	"rackwright/internal/i18n"
	"rackwright/internal/view"
)

// page returns what the shell of every page needs. title is finished text.
func (s *Server) page(r *http.Request, title string) view.Page {
	info := infoOf(r)
	l := i18n.For(info.lang)
	return view.Page{
		Lang: info.lang, L: l,
		Title: title, Path: r.URL.Path, Query: r.URL.RawQuery,
		User:     viewUser(l, info.user),
		Nav:      s.nav(r, l),
		Flash:    s.takeFlash(r, l),
		Theme:    cookieChoice(r, themeCookie, themes),
		Density:  cookieChoice(r, densityCookie, densities),
		DemoNote: s.demo,
	}
}

// pageT is page with the title given as a message.
func (s *Server) pageT(r *http.Request, id string, args ...any) view.Page {
	return s.page(r, i18n.For(infoOf(r).lang).T(id, args...))
}

func viewUser(l i18n.Localizer, u *auth.User) *view.User {
	if u == nil {
		return nil
	}
	return &view.User{
		Name: u.DisplayName, Initials: u.Initials(), Roles: view.RoleList(l, u.Roles),
		IsAdmin: u.Has(auth.Admin),
	}
}

// navEntry is one entry of the main menu: who sees it and where it leads.
type navEntry struct {
	id   string
	href string
	perm auth.Permission
}

var menu = []navEntry{
	{"navigation.catalogue", "/catalog", auth.Public},
	{"navigation.sizing", "/sizing", auth.Public},
	{"navigation.quotes", "/quotes", auth.ReadQuotes},
	{"navigation.customers", "/customers", auth.ReadCustomers},
	{"navigation.inventory", "/inventory", auth.ReadStock},
	{"price.price_list", "/price-list", auth.ReadPrices},
	{"navigation.administration", "/admin", auth.ManageUsers},
}

func (s *Server) nav(r *http.Request, l i18n.Localizer) []view.NavItem {
	var items []view.NavItem
	for _, e := range menu {
		if !s.can(r, e.perm) {
			continue
		}
		items = append(items, view.NavItem{
			Label: l.T(e.id), Href: e.href,
			Current: r.URL.Path == e.href || strings.HasPrefix(r.URL.Path, e.href+"/"),
		})
	}
	return items
}

var buffers = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// render writes a component with a status. It renders into memory first, so that a fault in
// a template becomes a whole error page and never half a page with status 200.
func (s *Server) render(w http.ResponseWriter, r *http.Request, status int, c templ.Component) error {
	buf := buffers.Get().(*bytes.Buffer)
	defer buffers.Put(buf)
	buf.Reset()
	if err := c.Render(r.Context(), buf); err != nil {
		return fmt.Errorf("render: %w", err)
	}
	if infoOf(r).flashRead {
		s.clearFlash(w)
	}
	w.Header().Set("Content-Type", "text/html; charset=utf-8")
	w.WriteHeader(status)
	_, _ = w.Write(buf.Bytes()) // the client has gone; nobody is left to tell
	return nil
}

// redirect answers 303, the answer to every POST that did something. url is a path of ours.
func (s *Server) redirect(w http.ResponseWriter, r *http.Request, url string) error {
	if r.Header.Get("HX-Request") == "true" {
		// htmx follows a 303 inside its fetch and would swap a whole page into a corner of
		// this one; it is told to go there instead.
		w.Header().Set("HX-Redirect", url)
		w.WriteHeader(http.StatusNoContent)
		return nil
	}
	http.Redirect(w, r, url, http.StatusSeeOther)
	return nil
}

// newKey returns the idempotency key that a handler puts into the form it renders.
func newKey() string { return rand.Text() }

// wantsFragment reports whether the answer is for a part of a page that htmx swaps.
func wantsFragment(r *http.Request) bool { return r.Header.Get("HX-Request") == "true" }

// statusOf returns 422 when a form is shown again with faults, else 200.
func statusOf(err error) int {
	if err != nil {
		return statusFor(err)
	}
	return http.StatusOK
}

// isForm reports whether err belongs beside the form that caused it: a fault in what was
// typed, or the thing changed meanwhile. Everything else is for s.fail.
func isForm(err error) bool {
	return apperr.Is(err, apperr.Invalid) || apperr.Is(err, apperr.Conflict)
}
