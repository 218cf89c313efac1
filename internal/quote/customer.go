package quote

import (
	"fmt"
	"strings"

	"rackwright/internal/apperr"
)

// Customer is whom quotes are made for. A revision keeps its own copy (Party).
type Customer struct {
	ID        int64
	Name      string
	Address   string // lines separated by "\n"
	Country   string // ISO 3166-1 alpha-2; empty is not known
	TaxNumber string
	Group     string // of price lists; empty is the default
	Note      string // internal
	Archived  bool   // kept, and not offered for new quotes
	Contacts  []Contact
	Version   int64
}

// Contact is a person at a customer.
type Contact struct {
	ID       int64
	Name     string
	JobTitle string
	Email    string
	Phone    string
}

// Party returns the customer as a new quote names it, with one of its contacts; 0 is the first.
func (c Customer) Party(contactID int64) Party {
	p := Party{CustomerID: c.ID, Name: c.Name, Address: c.Address, Country: c.Country, TaxNumber: c.TaxNumber, Group: c.Group}
	for _, contact := range c.Contacts {
		if contactID == 0 || contact.ID == contactID {
			p.ContactID, p.Contact, p.Email, p.Phone = contact.ID, contact.Name, contact.Email, contact.Phone
			break
		}
	}
	return p
}

// Validate checks what was typed. Faults of contacts are at "contacts[1].name".
func (c Customer) Validate() error {
	var f apperr.Faults
	requireText(&f, "name", "quote.customer_name", c.Name)
	checkLength(&f, "address", "quote.address", c.Address, MaxDescription)
	checkLength(&f, "tax_number", "quote.tax_number", c.TaxNumber, MaxShort)
	checkLength(&f, "group", "price.customer_group", c.Group, maxGroup)
	checkLength(&f, "note", "quote.internal_note", c.Note, MaxDescription)
	if c.Country != "" && !countryCode.MatchString(c.Country) {
		f.Add("country", "errors.form_choose")
	}
	for i, contact := range c.Contacts {
		at := func(field string) string { return fmt.Sprintf("contacts[%d].%s", i, field) }
		requireText(&f, at("name"), "quote.contact_person", contact.Name)
		checkLength(&f, at("job_title"), "quote.job_title", contact.JobTitle, MaxShort)
		checkLength(&f, at("phone"), "quote.telephone", contact.Phone, MaxShort)
		if e := contact.Email; e != "" && (len(e) > 254 || !strings.Contains(strings.Trim(e, "@"), "@") || strings.ContainsAny(e, " \t\r\n<>\"")) {
			f.Add(at("email"), "errors.form_email")
		}
	}
	return f.Err()
}
