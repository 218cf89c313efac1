package pdf

import (
	"strconv"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// keepHeadings holds every <h2> on one page with the beginning of what it heads. Where that is
// a table with a head, the heading becomes its first row and is repeated with it.
func keepHeadings(root *html.Node) {
	for _, h := range find(root, byAtom(atom.H2)) {
		next := nextElement(h)
		if next == nil {
			continue
		}
		if heads := find(next, byAtom(atom.Thead)); next.DataAtom == atom.Table && len(heads) > 0 {
			headTable(h, next, heads[0])
			continue
		}
		keep := element(atom.Div, "keep")
		h.Parent.InsertBefore(keep, h)
		first := next
		if parts := children(next); hasClass(next, "text") && len(parts) > 1 {
			first = element(next.DataAtom, attr(next, "class"))
			move(first, parts[0])
		}
		move(keep, h, first)
	}
}

func nextElement(n *html.Node) *html.Node {
	for s := n.NextSibling; s != nil; s = s.NextSibling {
		if s.Type == html.ElementNode {
			return s
		}
	}
	return nil
}

// headTable makes a heading the first row of a table.
func headTable(h, table, head *html.Node) {
	span := 0
	for _, tr := range children(head) {
		n := 0
		for _, cell := range children(tr) {
			n++
			if v, err := strconv.Atoi(attr(cell, "colspan")); err == nil {
				n += v - 1
			}
		}
		span = max(span, n)
	}
	cell := element(atom.Td, "")
	setAttr(cell, "colspan", strconv.Itoa(span))
	for h.FirstChild != nil {
		move(cell, h.FirstChild)
	}
	row := element(atom.Tr, "title")
	row.AppendChild(cell)
	head.InsertBefore(row, head.FirstChild)
	h.Parent.RemoveChild(h)
	addClass(table, "titled")
}
