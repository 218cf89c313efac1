package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/auth"
)

type sessionRow struct {
	TokenHash []byte
	CreatedAt time.Time
	SeenAt    time.Time
	EndsAt    time.Time
	userRow
}

// sqlSessionUser finds session and person by one look-up in two primary keys. Whether the
// session is still live is decided by auth.Session.Live.
const sqlSessionUser = `
	SELECT s.token_hash, s.created_at, s.seen_at, s.ends_at, ` + userColumns + `
	FROM session s JOIN app_user u ON u.id = s.user_id
	WHERE s.token_hash = @hash AND NOT u.disabled`

// SessionUser returns the live session of a token and its person; NotFound when the session
// does not count any more or the person is disabled.
func (db *DB) SessionUser(ctx context.Context, h auth.TokenHash, now time.Time) (auth.Session, auth.User, error) {
	rows, err := db.pool.Query(ctx, sqlSessionUser, pgx.NamedArgs{"hash": h[:]})
	if err != nil {
		return auth.Session{}, auth.User{}, interpretError(fmt.Errorf("session: %w", err))
	}
	r, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[sessionRow])
	if err != nil {
		return auth.Session{}, auth.User{}, interpretError(fmt.Errorf("session: %w", err))
	}
	s := auth.Session{Hash: h, UserID: r.ID, Created: r.CreatedAt, Seen: r.SeenAt, Ends: r.EndsAt}
	if !s.Live(now) {
		return auth.Session{}, auth.User{}, interpretError(fmt.Errorf("session has ended: %w", pgx.ErrNoRows))
	}
	return s, r.user(), nil
}

const sqlTouchSession = `UPDATE session SET seen_at = greatest(seen_at, @now) WHERE token_hash = @hash`

// TouchSession notes that a session was used.
func (db *DB) TouchSession(ctx context.Context, h auth.TokenHash, now time.Time) error {
	_, err := db.pool.Exec(ctx, sqlTouchSession, pgx.NamedArgs{"hash": h[:], "now": now})
	return interpretError(err)
}

const (
	sqlInsertSession = `
		INSERT INTO session (token_hash, user_id, created_at, seen_at, ends_at)
		VALUES (@hash, @user_id, @created, @seen, @ends)`
	// Sign-ins are rare and the column is indexed, so each one sweeps what has ended.
	sqlDropEnded = `DELETE FROM session WHERE ends_at <= @now OR seen_at <= @idle`
)

// CreateSession stores a session and sweeps those that have ended.
func (db *DB) CreateSession(ctx context.Context, s auth.Session) error {
	return db.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		idle := s.Created.Add(-auth.SessionIdle)
		if _, err := tx.Exec(ctx, sqlDropEnded, pgx.NamedArgs{"now": s.Created, "idle": idle}); err != nil {
			return fmt.Errorf("sweep sessions: %w", err)
		}
		_, err := tx.Exec(ctx, sqlInsertSession, pgx.NamedArgs{
			"hash": s.Hash[:], "user_id": s.UserID, "created": s.Created, "seen": s.Seen, "ends": s.Ends,
		})
		if err != nil {
			return fmt.Errorf("create session: %w", err)
		}
		return nil
	})
}

const sqlEndSession = `DELETE FROM session WHERE token_hash = @hash`

// EndSession signs one browser out. A session that is gone already is no error.
func (db *DB) EndSession(ctx context.Context, h auth.TokenHash) error {
	_, err := db.pool.Exec(ctx, sqlEndSession, pgx.NamedArgs{"hash": h[:]})
	return interpretError(err)
}

const sqlEndSessions = `DELETE FROM session WHERE user_id = @id AND token_hash <> @keep`

// EndSessions signs a person out everywhere but in the kept session and returns how many
// browsers that were. The zero hash keeps none.
func (db *DB) EndSessions(ctx context.Context, userID int64, keep auth.TokenHash) (int64, error) {
	tag, err := db.pool.Exec(ctx, sqlEndSessions, pgx.NamedArgs{"id": userID, "keep": keep[:]})
	return tag.RowsAffected(), interpretError(err)
}

type ownSessionRow struct {
	TokenHash []byte
	CreatedAt time.Time
	SeenAt    time.Time
	EndsAt    time.Time
}

const sqlUserSessions = `
	SELECT token_hash, created_at, seen_at, ends_at FROM session
	WHERE user_id = @id AND ends_at > @now AND seen_at > @idle
	ORDER BY seen_at DESC, token_hash
	LIMIT 100`

// UserSessions returns where a person is signed in, the last used first.
func (db *DB) UserSessions(ctx context.Context, userID int64, now time.Time) ([]auth.Session, error) {
	rows, err := db.pool.Query(ctx, sqlUserSessions, pgx.NamedArgs{
		"id": userID, "now": now, "idle": now.Add(-auth.SessionIdle),
	})
	if err != nil {
		return nil, interpretError(fmt.Errorf("sessions: %w", err))
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByName[ownSessionRow])
	if err != nil {
		return nil, interpretError(fmt.Errorf("sessions: %w", err))
	}
	sessions := make([]auth.Session, len(list))
	for i, r := range list {
		sessions[i] = auth.Session{
			Hash: auth.TokenHash(r.TokenHash), UserID: userID, Created: r.CreatedAt, Seen: r.SeenAt, Ends: r.EndsAt,
		}
	}
	return sessions, nil
}
