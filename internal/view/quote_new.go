package view

import (
	"rackwright/internal/quote"
)

// NewQuoteData is what the form that starts a quote shows.
type NewQuoteData struct {
	Content   quote.Content // defaults
	Customers []Option      // by id
	Typed     Typed
	Err       error
	Key       string
}

// NewQuoteNewPage lays out the form that starts a quote.
func NewQuoteNewPage(p Page, in NewQuoteData) QuoteNewPage {
	f := quoteFields{p: p, in: QuoteData{Content: in.Content, Typed: in.Typed, Err: in.Err}}
	v := QuoteNewPage{Page: p, Action: "/quotes/new", Key: in.Key}
	v.Customer = f.choice("customer_id", "quote.existing_customer", "",
		append([]Option{{Label: p.T("quote.choose_customer")}}, in.Customers...))
	name := f.field("customer.name", "quote.customer_name", "")
	name.Max = quote.MaxShort
	contact := f.field("customer.contact", "quote.contact_person", "")
	contact.Max = quote.MaxShort
	email := f.field("customer.email", "quote.email", "")
	email.Type, email.Max = "email", 254
	address := f.field("customer.address", "quote.address", "")
	address.Type, address.Rows, address.Max = "textarea", 3, quote.MaxDescription
	v.Inline = []Field{
		name, f.choice("customer.country", "quote.country", "", Countries(p, "")), contact, email, address,
	}
	title := f.field("title", "quote.title_field", in.Content.Title)
	title.Max, title.Help = quote.MaxShort, p.T("quote.title_help")
	valid := f.field("valid_until", "quote.valid_until", isoDay(in.Content.ValidTo))
	valid.Type, valid.Help = "date", p.T("quote.days_valid_help")
	v.Fields = []Field{
		title, f.choice("currency", "price.currency", string(in.Content.Currency), CurrencyOptions(in.Content.Currency)),
		f.choice("tax_mode", "quote.tax_mode", string(in.Content.TaxMode), f.taxModes()),
		f.choice("lang", "quote.document_language", in.Content.Lang, LangOptions(p)), valid,
	}
	pointers := []*Field{&v.Customer}
	for i := range v.Inline {
		pointers = append(pointers, &v.Inline[i])
	}
	for i := range v.Fields {
		pointers = append(pointers, &v.Fields[i])
	}
	v.Faults = formFaults(p, in.Err, pointers...)
	v.InlineOpen = len(in.Customers) == 0
	for _, field := range v.Inline {
		v.InlineOpen = v.InlineOpen || field.Value != "" || field.Error != ""
	}
	return v
}
