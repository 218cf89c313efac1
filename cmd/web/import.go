package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"rackwright/internal/apperr"
	"rackwright/internal/i18n"
	"rackwright/internal/importer"
	"rackwright/internal/postgres"
	"rackwright/internal/seed"
)

// maxShownFaults is how many faults of the files are printed one by one.
const maxShownFaults = 50

// importCommand imports a catalogue and prints what it changed.
func importCommand(ctx context.Context, e env, args []string) error {
	flags := newFlags("import")
	if err := parseFlags(flags, args, 1); err != nil {
		return err
	}
	files := seed.FS
	if folder := flags.Arg(0); folder != "" {
		info, err := os.Stat(folder)
		if err != nil {
			return fmt.Errorf("import: %w", err)
		}
		if !info.IsDir() {
			return usageError{fmt.Sprintf("import: %s is not a folder", folder)}
		}
		files = os.DirFS(folder)
	}
	return withDatabase(ctx, e, func(db *postgres.DB) error {
		report, err := importer.Catalogue(ctx, files, db)
		return tellImport(e.stdout, report, err)
	})
}

// tellImport prints what an import changed by file, or every fault.
func tellImport(w io.Writer, report importer.Report, err error) error {
	if err != nil {
		return explainFaults(w, err)
	}
	if report.Skipped {
		fmt.Fprintln(w, "The catalogue is up to date.")
		return nil
	}
	for _, f := range report.Files {
		if f.Inserted+f.Updated > 0 {
			fmt.Fprintf(w, "  %-28s %6d rows, %6d new, %6d changed\n", f.Name, f.Rows, f.Inserted, f.Updated)
		}
	}
	fmt.Fprintf(w, "Imported the catalogue: %d rows, %d of them new or changed.\n", report.Rows(), report.Changed())
	return nil
}

// explainFaults prints the faults of the files in English and returns the error in words.
func explainFaults(w io.Writer, err error) error {
	e, ok := errors.AsType[*apperr.Error](err)
	if !ok {
		return err
	}
	l := i18n.For(i18n.English)
	for i, name := range e.FieldNames() {
		if i == maxShownFaults {
			fmt.Fprintf(w, "  and %d more\n", len(e.Fields)-i)
			break
		}
		fmt.Fprintf(w, "  %s: %s\n", strings.TrimSuffix(name, ":"), l.T(e.Fields[name].ID, e.Fields[name].Args...))
	}
	if n := len(e.Fields); n > 0 {
		return fmt.Errorf("nothing was imported; faults in the files: %d", n)
	}
	text := l.T(e.Msg.ID, e.Msg.Args...)
	if e.Err != nil {
		return fmt.Errorf("%s (%w)", text, e.Err)
	}
	return errors.New(text)
}
