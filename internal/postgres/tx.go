package postgres

import (
	"context"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// querier is what a read helper needs: the pool or a transaction.
type querier interface {
	Exec(ctx context.Context, sql string, args ...any) (pgconn.CommandTag, error)
	Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error)
	QueryRow(ctx context.Context, sql string, args ...any) pgx.Row
	SendBatch(ctx context.Context, b *pgx.Batch) pgx.BatchResults
}

const (
	maxAttempts = 5
	retryPause  = 10 * time.Millisecond // doubled with each attempt, plus as much again at random
)

// inTx runs fn in one transaction and commits when it returns nil. A serialization failure or
// a deadlock runs fn again from the start, so fn must keep no state between runs. Nothing else is
// retried: after a lost connection nobody knows whether the commit took place. The error is interpreted.
func (db *DB) inTx(ctx context.Context, fn func(ctx context.Context, tx pgx.Tx) error) error {
	pause := retryPause
	for attempt := 1; ; attempt++ {
		err := pgx.BeginFunc(ctx, db.pool, func(tx pgx.Tx) error { return fn(ctx, tx) })
		if attempt == maxAttempts || !retryable(err) {
			return interpretError(err)
		}
		select {
		case <-ctx.Done():
			return interpretError(err)
		case <-time.After(pause + rand.N(pause)):
			pause *= 2
		}
	}
}
