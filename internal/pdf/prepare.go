package pdf

import (
	_ "embed"
	"fmt"
	"io"
	"strings"

	foliohtml "github.com/carlos7ags/folio/html"
	"github.com/carlos7ags/folio/layout"
	"golang.org/x/image/font/sfnt"
	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

//go:embed style.css
var style string

// sheet is a document made ready for the layout library.
type sheet struct {
	html  string
	title string
	lang  string
	foot  [3]string // left, middle, right of every page
}

// prepare reads a document and works around the limits of the layout library.
func prepare(src io.Reader, lang string) (*sheet, error) {
	root, err := html.Parse(src)
	if err != nil {
		return nil, err
	}
	s := &sheet{lang: lang}
	for _, n := range find(root, byAtom(atom.Html)) {
		if s.lang == "" {
			s.lang = attr(n, "lang")
		}
		setAttr(n, "lang", s.lang)
	}
	for _, n := range find(root, byAtom(atom.Title)) {
		if n.Namespace == "" {
			s.title = textOf(n)
		}
	}
	footFamilies := s.takeFoot(root)
	dropImages(root)
	splitTexts(root)
	keepHeadings(root)
	splitRows(root)
	keepRows(root)
	prepareDrawings(root, s.lang)
	used := setText(root, s.lang)
	for _, i := range footFamilies {
		used[i] = true
	}
	s.addStyle(root, used, footFamilies)
	var out strings.Builder
	if err := html.Render(&out, root); err != nil {
		return nil, err
	}
	s.html = out.String()
	return s, nil
}

// takeFoot takes the <footer> out of the flow; up to three spans in it run at the foot of
// every page. It returns the family of each, since a margin box has one font only.
func (s *sheet) takeFoot(root *html.Node) [3]int {
	own := ownFamily(s.lang)
	used := [3]int{own, own, own}
	footers := find(root, byAtom(atom.Footer))
	if len(footers) == 0 {
		return used
	}
	foot := footers[0]
	for i, n := range children(foot) {
		if i == len(s.foot) {
			break
		}
		s.foot[i], used[i] = footText(textOf(n), own)
	}
	foot.Parent.RemoveChild(foot)
	return used
}

// footText cleans a text for the foot and chooses the one family it is set in. {page} and
// {pages} become the numbers; a place-holder of the layout library prints as typed.
func footText(text string, own int) (string, int) {
	text = strings.NewReplacer("{counter(", "{ counter(", "{string(", "{ string(").Replace(visual(clean(text)))
	text = strings.NewReplacer("{page}", layout.CounterPlaceholder("page", ""), "{pages}", layout.CounterPlaceholder("pages", "")).Replace(text)
	var buf sfnt.Buffer
	for i := -1; i < len(families); i++ {
		index := max(i, 0)
		if i < 0 {
			index = own
		}
		if all(&buf, families[index], text) {
			return text, index
		}
	}
	return strings.Map(func(r rune) rune {
		if families[simplified].covers(&buf, r) {
			return r
		}
		return box
	}, text), simplified
}

// addStyle puts the style sheet into the head: the fonts in use, the foot, the classes.
func (s *sheet) addStyle(root *html.Node, used map[int]bool, foot [3]int) {
	var b strings.Builder
	for i, f := range families {
		if !used[i] {
			continue
		}
		fmt.Fprintf(&b, "@font-face { font-family: %q; src: url(%q); font-weight: 400; }\n", f.name, f.regular)
		bold := f.bold
		if bold == "" {
			bold = f.regular
		}
		fmt.Fprintf(&b, "@font-face { font-family: %q; src: url(%q); font-weight: 700; }\n", f.name, bold)
		fmt.Fprintf(&b, ".%s { font-family: %q; }\n", f.class, f.name)
	}
	fmt.Fprintf(&b, "body { font-family: %q; }\n", families[ownFamily(s.lang)].name)
	b.WriteString("@page {\n")
	for i, name := range footBoxes {
		fmt.Fprintf(&b, "  @%s { content: \"-\"; font-family: %q; font-size: 7.5pt; color: #62656e; }\n", name, families[foot[i]].name)
	}
	b.WriteString("}\n" + style)
	node := element(atom.Style, "")
	node.AppendChild(&html.Node{Type: html.TextNode, Data: b.String()})
	for _, head := range find(root, byAtom(atom.Head)) {
		head.AppendChild(node)
	}
}

// footBoxes are the margin boxes of the foot, left to right.
var footBoxes = [3]string{"bottom-left", "bottom-center", "bottom-right"}

// footRoom is the share of the page's width that each part of the foot may take.
var footRoom = [3]float64{0.40, 0.30, 0.24}

// setFoot writes the texts of the foot into the margin boxes. They are not part of the style
// sheet, so no text of a person is ever read as CSS.
func setFoot(result *foliohtml.ConvertResult, foot [3]string) {
	width := float64(pageInnerMM * pointsPerMM)
	for i, name := range footBoxes {
		b, ok := result.PageConfig.MarginBoxes[name]
		if !ok {
			continue
		}
		b.Content = foot[i]
		if b.Embedded != nil && i < 2 {
			b.Content = shortenTo(foot[i], footRoom[i]*width, func(t string) float64 {
				return b.Embedded.MeasureString(t, b.FontSize)
			})
		}
		result.PageConfig.MarginBoxes[name] = b
	}
}

// pageInnerMM is the width between the margins of style.css.
const pageInnerMM = 174

// shortenTo cuts a text to a width and marks the cut; the full text stands in the document.
func shortenTo(text string, width float64, measure func(string) float64) string {
	if measure(text) <= width {
		return text
	}
	runes := []rune(text)
	for n := len(runes) - 1; n > 0; n-- {
		if t := strings.TrimSpace(string(runes[:n])) + "…"; measure(t) <= width {
			return t
		}
	}
	return ""
}
