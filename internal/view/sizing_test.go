package view

import (
	"strings"
	"testing"

	"rackwright/internal/i18n"
	"rackwright/internal/sizing"
	"rackwright/internal/sizing/basis"
)

// A limit is compared with the time at its own percentile, also where the table has no column for
// it; reports of before that time was kept are compared with the next stricter column.
func TestLimitsAreComparedAtTheirPercentile(t *testing.T) {
	q := sizing.Quantiles{Mean: 90, P50: 80, P90: 120, P95: 150, P99: 250}
	for name, c := range map[string]struct {
		asked, percentile, limit float64
		word, text               string
		column                   int // marked; 0: none
	}{
		"with a column":              {150, 95, 200, "Met", "p95: 200 ms", 3},
		"with a column, missed":      {150, 95, 149, "Missed", "p95: 149 ms", 3},
		"beyond the last":            {400, 99.9, 300, "Missed", "p99.9: 400 of 300 ms", 0},
		"between two":                {170, 97, 200, "Met", "p97: 170 of 200 ms", 0},
		"an older report":            {0, 95, 149, "Missed", "p95: 149 ms", 3},
		"an older report in between": {0, 97, 200, "Missed", "p97: 200 ms", 4},
	} {
		s := sizingPage{Page: testPage(i18n.English)}
		q.Asked = c.asked
		row := s.percentileRow("TTFT", q, c.limit, c.percentile, 0)
		marked := 0
		for i, cell := range row.Cells {
			if cell.Asked {
				marked = i
			}
		}
		if row.Word != c.word || row.Limit != c.text || marked != c.column {
			t.Errorf("%s: %s, %q, column %d", name, row.Word, row.Limit, marked)
		}
	}
}

// Of the systems that miss limits the one that asks for the least more is named, the worse of its
// limits counting.
func TestTheNearestOfAllIsNamed(t *testing.T) {
	late := func(sku string, ttft, tpot float64) sizing.Refusal {
		near := basis.Msg("sizing.nearest_limits", basis.In(basis.Millis, "ttft", ttft), basis.In(basis.Millis, "tpot", tpot))
		return sizing.Refusal{SystemSKU: sku, Reason: basis.Msg("sizing.refuse_ttft"), Nearest: &near}
	}
	res := sizing.Result{Refused: []sizing.Refusal{late("FAST-START", 110, 90), late("EVEN", 150, 15), late("SLOW", 300, 11)}}
	res.Request.Targets = sizing.Targets{TTFTMillis: 100, TPOTMillis: 10}
	s := sizingPage{Page: testPage(i18n.English), report: sizing.Report{Result: res}}
	if got := s.nearest(); len(got) != 1 || !strings.Contains(got[0], "EVEN") || !strings.Contains(got[0], "150"+nbsp+"ms") || !strings.Contains(got[0], "15"+nbsp+"ms") {
		t.Errorf("got %q", got)
	}
}
