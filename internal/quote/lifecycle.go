package quote

import (
	"time"

	"rackwright/internal/apperr"
)

// State is where a revision stands. Expired is computed and never stored.
type State string

// The states. docs/quote_lifecycle.md shows how they follow each other.
const (
	Draft      State = "draft"
	Awaiting   State = "awaiting_approval"
	Approved   State = "approved"
	Sent       State = "sent"
	Expired    State = "expired" // sent, and the last day of validity is over
	Accepted   State = "accepted"
	Declined   State = "declined"
	Lost       State = "lost"
	Cancelled  State = "cancelled"
	Superseded State = "superseded"
)

// States lists the states in the order of a quote's life.
var States = []State{Draft, Awaiting, Approved, Sent, Expired, Accepted, Declined, Lost, Cancelled, Superseded}

// EventKind is what happens to a quote.
type EventKind string

// The events of the state table.
const (
	Save      EventKind = "save"
	Submit    EventKind = "submit" // asks others to allow the exceptions
	Approve   EventKind = "approve"
	SendBack  EventKind = "send_back"
	Send      EventKind = "send"
	View      EventKind = "view"
	Accept    EventKind = "accept"
	Decline   EventKind = "decline"
	CloseLost EventKind = "close_lost"
	Cancel    EventKind = "cancel"
	Revise    EventKind = "revise"    // a newer revision is opened as a draft
	Supersede EventKind = "supersede" // a newer revision is sent, or accepted
	Extend    EventKind = "extend"    // staff move the last day of validity
)

// The entries of the history that move no state.
const (
	Created     EventKind = "create"
	LinkIssued  EventKind = "link_issue"
	LinkRevoked EventKind = "link_revoke"
	Mailed      EventKind = "mail"         // a message about a sent revision was queued
	Licensed    EventKind = "licence"      // the reference of an export licence was recorded
	Unlicensed  EventKind = "licence_void" // it was taken back, or does not cover the changed quote
)

// Transitions lists the events of the state table.
var Transitions = []EventKind{Save, Submit, Approve, SendBack, Send, View, Accept, Decline, CloseLost, Cancel, Revise, Supersede, Extend}

// table says which state an event leads to. What is missing is refused.
var table = map[State]map[EventKind]State{
	Draft:    {Save: Draft, Submit: Awaiting, Send: Sent, CloseLost: Lost, Cancel: Cancelled},
	Awaiting: {Save: Draft, Approve: Approved, SendBack: Draft, CloseLost: Lost, Cancel: Cancelled},
	Approved: {Save: Draft, SendBack: Draft, Send: Sent, CloseLost: Lost, Cancel: Cancelled},
	Sent: {View: Sent, Accept: Accepted, Decline: Declined, CloseLost: Lost, Cancel: Cancelled,
		Revise: Sent, Supersede: Superseded, Extend: Sent},
	// Expired is the state of a sent revision by time; what it leads to is stored.
	Expired:    {View: Expired, CloseLost: Lost, Cancel: Cancelled, Revise: Expired, Supersede: Superseded, Extend: Sent},
	Accepted:   {View: Accepted, Cancel: Cancelled, Revise: Accepted, Supersede: Superseded},
	Declined:   {View: Declined, Revise: Declined, CloseLost: Lost},
	Lost:       {Revise: Lost},
	Cancelled:  {Revise: Cancelled},
	Superseded: {View: Superseded},
}

// Next returns the state that an event leads to, or a Conflict error when the state forbids it.
func Next(s State, e EventKind) (State, error) {
	next, ok := table[s][e]
	if ok {
		return next, nil
	}
	if s == Expired && (e == Accept || e == Decline) {
		return s, apperr.New(apperr.Conflict, "quote.refused_expired")
	}
	return s, apperr.New(apperr.Conflict, "quote.refused_state", "state", apperr.Msg(s.MessageID()))
}

// Can reports whether an event is possible in a state.
func (s State) Can(e EventKind) bool { _, ok := table[s][e]; return ok }

// Editable reports whether the content of a revision in this state may change.
func (s State) Editable() bool { return s.Can(Save) }

// Frozen reports whether the content was sent and never changes again.
func (s State) Frozen() bool { return !s.Editable() }

// MessageID returns the message that names the state.
func (s State) MessageID() string { return "quote.state_" + string(s) }

// ParseState returns the state of a stored or submitted name, and whether there is one.
func ParseState(name string) (State, bool) {
	for _, s := range States {
		if string(s) == name {
			return s, true
		}
	}
	return "", false
}

// StateAt returns what a stored state is at a moment: a sent revision is expired from the first moment
// after its last day (R6; EndOfDay in the zone of sending). Nothing else expires.
func StateAt(stored State, ends, now time.Time) State {
	if stored == Sent && !now.Before(ends) {
		return Expired
	}
	return stored
}

// Day returns the day of a moment in a zone, as a time at 00:00 UTC, which is how days are kept.
func Day(t time.Time, zone *time.Location) time.Time {
	y, m, d := t.In(zone).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// EndOfDay returns the first moment after a day in a zone.
func EndOfDay(day time.Time, zone *time.Location) time.Time {
	y, m, d := day.Date()
	return time.Date(y, m, d+1, 0, 0, 0, 0, zone)
}

// LinkDays is how long after the end of validity a customer's link still shows the quote, so that who
// accepted can fetch the document and who came late learns why nothing can be accepted.
const LinkDays = 90

// LinkEnd returns when a link to a revision stops working.
func LinkEnd(validTo time.Time, zone *time.Location) time.Time {
	return EndOfDay(validTo.AddDate(0, 0, LinkDays), zone)
}
