package server

// StockStore is what the stock page asks of the database.
type StockStore interface{}

// stockRoutes lists the addresses of the stock page.
func (s *Server) stockRoutes() []Route { return nil }
