package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"io"

	"rackwright/internal/postgres"
)

// migrateCommand brings the schema to the newest version, or shows or mends where it stands.
func migrateCommand(ctx context.Context, e env, args []string) error {
	flags := newFlags("migrate")
	status := flags.Bool("status", false, "only show where the database stands")
	down := flags.Int("down", 0, "take the last `N` migrations back; their tables and rows are lost")
	force := flags.Int("force", -1, "record that the schema stands at `N`, after it was mended by hand; 0 is an empty database")
	if err := parseFlags(flags, args, 0); err != nil {
		return err
	}
	if *down < 0 || *force < -1 || (*down > 0 && *force >= 0) {
		return usageError{"migrate: give one of -status, -down N with N above 0, -force N with N from 0"}
	}
	return withServer(ctx, e, func(url string) (err error) {
		m, err := postgres.NewMigrator(url)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, m.Close()) }()
		switch {
		case *status:
		case *force >= 0:
			err = m.Force(uint(*force))
		case *down > 0:
			err = m.Steps(ctx, -*down)
		default:
			err = m.Up(ctx)
		}
		return errors.Join(err, showState(e.stdout, m))
	})
}

func showState(w io.Writer, m *postgres.Migrator) error {
	state, err := m.State()
	if err != nil {
		return err
	}
	fmt.Fprintf(w, "schema version %d of %d\n", state.Version, state.Latest)
	switch {
	case state.Dirty:
		fmt.Fprintf(w, "DIRTY: migration %d failed half-way. Look at what it did (each file is one transaction, so usually nothing),\n"+
			"mend the schema if needed, then record where it stands: %s migrate -force %d\n", state.Version, app, max(state.Version, 1)-1)
	case state.Version > state.Latest:
		fmt.Fprintln(w, "the database is newer than this program")
	case state.Version < state.Latest:
		fmt.Fprintf(w, "%d to run\n", state.Latest-state.Version)
	}
	return nil
}

// migrate brings the schema to the newest version at start.
func migrate(ctx context.Context, url string, progress io.Writer) (err error) {
	m, err := postgres.NewMigrator(url)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, m.Close()) }()
	before, err := m.State()
	if err != nil {
		return err
	}
	if before.Version > before.Latest {
		fmt.Fprintf(progress, "The database is newer (schema %d) than this program (%d); going on, as during an upgrade.\n", before.Version, before.Latest)
		return nil
	}
	return m.Up(ctx)
}

// newFlags returns a flag set whose faults are returned, not printed.
func newFlags(name string) *flag.FlagSet {
	flags := flag.NewFlagSet(name, flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	return flags
}

// parseFlags reads the flags and checks the number of other arguments.
func parseFlags(flags *flag.FlagSet, args []string, most int) error {
	if err := flags.Parse(args); err != nil {
		return usageError{fmt.Sprintf("%s: %v; see \"%s help\"", flags.Name(), err, app)}
	}
	if flags.NArg() > most {
		return usageError{fmt.Sprintf("%s: unexpected %q", flags.Name(), flags.Arg(most))}
	}
	return nil
}
