package calibrate

import (
	"bufio"
	"fmt"
	"io"
	"strings"
)

// maxReasons is how many reasons of refusals are printed.
const maxReasons = 6

// WriteScores prints scores by class as the published scorer does.
func WriteScores(w io.Writer, scores []Score) error {
	out := bufio.NewWriter(w)
	writeClasses(out, scores)
	return out.Flush()
}

// Write prints a report as the published scorer does, to the letter.
func (r Report) Write(w io.Writer) error {
	out := bufio.NewWriter(w)
	writeClasses(out, r.Classes)
	fmt.Fprintln(out, "-- by source")
	for _, s := range r.Sources {
		fmt.Fprintf(out, "   %s / %s: n=%d median %.1f%% bias %+.1f%%\n", s.Class, s.Source, s.Votes, percent(s.Median), percent(s.Bias))
	}
	fmt.Fprintf(out, "rows %d, refused or missing %d (%.1f %%) %s\n", r.Rows, r.Refused, share(r.Refused, max(r.Rows, 1)), r.reasons())
	if r.Banded > 0 {
		fmt.Fprintf(out, "in p10-p90 band: %.0f %% of %d\n", share(r.Inside, r.Banded), r.Banded)
	}
	if c := r.Campaigns; c != nil && len(c.Ratios) > 0 {
		n := len(c.Ratios)
		fmt.Fprintf(out, "campaign days: %d of %d; within 1.5x %.0f %%, within 2x %.0f %%\n", n, c.Of, share(c.within(1.5), n), share(c.within(2), n))
	}
	return out.Flush()
}

func (c *Campaigns) within(most float64) int {
	n := 0
	for _, r := range c.Ratios {
		if r <= most {
			n++
		}
	}
	return n
}

func share(n, of int) float64 { return 100 * float64(n) / float64(of) }

func writeClasses(w io.Writer, scores []Score) {
	fmt.Fprintf(w, "%-78s %5s %7s %7s %7s %8s %8s\n", "class", "votes", "median", "p90", "bias", "refused", "in band")
	for _, s := range scores {
		refused, band := fmt.Sprintf("%.0f%%", 100*s.Refused), "-"
		if s.banded > 0 {
			band = fmt.Sprintf("%.0f%%", share(s.inside, s.banded))
		}
		if s.rows > 0 {
			refused = fmt.Sprintf("%.0f%%", share(s.refused, s.rows))
		}
		if s.Votes == 0 {
			fmt.Fprintf(w, "%-78s %5d %7s %7s %7s %8s %8s\n", s.Class, 0, "-", "-", "-", refused, band)
			continue
		}
		fmt.Fprintf(w, "%-78s %5d %6.1f%% %6.1f%% %+6.1f%% %8s %8s\n", s.Class, s.Votes, percent(s.Median), percent(s.P90), percent(s.Bias), refused, band)
	}
}

// reasons prints the most frequent reasons as Python prints a dictionary.
func (r Report) reasons() string {
	if r.Refused == 0 {
		return ""
	}
	var parts []string
	for _, x := range r.Reasons[:min(maxReasons, len(r.Reasons))] {
		parts = append(parts, fmt.Sprintf("%s: %d", quoted(x.Text), x.Count))
	}
	return "{" + strings.Join(parts, ", ") + "}"
}

// quoted writes a text as Python's repr does, as far as reasons need it.
func quoted(s string) string {
	s = strings.NewReplacer(`\`, `\\`, "\n", `\n`, "\t", `\t`, "\r", `\r`).Replace(s)
	if !strings.Contains(s, "'") {
		return "'" + s + "'"
	}
	if !strings.Contains(s, `"`) {
		return `"` + s + `"`
	}
	return "'" + strings.ReplaceAll(s, "'", `\'`) + "'"
}
