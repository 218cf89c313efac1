package view

import "strconv"

// ErrorPage is the page of a request that could not be answered.
type ErrorPage struct {
	Page
	Status    int
	Heading   string
	Text      string
	Close     []Suggestion // what the person may have meant
	Back      Button       // the way on
	RequestID string
	When      string
	Alone     bool // shown without bar and menu: nothing but this page can be trusted to work
}

// Suggestion is something that resembles what was not found.
type Suggestion struct {
	Label string
	Code  string
	Href  string
	Why   string
}

// errorHeadings names the heading of each status; others get the one of 500.
var errorHeadings = map[int]string{
	401: "errors.unauthenticated", 403: "errors.page_forbidden", 404: "errors.page_not_found",
	405: "errors.method", 409: "shell.error_conflict", 413: "shell.error_too_large",
	422: "shell.error_invalid", 429: "errors.page_too_many", 503: "shell.error_unavailable",
}

// NewErrorPage returns the page of a status. text is the sentence of the error; it is left
// out where heading and hint say the same.
func NewErrorPage(p Page, status int, text string) ErrorPage {
	id, ok := errorHeadings[status]
	if !ok {
		id = "shell.error_internal"
	}
	heading := p.T(id)
	switch text {
	case heading, p.T("errors.internal"), p.T("errors.unavailable"):
		text = ""
	}
	p.Title = heading
	return ErrorPage{
		Page: p, Status: status, Heading: heading, Text: text, Back: wayOn(p, status),
		Alone: status >= 500,
	}
}

// wayOn returns what helps after an error: another try where that may help, else the start.
func wayOn(p Page, status int) Button {
	switch status {
	case 429, 500, 503:
		return Button{Label: p.T("actions.retry"), Kind: "main", Href: p.Here()}
	}
	return Button{Label: p.T("navigation.home"), Kind: "main", Href: "/"}
}

// Number returns the status as it is shown.
func (e ErrorPage) Number() string { return strconv.Itoa(e.Status) }

// Hint returns what the person can do, beyond the way on.
func (e ErrorPage) Hint() string {
	switch e.Status {
	case 404:
		return e.T("shell.hint_not_found")
	case 403:
		return e.T("shell.hint_forbidden")
	case 500:
		return e.T("shell.hint_internal")
	case 503:
		return e.T("shell.hint_unavailable")
	}
	return ""
}
