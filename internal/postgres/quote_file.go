package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/apperr"
	"rackwright/internal/quote"
)

const (
	sqlFiles = `
		SELECT f.id, f.name, f.sha256, octet_length(c.bytes) AS size, f.created_at, u.display_name AS by
		FROM quote_file f JOIN file_content c ON c.sha256 = f.sha256 JOIN app_user u ON u.id = f.created_by
		WHERE f.revision_id = @revision_id
		ORDER BY f.id`
	sqlInsertContent = `INSERT INTO file_content (sha256, bytes) VALUES (@sha256, @bytes) ON CONFLICT (sha256) DO NOTHING`
	sqlInsertFile    = `
		INSERT INTO quote_file (revision_id, name, sha256, created_at, created_by)
		VALUES (@revision_id, @name, @sha256, @now, @actor_id)`
	sqlDeleteFile    = `DELETE FROM quote_file WHERE id = @id AND revision_id = @revision_id RETURNING name, sha256`
	sqlDeleteContent = `
		DELETE FROM file_content WHERE sha256 = @sha256 AND NOT EXISTS (SELECT FROM quote_file WHERE sha256 = @sha256)`
	sqlCopyFiles = `
		INSERT INTO quote_file (revision_id, name, sha256, created_at, created_by)
		SELECT r.id, f.name, f.sha256, f.created_at, f.created_by
		FROM quote_file f, quote_revision r
		WHERE f.revision_id = @revision_id AND r.quote_id = @id AND r.number = @number
		ORDER BY f.id`
	sqlFile = `
		SELECT f.name, f.sha256, c.bytes
		FROM quote_file f JOIN file_content c ON c.sha256 = f.sha256 JOIN quote_revision r ON r.id = f.revision_id
		WHERE f.id = @file_id AND r.quote_id = @id AND (r.number = @number OR @number = 0)`
)

type fileRow struct {
	ID        int64
	Name      string
	SHA256    []byte `db:"sha256"`
	Size      int
	CreatedAt time.Time
	By        string
}

func (r fileRow) domain() quote.File {
	return quote.File{ID: r.ID, Name: r.Name, SHA256: hex.EncodeToString(r.SHA256), Size: r.Size, At: r.CreatedAt, By: r.By}
}

// AddFile attaches a file to the newest revision, which must be a draft. A second file of one name gets a number.
func (db *DB) AddFile(ctx context.Context, a quote.AddFile) error {
	name, err := quote.CheckFile(a.Name, a.Bytes)
	if err != nil {
		return err
	}
	return db.changeQuote(ctx, "quote.file", step(a.QuoteID, a.Version, a.Key), new(struct{}), func(ctx context.Context, tx pgx.Tx, q quote.Quote) error {
		if err := editable(q); err != nil {
			return err
		}
		if len(q.Revision.Files) >= quote.MaxFiles {
			var f apperr.Faults
			f.Add("file", "files.too_many", "n", quote.MaxFiles)
			return f.Err()
		}
		name = quote.UniqueName(name, q.Revision.Files)
		sum := sha256.Sum256(a.Bytes)
		args := pgx.NamedArgs{"revision_id": q.Revision.ID, "name": name, "sha256": sum[:], "bytes": a.Bytes, "now": db.now(), "actor_id": a.Actor.ID}
		for _, sql := range []string{sqlInsertContent, sqlInsertFile} {
			if _, err := tx.Exec(ctx, sql, args); err != nil {
				return fmt.Errorf("attach to quote %d: %w", q.ID, err)
			}
		}
		return db.record(ctx, tx, entry{quote: q.ID, revision: q.Revision.Number, kind: quote.FileAdded, actor: a.Actor,
			data: map[string]string{"name": name, "sha256": hex.EncodeToString(sum[:])}})
	})
}

// RemoveFile takes a file off the newest revision, which must be a draft. Older revisions keep theirs.
func (db *DB) RemoveFile(ctx context.Context, r quote.RemoveFile) error {
	return db.changeQuote(ctx, "quote.file_remove", step(r.QuoteID, r.Version, r.Key), new(struct{}), func(ctx context.Context, tx pgx.Tx, q quote.Quote) error {
		if err := editable(q); err != nil {
			return err
		}
		var name string
		var sum []byte
		if err := tx.QueryRow(ctx, sqlDeleteFile, pgx.NamedArgs{"id": r.FileID, "revision_id": q.Revision.ID}).Scan(&name, &sum); err != nil {
			return fmt.Errorf("remove file %d: %w", r.FileID, err)
		}
		if _, err := tx.Exec(ctx, sqlDeleteContent, pgx.NamedArgs{"sha256": sum}); err != nil {
			return fmt.Errorf("remove content of file %d: %w", r.FileID, err)
		}
		return db.record(ctx, tx, entry{quote: q.ID, revision: q.Revision.Number, kind: quote.FileRemoved, actor: r.Actor,
			data: map[string]string{"name": name, "sha256": hex.EncodeToString(sum)}})
	})
}

// editable refuses a change of what was sent.
func editable(q quote.Quote) error {
	_, err := quote.Next(q.Revision.State, quote.Save)
	return err
}

// copyFiles gives a new revision of a quote the files of the one that q carries.
func copyFiles(ctx context.Context, tx pgx.Tx, q quote.Quote, number int) error {
	_, err := tx.Exec(ctx, sqlCopyFiles, pgx.NamedArgs{"revision_id": q.Revision.ID, "id": q.ID, "number": number})
	if err != nil {
		return fmt.Errorf("copy files of revision %d: %w", q.Revision.ID, err)
	}
	return nil
}

type fileContentRow struct {
	Name   string
	SHA256 []byte `db:"sha256"`
	Bytes  []byte
}

func (r fileContentRow) domain() quote.Document {
	return quote.Document{FileName: r.Name, SHA256: hex.EncodeToString(r.SHA256), Bytes: r.Bytes}
}

// QuoteFile returns a file of any revision of a quote.
func (db *DB) QuoteFile(ctx context.Context, id, fileID int64) (quote.Document, error) {
	return db.file(ctx, db.pool, id, 0, fileID)
}

// FileByToken returns a file of the revision behind a customer's link.
func (db *DB) FileByToken(ctx context.Context, token string, fileID int64) (quote.Document, error) {
	target, err := db.linkTarget(ctx, db.pool, token)
	if err != nil {
		return quote.Document{}, interpretError(err)
	}
	return db.file(ctx, db.pool, target.QuoteID, target.Revision, fileID)
}

// file reads one file; revision 0 is any.
func (db *DB) file(ctx context.Context, q querier, id int64, revision int, fileID int64) (quote.Document, error) {
	found, err := collect[fileContentRow](ctx, q, sqlFile, pgx.NamedArgs{"id": id, "number": revision, "file_id": fileID})
	if err == nil && len(found) == 0 {
		err = pgx.ErrNoRows
	}
	if err != nil {
		return quote.Document{}, interpretError(fmt.Errorf("file %d of quote %d: %w", fileID, id, err))
	}
	return found[0], nil
}
