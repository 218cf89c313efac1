package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/sizing"
)

const sqlInsertSizingReport = `
INSERT INTO sizing_report (token_hash, idempotency_key, created_at, created_by, title, document_version,
    engine_version, constants_version, catalogue_hash, request, result)
VALUES (@token_hash, @idempotency_key, @created_at, @created_by, @title, @document_version,
    @engine_version, @constants_version, @catalogue_hash, @request, @result)
ON CONFLICT (idempotency_key) DO NOTHING
RETURNING id`

const sqlSizingReportByKey = `
SELECT id FROM sizing_report WHERE idempotency_key = @idempotency_key`

// SaveSizingReport stores a report and returns its id. A second call with the same
// idempotency key stores nothing and returns the first one's id.
func (db *DB) SaveSizingReport(ctx context.Context, n sizing.NewReport) (int64, error) {
	request, err := json.Marshal(n.Request)
	if err != nil {
		return 0, fmt.Errorf("encode sizing request: %w", err)
	}
	result, err := json.Marshal(n.Result)
	if err != nil {
		return 0, fmt.Errorf("encode sizing result: %w", err)
	}
	args := pgx.NamedArgs{
		"token_hash":        n.TokenHash[:],
		"idempotency_key":   n.IdempotencyKey,
		"created_at":        db.clock(),
		"created_by":        n.CreatedBy,
		"title":             n.Title,
		"document_version":  sizing.DocumentVersion,
		"engine_version":    n.Result.EngineVersion,
		"constants_version": n.Result.ConstantsVersion,
		"catalogue_hash":    n.CatalogueHash,
		"request":           request,
		"result":            result,
	}
	var id int64
	err = db.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		rows, err := tx.Query(ctx, sqlInsertSizingReport, args)
		if err != nil {
			return err
		}
		ids, err := pgx.CollectRows(rows, pgx.RowTo[int64])
		if err != nil {
			return err
		}
		if len(ids) == 1 {
			id = ids[0]
			return nil
		}
		rows, err = tx.Query(ctx, sqlSizingReportByKey, args)
		if err != nil {
			return err
		}
		id, err = pgx.CollectExactlyOneRow(rows, pgx.RowTo[int64])
		return err
	})
	return id, interpretError(err)
}

// sizingReportRow is one row of sizing_report.
type sizingReportRow struct {
	ID              int64
	CreatedAt       time.Time
	CreatedBy       *int64
	CreatedByName   *string
	Title           string
	DocumentVersion int
	CatalogueHash   string
	Request         []byte
	Result          []byte
}

const sqlSizingReportByID = `
SELECT r.id, r.created_at, r.created_by, u.display_name AS created_by_name, r.title, r.document_version, r.catalogue_hash,
    r.request, r.result
FROM sizing_report r
LEFT JOIN app_user u ON u.id = r.created_by
WHERE r.id = @id`

const sqlSizingReportByToken = `
SELECT r.id, r.created_at, r.created_by, u.display_name AS created_by_name, r.title, r.document_version, r.catalogue_hash,
    r.request, r.result
FROM sizing_report r
LEFT JOIN app_user u ON u.id = r.created_by
WHERE r.token_hash = @token_hash`

// SizingReport returns a stored report as it was said then.
func (db *DB) SizingReport(ctx context.Context, id int64) (sizing.Report, error) {
	return db.sizingReport(ctx, sqlSizingReportByID, pgx.NamedArgs{"id": id})
}

// SizingReportByToken returns the report that a visitor's token opens.
func (db *DB) SizingReportByToken(ctx context.Context, tokenHash [32]byte) (sizing.Report, error) {
	return db.sizingReport(ctx, sqlSizingReportByToken, pgx.NamedArgs{"token_hash": tokenHash[:]})
}

func (db *DB) sizingReport(ctx context.Context, sql string, args pgx.NamedArgs) (sizing.Report, error) {
	rows, err := db.pool.Query(ctx, sql, args)
	if err != nil {
		return sizing.Report{}, interpretError(err)
	}
	row, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[sizingReportRow])
	if err != nil {
		return sizing.Report{}, interpretError(err)
	}
	report := sizing.Report{
		ID: row.ID, CreatedAt: row.CreatedAt, CreatedBy: row.CreatedBy,
		Title: row.Title, CatalogueHash: row.CatalogueHash,
	}
	if row.CreatedByName != nil {
		report.CreatedByName = *row.CreatedByName
	}
	if err := sizing.DecodeReport(row.DocumentVersion, row.Request, row.Result, &report); err != nil {
		return sizing.Report{}, fmt.Errorf("sizing report %d: %w", row.ID, err)
	}
	return report, nil
}

// sizingHeadRow is one line of the list of reports.
type sizingHeadRow struct {
	ID        int64
	CreatedAt time.Time
	Title     string
	Author    string
}

const sqlSizingReports = `
SELECT r.id, r.created_at, r.title, u.display_name AS author
FROM sizing_report r
JOIN app_user u ON u.id = r.created_by
ORDER BY r.id DESC
LIMIT @limit`

// SizingReports returns the newest reports of the staff, at most limit.
func (db *DB) SizingReports(ctx context.Context, limit int) ([]sizing.ReportHead, error) {
	rows, err := db.pool.Query(ctx, sqlSizingReports, pgx.NamedArgs{"limit": limit})
	if err != nil {
		return nil, interpretError(err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByName[sizingHeadRow])
	if err != nil {
		return nil, interpretError(err)
	}
	heads := make([]sizing.ReportHead, len(found))
	for i, row := range found {
		heads[i] = sizing.ReportHead(row)
	}
	return heads, nil
}
