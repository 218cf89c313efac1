package layout

import (
	"net/url"

	"rackwright/internal/i18n"
	"rackwright/internal/view"
)

// htmxConfig keeps htmx within the content policy: no style element, no evaluated code.
const htmxConfig = `{"includeIndicatorStyles":false,"allowEval":false}`

// choice is one button of the display menu; the standing choice is the empty string in
// view.Page and has a value of its own in the form.
type choice struct {
	value string
	label string // message id
	empty bool
}

var themes = []choice{
	{"auto", "shell.theme_auto", true},
	{"light", "shell.theme_light", false},
	{"dark", "shell.theme_dark", false},
	{"contrast", "shell.theme_contrast", false},
}

var densities = []choice{
	{"compact", "navigation.density_compact", false},
	{"standard", "navigation.density_standard", true},
	{"comfortable", "navigation.density_roomy", false},
}

func (c choice) is(current string) bool {
	return c.value == current || c.empty && current == ""
}

func pressed(on bool) string {
	if on {
		return "true"
	}
	return "false"
}

// shortLang returns what the language button shows.
func shortLang(l i18n.Lang) string {
	switch l {
	case i18n.Simplified:
		return "简"
	case i18n.Traditional:
		return "繁"
	}
	return "EN"
}

// signIn returns the address of the sign-in page that comes back to this page.
func signIn(p view.Page) string {
	if p.Here() == "/" {
		return "/login"
	}
	return "/login?next=" + url.QueryEscape(p.Here())
}
