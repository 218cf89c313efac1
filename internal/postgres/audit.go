package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/auth"
)

// change is one entry for the audit log. before and after are nil or marshal to JSON objects;
// they never hold a password, a hash of one or a token.
type change struct {
	actor      int64  // 0 is the program itself
	action     string // for example "user.create"
	objectType string
	objectID   string
	before     any
	after      any
}

const sqlInsertAudit = `
	INSERT INTO audit_log (at, actor_id, actor_name, action, object_type, object_id, before, after)
	VALUES (@at, nullif(@actor::bigint, 0), coalesce((SELECT display_name FROM app_user WHERE id = @actor), ''),
	        @action, @object_type, @object_id, @before::jsonb, @after::jsonb)`

// audit records a change within the transaction that makes it.
func (db *DB) audit(ctx context.Context, tx pgx.Tx, c change) error {
	before, err := jsonOrNil(c.before)
	if err != nil {
		return err
	}
	after, err := jsonOrNil(c.after)
	if err != nil {
		return err
	}
	_, err = tx.Exec(ctx, sqlInsertAudit, pgx.NamedArgs{
		"at": db.now(), "actor": c.actor, "action": c.action, "object_type": c.objectType,
		"object_id": c.objectID, "before": before, "after": after,
	})
	if err != nil {
		return fmt.Errorf("audit %s: %w", c.action, err)
	}
	return nil
}

// jsonOrNil returns v as JSON text, nil for nil.
func jsonOrNil(v any) (*string, error) {
	if v == nil {
		return nil, nil
	}
	b, err := json.Marshal(v)
	if err != nil {
		return nil, fmt.Errorf("audit: %w", err)
	}
	s := string(b)
	return &s, nil
}

type auditRow struct {
	ID         int64
	At         time.Time
	ActorName  string
	Action     string
	ObjectType string
	ObjectID   string
	Before     *string
	After      *string
}

const sqlAuditLog = `
	SELECT id, at, actor_name, action, object_type, object_id, before::text AS before, after::text AS after
	FROM audit_log
	WHERE @below::bigint = 0 OR id < @below
	ORDER BY id DESC
	LIMIT @max`

// AuditLog returns at most max entries older than the entry below, newest first; below 0
// begins at the newest.
func (db *DB) AuditLog(ctx context.Context, below int64, max int) ([]auth.AuditEntry, error) {
	rows, err := db.pool.Query(ctx, sqlAuditLog, pgx.NamedArgs{"below": below, "max": max})
	if err != nil {
		return nil, interpretError(fmt.Errorf("audit log: %w", err))
	}
	entries, err := pgx.CollectRows(rows, pgx.RowToStructByName[auditRow])
	if err != nil {
		return nil, interpretError(fmt.Errorf("audit log: %w", err))
	}
	out := make([]auth.AuditEntry, len(entries))
	for i, r := range entries {
		out[i] = auth.AuditEntry{
			ID: r.ID, At: r.At, Actor: r.ActorName, Action: r.Action,
			ObjectType: r.ObjectType, ObjectID: r.ObjectID, Before: textOf(r.Before), After: textOf(r.After),
		}
	}
	return out, nil
}

func textOf(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
