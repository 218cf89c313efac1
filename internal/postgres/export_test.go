package postgres

import (
	"context"

	"github.com/jackc/pgx/v5"
)

// InTx lets tests outside the package run a transaction.
func (db *DB) InTx(ctx context.Context, fn func(ctx context.Context, tx pgx.Tx) error) error {
	return db.inTx(ctx, fn)
}
