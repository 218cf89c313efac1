package postgres

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/apperr"
	"rackwright/internal/quote"
)

const (
	sqlInsertLink = `
		INSERT INTO public_link (revision_id, token_hash, created_at, created_by, expires_at)
		VALUES (@revision_id, @token_hash, @now, @actor_id, @expires_at)`
	sqlQuoteLinks = `
		SELECT l.id, r.number AS revision, l.created_at, l.expires_at, l.revoked_at
		FROM public_link l JOIN quote_revision r ON r.id = l.revision_id
		WHERE r.quote_id = @id
		ORDER BY l.id DESC`
	sqlRevokeLinks = `
		UPDATE public_link l SET revoked_at = @now FROM quote_revision r
		WHERE r.id = l.revision_id AND r.quote_id = @id AND l.revoked_at IS NULL`
	sqlLinkByToken = `
		SELECT r.quote_id, r.number AS revision, l.expires_at, l.revoked_at
		FROM public_link l JOIN quote_revision r ON r.id = l.revision_id
		WHERE l.token_hash = @token_hash`
)

// tokenBytes is 128 bits, as of every public token.
const tokenBytes = 16

// newToken returns a random token as it stands in an address.
func newToken() string {
	var b [tokenBytes]byte
	_, _ = rand.Read(b[:]) // never fails (crypto/rand)
	return base64.RawURLEncoding.EncodeToString(b[:])
}

func hashToken(token string) []byte {
	sum := sha256.Sum256([]byte(token))
	return sum[:]
}

// insertLink makes a link to a sent revision and returns its token, which is not kept.
func (db *DB) insertLink(ctx context.Context, tx pgx.Tx, r quote.Revision, by quote.Actor, s quote.Settings) (string, error) {
	token := newToken()
	_, err := tx.Exec(ctx, sqlInsertLink, pgx.NamedArgs{"revision_id": r.ID, "token_hash": hashToken(token), "now": db.now(),
		"actor_id": by.ID, "expires_at": quote.LinkEnd(r.LastDay(), s.Zone)})
	if err != nil {
		return "", fmt.Errorf("insert link: %w", err)
	}
	return token, nil
}

type linkRow struct {
	ID        int64
	Revision  int
	CreatedAt time.Time
	ExpiresAt time.Time
	RevokedAt *time.Time
}

func (r linkRow) domain() quote.Link {
	return quote.Link{ID: r.ID, Revision: r.Revision, CreatedAt: r.CreatedAt, ExpiresAt: r.ExpiresAt, RevokedAt: value(r.RevokedAt)}
}

// QuoteLinks returns the links of a quote, the newest first. Their tokens are not known any more.
func (db *DB) QuoteLinks(ctx context.Context, id int64) ([]quote.Link, error) {
	out, err := collect[linkRow](ctx, db.pool, sqlQuoteLinks, pgx.NamedArgs{"id": id})
	return out, interpretError(err)
}

// NewLink makes a new link to the newest sent revision and returns its token, once: the same form again gets none. Older
// links of the quote stop working.
func (db *DB) NewLink(ctx context.Context, s quote.Step) (string, error) {
	var token string
	err := db.changeQuote(ctx, "quote.link", s, new(struct{}), func(ctx context.Context, tx pgx.Tx, q quote.Quote) error {
		sent, err := newestSent(ctx, tx, q)
		if err != nil {
			return err
		}
		settings, err := quoteSettings(ctx, tx)
		if err != nil {
			return err
		}
		if !quote.LinkEnd(sent.LastDay(), settings.Zone).After(db.now()) {
			return apperr.New(apperr.Conflict, "quote.link_too_late")
		}
		if _, err := tx.Exec(ctx, sqlRevokeLinks, pgx.NamedArgs{"id": q.ID, "now": db.now()}); err != nil {
			return fmt.Errorf("revoke links: %w", err)
		}
		if token, err = db.insertLink(ctx, tx, *sent, s.Actor, settings); err != nil {
			return err
		}
		return db.record(ctx, tx, entry{quote: q.ID, revision: sent.Number, kind: quote.LinkIssued, actor: s.Actor})
	})
	return token, err
}

// newestSent returns the head of the newest revision that was sent, or a Conflict where none was.
func newestSent(ctx context.Context, tx pgx.Tx, q quote.Quote) (*quote.Revision, error) {
	heads, err := collect[revisionHeadRow](ctx, tx, sqlRevisionHeads, pgx.NamedArgs{"id": q.ID})
	if err != nil {
		return nil, fmt.Errorf("revisions: %w", err)
	}
	for i := range slices.Backward(heads) {
		if !heads[i].SentAt.IsZero() {
			return &heads[i], nil
		}
	}
	return nil, apperr.New(apperr.Conflict, "quote.refused_state", "state", apperr.Msg(q.Revision.State.MessageID()))
}

// RevokeLinks ends every link of a quote that still works, those to older revisions too.
func (db *DB) RevokeLinks(ctx context.Context, s quote.Step) error {
	return db.changeQuote(ctx, "quote.unlink", s, new(struct{}), func(ctx context.Context, tx pgx.Tx, q quote.Quote) error {
		tag, err := tx.Exec(ctx, sqlRevokeLinks, pgx.NamedArgs{"id": q.ID, "now": db.now()})
		if err != nil {
			return fmt.Errorf("revoke links: %w", err)
		}
		if tag.RowsAffected() == 0 {
			return nil
		}
		return db.record(ctx, tx, entry{quote: q.ID, revision: q.Revision.Number, kind: quote.LinkRevoked, actor: s.Actor})
	})
}

type linkTargetRow struct {
	QuoteID   int64
	Revision  int
	ExpiresAt time.Time
	RevokedAt *time.Time
}

// linkTarget returns what a token opens: NotFound for an unknown, a revoked and an expired one.
func (db *DB) linkTarget(ctx context.Context, q querier, token string) (linkTargetRow, error) {
	rows, err := q.Query(ctx, sqlLinkByToken, pgx.NamedArgs{"token_hash": hashToken(token)})
	if err != nil {
		return linkTargetRow{}, fmt.Errorf("link: %w", err)
	}
	r, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[linkTargetRow])
	if err != nil {
		return linkTargetRow{}, fmt.Errorf("link: %w", err)
	}
	if r.RevokedAt != nil || !db.now().Before(r.ExpiresAt) {
		return linkTargetRow{}, apperr.New(apperr.NotFound, "errors.page_link_expired")
	}
	return r, nil
}
