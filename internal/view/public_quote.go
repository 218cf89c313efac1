package view

import (
	"strings"
	"time"

	"rackwright/internal/company"
	"rackwright/internal/i18n"
	"rackwright/internal/money"
	"rackwright/internal/quote"
)

// PublicData is what the customer's page shows. It is filled from a quote that was read by
// its token and carries no cost, floor or margin.
type PublicData struct {
	Quote  quote.Quote
	Base   string          // "/q/…", with the token
	Seller company.Profile // as it was on sending
	Typed  Typed
	Err    error
	Key    string
	Now    time.Time
	Zone   *time.Location
}

// NewPublicQuotePage lays out a sent revision for the customer.
func NewPublicQuotePage(p Page, in PublicData) PublicQuotePage {
	rev := in.Quote.Revision
	c := rev.Content
	agreed, totals := rev.Agreed()
	l := p.L.Lang()
	v := PublicQuotePage{
		Page: p, Action: in.Base, Key: in.Key, Seller: in.Seller.Name, PDF: in.Base + "/pdf",
		Number: p.T("public.quote_number", "number", in.Quote.Number, "n", rev.Number), Heading: c.Title,
		ForFrom: forFrom(p, in), Totals: NewQuoteTotals(p, agreed, totals), Payments: NewPayments(p, c, totals.Total), DocLang: foreignLang(p, c.Lang),
		GrandAs: p.T("quote.grand_total"), Valid: dayOr(l, rev.LastDay()), ValidSub: validSub(p, in),
		Langs: langLinks(p, in.Base), Contact: contactText(p, in.Seller),
	}
	if v.Heading == "" {
		v.Heading = v.Number
	}
	if totals.Total != nil {
		v.Grand = Money(l, money.New(*totals.Total, c.Currency))
	}
	v.Totals.Extras, v.Totals.ExtraSub = nil, "" // they are choices on this page
	v.Groups = publicGroups(p, c, rev.Totals)
	v.Choices = publicChoices(p, in)
	v.Files = publicFiles(in)
	v.Delivery = deliveryLines(c)
	for _, part := range []string{c.Note, c.TaxNote, termsOf(c, in.Seller)} {
		for para := range strings.SplitSeq(part, "\n") {
			if s := strings.TrimSpace(para); s != "" {
				v.Terms = append(v.Terms, s)
			}
		}
	}
	v.Notice = publicNotice(p, in)
	if rev.State == quote.Sent {
		v.Accept = publicAccept(p, in, v.Grand)
	}
	if rev.State == quote.Accepted || rev.State == quote.Declined {
		v.Evidence = in.Base + "/evidence"
	}
	return v
}

func forFrom(p Page, in PublicData) string {
	c := in.Quote.Revision.Content
	seller := in.Quote.Owner
	if seller == "" {
		seller = in.Seller.Name
	}
	day := Date(p.L.Lang(), in.Quote.Revision.SentAt.In(in.Zone))
	if c.Customer.Contact == "" {
		return p.T("public.for_from_company", "customer", c.Customer.Name, "seller", seller, "date", day)
	}
	return p.T("public.for_from", "contact", c.Customer.Contact, "customer", c.Customer.Name, "seller", seller, "date", day)
}

// validSub says until when exactly, and how long that is.
func validSub(p Page, in PublicData) string {
	last := in.Quote.Revision.LastDay()
	zone := zoneOn(last, in.Seller.TimeZone)
	if in.Quote.Revision.State != quote.Sent {
		return p.T("public.end_of_day", "zone", zone)
	}
	n := daysUntil(last, in.Now, in.Zone)
	if n < 1 {
		return p.T("public.end_of_day", "zone", zone)
	}
	return p.N("public.end_of_day_left", n, "zone", zone)
}

func contactText(p Page, seller company.Profile) string {
	contact := waysToReach(seller)
	if contact == "" {
		return p.T("public.footer")
	}
	return p.T("public.questions", "contact", contact)
}

// langLinks lead to the same page in the other languages.
func langLinks(p Page, base string) []LangLink {
	var out []LangLink
	for _, l := range i18n.Langs {
		if l == p.L.Lang() {
			continue
		}
		out = append(out, LangLink{Tag: string(l), Label: shortNames[l], Href: base + "?lang=" + string(l)})
	}
	return out
}

// shortNames are the names of the languages in themselves.
var shortNames = map[i18n.Lang]string{i18n.English: "English", i18n.Simplified: "简体", i18n.Traditional: "繁體"}

// publicGroups lays out the lines of the total by section. A lump sum has no figures but the sum of all.
func publicGroups(p Page, c quote.Content, t quote.Totals) []PublicGroup {
	var groups []PublicGroup
	pos := LinePositions(c.Lines)
	for i, l := range c.Lines {
		switch {
		case l.Part || i >= len(t.Lines):
			continue
		case l.Kind == quote.Section:
			g := PublicGroup{ID: "s" + itoa(i), Title: pos[i] + " " + l.Description}
			if c.Layout != quote.LumpSum {
				g.Subtotal = digitsOr(p, t.Lines[i].Amount, c.Currency)
			}
			groups = append(groups, g)
			continue
		case l.Kind == quote.Option || l.Kind == quote.Alternative:
			continue
		case len(groups) == 0:
			groups = append(groups, PublicGroup{ID: "s", Title: p.T("public.lines")})
		}
		g := &groups[len(groups)-1]
		g.Lines = append(g.Lines, publicLine(p, c, t, i))
	}
	return groups
}

func publicLine(p Page, c quote.Content, t quote.Totals, i int) PublicLine {
	l, sum := c.Lines[i], t.Lines[i]
	v := PublicLine{Name: l.Description, Sub: l.SKU}
	if l.Kind == quote.Note {
		v.Note = true
		return v
	}
	v.Net, v.Each = digitsOr(p, sum.Amount, c.Currency), publicEach(p, c, l, sum)
	v.Conf = l.Config
	if !l.Promise.IsZero() {
		v.When = p.T("public.promised", "date", Date(p.L.Lang(), l.Promise))
	}
	if c.Layout == quote.LumpSum && l.Kind == quote.Item {
		v.Lump, v.Net, v.Each = true, "", p.T("public.quantity", "n", NumberTrim(p.L.Lang(), l.Quantity))
	}
	if l.Lump {
		return v
	}
	for j := i + 1; j < len(c.Lines) && c.Lines[j].Part; j++ {
		v.Kids = append(v.Kids, QuotePart{
			Quantity: NumberTrim(p.L.Lang(), c.Lines[j].Quantity) + " ×", Name: c.Lines[j].Description, SKU: c.Lines[j].SKU,
		})
	}
	return v
}

// publicEach says how the amount of a line comes about: quantity, price, term and discount.
func publicEach(p Page, c quote.Content, l quote.Line, sum quote.LineTotal) string {
	price := digitsOr(p, sum.UnitPrice, c.Currency)
	if term := TermText(p, l.Term); term != "" {
		price += " × " + term
	}
	n := NumberTrim(p.L.Lang(), l.Quantity)
	switch {
	case !l.Discount.IsZero():
		return p.T("public.each_less", "n", n, "price", price, "percent", Percent(p.L.Lang(), l.Discount))
	case !l.Off.IsZero():
		return p.T("public.each_less", "n", n, "price", price, "percent", digitsOr(p, &l.Off, c.Currency))
	}
	return p.T("public.each", "n", n, "price", price)
}

// deliveryLines is where goods go, when the quote says so.
func deliveryLines(c quote.Content) []string {
	var lines []string
	for _, part := range []string{c.Delivery.Name, c.Delivery.Address, c.Delivery.Contact} {
		for line := range strings.SplitSeq(part, "\n") {
			if s := strings.TrimSpace(line); s != "" {
				lines = append(lines, s)
			}
		}
	}
	return lines
}

// publicNotice says in plain words why a quote cannot be accepted, or that it was.
func publicNotice(p Page, in PublicData) *QuoteOutcome {
	rev := in.Quote.Revision
	l := p.L.Lang()
	note := func(kind, id string, args ...any) *QuoteOutcome {
		return &QuoteOutcome{Kind: kind, Title: p.T("public." + id + "_title"), Text: p.T("public."+id+"_text", args...)}
	}
	switch rev.State {
	case quote.Accepted:
		return note("ok", "accepted", "name", rev.Decision.Name, "date", Date(l, rev.Decision.At.In(in.Zone)))
	case quote.Declined:
		return note("", "declined")
	case quote.Expired:
		return note("warn", "expired", "date", Date(l, rev.LastDay()))
	case quote.Superseded:
		return note("warn", "superseded", "n", newestSent(in.Quote))
	case quote.Lost, quote.Cancelled:
		return note("", "closed")
	}
	return nil
}

// newestSent returns the number of the newest revision that was sent.
func newestSent(q quote.Quote) int {
	n := q.Revision.Number
	for _, r := range q.Revisions {
		if !r.SentAt.IsZero() && r.Number > n {
			n = r.Number
		}
	}
	return n
}

// declineReasons are the reasons to choose from.
var declineReasons = []string{"price", "time", "scope", "other_supplier", "other"}

// DeclineReasons lists the keys of the reasons a customer can choose.
func DeclineReasons() []string { return declineReasons }

func publicAccept(p Page, in PublicData, grand string) *PublicAccept {
	c := in.Quote.Revision.Content
	field := func(name, label string) Field {
		return Field{Name: name, Label: label, Value: in.Typed.or(name, ""), Error: FieldError(p.L, in.Err, name)}
	}
	a := &PublicAccept{
		Name: field("name", p.T("public.your_name")), Role: field("role", p.T("public.your_role")),
		Order:  field("order", p.T("public.your_order")),
		Agree:  field("agree", p.T("public.agree", "customer", c.Customer.Name, "n", in.Quote.Revision.Number)),
		Reason: field("reason", p.T("quote.decline_reason")), Comment: field("comment", p.T("public.word_to_seller")),
		Submit: p.T("public.accept_for", "total", grand),
	}
	a.Name.Max, a.Role.Max, a.Order.Max, a.Comment.Max = quote.MaxShort, quote.MaxShort, quote.MaxShort, 1000
	a.Name.Autocomplete, a.Role.Autocomplete = "name", "organization-title"
	a.Name.Required = true
	if in.Typed == nil {
		a.Name.Value = c.Customer.Contact
	}
	for _, id := range in.Quote.Revision.Decision.Choices {
		a.Chosen = append(a.Chosen, itoa(int(id)))
	}
	if _, totals := in.Quote.Revision.Agreed(); totals.Total != nil {
		a.Seen = totals.Total.String()
	}
	a.Agree.Checked = a.Agree.Value != ""
	a.Agree.Value = "yes"
	a.Role.Note, a.Order.Note, a.Comment.Note = p.T("public.optional"), p.T("public.optional"), p.T("public.optional")
	a.Comment.Type, a.Comment.Rows = "textarea", 3
	for _, r := range declineReasons {
		a.Reason.Options = append(a.Reason.Options, Option{Value: r, Label: p.T("public.reason_" + r), Selected: r == a.Reason.Value})
	}
	a.DeclineOpen = a.Reason.Error != "" || a.Reason.Value != ""
	a.Faults = formFaults(p, in.Err, &a.Name, &a.Role, &a.Order, &a.Agree, &a.Reason, &a.Comment)
	return a
}

// waysToReach are the phone number and the address of the seller.
func waysToReach(c company.Profile) string {
	var ways []string
	for _, w := range []string{c.Phone, c.Email} {
		if w != "" {
			ways = append(ways, w)
		}
	}
	return strings.Join(ways, ", ")
}

// NewPublicGone says why a link shows no quote.
func NewPublicGone(p Page, seller string) PublicGonePage {
	return PublicGonePage{
		Page: p, Seller: seller, Heading: p.T("public.gone_title"), Text: p.T("public.gone_text"), Langs: langLinks(p, p.Path),
	}
}
