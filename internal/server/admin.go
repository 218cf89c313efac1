package server

import (
	"net/http"

	"rackwright/internal/apperr"
	"rackwright/internal/auth"
	"rackwright/internal/view"
	"rackwright/web/templates/pages"
)

// auditPage is the number of entries of the audit log on one page.
const auditPage = 50

func (s *Server) adminRoutes() []Route {
	return []Route{
		{Method: http.MethodGet, Pattern: "/admin", Perm: auth.ManageUsers, Handler: s.admin},
		{Method: http.MethodGet, Pattern: "/admin/users", Perm: auth.ManageUsers, Handler: s.userList},
		{Method: http.MethodPost, Pattern: "/admin/users", Perm: auth.ManageUsers, Handler: s.userCreate},
		{Method: http.MethodGet, Pattern: "/admin/users/new", Perm: auth.ManageUsers, Handler: s.userNew},
		{Method: http.MethodGet, Pattern: "/admin/users/{id}", Perm: auth.ManageUsers, Handler: s.userEdit},
		{Method: http.MethodPost, Pattern: "/admin/users/{id}", Perm: auth.ManageUsers, Handler: s.userSave},
		{Method: http.MethodPost, Pattern: "/admin/users/{id}/password", Perm: auth.ManageUsers, Handler: s.userReset},
		{Method: http.MethodGet, Pattern: "/admin/audit", Perm: auth.ReadAudit, Handler: s.auditList},
	}
}

// admin leads to the first page of administration.
func (s *Server) admin(w http.ResponseWriter, r *http.Request) error {
	return s.redirect(w, r, "/admin/users")
}

// adminPage is the page of an administration address, with its place in the product.
func (s *Server) adminPage(r *http.Request, id string, above ...view.Crumb) view.Page {
	p := s.pageT(r, id)
	p.Crumbs = append([]view.Crumb{{Label: p.T("navigation.administration"), Href: "/admin"}}, above...)
	p.Crumbs = append(p.Crumbs, view.Crumb{Label: p.Title})
	return p
}

// userList shows everybody who can or could sign in.
func (s *Server) userList(w http.ResponseWriter, r *http.Request) error {
	users, err := s.store.Users(r.Context())
	if err != nil {
		return err
	}
	return s.render(w, r, http.StatusOK, pages.Users(view.NewUsers(s.adminPage(r, "admin.users_and_roles"), users)))
}

// userNew shows the empty form of a person. The one-time password is made here and travels
// with the form: a form that is sent twice then names the same password twice.
func (s *Server) userNew(w http.ResponseWriter, r *http.Request) error {
	return s.userForm(w, r, view.UserInput{OneTime: auth.OneTimePassword(), Key: newKey()}, nil)
}

// userForm renders the form of a person, filled, with what is wrong with it.
func (s *Server) userForm(w http.ResponseWriter, r *http.Request, in view.UserInput, cause error) error {
	p := s.adminPage(r, "people.add", view.Crumb{Label: s.pageT(r, "admin.users_and_roles").Title, Href: "/admin/users"})
	if in.ID != 0 {
		p.Title = in.User.DisplayName
		p.Crumbs[len(p.Crumbs)-1].Label = p.Title
	}
	return s.render(w, r, statusOf(cause), pages.User(view.NewUserForm(p, in, cause)))
}

// readUser reads the fields that both forms of a person have.
func readUser(f *form) auth.User {
	u := auth.User{
		DisplayName: f.text("display_name", auth.MaxDisplayNameLen),
		Email:       f.text("email", auth.MaxEmailLen),
		Disabled:    f.checked("disabled"),
	}
	for _, role := range auth.StaffRoles {
		if f.checked("role_" + string(role)) {
			u.Roles = append(u.Roles, role)
		}
	}
	return u
}

// shown returns a person with the texts as they were typed, for showing the form again.
func shown(u auth.User, f *form) auth.User {
	u.DisplayName, u.Email = f.raw("display_name"), f.raw("email")
	if u.ID == 0 {
		u.Name = f.raw("name")
	}
	return u
}

// userCreate adds a person with a one-time password.
func (s *Server) userCreate(w http.ResponseWriter, r *http.Request) error {
	f, err := s.parseForm(w, r)
	if err != nil {
		return err
	}
	u := readUser(f)
	u.Name = auth.NormaliseName(f.text("name", auth.MaxNameLen))
	u.MustChangePassword, u.Disabled = true, false
	oneTime, key := f.raw("one_time"), f.key()
	err = firstError(f.err(), u.Validate(), checkOneTime(&u, oneTime))
	if err == nil {
		err = s.createUser(w, r, u, oneTime, key)
	}
	if err != nil && isForm(err) {
		if checkOneTime(&u, oneTime) != nil {
			oneTime = auth.OneTimePassword()
		}
		return s.userForm(w, r, view.UserInput{User: shown(u, f), OneTime: oneTime, Key: f.keyAgain()}, err)
	}
	if err != nil {
		return err
	}
	return s.redirect(w, r, "/admin/users")
}

func (s *Server) createUser(w http.ResponseWriter, r *http.Request, u auth.User, oneTime, key string) error {
	hash, err := auth.HashPassword(oneTime)
	if err != nil {
		return err
	}
	_, created, err := s.store.CreateUser(r.Context(), s.currentUser(r).ID,
		auth.NewUser{User: u, Password: hash, Key: key})
	if err != nil {
		return err
	}
	if created {
		s.flash(w, "ok", "people.created", "name", u.DisplayName, "password", oneTime)
	} else {
		s.flash(w, "note", "people.created_before", "name", u.DisplayName)
	}
	return nil
}

// checkOneTime checks the one-time password that came back with the form. It names the
// field of the form that shows it.
func checkOneTime(u *auth.User, password string) error {
	if auth.CheckPassword(u, password) == nil && storable(password) {
		return nil
	}
	var f apperr.Faults
	f.Add("one_time", "errors.form_stale")
	return f.Err()
}

// userOf reads the person of the address.
func (s *Server) userOf(r *http.Request) (auth.User, error) {
	id, err := pathID(r, "id")
	if err != nil {
		return auth.User{}, err
	}
	return s.store.User(r.Context(), id)
}

// userEdit shows the form of a person.
func (s *Server) userEdit(w http.ResponseWriter, r *http.Request) error {
	u, err := s.userOf(r)
	if err != nil {
		return err
	}
	return s.userForm(w, r, view.UserInput{ID: u.ID, User: u, OneTime: auth.OneTimePassword()}, nil)
}

// userSave stores what an administrator changed about a person.
func (s *Server) userSave(w http.ResponseWriter, r *http.Request) error {
	stored, err := s.userOf(r)
	if err != nil {
		return err
	}
	f, err := s.parseForm(w, r)
	if err != nil {
		return err
	}
	u := readUser(f)
	u.ID, u.Name, u.Version = stored.ID, stored.Name, f.version()
	if u.Disabled && u.ID == s.currentUser(r).ID {
		f.Add("disabled", "people.not_yourself")
	}
	err = firstError(f.err(), u.Validate())
	if err == nil {
		err = s.store.UpdateUser(r.Context(), s.currentUser(r).ID, u)
	}
	if err != nil && isForm(err) {
		if apperr.Is(err, apperr.Conflict) {
			u.Version = stored.Version // the person was told; the next save counts
		}
		return s.userForm(w, r, view.UserInput{ID: u.ID, User: shown(u, f), OneTime: auth.OneTimePassword()}, err)
	}
	if err != nil {
		return err
	}
	s.flash(w, "ok", "actions.saved")
	return s.redirect(w, r, "/admin/users")
}

// userReset gives a person a new one-time password.
func (s *Server) userReset(w http.ResponseWriter, r *http.Request) error {
	u, err := s.userOf(r)
	if err != nil {
		return err
	}
	f, err := s.parseForm(w, r)
	if err != nil {
		return err
	}
	oneTime := f.raw("one_time")
	if err := checkOneTime(&u, oneTime); err != nil {
		return s.userForm(w, r, view.UserInput{ID: u.ID, User: u, OneTime: auth.OneTimePassword()}, err)
	}
	hash, err := auth.HashPassword(oneTime)
	if err != nil {
		return err
	}
	err = s.store.SetPassword(r.Context(), s.currentUser(r).ID, u.ID, hash, true, auth.TokenHash{})
	if err != nil {
		return err
	}
	s.flash(w, "ok", "people.reset_done", "name", u.DisplayName, "password", oneTime)
	return s.redirect(w, r, "/admin/users")
}

// auditList shows a page of the audit log; ?below= goes on from an entry.
func (s *Server) auditList(w http.ResponseWriter, r *http.Request) error {
	below := queryID(r, "below")
	entries, err := s.store.AuditLog(r.Context(), below, auditPage+1)
	if err != nil {
		return err
	}
	c, err := s.store.Company(r.Context())
	if err != nil {
		return err
	}
	older := int64(0)
	if len(entries) > auditPage {
		entries = entries[:auditPage]
		older = entries[auditPage-1].ID
	}
	v := view.NewAudit(s.adminPage(r, "audit.audit_log"), entries, c.Location(), older, below == 0)
	return s.render(w, r, http.StatusOK, pages.Audit(v))
}

// firstError returns the faults of all errors as one when they are Invalid, else the first
// error that is not nil. The parts of one form are checked apart and shown together.
func firstError(errs ...error) error {
	var all apperr.Faults
	for _, err := range errs {
		if err == nil {
			continue
		}
		if !mergeFaults(&all, err) {
			return err
		}
	}
	return all.Err()
}

// mergeFaults adds the faults of an Invalid error and reports whether it was one.
func mergeFaults(all *apperr.Faults, err error) bool {
	e, ok := asInvalid(err)
	if !ok {
		return false
	}
	for _, name := range e.FieldNames() {
		all.Add(name, e.Fields[name].ID, e.Fields[name].Args...)
	}
	return true
}
