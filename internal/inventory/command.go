package inventory

import (
	"cmp"
	"fmt"
	"regexp"
	"strings"
	"time"
	"unicode/utf8"

	"rackwright/internal/apperr"
	"rackwright/internal/money"
)

// NewMove asks for a move of stock.
type NewMove struct {
	Key          string // idempotency key of the form
	Kind         MoveKind
	SKU          string
	From         int64 // place; 0 where stock comes from outside
	To           int64 // place; 0 where it leaves
	Quantity     int64
	PurchaseLine int64 // of a receipt: what it answers; 0 is none
	Note         string
	ActorID      int64
}

// MaxQuantity is the most pieces one move can have.
const MaxQuantity = 1_000_000_000

const (
	maxNote = 200
	maxName = 200
)

var locationCode = regexp.MustCompile(`^[A-Z0-9][A-Z0-9-]{0,19}$`)

// Validate checks that the places fit the kind and the figures are possible.
func (m NewMove) Validate() error {
	var f apperr.Faults
	if m.SKU == "" {
		f.Add("sku", "errors.form_required", "field", apperr.Msg("catalogue.sku_code"))
	}
	if m.Quantity < 1 || m.Quantity > MaxQuantity {
		f.Add("quantity", "errors.form_range", "field", apperr.Msg("quote.quantity"), "min", 1, "max", MaxQuantity)
	}
	needFrom, needTo := false, false
	switch m.Kind {
	case Receive, Return:
		needTo = true
	case Ship:
		needFrom = true
	case Transfer:
		needFrom, needTo = true, true
	case Adjust: // one of the two: found, or missing
		needFrom, needTo = m.To == 0, m.From == 0
	default:
		f.Add("kind", "errors.form_choose")
	}
	if needFrom != (m.From != 0) {
		f.Add("from", "errors.form_choose")
	}
	if needTo != (m.To != 0) {
		f.Add("to", "errors.form_choose")
	}
	if m.Kind == Transfer && m.From == m.To {
		f.Add("to", "stock.same_place")
	}
	checkNote(&f, "note", m.Note, maxNote)
	return f.Err()
}

func checkNote(f *apperr.Faults, field, text string, most int) {
	if utf8.RuneCountInString(text) > most {
		f.Add(field, "errors.form_too_long", "field", apperr.Msg("stock.note"), "n", most)
	}
}

// Validate checks what was typed as a place.
func (l Location) Validate() error {
	var f apperr.Faults
	if !locationCode.MatchString(l.Code) {
		f.Add("code", "stock.place_code")
	}
	if strings.TrimSpace(l.Name) == "" {
		f.Add("name", "errors.form_required", "field", apperr.Msg("inventory.location"))
	}
	checkNote(&f, "name", l.Name, maxName)
	return f.Err()
}

// Compare orders allocations as stock is locked: by SKU, then by place.
func (a Allocation) Compare(b Allocation) int {
	return cmp.Or(strings.Compare(a.SKU, b.SKU), cmp.Compare(a.Place, b.Place))
}

// Purchase is a new purchase order.
type Purchase struct {
	Key       string // idempotency key of the form
	Number    string
	Supplier  string
	OrderedOn time.Time
	Lines     []PurchaseLine
	ActorID   int64
}

// PurchaseLine is what a supplier owes. Its cost is not for sales staff.
type PurchaseLine struct {
	SKU       string
	Quantity  int64
	Expected  time.Time
	Confirmed bool          // by the supplier
	Cost      *money.Amount // of one; nil is not known
}

// Validate checks what was typed.
func (p Purchase) Validate() error {
	var f apperr.Faults
	for field, text := range map[string]string{"number": p.Number, "supplier": p.Supplier} {
		if strings.TrimSpace(text) == "" || utf8.RuneCountInString(text) > maxName {
			f.Add(field, "errors.form_required", "field", apperr.Msg("inventory."+map[string]string{"number": "purchase_order", "supplier": "supplier"}[field]))
		}
	}
	if p.OrderedOn.IsZero() {
		f.Add("ordered_on", "errors.form_date")
	}
	for i, l := range p.Lines {
		at := func(field string) string { return fmt.Sprintf("lines[%d].%s", i, field) }
		if l.SKU == "" {
			f.Add(at("sku"), "errors.form_required", "field", apperr.Msg("catalogue.sku_code"))
		}
		if l.Quantity < 1 || l.Quantity > MaxQuantity {
			f.Add(at("quantity"), "errors.form_range", "field", apperr.Msg("quote.quantity"), "min", 1, "max", MaxQuantity)
		}
		if l.Expected.IsZero() {
			f.Add(at("expected"), "errors.form_date")
		}
		if l.Cost != nil && l.Cost.Value.Sign() < 0 {
			f.Add(at("cost"), "errors.form_positive", "field", apperr.Msg("inventory.unit_cost"))
		}
	}
	return f.Err()
}
