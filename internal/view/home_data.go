package view

import (
	"time"

	"rackwright/internal/quote"
)

// HomeData is what the first page of a signed-in person is made of.
type HomeData struct {
	Now  time.Time
	Zone *time.Location // of the company

	ReadsQuotes bool
	EditsQuotes bool
	Decides     bool                // some exceptions wait for this person's approval
	Counts      map[quote.State]int // of the quotes that concern the person; nil is not counted
	Awaiting    []quote.Summary     // approval
	Approved    []quote.Summary     // and not sent yet
	ExpireDays  int                 // how many days count as soon
	Expiring    []quote.Summary     // sent, and the validity ends soon
	Drafts      []quote.Summary     // of this person

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
	if in.EditsQuotes {
		h.Actions = append(h.Actions, Button{Label: p.T("actions.new_quote"), Kind: "main", Icon: "add", Href: "/quotes/new"})
	}
	if !in.ReadsQuotes {
		return h
	}
	h.QuotesAll = "/quotes"
	h.addCounts(in.Counts)
	awaiting := "home.waiting"
	if in.Decides {
		awaiting = "home.decide"
	}
	h.addGroup(p.T(awaiting), NewQuoteRows(p, in.Awaiting, in.Now, in.Zone))
	h.addGroup(p.T("home.ready"), NewQuoteRows(p, in.Approved, in.Now, in.Zone))
	h.addGroup(p.N("shell.expire_within", in.ExpireDays), NewQuoteRows(p, in.Expiring, in.Now, in.Zone))
	h.addGroup(p.T("shell.your_drafts"), NewQuoteRows(p, in.Drafts, in.Now, in.Zone))
	if n := len(in.Awaiting) + len(in.Approved) + len(in.Expiring) + len(in.Drafts); n > 0 {
		h.Lead = p.N("shell.quotes_wait", n)
	} else {
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

func (h *Home) addGroup(title string, rows []QuoteRow) {
	if len(rows) == 0 {
		return
	}
	g := HomeGroup{Title: title}
	for _, r := range rows {
		q := HomeQuote{
			Number: r.Number, Href: r.Href, Owner: r.Owner, Revision: r.Revision,
			Customer: r.Customer, Subject: r.Title, Badge: r.Badge, State: r.State, Why: r.ValidSub, Total: r.Total,
		}
		if q.Why == "" {
			q.Why = h.T("shell.changed_at", "when", r.Changed)
		}
		g.Rows = append(g.Rows, q)
	}
	h.Quotes = append(h.Quotes, g)
}

// NewVisitorHome returns the first page of somebody who is not signed in. company is the
// seller's name, figures what the catalogue holds.
func NewVisitorHome(p Page, company string, figures []Figure) Home {
	h := Home{Page: p, Heading: company, Lead: p.T("shell.visitor_lead"), Figures: figures, Ways: VisitorWays(p)}
	if h.Heading == "" {
		h.Heading = p.T("shell.product")
	}
	return h
}
