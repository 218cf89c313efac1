package view

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
	TotalSub string // why the total is not complete
	Valid    string // ISO date, "" when not set
	ValidSub string
	Owner    string
	Changed  string // as shown
	ISO      string // of the last change
}

// QuoteNewPage is the form that starts a quote.
type QuoteNewPage struct {
	Page
	Action   string
	Key      string // idempotency key
	Faults   []Fault
	Customer Field   // choice of an existing customer
	Inline   []Field // a new customer
	Fields   []Field // title, currency, prices, language
}
