package auth

import (
	"crypto/sha256"
	"time"
)

// The brake on guessing passwords. It slows a guesser and never locks a person out:
// failures count by name and address together, so a stranger's failures do not close the
// door that the person uses. When very many addresses try one name, only addresses from
// which this name has signed in before stay open.
const (
	AttemptWindow   = 15 * time.Minute    // in which failures count
	AttemptMemory   = 90 * 24 * time.Hour // for which a successful sign-in makes an address known
	attemptsFree    = 5                   // failures from one address before the wait begins
	attemptsForName = 50                  // failures from all addresses before strangers wait
	attemptMaxWait  = 15 * time.Minute    // longest wait after one more failure
)

// NameHash identifies a typed user name in the log of attempts. The name itself is not
// kept: people type passwords into the wrong field.
type NameHash [sha256.Size]byte

// HashName returns the NameHash of a typed name.
func HashName(name string) NameHash { return sha256.Sum256([]byte(NormaliseName(name))) }

// Attempts is what is known about recent sign-ins of one name, seen from one address.
type Attempts struct {
	FailedHere   int       // failures from this address within AttemptWindow since the last success
	LastHere     time.Time // of those failures
	FailedAnyway int       // failures from all addresses within AttemptWindow
	LastAnyway   time.Time // of those failures
	Known        bool      // this name has signed in from this address within AttemptMemory
}

// Wait returns how long the next attempt has to wait at now; zero means it may be made.
func (a Attempts) Wait(now time.Time) time.Duration {
	wait := left(a.LastHere, backOff(a.FailedHere-attemptsFree), now)
	if a.Known {
		return wait
	}
	return max(wait, left(a.LastAnyway, backOff(a.FailedAnyway-attemptsForName), now))
}

// backOff returns the wait after the n-th failure beyond the free ones: 15 s, doubled each time.
func backOff(n int) time.Duration {
	if n < 0 {
		return 0
	}
	return min(15*time.Second<<min(n, 10), attemptMaxWait)
}

func left(last time.Time, wait time.Duration, now time.Time) time.Duration {
	return max(0, wait-now.Sub(last))
}
