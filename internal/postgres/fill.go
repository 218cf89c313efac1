package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// One lock for every program that may fill an empty database: of several that start at once one does, and the others
	// wait until they can see what it did.
	sqlLockFilling = `SELECT pg_advisory_xact_lock(hashtext('rackwright.filling'))`
	sqlUntouched   = `
		SELECT NOT EXISTS (SELECT FROM quote) AND NOT EXISTS (SELECT FROM customer) AND NOT EXISTS (SELECT FROM price_list)
		   AND NOT EXISTS (SELECT FROM location) AND NOT EXISTS (SELECT FROM company WHERE name <> '')`
	sqlHasDemo = `SELECT EXISTS (SELECT FROM price_list WHERE demo)`
)

// FillOnce runs fill if nobody has worked with the database yet (no quote, no customer, no price list, no place, no
// company), and reports whether it did. Everything that fill does through the store it gets is one transaction: all of it
// is there afterwards, or nothing. The store's clock shows what set was last called with, so that fill can write a
// past; fill must use no other store, and one goroutine. Like every transaction it may be run again from its start.
func (db *DB) FillOnce(ctx context.Context, fill func(ctx context.Context, store *DB, set func(now time.Time)) error) (bool, error) {
	filled := false
	err := db.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		filled = false
		if _, err := tx.Exec(ctx, sqlLockFilling); err != nil {
			return fmt.Errorf("lock: %w", err)
		}
		var untouched bool
		if err := tx.QueryRow(ctx, sqlUntouched).Scan(&untouched); err != nil || !untouched {
			return err
		}
		filled = true
		now := db.now()
		store := &DB{pool: onePool{tx}, clock: func() time.Time { return now }}
		return fill(ctx, store, func(t time.Time) { now = t })
	})
	return filled && err == nil, err
}

// HasDemo reports whether the database holds demo data: a price list that is marked as invented.
func (db *DB) HasDemo(ctx context.Context) (bool, error) {
	var has bool
	err := db.pool.QueryRow(ctx, sqlHasDemo).Scan(&has)
	return has, interpretError(err)
}

// onePool is a transaction in the place of a pool; transactions within it are savepoints.
type onePool struct{ pgx.Tx }

// BeginTx ignores the options: the transaction around decides what is seen.
func (p onePool) BeginTx(ctx context.Context, _ pgx.TxOptions) (pgx.Tx, error) { return p.Begin(ctx) }

// Ping has nothing to reach.
func (onePool) Ping(context.Context) error { return nil }

// Close leaves the transaction to FillOnce.
func (onePool) Close() {}

// Now returns the present of the store's clock.
func (db *DB) Now() time.Time { return db.now() }
