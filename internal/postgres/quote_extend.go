package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/company"
	"rackwright/internal/quote"
)

const (
	sqlExtend = `
		UPDATE quote_revision SET extended_to = @until, expires_at = @expires_at WHERE id = @revision_id`
	sqlExtendLinks = `
		UPDATE public_link SET expires_at = greatest(expires_at, @ends)
		WHERE revision_id = @revision_id AND revoked_at IS NULL`
)

// ExtendQuote moves the last day of validity of the newest revision, which was sent and is not answered. It can be accepted
// again to the end of that day, in the zone of sending, and its links live as long. Its document says what it said.
func (db *DB) ExtendQuote(ctx context.Context, e quote.Extension) error {
	return db.changeQuote(ctx, "quote.extend", step(e.QuoteID, e.Version, e.Key), new(struct{}), func(ctx context.Context, tx pgx.Tx, q quote.Quote) error {
		if _, err := quote.Next(q.Revision.State, quote.Extend); err != nil {
			return err
		}
		var seller company.Profile
		if err := json.Unmarshal(q.Revision.Frozen.Company, &seller); err != nil {
			return fmt.Errorf("frozen profile: %w", err)
		}
		zone := seller.Location()
		if err := e.Validate(q.Revision.LastDay(), quote.Day(db.now(), zone)); err != nil {
			return err
		}
		args := pgx.NamedArgs{"revision_id": q.Revision.ID, "until": e.Until, "expires_at": quote.EndOfDay(e.Until, zone),
			"ends": quote.LinkEnd(e.Until, zone)}
		for _, sql := range []string{sqlExtend, sqlExtendLinks} {
			if _, err := tx.Exec(ctx, sql, args); err != nil {
				return fmt.Errorf("extend quote %d: %w", q.ID, err)
			}
		}
		return db.record(ctx, tx, entry{quote: q.ID, revision: q.Revision.Number, kind: quote.Extend, actor: e.Actor, data: map[string]string{
			"reason": e.Until.Format(time.DateOnly) + ": " + e.Reason}})
	})
}
