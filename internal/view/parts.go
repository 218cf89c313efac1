package view

// Fact is one labelled value: of a title block, or of a short list of facts. An empty Value
// is shown as unknown.
type Fact struct {
	Label string
	Value string
	Sub   string // second line: date, origin, condition
	Href  string // where the value leads; may be empty
	Lang  string // language of the value where it is not the page's
	Badge string // kind of badge to show the value as; see components.Badge
	Sum   bool   // a total: stronger, under a line
}

// Figure is one number of a strip that is read at a glance.
type Figure struct {
	Label string
	Value string
	Unit  string
	Sub   string
	Href  string
}

// Fault is one faulty entry of a form, for the summary above it.
type Fault struct {
	Field string // name of the field, "" for the form as a whole
	Label string
	Text  string
}

// Href returns the place of the faulty control on the page.
func (f Fault) Href() string { return "#f-" + f.Field }

// Column is the head of a table column that may sort the table.
type Column struct {
	Label string
	Href  string // address with the table sorted by this column; empty if it does not sort
	Sort  string // "ascending", "descending" or ""
	Num   bool   // numbers: set right
	Class string // further classes, such as "lo" (hidden on narrow screens)
}

// Pager leads through a list by key.
type Pager struct {
	Shown string // "1–50 of 212", translated
	Prev  string // address, empty on the first page
	Next  string // address, empty on the last page
}

// Gate is one point to settle before a step.
type Gate struct {
	State string // "done", "open", "note" or "stop"
	Text  string
	Sub   string
	Href  string
}

// Event is one line of a history.
type Event struct {
	When string // as shown
	ISO  string // machine-readable
	Text string
	Sub  string
}

// Button is the button or link of an action.
type Button struct {
	Label string
	Kind  string // "", "main", "quiet", "bad"
	Icon  string // see components.Icon
	Href  string // a link that looks like a button
	Name  string // of a submit button
	Value string
	Small bool
}

// Tab is one of several views of the same thing.
type Tab struct {
	Label   string
	Href    string
	Count   string
	Current bool
}
