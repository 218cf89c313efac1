package server

import (
	"net/http"
	"slices"

	"rackwright/internal/auth"
)

// HandlerFunc is a handler that returns its error; errors.go turns it into an answer.
type HandlerFunc func(w http.ResponseWriter, r *http.Request) error

// Route is one address of the product. Routes are data, so that one test can walk
// every route with every role.
type Route struct {
	Method  string
	Pattern string          // chi pattern
	Perm    auth.Permission // what the person must hold; "" is Public
	Handler HandlerFunc
	MaxBody int64 // largest accepted body in bytes; zero means defaultMaxBody
}

// permission returns what the person must hold.
func (rt Route) permission() auth.Permission {
	if rt.Perm == "" {
		return auth.Public
	}
	return rt.Perm
}

// routes returns every address of the product, noun by noun.
func (s *Server) routes() []Route {
	return slices.Concat(
		s.homeRoutes(),
		s.healthRoutes(),
		s.sessionRoutes(),
		s.accountRoutes(),
		s.adminRoutes(),
		s.companyRoutes(),
		s.priceRoutes(),
		s.customerRoutes(),
		s.catalogRoutes(),
		s.sizingRoutes(),
		s.quoteRoutes(),
		s.mailRoutes(),
		s.paperRoutes(),
		s.stockRoutes(),
	)
}

// handle wraps the handler of a route: it notes the pattern for the log, checks the
// permission, and turns the handler's error into an answer.
func (s *Server) handle(rt Route) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		info := infoOf(r)
		info.pattern = rt.Pattern
		info.maxBody = rt.MaxBody
		err := s.authorise(r, rt)
		if err == nil {
			err = rt.Handler(w, r)
		}
		if err != nil {
			s.fail(w, r, err)
		}
	}
}
