package postgres

import (
	"context"
	"fmt"
	"log/slog"

	"github.com/jackc/pgx/v5"
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
// is not there (yet, or any more). Each step is a transaction of its own: a value that one adds to a type can be used by the
// next only.
func migrateRiver(ctx context.Context, cfg *pgx.ConnConfig) error {
	conn, err := pgx.ConnectConfig(ctx, cfg)
	if err != nil {
		return fmt.Errorf("reach database: %w", err)
	}
	defer func() { _ = conn.Close(context.WithoutCancel(ctx)) }()
	m, err := rivermigrate.New(riverpgxv5.New(nil), &rivermigrate.Config{Schema: riverSchema, Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		return fmt.Errorf("prepare jobs: %w", err)
	}
	for done := false; !done; {
		err := pgx.BeginFunc(ctx, conn, func(tx pgx.Tx) error {
			done, err = riverStep(ctx, tx, m)
			return err
		})
		if err != nil {
			return fmt.Errorf("tables of jobs: %w", err)
		}
	}
	return nil
}

// riverStep takes river's schema one version further, and reports whether there was nothing left to do.
func riverStep(ctx context.Context, tx pgx.Tx, m *rivermigrate.Migrator[pgx.Tx]) (done bool, err error) {
	if _, err := tx.Exec(ctx, sqlLockRiver); err != nil {
		return false, err
	}
	var there bool
	if err := tx.QueryRow(ctx, sqlRiverExists).Scan(&there); err != nil || !there {
		return true, err
	}
	result, err := m.MigrateTx(ctx, tx, rivermigrate.DirectionUp, &rivermigrate.MigrateOpts{MaxSteps: 1})
	if err != nil {
		return false, err
	}
	return len(result.Versions) == 0, nil
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
