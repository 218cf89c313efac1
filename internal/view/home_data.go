package view

import (
	"slices"
	"strings"
	"time"

	"rackwright/internal/catalog"
	"rackwright/internal/quote"
)

// HomeData is what the first page of a signed-in person is made of.
type HomeData struct {
	Now  time.Time
	Zone *time.Location // of the company

	ReadsQuotes bool
	EditsQuotes bool
	ReadsStock  bool
	Counts      map[quote.State]int // of the quotes that concern the person; nil is not counted
	Decide      []quote.Pending     // wait for this person's decision
	Waiting     []quote.Summary     // of this person, wait for others
	Approved    []quote.Summary     // and not sent yet
	ExpireDays  int                 // how many days count as soon
	Expiring    []quote.Summary     // sent, and the validity ends soon
	Drafts      []quote.Summary     // of this person
	More        bool                // there are more than these

	SeesAlerts bool
	Alerts     []HomeAlert
}

// NewStaffHome returns the first page of a signed-in person.
func NewStaffHome(p Page, in HomeData) Home {
	h := Home{
		Page: p, Heading: Weekday(p.L.Lang(), in.Now.In(in.Zone)),
		Actions:   []Button{{Label: p.T("shell.size_a_workload"), Href: "/sizing"}},
		AlertsFor: in.SeesAlerts, Alerts: in.Alerts,
	}
	switch {
	case in.EditsQuotes:
		h.Actions = append(h.Actions, Button{Label: p.T("actions.new_quote"), Kind: "main", Icon: "add", Href: "/quotes/new"})
	case in.ReadsStock && !in.ReadsQuotes:
		h.Actions = append(h.Actions, Button{Label: p.T("navigation.inventory"), Kind: "main", Href: "/inventory"})
	}
	if !in.ReadsQuotes {
		return h
	}
	h.QuotesAll = "/quotes"
	h.addCounts(in.Counts)
	h.addGroup(p.T("home.decide"), h.pendingRows(in))
	h.addGroup(p.T("home.ready"), h.quoteRows(in, in.Approved))
	h.addGroup(p.N("shell.expire_within", in.ExpireDays), h.quoteRows(in, in.Expiring))
	h.addGroup(p.T("shell.your_drafts"), h.quoteRows(in, in.Drafts))
	h.addGroup(p.T("home.waiting"), h.quoteRows(in, in.Waiting))
	switch n := len(in.Decide) + len(in.Approved) + len(in.Expiring) + len(in.Drafts); {
	case n > 0 && in.More:
		h.Lead = p.T("home.more_wait", "n", n)
	case n > 0:
		h.Lead = p.N("shell.quotes_wait", n)
	default:
		h.Lead = p.T("shell.no_quotes_to_act_on")
	}
	return h
}

// addCounts shows how many quotes stand in the states that matter day by day.
func (h *Home) addCounts(counts map[quote.State]int) {
	if counts == nil {
		return
	}
	for _, s := range []quote.State{quote.Draft, quote.Awaiting, quote.Sent, quote.Accepted} {
		h.Figures = append(h.Figures, Figure{
			Label: h.T(s.MessageID()), Value: Int(h.L.Lang(), int64(counts[s])), Href: "/quotes?state=" + string(s),
		})
	}
}

// quoteRows says of each quote how long it is valid, else when it was changed.
func (h *Home) quoteRows(in HomeData, quotes []quote.Summary) []HomeQuote {
	var rows []HomeQuote
	for _, r := range NewQuoteRows(h.Page, quotes, in.Now, in.Zone) {
		q := HomeQuote{
			Number: r.Number, Href: r.Href, Owner: r.Owner, Revision: r.Revision,
			Customer: r.Customer, Subject: r.Title, Badge: r.Badge, State: r.State, Why: r.ValidSub, Total: r.Total,
		}
		if q.Why == "" {
			q.Why = h.T("shell.changed_at", "when", r.Changed)
		}
		rows = append(rows, q)
	}
	return rows
}

// exceptionNames are the messages that name what an approval is asked for.
var exceptionNames = map[quote.BlockerKind]string{
	quote.BelowFloor:    "approval.below_floor_price",
	quote.AboveDiscount: "approval.discount_above_limit",
	quote.BelowMargin:   "approval.margin_below_target",
}

// pendingRows says of each quote what is asked and since when.
func (h *Home) pendingRows(in HomeData) []HomeQuote {
	summaries := make([]quote.Summary, len(in.Decide))
	for i, d := range in.Decide {
		summaries[i] = d.Summary
	}
	rows := h.quoteRows(in, summaries)
	for i, d := range in.Decide {
		var names []string
		for _, k := range d.Kinds {
			if name := h.T(exceptionNames[k]); !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
		asked := d.AskedAt.In(in.Zone)
		names = append(names, h.T("home.asked", "when", DateShort(asked)+" "+Clock(asked)))
		rows[i].Why = strings.Join(names, " · ")
	}
	return rows
}

// addGroup adds quotes that wait for the same reason; an empty group is left out.
func (h *Home) addGroup(title string, rows []HomeQuote) {
	if len(rows) > 0 {
		h.Quotes = append(h.Quotes, HomeGroup{Title: title, Rows: rows})
	}
}

// NewVisitorHome returns the first page of somebody who is not signed in. company is the
// seller's name, counts what the catalogue holds, models how many models can be sized.
func NewVisitorHome(p Page, company string, counts catalog.Counts, models int) Home {
	h := Home{Page: p, Heading: company, Lead: p.T("shell.visitor_lead"), Ways: VisitorWays(p)}
	if h.Heading == "" {
		h.Heading = p.T("shell.product")
	}
	for _, f := range []struct {
		label string
		n     int
		href  string
	}{
		{"home.skus", counts.SKUs, "/catalog"},
		{"home.figures", counts.Figures, "/catalog"},
		{"home.sources", counts.Sources, "/sources"},
		{"home.models", models, "/sizing"},
	} {
		if f.n > 0 {
			h.Figures = append(h.Figures, Figure{Label: p.T(f.label), Value: Int(p.L.Lang(), int64(f.n)), Href: f.href})
		}
	}
	return h
}
