// Package apperr is the one error type that may reach a person.
//
// An *Error carries a kind (what a caller may branch on), a message that a customer may
// read, and faults by field or row. Everything that is not an *Error is internal: it is
// logged with the request id and shown as one fixed sentence. The package knows neither
// HTTP status codes nor SQLSTATEs; those live in server/errors.go and postgres/errors.go.
package apperr

import (
	"errors"
	"fmt"
	"sort"
	"strings"
)

// Kind says what went wrong, in terms a caller can act on.
type Kind uint8

// The kinds. Anything else is an internal error.
const (
	Invalid         Kind = iota + 1 // what was typed or uploaded cannot be accepted
	NotFound                        // no such thing, or not for this person
	Conflict                        // the thing changed meanwhile, or its state forbids the step
	Forbidden                       // signed in, but without the right
	Unauthenticated                 // not signed in
	Unavailable                     // a part of the system is away; trying again may help
)

var kindNames = map[Kind]string{
	Invalid: "invalid", NotFound: "not found", Conflict: "conflict",
	Forbidden: "forbidden", Unauthenticated: "unauthenticated", Unavailable: "unavailable",
}

// String returns the kind's name in lower case.
func (k Kind) String() string {
	if s, ok := kindNames[k]; ok {
		return s
	}
	return fmt.Sprintf("kind(%d)", uint8(k))
}

// Message is a text to be translated: an id of internal/i18n and its named arguments.
// Args alternate name, value. Domain packages name the message; only view turns it into words.
type Message struct {
	ID   string
	Args []any
}

// Msg builds a Message. args alternate name, value.
func Msg(id string, args ...any) Message { return Message{ID: id, Args: args} }

// Error is an error whose message a person may read.
type Error struct {
	Kind   Kind
	Msg    Message
	Fields map[string]Message // by form field or row path, for example "lines[1].qty"
	Err    error              // the cause, for the log only; may be nil
}

// Error returns the kind, the message id, the faulty fields in order and the cause, for logs and tests.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString(e.Kind.String())
	if e.Msg.ID != "" {
		fmt.Fprintf(&b, ": %s %v", e.Msg.ID, e.Msg.Args)
	}
	for _, name := range e.FieldNames() {
		fmt.Fprintf(&b, "; %s: %s %v", name, e.Fields[name].ID, e.Fields[name].Args)
	}
	if e.Err != nil {
		fmt.Fprintf(&b, ": %v", e.Err)
	}
	return b.String()
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// FieldNames returns the faulty fields in alphabetical order.
func (e *Error) FieldNames() []string {
	names := make([]string, 0, len(e.Fields))
	for name := range e.Fields {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}

// New returns an error of a kind with a message id and its named arguments.
func New(kind Kind, id string, args ...any) *Error {
	return &Error{Kind: kind, Msg: Msg(id, args...)}
}

// Wrap is New with a cause for the log.
func Wrap(kind Kind, err error, id string, args ...any) *Error {
	return &Error{Kind: kind, Msg: Msg(id, args...), Err: err}
}

// Is reports whether err is an *Error of the kind, at any depth.
func Is(err error, kind Kind) bool {
	e, ok := errors.AsType[*Error](err)
	return ok && e.Kind == kind
}

// Faults collects messages by field while a form or a row is read. The zero value is ready.
type Faults struct {
	fields map[string]Message
}

// Add records a fault; the first one of a field wins, because it is the most basic.
func (f *Faults) Add(field, id string, args ...any) {
	if f.fields == nil {
		f.fields = map[string]Message{}
	}
	if _, ok := f.fields[field]; !ok {
		f.fields[field] = Msg(id, args...)
	}
}

// Len returns the number of faulty fields.
func (f *Faults) Len() int { return len(f.fields) }

// Has reports whether the field has a fault.
func (f *Faults) Has(field string) bool { _, ok := f.fields[field]; return ok }

// Err returns nil when there is no fault, else an Invalid error with all of them.
func (f *Faults) Err() error {
	if len(f.fields) == 0 {
		return nil
	}
	return &Error{Kind: Invalid, Msg: Msg("errors.form_invalid"), Fields: f.fields}
}
