// Package view turns domain values into what a person reads: finished strings, labels,
// column choices. It formats and sorts; it never queries, changes or prices anything, and
// knows neither HTTP nor HTML.
package view

import (
	"net/url"
	"strings"

	"rackwright/internal/i18n"
)

// Page is what the shell of every page needs. Page structs embed it.
type Page struct {
	Lang     i18n.Lang
	L        i18n.Localizer // message look-up in Lang
	Title    string         // without the product's name
	Path     string         // of the request, for the language links and the current menu entry
	Query    string         // raw query of the request, without "?"
	User     *User          // nil for a visitor
	Nav      []NavItem
	Crumbs   []Crumb
	Flash    *Flash // message after an action, shown once
	Theme    string // "", "light", "dark", "contrast"
	Density  string // "", "compact", "comfortable"
	DemoNote bool   // true where demo data is loaded; the shell says so
	Search   string // what stands in the search box of the bar
}

// T returns the text of a message in the page's language. args alternate name, value.
func (p Page) T(id string, args ...any) string { return p.L.T(id, args...) }

// N returns the text for a number of things; see i18n.Localizer.N.
func (p Page) N(id string, n int, args ...any) string { return p.L.N(id, n, args...) }

// Tag returns the language of the page for its lang attribute.
func (p Page) Tag() string { return string(p.L.Lang()) }

// DocumentTitle returns the title of the browser's tab.
func (p Page) DocumentTitle() string {
	if p.Title == "" {
		return p.T("shell.product")
	}
	return p.Title + " · " + p.T("shell.product")
}

// Here returns the address of the page within the site, for forms that come back to it.
func (p Page) Here() string {
	if p.Path == "" {
		return "/"
	}
	if p.Query == "" {
		return p.Path
	}
	return p.Path + "?" + p.Query
}

// InLang returns the address of the same page in another language.
func (p Page) InLang(l i18n.Lang) string {
	q, err := url.ParseQuery(p.Query)
	if err != nil {
		q = url.Values{}
	}
	q.Set("lang", string(l))
	path, _, _ := strings.Cut(p.Here(), "?")
	return path + "?" + q.Encode()
}

// User is the signed-in person as the shell shows them.
type User struct {
	Name     string
	Initials string
	Roles    string // translated, joined
	IsAdmin  bool
}

// NavItem is one entry of the main menu.
type NavItem struct {
	Label   string
	Href    string
	Current bool
}

// Crumb is one step of the breadcrumb; the last one has no Href.
type Crumb struct {
	Label string
	Href  string
}

// Flash is the message after an action.
type Flash struct {
	Kind string // "ok", "note", "bad"
	Text string
}

// Field is one form control with everything the template shows of it.
type Field struct {
	Name         string
	Label        string
	Value        string
	Unit         string
	Help         string
	Error        string
	Type         string // "text" (default), "number", "date", "email", "password", "search", "select", "textarea", "file"
	Required     bool
	Note         string   // after the label: "optional", or where the value comes from
	ReadOnly     bool     // shown, sent, not changed
	Options      []Option // of a select, or of radio buttons
	Suggest      []string // values offered while typing
	Rows         int      // of a textarea
	Max          int      // longest text, in characters; 0 for none
	Placeholder  string
	Autocomplete string // HTML autofill token
	Lang         string // language of the value where it is not the page's
	Checked      bool   // of a check box
}

// ID returns the id of the control, to which labels and error summaries lead.
func (f Field) ID() string { return "f-" + f.Name }

// Describe returns the ids of the texts that explain the control, or "".
func (f Field) Describe() string {
	var ids []string
	if f.Error != "" {
		ids = append(ids, f.ID()+"-error")
	}
	if f.Help != "" {
		ids = append(ids, f.ID()+"-help")
	}
	return strings.Join(ids, " ")
}

// Option is one choice of a select or a set of radio buttons.
type Option struct {
	Value    string
	Label    string
	Help     string // second line, of radio buttons only
	Selected bool
	Disabled bool
}
