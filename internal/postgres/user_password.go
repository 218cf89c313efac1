package postgres

import (
	"context"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/auth"
)

const sqlSetPassword = `
	UPDATE app_user SET password_hash = @password_hash, must_change_password = @must_change, version = version + 1
	WHERE id = @id
	RETURNING id`

// SetPassword stores the hash of a new password and signs the person out everywhere but in
// the kept session. mustChange says that the password was handed out by somebody else.
func (db *DB) SetPassword(ctx context.Context, actor, id int64, h auth.PasswordHash, mustChange bool, keep auth.TokenHash) error {
	return db.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		var found int64
		args := pgx.NamedArgs{"id": id, "password_hash": string(h), "must_change": mustChange, "keep": keep[:]}
		if err := tx.QueryRow(ctx, sqlSetPassword, args).Scan(&found); err != nil {
			return fmt.Errorf("set password: %w", err)
		}
		if _, err := tx.Exec(ctx, sqlEndSessions, args); err != nil {
			return fmt.Errorf("end sessions: %w", err)
		}
		action := "user.password_change"
		if mustChange {
			action = "user.password_reset"
		}
		return db.audit(ctx, tx, change{
			actor: actor, action: action, objectType: "user", objectID: strconv.FormatInt(id, 10),
		})
	})
}

const sqlSetLang = `UPDATE app_user SET lang = @lang WHERE id = @id`

// SetLang stores the language of a person; "" follows the browser.
func (db *DB) SetLang(ctx context.Context, id int64, lang string) error {
	_, err := db.pool.Exec(ctx, sqlSetLang, pgx.NamedArgs{"id": id, "lang": lang})
	return interpretError(err)
}

const (
	sqlAnyUser    = `SELECT EXISTS (SELECT FROM app_user)`
	sqlLockPeople = `LOCK TABLE app_user IN SHARE ROW EXCLUSIVE MODE`
)

// EnsureAdmin creates the first user "admin" with a password to be changed at the first
// sign-in, if there is no user at all. It reports whether it did; several programs that
// start at once create one.
func (db *DB) EnsureAdmin(ctx context.Context, password string) (created bool, err error) {
	var any bool
	if err := db.pool.QueryRow(ctx, sqlAnyUser).Scan(&any); err != nil || any {
		return false, interpretError(err)
	}
	hash, err := auth.HashPassword(password)
	if err != nil {
		return false, err
	}
	admin := auth.NewUser{Password: hash, User: auth.User{
		Name: "admin", DisplayName: "Administrator", Roles: []auth.Role{auth.Admin}, MustChangePassword: true,
	}}
	err = db.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		created = false
		if _, err := tx.Exec(ctx, sqlLockPeople); err != nil {
			return fmt.Errorf("lock people: %w", err)
		}
		if err := tx.QueryRow(ctx, sqlAnyUser).Scan(&any); err != nil || any {
			return err
		}
		created = true
		_, err := db.insertUser(ctx, tx, 0, admin)
		return err
	})
	return created && err == nil, err
}
