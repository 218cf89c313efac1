package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/quote"
)

const (
	sqlPapers = `
		SELECT r.number AS revision, p.paper, p.sha256, octet_length(p.bytes) AS size, p.created_at, u.display_name AS by
		FROM quote_paper p JOIN quote_revision r ON r.id = p.revision_id JOIN app_user u ON u.id = p.created_by
		WHERE r.quote_id = @id
		ORDER BY r.number, p.created_at`
	sqlPaper = `
		SELECT coalesce(q.number, '') AS number, r.number AS revision, p.sha256, p.bytes
		FROM quote_paper p JOIN quote_revision r ON r.id = p.revision_id JOIN quote q ON q.id = r.quote_id
		WHERE r.quote_id = @id AND r.number = @number AND p.paper = @paper`
	sqlHasPaper    = `SELECT EXISTS (SELECT FROM quote_paper WHERE revision_id = @revision_id AND paper = @paper)`
	sqlInsertPaper = `
		INSERT INTO quote_paper (revision_id, paper, sha256, bytes, created_at, created_by)
		VALUES (@revision_id, @paper, @sha256, @bytes, @now, @actor_id)`
)

type paperRow struct {
	Revision  int
	Paper     string
	SHA256    []byte `db:"sha256"`
	Size      int
	CreatedAt time.Time
	By        string
}

func (r paperRow) domain() quote.MadePaper {
	return quote.MadePaper{Revision: r.Revision, Paper: quote.Paper(r.Paper), SHA256: hex.EncodeToString(r.SHA256), Size: r.Size, At: r.CreatedAt, By: r.By}
}

// MakePaper makes a paper of the accepted newest revision and stores it for good. One that is there stays as it is.
func (db *DB) MakePaper(ctx context.Context, m quote.MakePaper) error {
	return db.changeQuote(ctx, "quote.paper", step(m.QuoteID, m.Version, m.Key), new(struct{}), func(ctx context.Context, tx pgx.Tx, q quote.Quote) error {
		if err := m.Check(q.Revision); err != nil {
			return err
		}
		args := pgx.NamedArgs{"revision_id": q.Revision.ID, "paper": string(m.Paper), "now": db.now(), "actor_id": m.Actor.ID}
		var there bool
		if err := tx.QueryRow(ctx, sqlHasPaper, args).Scan(&there); err != nil || there {
			return err
		}
		q.Revision.Content = q.Revision.Content.ForCustomer()
		pdf, err := m.Render(q)
		if err != nil {
			return fmt.Errorf("render %s of quote %d: %w", m.Paper, q.ID, err)
		}
		sum := sha256.Sum256(pdf)
		args["sha256"], args["bytes"] = sum[:], pdf
		if _, err := tx.Exec(ctx, sqlInsertPaper, args); err != nil {
			return fmt.Errorf("store %s of quote %d: %w", m.Paper, q.ID, err)
		}
		return db.record(ctx, tx, entry{quote: q.ID, revision: q.Revision.Number, kind: m.Paper.Made(), actor: m.Actor,
			data: map[string]string{"sha256": hex.EncodeToString(sum[:])}})
	})
}

// Papers lists the papers of all revisions of a quote, oldest revision first.
func (db *DB) Papers(ctx context.Context, id int64) ([]quote.MadePaper, error) {
	papers, err := collect[paperRow](ctx, db.pool, sqlPapers, pgx.NamedArgs{"id": id})
	if err != nil {
		return nil, interpretError(fmt.Errorf("papers of quote %d: %w", id, err))
	}
	return papers, nil
}

// Paper returns a paper of a revision, byte for byte as it was made.
func (db *DB) Paper(ctx context.Context, id int64, revision int, paper quote.Paper) (quote.Document, error) {
	found, err := collect[documentRow](ctx, db.pool, sqlPaper, pgx.NamedArgs{"id": id, "number": revision, "paper": string(paper)})
	if err == nil && len(found) == 0 {
		err = pgx.ErrNoRows
	}
	if err != nil {
		return quote.Document{}, interpretError(fmt.Errorf("%s of quote %d revision %d: %w", paper, id, revision, err))
	}
	doc := found[0]
	doc.FileName = paper.FileName(doc.FileName)
	return doc, nil
}
