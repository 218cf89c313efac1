package server

import (
	"net/http"

	"rackwright/internal/auth"
)

func (s *Server) homeRoutes() []Route {
	return []Route{
		{Method: http.MethodGet, Pattern: "/", Perm: auth.Public, Handler: s.home},
		{Method: http.MethodPost, Pattern: "/display", Perm: auth.Public, Handler: s.displaySave},
	}
}

// home leads into the product.
func (s *Server) home(w http.ResponseWriter, r *http.Request) error {
	return s.redirect(w, r, "/catalog")
}
