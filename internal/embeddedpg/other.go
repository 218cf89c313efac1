//go:build !unix

// Package embeddedpg runs a private PostgreSQL server; on this operating system it cannot.
package embeddedpg

import (
	"context"
	"errors"
)

// Config says where and how the server runs.
type Config struct {
	Dir, BinDir string
	Disposable  bool
}

// Server is a running server.
type Server struct {
	URL              string
	Started, Created bool
}

// Start reports that a running server is needed.
func Start(context.Context, Config) (*Server, error) {
	return nil, errors.New("on this operating system a running PostgreSQL server is needed: set DATABASE_URL=postgres://user:password@host:5432/database")
}

// Stop does nothing.
func (s *Server) Stop() error { return nil }

// DefaultDir reports that there is none.
func DefaultDir(string) (string, error) {
	return "", errors.New("no default data folder on this operating system")
}
