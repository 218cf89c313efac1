package quote

import (
	"os"
	"strings"
	"testing"
	"time"
	_ "time/tzdata" // for machines without zones

	"rackwright/internal/apperr"
)

// The table as it stands in docs/quote_lifecycle.md, one row for each state, events in the order of
// Transitions; "-" is refused.
const lifecycle = `
draft             | draft  awaiting_approval -        -     sent -          -        -        lost cancelled -          - -
awaiting_approval | draft  -                 approved draft -    -          -        -        lost cancelled -          - -
approved          | draft  -                 -        draft sent -          -        -        lost cancelled -          - -
sent              | -      -                 -        -     -    sent       accepted declined lost cancelled sent       superseded sent
expired           | -      -                 -        -     -    expired    -        -        lost cancelled expired    superseded sent
accepted          | -      -                 -        -     -    accepted   -        -        -    cancelled accepted   superseded -
declined          | -      -                 -        -     -    declined   -        -        lost -         declined   - -
lost              | -      -                 -        -     -    -          -        -        -    -         lost       - -
cancelled         | -      -                 -        -     -    -          -        -        -    -         cancelled  - -
superseded        | -      -                 -        -     -    superseded -        -        -    -         -          - -`

func TestEveryStateAndEvent(t *testing.T) {
	seen := map[State]bool{}
	for row := range strings.SplitSeq(strings.TrimSpace(lifecycle), "\n") {
		name, cells, _ := strings.Cut(row, "|")
		state, ok := ParseState(strings.TrimSpace(name))
		if !ok {
			t.Fatalf("no state %q", name)
		}
		seen[state] = true
		want := strings.Fields(cells)
		if len(want) != len(Transitions) {
			t.Fatalf("%s: %d cells for %d events", state, len(want), len(Transitions))
		}
		for i, event := range Transitions {
			got, err := Next(state, event)
			if want[i] == "-" {
				if !apperr.Is(err, apperr.Conflict) || got != state || state.Can(event) {
					t.Errorf("%s on %s: %s, %v; want a conflict", event, state, got, err)
				}
				continue
			}
			if err != nil || string(got) != want[i] || !state.Can(event) {
				t.Errorf("%s on %s: %s, %v; want %s", event, state, got, err, want[i])
			}
		}
	}
	for _, s := range States {
		if !seen[s] {
			t.Errorf("%s is not in the table", s)
		}
	}
}

// The document shows every transition that there is, and no other.
func TestLifecycleDocument(t *testing.T) {
	raw, err := os.ReadFile("../../docs/quote_lifecycle.md")
	if err != nil {
		t.Fatal(err)
	}
	drawn := map[string]bool{}
	for line := range strings.Lines(string(raw)) {
		arrow, label, ok := strings.Cut(strings.TrimSpace(line), ": ")
		if !ok || !strings.Contains(arrow, " --> ") {
			continue
		}
		for event := range strings.SplitSeq(label, ", ") {
			drawn[arrow+": "+event] = true
		}
	}
	for _, s := range States {
		for _, e := range Transitions {
			next, err := Next(s, e)
			if err != nil || next == s {
				continue // what stays where it is is in the table below the picture
			}
			arrow := string(s) + " --> " + string(next) + ": " + string(e)
			if !drawn[arrow] {
				t.Errorf("not drawn: %s", arrow)
			}
			delete(drawn, arrow)
		}
	}
	delete(drawn, "sent --> expired: time")
	for arrow := range drawn {
		t.Errorf("drawn and impossible: %s", arrow)
	}
}

func TestStateAt(t *testing.T) {
	singapore := time.FixedZone("UTC+8", 8*3600)
	west := time.FixedZone("UTC-6", -6*3600)
	day := func(s string) time.Time { d, _ := time.Parse(time.DateOnly, s); return d }
	tests := []struct {
		name    string
		stored  State
		validTo string
		now     string
		zone    *time.Location
		want    State
	}{
		{"PR045 the last day", Sent, "2026-12-14", "2026-12-14T15:59:59Z", singapore, Sent},
		{"PR045 the next day", Sent, "2026-12-14", "2026-12-14T16:00:00Z", singapore, Expired},
		{"PR046 evening in the west", Sent, "2026-09-03", "2026-09-04T01:59:00Z", west, Sent},
		{"PR046 the day before", Sent, "2026-09-02", "2026-09-04T01:59:00Z", west, Expired},
		{"PR047 accepted", Accepted, "2026-01-01", "2026-09-04T00:00:00Z", west, Accepted},
		{"PR047 lost", Lost, "2026-01-01", "2026-09-04T00:00:00Z", west, Lost},
		{"PR047 cancelled", Cancelled, "2026-01-01", "2026-09-04T00:00:00Z", west, Cancelled},
		{"PR047 superseded", Superseded, "2026-01-01", "2026-09-04T00:00:00Z", west, Superseded},
		{"a draft does not expire", Draft, "2026-01-01", "2026-09-04T00:00:00Z", west, Draft},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			now, err := time.Parse(time.RFC3339, tt.now)
			if err != nil {
				t.Fatal(err)
			}
			if got := StateAt(tt.stored, EndOfDay(day(tt.validTo), tt.zone), now); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
}

// A day can be 23 or 25 hours long; its end is the start of the next.
func TestEndOfDayWithClockChange(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	end := EndOfDay(time.Date(2026, 10, 25, 0, 0, 0, 0, time.UTC), berlin)
	if want := time.Date(2026, 10, 25, 23, 0, 0, 0, time.UTC); !end.Equal(want) {
		t.Errorf("got %s, want %s", end.UTC(), want)
	}
}
