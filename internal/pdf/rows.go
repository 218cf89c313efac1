package pdf

import (
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"
)

// The layout library moves a row to the next page as a whole and clips what is taller than a
// page. So a long text becomes paragraphs, and a row with many of them becomes several rows
// without a rule between: nothing is lost and nothing runs over a repeated head.
const (
	pieceLines = 6  // estimated lines of one paragraph
	rowLines   = 12 // estimated lines of one row
	lineChars  = 34 // Latin characters of a line in the narrow columns; a Han character counts two
)

// lines estimates how many printed lines a text takes.
func lines(text string) int {
	n := 0
	for _, r := range text {
		n++
		if r >= 0x1100 {
			n++
		}
	}
	return max((n+lineChars-1)/lineChars, 1)
}

// splitTexts turns the content of every element of class "text" into one paragraph per typed
// line, long lines into several.
func splitTexts(root *html.Node) {
	for _, n := range find(root, func(n *html.Node) bool { return hasClass(n, "text") }) {
		text := rawText(n)
		for n.FirstChild != nil {
			n.RemoveChild(n.FirstChild)
		}
		for _, line := range strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n") {
			if line = strings.TrimRightFunc(line, unicode.IsSpace); line == "" {
				continue
			}
			for i, piece := range pieces(line) {
				p := element(atom.P, "")
				if i > 0 {
					p = element(atom.P, "on") // goes on in the same sentence
				}
				p.AppendChild(&html.Node{Type: html.TextNode, Data: piece})
				n.AppendChild(p)
			}
		}
	}
}

// rawText returns the text below a node with its line breaks.
func rawText(n *html.Node) string {
	var b strings.Builder
	for d := range n.Descendants() {
		if d.Type == html.TextNode {
			b.WriteString(d.Data)
		}
	}
	return strings.Trim(b.String(), "\n")
}

// pieces cuts a line that would fill many printed lines, at a space where there is one.
func pieces(line string) []string {
	var out []string
	for lines(line) > 2*pieceLines {
		cut, space, width := 0, 0, 0
		for i, r := range line {
			if width >= pieceLines*lineChars {
				cut = i
				break
			}
			width++
			if r >= 0x1100 {
				width++
			}
			if unicode.IsSpace(r) {
				space = i
			}
		}
		if space > cut/2 {
			cut = space
		}
		out = append(out, strings.TrimSpace(line[:cut]))
		line = strings.TrimSpace(line[cut:])
	}
	return append(out, line)
}

// splitRows turns every body row that may be too tall for a page into several rows.
func splitRows(root *html.Node) {
	for _, tr := range find(root, byAtom(atom.Tr)) {
		if tr.Parent.DataAtom == atom.Tbody && !nested(tr) {
			splitRow(tr)
		}
	}
}

// nested reports whether a row contains a table; such a row is laid out by its author.
func nested(tr *html.Node) bool { return len(find(tr, byAtom(atom.Table))) > 0 }

func splitRow(tr *html.Node) {
	cells := children(tr)
	chunks := make([][][]*html.Node, len(cells))
	count := 1
	for i, cell := range cells {
		chunks[i] = chunk(items(cell))
		count = max(count, len(chunks[i]))
	}
	if count == 1 {
		return
	}
	addClass(tr, "more")
	after := tr
	for k := 1; k < count; k++ {
		row := element(atom.Tr, "cont more")
		if k == count-1 {
			setAttr(row, "class", "cont")
		}
		for i, cell := range cells {
			c := element(atom.Td, attr(cell, "class"))
			if s := attr(cell, "colspan"); s != "" {
				setAttr(c, "colspan", s)
			}
			if k < len(chunks[i]) {
				fillCell(c, chunks[i][k])
			}
			row.AppendChild(c)
		}
		tr.Parent.InsertBefore(row, after.NextSibling)
		after = row
	}
	if hasClass(tr, "keep-next") { // what is kept with the next row is now the last piece
		setAttr(tr, "class", strings.TrimSpace(strings.ReplaceAll(" "+attr(tr, "class")+" ", " keep-next ", " ")))
		addClass(after, "keep-next")
	}
}

// fillCell moves paragraphs into a continued cell, inside copies of the wrappers they had.
func fillCell(cell *html.Node, nodes []*html.Node) {
	var wrapper, from *html.Node
	for _, n := range nodes {
		parent := n.Parent
		if parent.DataAtom == atom.Td || parent.DataAtom == atom.Th {
			move(cell, n)
			continue
		}
		if parent != from {
			from, wrapper = parent, element(parent.DataAtom, attr(parent, "class"))
			cell.AppendChild(wrapper)
		}
		move(wrapper, n)
	}
}

// items returns the blocks of a cell that may stand in different rows: its children, and the
// children of lists and of texts. A cell of plain text is one item.
func items(cell *html.Node) []*html.Node {
	var out []*html.Node
	for _, c := range children(cell) {
		if kids := children(c); len(kids) > 0 && (hasClass(c, "text") || hasClass(c, "list")) {
			out = append(out, kids...)
			continue
		}
		out = append(out, c)
	}
	return out
}

// chunk groups items so that each group stays within the height of a row.
func chunk(items []*html.Node) [][]*html.Node {
	var out [][]*html.Node
	height := 0
	for _, n := range items {
		h := lines(textOf(n))
		if len(out) == 0 || height+h > rowLines {
			out, height = append(out, nil), 0
		}
		out[len(out)-1] = append(out[len(out)-1], n)
		height += h
	}
	return out
}

// keepRows holds every row of class "keep-next" on one page with the row after it. The layout
// library breaks no rowspan, so a hairline first column spans both.
func keepRows(root *html.Node) {
	for _, table := range find(root, byAtom(atom.Table)) {
		rows := ownRows(table)
		keep := false
		for _, tr := range rows {
			keep = keep || hasClass(tr, "keep-next")
		}
		if keep {
			addHairline(table, rows)
		}
	}
}

func ownRows(table *html.Node) []*html.Node {
	var out []*html.Node
	for _, part := range children(table) {
		for _, tr := range children(part) {
			if tr.DataAtom == atom.Tr {
				out = append(out, tr)
			}
		}
	}
	return out
}

func addHairline(table *html.Node, rows []*html.Node) {
	for _, part := range children(table) {
		if part.DataAtom == atom.Colgroup {
			part.InsertBefore(element(atom.Col, "hair"), part.FirstChild)
			break
		}
	}
	held := 0 // rows that the span above still covers
	for i, tr := range rows {
		if held > 0 {
			held--
			continue
		}
		for i+held+1 < len(rows) && hasClass(rows[i+held], "keep-next") {
			held++
		}
		cell := element(atom.Td, "hair")
		if held > 0 {
			setAttr(cell, "rowspan", strconv.Itoa(held+1))
		}
		tr.InsertBefore(cell, tr.FirstChild)
	}
}
