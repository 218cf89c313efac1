package server

// CatalogStore is what the catalogue pages ask of the database.
type CatalogStore interface{}

// catalogRoutes lists the addresses of the catalogue.
func (s *Server) catalogRoutes() []Route { return nil }
