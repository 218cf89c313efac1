package quote

import (
	"fmt"
	"time"

	"rackwright/internal/apperr"
)

// FormatNumber returns PREFIX-YYYY-NNNN; numbers above 9999 get longer.
func FormatNumber(prefix string, year, n int) string {
	return fmt.Sprintf("%s-%04d-%04d", prefix, year, n)
}

// FileName returns the name of the document of a sent revision. A number consists of letters, digits and "-".
func FileName(number string, revision int) string {
	if revision > 1 {
		return fmt.Sprintf("%s-r%d.pdf", number, revision)
	}
	return number + ".pdf"
}

// Validate checks what the customer typed. A refusal needs a reason, an acceptance a name.
func (a Answer) Validate(e EventKind) error {
	var f apperr.Faults
	if e == Accept {
		requireText(&f, "name", "quote.customer_name", a.Name)
	} else {
		checkLength(&f, "name", "quote.customer_name", a.Name, MaxShort)
		if a.Reason == "" {
			f.Add("reason", "errors.form_required", "field", apperr.Msg("quote.decline_reason"))
		}
	}
	checkLength(&f, "role", "quote.job_title", a.Role, MaxShort)
	checkLength(&f, "order", "quote.customer_purchase_order", a.Order, MaxShort)
	checkLength(&f, "reason", "quote.decline_reason", a.Reason, MaxDescription)
	checkLength(&f, "remark", "quote.note_to_customer", a.Remark, MaxDescription)
	return f.Err()
}

// Event returns what closing does, or why it cannot: a close needs a reason.
func (c Close) Event() (EventKind, error) {
	var f apperr.Faults
	event := Cancel
	switch c.As {
	case Cancelled:
	case Lost:
		event = CloseLost
	default:
		f.Add("as", "errors.form_choose")
	}
	requireText(&f, "reason", "quote.lost_reason", c.Reason)
	return event, f.Err()
}

// Validate checks the new last day against the old one and against today, both days of the zone of sending.
func (e Extension) Validate(last, today time.Time) error {
	var f apperr.Faults
	switch {
	case e.Until.IsZero():
		f.Add("extend_until", "errors.form_date")
	case !e.Until.After(last) || e.Until.Before(today):
		f.Add("extend_until", "quote.extend_later")
	case e.Until.After(today.AddDate(1, 0, 0)):
		f.Add("extend_until", "quote.extend_too_long")
	}
	requireText(&f, "extend_reason", "quote.extend_reason", e.Reason)
	return f.Err()
}

// May reports whether the actor of a ruling may decide on a kind of exception.
func (r Ruling) May(kind BlockerKind) bool {
	switch kind {
	case BelowFloor:
		return r.Floor
	case AboveDiscount, BelowMargin:
		return r.Margin
	}
	return false
}
