package postgres

import (
	"context"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/apperr"
	"rackwright/internal/quote"
)

// The store of quotes. All commands and results are types of internal/quote, so that a server can
// declare the interface it needs. Every command is one transaction, checks the row version where it has
// one (Conflict, "errors.changed_meanwhile") and has one effect per idempotency key.
//
//	CreateQuote(ctx, quote.Create) (id int64, err error)
//	PreviewDraft(ctx, quote.Edit) (quote.Content, quote.Totals, error)   the draft as SaveDraft would store it; changes nothing
//	SaveDraft(ctx, quote.Edit) (version int64, err error)
//	Quote(ctx, id int64) (quote.Quote, error)                            newest revision, history, all revisions' heads
//	QuoteRevision(ctx, id int64, revision int) (quote.Quote, error)
//	Quotes(ctx, quote.Filter) (quote.List, error)
//	QuoteCounts(ctx, quote.Filter) (map[quote.State]int, error)          of the filter without its states
//	QuoteBlockers(ctx, id int64) ([]quote.Blocker, error)                open points of the draft before sending
//	SubmitQuote(ctx, quote.Step) error                                   asks for approval of exceptions
//	RuleOnQuote(ctx, quote.Ruling) error                                 approves them or sends the draft back
//	NextNumber(ctx) (string, error)                                      what a send would get now; not reserved
//	SendQuote(ctx, quote.Dispatch) (quote.Dispatched, error)
//	NewRevision(ctx, quote.Step) (revision int, err error)
//	CloseQuote(ctx, quote.Close) error                                   lost or cancelled, by staff
//	QuoteLinks(ctx, id int64) ([]quote.Link, error)
//	NewLink(ctx, quote.Step) (token string, err error)                   a new link to the newest sent revision; older ones stop
//	RevokeLinks(ctx, quote.Step) error                                   all that still work, of older revisions too
//	QuoteDocument(ctx, id int64, revision int) (quote.Document, error)
//	MakePaper(ctx, quote.MakePaper) error                                a document of the order, once
//	Papers(ctx, id int64) ([]quote.MadePaper, error)
//	Paper(ctx, id int64, revision int, quote.Paper) (quote.Document, error)
//	AddFile(ctx, quote.AddFile) error                                    attaches to the draft
//	RemoveFile(ctx, quote.RemoveFile) error
//	QuoteFile(ctx, id, fileID int64) (quote.Document, error)             of any revision
//
// The customer's page (quote_public.go); an unknown, expired or revoked token is NotFound with
// "errors.page_not_found" or "errors.page_link_expired":
//
//	QuoteByToken(ctx, token string) (quote.Quote, error)                 without cost, floor, margin and history
//	RecordViewed(ctx, token string) error                                once per revision
//	AcceptQuote(ctx, quote.Answer) ([]quote.Shortage, error)
//	DeclineQuote(ctx, quote.Answer) error
//	DocumentByToken(ctx, token string) (quote.Document, error)
//	FileByToken(ctx, token string, fileID int64) (quote.Document, error)
//
// Customers (customer.go), prices (pricelist.go), stock (inventory.go) list theirs at their top.

const (
	sqlInsertQuote = `
		INSERT INTO quote (owner_id, created_at, changed_at) VALUES (@owner_id, @now, @now)
		RETURNING id`
	sqlTouchQuote = `
		UPDATE quote SET version = version + 1, changed_at = @now WHERE id = @id
		RETURNING version`
	sqlVoidApprovals = `UPDATE approval SET void = true WHERE revision_id = @revision_id AND NOT void`
	sqlInsertEvent   = `
		INSERT INTO quote_event (quote_id, revision, at, kind, actor_id, actor_name, data)
		VALUES (@quote_id, @revision, @now, @kind, nullif(@actor_id::bigint, 0), @actor, @data)`
)

// CreateQuote stores a new draft and returns its id.
func (db *DB) CreateQuote(ctx context.Context, c quote.Create) (int64, error) {
	var id int64
	err := db.keyed(ctx, formKey{"quote.create", c.Key, ""}, &id, func(ctx context.Context, tx pgx.Tx) error {
		content, totals, err := db.merge(ctx, tx, nil, quote.Edit{Actor: c.Actor, Content: c.Content})
		if err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, sqlInsertQuote, pgx.NamedArgs{"owner_id": c.Actor.ID, "now": db.now()}).Scan(&id); err != nil {
			return fmt.Errorf("insert quote: %w", err)
		}
		if err := db.insertRevision(ctx, tx, id, 1, content, totals); err != nil {
			return err
		}
		return db.record(ctx, tx, entry{quote: id, revision: 1, kind: quote.Created, actor: c.Actor})
	})
	return id, err
}

// merge brings an edit and the stored content together, with prices and facts of today, and computes the totals.
func (db *DB) merge(ctx context.Context, q querier, stored *quote.Content, e quote.Edit) (quote.Content, quote.Totals, error) {
	settings, err := quoteSettings(ctx, q)
	if err != nil {
		return quote.Content{}, quote.Totals{}, err
	}
	book, err := readBook(ctx, q, e.Content, settings.Currency)
	if err != nil {
		return quote.Content{}, quote.Totals{}, err
	}
	content, err := quote.Merge(stored, e, book, db.now())
	if err != nil {
		return quote.Content{}, quote.Totals{}, err
	}
	totals, err := quote.Calculate(content.Input())
	return content, totals, err
}

// PreviewDraft returns the draft as SaveDraft would store it, with its totals, and changes nothing.
func (db *DB) PreviewDraft(ctx context.Context, e quote.Edit) (quote.Content, quote.Totals, error) {
	var content quote.Content
	var totals quote.Totals
	err := db.snapshot(ctx, func(tx pgx.Tx) error {
		q, err := readQuote(ctx, tx, e.QuoteID, 0)
		if err != nil {
			return err
		}
		if _, err := quote.Next(q.Revision.State, quote.Save); err != nil {
			return err
		}
		content, totals, err = db.merge(ctx, tx, &q.Revision.Content, e)
		return err
	})
	return content, totals, err
}

// SaveDraft stores the whole draft and returns the quote's new version. Approvals that were given or asked for do not
// hold for the new content.
func (db *DB) SaveDraft(ctx context.Context, e quote.Edit) (int64, error) {
	var version int64
	err := db.changeQuote(ctx, "quote.save", step(e.QuoteID, e.Version, e.Key), &version, func(ctx context.Context, tx pgx.Tx, q quote.Quote) error {
		next, err := quote.Next(q.Revision.State, quote.Save)
		if err != nil {
			return err
		}
		content, totals, err := db.merge(ctx, tx, &q.Revision.Content, e)
		if err != nil {
			return err
		}
		if err := updateRevision(ctx, tx, q.Revision.ID, next, content, totals); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, sqlVoidApprovals, pgx.NamedArgs{"revision_id": q.Revision.ID}); err != nil {
			return fmt.Errorf("void approvals: %w", err)
		}
		if err := db.record(ctx, tx, entry{quote: q.ID, revision: q.Revision.Number, kind: quote.Save, actor: e.Actor, data: changeOf(q.Revision, next, totals)}); err != nil {
			return err
		}
		if err := db.recordLicence(ctx, tx, q, e.Actor, content.LicenceRef); err != nil {
			return err
		}
		version = q.Version + 1 // what changeQuote stores
		return nil
	})
	return version, err
}

// recordLicence writes into the history that the reference of an export licence was recorded or is gone.
func (db *DB) recordLicence(ctx context.Context, tx pgx.Tx, q quote.Quote, by quote.Actor, ref string) error {
	e := entry{quote: q.ID, revision: q.Revision.Number, kind: quote.Licensed, actor: by, data: map[string]string{"reason": ref}}
	switch before := q.Revision.Content.LicenceRef; ref {
	case before:
		return nil
	case "":
		e.kind, e.data = quote.Unlicensed, map[string]string{"reason": before}
	}
	return db.record(ctx, tx, e)
}

// changeOf says in the history what a save changed.
func changeOf(before quote.Revision, next quote.State, totals quote.Totals) map[string]string {
	data := map[string]string{}
	if before.Totals.Total != nil {
		data["total_before"] = before.Totals.Total.String()
	}
	if totals.Total != nil {
		data["total"] = totals.Total.String()
		data["currency"] = string(totals.Currency)
	}
	if before.State != next {
		data["state_before"] = string(before.State)
	}
	return data
}

func step(id, version int64, key string) quote.Step {
	return quote.Step{QuoteID: id, Version: version, Key: key}
}

// changeQuote is the frame of every change by staff: once per form key, the quote locked, its version
// checked, fn, then the version counted up.
func (db *DB) changeQuote(ctx context.Context, scope string, s quote.Step, result any, fn func(context.Context, pgx.Tx, quote.Quote) error) error {
	key := formKey{scope, s.Key, "quote " + strconv.FormatInt(s.QuoteID, 10)}
	return db.keyed(ctx, key, result, func(ctx context.Context, tx pgx.Tx) error {
		q, err := db.lockQuote(ctx, tx, s.QuoteID)
		if err != nil {
			return err
		}
		if q.Version != s.Version {
			return apperr.New(apperr.Conflict, "errors.changed_meanwhile")
		}
		if err := fn(ctx, tx, q); err != nil {
			return err
		}
		return db.touch(ctx, tx, s.QuoteID)
	})
}

// lockQuote locks a quote and reads it with its newest revision.
func (db *DB) lockQuote(ctx context.Context, tx pgx.Tx, id int64) (quote.Quote, error) {
	if err := tx.QueryRow(ctx, sqlLockQuote, pgx.NamedArgs{"id": id}).Scan(&id); err != nil {
		return quote.Quote{}, fmt.Errorf("lock quote %d: %w", id, err)
	}
	q, err := readQuote(ctx, tx, id, 0)
	db.expire(&q.Revision)
	return q, err
}

// touch counts the version of a quote up.
func (db *DB) touch(ctx context.Context, tx pgx.Tx, id int64) error {
	var version int64
	if err := tx.QueryRow(ctx, sqlTouchQuote, pgx.NamedArgs{"id": id, "now": db.now()}).Scan(&version); err != nil {
		return fmt.Errorf("touch quote %d: %w", id, err)
	}
	return nil
}

// entry is one line of a quote's history.
type entry struct {
	quote    int64
	revision int
	kind     quote.EventKind
	actor    quote.Actor
	data     map[string]string
}

// record writes an entry into the history.
func (db *DB) record(ctx context.Context, tx pgx.Tx, e entry) error {
	if e.data == nil {
		e.data = map[string]string{}
	}
	_, err := tx.Exec(ctx, sqlInsertEvent, pgx.NamedArgs{"quote_id": e.quote, "revision": e.revision, "now": db.now(), "kind": string(e.kind),
		"actor_id": e.actor.ID, "actor": e.actor.Name, "data": e.data})
	if err != nil {
		return fmt.Errorf("record %s: %w", e.kind, err)
	}
	return nil
}
