// Package company holds what the seller is called, where it is, and the settings that
// documents follow: currency, time zone, numbering, validity, terms and approval limits.
//
// It is pure: no SQL, no HTTP, no clock. Profile.Missing says what has to be filled in
// before the first document is sent; a document that was sent keeps its own copy.
package company

import (
	"regexp"
	"time"
	_ "time/tzdata" // the zones, for machines that have none
	"unicode/utf8"

	"rackwright/internal/apperr"
	"rackwright/internal/money"
)

// Profile is the seller as its documents show it, and the settings that they follow.
type Profile struct {
	Name      string `json:"name"`
	Address   string `json:"address"` // lines separated by "\n"
	Country   string `json:"country"` // ISO 3166-1 alpha-2
	TaxNumber string `json:"tax_number"`
	Email     string `json:"email"`
	Phone     string `json:"phone"`
	Website   string `json:"website"`
	Bank      string `json:"bank"` // where to pay, lines separated by "\n"

	Currency        money.Currency `json:"currency"`         // of the books; "" is not chosen yet
	TimeZone        string         `json:"time_zone"`        // IANA name; days end by it (R6)
	QuotePrefix     string         `json:"quote_prefix"`     // PREFIX-YYYY-NNNN
	ValidityDays    int            `json:"validity_days"`    // of a new quote
	ReservationDays int            `json:"reservation_days"` // of a firm reservation after acceptance

	// Terms are the standing terms by BCP 47 tag of the document's language.
	Terms map[string]string `json:"terms"`

	DiscountLimit *money.Percent `json:"discount_limit"` // above it a lead decides (R13); nil is no limit
	TargetMargin  *money.Percent `json:"target_margin"`  // below it a lead decides (R13); nil is no target

	Logo    []byte `json:"-"` // PNG or JPEG; nil is none
	Version int64  `json:"-"` // row version
}

// The bounds of the settings. The schema has the same or wider ones.
const (
	MaxNameLen   = 200
	MaxTextLen   = 1000  // address, bank
	MaxTermsLen  = 20000 // per language
	MaxPrefixLen = 12
	MaxDays      = 365
	MaxLogoBytes = 250_000
	maxShortLen  = 120 // tax number, phone, web site
	maxEmailLen  = 254
)

var (
	country = regexp.MustCompile(`^[A-Z]{2}$`)
	prefix  = regexp.MustCompile(`^[A-Z0-9]{1,12}$`)
	email   = regexp.MustCompile(`^[^\s@<>"]+@[^\s@<>"]+\.[^\s@<>".]+$`)
)

// Validate checks what was typed. Empty texts are allowed: a profile can be filled in bit by
// bit, and Missing says what is left. Faults are named by the JSON names of the fields.
func (p Profile) Validate() error {
	var f apperr.Faults
	p.validateTexts(&f)
	if p.Country != "" && !country.MatchString(p.Country) {
		f.Add("country", "errors.form_choose")
	}
	if p.Email != "" && (len(p.Email) > maxEmailLen || !email.MatchString(p.Email)) {
		f.Add("email", "errors.form_email")
	}
	if _, err := money.ParseCurrency(string(p.Currency)); p.Currency != "" && err != nil {
		f.Add("currency", "errors.form_choose")
	}
	if _, ok := Zone(p.TimeZone); !ok {
		f.Add("time_zone", "company.zone_unknown")
	}
	if !prefix.MatchString(p.QuotePrefix) {
		f.Add("quote_prefix", "company.prefix_form")
	}
	validateDays(&f, "validity_days", p.ValidityDays)
	validateDays(&f, "reservation_days", p.ReservationDays)
	validatePercent(&f, "discount_limit", p.DiscountLimit)
	validatePercent(&f, "target_margin", p.TargetMargin)
	return f.Err()
}

func (p Profile) validateTexts(f *apperr.Faults) {
	limits := []struct {
		field, value string
		max          int
	}{
		{"name", p.Name, MaxNameLen}, {"address", p.Address, MaxTextLen}, {"bank", p.Bank, MaxTextLen},
		{"tax_number", p.TaxNumber, maxShortLen}, {"phone", p.Phone, maxShortLen}, {"website", p.Website, maxShortLen},
	}
	for _, l := range limits {
		if utf8.RuneCountInString(l.value) > l.max {
			f.Add(l.field, "errors.too_long", "max", l.max)
		}
	}
	for lang, text := range p.Terms {
		if utf8.RuneCountInString(text) > MaxTermsLen {
			f.Add("terms_"+lang, "errors.too_long", "max", MaxTermsLen)
		}
	}
}

func validateDays(f *apperr.Faults, field string, n int) {
	switch {
	case n < 1:
		f.Add(field, "errors.too_small", "min", 1)
	case n > MaxDays:
		f.Add(field, "errors.too_large", "max", MaxDays)
	}
}

func validatePercent(f *apperr.Faults, field string, p *money.Percent) {
	if p == nil {
		return
	}
	switch d := p.Decimal(); {
	case d.Sign() < 0:
		f.Add(field, "errors.negative")
	case d.Cmp(money.FromInt(100)) > 0:
		f.Add(field, "errors.too_large", "max", 100)
	}
}

// Missing returns the JSON names of the fields that have to be filled in before the first
// document is sent, in the order of the page.
func (p Profile) Missing() []string {
	var names []string
	for _, f := range []struct{ name, value string }{
		{"name", p.Name}, {"address", p.Address}, {"country", p.Country},
		{"tax_number", p.TaxNumber}, {"email", p.Email}, {"bank", p.Bank}, {"currency", string(p.Currency)},
	} {
		if f.value == "" {
			names = append(names, f.name)
		}
	}
	return names
}

// Zone returns the time zone of an IANA name, and whether there is one. "Local" is refused:
// it would mean another zone on another machine.
func Zone(name string) (*time.Location, bool) {
	if name == "" || name == "Local" {
		return nil, false
	}
	loc, err := time.LoadLocation(name)
	return loc, err == nil
}

// Location returns the company's time zone, UTC while none is set.
func (p Profile) Location() *time.Location {
	if loc, ok := Zone(p.TimeZone); ok {
		return loc
	}
	return time.UTC
}

// Today returns the day at now in the company's zone, as a time at 00:00 UTC.
func (p Profile) Today(now time.Time) time.Time {
	y, m, d := now.In(p.Location()).Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// EndOf returns the instant at which a day is over in the company's zone (R6).
func (p Profile) EndOf(day time.Time) time.Time {
	y, m, d := day.Date()
	return time.Date(y, m, d+1, 0, 0, 0, 0, p.Location())
}

// TermsIn returns the standing terms in a document's language; "" if there are none.
func (p Profile) TermsIn(lang string) string { return p.Terms[lang] }
