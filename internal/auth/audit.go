package auth

import "time"

// AuditEntry is one line of the record of who changed what.
type AuditEntry struct {
	ID         int64
	At         time.Time
	Actor      string // as the person was called then; empty is the program itself
	Action     string // for example "user.create"; message audit.<action> names it
	ObjectType string
	ObjectID   string
	Before     string // JSON, empty where there was nothing
	After      string // JSON, empty where nothing is left
}
