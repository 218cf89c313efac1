package server

import (
	"strings"
	"testing"

	"rackwright/internal/auth"
)

func TestHome(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	visitor := s.visitor().get("/").status(200).says("Catalogue")
	if strings.Contains(visitor.Body.String(), "/quotes") {
		t.Error("a visitor is shown the way to quotes")
	}
	s.as("anna", auth.Admin).get("/").status(200).says("profile is incomplete")
	s.as("sally", auth.Sales).get("/").status(200).says("No quote waits for you")
	stock := s.as("stan", auth.Stock).get("/").status(200)
	if strings.Contains(stock.Body.String(), "/quotes") {
		t.Error("stock is shown the way to quotes")
	}
	s.as("nobody").get("/").status(200)
}

func TestHomeSaysThatARateIsMissing(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	admin := s.as("boss", auth.Admin, auth.Pricing)
	admin.post("/admin/company", with(admin.get("/admin/company").form("/admin/company"), "currency", "USD"))
	form := admin.get("/price-list").form("/price-list")
	admin.post("/price-list", with(form, "name", "A", "currency", "TWD")).status(303)
	admin.get("/").says("No recent rate from USD to TWD")
	rate := with(admin.get("/price-list/rates").form("/price-list/rates"), "base", "TWD", "quote", "USD", "rate", "0.0317", "source", "x")
	admin.post("/price-list/rates", rate).leads("/price-list/rates")
	if strings.Contains(admin.get("/").Body.String(), "No recent rate") {
		t.Error("the rate is there and still missed")
	}
}
