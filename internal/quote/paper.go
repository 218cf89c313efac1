package quote

import (
	"slices"
	"strings"
	"time"

	"rackwright/internal/apperr"
)

// Paper is a document of the order that an accepted revision is.
type Paper string

// The papers. Each is made once and served as it was made ever after.
const (
	OrderConfirmation Paper = "order_confirmation"
	ProForma          Paper = "pro_forma"     // asks for payment before delivery; no tax invoice
	DeliveryNote      Paper = "delivery_note" // what is in the parcel; no prices
)

// Papers lists the papers in the order in which pages show them.
var Papers = []Paper{OrderConfirmation, ProForma, DeliveryNote}

// Valid reports whether p is one of the papers.
func (p Paper) Valid() bool { return slices.Contains(Papers, p) }

// Made is the entry of the history that says that a paper was made.
func (p Paper) Made() EventKind { return EventKind("paper_" + string(p)) }

// MakePaper asks for a paper of the newest revision. Asking again gives the one that is there.
type MakePaper struct {
	QuoteID int64
	Version int64
	Key     string
	Actor   Actor
	Paper   Paper
	// Render makes the PDF. It runs while the quote is locked, so it must not use the database.
	Render func(Quote) ([]byte, error)
}

// Check refuses a paper that does not exist, and one of a revision that is no order.
func (m MakePaper) Check(r Revision) error {
	if !m.Paper.Valid() {
		return apperr.New(apperr.NotFound, "errors.not_found")
	}
	if r.State != Accepted {
		return apperr.New(apperr.Conflict, "papers.not_accepted")
	}
	return nil
}

// MadePaper is a paper that exists.
type MadePaper struct {
	Revision int
	Paper    Paper
	SHA256   string // hex
	Size     int    // bytes
	At       time.Time
	By       string // display name
}

// FileName names the file of a paper after that of the quote: Q-2026-0187-r2.pdf gives Q-2026-0187-r2-delivery-note.pdf.
func (p Paper) FileName(quote string) string {
	return strings.TrimSuffix(quote, ".pdf") + "-" + strings.ReplaceAll(string(p), "_", "-") + ".pdf"
}
