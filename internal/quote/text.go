package quote

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"rackwright/internal/apperr"
)

// The longest texts, in characters. The schema has the same.
const (
	MaxShort       = 200   // names, titles, references
	MaxDescription = 4000  // of a line, and notes
	MaxTerms       = 20000 // terms
	maxGroup       = 60    // customer groups
)

// Incoterms lists the Incoterms 2020 codes.
var Incoterms = []string{"EXW", "FCA", "CPT", "CIP", "DAP", "DPU", "DDP", "FAS", "FOB", "CFR", "CIF"}

// documentLangs are the languages that documents exist in.
var documentLangs = []string{"en", "zh-Hans", "zh-Hant"}

var countryCode = regexp.MustCompile(`^[A-Z]{2}$`)

// validateTexts checks everything of the content but its lines.
func (c Content) validateTexts(f *apperr.Faults) {
	limits := []struct {
		field, value, label string
		max                 int
	}{
		{"title", c.Title, "quote.title_field", MaxShort},
		{"customer.name", c.Customer.Name, "quote.customer_name", MaxShort},
		{"customer.address", c.Customer.Address, "quote.address", MaxDescription},
		{"customer.tax_number", c.Customer.TaxNumber, "quote.tax_number", MaxShort},
		{"customer.contact", c.Customer.Contact, "quote.contact_person", MaxShort},
		{"customer.email", c.Customer.Email, "quote.email", MaxShort},
		{"customer.phone", c.Customer.Phone, "quote.telephone", MaxShort},
		{"reference", c.Reference, "quote.customer_reference", MaxShort},
		{"note", c.Note, "quote.note_to_customer", MaxDescription},
		{"terms", c.Terms, "quote.terms", MaxTerms},
		{"place", c.Place, "quote.delivery_place", MaxShort},
		{"internal_note", c.InternalNote, "quote.internal_note", MaxDescription},
		{"delivery.name", c.Delivery.Name, "quote.delivery_name", MaxShort},
		{"delivery.address", c.Delivery.Address, "quote.delivery_address", MaxDescription},
		{"delivery.contact", c.Delivery.Contact, "quote.delivery_contact", MaxShort},
		{"tax_note", c.TaxNote, "quote.tax_note", MaxDescription},
	}
	for _, l := range limits {
		checkLength(f, l.field, l.label, l.value, l.max)
	}
	if !c.Currency.Valid() {
		f.Add("currency", "errors.form_choose")
	}
	if c.TaxMode != Exclusive && c.TaxMode != Inclusive {
		f.Add("tax_mode", "errors.form_choose")
	}
	if !slices.Contains(documentLangs, c.Lang) {
		f.Add("lang", "errors.form_choose")
	}
	if c.Incoterm != "" && !slices.Contains(Incoterms, c.Incoterm) {
		f.Add("incoterm", "errors.form_choose")
	}
	for field, code := range map[string]string{"ship_to": c.ShipTo, "end_user": c.EndUser, "customer.country": c.Customer.Country} {
		if code != "" && !countryCode.MatchString(code) {
			f.Add(field, "errors.form_choose")
		}
	}
	if c.Day.IsZero() {
		f.Add("day", "errors.form_date")
	}
	if c.ValidTo.IsZero() {
		f.Add("valid_until", "errors.form_date")
	} else if c.ValidTo.Before(c.Day) {
		f.Add("valid_until", "errors.form_date_order")
	}
	c.Discount.validate(f, c.Currency)
	if c.Layout != "" && c.Layout != Detailed && c.Layout != LumpSum {
		f.Add("layout", "errors.form_choose")
	}
	if c.TaxRule != Taxed && c.TaxRule != ReverseCharge && c.TaxRule != ExportZero {
		f.Add("tax_rule", "errors.form_choose")
	}
	validatePayments(f, c.Payments, c.Currency)
}

func validateDescription(f *apperr.Faults, i int, l Line) {
	field := LineField(i, "description")
	if l.Description == "" {
		f.Add(field, "errors.form_required", "field", apperr.Msg("quote.line_description"))
	}
	checkLength(f, field, "quote.line_description", l.Description, MaxDescription)
	if l.Override != nil {
		checkLength(f, LineField(i, "reason"), "price.override_reason", l.Override.Reason, MaxShort)
	}
	checkLength(f, LineField(i, "tax_name"), "quote.tax_rate", l.TaxName, MaxShort)
	checkLength(f, LineField(i, "config"), "quote.line_config", l.Config, MaxDescription)
}

func checkLength(f *apperr.Faults, field, label, value string, most int) {
	if utf8.RuneCountInString(value) > most {
		f.Add(field, "errors.form_too_long", "field", apperr.Msg(label), "n", most)
	}
}

// requireText checks a short text that must not be empty.
func requireText(f *apperr.Faults, field, label, value string) {
	if strings.TrimSpace(value) == "" {
		f.Add(field, "errors.form_required", "field", apperr.Msg(label))
	}
	checkLength(f, field, label, value, MaxShort)
}
