package view

import (
	"cmp"
	"errors"
	"slices"
	"strconv"
	"strings"

	"rackwright/internal/apperr"
	"rackwright/internal/i18n"
	"rackwright/internal/money"
	"rackwright/internal/quote"
)

// setForm fills what only the editor of a draft has.
func (v *QuotePage) setForm(p Page, in QuoteData) {
	f := quoteFields{p: p, in: in}
	v.Details = f.details()
	v.Texts = f.texts()
	v.Discount = f.discount()
	v.Add = f.add()
	for sku, name := range in.Names {
		v.SKUs = append(v.SKUs, Option{Value: sku, Label: name})
	}
	slices.SortFunc(v.SKUs, func(a, b Option) int { return strings.Compare(a.Value, b.Value) })
	v.Faults = f.faults(v)
}

// quoteFields makes the fields of the editor's form beside the lines.
type quoteFields struct {
	p  Page
	in QuoteData
}

func (f quoteFields) field(name, label, stored string) Field {
	return Field{
		Name: name, Label: f.p.T(label), Value: f.in.Typed.or(name, stored), Error: FieldError(f.p.L, f.in.Err, name),
	}
}

func (f quoteFields) choice(name, label, stored string, options []Option) Field {
	v := f.field(name, label, stored)
	v.Type = "select"
	for i := range options {
		options[i].Selected = options[i].Value == v.Value
	}
	v.Options = options
	return v
}

func (f quoteFields) details() []Field {
	c := f.in.Content
	lang := foreignLang(f.p, c.Lang)
	title := f.field("title", "quote.title_field", c.Title)
	title.Max, title.Lang, title.Help = quote.MaxShort, lang, f.p.T("quote.title_help")
	contact := f.field("customer.contact", "quote.contact_person", c.Customer.Contact)
	contact.Max = quote.MaxShort
	email := f.field("customer.email", "quote.email", c.Customer.Email)
	email.Type, email.Max = "email", 254
	valid := f.field("valid_until", "quote.valid_until", isoDay(c.ValidTo))
	valid.Type, valid.Help = "date", f.p.T("quote.days_valid_help")
	currency := f.choice("currency", "price.currency", string(c.Currency), CurrencyOptions(c.Currency))
	currency.Help = f.p.T("quote.currency_help")
	reference := f.field("reference", "quote.customer_reference", c.Reference)
	reference.Max = quote.MaxShort
	place := f.field("place", "quote.delivery_place", c.Place)
	place.Max = quote.MaxShort
	customer := f.choice("customer_id", "quote.customer", idText(c.Customer.CustomerID), f.customers(c))
	fields := []Field{
		customer, title, valid, currency,
		f.choice("tax_mode", "quote.tax_mode", string(c.TaxMode), f.taxModes()),
		f.choice("lang", "quote.document_language", c.Lang, LangOptions(f.p)),
		contact, email, reference,
		f.choice("ship_to", "quote.ship_to_country", c.ShipTo, Countries(f.p, c.ShipTo)),
		f.choice("end_user", "quote.end_user_country", c.EndUser, Countries(f.p, c.EndUser)),
		f.choice("incoterm", "quote.incoterm", c.Incoterm, incotermOptions(f.p)),
		place,
		f.choice("layout", "quote.layout", string(cmp.Or(c.Layout, quote.Detailed)), []Option{
			{Value: string(quote.Detailed), Label: f.p.T("quote.layout_detailed")},
			{Value: string(quote.LumpSum), Label: f.p.T("quote.layout_lump_sum")},
		}),
		f.taxRule(c), f.short("delivery.name", "quote.delivery_name", c.Delivery.Name),
		f.short("delivery.contact", "quote.delivery_contact", c.Delivery.Contact),
	}
	if f.in.MayLicence {
		licence := f.field("licence_ref", "quote.licence_reference", c.LicenceRef)
		licence.Max, licence.Help = quote.MaxShort, f.p.T("quote.licence_help")
		fields = append(fields, licence)
	}
	return fields
}

// short is a field of one line.
func (f quoteFields) short(name, label, stored string) Field {
	v := f.field(name, label, stored)
	v.Max = quote.MaxShort
	return v
}

// taxRule chooses why a quote has no tax. The note that the law wants is a text below.
func (f quoteFields) taxRule(c quote.Content) Field {
	v := f.choice("tax_rule", "quote.tax_rule", string(c.TaxRule), []Option{
		{Value: string(quote.Taxed), Label: f.p.T("quote.tax_rule_none")},
		{Value: string(quote.ReverseCharge), Label: f.p.T("quote.tax_rule_reverse_charge")},
		{Value: string(quote.ExportZero), Label: f.p.T("quote.tax_rule_export")},
	})
	v.Help = f.p.T("quote.tax_rule_help")
	return v
}

// customers lists the customers to choose from; the one of the quote is among them even if
// it is not offered any more.
func (f quoteFields) customers(c quote.Content) []Option {
	options := append([]Option{{Label: f.p.T("quote.choose_customer")}}, f.in.Customers...)
	id := idText(c.Customer.CustomerID)
	if id != "" && !slices.ContainsFunc(options, func(o Option) bool { return o.Value == id }) {
		options = append(options, Option{Value: id, Label: c.Customer.Name})
	}
	return options
}

func idText(id int64) string {
	if id == 0 {
		return ""
	}
	return strconv.FormatInt(id, 10)
}

func (f quoteFields) texts() []Field {
	c := f.in.Content
	note := f.field("note", "quote.note_to_customer", c.Note)
	terms := f.field("terms", "quote.terms_and_conditions", c.Terms)
	terms.Help = f.p.T("quote.terms_help")
	internal := f.field("internal_note", "quote.internal_note", c.InternalNote)
	internal.Help = f.p.T("quote.internal_help")
	address := f.field("delivery.address", "quote.delivery_address", c.Delivery.Address)
	taxNote := f.field("tax_note", "quote.tax_note", c.TaxNote)
	taxNote.Help = f.p.T("quote.tax_note_help")
	payments := f.field("payments", "quote.payments", quote.FormatPayments(c.Payments))
	payments.Help = f.p.T("quote.payments_help")
	if e, ok := errors.AsType[*apperr.Error](f.in.Err); ok && payments.Error == "" {
		for _, name := range e.FieldNames() { // of one instalment
			if strings.HasPrefix(name, "payments[") {
				payments.Error = Text(f.p.L, e.Fields[name])
			}
		}
	}
	texts := []Field{note, terms, internal, address, taxNote, payments}
	for i := range texts {
		texts[i].Type, texts[i].Rows, texts[i].Max = "textarea", 3, quote.MaxDescription
	}
	texts[4].Lang = foreignLang(f.p, c.Lang)
	texts[0].Lang, texts[1].Lang = foreignLang(f.p, c.Lang), foreignLang(f.p, c.Lang)
	texts[1].Max = quote.MaxTerms
	return texts
}

// discount is a figure and the choice whether it is a percentage or an amount.
func (f quoteFields) discount() []Field {
	d, c := f.in.Content.Discount, f.in.Content.Currency
	kind, figure := "percent", NumberTrim(f.p.L.Lang(), d.Percent.Decimal())
	if !d.Amount.IsZero() {
		kind, figure = "amount", MoneyDigits(money.New(d.Amount, c))
	}
	value := f.field("discount", "quote.discount_whole", figure)
	value.Type = "number"
	how := f.choice("discount_kind", "quote.discount_kind", kind, []Option{
		{Value: "percent", Label: "%"}, {Value: "amount", Label: string(c)},
	})
	return []Field{value, how}
}

func (f quoteFields) add() QuoteAdd {
	text := f.field("add", "quote.add_label", "")
	text.Placeholder, text.Help, text.Max = text.Label, f.p.T("quote.add_hint"), quote.MaxShort
	return QuoteAdd{Text: text, Kind: f.choice("add_kind", "quote.add_kind", string(quote.Item), []Option{
		{Value: string(quote.Item), Label: f.p.T("quote.kind_item")},
		{Value: string(quote.Option), Label: f.p.T("quote.option")},
		{Value: string(quote.Alternative), Label: f.p.T("quote.alternative")},
		{Value: string(quote.Section), Label: f.p.T("quote.section")},
		{Value: string(quote.Note), Label: f.p.T("quote.note_text")},
	})}
}

func (f quoteFields) taxModes() []Option {
	return []Option{
		{Value: string(quote.Exclusive), Label: f.p.T("quote.tax_mode_exclusive")},
		{Value: string(quote.Inclusive), Label: f.p.T("quote.tax_mode_inclusive")},
	}
}

// faults lists what is wrong, in the order of the page. A change in another tab has a notice of
// its own.
func (f quoteFields) faults(v *QuotePage) []Fault {
	if f.in.Stale {
		return Faulty(f.p.L, f.in.Err, v.fields()...)
	}
	return formFaults(f.p, f.in.Err, v.fields()...)
}

// fields returns the fields of the editor's form, in the order of the page.
func (v *QuotePage) fields() []*Field {
	var fields []*Field
	for g := range v.Groups {
		if h := v.Groups[g].Head; h != nil {
			fields = append(fields, &h.Text)
		}
		for i := range v.Groups[g].Lines {
			l := &v.Groups[g].Lines[i]
			fields = append(fields, &l.Text, &l.Qty, &l.Price, &l.Discount, &l.Tax, &l.Role, &l.Reason)
			for n := range l.More {
				fields = append(fields, &l.More[n])
			}
		}
	}
	fields = append(fields, &v.Add.Text)
	for i := range v.Details {
		fields = append(fields, &v.Details[i])
	}
	for i := range v.Texts {
		fields = append(fields, &v.Texts[i])
	}
	for i := range v.Discount {
		fields = append(fields, &v.Discount[i])
	}
	return fields
}

// LangOptions lists the languages of documents.
func LangOptions(p Page) []Option {
	var out []Option
	for _, l := range i18n.Langs {
		out = append(out, Option{Value: string(l), Label: LangName(p, string(l))})
	}
	return out
}

// commonCurrencies head the list of currencies.
var commonCurrencies = []money.Currency{"USD", "EUR", "CNY", "TWD", "HKD", "SGD", "JPY", "GBP"}

// CurrencyOptions lists the currencies to choose from, the usual ones first.
func CurrencyOptions(selected money.Currency) []Option {
	out := make([]Option, 0, len(money.Currencies()))
	add := func(c money.Currency) {
		out = append(out, Option{Value: string(c), Label: string(c), Selected: c == selected})
	}
	for _, c := range commonCurrencies {
		add(c)
	}
	for _, c := range money.Currencies() {
		if !slices.Contains(commonCurrencies, c) {
			add(c)
		}
	}
	return out
}

func incotermOptions(p Page) []Option {
	out := []Option{{Label: p.T("quote.choose_country")}}
	for _, code := range quote.Incoterms {
		out = append(out, Option{Value: code, Label: p.T("quote.incoterm_" + strings.ToLower(code))})
	}
	return out
}
