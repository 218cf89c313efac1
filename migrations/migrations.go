// Package migrations holds the database schema as numbered pairs of SQL files,
// NNNNNN_name.up.sql and NNNNNN_name.down.sql. internal/postgres runs them.
//
// A file is never edited after it was released: a change is a new pair, reversible and
// safe for the previous version of the program.
package migrations

import "embed"

// FS holds all migration files.
//
//go:embed *.sql
var FS embed.FS
