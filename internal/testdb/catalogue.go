package testdb

import (
	"context"
	"io/fs"

	"rackwright/internal/importer"
	"rackwright/internal/postgres"
	"rackwright/internal/seed"
	"rackwright/migrations"
)

// catalogue is a migrated database with the shipped catalogue. What it holds depends on the code that imports it, too.
var catalogue = template{
	kind:  "catalogue",
	files: []fs.FS{migrations.FS, seed.FS},
	code:  []string{"internal/importer", "internal/catalog", "internal/money", "internal/postgres"},
	fill:  importCatalogue,
}

func importCatalogue(ctx context.Context, url string) error {
	if err := postgres.Migrate(ctx, url); err != nil {
		return err
	}
	db, err := postgres.Open(ctx, url, Clock)
	if err != nil {
		return err
	}
	defer db.Close()
	_, err = importer.Catalogue(ctx, seed.FS, db)
	return err
}
