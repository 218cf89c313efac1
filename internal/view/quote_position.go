package view

import (
	"strconv"

	"rackwright/internal/quote"
)

// LinePositions returns the number of each line as every page and the document print it:
// sections A, B, C; items 1, 2, 3 through the whole quote; an option or an alternative the
// number of the item above it with a letter, 1a. Notes and parts of a bundle have none.
func LinePositions(lines []quote.Line) []string {
	out := make([]string, len(lines))
	sections, items, extras := 0, 0, 0
	for i, l := range lines {
		switch {
		case l.Part:
		case l.Kind == quote.Section:
			out[i] = letters(sections)
			sections++
		case l.Kind == quote.Item:
			items++
			extras = 0
			out[i] = strconv.Itoa(items)
		case l.Kind.Priced():
			out[i] = strconv.Itoa(max(items, 1)) + lower(letters(extras))
			extras++
		}
	}
	return out
}

// letters returns A for 0, Z for 25, AA for 26, as the columns of a sheet are named.
func letters(n int) string {
	s := ""
	for n >= 0 {
		s = string(rune('A'+n%26)) + s
		n = n/26 - 1
	}
	return s
}

func lower(s string) string {
	b := []byte(s)
	for i := range b {
		b[i] += 'a' - 'A'
	}
	return string(b)
}
