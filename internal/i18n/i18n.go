// Package i18n holds every text that a person reads, in English, simplified and
// traditional Chinese, and chooses the language of a request.
//
// Messages have ids of the form group.key. Those of glossary.csv are the trade's terms;
// messages/*.csv hold the product's own sentences, one file per area. The package knows
// neither HTTP nor HTML and formats no numbers: values arrive as finished strings.
package i18n

import "golang.org/x/text/language"

// Lang is one of the languages of the product, as a BCP 47 tag for lang attributes.
type Lang string

// The languages.
const (
	English     Lang = "en"
	Simplified  Lang = "zh-Hans"
	Traditional Lang = "zh-Hant"
)

// Langs lists the languages in the order in which menus show them.
var Langs = []Lang{English, Simplified, Traditional}

var matcher = language.NewMatcher([]language.Tag{
	language.English, language.SimplifiedChinese, language.TraditionalChinese,
})

// ParseLang returns the language of an exact tag, and whether it is one of ours.
func ParseLang(s string) (Lang, bool) {
	for _, l := range Langs {
		if string(l) == s {
			return l, true
		}
	}
	return English, false
}
