package view

import (
	"rackwright/internal/company"
	"rackwright/internal/inventory"
	"rackwright/internal/money"
	"rackwright/internal/quote"
)

// HomeAlertData is what the alerts of the first page are made of; what does not concern the
// person is left empty.
type HomeAlertData struct {
	Company  company.Profile
	Profile  bool                    // the person keeps the company's profile
	NoRate   []money.Currency        // currencies of price lists without a recent exchange rate
	Reserved []inventory.Reservation // that end soon, the earliest first
}

// NewHomeAlerts says what wants attention, the company's own profile first.
func NewHomeAlerts(p Page, in HomeAlertData) []HomeAlert {
	var alerts []HomeAlert
	if in.Profile && len(in.Company.Missing()) > 0 {
		alerts = append(alerts, HomeAlert{Text: p.T("home.profile_incomplete"), Sub: p.T("home.profile_why"), Href: "/admin/company"})
	}
	for _, c := range in.NoRate {
		alerts = append(alerts, HomeAlert{
			Text: p.T("home.no_rate", "from", string(in.Company.Currency), "to", string(c)),
			Sub:  p.T("home.no_rate_why", "n", quote.RateDays),
			Href: "/price-list/rates", Badge: "stale", State: p.T("price.exchange_rate"),
		})
	}
	zone := in.Company.Location()
	for _, r := range in.Reserved {
		alerts = append(alerts, HomeAlert{
			Text:  p.T("home.reservation", "n", Int(p.Lang, r.Quantity), "sku", r.SKU, "customer", r.Customer),
			Sub:   p.T("home.reservation_ends", "when", DateTime(p.Lang, r.Until.In(zone)), "quote", r.Quote),
			Href:  "/inventory",
			Badge: "wait", State: p.T("inventory.reservation"),
		})
	}
	return alerts
}
