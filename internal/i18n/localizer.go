package i18n

import (
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/text/language"
)

// Localizer looks messages up in one language. The zero value speaks English.
type Localizer struct{ lang Lang }

// For returns the localizer of a language.
func For(l Lang) Localizer { return Localizer{lang: l} }

// Lang returns the language of the localizer.
func (l Localizer) Lang() Lang {
	if l.lang == "" {
		return English
	}
	return l.lang
}

// T returns the text of a message with its placeholders {name} filled in. args alternate
// name, value; values are finished strings or small integers. A missing id is returned in
// brackets, where it cannot be overlooked: a test keeps that from happening.
func (l Localizer) T(id string, args ...any) string {
	m, ok := shipped()[id]
	if !ok {
		return "[" + id + "]"
	}
	return fill(m[langIndex[l.Lang()]], args)
}

// N returns the text for a number of things: id.one for exactly one, else id.other. {n} is
// the number, grouped by three.
func (l Localizer) N(id string, n int, args ...any) string {
	form := ".other"
	if n == 1 {
		form = ".one"
	}
	return l.T(id+form, append([]any{"n", group(n)}, args...)...)
}

// Has reports whether there is a message of this id.
func Has(id string) bool {
	_, ok := shipped()[id]
	return ok
}

// Choose returns the language to answer in: what the user chose for the account, else what
// the cookie says, else what the browser asks for, else English. Unknown values are passed over.
func Choose(user, cookie, acceptLanguage string) Lang {
	for _, tag := range []string{user, cookie} {
		if l, ok := ParseLang(tag); ok {
			return l
		}
	}
	tags, _, err := language.ParseAcceptLanguage(acceptLanguage)
	if err != nil || len(tags) == 0 {
		return English
	}
	// The matched tag carries the region of the request; the index is what we need.
	_, i, confidence := matcher.Match(tags...)
	if confidence == language.No {
		return English
	}
	return Langs[i]
}

// fill replaces {name} by its value. A placeholder without a value stays visible.
func fill(text string, args []any) string {
	if len(args) == 0 || !strings.Contains(text, "{") {
		return text
	}
	var b strings.Builder
	b.Grow(len(text) + 16*len(args))
	for {
		before, rest, ok := strings.Cut(text, "{")
		b.WriteString(before)
		if !ok {
			return b.String()
		}
		name, after, ok := strings.Cut(rest, "}")
		if !ok {
			b.WriteString("{" + rest)
			return b.String()
		}
		if v, found := value(args, name); found {
			b.WriteString(v)
		} else {
			b.WriteString("{" + name + "}")
		}
		text = after
	}
}

func value(args []any, name string) (string, bool) {
	for i := 0; i+1 < len(args); i += 2 {
		if args[i] == name {
			return fmt.Sprint(args[i+1]), true
		}
	}
	return "", false
}

// group writes a whole number with a comma at every third digit; all three languages do.
func group(n int) string {
	s := strconv.Itoa(n)
	sign := ""
	if n < 0 {
		sign, s = "\u2212", s[1:]
	}
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return sign + s
}
