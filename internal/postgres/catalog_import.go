package postgres

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/catalog"
)

// importChunk is how many rows one statement of an import carries.
const importChunk = 5000

// importLock keeps two imports from running at once; the number is our own.
const importLock = 7_302_001

// sqlImportLock waits for the other import of this database, to the end of the transaction.
const sqlImportLock = `SELECT pg_advisory_xact_lock(@lock)`

const sqlImported = `SELECT EXISTS (SELECT FROM catalogue_import WHERE hash = @hash)`

const sqlRecordImport = `
INSERT INTO catalogue_import (hash, inserted, updated, imported_at)
VALUES (@hash, @inserted, @updated, @now)`

const sqlLatestImport = `
SELECT hash, imported_at FROM catalogue_import ORDER BY id DESC LIMIT 1`

// CatalogueImported reports whether files of this hash went through before.
func (db *DB) CatalogueImported(ctx context.Context, hash string) (bool, error) {
	var done bool
	err := db.pool.QueryRow(ctx, sqlImported, pgx.NamedArgs{"hash": hash}).Scan(&done)
	return done, interpretError(err)
}

// LatestImport returns the hash and time of the newest import, or NotFound.
func (db *DB) LatestImport(ctx context.Context) (hash string, at time.Time, err error) {
	err = db.pool.QueryRow(ctx, sqlLatestImport).Scan(&hash, &at)
	return hash, at, interpretError(err)
}

// ImportCatalogue stores a batch in one transaction: new rows are inserted, rows that differ
// are updated, price observations are only ever added. It works out anew what lists show.
// A batch that another program has just stored changes nothing.
func (db *DB) ImportCatalogue(ctx context.Context, hash string, b catalog.Batch) ([]catalog.Changes, error) {
	var changes []catalog.Changes
	err := db.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		changes = nil
		if _, err := tx.Exec(ctx, sqlImportLock, pgx.NamedArgs{"lock": importLock}); err != nil {
			return fmt.Errorf("lock import: %w", err)
		}
		var newest string
		var at time.Time
		err := tx.QueryRow(ctx, sqlLatestImport).Scan(&newest, &at)
		if err != nil && !errors.Is(err, pgx.ErrNoRows) || newest == hash {
			return err
		}
		if changes, err = importBatch(ctx, tx, b); err != nil {
			return err
		}
		if err := refreshSummaries(ctx, tx); err != nil {
			return err
		}
		args := pgx.NamedArgs{"hash": hash, "inserted": 0, "updated": 0, "now": db.now()}
		for _, c := range changes {
			args["inserted"] = args["inserted"].(int) + c.Inserted
			args["updated"] = args["updated"].(int) + c.Updated
		}
		_, err = tx.Exec(ctx, sqlRecordImport, args)
		return err
	})
	return changes, err
}

// importBatch stores the rows of a batch, files in the order in which they build on each other.
func importBatch(ctx context.Context, tx pgx.Tx, b catalog.Batch) ([]catalog.Changes, error) {
	vendors := map[string]bool{}
	for _, s := range b.SKUs {
		vendors[s.Vendor] = true
	}
	steps := []struct {
		file string
		sql  string
		rows []any
	}{
		{"sources.csv", sqlImportSources, jsonRows(b.Sources, sourceJSON)},
		{"", sqlImportVendors, vendorRows(vendors)},
		{"skus.csv", sqlImportSKUs, jsonRows(b.SKUs, skuJSON)},
		{"sku_names.csv", sqlImportNames, jsonRows(b.Names, nameJSON)},
		{"gpu_aliases.csv", sqlImportAliases, jsonRows(b.Aliases, aliasJSON)},
		{"spec_definitions.csv", sqlImportDefinitions, jsonRows(b.Definitions, definitionJSON)},
		{"specs.csv", sqlImportClaims, jsonRows(b.Claims, claimJSON)},
		{"reseller_claims.csv", sqlImportResellerClaims, jsonRows(b.ResellerClaims, resellerClaimJSON)},
		{"components.csv", sqlImportComponents, jsonRows(b.Components, componentJSON)},
		{"compatibility.csv", sqlImportCompatible, jsonRows(b.Compatible, compatibleJSON)},
		{"substitutes.csv", sqlImportSubstitutes, jsonRows(b.Substitutes, substituteJSON)},
		{"control_classes.csv", sqlImportControls, jsonRows(b.Controls, controlJSON)},
		{"control_destinations.csv", sqlImportDestinations, jsonRows(b.Destinations, destinationJSON)},
		{"price_subjects.csv", sqlImportSubjects, jsonRows(b.Subjects, subjectJSON)},
		{"price_history.csv", sqlImportObservations, jsonRows(b.Observations, observationJSON)},
		{"cloud_offers.csv", sqlImportOffers, jsonRows(b.Offers, offerJSON)},
		{"colo_costs.csv", sqlImportColoCosts, jsonRows(b.ColoCosts, coloCostJSON)},
		{"cost_defaults.csv", sqlImportCostDefaults, jsonRows(b.CostDefaults, costDefaultJSON)},
	}
	var changes []catalog.Changes
	for _, s := range steps {
		inserted, updated, err := upsert(ctx, tx, s.sql, s.rows)
		if err != nil {
			return nil, fmt.Errorf("import %s: %w", s.file, err)
		}
		if s.file != "" && len(s.rows) > 0 {
			changes = append(changes, catalog.Changes{File: s.file, Inserted: inserted, Updated: updated})
		}
	}
	return changes, nil
}

// object is a row as jsonb_to_recordset reads it: column name to value.
type object map[string]any

// jsonRows turns rows into objects.
func jsonRows[T any](rows []T, fn func(T) object) []any {
	out := make([]any, len(rows))
	for i, r := range rows {
		out[i] = fn(r)
	}
	return out
}

func vendorRows(vendors map[string]bool) []any {
	var out []any
	for v := range vendors {
		out = append(out, object{"name": v})
	}
	return out
}

// upsert runs an import statement over the rows, in chunks, and returns how many it
// inserted and updated. The statement takes the rows as a JSON array and returns both counts.
func upsert(ctx context.Context, tx pgx.Tx, sql string, rows []any) (inserted, updated int, err error) {
	for chunk := range slices.Chunk(rows, importChunk) {
		raw, err := json.Marshal(chunk)
		if err != nil {
			return 0, 0, fmt.Errorf("encode rows: %w", err)
		}
		var i, u int
		if err := tx.QueryRow(ctx, sql, pgx.NamedArgs{"rows": string(raw)}).Scan(&i, &u); err != nil {
			return 0, 0, err
		}
		inserted += i
		updated += u
	}
	return inserted, updated, nil
}

// day returns a date for JSON: null for the zero time.
func day(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.Format(time.DateOnly)
}

// orNull returns null for the zero value, which means unknown.
func orNull[T comparable](v T) any {
	var zero T
	if v == zero {
		return nil
	}
	return v
}

// orEmpty keeps a nil list from becoming a JSON null.
func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
