package view

import (
	"strconv"

	"rackwright/internal/apperr"
	"rackwright/internal/company"
	"rackwright/internal/i18n"
	"rackwright/internal/money"
)

// Company is the page of the seller's own profile and of the settings that documents follow.
type Company struct {
	Page
	Tabs    []Tab
	Version string
	Faults  []Fault
	Gates   []Gate // what is missing before the first document can be sent

	Identity  []Field // name, address, country, tax number
	Contact   []Field // e-mail, telephone, web site, bank
	Documents []Field // currency, time zone, numbering, validity
	Limits    []Field // of approval
	Terms     []Field // one per language
	Logo      Field
	HasLogo   bool
	LogoURL   string
	NoLogo    Field // check box that takes the logo away
}

// zones are offered while a time zone is typed; any IANA name is accepted.
var zones = []string{
	"Asia/Shanghai", "Asia/Taipei", "Asia/Hong_Kong", "Asia/Singapore", "Asia/Tokyo", "Asia/Seoul",
	"Asia/Kolkata", "Europe/London", "Europe/Berlin", "America/New_York", "America/Chicago",
	"America/Los_Angeles", "Australia/Sydney", "UTC",
}

// NewCompany returns the page of a profile. typed returns what stands in a field, nil for
// what is stored; cause is what is wrong with it.
func NewCompany(p Page, c company.Profile, typed func(name string) string, cause error) Company {
	v := Company{
		Page: p, Tabs: AdminTabs(p, "/admin/company"), Version: strconv.FormatInt(c.Version, 10),
		Gates: missingGates(p, c), HasLogo: len(c.Logo) > 0,
		LogoURL: "/company/logo?v=" + strconv.FormatInt(c.Version, 10),
		Logo: Field{Name: "logo", Label: p.T("admin.logo"), Type: "file",
			Help: p.T("company.logo_help")},
		NoLogo: Field{Name: "no_logo", Label: p.T("company.logo_remove")},
	}
	v.Identity = identityFields(p, c)
	v.Contact = contactFields(p, c)
	v.Documents = documentFields(p, c)
	v.Limits = []Field{
		percentField("discount_limit", p.T("company.discount_limit"), p.T("company.discount_limit_help"), c.DiscountLimit),
		percentField("target_margin", p.T("company.target_margin"), p.T("company.target_margin_help"), c.TargetMargin),
	}
	for _, l := range i18n.Langs {
		v.Terms = append(v.Terms, Field{
			Name: "terms_" + string(l), Label: LanguageName(l), Value: c.TermsIn(string(l)), Type: "textarea",
			Rows: 6, Lang: string(l), Max: company.MaxTermsLen,
		})
	}
	var all []*Field
	for _, group := range [][]Field{v.Identity, v.Contact, v.Documents, v.Limits, v.Terms} {
		for i := range group {
			all = append(all, &group[i])
		}
	}
	if typed != nil {
		for _, f := range all {
			refill(f, typed(f.Name))
		}
		if apperr.Is(cause, apperr.Invalid) {
			v.Version = typed("version") // still the version that the person saw
		}
	}
	v.Faults = formFaults(p, cause, append(all, &v.Logo)...)
	return v
}

// refill puts back what was typed.
func refill(f *Field, value string) {
	f.Value = value
	for i := range f.Options {
		f.Options[i].Selected = f.Options[i].Value == value
	}
}

func identityFields(p Page, c company.Profile) []Field {
	return []Field{
		{Name: "name", Label: p.T("company.name"), Value: c.Name, Max: company.MaxNameLen, Autocomplete: "organization"},
		{Name: "address", Label: p.T("company.address"), Value: c.Address, Type: "textarea", Max: company.MaxTextLen},
		{Name: "country", Label: p.T("admin.country_or_region"), Value: c.Country, Type: "select",
			Options: Countries(p, c.Country)},
		{Name: "tax_number", Label: p.T("quote.tax_number"), Value: c.TaxNumber, Max: 120},
	}
}

func contactFields(p Page, c company.Profile) []Field {
	return []Field{
		{Name: "email", Label: p.T("shell.email"), Value: c.Email, Type: "email", Max: 254, Autocomplete: "email"},
		{Name: "phone", Label: p.T("quote.telephone"), Value: c.Phone, Type: "tel", Max: 120, Autocomplete: "tel"},
		{Name: "website", Label: p.T("company.website"), Value: c.Website, Max: 120},
		{Name: "bank", Label: p.T("quote.bank_details"), Value: c.Bank, Type: "textarea", Max: company.MaxTextLen},
	}
}

func documentFields(p Page, c company.Profile) []Field {
	return []Field{
		{Name: "currency", Label: p.T("company.currency"), Help: p.T("company.currency_help"),
			Value: string(c.Currency), Type: "select", Options: Currencies(string(c.Currency))},
		{Name: "time_zone", Label: p.T("admin.time_zone"), Help: p.T("company.zone_help"), Value: c.TimeZone,
			Suggest: zones, Required: true},
		{Name: "quote_prefix", Label: p.T("company.quote_prefix"), Help: p.T("company.prefix_help", "prefix", c.QuotePrefix),
			Value: c.QuotePrefix, Required: true, Max: company.MaxPrefixLen},
		{Name: "validity_days", Label: p.T("company.validity_days"), Unit: p.T("company.days"),
			Value: strconv.Itoa(c.ValidityDays), Type: "number", Required: true},
		{Name: "reservation_days", Label: p.T("company.reservation_days"), Unit: p.T("company.days"),
			Value: strconv.Itoa(c.ReservationDays), Type: "number", Required: true},
	}
}

func percentField(name, label, help string, value *money.Percent) Field {
	f := Field{Name: name, Label: label, Help: help, Type: "number", Unit: "%"}
	if value != nil {
		f.Value = value.Decimal().Trim().String()
	}
	return f
}

// Currencies returns all currencies to choose from, with an empty choice first.
func Currencies(selected string) []Option {
	options := []Option{{Label: "–"}}
	for _, c := range money.Currencies() {
		options = append(options, Option{Value: string(c), Label: string(c), Selected: string(c) == selected})
	}
	return options
}

// companyLabels names the fields of Profile.Missing.
var companyLabels = map[string]string{
	"name": "company.name", "address": "company.address", "country": "admin.country_or_region",
	"tax_number": "quote.tax_number", "email": "shell.email", "bank": "quote.bank_details",
	"currency": "company.currency",
}

func missingGates(p Page, c company.Profile) []Gate {
	var gates []Gate
	for _, name := range c.Missing() {
		gates = append(gates, Gate{State: "open", Text: p.T(companyLabels[name]), Href: "#f-" + name})
	}
	return gates
}
