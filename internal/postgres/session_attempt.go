package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/auth"
)

type attemptsRow struct {
	FailedHere   int
	LastHere     *time.Time
	FailedAnyway int
	LastAnyway   *time.Time
	Known        bool
}

// Failures count from the last success of the name at the address: who has just signed in
// starts afresh.
const sqlAttempts = `
	WITH good AS (
		SELECT max(at) AS at FROM login_attempt
		WHERE name_hash = @name AND addr = @addr AND succeeded AND at > @memory
	), bad AS (
		SELECT addr, at FROM login_attempt
		WHERE name_hash = @name AND NOT succeeded AND at > @since
	)
	SELECT count(*) FILTER (WHERE bad.addr = @addr AND (good.at IS NULL OR bad.at > good.at)) AS failed_here,
	       max(bad.at) FILTER (WHERE bad.addr = @addr AND (good.at IS NULL OR bad.at > good.at)) AS last_here,
	       count(bad.at) AS failed_anyway, max(bad.at) AS last_anyway,
	       coalesce(bool_or(good.at IS NOT NULL), false) AS known
	FROM good LEFT JOIN bad ON true`

// LoginAttempts returns what is known about recent sign-ins of a name, seen from an address.
func (db *DB) LoginAttempts(ctx context.Context, name auth.NameHash, addr string, now time.Time) (auth.Attempts, error) {
	rows, err := db.pool.Query(ctx, sqlAttempts, pgx.NamedArgs{
		"name": name[:], "addr": addr,
		"since": now.Add(-auth.AttemptWindow), "memory": now.Add(-auth.AttemptMemory),
	})
	if err != nil {
		return auth.Attempts{}, interpretError(fmt.Errorf("attempts: %w", err))
	}
	r, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[attemptsRow])
	if err != nil {
		return auth.Attempts{}, interpretError(fmt.Errorf("attempts: %w", err))
	}
	return auth.Attempts{
		FailedHere: r.FailedHere, LastHere: timeOf(r.LastHere),
		FailedAnyway: r.FailedAnyway, LastAnyway: timeOf(r.LastAnyway), Known: r.Known,
	}, nil
}

func timeOf(t *time.Time) time.Time {
	if t == nil {
		return time.Time{}
	}
	return *t
}

const (
	sqlInsertAttempt = `
		INSERT INTO login_attempt (name_hash, addr, succeeded, at)
		VALUES (@name, left(@addr, 64), @succeeded, @at)`
	sqlDropAttempts = `
		DELETE FROM login_attempt WHERE at <= @memory OR NOT succeeded AND at <= @since`
)

// RecordAttempt notes a sign-in that was tried, and forgets what no longer counts.
func (db *DB) RecordAttempt(ctx context.Context, name auth.NameHash, addr string, ok bool, now time.Time) error {
	args := pgx.NamedArgs{
		"name": name[:], "addr": addr, "succeeded": ok, "at": now,
		"since": now.Add(-auth.AttemptWindow), "memory": now.Add(-auth.AttemptMemory),
	}
	return db.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		for _, sql := range []string{sqlDropAttempts, sqlInsertAttempt} {
			if _, err := tx.Exec(ctx, sql, args); err != nil {
				return fmt.Errorf("record attempt: %w", err)
			}
		}
		return nil
	})
}
