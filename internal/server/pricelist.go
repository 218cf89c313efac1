package server

// PriceStore is what the price list, exchange rates and tax rates ask of the database.
type PriceStore interface{}

func (s *Server) priceRoutes() []Route { return nil }
