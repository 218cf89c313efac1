package view

import (
	"strconv"
	"strings"
	"time"

	"rackwright/internal/i18n"
	"rackwright/internal/inventory"
	"rackwright/internal/money"
	"rackwright/internal/quote"
)

// QuoteData is what the editor shows: a stored quote, and on top of it what somebody typed.
type QuoteData struct {
	Quote     quote.Quote
	Content   quote.Content // of the revision, or of the form
	Totals    quote.Totals
	Blockers  []quote.Blocker
	Links     []quote.Link
	Papers    []quote.MadePaper
	NewURL    string                            // of a link that was issued just now
	Stock     map[string]inventory.Availability // by SKU, of a draft
	Reserved  []inventory.Reservation           // that have not ended
	Margin    *quote.Margin                     // nil for people who may not see it
	SeeFloor  bool
	MayEdit   bool // the person may change this quote
	MayDecide bool // the person may allow its exceptions
	// MayLicence says that the person may record the reference of an export licence.
	MayLicence bool

	Typed   Typed
	Err     error // what is wrong with the form
	Stale   bool  // somebody else saved meanwhile
	Unsaved bool
	// Late is what somebody typed into the editor of a quote that cannot be edited any more.
	Late      *quote.Content
	LateTyped Typed

	Key       string
	Now       time.Time
	Zone      *time.Location
	Customers []Option          // to choose from, by id
	Names     map[string]string // of products in the page's language, by SKU, to choose from
}

// NewQuotePage lays out a quote for the editor.
func NewQuotePage(p Page, in QuoteData) QuotePage {
	q := in.Quote
	rev := q.Revision
	base := "/quotes/" + strconv.FormatInt(q.ID, 10)
	newest := isNewest(q)
	v := QuotePage{
		Page: p, Action: base, Number: q.Number, Revision: p.T("quote.revision_n", "n", rev.Number),
		Subtitle: subtitle(in.Content), Badge: StateBadge(rev.State), State: p.T("quote.state_" + string(rev.State)),
		Editable: rev.State.Editable() && newest && in.MayEdit,
		Key:      in.Key, Version: strconv.FormatInt(q.Version, 10), Unsaved: in.Unsaved,
		Note: p.T("quote.lines_note", "currency", string(in.Content.Currency), "mode", p.T("quote.tax_mode_"+string(in.Content.TaxMode))),
	}
	if v.Number == "" {
		v.Number = p.T("quote.no_number")
	}
	v.Facts = quotePageFacts(p, in)
	v.Status = statusText(p, in, newest)
	v.Groups = quoteGroups(p, in)
	v.Totals = NewQuoteTotals(p, in.Content, in.Totals)
	v.History = quoteHistory(p, q.Events, in.Zone)
	v.Earlier = quoteRevisions(p, base, q)
	v.Outcome = quoteOutcome(p, rev, in.Zone)
	for _, r := range in.Reserved {
		v.Reserved = append(v.Reserved, QuoteReservation{
			SKU: r.SKU, Place: r.Place.Name, Quantity: Int(p.L.Lang(), r.Quantity), Until: untilText(p, r.Until, in.Zone),
		})
	}
	if rev.State == quote.Accepted { // what was short no longer matters once the order is off
		for _, s := range rev.Decision.Shortages {
			v.Shorts = append(v.Shorts, QuoteShortage{SKU: s.SKU, Text: p.N("quote.short", int(s.Quantity))})
		}
	}
	v.Papers, v.Files = quotePapers(p, in, base), quoteFiles(p, in, base, v.Editable)
	if in.Margin != nil {
		v.Margin = quoteMarginPanel(p, *in.Margin, in.Content.Currency)
	}
	v.setSteps(p, in, base, newest)
	if v.Editable {
		v.setForm(p, in)
	}
	if in.Stale {
		v.Conflict = base
	}
	if in.Late != nil {
		v.Unsent = newQuoteUnsent(p, in, *in.Late, in.LateTyped)
	}
	return v
}

// setSteps offers what the state and the person allow.
func (v *QuotePage) setSteps(p Page, in QuoteData, base string, newest bool) {
	rev := in.Quote.Revision
	v.ShowGate = rev.State.Editable() && newest
	if v.ShowGate {
		v.Gate = NewQuoteGate(p, in.Content, in.Blockers)
		v.Steps.PDFDraft = base + "/preview.pdf"
	}
	if rev.Frozen.PDFSize > 0 {
		v.Steps.PDF = base + "/pdf?revision=" + strconv.Itoa(rev.Number)
	}
	if !newest || !in.MayEdit {
		v.setRuling(p, in, newest)
		return
	}
	if rev.State.Can(quote.Send) {
		v.Steps.Send = base + "/send"
	}
	v.Steps.Submit = rev.State == quote.Draft && quote.NeedsApproval(in.Blockers)
	v.setRuling(p, in, newest)
	v.Steps.Revise = rev.State.Frozen() && rev.State.Can(quote.Revise)
	v.Steps.CloseLost = rev.State.Can(quote.CloseLost)
	v.Steps.Cancel = rev.State.Can(quote.Cancel)
	v.CloseReason = Field{
		Name: "close_reason", Label: p.T("quote.close_reason"), Required: true, Max: quote.MaxShort, Error: FieldError(p.L, in.Err, "close_reason"),
	}
	v.setExtension(p, in)
	v.Link = quoteLinkPanel(p, in)
}

// setExtension offers to move the last day of what was sent.
func (v *QuotePage) setExtension(p Page, in QuoteData) {
	v.Steps.Extend = in.Quote.Revision.State.Can(quote.Extend)
	field := func(name, label string) Field {
		return Field{Name: name, Label: p.T(label), Required: true, Value: in.Typed.or(name, ""), Error: FieldError(p.L, in.Err, name)}
	}
	v.ExtendUntil, v.ExtendReason = field("extend_until", "quote.extend_until"), field("extend_reason", "quote.extend_reason")
	v.ExtendUntil.Type, v.ExtendReason.Max = "date", quote.MaxShort
}

// setRuling offers the decision on exceptions to those who may make it.
func (v *QuotePage) setRuling(p Page, in QuoteData, newest bool) {
	v.Steps.Decide = newest && in.MayDecide && in.Quote.Revision.State == quote.Awaiting
	v.Ruling = Field{Name: "reason", Label: p.T("approval.approval_comment"), Placeholder: p.T("approval.approval_comment"), Max: quote.MaxShort}
	v.RulingKey = in.Key + "r"
}

// subtitle names customer, title and place in one line.
func subtitle(c quote.Content) string {
	var parts []string
	for _, s := range []string{c.Customer.Name, c.Title} {
		if s != "" {
			parts = append(parts, s)
		}
	}
	return strings.Join(parts, " · ")
}

// quotePageFacts is the title block.
func quotePageFacts(p Page, in QuoteData) []Fact {
	c := in.Content
	l := p.L.Lang()
	customer := Fact{Label: p.T("quote.customer"), Value: c.Customer.Name}
	if c.Customer.CustomerID != 0 {
		customer.Href = "/customers/" + strconv.FormatInt(c.Customer.CustomerID, 10)
	}
	facts := []Fact{
		customer,
		{Label: p.T("quote.contact_person"), Value: c.Customer.Contact, Sub: c.Customer.Email},
		{Label: p.T("quote.ship_to_end_user"), Value: countryPair(l, c.ShipTo, c.EndUser)},
		{Label: p.T("price.currency"), Value: string(c.Currency), Sub: p.T("quote.tax_mode_" + string(c.TaxMode))},
		{Label: p.T("quote.quote_date"), Value: dayOr(l, c.Day)},
		{Label: p.T("quote.valid_until"), Value: dayOr(l, lastDay(in)), Sub: daysLeft(p, in)},
		{Label: p.T("quote.document_language"), Value: LangName(p, c.Lang)},
		{Label: p.T("quote.owner"), Value: in.Quote.Owner},
	}
	if c.LicenceRef != "" && !(in.MayLicence && in.MayEdit && in.Quote.Revision.State.Editable()) { // else a field has it
		facts = append(facts, Fact{Label: p.T("quote.licence_reference"), Value: c.LicenceRef})
	}
	if c.SizingID != 0 {
		facts = append(facts, Fact{
			Label: p.T("navigation.sizing_report"), Value: p.T("quote.from_plan"),
			Href: "/sizing/" + strconv.FormatInt(c.SizingID, 10),
		})
	}
	return facts
}

// LangName names a language of documents in the page's language.
func LangName(p Page, tag string) string {
	switch l, _ := i18n.ParseLang(tag); l {
	case i18n.Simplified:
		return p.T("navigation.language_zh_hans")
	case i18n.Traditional:
		return p.T("navigation.language_zh_hant")
	}
	return p.T("navigation.language_en")
}

func countryPair(l i18n.Lang, ship, end string) string {
	a, b := Country(l, ship), Country(l, end)
	switch {
	case a == "" && b == "":
		return ""
	case a == b || b == "":
		return a
	case a == "":
		return b
	}
	return a + " / " + b
}

func dayOr(l i18n.Lang, t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return Date(l, t)
}

// daysLeft says how long a quote that can still be accepted is valid.
func daysLeft(p Page, in QuoteData) string {
	if in.Quote.Revision.State != quote.Sent {
		return ""
	}
	return DaysLeft(p, lastDay(in), in.Now, in.Zone)
}

// lastDay is the last day of validity: of a draft as it is being written, of what was sent as it was extended.
func lastDay(in QuoteData) time.Time {
	if in.Quote.Revision.State.Frozen() {
		return in.Quote.Revision.LastDay()
	}
	return in.Content.ValidTo
}

// DaysLeft says how many days are left until the end of a day in the company's zone.
func DaysLeft(p Page, last time.Time, now time.Time, zone *time.Location) string {
	if last.IsZero() {
		return ""
	}
	n := daysUntil(last, now, zone)
	switch {
	case n < 0:
		return ""
	case n == 0:
		return p.T("quote.last_day")
	}
	return p.N("quote.days_left", n)
}

// daysUntil counts the days from the company's today to a day.
func daysUntil(day, now time.Time, zone *time.Location) int {
	y, m, d := now.In(zone).Date()
	today := time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
	return int(day.Sub(today).Hours() / 24)
}

// StateBadge returns the kind of badge of a state.
func StateBadge(s quote.State) string { return stateBadges[s] }

var stateBadges = map[quote.State]string{
	quote.Draft: "draft", quote.Awaiting: "wait", quote.Approved: "ok", quote.Sent: "sent", quote.Expired: "stale",
	quote.Accepted: "ok", quote.Declined: "bad", quote.Lost: "out", quote.Cancelled: "out", quote.Superseded: "out",
}

func isNewest(q quote.Quote) bool {
	for _, r := range q.Revisions {
		if r.Number > q.Revision.Number {
			return false
		}
	}
	return true
}

// statusText is the sentence beside the state.
func statusText(p Page, in QuoteData, newest bool) string {
	rev := in.Quote.Revision
	l := p.L.Lang()
	switch {
	case !newest:
		return p.T("quote.read_only_old", "n", len(in.Quote.Revisions))
	case !rev.SentAt.IsZero():
		return p.T("quote.read_only_sent", "date", Date(l, rev.SentAt.In(in.Zone)))
	case !in.MayEdit:
		return p.T("quote.read_only_role", "name", in.Quote.Owner)
	case rev.State == quote.Awaiting:
		return p.T("quote.status_awaiting")
	case rev.State == quote.Approved:
		return p.T("quote.status_approved")
	}
	for i := len(in.Quote.Revisions) - 1; i >= 0; i-- {
		if r := in.Quote.Revisions[i]; !r.SentAt.IsZero() {
			return p.T("quote.earlier_stays", "n", r.Number, "date", Date(l, r.SentAt.In(in.Zone)))
		}
	}
	return p.T("quote.new_intro")
}

// quoteMarginPanel lays out cost and margin for the people who may see them.
func quoteMarginPanel(p Page, m quote.Margin, c money.Currency) *QuoteMargin {
	l := p.L.Lang()
	v := &QuoteMargin{Facts: []Fact{
		{Label: p.T("price.cost_price"), Value: digitsOr(p, m.Cost, c)},
		{Label: p.T("price.margin"), Value: digitsOr(p, m.Profit, c)},
		{Label: p.T("price.margin_percent"), Value: percentOr(l, m.Percent)},
	}}
	if len(m.Unknown) > 0 {
		v.Note = p.T("quote.margin_unknown", "n", len(m.Unknown))
	}
	return v
}

func percentOr(l i18n.Lang, d *money.Percent) string {
	if d == nil {
		return Unknown(l)
	}
	return PercentFixed(l, *d, 2)
}
