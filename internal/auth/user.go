package auth

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"rackwright/internal/apperr"
)

// Role is one hat of a person. A person can hold several.
type Role string

// The roles. Visitor is everybody who is not signed in; it is never stored.
const (
	Visitor Role = "visitor"
	Sales   Role = "sales"
	Lead    Role = "lead"
	Stock   Role = "stock"
	Pricing Role = "pricing"
	Admin   Role = "admin"
)

// StaffRoles lists the roles that a user can hold, in the order in which forms show them.
var StaffRoles = []Role{Sales, Lead, Stock, Pricing, Admin}

// ParseRole returns the role of a stored or submitted name, and whether a user can hold it.
func ParseRole(s string) (Role, bool) {
	r := Role(s)
	return r, slices.Contains(StaffRoles, r)
}

// User is a person who can sign in.
type User struct {
	ID                 int64
	Name               string // what is typed at sign-in, lower case, unique
	DisplayName        string // as colleagues and documents show it
	Email              string // may be empty
	Lang               string // BCP 47 tag of the person's language, "" follows the browser
	Roles              []Role
	MustChangePassword bool // the password was given out and opens nothing but its own change
	Disabled           bool
	Version            int64 // row version, for forms
}

// Can reports whether the person holds a permission. A nil user is a visitor. A disabled
// person holds what a visitor holds; one with a password that was handed out can only use
// the own account besides.
func (u *User) Can(p Permission) bool {
	if u == nil || u.Disabled {
		return Visitor.Allows(p)
	}
	if p == SignedIn {
		return true // also without any role: they can change their password and leave
	}
	if p == Public {
		return true
	}
	if u.MustChangePassword {
		return false
	}
	return slices.ContainsFunc(u.Roles, func(r Role) bool { return r.Allows(p) })
}

// Has reports whether the person holds a role.
func (u *User) Has(r Role) bool { return u != nil && slices.Contains(u.Roles, r) }

// Initials returns one or two letters for the small sign of a person.
// A Chinese name gives its first character, as colleagues would write it.
func (u *User) Initials() string {
	words := strings.Fields(u.DisplayName)
	if len(words) == 0 {
		words = []string{u.Name}
	}
	first, _ := utf8.DecodeRuneInString(words[0])
	if len(words) == 1 || unicode.Is(unicode.Han, first) {
		return string(unicode.ToUpper(first))
	}
	last, _ := utf8.DecodeRuneInString(words[len(words)-1])
	return string(unicode.ToUpper(first)) + string(unicode.ToUpper(last))
}

// The longest texts of a user, in characters. The schema has the same limits.
const (
	MaxNameLen        = 64
	MaxDisplayNameLen = 120
	MaxEmailLen       = 254
)

var (
	userName = regexp.MustCompile(`^[a-z0-9][a-z0-9._-]{1,63}$`)
	// An address is proved by mail that arrives, not by a pattern; this only catches slips.
	email = regexp.MustCompile(`^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>".]+$`)
)

// NormaliseName returns a user name as it is stored and compared.
func NormaliseName(s string) string { return strings.ToLower(strings.TrimSpace(s)) }

// Validate checks what an administrator typed about a person. Faults are named by the
// form fields name, display_name, email and roles.
func (u *User) Validate() error {
	var f apperr.Faults
	if !userName.MatchString(u.Name) {
		f.Add("name", "people.name_form")
	}
	switch n := utf8.RuneCountInString(u.DisplayName); {
	case n == 0:
		f.Add("display_name", "errors.required")
	case n > MaxDisplayNameLen:
		f.Add("display_name", "errors.too_long", "max", MaxDisplayNameLen)
	}
	if u.Email != "" && (len(u.Email) > MaxEmailLen || !email.MatchString(u.Email)) {
		f.Add("email", "errors.form_email")
	}
	if len(u.Roles) == 0 {
		f.Add("roles", "people.role_required")
	}
	for _, r := range u.Roles {
		if _, ok := ParseRole(string(r)); !ok {
			f.Add("roles", "people.role_unknown")
		}
	}
	return f.Err()
}
