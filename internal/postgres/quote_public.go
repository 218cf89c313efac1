package postgres

import (
	"context"
	"encoding/hex"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/quote"
)

const sqlInsertView = `
	INSERT INTO quote_event (quote_id, revision, at, kind, actor_name) VALUES (@quote_id, @revision, @now, 'view', '')
	ON CONFLICT (quote_id, revision) WHERE kind = 'view' DO NOTHING`

// QuoteByToken returns the revision that a customer's link opens, without what is ours alone (R12): no cost, floor or
// history. Of the other revisions there are number, state and dates of those that were sent.
func (db *DB) QuoteByToken(ctx context.Context, token string) (quote.Quote, error) {
	var q quote.Quote
	err := db.snapshot(ctx, func(tx pgx.Tx) error {
		target, err := db.linkTarget(ctx, tx, token)
		if err != nil {
			return err
		}
		if q, err = readQuote(ctx, tx, target.QuoteID, target.Revision); err != nil {
			return err
		}
		db.expire(&q.Revision)
		q.Revision.Content = q.Revision.Content.ForCustomer()
		heads, err := collect[revisionHeadRow](ctx, tx, sqlRevisionHeads, pgx.NamedArgs{"id": q.ID})
		for _, r := range heads {
			if r.SentAt.IsZero() {
				continue
			}
			db.expire(&r)
			r.Decision = quote.Decision{}
			q.Revisions = append(q.Revisions, r)
		}
		return err
	})
	return q, err
}

// RecordViewed writes into the history that the customer opened the link, once for each revision. It is the one thing
// that a GET may record.
func (db *DB) RecordViewed(ctx context.Context, token string) error {
	return db.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		target, err := db.linkTarget(ctx, tx, token)
		if err != nil {
			return err
		}
		_, err = tx.Exec(ctx, sqlInsertView, pgx.NamedArgs{"quote_id": target.QuoteID, "revision": target.Revision, "now": db.now()})
		return err
	})
}

// DocumentByToken returns the PDF behind a customer's link.
func (db *DB) DocumentByToken(ctx context.Context, token string) (quote.Document, error) {
	target, err := db.linkTarget(ctx, db.pool, token)
	if err != nil {
		return quote.Document{}, interpretError(err)
	}
	return db.document(ctx, db.pool, target.QuoteID, target.Revision)
}

// AcceptQuote records the customer's acceptance of the linked revision and reserves what is free of its stock until the
// end of the day that the company's setting gives. It never fails for want of stock: what is short is
// recorded and returned. An older accepted revision is replaced, and its stock is free for this one.
func (db *DB) AcceptQuote(ctx context.Context, a quote.Answer) ([]quote.Shortage, error) {
	var shortages []quote.Shortage
	err := db.answer(ctx, "quote.accept", a, quote.Accept, &shortages, func(ctx context.Context, tx pgx.Tx, q quote.Quote, s quote.Settings) error {
		if err := db.replaceAccepted(ctx, tx, q, quote.Actor{Name: a.Name}); err != nil {
			return err
		}
		until := quote.EndOfDay(quote.Day(db.now(), s.Zone).AddDate(0, 0, s.ReservationDays), s.Zone)
		agreed, _ := q.Revision.Agreed()
		short, err := db.reserve(ctx, tx, q.Revision.ID, quote.StockDemand(agreed), until)
		shortages = short
		return err
	})
	return shortages, err
}

// DeclineQuote records that the customer declines the linked revision, with a reason.
func (db *DB) DeclineQuote(ctx context.Context, a quote.Answer) error {
	return db.answer(ctx, "quote.decline", a, quote.Decline, new(struct{}), func(context.Context, pgx.Tx, quote.Quote, quote.Settings) error {
		return nil
	})
}

// answer is the frame of both answers: once per form key, the quote locked, link and state checked under the lock,
// the decision stored, then fn.
func (db *DB) answer(ctx context.Context, scope string, a quote.Answer, e quote.EventKind, result any, fn func(context.Context, pgx.Tx, quote.Quote, quote.Settings) error) error {
	if err := a.Validate(e); err != nil {
		return err
	}
	key := formKey{scope, a.Key, "link " + hex.EncodeToString(hashToken(a.Token))}
	return db.keyed(ctx, key, result, func(ctx context.Context, tx pgx.Tx) error {
		target, err := db.linkTarget(ctx, tx, a.Token)
		if err != nil {
			return err
		}
		if _, err := db.lockQuote(ctx, tx, target.QuoteID); err != nil {
			return err
		}
		// Again, under the lock: the link may have been revoked and the state may have changed while we waited.
		if target, err = db.linkTarget(ctx, tx, a.Token); err != nil {
			return err
		}
		q, err := readQuote(ctx, tx, target.QuoteID, target.Revision)
		if err != nil {
			return err
		}
		settings, err := quoteSettings(ctx, tx)
		if err != nil {
			return err
		}
		db.expire(&q.Revision)
		next, err := quote.Next(q.Revision.State, e)
		if err != nil {
			return err
		}
		q.Revision.Decision = quote.Decision{At: db.now(), Name: a.Name, Role: a.Role, Order: a.Order, Reason: a.Reason, Remark: a.Remark,
			Address: a.Address, Agent: a.Agent}
		if e == quote.Accept {
			if err := q.Revision.Take(a.Choices); err != nil {
				return err
			}
		}
		if err := db.decide(ctx, tx, q.Revision.ID, next, q.Revision.Decision); err != nil {
			return err
		}
		if err := fn(ctx, tx, q, settings); err != nil {
			return err
		}
		_, totals := q.Revision.Agreed()
		data := map[string]string{"total": totals.Total.String(), "currency": string(q.Revision.Content.Currency), "reason": a.Reason}
		if err := db.record(ctx, tx, entry{quote: q.ID, revision: q.Revision.Number, kind: e, actor: quote.Actor{Name: a.Name}, data: data}); err != nil {
			return err
		}
		if a.Notice != nil {
			a.Notice.QuoteID = q.ID
			if _, err := db.queueMail(ctx, tx, *a.Notice, q.Revision.ID, quote.Actor{}, ""); err != nil {
				return err
			}
		}
		return db.touch(ctx, tx, q.ID)
	})
}

// replaceAccepted ends an older acceptance and frees its stock.
func (db *DB) replaceAccepted(ctx context.Context, tx pgx.Tx, q quote.Quote, by quote.Actor) error {
	heads, err := collect[revisionHeadRow](ctx, tx, sqlRevisionHeads, pgx.NamedArgs{"id": q.ID})
	if err != nil {
		return fmt.Errorf("revisions: %w", err)
	}
	for _, r := range heads {
		db.expire(&r)
		if r.ID == q.Revision.ID || r.State != quote.Accepted {
			continue
		}
		if err := db.moveRevision(ctx, tx, r, entry{quote: q.ID, kind: quote.Supersede, actor: by}); err != nil {
			return err
		}
		if err := db.release(ctx, tx, r.ID); err != nil {
			return err
		}
	}
	return nil
}
