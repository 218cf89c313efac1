package view

// PublicQuotePage is the customer's page of one sent revision. It has no field for a cost or
// a margin, so none can be shown.
type PublicQuotePage struct {
	Page
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
	Options  []PublicLine
	Totals   QuoteTotals
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
	Extra string
}

// PublicAccept is the form with which the customer answers.
type PublicAccept struct {
	Faults      []Fault
	Name        Field
	Role        Field
	Order       Field
	Agree       Field
	Submit      string
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
