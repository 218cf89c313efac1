package postgres

// The store of quotes. All commands and results are types of internal/quote, so that a server can
// declare the interface it needs. Every command is one transaction, checks the row version where it has
// one (Conflict, "errors.form_conflict") and has one effect per idempotency key.
//
//	CreateQuote(ctx, quote.Create) (id int64, err error)
//	PreviewDraft(ctx, quote.Edit) (quote.Content, quote.Totals, error)   the draft as SaveDraft would store it; changes nothing
//	SaveDraft(ctx, quote.Edit) (version int64, err error)
//	Quote(ctx, id int64) (quote.Quote, error)                            newest revision, history, all revisions' heads
//	QuoteRevision(ctx, id int64, revision int) (quote.Quote, error)
//	Quotes(ctx, quote.Filter) (quote.List, error)
//	QuoteCounts(ctx, quote.Filter) (map[quote.State]int, error)          of the filter without its states
//	QuoteBlockers(ctx, id int64) ([]quote.Blocker, error)                open points of the draft before sending
//	SubmitQuote(ctx, quote.Step) error                                   asks for approval of exceptions
//	RuleOnQuote(ctx, quote.Ruling) error                                 approves them or sends the draft back
//	NextNumber(ctx) (string, error)                                      what a send would get now; not reserved
//	SendQuote(ctx, quote.Dispatch) (quote.Dispatched, error)
//	NewRevision(ctx, quote.Step) (revision int, err error)
//	CloseQuote(ctx, quote.Close) error                                   lost or cancelled, by staff
//	QuoteLinks(ctx, id int64) ([]quote.Link, error)
//	NewLink(ctx, quote.Step) (token string, err error)                   a new link to the newest sent revision; older ones stop
//	RevokeLink(ctx, quote.Step, linkID int64) error
//	QuoteDocument(ctx, id int64, revision int) (quote.Document, error)
//
// The customer's page (quote_public.go); an unknown, expired or revoked token is NotFound with
// "errors.page_not_found" or "errors.page_link_expired":
//
//	QuoteByToken(ctx, token string) (quote.Quote, error)                 without cost, floor, margin and history
//	RecordViewed(ctx, token string) error                                once per revision
//	AcceptQuote(ctx, quote.Answer) ([]quote.Shortage, error)
//	DeclineQuote(ctx, quote.Answer) error
//	DocumentByToken(ctx, token string) (quote.Document, error)
//
// Customers (customer.go), prices (pricelist.go), stock (inventory.go) list theirs at their top.
