package postgres

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/apperr"
)

// formKey names one submission of a form. Without a key (a program that acts once) nothing is remembered.
type formKey struct {
	scope  string // what is done, for example "quote.send"
	key    string // the idempotency key of the form
	target string // what it is done to
}

const (
	sqlClaimKey = `
		INSERT INTO idempotency_key (scope, key, target, at) VALUES (@scope, @key, @target, @at)
		ON CONFLICT DO NOTHING`
	sqlKeyResult   = `SELECT target, result FROM idempotency_key WHERE scope = @scope AND key = @key`
	sqlStoreResult = `UPDATE idempotency_key SET result = @result WHERE scope = @scope AND key = @key`
)

// keyed runs fn in a transaction, once per form key. A second submission of the same form waits for the first,
// does nothing and gets its result, read into result (a pointer, as JSON). When fn fails, the key is free again.
func (db *DB) keyed(ctx context.Context, k formKey, result any, fn func(ctx context.Context, tx pgx.Tx) error) error {
	return db.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if k.key == "" {
			return fn(ctx, tx)
		}
		args := pgx.NamedArgs{"scope": k.scope, "key": k.key, "target": k.target, "at": db.now()}
		tag, err := tx.Exec(ctx, sqlClaimKey, args)
		if err != nil {
			return fmt.Errorf("claim key: %w", err)
		}
		if tag.RowsAffected() == 0 {
			return replay(ctx, tx, k, args, result)
		}
		if err := fn(ctx, tx); err != nil {
			return err
		}
		if args["result"], err = json.Marshal(result); err != nil {
			return fmt.Errorf("store result: %w", err)
		}
		if _, err := tx.Exec(ctx, sqlStoreResult, args); err != nil {
			return fmt.Errorf("store result: %w", err)
		}
		return nil
	})
}

// replay reads what the first submission gave.
func replay(ctx context.Context, tx pgx.Tx, k formKey, args pgx.NamedArgs, result any) error {
	var target string
	var stored []byte
	if err := tx.QueryRow(ctx, sqlKeyResult, args).Scan(&target, &stored); err != nil {
		return fmt.Errorf("read result: %w", err)
	}
	if target != k.target {
		return apperr.New(apperr.Conflict, "errors.changed_meanwhile")
	}
	if err := json.Unmarshal(stored, result); err != nil {
		return fmt.Errorf("read result: %w", err)
	}
	return nil
}
