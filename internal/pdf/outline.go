package pdf

import (
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/image/font/sfnt"
	"golang.org/x/image/math/fixed"
	"golang.org/x/net/html"
)

// prepareDrawings replaces the text of drawings by its outlines: inside a drawing the layout
// library knows only the 14 standard fonts, which hold no Han and are not embedded. It also
// keeps dashes to the shape they belong to.
func prepareDrawings(root *html.Node, lang string) {
	for _, n := range find(root, func(n *html.Node) bool { return attr(n, "stroke-dasharray") != "" }) {
		// The library sets a dash pattern and leaves it set; a transformed shape gets a state of its own.
		setAttr(n, "transform", "translate(0.0001 0)") // nothing to see, but not nothing
	}
	for _, n := range find(root, func(n *html.Node) bool { return n.Namespace == "svg" && n.Data == "title" }) {
		n.Parent.RemoveChild(n) // hover texts mean nothing on paper
	}
	for _, n := range find(root, func(n *html.Node) bool { return n.Namespace == "svg" && n.Data == "text" }) {
		own := ownFamily(lang)
		if d := outline(n, own); d != "" {
			if w := attr(n, "stroke-width"); w != "" {
				n.Parent.InsertBefore(svgPath(d, "none", attr(n, "stroke"), w), n)
			}
			n.Parent.InsertBefore(svgPath(d, attr(n, "fill"), "", ""), n)
		}
		n.Parent.RemoveChild(n)
	}
}

func svgPath(d, fill, stroke, width string) *html.Node {
	n := &html.Node{Type: html.ElementNode, Data: "path", Namespace: "svg"}
	n.Attr = []html.Attribute{{Key: "d", Val: d}, {Key: "fill", Val: fill}}
	if stroke != "" {
		n.Attr = append(n.Attr, html.Attribute{Key: "stroke", Val: stroke}, html.Attribute{Key: "stroke-width", Val: width})
	}
	return n
}

// unitsPerEm is the size at which glyphs are read; coordinates are scaled from it.
const unitsPerEm = 1000

// glyph is one character of an outlined text.
type glyph struct {
	font    *sfnt.Font
	index   sfnt.GlyphIndex
	advance float64 // px
}

// outline returns the path of a <text> element.
func outline(n *html.Node, own int) string {
	size := number(attr(n, "font-size"), 12)
	bold := number(attr(n, "font-weight"), 400) >= 600
	var buf sfnt.Buffer
	glyphs, width := shape(&buf, clean(textOf(n)), own, bold, size)
	x, y := number(attr(n, "x"), 0), number(attr(n, "y"), 0)
	switch attr(n, "text-anchor") {
	case "middle":
		x -= width / 2
	case "end":
		x -= width
	}
	var d strings.Builder
	for _, g := range glyphs {
		g.write(&buf, &d, x, y, size/unitsPerEm)
		x += g.advance
	}
	return d.String()
}

func number(s string, otherwise float64) float64 {
	v, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return otherwise
	}
	return v
}

// shape chooses a glyph for each character and sums their widths.
func shape(buf *sfnt.Buffer, text string, own int, bold bool, size float64) ([]glyph, float64) {
	var (
		out   []glyph
		total float64
	)
	for _, r := range runs(text, own) {
		f := families[r.family]
		file := f.regular
		if bold && f.bold != "" {
			file = f.bold
		}
		face := fontOf(file)
		for _, c := range r.text {
			i, err := face.GlyphIndex(buf, c)
			if err != nil {
				continue
			}
			a, err := face.GlyphAdvance(buf, i, fixed.I(unitsPerEm), 0)
			if err != nil {
				continue
			}
			g := glyph{face, i, float64(a) / 64 * size / unitsPerEm}
			out = append(out, g)
			total += g.advance
		}
	}
	return out, total
}

// write appends the contours of a glyph whose origin is at x, y.
func (g glyph) write(buf *sfnt.Buffer, d *strings.Builder, x, y, scale float64) {
	segments, err := g.font.LoadGlyph(buf, g.index, fixed.I(unitsPerEm), nil)
	if err != nil {
		return
	}
	point := func(p fixed.Point26_6) string {
		return fmt.Sprintf("%.2f %.2f", x+float64(p.X)/64*scale, y+float64(p.Y)/64*scale)
	}
	open := false
	for _, s := range segments {
		switch s.Op {
		case sfnt.SegmentOpMoveTo:
			if open {
				d.WriteString("Z")
			}
			open = true
			d.WriteString("M" + point(s.Args[0]))
		case sfnt.SegmentOpLineTo:
			d.WriteString("L" + point(s.Args[0]))
		case sfnt.SegmentOpQuadTo:
			d.WriteString("Q" + point(s.Args[0]) + " " + point(s.Args[1]))
		case sfnt.SegmentOpCubeTo:
			d.WriteString("C" + point(s.Args[0]) + " " + point(s.Args[1]) + " " + point(s.Args[2]))
		}
	}
	if open {
		d.WriteString("Z")
	}
}
