package catalog

import (
	"cmp"
	"slices"
	"strings"
)

// Near returns up to limit codes that a mistyped one may have meant, the most alike first.
func Near(code string, codes []string, limit int) []string {
	const longest = 64 // no code is longer; keeps the work small for any address
	want := compact(Fold(code))
	if runes := []rune(want); len(runes) > longest {
		want = string(runes[:longest])
	}
	if want == "" {
		return nil
	}
	type match struct {
		code     string
		distance int
	}
	var found []match
	for _, c := range codes {
		have := compact(Fold(c))
		d := editDistance([]rune(want), []rune(have))
		if strings.Contains(have, want) || strings.Contains(want, have) {
			d = min(d, 2) // part of a code is a good guess, however long the rest
		}
		if d <= alike(len([]rune(want))) {
			found = append(found, match{c, d})
		}
	}
	slices.SortFunc(found, func(a, b match) int {
		return cmp.Or(cmp.Compare(a.distance, b.distance), cmp.Compare(len(a.code), len(b.code)), cmp.Compare(a.code, b.code))
	})
	var out []string
	for _, m := range found[:min(limit, len(found))] {
		out = append(out, m.code)
	}
	return out
}

// alike is the number of edits up to which codes are alike: a third of the length.
func alike(length int) int { return max(2, length/3) }

// editDistance is the Levenshtein distance.
func editDistance(a, b []rune) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i, x := range a {
		diagonal := row[0]
		row[0] = i + 1
		for j, y := range b {
			cost := 1
			if x == y {
				cost = 0
			}
			diagonal, row[j+1] = row[j+1], min(row[j]+1, row[j+1]+1, diagonal+cost)
		}
	}
	return row[len(b)]
}
