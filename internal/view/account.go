package view

import "rackwright/internal/i18n"

// Account is a person's own page: password, language, sessions.
type Account struct {
	Page
	Name       string
	UserName   string
	Email      string
	Roles      string
	MustChange bool // the password was given out and has to be changed first

	Current Field
	New     Field
	Again   Field
	Faults  []Fault // of the password form

	Language Field
	Sessions []SessionRow
}

// SessionRow is one place where the person is signed in.
type SessionRow struct {
	Since    string
	LastSeen string
	Ends     string
	Current  bool
}

// NewAccount returns the page with empty fields. minimum is the shortest password; lang is
// the language of the account, "" where it follows the browser.
func NewAccount(p Page, minimum int, lang string) Account {
	password := func(name, label, autocomplete, help string) Field {
		return Field{
			Name: name, Label: p.T(label), Type: "password", Required: true,
			Autocomplete: autocomplete, Help: help, Max: 1000,
		}
	}
	a := Account{
		Page:    p,
		Current: password("current", "shell.current_password", "current-password", ""),
		New:     password("new", "shell.new_password", "new-password", p.T("shell.password_rule", "n", minimum)),
		Again:   password("again", "shell.new_password_again", "new-password", ""),
		Language: Field{
			Name: "lang", Label: p.T("navigation.language"), Type: "select",
			Options: []Option{{Value: "", Label: p.T("shell.language_of_browser"), Selected: lang == ""}},
		},
	}
	for _, l := range i18n.Langs {
		a.Language.Options = append(a.Language.Options,
			Option{Value: string(l), Label: LanguageName(l), Selected: lang == string(l)})
	}
	return a
}

// Facts returns who the person is, for the title block.
func (a Account) Facts() []Fact {
	facts := []Fact{
		{Label: a.T("admin.user_name"), Value: a.UserName},
		{Label: a.T("admin.role"), Value: Or(a.L.Lang(), a.Roles)},
	}
	if a.Email != "" {
		facts = append(facts, Fact{Label: a.T("shell.email"), Value: a.Email})
	}
	return facts
}

// LanguageName returns the name of a language in that language, so that its readers find it.
func LanguageName(l i18n.Lang) string {
	switch l {
	case i18n.Simplified:
		return "简体中文"
	case i18n.Traditional:
		return "繁體中文"
	}
	return "English"
}
