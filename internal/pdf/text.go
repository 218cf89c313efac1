package pdf

import (
	"slices"
	"strings"
	"unicode"

	"github.com/carlos7ags/folio/layout"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/text/unicode/bidi"
	"golang.org/x/text/unicode/norm"
)

// box is printed in place of a character that no font has.
const box = '□'

// nonJoiner keeps two Arabic letters apart, which Persian spelling needs.
const nonJoiner = '\u200c'

// clean prepares a text for setting: composed characters, every white space a plain or a
// no-break space, nothing invisible but the non-joiner between Arabic letters.
func clean(s string) string {
	prev := rune(-1)
	return strings.Map(func(r rune) rune {
		before := prev
		prev = r
		switch {
		case r == '\u00a0' || r == '\u202f':
			return '\u00a0'
		case unicode.IsSpace(r):
			return ' '
		case r == nonJoiner && unicode.Is(unicode.Arabic, before):
			return r
		case unseen(r):
			return -1
		}
		return r
	}, norm.NFC.String(s))
}

// visual puts a line in the order in which it is painted from left to right, Arabic letters joined. In the flow of a
// document the layout library does so; margin boxes it paints as they come.
func visual(s string) string {
	var p bidi.Paragraph
	if _, err := p.SetString(s); err != nil || strings.IndexFunc(s, rightToLeft) < 0 {
		return s
	}
	order, err := p.Order()
	if err != nil {
		return s
	}
	runs := make([]string, order.NumRuns())
	for i := range runs {
		r := order.Run(i)
		runs[i] = layout.ShapeArabic(r.String())
		if r.Direction() == bidi.RightToLeft {
			runs[i] = bidi.ReverseString(runs[i])
		}
	}
	if first := strings.IndexFunc(s, strong); rightToLeft([]rune(s[first:])[0]) { // the line reads from the right as a whole
		slices.Reverse(runs)
	}
	return strings.Join(runs, "")
}

// rightToLeft reports whether a character is a letter of a script that runs from right to left.
func rightToLeft(r rune) bool {
	c, _ := bidi.LookupRune(r)
	return c.Class() == bidi.R || c.Class() == bidi.AL
}

// strong reports whether a character has a direction of its own.
func strong(r rune) bool {
	c, _ := bidi.LookupRune(r)
	return c.Class() == bidi.L || rightToLeft(r)
}

// run is a piece of text set in one family.
type run struct {
	family int
	text   string
}

// runs cuts a text by family. A word that needs another family for one of its letters is set
// in that family as a whole, so that no word is mixed from two designs.
func runs(text string, own int) []run {
	var (
		buf sfnt.Buffer
		out []run
	)
	for _, word := range words(text) {
		for _, part := range wordRuns(&buf, word, own) {
			if n := len(out); n > 0 && out[n-1].family == part.family && !counterStart(out[n-1].text, part.text) {
				out[n-1].text += part.text
				continue
			}
			out = append(out, part)
		}
	}
	return out
}

// counterStart reports whether joining two texts would spell a place-holder of the layout
// library, which it would replace by a page number. Kept apart, they print as typed.
func counterStart(a, b string) bool {
	return strings.HasSuffix(a, "{") && (strings.HasPrefix(b, "counter") || strings.HasPrefix(b, "string"))
}

// words cuts a text into stretches of letters that belong together and stretches of all else.
// Han, kana and Hangul stand alone, character by character.
func words(text string) []string {
	var out []string
	start, prev := 0, rune(-1)
	for i, r := range text {
		if i > 0 && !(wordRune(prev) && wordRune(r)) {
			out = append(out, text[start:i])
			start = i
		}
		prev = r
	}
	if start < len(text) {
		out = append(out, text[start:])
	}
	return out
}

func wordRune(r rune) bool {
	return r < 0x2e80 && (unicode.IsLetter(r) || unicode.IsMark(r) || r == nonJoiner)
}

// wordRuns chooses the families of one word.
func wordRuns(buf *sfnt.Buffer, word string, own int) []run {
	for i := -1; i < len(families); i++ {
		index := i
		if i < 0 {
			index = own
		}
		if all(buf, families[index], word) {
			return []run{{index, word}}
		}
	}
	var out []run
	for _, r := range word {
		index, ok := familyOf(buf, own, r)
		if !ok {
			index, r = simplified, box
		}
		out = append(out, run{index, string(r)})
	}
	return out
}

func all(buf *sfnt.Buffer, f family, word string) bool {
	for _, r := range word {
		if !f.covers(buf, r) {
			return false
		}
	}
	return true
}

// setText replaces every text node by cleaned runs, each marked with its family where that
// is not the one of its surroundings. It returns the families used.
func setText(root *html.Node, lang string) map[int]bool {
	used := map[int]bool{ownFamily(lang): true}
	base := ownFamily(lang)
	var walk func(n *html.Node, own int)
	walk = func(n *html.Node, own int) {
		if n.Type == html.ElementNode {
			switch n.DataAtom {
			case atom.Svg, atom.Style, atom.Script, atom.Title:
				return
			}
			if l := attr(n, "lang"); l != "" {
				own = ownFamily(l)
			}
		}
		for c := n.FirstChild; c != nil; {
			next := c.NextSibling
			if c.Type == html.TextNode {
				setNode(c, own, base, used)
			} else {
				walk(c, own)
			}
			c = next
		}
	}
	walk(root, base)
	return used
}

func setNode(n *html.Node, own, base int, used map[int]bool) {
	parts := runs(clean(n.Data), own)
	if len(parts) == 0 {
		n.Data = ""
		return
	}
	if len(parts) == 1 && parts[0].family == base {
		n.Data = parts[0].text
		return
	}
	for i, p := range parts {
		node := &html.Node{Type: html.TextNode, Data: p.text}
		if p.family != base || i > 0 && parts[i-1].family == base { // two runs of one family stay two
			used[p.family] = true
			span := element(atom.Span, families[p.family].class)
			span.AppendChild(node)
			node = span
		}
		n.Parent.InsertBefore(node, n)
	}
	n.Parent.RemoveChild(n)
}
