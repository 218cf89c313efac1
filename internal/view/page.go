// Package view turns domain values into what a person reads: finished strings, labels,
// column choices. It formats and sorts; it never queries, changes or prices anything, and
// knows neither HTTP nor HTML.
package view

import "rackwright/internal/i18n"

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
}

// T returns the text of a message in the page's language. args alternate name, value.
func (p Page) T(id string, args ...any) string { return p.L.T(id, args...) }

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
	Name     string
	Label    string
	Value    string
	Unit     string
	Help     string
	Error    string
	Type     string // "text" (default), "number", "date", "email", "password", "select", "textarea"
	Required bool
	Options  []Option // of a select
	Lang     string   // language of the value where it is not the page's
}

// Option is one choice of a select or a set of radio buttons.
type Option struct {
	Value    string
	Label    string
	Selected bool
}
