package view

// Home is the first page: the day's work for staff, the ways in for a visitor.
type Home struct {
	Page
	Heading string
	Lead    string
	Actions []Button
	Figures []Figure // staff: numbers of the day; visitor: what the catalogue holds

	Quotes    []HomeGroup // quotes to act on, in order of duty; empty groups are left out
	QuotesAll string      // address of all quotes, "" for people who read none
	Alerts    []HomeAlert // stock and prices that want attention
	AlertsFor bool        // whether this person is shown alerts at all

	Ways []HomeWay // for a visitor
}

// Staff reports whether the page shows the day's work.
func (h Home) Staff() bool { return h.User != nil }

// HomeGroup is the quotes that wait for the same reason.
type HomeGroup struct {
	Title string
	Rows  []HomeQuote
}

// HomeQuote is one quote to act on.
type HomeQuote struct {
	Number   string // or the word for a quote without one
	Href     string
	Revision string
	Owner    string
	Customer string
	Subject  string
	Badge    string // kind; see components.Badge
	State    string
	Why      string
	Total    string // with its currency
}

// HomeAlert is one thing about stock or prices that wants attention.
type HomeAlert struct {
	Text  string
	Sub   string
	Href  string
	Badge string
	State string
}

// HomeWay is one way into the product.
type HomeWay struct {
	Title  string
	Text   string
	Action Button
	Facts  []Fact
}

// VisitorWays returns the ways into the product for people who are not signed in.
func VisitorWays(p Page) []HomeWay {
	return []HomeWay{
		{
			Title:  p.T("navigation.catalogue"),
			Text:   p.T("shell.way_catalogue"),
			Action: Button{Label: p.T("shell.open_catalogue"), Kind: "main", Href: "/catalog"},
		},
		{
			Title:  p.T("navigation.sizing"),
			Text:   p.T("shell.way_sizing"),
			Action: Button{Label: p.T("shell.size_a_workload"), Kind: "main", Href: "/sizing"},
		},
	}
}
