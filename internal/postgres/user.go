package postgres

import (
	"context"
	"fmt"
	"strconv"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/apperr"
	"rackwright/internal/auth"
)

type userRow struct {
	ID                 int64
	Name               string
	DisplayName        string
	Email              string
	Lang               string
	MustChangePassword bool
	Disabled           bool
	Version            int64
	Roles              []string
	PasswordHash       string
}

// userColumns lists what a userRow needs of app_user u.
const userColumns = `u.id, u.name, u.display_name, u.email, u.lang, u.must_change_password, u.disabled,
	u.version, u.password_hash,
	array(SELECT role FROM user_role r WHERE r.user_id = u.id ORDER BY role) AS roles`

const (
	sqlUsers      = `SELECT ` + userColumns + ` FROM app_user u ORDER BY u.disabled, u.name LIMIT 1000`
	sqlUserByID   = `SELECT ` + userColumns + ` FROM app_user u WHERE u.id = @id`
	sqlUserByName = `SELECT ` + userColumns + ` FROM app_user u WHERE u.name = @name`
	sqlUserByKey  = `SELECT ` + userColumns + ` FROM app_user u WHERE u.idempotency_key = @key`
	sqlLockUser   = `SELECT ` + userColumns + ` FROM app_user u WHERE u.id = @id FOR UPDATE OF u`
)

func (r userRow) user() auth.User {
	roles := make([]auth.Role, len(r.Roles))
	for i, name := range r.Roles {
		roles[i] = auth.Role(name)
	}
	return auth.User{
		ID: r.ID, Name: r.Name, DisplayName: r.DisplayName, Email: r.Email, Lang: r.Lang, Roles: roles,
		MustChangePassword: r.MustChangePassword, Disabled: r.Disabled, Version: r.Version,
	}
}

// oneUser reads the one row of a statement on app_user.
func oneUser(ctx context.Context, q querier, sql string, args pgx.NamedArgs) (userRow, error) {
	rows, err := q.Query(ctx, sql, args)
	if err != nil {
		return userRow{}, fmt.Errorf("user: %w", err)
	}
	r, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[userRow])
	if err != nil {
		return userRow{}, fmt.Errorf("user: %w", err)
	}
	return r, nil
}

// Users returns everybody who can or could sign in, by name, disabled people last.
func (db *DB) Users(ctx context.Context) ([]auth.User, error) {
	rows, err := db.pool.Query(ctx, sqlUsers)
	if err != nil {
		return nil, interpretError(fmt.Errorf("users: %w", err))
	}
	list, err := pgx.CollectRows(rows, pgx.RowToStructByName[userRow])
	if err != nil {
		return nil, interpretError(fmt.Errorf("users: %w", err))
	}
	users := make([]auth.User, len(list))
	for i, r := range list {
		users[i] = r.user()
	}
	return users, nil
}

// User returns a person.
func (db *DB) User(ctx context.Context, id int64) (auth.User, error) {
	r, err := oneUser(ctx, db.pool, sqlUserByID, pgx.NamedArgs{"id": id})
	return r.user(), interpretError(err)
}

// Credentials returns a person by the name typed at sign-in, with the hash to check.
func (db *DB) Credentials(ctx context.Context, name string) (auth.Credentials, error) {
	r, err := oneUser(ctx, db.pool, sqlUserByName, pgx.NamedArgs{"name": auth.NormaliseName(name)})
	if err != nil {
		return auth.Credentials{}, interpretError(err)
	}
	return auth.Credentials{User: r.user(), Password: auth.PasswordHash(r.PasswordHash)}, nil
}

const sqlInsertUser = `
	INSERT INTO app_user (name, display_name, email, lang, password_hash, must_change_password, created_at, idempotency_key)
	VALUES (@name, @display_name, @email, @lang, @password_hash, @must_change, @now, nullif(@key, ''))
	RETURNING id`

const sqlInsertRoles = `INSERT INTO user_role (user_id, role) SELECT @id, unnest(@roles::text[])`

// CreateUser stores a person and returns the id. The same idempotency key again returns the
// person that it created and created false, so that a double click makes one person.
func (db *DB) CreateUser(ctx context.Context, actor int64, n auth.NewUser) (id int64, created bool, err error) {
	err = db.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		id, err = db.insertUser(ctx, tx, actor, n)
		return err
	})
	if err == nil {
		return id, true, nil
	}
	if n.Key != "" {
		if r, findErr := oneUser(ctx, db.pool, sqlUserByKey, pgx.NamedArgs{"key": n.Key}); findErr == nil {
			return r.ID, false, nil
		}
	}
	if violates(err, "app_user_name_key") {
		return 0, false, &apperr.Error{Kind: apperr.Invalid, Msg: apperr.Msg("errors.form_invalid"), Err: err,
			Fields: map[string]apperr.Message{"name": apperr.Msg("errors.form_taken", "value", n.Name)}}
	}
	return 0, false, err
}

func (db *DB) insertUser(ctx context.Context, tx pgx.Tx, actor int64, n auth.NewUser) (int64, error) {
	var id int64
	err := tx.QueryRow(ctx, sqlInsertUser, pgx.NamedArgs{
		"name": n.Name, "display_name": n.DisplayName, "email": n.Email, "lang": n.Lang,
		"password_hash": string(n.Password), "must_change": n.MustChangePassword, "now": db.now(), "key": n.Key,
	}).Scan(&id)
	if err != nil {
		return 0, fmt.Errorf("insert user: %w", err)
	}
	if _, err := tx.Exec(ctx, sqlInsertRoles, pgx.NamedArgs{"id": id, "roles": roleNames(n.Roles)}); err != nil {
		return 0, fmt.Errorf("insert roles: %w", err)
	}
	return id, db.audit(ctx, tx, change{
		actor: actor, action: "user.create", objectType: "user", objectID: strconv.FormatInt(id, 10),
		after: userRecord(n.User),
	})
}

func roleNames(roles []auth.Role) []string {
	names := make([]string, len(roles))
	for i, r := range roles {
		names[i] = string(r)
	}
	return names
}

// userFields is what the audit log keeps of a person.
type userFields struct {
	Name        string      `json:"name"`
	DisplayName string      `json:"display_name"`
	Email       string      `json:"email,omitempty"`
	Roles       []auth.Role `json:"roles"`
	Disabled    bool        `json:"disabled,omitempty"`
}

func userRecord(u auth.User) userFields {
	return userFields{Name: u.Name, DisplayName: u.DisplayName, Email: u.Email, Roles: u.Roles, Disabled: u.Disabled}
}

const (
	sqlUpdateUser = `
		UPDATE app_user SET display_name = @display_name, email = @email, disabled = @disabled, version = version + 1
		WHERE id = @id`
	sqlDeleteRoles = `DELETE FROM user_role WHERE user_id = @id`
	sqlAdminsLeft  = `
		SELECT count(*) FROM app_user u JOIN user_role r ON r.user_id = u.id AND r.role = 'admin'
		WHERE NOT u.disabled`
	// One lock for every change of who is an administrator: two administrators who take each
	// other's right away at the same moment must not both succeed.
	sqlLockAdmins = `SELECT pg_advisory_xact_lock(hashtext('rackwright.admins'))`
)

// UpdateUser stores what an administrator changed about a person: display name, e-mail,
// roles, disabled. Disabling signs the person out everywhere. The last administrator stays.
func (db *DB) UpdateUser(ctx context.Context, actor int64, u auth.User) error {
	return db.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, sqlLockAdmins); err != nil {
			return fmt.Errorf("lock administrators: %w", err)
		}
		before, err := oneUser(ctx, tx, sqlLockUser, pgx.NamedArgs{"id": u.ID})
		if err != nil {
			return err
		}
		if before.Version != u.Version {
			return apperr.New(apperr.Conflict, "errors.changed_meanwhile")
		}
		if err := writeUser(ctx, tx, u); err != nil {
			return err
		}
		u.Name = before.Name
		return db.audit(ctx, tx, change{
			actor: actor, action: "user.update", objectType: "user", objectID: strconv.FormatInt(u.ID, 10),
			before: userRecord(before.user()), after: userRecord(u),
		})
	})
}

func writeUser(ctx context.Context, tx pgx.Tx, u auth.User) error {
	args := pgx.NamedArgs{
		"id": u.ID, "display_name": u.DisplayName, "email": u.Email, "disabled": u.Disabled,
		"roles": roleNames(u.Roles), "keep": []byte{},
	}
	statements := []string{sqlUpdateUser, sqlDeleteRoles, sqlInsertRoles}
	if u.Disabled {
		statements = append(statements, sqlEndSessions)
	}
	for _, sql := range statements {
		if _, err := tx.Exec(ctx, sql, args); err != nil {
			return fmt.Errorf("update user: %w", err)
		}
	}
	var admins int
	if err := tx.QueryRow(ctx, sqlAdminsLeft).Scan(&admins); err != nil {
		return fmt.Errorf("count administrators: %w", err)
	}
	if admins == 0 {
		return &apperr.Error{Kind: apperr.Invalid, Msg: apperr.Msg("people.last_admin"),
			Fields: map[string]apperr.Message{"roles": apperr.Msg("people.last_admin")}}
	}
	return nil
}
