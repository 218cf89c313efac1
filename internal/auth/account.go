package auth

// NewUser is a person to be created, with the hash of a one-time password.
type NewUser struct {
	User
	Password PasswordHash
	Key      string // idempotency key of the form; the same key creates one person
}

// Credentials is what a sign-in is checked against.
type Credentials struct {
	User     User
	Password PasswordHash
}
