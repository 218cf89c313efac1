package server

// CustomerStore is what the pages of customers ask of the database.
type CustomerStore interface{}

func (s *Server) customerRoutes() []Route { return nil }
