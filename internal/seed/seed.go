// Package seed carries the catalogue that ships with the product: the CSV files of data,
// as facts with their sources. README.md tells where they come from and under what terms.
// It knows nothing of their meaning; internal/importer reads them.
package seed

import (
	"embed"
	"io/fs"
)

//go:embed data/*.csv
var files embed.FS

// FS holds the shipped CSV files at its root, for example "skus.csv".
var FS = mustSub(files, "data")

// mustSub cannot fail for a folder that go:embed has found.
func mustSub(f fs.FS, dir string) fs.FS {
	sub, err := fs.Sub(f, dir)
	if err != nil {
		panic(err)
	}
	return sub
}
