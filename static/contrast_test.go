package static

import (
	"math"
	"os"
	"regexp"
	"strconv"
	"testing"
)

// tokenColours returns the colours of tokens.css in the light and in the dark theme.
func tokenColours(t *testing.T) [2]map[string]string {
	t.Helper()
	text, err := os.ReadFile("css/tokens.css")
	if err != nil {
		t.Fatal(err)
	}
	themes := [2]map[string]string{{}, {}}
	line := regexp.MustCompile(`(?m)^  --([\w-]+):\s*light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);`)
	for _, m := range line.FindAllStringSubmatch(string(text), -1) {
		themes[0][m[1]], themes[1][m[1]] = m[2], m[3]
	}
	return themes
}

// luminance is the relative luminance of a colour: WCAG 2.2, definition of relative luminance.
func luminance(t *testing.T, hex string) float64 {
	t.Helper()
	n, err := strconv.ParseUint(hex[1:], 16, 32)
	if err != nil {
		t.Fatal(err)
	}
	channel := func(v uint64) float64 {
		c := float64(v&0xff) / 255
		if c <= 0.04045 {
			return c / 12.92
		}
		return math.Pow((c+0.055)/1.055, 2.4)
	}
	return 0.2126*channel(n>>16) + 0.7152*channel(n>>8) + 0.0722*channel(n)
}

// contrast is the contrast ratio of two colours: WCAG 2.2, definition of contrast ratio.
func contrast(t *testing.T, a, b string) float64 {
	t.Helper()
	x, y := luminance(t, a), luminance(t, b)
	return (max(x, y) + 0.05) / (min(x, y) + 0.05)
}

// Text can be read on every ground on which it stands (4.5:1, WCAG 1.4.3), and the edges of
// controls and the lines of charts can be seen (3:1, WCAG 1.4.11), in both themes.
func TestContrast(t *testing.T) {
	grounds := []string{"paper", "sheet", "sunken", "raised"}
	type pair struct {
		front, back string
		least       float64
	}
	var pairs []pair
	for _, back := range grounds {
		for _, front := range []string{"ink", "ink-2", "ink-3", "accent", "accent-hover"} {
			pairs = append(pairs, pair{front, back, 4.5})
		}
		pairs = append(pairs, pair{"edge", back, 3}, pair{"focus", back, 3})
	}
	for _, state := range []string{"ok", "warn", "bad", "hypo", "accent"} {
		pairs = append(pairs, pair{state, state + "-soft", 4.5}, pair{state, "sheet", 4.5})
	}
	for _, back := range []string{"accent-soft", "bad-soft", "warn-soft", "ok-soft"} {
		pairs = append(pairs, pair{"ink", back, 4.5})
	}
	for _, series := range []string{"c1", "c2", "c3", "c4", "c5"} {
		pairs = append(pairs, pair{series, "sheet", 3})
	}
	pairs = append(pairs, pair{"on-accent", "accent", 4.5}, pair{"on-accent", "accent-hover", 4.5}, pair{"on-bad", "bad-fill", 4.5})
	for i, theme := range tokenColours(t) {
		name := []string{"light", "dark"}[i]
		for _, p := range pairs {
			front, back := theme[p.front], theme[p.back]
			if front == "" || back == "" {
				t.Fatalf("no colour %s or %s", p.front, p.back)
			}
			if got := contrast(t, front, back); got < p.least {
				t.Errorf("%s: %s on %s is %.2f:1, want %.1f:1", name, p.front, p.back, got, p.least)
			}
		}
	}
}
