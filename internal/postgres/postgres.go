// Package postgres holds all SQL of the product, its transactions and its migrations.
//
// One exported method is one transaction. Statements are constants named sql… beside the
// method that runs them (a test prepares each against the migrated schema); rows are
// scanned strictly by name into private row structs, which then become domain values.
// The package knows nothing of HTTP or of how a figure is shown, and decides no business
// rule: inside a transaction it calls the pure functions of the domain packages.
//
// Entry point: Open.
package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"
	"github.com/jackc/pgx/v5/pgxpool"
)

// minServerVersion is the oldest server that the schema is tested on, as server_version_num.
const minServerVersion = 150000

// connectTimeout bounds one attempt to reach a server, so that a page never hangs on a dead one.
const connectTimeout = 5 * time.Second

// DB is the product's database: a connection pool and a clock. It is safe for concurrent use.
type DB struct {
	pool  pool
	clock func() time.Time
}

// pool is what a DB runs on: a pgxpool.Pool, or the one transaction of FillOnce.
type pool interface {
	querier
	Begin(ctx context.Context) (pgx.Tx, error)
	BeginTx(ctx context.Context, opts pgx.TxOptions) (pgx.Tx, error)
	Ping(ctx context.Context) error
	Close()
}

// Open connects to url (a postgres:// URL or a key=value string, several hosts allowed) and checks
// that a server of a supported version answers; one that is away is an apperr.Unavailable error. It does not
// migrate. Call Close at the end.
func Open(ctx context.Context, url string, clock func() time.Time) (*DB, error) {
	cfg, err := pgxpool.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("database URL: %w", err) // pgx leaves the password out
	}
	configure(cfg)
	pool, err := pgxpool.NewWithConfig(ctx, cfg)
	if err != nil {
		return nil, fmt.Errorf("open database: %w", err)
	}
	db := &DB{pool: pool, clock: clock}
	if err := db.checkServer(ctx); err != nil {
		pool.Close()
		return nil, err
	}
	return db, nil
}

// configure sets what the code relies on, and leaves what an operator gave in the URL.
func configure(cfg *pgxpool.Config) {
	params := cfg.ConnConfig.RuntimeParams
	if params["application_name"] == "" {
		params["application_name"] = "rackwright"
	}
	if cfg.ConnConfig.ConnectTimeout == 0 {
		cfg.ConnConfig.ConnectTimeout = connectTimeout
	}
	cfg.AfterConnect = func(_ context.Context, conn *pgx.Conn) error {
		// Instants come back in UTC wherever the program runs.
		conn.TypeMap().RegisterType(&pgtype.Type{
			Name: "timestamptz", OID: pgtype.TimestamptzOID,
			Codec: &pgtype.TimestamptzCodec{ScanLocation: time.UTC},
		})
		return nil
	}
}

const sqlServerVersion = `SELECT current_setting('server_version_num')::int, current_setting('server_version')`

// checkServer reports a server that is away or too old.
func (db *DB) checkServer(ctx context.Context) error {
	var num int
	var name string
	if err := db.pool.QueryRow(ctx, sqlServerVersion).Scan(&num, &name); err != nil {
		return interpretError(err)
	}
	if num < minServerVersion {
		return fmt.Errorf("the database server is PostgreSQL %s; version %d or newer is needed", name, minServerVersion/10000)
	}
	return nil
}

// Close waits for the connections in use and closes the pool.
func (db *DB) Close() { db.pool.Close() }

// Ping reports whether the database answers, as an apperr.Unavailable error when it does not.
func (db *DB) Ping(ctx context.Context) error {
	return interpretError(db.pool.Ping(ctx))
}

// now returns the present in UTC, cut to what a timestamptz holds, so that a value that was
// written equals the value that is read back.
func (db *DB) now() time.Time { return db.clock().UTC().Truncate(time.Microsecond) }
