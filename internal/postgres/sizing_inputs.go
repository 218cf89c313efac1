package postgres

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/sizing/cost"
)

const sqlAllSubjects = `
SELECT code, kind, sku, gpu_sku, provider, instance, series, in_provider_charts, label
FROM price_subject
ORDER BY code
LIMIT @limit`

// subjectLimit bounds the price series that one sizing looks at.
const subjectLimit = 20_000

type importHeadRow struct {
	Hash       string
	ImportedAt time.Time
}

// SizingInputs returns what a sizing is computed from, all of one moment: every product
// with its claims and parts, the prices of parts, the cloud offers and the cost defaults;
// and the hash of the catalogue, which is empty before the first import.
func (db *DB) SizingInputs(ctx context.Context) (s cost.Sources, catalogueHash string, err error) {
	err = db.snapshot(ctx, func(tx pgx.Tx) error {
		if s, err = sizingSources(ctx, tx); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, sqlLatestImport)
		if err != nil {
			return fmt.Errorf("read the catalogue's hash: %w", err)
		}
		head, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[importHeadRow])
		if err != nil && !errors.Is(err, pgx.ErrNoRows) {
			return fmt.Errorf("read the catalogue's hash: %w", err)
		}
		catalogueHash = head.Hash
		return nil
	})
	return s, catalogueHash, err
}

func sizingSources(ctx context.Context, q querier) (s cost.Sources, err error) {
	if s.Products, err = products(ctx, q, nil); err != nil {
		return s, err
	}
	if s.Subjects, err = collect[subjectRow](ctx, q, sqlAllSubjects, pgx.NamedArgs{"limit": subjectLimit}); err != nil {
		return s, err
	}
	prices, err := plainPrices(ctx, q)
	if err != nil {
		return s, err
	}
	for _, p := range s.Products {
		s.Observations = append(s.Observations, prices[p.SKU.Code]...)
	}
	if s.Offers, err = offers(ctx, q, nil); err != nil {
		return s, err
	}
	s.Defaults, err = collect[costDefaultRow](ctx, q, sqlCostDefaults, nil)
	return s, err
}
