package server

// AccountStore is what the pages of people ask of the database.
type AccountStore interface{}

// openBeforePasswordChange lists the addresses that a person with a one-time password may
// use before choosing a password.
var openBeforePasswordChange = map[string]bool{
	"/account": true, "/account/password": true, "/logout": true, "/display": true,
}

func (s *Server) sessionRoutes() []Route { return nil }

func (s *Server) accountRoutes() []Route { return nil }

func (s *Server) adminRoutes() []Route { return nil }
