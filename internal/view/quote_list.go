package view

import (
	"strconv"
	"time"

	"rackwright/internal/money"
	"rackwright/internal/quote"
)

// QuoteListPage is the list of quotes.
type QuoteListPage struct {
	Page
	Tabs     []Tab
	View     string // key of the saved view, sent along with the filter
	Search   Field
	States   Field
	Filtered bool // a filter is set: an empty list then means "no match"
	MayEdit  bool
	Rows     []QuoteRow
	Pager    Pager
}

// QuoteRow is one quote in the list.
type QuoteRow struct {
	Href     string
	Number   string // "" before the first sending
	Revision string // "r2"
	Title    string
	Customer string
	Country  string
	Badge    string // kind of badge
	State    string
	Total    string // "USD 825,662.57"; "" when nothing is priced
	Valid    string // ISO date, "" when not set
	ValidSub string
	Owner    string
	Changed  string // as shown
	ISO      string // of the last change
}

// QuoteNewPage is the form that starts a quote.
type QuoteNewPage struct {
	Page
	Action     string
	Key        string // idempotency key
	Faults     []Fault
	Customer   Field   // choice of an existing customer
	Inline     []Field // a new customer
	InlineOpen bool
	Fields     []Field // title, currency, prices, language
}

// NewQuoteRows lays out a page of the list of quotes.
func NewQuoteRows(p Page, rows []quote.Summary, now time.Time, zone *time.Location) []QuoteRow {
	out := make([]QuoteRow, len(rows))
	for i, q := range rows {
		changed := q.ChangedAt.In(zone)
		v := QuoteRow{
			Href: "/quotes/" + strconv.FormatInt(q.ID, 10), Number: q.Number, Revision: "r" + itoa(q.Revision),
			Title: q.Title, Customer: q.Customer, Country: Country(p.L.Lang(), q.Country),
			Badge: StateBadge(q.State), State: p.T(q.State.MessageID()), Valid: isoDay(q.ValidTo), Owner: q.Owner,
			Changed: DateShort(changed) + " " + Clock(changed), ISO: Machine(q.ChangedAt),
		}
		if q.Number == "" {
			v.Number = p.T("quote.no_number")
		}
		if q.Total != nil {
			v.Total = MoneyTable(money.New(*q.Total, q.Currency))
		}
		if q.State == quote.Sent {
			v.ValidSub = DaysLeft(p, q.ValidTo, now, zone)
		}
		out[i] = v
	}
	return out
}

// QuoteListForm is the search of the list.
func QuoteListForm(p Page, search string, state quote.State) (Field, Field) {
	text := Field{
		Name: "q", Label: p.T("quote.search_in"), Placeholder: p.T("quote.search_hint"), Type: "search", Value: search, Max: quote.MaxShort,
	}
	states := Field{Name: "state", Label: p.T("quote.state"), Type: "select", Value: string(state)}
	states.Options = append(states.Options, Option{Label: p.T("quote.any_state")})
	for _, s := range quote.States {
		states.Options = append(states.Options, Option{Value: string(s), Label: p.T(s.MessageID()), Selected: s == state})
	}
	return text, states
}
