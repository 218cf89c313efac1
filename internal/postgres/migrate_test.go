package postgres_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"testing"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/postgres"
	"rackwright/internal/testdb"
)

// sqlSchema describes everything that migrations make, one line each.
const sqlSchema = `
	SELECT line FROM (
		SELECT 'column ' || table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable || ' ' || coalesce(column_default, '')
		FROM information_schema.columns WHERE table_schema = 'public'
		UNION ALL
		SELECT 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid)
		FROM pg_constraint WHERE connamespace = 'public'::regnamespace
		UNION ALL
		SELECT 'index ' || indexdef FROM pg_indexes WHERE schemaname = 'public'
		UNION ALL
		SELECT 'trigger ' || pg_get_triggerdef(oid) FROM pg_trigger WHERE NOT tgisinternal
		UNION ALL
		SELECT 'function ' || proname || ' ' || prosrc FROM pg_proc
		WHERE pronamespace = 'public'::regnamespace AND NOT EXISTS (
			SELECT FROM pg_depend WHERE classid = 'pg_proc'::regclass AND objid = pg_proc.oid AND deptype = 'e')
		UNION ALL
		SELECT 'type ' || typname || ' ' || typtype::text FROM pg_type
		WHERE typnamespace = 'public'::regnamespace AND typtype IN ('e', 'd', 'r')
		UNION ALL
		SELECT 'view ' || viewname || ' ' || definition FROM pg_views WHERE schemaname = 'public'
		UNION ALL
		SELECT 'extension ' || extname FROM pg_extension WHERE extname <> 'plpgsql'
	) AS all_lines (line)
	WHERE line NOT LIKE '% schema_migrations%'
	ORDER BY line`

func schema(t *testing.T, conn *pgx.Conn) string {
	t.Helper()
	rows, err := conn.Query(t.Context(), sqlSchema)
	if err != nil {
		t.Fatal(err)
	}
	lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(lines, "\n")
}

func migrator(t *testing.T, url string) *postgres.Migrator {
	t.Helper()
	m, err := postgres.NewMigrator(url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := m.Close(); err != nil {
			t.Error(err)
		}
	})
	return m
}

// Every migration can be taken back, one by one, and leaves nothing; the way up again ends at the same schema.
func TestMigrateUpDownUp(t *testing.T) {
	t.Parallel()
	url := testdb.EmptyURL(t)
	conn := testdb.Connect(t, url)
	m := migrator(t, url)
	state, err := m.State()
	if err != nil {
		t.Fatal(err)
	}
	for range state.Latest {
		before := schema(t, conn)
		for _, step := range []int{1, -1} {
			if err := m.Steps(t.Context(), step); err != nil {
				t.Fatal(err)
			}
		}
		if after := schema(t, conn); after != before {
			state, err := m.State()
			t.Fatalf("the migration after %d (%v) leaves behind:\n%s", state.Version, err, difference(after, before))
		}
		if err := m.Steps(t.Context(), 1); err != nil {
			t.Fatal(err)
		}
	}
	first := schema(t, conn)
	if err := m.Down(t.Context()); err != nil {
		t.Fatal(err)
	}
	if left := schema(t, conn); left != "" {
		t.Fatalf("left after the way down:\n%s", left)
	}
	if err := m.Up(t.Context()); err != nil {
		t.Fatal(err)
	}
	if again := schema(t, conn); again != first {
		t.Fatalf("the second way up made another schema:\n%s", difference(again, first))
	}
}

// difference returns the lines of got that want lacks, and the other way round.
func difference(got, want string) string {
	var b strings.Builder
	for _, side := range []struct{ mark, in, notIn string }{{"+ ", got, want}, {"- ", want, got}} {
		there := map[string]bool{}
		for line := range strings.Lines(side.notIn + "\n") {
			there[strings.TrimSpace(line)] = true
		}
		for line := range strings.Lines(side.in + "\n") {
			if line = strings.TrimSpace(line); line != "" && !there[line] {
				b.WriteString(side.mark + line + "\n")
			}
		}
	}
	return b.String()
}

// Replicas that start together migrate once.
func TestMigrateAtOnce(t *testing.T) {
	t.Parallel()
	url := testdb.EmptyURL(t)
	errs := make([]error, 4)
	var wg sync.WaitGroup
	for i := range errs {
		wg.Go(func() { errs[i] = postgres.Migrate(t.Context(), url) })
	}
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			t.Error(err)
		}
	}
	state, err := migrator(t, url).State()
	if err != nil || state.Version != state.Latest || state.Dirty {
		t.Fatalf("%+v, %v", state, err)
	}
}

// A migration that fails half-way marks the version; nothing runs until it is said where the schema stands.
func TestDirtyVersion(t *testing.T) {
	t.Parallel()
	url := testdb.EmptyURL(t)
	conn := testdb.Connect(t, url)
	m := migrator(t, url)
	if err := m.Steps(t.Context(), 1); err != nil {
		t.Fatal(err)
	}
	if _, err := conn.Exec(t.Context(), "CREATE TABLE sku (in_the_way int)"); err != nil {
		t.Fatal(err)
	}
	err := m.Up(t.Context())
	if err == nil || !strings.Contains(err.Error(), "migration 2, line ") || !strings.Contains(err.Error(), `"sku" already exists`) {
		t.Fatalf("got %v", err)
	}
	if strings.Count(err.Error(), "\n") > 0 {
		t.Errorf("prints the whole file: %v", err)
	}
	state, err := m.State()
	if err != nil || state.Version != 2 || !state.Dirty {
		t.Fatalf("%+v, %v", state, err)
	}
	if err := m.Up(t.Context()); err == nil || !strings.Contains(err.Error(), "migrate -force N") {
		t.Fatalf("a dirty database: got %v", err)
	}
	if _, err := conn.Exec(t.Context(), "DROP TABLE sku"); err != nil {
		t.Fatal(err)
	}
	if err := m.Force(1); err != nil {
		t.Fatal(err)
	}
	if err := m.Up(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestForce(t *testing.T) {
	t.Parallel()
	m := migrator(t, testdb.EmptyURL(t))
	if err := m.Up(t.Context()); err != nil {
		t.Fatal(err)
	}
	state, err := m.State()
	if err != nil {
		t.Fatal(err)
	}
	if err := m.Force(state.Latest + 1); err == nil {
		t.Error("forced a version that does not exist")
	}
	if err := m.Force(0); err != nil {
		t.Fatal(err)
	}
	if state, err := m.State(); err != nil || state.Version != 0 || state.Dirty {
		t.Fatalf("%+v, %v", state, err)
	}
}

func TestMigrateStopsWithContext(t *testing.T) {
	t.Parallel()
	m := migrator(t, testdb.EmptyURL(t))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := m.Up(ctx); !errors.Is(err, context.Canceled) {
		t.Fatalf("got %v", err)
	}
	state, err := m.State()
	if err != nil || state.Dirty || state.Version != 0 {
		t.Fatalf("%+v, %v", state, err)
	}
}

func TestMigrateUnreachable(t *testing.T) {
	t.Parallel()
	if err := postgres.Migrate(t.Context(), "postgres://user:hidden-word@127.0.0.1:1/none"); err == nil || strings.Contains(err.Error(), "hidden-word") {
		t.Fatalf("got %v", err)
	}
}
