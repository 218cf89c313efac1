package auth

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/alexedwards/argon2id"

	"rackwright/internal/apperr"
)

// TestMatrix spells the matrix out a second time, by role, so that a change of either shows.
func TestMatrix(t *testing.T) {
	want := map[Role]string{
		Visitor: "public",
		Sales: "public signed_in quotes.read quotes.edit customers.read customers.edit stock.read " +
			"prices.read internal.see",
		Lead: "public signed_in quotes.read quotes.edit quotes.edit_any quotes.approve export.licence margin.see " +
			"customers.read customers.edit stock.read prices.read floor.see internal.see",
		Stock: "public signed_in stock.read stock.edit internal.see",
		Pricing: "public signed_in quotes.read quotes.approve_floor margin.see customers.read stock.read " +
			"prices.read prices.edit floor.see imports.run internal.see",
		Admin: "public signed_in quotes.read margin.see customers.read stock.read prices.read floor.see " +
			"company.edit users.manage audit.read internal.see",
	}
	for role, list := range want {
		var got []string
		for _, p := range Permissions {
			if role.Allows(p) {
				got = append(got, string(p))
			}
		}
		if joined := strings.Join(got, " "); joined != list {
			t.Errorf("%s:\n got %s\nwant %s", role, joined, list)
		}
	}
}

func TestMatrixRules(t *testing.T) {
	for _, p := range []Permission{SeeMargin, ReadFloor, ReadQuotes, ReadPrices} {
		if Stock.Allows(p) {
			t.Errorf("stock may %s", p)
		}
	}
	for _, p := range []Permission{ApproveQuotes, ApproveFloor} {
		if Admin.Allows(p) {
			t.Errorf("admin may %s without the role", p)
		}
	}
	if Sales.Allows(SeeMargin) || Sales.Allows(ReadFloor) {
		t.Error("sales sees figures that it must not")
	}
}

func TestUserCan(t *testing.T) {
	both := &User{Roles: []Role{Sales, Stock}}
	cases := []struct {
		name string
		user *User
		perm Permission
		want bool
	}{
		{"visitor, public page", nil, Public, true},
		{"visitor, signed-in page", nil, SignedIn, false},
		{"visitor, quotes", nil, ReadQuotes, false},
		{"no roles, own account", &User{}, SignedIn, true},
		{"no roles, quotes", &User{}, ReadQuotes, false},
		{"two roles, right of the second", both, EditStock, true},
		{"two roles, right of neither", both, SeeMargin, false},
		{"disabled", &User{Roles: []Role{Admin}, Disabled: true}, ManageUsers, false},
		{"disabled, own account", &User{Roles: []Role{Admin}, Disabled: true}, SignedIn, false},
		{"one-time password, quotes", &User{Roles: []Role{Sales}, MustChangePassword: true}, ReadQuotes, false},
		{"one-time password, own account", &User{Roles: []Role{Sales}, MustChangePassword: true}, SignedIn, true},
		{"unknown permission", both, "made.up", false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := c.user.Can(c.perm); got != c.want {
				t.Errorf("Can(%s) = %v", c.perm, got)
			}
		})
	}
}

func TestInitials(t *testing.T) {
	for name, want := range map[string]string{
		"Anna Berg": "AB", "anna": "A", "王小明": "王", "王 小明": "王", "Anna von Berg": "AB", "": "X",
	} {
		if got := (&User{Name: "x", DisplayName: name}).Initials(); got != want {
			t.Errorf("%q: %q, want %q", name, got, want)
		}
	}
}

func TestUserValidate(t *testing.T) {
	good := User{Name: "anna.berg", DisplayName: "Anna Berg", Email: "a@example.com", Roles: []Role{Sales}}
	if err := good.Validate(); err != nil {
		t.Fatal(err)
	}
	cases := []struct {
		name, field string
		change      func(*User)
	}{
		{"upper case name", "name", func(u *User) { u.Name = "Anna" }},
		{"one letter", "name", func(u *User) { u.Name = "a" }},
		{"name with space", "name", func(u *User) { u.Name = "anna berg" }},
		{"no display name", "display_name", func(u *User) { u.DisplayName = "" }},
		{"huge display name", "display_name", func(u *User) { u.DisplayName = strings.Repeat("王", 121) }},
		{"mail without at", "email", func(u *User) { u.Email = "anna" }},
		{"mail with line break", "email", func(u *User) { u.Email = "a@b.c\nBcc: x@y.z" }},
		{"no role", "roles", func(u *User) { u.Roles = nil }},
		{"unknown role", "roles", func(u *User) { u.Roles = []Role{"root"} }},
		{"visitor as role", "roles", func(u *User) { u.Roles = []Role{Visitor} }},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			u := good
			c.change(&u)
			e, ok := errors.AsType[*apperr.Error](u.Validate())
			if !ok || len(e.Fields) != 1 || e.Fields[c.field].ID == "" {
				t.Errorf("got %v, want a fault of %s", e, c.field)
			}
		})
	}
}

func TestCheckPassword(t *testing.T) {
	u := &User{Name: "anna", Email: "anna.berg@example.com"}
	for password, want := range map[string]string{
		"correct horse battery":   "",
		"一二三四五六七八九十甲乙":            "",
		"short":                   "people.password_short",
		"":                        "people.password_short",
		strings.Repeat("ab", 129): "people.password_long",
		"anna-anna-anna":          "people.password_is_name",
		"ANNA.berg@example.com":   "people.password_is_name",
		"aaaaaaaaaaaaaa":          "people.password_simple",
	} {
		var got string
		if e, ok := errors.AsType[*apperr.Error](CheckPassword(u, password)); ok {
			got = e.Fields["new"].ID
		}
		if got != want {
			t.Errorf("%.20q: %q, want %q", password, got, want)
		}
	}
}

func TestPasswordHash(t *testing.T) {
	h, err := HashPassword("correct horse battery")
	if err != nil {
		t.Fatal(err)
	}
	if !h.Matches("correct horse battery") || h.Matches("correct horse batterY") || h.Matches("") {
		t.Error("the hash matches the wrong passwords")
	}
	if PasswordHash("rubbish").Matches("") || h.Matches(strings.Repeat("x", MaxPasswordLen+1)) {
		t.Error("a malformed hash or a giant password matches")
	}
	if s := fmt.Sprintf("%v %s %#v %+v", h, h, h, Credentials{Password: h}); strings.Contains(s, "argon2") {
		t.Errorf("the hash prints itself: %s", s)
	}
}

func TestNobodyCostsAsMuchAsSomebody(t *testing.T) {
	p, _, _, err := argon2id.DecodeHash(string(nobody))
	if err != nil {
		t.Fatal(err)
	}
	if *p != *params {
		t.Errorf("parameters %+v, want %+v", *p, *params)
	}
	MatchesNobody("anything")
}

func TestToken(t *testing.T) {
	token := NewToken()
	if got, ok := ParseToken(string(token)); !ok || got != token {
		t.Errorf("own token is not accepted: %v", ok)
	}
	for _, bad := range []string{"", "x", string(token) + "A", string(token)[:42], strings.Repeat("*", 43)} {
		if _, ok := ParseToken(bad); ok {
			t.Errorf("%q is accepted", bad)
		}
	}
	if token.Hash() == NewToken().Hash() || strings.Contains(fmt.Sprint(token), string(token)) {
		t.Error("tokens repeat or print themselves")
	}
	if a, b := OneTimePassword(), OneTimePassword(); a == b || len(a) < 20 {
		t.Errorf("one-time passwords %q, %q", a, b)
	}
}

func TestSessionLive(t *testing.T) {
	start := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	s := NewSession(NewToken(), 1, start)
	cases := []struct {
		name string
		seen time.Duration
		at   time.Duration
		want bool
	}{
		{"fresh", 0, 0, true},
		{"almost idle", 0, SessionIdle - 1, true},
		{"idle", 0, SessionIdle, false},
		{"used all week", SessionLife - time.Hour, SessionLife - 1, true},
		{"over", SessionLife - time.Hour, SessionLife, false},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s.Seen = start.Add(c.seen)
			if got := s.Live(start.Add(c.at)); got != c.want {
				t.Errorf("Live = %v", got)
			}
		})
	}
	s.Seen = start
	if s.NeedsTouch(start.Add(SessionTouch-1)) || !s.NeedsTouch(start.Add(SessionTouch)) {
		t.Error("NeedsTouch is off")
	}
}

func TestAttemptsWait(t *testing.T) {
	now := time.Date(2026, 11, 30, 12, 0, 0, 0, time.UTC)
	cases := []struct {
		name string
		a    Attempts
		want time.Duration
	}{
		{"nothing", Attempts{}, 0},
		{"four failures", Attempts{FailedHere: 4, LastHere: now}, 0},
		{"five failures", Attempts{FailedHere: 5, LastHere: now}, 15 * time.Second},
		{"six failures", Attempts{FailedHere: 6, LastHere: now}, 30 * time.Second},
		{"waited long enough", Attempts{FailedHere: 6, LastHere: now.Add(-30 * time.Second)}, 0},
		{"very many", Attempts{FailedHere: 1000, LastHere: now}, 15 * time.Minute},
		{"strangers try the name, I am known", Attempts{FailedAnyway: 500, LastAnyway: now, Known: true}, 0},
		{"strangers try the name, I am new", Attempts{FailedAnyway: 50, LastAnyway: now}, 15 * time.Second},
		{"known, but failing myself", Attempts{FailedHere: 5, LastHere: now, Known: true}, 15 * time.Second},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			if got := c.a.Wait(now); got != c.want {
				t.Errorf("Wait = %v, want %v", got, c.want)
			}
		})
	}
}
