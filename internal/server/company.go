package server

// CompanyStore is what the company's profile asks of the database.
type CompanyStore interface{}

func (s *Server) companyRoutes() []Route { return nil }
