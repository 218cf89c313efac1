package catalog

import (
	"strings"
	"unicode"
)

// Fold brings a text to the form in which it is searched: lower case, full-width letters
// as half-width ones, everything but letters and digits as a single space. Han characters
// stay; a SKU is found in either script because both its Chinese names are indexed.
func Fold(s string) string {
	var b strings.Builder
	space := false
	for _, r := range s {
		r = unicode.ToLower(narrow(r))
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			space = b.Len() > 0
			continue
		}
		if space {
			b.WriteByte(' ')
			space = false
		}
		b.WriteRune(r)
	}
	return b.String()
}

// narrow maps the full-width forms of ASCII to ASCII.
func narrow(r rune) rune {
	if r >= '！' && r <= '～' {
		return r - '！' + '!'
	}
	return r
}

// compact removes the spaces of a folded text, so that "H100SXM5" finds "H100 SXM5".
func compact(folded string) string { return strings.ReplaceAll(folded, " ", "") }

// SearchText returns what a SKU is found by: its code, names, vendor, family and form
// factor, folded, and the code and names once more without gaps.
func SearchText(s SKU) string {
	texts := []string{s.Code, s.Name}
	for _, lang := range []string{"en", "zh-Hans", "zh-Hant"} {
		texts = append(texts, s.Names[lang])
	}
	var out []string
	for _, t := range texts {
		out = append(out, Fold(t), compact(Fold(t)))
	}
	for _, t := range []string{s.Vendor, s.Family, s.FormFactor, string(s.Kind)} {
		out = append(out, Fold(t))
	}
	return strings.Join(out, " | ")
}

// SearchTerms splits a query into folded words; each has to occur.
func SearchTerms(query string) []string { return strings.Fields(Fold(query)) }
