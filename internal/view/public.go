package view

// PublicQuotePage is the customer's page of one sent revision. It has no field for a cost or
// a margin, so none can be shown.
type PublicQuotePage struct {
	Page
	Files    []QuoteFile
	Action   string // "/q/…"
	Key      string
	Seller   string
	Number   string
	Heading  string
	ForFrom  string
	Grand    string // with currency sign
	GrandAs  string
	Valid    string
	ValidSub string
	Langs    []LangLink
	PDF      string
	Notice   *QuoteOutcome
	Groups   []PublicGroup
	Choices  *PublicChoices // nil without options and alternatives
	Totals   QuoteTotals
	Payments []PaymentRow
	Delivery []string // where goods go, line by line; none when that is the customer's address
	Evidence string   // address of the record of the answer
	Terms    []string // paragraphs
	DocLang  string   // language of the texts of the quote
	Accept   *PublicAccept
	Contact  string
}

// LangLink leads to the same page in another language.
type LangLink struct {
	Tag   string
	Label string
	Href  string
}

// PublicGroup is a section of the quote.
type PublicGroup struct {
	ID       string
	Title    string
	Subtotal string
	Lines    []PublicLine
}

// PublicLine is one line as the customer reads it.
type PublicLine struct {
	Name  string
	Sub   string
	Note  bool // a note: text without figures
	Net   string
	Each  string // "2 × 276,450.00"
	Tag   string
	Kids  []QuotePart
	Lump  bool   // the customer sees no figures of the line
	When  string // the promised day
	Conf  string // configuration and serial numbers
	Input *PublicInput
}

// PublicChoices are the options and alternatives of a quote, with what is chosen.
type PublicChoices struct {
	Action  string // of the form that shows the totals of a choice; empty when nothing can be chosen any more
	Note    string
	Error   string
	Groups  []PublicChoiceGroup
	Options []PublicLine
}

// PublicChoiceGroup is one item and what may be taken instead.
type PublicChoiceGroup struct {
	Legend string
	Lines  []PublicLine
}

// PublicInput is the control with which a line is chosen.
type PublicInput struct {
	Name    string
	Value   string
	Radio   bool
	Checked bool
}

// PublicAccept is the form with which the customer answers.
type PublicAccept struct {
	Faults      []Fault
	Name        Field
	Role        Field
	Order       Field
	Agree       Field
	Submit      string
	Chosen      []string // ids of the lines that the shown total has; the form carries them
	Seen        string   // the total that is shown, as the form carries it
	Reason      Field
	Comment     Field
	DeclineOpen bool
}

// PublicGonePage says why a link shows no quote.
type PublicGonePage struct {
	Page
	Seller  string
	Heading string
	Text    string
	Langs   []LangLink
}
