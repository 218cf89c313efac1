package auth

import (
	"crypto/rand"
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/alexedwards/argon2id"

	"rackwright/internal/apperr"
)

// The limits of a password. Length is the one rule that helps (NIST SP 800-63B 3.1.1.2:
// no composition rules); the upper limit keeps hashing from being a way to burn CPU.
const (
	MinPasswordLen = 12
	MaxPasswordLen = 256 // bytes
)

// params are the second recommended setting of the OWASP password storage cheat sheet:
// 19 MiB, two passes, one lane; about 60 ms on a small server.
var params = &argon2id.Params{Memory: 19 * 1024, Iterations: 2, Parallelism: 1, SaltLength: 16, KeyLength: 32}

// PasswordHash is an argon2id hash in its encoded form. It never prints itself.
type PasswordHash string

// String hides the hash from logs and error messages.
func (PasswordHash) String() string { return "(password hash)" }

// GoString hides the hash from %#v.
func (PasswordHash) GoString() string { return "(password hash)" }

// HashPassword returns the hash of a password that CheckPassword accepted.
func HashPassword(password string) (PasswordHash, error) {
	h, err := argon2id.CreateHash(password, params)
	if err != nil {
		return "", fmt.Errorf("hash password: %w", err)
	}
	return PasswordHash(h), nil
}

// Matches reports whether the password belongs to the hash. A malformed hash matches nothing.
func (h PasswordHash) Matches(password string) bool {
	if len(password) > MaxPasswordLen {
		return false
	}
	ok, err := argon2id.ComparePasswordAndHash(password, string(h))
	return err == nil && ok
}

// nobody is the hash of a random password. Comparing against it for an unknown user takes
// as long as for a known one, so the answer's time does not tell which names exist.
const nobody PasswordHash = "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$9s5uWcXYYmJpvF7w6GJ2kMJcPbbK5QhzRk3N6QYbUjY"

// MatchesNobody does the work of Matches for a user that does not exist.
func MatchesNobody(password string) { _ = nobody.Matches(password) }

// CheckPassword refuses a new password that is too short, too long, or the user's own name.
func CheckPassword(u *User, password string) error {
	var f apperr.Faults
	lower := strings.ToLower(password)
	switch {
	case utf8.RuneCountInString(password) < MinPasswordLen:
		f.Add("new", "people.password_short", "min", MinPasswordLen)
	case len(password) > MaxPasswordLen:
		f.Add("new", "people.password_long")
	case containsName(lower, u.Name) || u.Email != "" && lower == strings.ToLower(u.Email):
		f.Add("new", "people.password_is_name")
	case oneCharacter(password):
		f.Add("new", "people.password_simple")
	}
	return f.Err()
}

// containsName reports whether a password is little more than the user's name.
func containsName(lower, name string) bool {
	if name == "" || !strings.Contains(lower, name) {
		return false
	}
	return utf8.RuneCountInString(strings.ReplaceAll(lower, name, "")) < MinPasswordLen/2
}

// oneCharacter reports whether a password repeats one character.
func oneCharacter(password string) bool {
	first, _ := utf8.DecodeRuneInString(password)
	return strings.Trim(password, string(first)) == ""
}

// OneTimePassword returns a random password to be handed to a person and changed at the
// first sign-in: 130 bits in letters and digits that are not mistaken for each other.
func OneTimePassword() string { return strings.ToLower(rand.Text()) }
