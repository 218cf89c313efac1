package chart

import (
	"bytes"
	"context"
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "rewrite the golden files")

func day(s string) time.Time {
	t, err := time.Parse(time.DateOnly, s)
	if err != nil {
		panic(err)
	}
	return t
}

func seen(day_ string, v float64) Observation {
	return Observation{Day: day(day_), Value: v, Title: "seen " + day_}
}

// Rental prices of one H100 SXM per hour as the shipped observations have them, shortened.
var rent = Steps{
	Label: "Rent of one H100 SXM per hour, on demand.", Unit: "USD per GPU-hour", Today: day("2026-11-30"),
	Series: []Series{
		{Name: "AWS", Value: "6.88", Seen: []Observation{seen("2024-09-18", 12.29), seen("2025-06-01", 6.88), seen("2026-11-09", 6.88)}},
		{Name: "Lambda", Value: "3.99", Seen: []Observation{seen("2024-11-20", 2.49), seen("2025-02-01", 2.99), seen("2025-04-20", 2.99), seen("2026-09-10", 3.99)}},
		{Name: "RunPod", Value: "3.99", Seen: []Observation{seen("2025-01-10", 2.99), seen("2026-11-01", 3.99)}},
		{Name: "Nebius & <b>", Value: "3.85", Seen: []Observation{seen("2026-11-01", 3.85)}},
	},
}

var cost = Lines{
	Label: "Present value of cost over 48 months.", YUnit: "USD million, cumulative", XUnit: "months", XStep: 6,
	Lines: []Line{
		{Name: "On-demand cloud", Value: "1.65", Points: []XY{{0, 0}, {12, 0.46}, {24, 0.89}, {48, 1.65}}},
		{Name: "Colocation", Value: "0.65", Points: []XY{{0, 0.32}, {24, 0.52}, {48, 0.65}}},
		{Name: "Reserved, 3 years", Value: "0.66", Dashed: true, Points: []XY{{0, 0}, {48, 0.66}}},
	},
	Rings:  []Ring{{At: XY{11, 0.42}, Text: "month 11", Title: "Colocation overtakes on-demand in month 11"}},
	Limits: []Limit{{Value: 1.5, Text: "budget 1.50"}},
}

var latency = Lines{
	Label: "Time per output token against load.", YUnit: "ms", XUnit: "tokens/s",
	Lines: []Line{{
		Name: "TPOT", Points: []XY{{500, 12}, {2000, 18}, {4000, 34}}, Dots: []string{"", "2,000 tokens/s"},
		Band: []Span{{500, 10, 14}, {2000, 15, 22}, {4000, 29, 41}},
	}},
	Rings:  []Ring{{At: XY{3000, 25}, Text: "this load"}},
	Limits: []Limit{{Value: 50, Text: "limit 50 ms"}},
}

var memory = Stack{
	Label: "Memory of one GPU in GiB.", Whole: "79.18 GiB usable", Top: 79.18,
	Parts: []Part{{Name: "Model weights"}, {Name: "KV cache"}, {Name: "Activations"}, {Name: "Runtime"}, {Name: "Head-room", Hollow: true}},
	Pieces: []Piece{
		{Value: 33.88, Text: "33.88 GiB", Title: "Model weights: 33.88 GiB"}, {Value: 32, Text: "32.00 GiB"},
		{Value: 4.83, Text: "4.83 GiB"}, {Value: 0.55, Text: "0.55 GiB"}, {Value: 7.92, Text: "7.92 GiB"},
	},
}

var month = Bars{
	Label: "Cost a month.", Unit: "USD a month", Parts: []Part{{Name: "Hardware"}, {Name: "Power"}, {Name: "Staff"}},
	Bars: []Bar{
		{Name: "Colocation", Total: "15,959", Chosen: true, Pieces: []Piece{{Value: 9000}, {Value: 3000}, {Value: 3959}}},
		{Name: "按需云", Total: "40,179", Pieces: []Piece{{Value: 40179}, {}, {}}},
	},
}

func draw(t *testing.T, c Component) string {
	t.Helper()
	var b bytes.Buffer
	if err := c.Render(t.Context(), &b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestGolden(t *testing.T) {
	charts := map[string]Chart{"steps": rent, "lines": cost, "band": latency, "stack": memory, "bars": month}
	for name, c := range charts {
		for suffix, part := range map[string]Component{"": c, "_print": c.Print()} {
			t.Run(name+suffix, func(t *testing.T) {
				got := strings.ReplaceAll(draw(t, part), "><", ">\n<") + "\n"
				file := filepath.Join("testdata", name+suffix+".svg.golden")
				if *update {
					if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
						t.Fatal(err)
					}
				}
				want, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				if got != string(want) {
					t.Errorf("%s differs; look at it and run with -update", file)
				}
				wellFormed(t, got)
			})
		}
	}
}

func wellFormed(t *testing.T, svg string) {
	t.Helper()
	d := xml.NewDecoder(strings.NewReader("<x>" + svg + "</x>"))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("not well-formed: %v", err)
		}
		e, ok := token.(xml.StartElement)
		if !ok {
			continue
		}
		for _, a := range e.Attr {
			if a.Name.Local == "style" || strings.HasPrefix(a.Name.Local, "on") {
				t.Errorf("<%s> has %s, which the policy of the pages forbids", e.Name.Local, a.Name.Local)
			}
			if strings.Contains(a.Value, "NaN") || strings.Contains(a.Value, "Inf") {
				t.Errorf("<%s %s=%q>", e.Name.Local, a.Name.Local, a.Value)
			}
		}
	}
}

func TestStepsAreNeverInterpolated(t *testing.T) {
	for _, d := range regexp.MustCompile(` d="([^"]*)"`).FindAllStringSubmatch(draw(t, Steps{Today: day("2026-11-30"),
		Series: []Series{{Name: "A", Seen: []Observation{seen("2026-01-01", 1), seen("2026-03-01", 5), seen("2026-11-01", 2)}}}}.Print()), -1) {
		if strings.ContainsAny(d[1], "LC") && !strings.HasPrefix(d[1], "M") {
			t.Errorf("a step has a slope: %s", d[1])
		}
		if !strings.Contains(d[1], "H") {
			t.Errorf("a step does not hold: %s", d[1])
		}
	}
}

func TestLongGapsAreDotted(t *testing.T) {
	cases := []struct {
		name, second string
		dotted       bool
	}{{"119 days", "2026-04-30", false}, {"120 days", "2026-05-01", true}}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			got := draw(t, Steps{Today: day("2026-05-02"), Series: []Series{{Seen: []Observation{seen("2026-01-01", 1), seen(c.second, 2)}}}}.Print())
			if strings.Contains(got, `stroke-dasharray="1 4"`) != c.dotted {
				t.Errorf("dotted: want %v in %s", c.dotted, got)
			}
		})
	}
}

func TestOldEndsAreHollow(t *testing.T) {
	for today, hollow := range map[string]bool{"2026-02-15": false, "2026-02-16": true} {
		got := draw(t, Steps{Today: day(today), Series: []Series{{Seen: []Observation{seen("2026-01-01", 1)}}}}.Print())
		if strings.Contains(got, `r="3.5" class="ip s1"`) != hollow {
			t.Errorf("on %s: hollow, want %v", today, hollow)
		}
	}
}

func TestLabelsNeverTouch(t *testing.T) {
	cases := map[string][]float64{
		"all the same":     {100, 100, 100, 100},
		"at the top":       {16, 17, 18},
		"at the bottom":    {299, 300, 300},
		"two groups":       {50, 52, 54, 200, 201},
		"far apart":        {20, 100, 250},
		"chain of cascade": {100, 110, 120, 130, 140, 150},
	}
	for name, ys := range cases {
		t.Run(name, func(t *testing.T) {
			var labels []endLabel
			for i, y := range ys {
				labels = append(labels, endLabel{series: i, y: y})
			}
			spread(labels, 16, 300)
			for i, l := range labels {
				if l.at < 16-0.01 || l.at > 300.01 {
					t.Errorf("label %d at %.1f is outside", i, l.at)
				}
				if i > 0 && l.at-labels[i-1].at < labelGap-0.01 {
					t.Errorf("labels %d and %d are %.1f apart", i-1, i, l.at-labels[i-1].at)
				}
			}
		})
	}
}

func TestEmptyChartsDrawNothing(t *testing.T) {
	for name, c := range map[string]Chart{"steps": Steps{Series: []Series{{Name: "A"}}}, "lines": Lines{}, "bars": Bars{}, "stack": Stack{}} {
		if got := draw(t, c) + draw(t, c.Print()); !c.Empty() || got != "" {
			t.Errorf("%s: %q", name, got)
		}
	}
}

func TestZerosAndOneDay(t *testing.T) {
	wellFormed(t, draw(t, Steps{Series: []Series{{Name: "A", Seen: []Observation{seen("2026-01-01", 0)}}}}))
	wellFormed(t, draw(t, Lines{Lines: []Line{{Name: "A", Points: []XY{{3, 0}}}}}))
	wellFormed(t, draw(t, Bars{Bars: []Bar{{Name: "A"}}, Parts: []Part{{Name: "P"}}}))
	wellFormed(t, draw(t, Stack{Parts: []Part{{Name: "P"}}, Pieces: []Piece{{Text: "0 GiB"}}}))
}

// What is marked is inside the drawing, wherever it lies.
func TestBandsAndRingsAreInside(t *testing.T) {
	from, to, top := Lines{
		Lines: []Line{{Points: []XY{{5, 1}, {6, 2}}, Band: []Span{{5, 0, 3}, {6, 1, 9}}}}, Rings: []Ring{{At: XY{8, 4}}},
	}.span()
	if from != 5 || to != 8 || top != 9 {
		t.Errorf("from %g to %g, top %g", from, to, top)
	}
}

func TestTicks(t *testing.T) {
	cases := []struct {
		top  float64
		n    int
		want string
	}{
		{12.29, 6, "0.0 2.5 5.0 7.5 10.0 12.5"}, {1.65, 6, "0.0 0.5 1.0 1.5 2.0"}, {317_000, 5, "0 100,000 200,000 300,000 400,000"},
		{0, 5, "0 1"}, {7, 7, "0 1 2 3 4 5 6 7"},
	}
	for _, c := range cases {
		if got := strings.Join(tickLabels(ticks(c.top, c.n)), " "); got != c.want {
			t.Errorf("ticks(%g, %d) = %s, want %s", c.top, c.n, got, c.want)
		}
	}
}

func TestCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if err := rent.Render(ctx, io.Discard); err == nil {
		t.Error("no error after the context ended")
	}
}

func BenchmarkSteps(b *testing.B) {
	for b.Loop() {
		if err := rent.Render(b.Context(), io.Discard); err != nil {
			b.Fatal(err)
		}
	}
}
