package view

// QuotePage is a quote in the editor, or a frozen revision of it.
type QuotePage struct {
	Page
	Action       string // "/quotes/12"
	Number       string // or the words for "no number yet"
	Revision     string
	Subtitle     string
	Facts        []Fact // title block
	Badge        string
	State        string
	Status       string // one sentence beside the state: what was sent before, why it is closed
	Saved        string // time of the last save
	Editable     bool
	Key          string // idempotency key of the next step
	Version      string // row version that the form was made of
	Faults       []Fault
	Conflict     string       // address of the saved version, when this form is older than it
	Unsent       *QuoteUnsent // what was typed after the quote was sent; nil mostly
	Unsaved      bool         // the figures are of the form and not of the saved quote
	Note         string       // "USD, excl. tax"
	Groups       []QuoteLineGroup
	Add          QuoteAdd
	Details      []Field
	Texts        []Field // note and terms
	Discount     []Field // on the whole quote: figure, and whether percent or amount
	Totals       QuoteTotals
	Gate         QuoteGate
	ShowGate     bool
	Margin       *QuoteMargin // nil for people who may not see cost
	Outcome      *QuoteOutcome
	Link         *QuoteLink
	Papers       *QuotePapers // nil while there is no order
	Files        *QuoteFiles  // nil when there are none
	Reserved     []QuoteReservation
	Shorts       []QuoteShortage
	History      []Event
	Earlier      []QuoteRevision
	Steps        QuoteSteps
	CloseReason  Field
	ExtendUntil  Field
	ExtendReason Field
	Ruling       Field // reason of a decision on exceptions
	RulingKey    string
	SKUs         []Option // offered while typing the next line
}

// QuoteSteps are the steps that the state and the person allow.
type QuoteSteps struct {
	Send      string // address of the page before sending
	PDF       string
	PDFDraft  string
	Submit    bool // asks others to allow the exceptions
	Decide    bool // allows them, or sends the draft back
	Revise    bool
	Extend    bool // moves the last day of validity
	CloseLost bool // ends it because the customer decided otherwise
	Cancel    bool // ends it because we withdraw it
}

// QuoteLineGroup is a section with its lines; lines before the first section have no head.
type QuoteLineGroup struct {
	Head     *QuoteLine
	Subtotal string
	TotalID  string
	Lines    []QuoteLine
}

// QuoteLine is one line of a quote: an item, a note, or the head of a section.
type QuoteLine struct {
	Index    string // position in the form, "0" first
	ID       string // of the stored line, "" for one that is not saved yet
	Kind     string // "item", "section", "note"
	Pos      string // as printed, "1a"
	Name     string
	SKU      string
	Href     string // of the product's page
	Tag      string // "option", "alternative" in the page's language
	Extra    bool   // stands outside the total
	Text     Field  // of a free line, note or section
	Qty      Field
	Price    Field
	Discount Field
	Tax      Field
	Role     Field
	Reason   Field
	Origins  []QuoteOrigin
	Parts    string // summary over the bill of materials
	Kids     []QuotePart
	Stock    LineStock
	Net      string
	NetSub   string
	Floor    string   // "below floor", with the figure for those who may see it
	First    bool     // cannot move up
	Last     bool     // cannot move down
	HasFault bool     // opens the details of the line
	More     []Field  // what few lines have: term, amount off, promise, configuration
	Says     []string // the same, for people to read
}

// LineStock is what staff knows of the stock of a line's SKU.
type LineStock struct {
	Badge string
	Text  string
	Sub   string
}

// NetID returns the id of the line's amount, which the live totals replace.
func (l QuoteLine) NetID() string { return "net-" + l.Index }

// QuoteOrigin is one sentence on where a price comes from.
type QuoteOrigin struct {
	Struck string // a price that was overridden
	Text   string
	Stale  bool
}

// QuotePart is a component of a bundle.
type QuotePart struct {
	Quantity string
	Name     string
	SKU      string
}

// QuoteAdd is the row that adds a line.
type QuoteAdd struct {
	Text Field
	Kind Field
}

// QuoteTotals are the totals of a quote as every page prints them.
type QuoteTotals struct {
	Currency string
	Rows     []TotalRow
	Extras   []TotalRow
	ExtraSub string
	Grand    string // the figure alone
	GrandAs  string // its label, with the currency
	Warning  string // the total is not complete
}

// TotalRow is one row of the totals.
type TotalRow struct {
	Label    string
	Value    string
	Class    string // "sum", "grand", "small", or ""
	Rule     bool   // a line above
	Discount bool   // the discount on the whole quote
}

// QuoteGate is what stands between a draft and sending.
type QuoteGate struct {
	Points  []Gate
	Open    int // points that block
	Summary string
}

// QuoteMargin is shown to people who may see cost, and never printed.
type QuoteMargin struct {
	Facts []Fact
	Note  string
}

// QuoteOutcome is what the customer, or the clock, made of a sent quote.
type QuoteOutcome struct {
	Kind  string // of the notice
	Title string
	Text  string
}

// QuoteLink is the customer's link as the staff sees it.
type QuoteLink struct {
	URL    string // only right after it was issued; it is not stored
	Text   string
	Seen   string
	Live   bool
	CanUse bool // the revision can have a link
	Revoke bool // the link can be stopped
}

// QuoteReservation is stock that is kept for the revision.
type QuoteReservation struct {
	SKU      string
	Place    string
	Quantity string
	Until    string
}

// QuoteShortage is what could not be reserved on acceptance.
type QuoteShortage struct {
	SKU  string
	Text string
}

// QuoteRevision is a link to a revision of the same quote.
type QuoteRevision struct {
	Label   string
	Href    string
	State   string
	Badge   string
	Sub     string
	Current bool
}

// QuoteSendPage is the last look before sending.
type QuoteSendPage struct {
	Page
	Action    string
	Back      string
	Key       string
	Version   string
	Heading   string
	Facts     []Fact
	Totals    QuoteTotals
	Gate      QuoteGate
	PDFDraft  string
	Uncovered string // characters that the fonts lack, "" for none
	Confirm   Field
	Mail      MailForm
	ByMail    Field
	Faults    []Fault
	Ready     bool
}

// QuoteLive is what the live totals of the editor replace on the page.
type QuoteLive struct {
	Page
	Totals QuoteTotals
	Nets   []QuoteNet
	Margin *QuoteMargin
	Faults []Fault
}

// QuoteNet is the amount of one line.
type QuoteNet struct {
	ID    string
	Value string
}
