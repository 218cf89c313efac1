package postgres

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/riverqueue/river"
	"github.com/riverqueue/river/riverdriver/riverpgxv5"
	"github.com/riverqueue/river/rivermigrate"
)

// riverSchema holds river's own tables. Migration mail makes and drops it; what is in it is made here.
const riverSchema = "river"

const (
	sqlLockRiver   = `SELECT pg_advisory_xact_lock(hashtext('rackwright.river'))`
	sqlRiverExists = `SELECT EXISTS (SELECT FROM information_schema.schemata WHERE schema_name = 'river')`
)

// migrateRiver brings river's tables to the version of the library, one program at a time. It does nothing where the schema
// is not there (yet, or any more). river's steps are transactions of their own, so the lock is held by another connection.
func migrateRiver(ctx context.Context, cfg *pgx.ConnConfig) error {
	poolCfg, err := pgxpool.ParseConfig(cfg.ConnString())
	if err != nil {
		return fmt.Errorf("database URL: %w", err)
	}
	poolCfg.MaxConns, poolCfg.ConnConfig.ConnectTimeout = 2, cfg.ConnectTimeout
	pool, err := pgxpool.NewWithConfig(ctx, poolCfg)
	if err != nil {
		return fmt.Errorf("reach database: %w", err)
	}
	defer pool.Close()
	return pgx.BeginFunc(ctx, pool, func(lock pgx.Tx) error {
		if _, err := lock.Exec(ctx, sqlLockRiver); err != nil {
			return fmt.Errorf("lock for jobs: %w", err)
		}
		var there bool
		if err := lock.QueryRow(ctx, sqlRiverExists).Scan(&there); err != nil || !there {
			return err
		}
		m, err := rivermigrate.New(riverpgxv5.New(pool), &rivermigrate.Config{Schema: riverSchema, Logger: slog.New(slog.DiscardHandler)})
		if err != nil {
			return fmt.Errorf("prepare jobs: %w", err)
		}
		if _, err := m.Migrate(ctx, rivermigrate.DirectionUp, nil); err != nil {
			return fmt.Errorf("tables of jobs: %w", err)
		}
		return nil
	})
}

// enqueue stores a job in the transaction of what it is about.
func enqueue(ctx context.Context, tx pgx.Tx, args river.JobArgs) error {
	client, err := river.NewClient(riverpgxv5.New(nil), &river.Config{Schema: riverSchema, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return fmt.Errorf("jobs: %w", err)
	}
	if _, err := client.InsertTx(ctx, tx, args, nil); err != nil {
		return fmt.Errorf("enqueue %s: %w", args.Kind(), err)
	}
	return nil
}
