package postgres

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"time"

	"github.com/golang-migrate/migrate/v4"
	"github.com/golang-migrate/migrate/v4/database"
	migratepgx "github.com/golang-migrate/migrate/v4/database/pgx/v5"
	"github.com/golang-migrate/migrate/v4/source"
	"github.com/golang-migrate/migrate/v4/source/iofs"
	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/stdlib"

	"rackwright/migrations"
)

// SchemaState says where a database stands.
type SchemaState struct {
	Version uint // of the last migration that was started; 0 is an empty database
	Latest  uint // of the newest migration in this program
	Dirty   bool // that migration failed half-way: look at the schema, then Force a version
}

// Migrator changes the schema. Several may run at once on one database: an advisory lock lets one
// through at a time, hence the connection must be direct, not through a pooler in transaction mode.
type Migrator struct {
	m      *migrate.Migrate
	cfg    *pgx.ConnConfig
	latest uint
}

// migrateLockTimeout is how long an instance waits for another one that migrates.
const migrateLockTimeout = 5 * time.Minute

// Migrate brings the database at url to the newest version. It does nothing when it is there already.
func Migrate(ctx context.Context, url string) error {
	m, err := NewMigrator(url)
	if err != nil {
		return err
	}
	err = m.Up(ctx)
	return errors.Join(err, m.Close())
}

// NewMigrator connects to url with a connection of its own. Call Close at the end.
func NewMigrator(url string) (*Migrator, error) { return newMigrator(url, migrations.FS) }

func newMigrator(url string, files fs.FS) (*Migrator, error) {
	cfg, err := pgx.ParseConfig(url)
	if err != nil {
		return nil, fmt.Errorf("database URL: %w", err)
	}
	if cfg.ConnectTimeout == 0 {
		cfg.ConnectTimeout = connectTimeout
	}
	latest, err := newestVersion(files)
	if err != nil {
		return nil, err
	}
	src, err := iofs.New(files, ".")
	if err != nil {
		return nil, fmt.Errorf("read migrations: %w", err)
	}
	pool := stdlib.OpenDB(*cfg)
	driver, err := migratepgx.WithInstance(pool, &migratepgx.Config{})
	if err != nil {
		_ = pool.Close() // the first error says more
		return nil, fmt.Errorf("reach database: %w", err)
	}
	m, err := migrate.NewWithInstance("embedded", src, "postgres", driver)
	if err != nil {
		_ = driver.Close() // the first error says more
		return nil, fmt.Errorf("prepare migrations: %w", err)
	}
	m.LockTimeout = migrateLockTimeout
	return &Migrator{m: m, cfg: cfg, latest: latest}, nil
}

// newestVersion returns the highest version among files.
func newestVersion(files fs.FS) (uint, error) {
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		return 0, fmt.Errorf("read migrations: %w", err)
	}
	var newest uint
	for _, e := range entries {
		if m, err := source.Parse(e.Name()); err == nil {
			newest = max(newest, m.Version)
		}
	}
	return newest, nil
}

// Up runs all migrations that are missing, those of the job queue too.
func (m *Migrator) Up(ctx context.Context) error {
	if err := m.run(ctx, m.m.Up); err != nil {
		return err
	}
	return migrateRiver(ctx, m.cfg)
}

// Down takes all migrations back: every table and its rows are gone afterwards.
func (m *Migrator) Down(ctx context.Context) error { return m.run(ctx, m.m.Down) }

// Steps runs the next n migrations, or takes the last -n back.
func (m *Migrator) Steps(ctx context.Context, n int) error {
	if err := m.run(ctx, func() error { return m.m.Steps(n) }); err != nil {
		return err
	}
	return migrateRiver(ctx, m.cfg)
}

// run starts step; when ctx ends it stops after the migration that is under way.
func (m *Migrator) run(ctx context.Context, step func() error) error {
	stop := context.AfterFunc(ctx, func() {
		select {
		case m.m.GracefulStop <- true:
		default:
		}
	})
	defer stop()
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err := m.explain(step()); err != nil {
		return err
	}
	return ctx.Err() // it may have stopped before the last one
}

// explain says which migration failed and where, without the whole file that golang-migrate prints.
func (m *Migrator) explain(err error) error {
	if err == nil || errors.Is(err, migrate.ErrNoChange) {
		return nil
	}
	if dirty, ok := errors.AsType[migrate.ErrDirty](err); ok {
		return fmt.Errorf(`migration %d failed half-way earlier: mend the schema, then record with "migrate -force N" that it stands at N`, dirty.Version)
	}
	if failed, ok := errors.AsType[database.Error](err); ok && failed.OrigErr != nil {
		version, _, _ := m.m.Version() // unknown: 0
		return fmt.Errorf("migration %d, line %d: %w", version, failed.Line, failed.OrigErr)
	}
	return fmt.Errorf("migrate: %w", err)
}

// State says where the database stands.
func (m *Migrator) State() (SchemaState, error) {
	version, dirty, err := m.m.Version()
	if err != nil && !errors.Is(err, migrate.ErrNilVersion) {
		return SchemaState{}, fmt.Errorf("read schema version: %w", err)
	}
	return SchemaState{Version: version, Latest: m.latest, Dirty: dirty}, nil
}

// Force records version as reached and clean without running anything; 0 records an empty database.
func (m *Migrator) Force(version uint) error {
	if version > m.latest {
		return fmt.Errorf("there is no migration %d; the newest is %d", version, m.latest)
	}
	target := int(version)
	if version == 0 {
		target = database.NilVersion
	}
	if err := m.m.Force(target); err != nil {
		return fmt.Errorf("force schema version: %w", err)
	}
	return nil
}

// Close gives the connection back.
func (m *Migrator) Close() error {
	sourceErr, dbErr := m.m.Close()
	return errors.Join(sourceErr, dbErr)
}
