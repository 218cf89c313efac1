package quote

import (
	"time"

	"rackwright/internal/apperr"
	"rackwright/internal/catalog"
)

// BlockerKind says what keeps a draft from being sent, or what is worth knowing first.
type BlockerKind string

// The kinds. Those of Note severity never block.
const (
	NoLines         BlockerKind = "no_lines"
	NoCustomer      BlockerKind = "no_customer"
	BlankPrice      BlockerKind = "blank_price"
	PastValidity    BlockerKind = "past_validity"
	BadFigures      BlockerKind = "bad_figures"
	NegativeTotal   BlockerKind = "negative_total"
	BelowFloor      BlockerKind = "below_floor"    // pricing decides
	AboveDiscount   BlockerKind = "above_discount" // a lead decides
	BelowMargin     BlockerKind = "below_margin"   // a lead decides
	NoDestination   BlockerKind = "no_destination"
	LicenceNeeded   BlockerKind = "licence_needed"
	CheckControl    BlockerKind = "check_control" // a note: the table says to check
	RateMissing     BlockerKind = "rate_missing"
	ProfileMissing  BlockerKind = "profile_missing"
	StalePrice      BlockerKind = "stale_price"      // a note (R15)
	UncoveredScript BlockerKind = "uncovered_script" // a note, given by the caller
)

// Severity says what a blocker does.
type Severity string

// The severities.
const (
	Stop     Severity = "stop"     // must be mended first
	Approval Severity = "approval" // an exception that somebody else may allow
	Remark   Severity = "note"     // does not block
)

// Blocker is one open point before sending. Lines are indexes into the content's lines.
type Blocker struct {
	Kind     BlockerKind
	Severity Severity
	Msg      apperr.Message
	Lines    []int
}

// Facts are what SendBlockers needs besides the quote.
type Facts struct {
	Now      time.Time
	Settings Settings
	Rules    []catalog.ControlDestination // decide whether a licence is needed (R14)
	Rate     *Rate                        // from the quote's to the company's currency; nil is none recent enough
}
