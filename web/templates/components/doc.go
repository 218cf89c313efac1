// Package components holds the small parts that pages are made of. It knows nothing of
// pages, requests or the domain: a component shows the strings it is given.
//
// Parts that need a word of their own take the view.Page first. Children are written as
// { children... } of templ.
//
//	Head(title, lead) { actions }           title of the page, one sentence, buttons at the right
//	Crumbs(p, crumbs)                        where the page is (the shell draws p.Crumbs already)
//	TitleBlock(facts)                        who, what, when: strip under the title
//	Figures(figures)                         up to six numbers to compare at a glance
//	Facts(facts)                             short list, values right; Sum draws a line
//	Tabs(label, tabs)                        views of the same list or thing
//
//	Sheet(id, title) { body }                white panel with head; id names it for readers
//	SheetNote(id, title, note) { body }      with a second sentence, or a link through SheetLink
//	SheetLink(id, title, link) { body }      with a link at the right of the head
//	Body() { ... }                           padding for what is no table or list
//
//	Table(caption, class) { rows }           scrolls sideways alone; caption is read aloud only
//	HeadCell(column)                         head of a column, sorts by link
//	EmptyRow(columns, text)                  what a table says when it has no rows
//	Pager(p, pager)                          previous and next page by key
//
//	Field(f)                                 label, control, unit, help, error by f.Type
//	Control(f, attrs)                        the bare control, for cells of tables; htmx attributes
//	Choices(f)                               radio buttons as cards, from f.Options
//	Check(f)                                 check box with its label
//	Hidden(name, value)                      hidden input
//	FormKeys(key, version)                   idempotency key and row version; "" leaves one out
//	ErrorSummary(p, faults)                  what is wrong with the form, with links to the fields
//
//	Submit(button) / Link(button)            button of a form / link that looks like one
//	Badge(kind, text)                        state with its shape: see badges.css for the kinds
//	Unknown(text)                            dashed rule and a word; never 0
//	Age(text, stale)                         date of a price, with a triangle where it is old
//	Code(text)                               part number, serial number, key
//	Notice(kind, title) { more }             "", "ok", "warn", "bad"
//	Empty(text) { action }                   nothing there: why, and one thing to do
//	Gates(gates)                             what is done and what is open before a step
//	History(events)                          what happened, newest first
//	SourceMark(number, href, foreign)        numbered balloon at a figure
//	Confidence(level, text)                  three bars with a label
//	More(summary) { ... }                    details that open
//	Icon(name)                               see icon.templ for the names
//
// Classes of static/css do the rest: num, sub, main, lo, c1, c2, cw, c0 and strong in tables.
package components
