package auth

import (
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"time"
)

// The life of a session. A person who works every day signs in once a week; a browser
// that was left open is signed out before the next morning.
const (
	SessionLife  = 7 * 24 * time.Hour // from sign-in, whatever happens
	SessionIdle  = 12 * time.Hour     // since the last request
	SessionTouch = 5 * time.Minute    // how stale the time of the last request may get
)

// Token is the secret in the session cookie: 256 bits, base64url.
type Token string

// String hides the token from logs.
func (Token) String() string { return "(session token)" }

// TokenHash is what the database keeps of a token. A stolen copy of the table opens nothing.
type TokenHash [sha256.Size]byte

// NewToken returns a fresh token.
func NewToken() Token {
	var b [32]byte
	_, _ = rand.Read(b[:]) // never fails (crypto/rand aborts the program instead)
	return Token(base64.RawURLEncoding.EncodeToString(b[:]))
}

// ParseToken returns the token of a cookie's value, and whether it has the form of one, so
// that rubbish never reaches the database.
func ParseToken(s string) (Token, bool) {
	b, err := base64.RawURLEncoding.DecodeString(s)
	return Token(s), err == nil && len(b) == 32
}

// Hash returns the stored form of the token. The token is random, so a fast hash is enough.
func (t Token) Hash() TokenHash { return sha256.Sum256([]byte(t)) }

// Session is one signed-in browser.
type Session struct {
	Hash    TokenHash
	UserID  int64
	Created time.Time
	Seen    time.Time
	Ends    time.Time
}

// NewSession returns the session of a sign-in at now.
func NewSession(t Token, userID int64, now time.Time) Session {
	return Session{Hash: t.Hash(), UserID: userID, Created: now, Seen: now, Ends: now.Add(SessionLife)}
}

// Live reports whether the session still counts at now.
func (s Session) Live(now time.Time) bool {
	return now.Before(s.Ends) && now.Before(s.Seen.Add(SessionIdle))
}

// NeedsTouch reports whether the time of the last request is stale enough to be written.
func (s Session) NeedsTouch(now time.Time) bool { return now.Sub(s.Seen) >= SessionTouch }
