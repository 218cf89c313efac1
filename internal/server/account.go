package server

import (
	"context"
	"net/http"
	"strconv"
	"time"

	"rackwright/internal/apperr"
	"rackwright/internal/auth"
	"rackwright/internal/i18n"
	"rackwright/internal/view"
	"rackwright/web/templates/pages"
)

// AccountStore is what sign-in and the pages of people ask of the database.
type AccountStore interface {
	Credentials(ctx context.Context, name string) (auth.Credentials, error)
	LoginAttempts(ctx context.Context, name auth.NameHash, addr string, now time.Time) (auth.Attempts, error)
	RecordAttempt(ctx context.Context, name auth.NameHash, addr string, ok bool, now time.Time) error

	// SetPassword signs the person out everywhere but in the kept session.
	SetPassword(ctx context.Context, actor, id int64, h auth.PasswordHash, mustChange bool, keep auth.TokenHash) error
	SetLang(ctx context.Context, id int64, lang string) error
	UserSessions(ctx context.Context, userID int64, now time.Time) ([]auth.Session, error)

	Users(ctx context.Context) ([]auth.User, error)
	User(ctx context.Context, id int64) (auth.User, error)
	// CreateUser creates one person for one idempotency key, however often it is sent.
	CreateUser(ctx context.Context, actor int64, n auth.NewUser) (id int64, created bool, err error)
	UpdateUser(ctx context.Context, actor int64, u auth.User) error
	AuditLog(ctx context.Context, below int64, max int) ([]auth.AuditEntry, error)
}

// openBeforePasswordChange lists the addresses that a person with a one-time password may
// use before choosing a password; "" is an address that does not exist.
var openBeforePasswordChange = map[string]bool{
	"/account": true, "/account/password": true, "/login": true, "/logout": true, "/display": true,
	"/healthz": true, "/readyz": true, "": true,
}

func (s *Server) accountRoutes() []Route {
	return []Route{
		{Method: http.MethodGet, Pattern: "/account", Perm: auth.SignedIn, Handler: s.account},
		{Method: http.MethodPost, Pattern: "/account/password", Perm: auth.SignedIn, Handler: s.accountPassword},
		{Method: http.MethodPost, Pattern: "/account/language", Perm: auth.SignedIn, Handler: s.accountLanguage},
		{Method: http.MethodPost, Pattern: "/account/sessions", Perm: auth.SignedIn, Handler: s.accountSessions},
	}
}

// account shows a person's own page.
func (s *Server) account(w http.ResponseWriter, r *http.Request) error {
	return s.accountPage(w, r, nil)
}

// accountPage renders a person's own page, with what was wrong with the password form.
func (s *Server) accountPage(w http.ResponseWriter, r *http.Request, cause error) error {
	u, current := s.currentUser(r), infoOf(r).session
	sessions, err := s.store.UserSessions(r.Context(), u.ID, s.now())
	if err != nil {
		return err
	}
	company, err := s.store.Company(r.Context())
	if err != nil {
		return err
	}
	p := s.pageT(r, "navigation.my_account")
	v := view.NewAccount(p, auth.MinPasswordLen, u.Lang)
	v.Name, v.UserName, v.Email, v.Roles = u.DisplayName, u.Name, u.Email, view.RoleList(p.L, u.Roles)
	v.MustChange = u.MustChangePassword
	v.Faults = view.Faulty(p.L, cause, &v.Current, &v.New, &v.Again)
	when := func(t time.Time) string { return view.DateTime(p.Lang, t.In(company.Location())) }
	for _, session := range sessions {
		v.Sessions = append(v.Sessions, view.SessionRow{
			Since: when(session.Created), LastSeen: when(session.Seen), Ends: when(session.Ends),
			Current: session.Hash == current.Hash,
		})
	}
	return s.render(w, r, statusOf(cause), pages.Account(v))
}

// accountPassword changes a person's own password; all other browsers are signed out.
func (s *Server) accountPassword(w http.ResponseWriter, r *http.Request) error {
	f, err := s.parseForm(w, r)
	if err != nil {
		return err
	}
	u, info := s.currentUser(r), infoOf(r)
	if err := s.checkNewPassword(r, u, f); err != nil {
		if isForm(err) {
			return s.accountPage(w, r, err)
		}
		return err
	}
	hash, err := auth.HashPassword(f.raw("new"))
	if err != nil {
		return err
	}
	if err := s.store.SetPassword(r.Context(), u.ID, u.ID, hash, false, info.session.Hash); err != nil {
		return err
	}
	s.flash(w, "ok", "people.password_changed")
	if u.MustChangePassword {
		return s.redirect(w, r, "/")
	}
	return s.redirect(w, r, "/account")
}

// checkNewPassword checks the three fields of the password form. Guesses at the current
// password count like failed sign-ins: a page left open must not be a way around them.
func (s *Server) checkNewPassword(r *http.Request, u *auth.User, f *form) error {
	if wait, err := s.guessWait(r, u.Name); err != nil || wait != nil {
		if err == nil {
			err = wait
		}
		return err
	}
	c, err := s.store.Credentials(r.Context(), u.Name)
	if err != nil {
		return err
	}
	if !c.Password.Matches(f.raw("current")) {
		f.Add("current", "people.password_wrong")
		err := s.store.RecordAttempt(r.Context(), auth.HashName(u.Name), infoOf(r).addr, false, s.now())
		if err != nil {
			return err
		}
		return f.err()
	}
	if err := auth.CheckPassword(u, f.raw("new")); err != nil {
		return err
	}
	switch {
	case f.raw("again") != f.raw("new"):
		f.Add("again", "people.password_differs")
	case f.raw("new") == f.raw("current"):
		f.Add("new", "people.password_same")
	}
	return f.err()
}

// guessWait returns how long the next guess at a person's password has to wait, nil for not at all.
func (s *Server) guessWait(r *http.Request, name string) (*waitError, error) {
	a, err := s.store.LoginAttempts(r.Context(), auth.HashName(name), infoOf(r).addr, s.now())
	if err != nil {
		return nil, err
	}
	if wait := a.Wait(s.now()); wait > 0 {
		return &waitError{wait: wait}, nil
	}
	return nil, nil //nolint:nilnil // no wait is the common case
}

// accountLanguage stores the language of the account.
func (s *Server) accountLanguage(w http.ResponseWriter, r *http.Request) error {
	f, err := s.parseForm(w, r)
	if err != nil {
		return err
	}
	lang := f.raw("lang")
	if _, ok := i18n.ParseLang(lang); !ok && lang != "" {
		return apperr.New(apperr.Invalid, "errors.form_choose")
	}
	if err := s.store.SetLang(r.Context(), s.currentUser(r).ID, lang); err != nil {
		return err
	}
	http.SetCookie(w, s.cookie(langNowCookie, "", -1))
	s.flash(w, "ok", "actions.saved")
	return s.redirect(w, r, "/account")
}

// accountSessions signs the person out in every other browser.
func (s *Server) accountSessions(w http.ResponseWriter, r *http.Request) error {
	n, err := s.store.EndSessions(r.Context(), s.currentUser(r).ID, infoOf(r).session.Hash)
	if err != nil {
		return err
	}
	s.flash(w, "ok", "people.signed_out_elsewhere", "n", strconv.FormatInt(n, 10))
	return s.redirect(w, r, "/account")
}
