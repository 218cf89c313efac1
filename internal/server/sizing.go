package server

// SizingStore is what the sizing pages ask of the database.
type SizingStore interface{}

// sizingRoutes lists the addresses of sizing.
func (s *Server) sizingRoutes() []Route { return nil }
