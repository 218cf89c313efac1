package server

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"

	"rackwright/internal/i18n"
)

// How a person likes pages to look is kept in cookies of the browser: it says nothing about
// the person and is wanted before sign-in too.
const (
	langCookie    = "lang"     // of this browser
	langNowCookie = "lang_now" // chosen by a link while signed in; ends with the browser
	themeCookie   = "theme"
	densityCookie = "density"
	displayMaxAge = 365 * 24 * 3600 // seconds
)

var (
	themes    = []string{"light", "dark", "contrast"}
	densities = []string{"compact", "comfortable"}
)

// cookieValue returns a cookie's value, or "".
func cookieValue(r *http.Request, name string) string {
	c, err := r.Cookie(name)
	if err != nil {
		return ""
	}
	return c.Value
}

// cookieChoice returns a cookie's value if it is one of the choices, else "".
func cookieChoice(r *http.Request, name string, choices []string) string {
	if v := cookieValue(r, name); slices.Contains(choices, v) {
		return v
	}
	return ""
}

// chooseLanguage finds the language of the request. ?lang= sets the cookie, the one thing
// that a GET may set: it changes this browser's view and nothing that we keep.
func (s *Server) chooseLanguage(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		info := infoOf(r)
		if lang, ok := i18n.ParseLang(r.URL.Query().Get("lang")); ok && isRead(r) {
			s.keepLang(w, r, lang)
			http.Redirect(w, r, withoutLang(r.URL), http.StatusSeeOther)
			return
		}
		account := ""
		if info.user != nil {
			account = cmp.Or(cookieValue(r, langNowCookie), info.user.Lang)
		}
		info.lang = i18n.Choose(account, cookieValue(r, langCookie), r.Header.Get("Accept-Language"))
		next.ServeHTTP(w, r)
	})
}

// keepLang stores the language that a person picked from the menu. A person whose account
// names a language keeps it; the pick only counts until the browser is closed.
func (s *Server) keepLang(w http.ResponseWriter, r *http.Request, lang i18n.Lang) {
	http.SetCookie(w, s.cookie(langCookie, string(lang), displayMaxAge))
	if s.currentUser(r) != nil {
		http.SetCookie(w, s.cookie(langNowCookie, string(lang), 0))
	}
}

// withoutLang returns the address without its lang parameter, as a path of ours.
func withoutLang(u *url.URL) string {
	q := u.Query()
	q.Del("lang")
	clean := url.URL{Path: u.Path, RawPath: u.RawPath, RawQuery: q.Encode()}
	return localPath(clean.String())
}

func isRead(r *http.Request) bool { return r.Method == http.MethodGet || r.Method == http.MethodHead }

// displaySave stores theme and density of the browser and goes back to the page.
func (s *Server) displaySave(w http.ResponseWriter, r *http.Request) error {
	f, err := s.parseForm(w, r)
	if err != nil {
		return err
	}
	s.keepChoice(w, themeCookie, f, "theme", themes)
	s.keepChoice(w, densityCookie, f, "density", densities)
	if lang, ok := i18n.ParseLang(f.raw("lang")); ok {
		s.keepLang(w, r, lang)
	}
	return s.redirect(w, r, localPath(f.raw("next")))
}

// keepChoice stores one choice; an empty value goes back to following the system.
func (s *Server) keepChoice(w http.ResponseWriter, cookie string, f *form, field string, choices []string) {
	if !f.has(field) {
		return
	}
	v := f.raw(field)
	switch {
	case slices.Contains(choices, v):
		http.SetCookie(w, s.cookie(cookie, v, displayMaxAge))
	default:
		http.SetCookie(w, s.cookie(cookie, "", -1))
	}
}

// localPath returns p if it is a path on this site, else "/". It keeps a crafted "next"
// from sending a person to another site after sign-in.
func localPath(p string) string {
	u, err := url.Parse(p)
	if err != nil || u.IsAbs() || u.Host != "" || u.User != nil || len(p) == 0 || p[0] != '/' {
		return "/"
	}
	if len(p) > 1 && (p[1] == '/' || p[1] == '\\') {
		return "/"
	}
	for _, c := range p {
		if c < ' ' || c == '\\' || c == 0x7f {
			return "/"
		}
	}
	return p
}
