package server

import (
	"net/http"
	"strings"
	"time"

	"github.com/go-chi/httprate"

	"rackwright/internal/apperr"
	"rackwright/internal/auth"
	"rackwright/internal/i18n"
	"rackwright/internal/view"
	"rackwright/web/templates/pages"
)

func (s *Server) sessionRoutes() []Route {
	return []Route{
		{Method: http.MethodGet, Pattern: "/login", Perm: auth.Public, Handler: s.loginForm},
		{Method: http.MethodPost, Pattern: "/login", Perm: auth.Public, Handler: s.login},
		{Method: http.MethodPost, Pattern: "/logout", Perm: auth.Public, Handler: s.logout},
	}
}

// The first shield of sign-in, before a password is hashed at all: so many tries per address
// and minute, in this process. The second is auth.Attempts, by name and shared by all
// processes.
const (
	loginBurst  = 30
	loginWindow = time.Minute
)

func newLoginLimit() *httprate.RateLimiter {
	return httprate.NewRateLimiter(loginBurst, loginWindow)
}

// loginForm shows the sign-in page; who is signed in goes on.
func (s *Server) loginForm(w http.ResponseWriter, r *http.Request) error {
	next := localPath(r.URL.Query().Get("next"))
	if s.currentUser(r) != nil {
		return s.redirect(w, r, next)
	}
	v, err := s.loginView(r, "", next)
	if err != nil {
		return err
	}
	v.Ended = r.URL.Query().Get("ended") != ""
	return s.render(w, r, http.StatusOK, pages.Login(v))
}

func (s *Server) loginView(r *http.Request, name, next string) (view.Login, error) {
	c, err := s.store.Company(r.Context())
	if err != nil {
		return view.Login{}, err
	}
	return view.NewLogin(s.pageT(r, "navigation.sign_in"), c.Name, name, next), nil
}

// login checks name and password. The answer to a wrong name, a wrong password and a
// disabled person is the same, and takes as long.
func (s *Server) login(w http.ResponseWriter, r *http.Request) error {
	info := infoOf(r)
	if s.loginLimit.OnLimit(w, r, httprate.CanonicalizeIP(info.addr)) {
		return s.loginAgain(w, r, "", "/", &waitError{wait: loginWindow})
	}
	f, err := s.parseForm(w, r)
	if err != nil {
		return err
	}
	name, next := strings.TrimSpace(f.raw("name")), localPath(f.raw("next"))
	user, err := s.checkLogin(r, name, f.raw("password"))
	if err != nil {
		return s.loginAgain(w, r, name, next, err)
	}
	if info.session != nil { // signed in over another session of this browser
		if err := s.store.EndSession(r.Context(), info.session.Hash); err != nil {
			return err
		}
	}
	if err := s.startSession(w, r, user.ID); err != nil {
		return err
	}
	if user.MustChangePassword {
		next = "/account"
	}
	return s.redirect(w, r, next)
}

// checkLogin returns the person of a name and a password, or why not.
func (s *Server) checkLogin(r *http.Request, name, password string) (*auth.User, error) {
	ctx, hash, addr := r.Context(), auth.HashName(name), infoOf(r).addr
	attempts, err := s.store.LoginAttempts(ctx, hash, addr, s.now())
	if err != nil {
		return nil, err
	}
	if wait := attempts.Wait(s.now()); wait > 0 {
		return nil, &waitError{wait: wait}
	}
	c, err := s.credentials(r, name)
	if err != nil {
		return nil, err
	}
	ok := false
	if c == nil {
		auth.MatchesNobody(password)
	} else {
		ok = c.Password.Matches(password) && !c.User.Disabled
	}
	if err := s.store.RecordAttempt(ctx, hash, addr, ok, s.now()); err != nil {
		return nil, err
	}
	if !ok {
		return nil, apperr.New(apperr.Invalid, "errors.form_sign_in")
	}
	return &c.User, nil
}

// credentials returns what a name's password is checked against, nil for an unknown name.
func (s *Server) credentials(r *http.Request, name string) (*auth.Credentials, error) {
	if !storable(name) || len(name) > auth.MaxNameLen {
		return nil, nil //nolint:nilnil // an impossible name is an unknown one
	}
	c, err := s.store.Credentials(r.Context(), name)
	if apperr.Is(err, apperr.NotFound) {
		return nil, nil //nolint:nilnil // the caller treats it like a wrong password
	}
	if err != nil {
		return nil, err
	}
	return &c, nil
}

// loginAgain shows the sign-in page with what was wrong. The password is never sent back.
func (s *Server) loginAgain(w http.ResponseWriter, r *http.Request, name, next string, cause error) error {
	status := statusFor(cause)
	if status != http.StatusUnprocessableEntity && status != http.StatusTooManyRequests {
		return cause
	}
	if !storable(name) {
		name = ""
	}
	v, err := s.loginView(r, name, next)
	if err != nil {
		return err
	}
	v.Error = s.errorText(i18n.For(v.Lang), status, cause)
	w.Header().Set("Cache-Control", "no-store")
	setRetryAfter(w, cause)
	return s.render(w, r, status, pages.Login(v))
}

// logout signs this browser out. It is open to everybody, so that a page left open after the
// session ended still leads to the same place.
func (s *Server) logout(w http.ResponseWriter, r *http.Request) error {
	if session := infoOf(r).session; session != nil {
		if err := s.store.EndSession(r.Context(), session.Hash); err != nil {
			return err
		}
	}
	http.SetCookie(w, s.cookie(s.sessionCookie(), "", -1))
	http.SetCookie(w, s.cookie(langNowCookie, "", -1))
	return s.redirect(w, r, "/login")
}
