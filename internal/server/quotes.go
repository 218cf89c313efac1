package server

// QuoteStore is what the pages of quotes ask of the database.
type QuoteStore interface{}

// quoteRoutes lists the addresses of quotes and of the customer's page.
func (s *Server) quoteRoutes() []Route { return nil }
