package server

import (
	"net/http"

	"rackwright/internal/auth"
)

// HandlerFunc is a handler that returns its error; errors.go turns it into an answer.
type HandlerFunc func(w http.ResponseWriter, r *http.Request) error

// Route is one address of the product. Routes are data, so that one test can walk
// every route with every role.
type Route struct {
	Method  string
	Pattern string // chi pattern
	Perm    auth.Permission
	Handler HandlerFunc
}
