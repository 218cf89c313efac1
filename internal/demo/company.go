package demo

import (
	"errors"
	"fmt"

	"rackwright/internal/auth"
	"rackwright/internal/company"
	"rackwright/internal/money"
	"rackwright/internal/quote"
)

// hire creates the people and gives the first administrator every role. The others cannot
// sign in: nobody knows their password, and an administrator can set one.
func (s *seeder) hire() error {
	users, err := s.db.Users(s.ctx)
	if err != nil {
		return err
	}
	known := map[string]auth.User{}
	var admin *auth.User
	for i, u := range users {
		known[u.Name] = u
		if admin == nil && u.Has(auth.Admin) && !u.Disabled {
			admin = &users[i]
		}
	}
	if admin == nil {
		return errors.New("there is no administrator")
	}
	admin.Roles = auth.StaffRoles
	if err := s.db.UpdateUser(s.ctx, admin.ID, *admin); err != nil {
		return fmt.Errorf("roles of %s: %w", admin.Name, err)
	}
	s.admin = quote.Actor{ID: admin.ID, Name: admin.DisplayName}
	secret, err := auth.HashPassword(auth.OneTimePassword())
	if err != nil {
		return err
	}
	for _, p := range []struct {
		name, display string
		role          auth.Role
		actor         *quote.Actor
	}{
		{"demo-sales", "Mei Tan (demo)", auth.Sales, &s.sales},
		{"demo-lead", "Ines Okafor (demo)", auth.Lead, &s.lead},
		{"demo-pricing", "Karl Lindqvist (demo)", auth.Pricing, &s.pricing},
		{"demo-stock", "Rui Costa (demo)", auth.Stock, &s.keep},
	} {
		id := known[p.name].ID
		if id == 0 {
			user := auth.User{Name: p.name, DisplayName: p.display, Roles: []auth.Role{p.role}, MustChangePassword: true}
			if id, _, err = s.db.CreateUser(s.ctx, s.admin.ID, auth.NewUser{User: user, Password: secret}); err != nil {
				return fmt.Errorf("user %s: %w", p.name, err)
			}
		}
		*p.actor = quote.Actor{ID: id, Name: p.display}
	}
	return nil
}

// found fills in the company's profile and its tax rates.
func (s *seeder) found() error {
	before, err := s.db.Company(s.ctx)
	if err != nil {
		return err
	}
	limit, target := money.MustPercent("5"), money.MustPercent("5")
	s.seller = company.Profile{
		Name: "Example Rack Systems (demo)", Address: "1 Example Street\nSingapore 000000", Country: "SG",
		TaxNumber: "DEMO-0000", Email: "quotes@example.com", Phone: "+65 0000 0000", Website: "www.example.com",
		Bank:     "Demo: this is not an account. Do not pay.\nExample Bank, account 000-000-000",
		Currency: base, TimeZone: zone, QuotePrefix: "DEMO", ValidityDays: 30, ReservationDays: 30,
		Terms:         terms,
		DiscountLimit: &limit, TargetMargin: &target, Version: before.Version,
	}
	if err := s.seller.Validate(); err != nil {
		return fmt.Errorf("company: %w", err)
	}
	if err := s.db.SaveCompany(s.ctx, s.admin.ID, s.seller); err != nil {
		return fmt.Errorf("company: %w", err)
	}
	for _, t := range []quote.Tax{
		gst, export,
		{Name: "USt (Demo)", Country: "DE", Rate: money.MustPercent("19")},
		{Name: "營業稅（示範）", Country: "TW", Rate: money.MustPercent("5")},
	} {
		if _, err := s.db.SaveTaxRate(s.ctx, s.pricing.ID, t); err != nil {
			return fmt.Errorf("tax rate %s: %w", t.Name, err)
		}
	}
	return nil
}

// What the quotes of the demo are taxed with.
var (
	gst    = quote.Tax{Name: "GST (demo)", Country: "SG", Rate: money.MustPercent("9"), Default: true}
	export = quote.Tax{Name: "Export, zero-rated (demo)"}
)

// terms stand on every quote, by the language of the document.
var terms = map[string]string{
	"en": "Demo terms: invented, not legal advice, not for use.\n" +
		"Payment within 30 days of the invoice. Delivery as stated on the quote. Warranty of the manufacturer. " +
		"Goods subject to export control are delivered only to the end user named here.",
	"zh-Hans": "演示条款：内容为虚构，不构成法律意见，请勿使用。\n" +
		"发票日起 30 天内付款。按报价单所列条件交货。质保由制造商提供。受出口管制的货物仅交付本报价单所列最终用户。",
	"zh-Hant": "示範條款：內容為虛構，不構成法律意見，請勿使用。\n" +
		"發票日起 30 天內付款。依報價單所列條件交貨。保固由製造商提供。受出口管制之貨品僅交付本報價單所列最終使用者。",
}
