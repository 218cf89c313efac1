package server

import (
	"context"

	"rackwright/internal/company"
)

// CompanyStore is what the company's profile asks of the database.
type CompanyStore interface {
	Company(ctx context.Context) (company.Profile, error)
	SaveCompany(ctx context.Context, actor int64, p company.Profile) error
}

func (s *Server) companyRoutes() []Route { return nil }
