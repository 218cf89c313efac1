package quote

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

// EventKind is what happened to a quote.
type EventKind string

// The events that move a revision from state to state.
const (
	Save      EventKind = "save"
	Submit    EventKind = "submit"
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
)
