package postgres

import (
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/money"
	"rackwright/internal/quote"
)

const (
	sqlQuoteHead = `
		SELECT q.id, q.number, q.owner_id, u.display_name AS owner, q.revision, q.created_at, q.version
		FROM quote q JOIN app_user u ON u.id = q.owner_id
		WHERE q.id = @id`
	// The lock that every change of a quote takes first.
	sqlLockQuote = `SELECT id FROM quote WHERE id = @id FOR UPDATE`

	sqlRevision = `
		SELECT r.id, r.number, r.state, r.created_at, r.title, r.customer, r.currency, r.tax_mode, r.day,
		       r.valid_until, r.lang, r.reference, r.note, r.terms, r.ship_to, r.end_user, r.incoterm, r.place, r.licence_ref,
		       r.internal_note, r.sizing_id, r.discount_percent, r.discount_amount, r.totals, r.sent_at, r.expires_at, r.company, r.rate,
		       r.layout, r.delivery, r.tax_rule, r.tax_note, r.payments, r.extended_to, r.decided_choice, r.decided_address,
		       r.decided_agent, r.decided_sha256, r.agreed, r.decided_at, r.decided_name, r.decided_role, r.decided_order, r.decided_reason, r.decided_remark, r.by_staff,
		       d.sha256, octet_length(d.bytes) AS pdf_size,
		       coalesce((SELECT jsonb_agg(jsonb_build_object('SKU', s.sku, 'Quantity', s.quantity) ORDER BY s.sku)
		                 FROM quote_shortage s WHERE s.revision_id = r.id), '[]') AS shortages
		FROM quote_revision r LEFT JOIN quote_document d ON d.revision_id = r.id
		WHERE r.quote_id = @id AND r.number = @number`
	sqlRevisionHeads = `
		SELECT id, number, state, created_at, sent_at, expires_at, valid_until, extended_to, decided_at, decided_name, by_staff
		FROM quote_revision
		WHERE quote_id = @id
		ORDER BY number`
	sqlQuoteLines = `
		SELECT line_id, kind, part, assembled, stocked, sku, description, control_to, quantity, unit_price, discount, tax_rate,
		       tax_name, list, override, floor, cost, discount_amount, term_periods, term_unit, lump, replaces, promise, config
		FROM quote_line
		WHERE revision_id = @id
		ORDER BY position`
	sqlQuoteEvents = `
		SELECT id, revision, at, kind, actor_name, data FROM quote_event
		WHERE quote_id = @id
		ORDER BY id DESC
		LIMIT 200`
)

type quoteHeadRow struct {
	ID        int64
	Number    *string
	OwnerID   int64
	Owner     string
	Revision  int
	CreatedAt time.Time
	Version   int64
}

func (r quoteHeadRow) domain() quote.Quote {
	return quote.Quote{ID: r.ID, Number: value(r.Number), OwnerID: r.OwnerID, Owner: r.Owner, CreatedAt: r.CreatedAt,
		Version: r.Version, Revision: quote.Revision{Number: r.Revision}}
}

type revisionRow struct {
	ID              int64
	Number          int
	State           string
	CreatedAt       time.Time
	Title           string
	Customer        []byte
	Currency        string
	TaxMode         string
	Day             time.Time
	ValidUntil      time.Time
	Lang            string
	Reference       string
	Note            string
	Terms           string
	ShipTo          string
	EndUser         string
	Incoterm        string
	Place           string
	LicenceRef      string
	InternalNote    string
	SizingID        *int64
	DiscountPercent money.Percent
	DiscountAmount  money.Decimal
	Totals          []byte
	SentAt          *time.Time
	ExpiresAt       *time.Time
	Company         []byte
	Rate            []byte
	Layout          string
	Delivery        []byte
	TaxRule         string
	TaxNote         string
	Payments        []byte
	ExtendedTo      *time.Time
	DecidedChoice   []int64
	DecidedAddress  string
	DecidedAgent    string
	DecidedSHA256   []byte `db:"decided_sha256"`
	Agreed          []byte
	DecidedAt       *time.Time
	DecidedName     string
	DecidedRole     string
	DecidedOrder    string
	DecidedReason   string
	DecidedRemark   string
	ByStaff         bool
	SHA256          []byte `db:"sha256"`
	PDFSize         *int
	Shortages       []byte
}

// revision returns the row as it is stored: Expired is not worked out yet, and the lines are missing.
func (r revisionRow) revision() (quote.Revision, error) {
	rev := quote.Revision{
		ID: r.ID, Number: r.Number, State: quote.State(r.State), CreatedAt: r.CreatedAt, SentAt: value(r.SentAt),
		ExpiresAt: value(r.ExpiresAt),
		Content: quote.Content{
			Title: r.Title, Currency: money.Currency(r.Currency), TaxMode: quote.TaxMode(r.TaxMode), Day: r.Day,
			ValidTo: r.ValidUntil, Lang: r.Lang, Reference: r.Reference, Note: r.Note, Terms: r.Terms, ShipTo: r.ShipTo,
			EndUser: r.EndUser, Incoterm: r.Incoterm, Place: r.Place, LicenceRef: r.LicenceRef, InternalNote: r.InternalNote,
			SizingID: value(r.SizingID), Discount: quote.Discount{Percent: r.DiscountPercent, Amount: r.DiscountAmount.Trim()},
			Layout: quote.Layout(r.Layout), TaxRule: quote.TaxRule(r.TaxRule), TaxNote: r.TaxNote,
		},
		Extended: value(r.ExtendedTo),
		Frozen:   quote.Frozen{Company: r.Company, PDFSHA256: hex.EncodeToString(r.SHA256), PDFSize: value(r.PDFSize)},
		Decision: quote.Decision{At: value(r.DecidedAt), Name: r.DecidedName, Role: r.DecidedRole, Order: r.DecidedOrder,
			Reason: r.DecidedReason, Remark: r.DecidedRemark, ByStaff: r.ByStaff, Choices: r.DecidedChoice,
			Address: r.DecidedAddress, Agent: r.DecidedAgent, SHA256: hex.EncodeToString(r.DecidedSHA256)},
	}
	for _, part := range []struct {
		raw  []byte
		into any
	}{{r.Customer, &rev.Content.Customer}, {r.Totals, &rev.Totals}, {r.Rate, &rev.Frozen.Rate}, {r.Shortages, &rev.Decision.Shortages},
		{r.Delivery, &rev.Content.Delivery}, {r.Payments, &rev.Content.Payments}, {r.Agreed, &rev.Decision.Agreed}} {
		if part.raw == nil {
			continue
		}
		if err := json.Unmarshal(part.raw, part.into); err != nil {
			return rev, fmt.Errorf("revision %d: %w", r.ID, err)
		}
	}
	return rev, nil
}

type revisionHeadRow struct {
	ID          int64
	Number      int
	State       string
	CreatedAt   time.Time
	SentAt      *time.Time
	ExpiresAt   *time.Time
	ValidUntil  time.Time
	ExtendedTo  *time.Time
	DecidedAt   *time.Time
	DecidedName string
	ByStaff     bool
}

func (r revisionHeadRow) domain() quote.Revision {
	return quote.Revision{ID: r.ID, Number: r.Number, State: quote.State(r.State), CreatedAt: r.CreatedAt, SentAt: value(r.SentAt),
		ExpiresAt: value(r.ExpiresAt), Content: quote.Content{ValidTo: r.ValidUntil}, Extended: value(r.ExtendedTo),
		Decision: quote.Decision{At: value(r.DecidedAt), Name: r.DecidedName, ByStaff: r.ByStaff}}
}

type quoteLineRow struct {
	LineID      int64
	Kind        string
	Part        bool
	Assembled   bool
	Stocked     bool
	SKU         *string
	Description string
	ControlTo   string
	Quantity    money.Decimal
	UnitPrice   *money.Decimal
	Discount    money.Percent
	TaxRate     money.Percent
	TaxName     string
	List        []byte
	Override    []byte
	Floor       *money.Decimal
	Cost        *money.Decimal

	DiscountAmount money.Decimal
	TermPeriods    int
	TermUnit       string
	Lump           bool
	Replaces       int64
	Promise        *time.Time
	Config         string
}

func (r quoteLineRow) line() (quote.Line, error) {
	l := quote.Line{
		ID: r.LineID, Kind: quote.LineKind(r.Kind), Part: r.Part, Assembled: r.Assembled, Stocked: r.Stocked, SKU: value(r.SKU),
		Description: r.Description, ControlTo: r.ControlTo, Quantity: r.Quantity.Trim(), UnitPrice: trim(r.UnitPrice),
		Discount: r.Discount, TaxRate: r.TaxRate, TaxName: r.TaxName, Floor: trim(r.Floor), Cost: trim(r.Cost),
		Off: r.DiscountAmount.Trim(), Term: quote.Term{Periods: r.TermPeriods, Unit: quote.TermUnit(r.TermUnit)}, Lump: r.Lump,
		Replaces: r.Replaces, Promise: value(r.Promise), Config: r.Config,
	}
	if err := json.Unmarshal(r.List, &l.List); err != nil {
		return l, fmt.Errorf("list price: %w", err)
	}
	if r.Override != nil {
		if err := json.Unmarshal(r.Override, &l.Override); err != nil {
			return l, fmt.Errorf("override: %w", err)
		}
	}
	return l, nil
}

type quoteEventRow struct {
	ID        int64
	Revision  int
	At        time.Time
	Kind      string
	ActorName string
	Data      map[string]string
}

func (r quoteEventRow) domain() quote.Event {
	return quote.Event{ID: r.ID, At: r.At, Kind: quote.EventKind(r.Kind), Revision: r.Revision, Actor: r.ActorName, Data: r.Data}
}

// Quote returns a quote with its newest revision, the heads of all revisions and its history.
func (db *DB) Quote(ctx context.Context, id int64) (quote.Quote, error) {
	return db.QuoteRevision(ctx, id, 0)
}

// QuoteRevision is Quote with another revision; 0 is the newest.
func (db *DB) QuoteRevision(ctx context.Context, id int64, revision int) (quote.Quote, error) {
	var q quote.Quote
	err := db.snapshot(ctx, func(tx pgx.Tx) (err error) {
		if q, err = readQuote(ctx, tx, id, revision); err != nil {
			return err
		}
		db.expire(&q.Revision)
		if q.Revisions, err = collect[revisionHeadRow](ctx, tx, sqlRevisionHeads, pgx.NamedArgs{"id": id}); err != nil {
			return err
		}
		for i := range q.Revisions {
			db.expire(&q.Revisions[i])
		}
		q.Events, err = collect[quoteEventRow](ctx, tx, sqlQuoteEvents, pgx.NamedArgs{"id": id})
		return err
	})
	return q, err
}

// expire works out whether a revision has expired by now.
func (db *DB) expire(r *quote.Revision) {
	r.State = quote.StateAt(r.State, r.ExpiresAt, db.now())
}

// readQuote reads the head and one revision as stored; revision 0 is the newest.
func readQuote(ctx context.Context, q querier, id int64, revision int) (quote.Quote, error) {
	heads, err := collect[quoteHeadRow](ctx, q, sqlQuoteHead, pgx.NamedArgs{"id": id})
	if err != nil {
		return quote.Quote{}, fmt.Errorf("quote %d: %w", id, err)
	}
	if len(heads) == 0 {
		return quote.Quote{}, fmt.Errorf("quote %d: %w", id, pgx.ErrNoRows)
	}
	head := heads[0]
	if revision == 0 {
		revision = head.Revision.Number
	}
	if head.Revision, err = readRevision(ctx, q, id, revision); err != nil {
		return quote.Quote{}, fmt.Errorf("quote %d revision %d: %w", id, revision, err)
	}
	return head, nil
}

func readRevision(ctx context.Context, q querier, id int64, number int) (quote.Revision, error) {
	rows, err := q.Query(ctx, sqlRevision, pgx.NamedArgs{"id": id, "number": number})
	if err != nil {
		return quote.Revision{}, err
	}
	row, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[revisionRow])
	if err != nil {
		return quote.Revision{}, err
	}
	rev, err := row.revision()
	if err != nil {
		return quote.Revision{}, err
	}
	if rows, err = q.Query(ctx, sqlQuoteLines, pgx.NamedArgs{"id": rev.ID}); err != nil {
		return quote.Revision{}, err
	}
	lines, err := pgx.CollectRows(rows, pgx.RowToStructByName[quoteLineRow])
	if err != nil {
		return quote.Revision{}, err
	}
	for _, r := range lines {
		l, err := r.line()
		if err != nil {
			return quote.Revision{}, fmt.Errorf("line %d: %w", r.LineID, err)
		}
		rev.Content.Lines = append(rev.Content.Lines, l)
	}
	if rev.Files, err = collect[fileRow](ctx, q, sqlFiles, pgx.NamedArgs{"revision_id": rev.ID}); err != nil {
		return quote.Revision{}, fmt.Errorf("files: %w", err)
	}
	return rev, nil
}
