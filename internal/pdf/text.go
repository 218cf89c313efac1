package pdf

import (
	"strings"
	"unicode"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
	"golang.org/x/text/unicode/norm"
)

// box is printed in place of a character that no font has.
const box = '□'

// clean prepares a text for setting: composed characters, every white space a plain or a
// no-break space, nothing invisible.
func clean(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r == '\u00a0' || r == '\u202f':
			return '\u00a0'
		case unicode.IsSpace(r):
			return ' '
		case unseen(r):
			return -1
		}
		return r
	}, norm.NFC.String(s))
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
	return r < 0x2e80 && (unicode.IsLetter(r) || unicode.IsMark(r))
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
