package view

import (
	"fmt"
	"net/url"
	"strconv"

	"rackwright/internal/apperr"
	"rackwright/internal/quote"
)

// Customers is the list of customers.
type Customers struct {
	Page
	Find     Field
	Filtered bool
	MayEdit  bool
	Rows     []CustomerRow
	Cut      string // says that the list is longer, "" where it is whole
}

// CustomerRow is one customer of the list.
type CustomerRow struct {
	Name    string
	Href    string
	Country string
	Group   string
	Tax     string
}

// NewCustomers returns the list. cut says that there are more than are shown.
func NewCustomers(p Page, customers []quote.Customer, search string, cut, edit bool) Customers {
	v := Customers{
		Page: p, Filtered: search != "", MayEdit: edit,
		Find: Field{Name: "q", Label: p.T("customers.find"), Value: search, Type: "search", Max: quote.MaxShort},
	}
	for _, c := range customers {
		v.Rows = append(v.Rows, CustomerRow{
			Name: c.Name, Href: CustomerHref(c.ID), Country: Country(p.Lang, c.Country), Group: c.Group, Tax: c.TaxNumber,
		})
	}
	if cut {
		v.Cut = p.T("customers.cut", "n", len(customers))
	}
	return v
}

// CustomerHref returns the address of a customer.
func CustomerHref(id int64) string { return "/customers/" + strconv.FormatInt(id, 10) }

// CustomerPage is one customer: the form, and the quotes made for it.
type CustomerPage struct {
	Page
	Heading  string
	Action   string
	Key      string
	Version  string
	MayEdit  bool
	Fields   []Field
	Archived *Field // nil for a new customer
	Facts    []Fact // shown in place of the form to people who may not edit
	Contacts []ContactFields
	Faults   []Fault
	Quotes   []QuoteRow
	NewQuote string // address that starts a quote, "" without the right
}

// ContactFields is one row of the table of contacts.
type ContactFields struct {
	ID     Field // hidden
	Fields []Field
}

// blankContacts is the number of empty rows for further contacts.
const blankContacts = 2

// CustomerArgs is what the page of a customer shows.
type CustomerArgs struct {
	Customer quote.Customer // as stored; an id of 0 is a new one
	Returned Returned       // the form that came back
	Rows     int            // of contacts in the form that came back
	Key      string
	MayEdit  bool
	Quotes   []QuoteRow
}

// NewCustomerPage returns the page of a customer.
func NewCustomerPage(p Page, a CustomerArgs) CustomerPage {
	c := a.Customer
	v := CustomerPage{
		Page: p, Heading: p.T("actions.new_customer"), Action: "/customers", Key: a.Key, MayEdit: a.MayEdit, Quotes: a.Quotes,
		Fields: []Field{
			{Name: "name", Label: p.T("quote.customer_name"), Value: c.Name, Required: true, Max: quote.MaxShort},
			{Name: "address", Label: p.T("company.address"), Value: c.Address, Type: "textarea", Max: quote.MaxDescription},
			{Name: "country", Label: p.T("admin.country_or_region"), Type: "select", Value: c.Country, Options: Countries(p, c.Country)},
			{Name: "tax_number", Label: p.T("quote.tax_number"), Value: c.TaxNumber, Max: quote.MaxShort},
			{Name: "group", Label: p.T("price.customer_group"), Value: c.Group, Help: p.T("customers.group_help"), Max: 60},
			{Name: "note", Label: p.T("customers.note"), Value: c.Note, Type: "textarea", Help: p.T("customers.note_help"), Max: quote.MaxDescription},
		},
	}
	if c.ID != 0 {
		v.Heading, v.Action, v.Version = c.Name, CustomerHref(c.ID), strconv.FormatInt(c.Version, 10)
		v.Archived = &Field{Name: "archived", Label: p.T("customers.archived"), Checked: c.Archived}
		if a.MayEdit && !c.Archived {
			v.NewQuote = "/quotes/new?" + url.Values{"customer": {strconv.FormatInt(c.ID, 10)}}.Encode()
		}
	}
	if !a.MayEdit {
		v.Facts = customerFacts(p, c)
	}
	v.contacts(p, a)
	v.finish(p, a)
	return v
}

func customerFacts(p Page, c quote.Customer) []Fact {
	facts := []Fact{
		{Label: p.T("company.address"), Value: Or(p.Lang, c.Address)},
		{Label: p.T("admin.country_or_region"), Value: Or(p.Lang, Country(p.Lang, c.Country))},
		{Label: p.T("quote.tax_number"), Value: Or(p.Lang, c.TaxNumber)},
		{Label: p.T("price.customer_group"), Value: groupName(p, c.Group)},
	}
	for _, contact := range c.Contacts {
		facts = append(facts, Fact{Label: p.T("quote.contact_person"), Value: contact.Name, Sub: contact.Email})
	}
	return facts
}

// contacts lays out the stored contacts and blank rows, or as many rows as came back.
func (v *CustomerPage) contacts(p Page, a CustomerArgs) {
	rows := max(len(a.Customer.Contacts)+blankContacts, a.Rows)
	for i := range rows {
		var c quote.Contact
		if i < len(a.Customer.Contacts) {
			c = a.Customer.Contacts[i]
		}
		id := ""
		if c.ID != 0 {
			id = strconv.FormatInt(c.ID, 10)
		}
		v.Contacts = append(v.Contacts, ContactFields{
			ID: Field{Name: ContactField(i, "id"), Value: id},
			Fields: []Field{
				{Name: ContactField(i, "name"), Label: p.T("quote.contact_person"), Value: c.Name, Max: quote.MaxShort},
				{Name: ContactField(i, "job_title"), Label: p.T("quote.job_title"), Value: c.JobTitle, Max: quote.MaxShort},
				{Name: ContactField(i, "email"), Label: p.T("shell.email"), Value: c.Email, Type: "email", Max: 254},
				{Name: ContactField(i, "phone"), Label: p.T("quote.telephone"), Value: c.Phone, Type: "tel", Max: quote.MaxShort},
			},
		})
	}
}

// ContactField returns the name of a field of contact i, as faults and the form name it.
func ContactField(i int, field string) string { return fmt.Sprintf("contacts[%d].%s", i, field) }

// finish puts back what was typed and what is wrong with it.
func (v *CustomerPage) finish(p Page, a CustomerArgs) {
	var all []*Field
	for i := range v.Fields {
		all = append(all, &v.Fields[i])
	}
	for i := range v.Contacts {
		all = append(all, &v.Contacts[i].ID)
		for j := range v.Contacts[i].Fields {
			all = append(all, &v.Contacts[i].Fields[j])
		}
	}
	if raw := a.Returned.Raw; raw != nil {
		for _, f := range all {
			refill(f, raw(f.Name))
		}
		if v.Archived != nil {
			v.Archived.Checked = raw("archived") != ""
		}
		if apperr.Is(a.Returned.Cause, apperr.Invalid) {
			v.Version = raw("version") // still the version that the person saw
		}
	}
	v.Faults = formFaults(p, a.Returned.Cause, all...)
}
