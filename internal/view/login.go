package view

// Login is the sign-in page.
type Login struct {
	Page
	Company  string // name of the seller, "" before it is known
	Name     Field
	Password Field
	Next     string // where to go after sign-in, a path of this site
	Error    string // what was wrong with the last try
	Detail   string // what to do about it
	Ended    bool   // the person was signed out by time
}

// NewLogin returns the sign-in page as it is first shown. The password is never sent back.
func NewLogin(p Page, company, name, next string) Login {
	return Login{
		Page: p, Company: company, Next: next,
		Name: Field{
			Name: "name", Label: p.T("admin.user_name"), Value: name, Required: true,
			Autocomplete: "username", Max: 100,
		},
		Password: Field{
			Name: "password", Label: p.T("admin.password"), Type: "password", Required: true,
			Autocomplete: "current-password", Max: 1000,
		},
	}
}
