package chart

import "strings"

// textWidth estimates the width of a text in px. The page's font is the reader's own, so
// this errs on the wide side: Han and other wide characters take one em, capitals and
// digits about 0.6, narrow letters less.
func textWidth(s string, size float64) float64 {
	var em float64
	for _, r := range s {
		switch {
		case r >= 0x1100:
			em++
		case strings.ContainsRune("iljtfrI.,:;'|!()[] ", r):
			em += 0.34
		case strings.ContainsRune("mwMW@%", r):
			em += 0.9
		case r >= 'A' && r <= 'Z':
			em += 0.68
		default:
			em += 0.58
		}
	}
	return em * size
}

// shorten cuts a text to a width and marks the cut with an ellipsis. It never returns less
// than one character.
func shorten(s string, size, width float64) string {
	if textWidth(s, size) <= width {
		return s
	}
	runes := []rune(s)
	for n := len(runes) - 1; n > 0; n-- {
		cut := strings.TrimRight(string(runes[:n]), " ") + "…"
		if textWidth(cut, size) <= width || n == 1 {
			return cut
		}
	}
	return s
}
