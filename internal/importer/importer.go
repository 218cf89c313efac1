// Package importer reads the catalogue from CSV files and hands it to the database: the
// files that ship with the product and the files of a user alike. It checks headers,
// numbers, dates, words and references, and reports every fault by file, line and column.
// Nothing is stored unless everything can be. It knows no SQL and no HTTP.
//
// Entry points: Catalogue, Shipped for the files of the program, and Read for the checks alone.
package importer

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"time"

	"rackwright/internal/apperr"
	"rackwright/internal/catalog"
)

// MaxFileSize bounds one CSV file, in bytes.
const MaxFileSize = 512 << 20

// Store is what an import asks of the database.
type Store interface {
	// CatalogueKeys returns the stored codes that rows may refer to.
	CatalogueKeys(ctx context.Context) (catalog.Keys, error)
	// CatalogueImported reports whether files of this hash went through before.
	CatalogueImported(ctx context.Context, hash string) (bool, error)
	// LatestImport returns the hash and time of the newest import, or NotFound.
	LatestImport(ctx context.Context) (hash string, at time.Time, err error)
	// ImportCatalogue stores a batch in one transaction and tells what it changed.
	ImportCatalogue(ctx context.Context, hash string, b catalog.Batch) ([]catalog.Changes, error)
}

// Report tells what an import did.
type Report struct {
	Hash    string // SHA-256 over names and contents of the files
	Skipped bool   // the files are stored already
	Files   []FileReport
}

// FileReport is what an import did with one file.
type FileReport struct {
	Name     string
	Rows     int
	Inserted int
	Updated  int
}

// Changed returns how many rows were inserted or updated.
func (r Report) Changed() int {
	n := 0
	for _, f := range r.Files {
		n += f.Inserted + f.Updated
	}
	return n
}

// Rows returns how many rows the files hold.
func (r Report) Rows() int {
	n := 0
	for _, f := range r.Files {
		n += f.Rows
	}
	return n
}

// Catalogue imports the CSV files at the root of files. It is all or nothing: the error of
// faulty rows is Invalid, with one message a fault under "file:line:column". The files of the
// newest import are skipped; older ones are not, so that a correction can be taken back.
// Importing again what is stored changes nothing. A folder may hold some of the files only;
// rows may then refer to what is stored.
func Catalogue(ctx context.Context, files fs.FS, store Store) (Report, error) {
	contents, err := load(files)
	if err != nil {
		return Report{}, err
	}
	newest, _, err := store.LatestImport(ctx)
	if err != nil && !apperr.Is(err, apperr.NotFound) {
		return Report{}, fmt.Errorf("look up import: %w", err)
	}
	report := Report{Hash: hash(contents)}
	if report.Skipped = newest == report.Hash; report.Skipped {
		return report, nil
	}
	return run(ctx, report, contents, store)
}

// Shipped imports the files that come with the program, once: at the next start they do not
// undo what was corrected since by an import of other files.
func Shipped(ctx context.Context, files fs.FS, store Store) (Report, error) {
	contents, err := load(files)
	if err != nil {
		return Report{}, err
	}
	report := Report{Hash: hash(contents)}
	if report.Skipped, err = store.CatalogueImported(ctx, report.Hash); err != nil {
		return Report{}, fmt.Errorf("look up import: %w", err)
	}
	if report.Skipped {
		return report, nil
	}
	return run(ctx, report, contents, store)
}

// run stores the files and completes their report.
func run(ctx context.Context, report Report, contents []content, store Store) (Report, error) {
	keys, err := store.CatalogueKeys(ctx)
	if err != nil {
		return Report{}, fmt.Errorf("load catalogue keys: %w", err)
	}
	batch, rows, err := read(contents, keys)
	if err != nil {
		return Report{}, err
	}
	changes, err := store.ImportCatalogue(ctx, report.Hash, batch)
	if err != nil {
		return Report{}, fmt.Errorf("store catalogue: %w", err)
	}
	for _, f := range formats {
		n, present := rows[f.name]
		if !present {
			continue
		}
		fr := FileReport{Name: f.name, Rows: n}
		for _, c := range changes {
			if c.File == f.name {
				fr.Inserted, fr.Updated = c.Inserted, c.Updated
			}
		}
		report.Files = append(report.Files, fr)
	}
	return report, nil
}

// Read checks the CSV files at the root of files against themselves and the stored codes,
// without storing anything.
func Read(files fs.FS, keys catalog.Keys) (catalog.Batch, error) {
	contents, err := load(files)
	if err != nil {
		return catalog.Batch{}, err
	}
	batch, _, err := read(contents, keys)
	return batch, err
}

// content is one file as it was found.
type content struct {
	format *format
	raw    []byte
}

// load reads the files that the importer knows, in the order in which they build on each other.
// A CSV file of another name is an error, because it is a misspelt name more often than not.
func load(files fs.FS) ([]content, error) {
	entries, err := fs.ReadDir(files, ".")
	if err != nil {
		return nil, apperr.Wrap(apperr.NotFound, err, "catalog.import_no_folder")
	}
	var faults apperr.Faults
	for _, e := range entries {
		if name := e.Name(); !e.IsDir() && isCSV(name) && formatOf(name) == nil && !slices.Contains(otherFiles, name) {
			faults.Add(name, "catalog.import_unknown_file")
		}
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	var out []content
	for i := range formats {
		raw, err := readFile(files, formats[i].name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		out = append(out, content{&formats[i], raw})
	}
	if len(out) == 0 {
		return nil, apperr.New(apperr.Invalid, "catalog.import_no_files")
	}
	return out, nil
}

func readFile(files fs.FS, name string) ([]byte, error) {
	f, err := files.Open(name)
	if err != nil {
		return nil, fmt.Errorf("open %s: %w", name, err)
	}
	defer func() { _ = f.Close() }() // opened for reading only
	raw, err := io.ReadAll(io.LimitReader(f, MaxFileSize+1))
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	if len(raw) > MaxFileSize {
		return nil, apperr.New(apperr.Invalid, "catalog.import_file_too_large", "file", name, "size", MaxFileSize>>20)
	}
	return raw, nil
}

func isCSV(name string) bool { return len(name) > 4 && name[len(name)-4:] == ".csv" }

func hash(contents []content) string {
	h := sha256.New()
	for _, c := range contents {
		_, _ = fmt.Fprintf(h, "%s\n%d\n", c.format.name, len(c.raw)) // a hash never fails to write
		_, _ = h.Write(c.raw)
	}
	return hex.EncodeToString(h.Sum(nil))
}
