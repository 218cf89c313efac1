package chart

import (
	"context"
	"io"
	"strings"
	"time"
)

// How old an observation may be before a drawing says so.
const (
	gapDays   = 120 // nobody looked for so long: the step is dotted
	staleDays = 45  // the last mark is hollow from here on
)

// Observation is a value seen on a day.
type Observation struct {
	Day   time.Time
	Value float64 // position only, in the unit of the axis
	Title string  // the figure with its date and source, shown on hover
}

// Series is the history of one thing.
type Series struct {
	Name  string
	Value string // newest figure, printed behind the name
	Seen  []Observation
}

// Steps is a history: a value holds until the next observation and is never interpolated.
// A step over 120 days or more is dotted; the last mark is hollow when older than 45 days.
type Steps struct {
	Label  string // one sentence that says what the chart says
	Unit   string // of the value axis, printed above it
	Series []Series
	Today  time.Time // age is counted to this day
}

// Empty reports whether no series has an observation.
func (s Steps) Empty() bool { return len(s.seen()) == 0 }

// Render writes the wide and the narrow drawing.
func (s Steps) Render(ctx context.Context, w io.Writer) error { return render(ctx, w, s) }

// Print returns the drawing for paper.
func (s Steps) Print() Component { return printed{s} }

// seen returns the series that have observations.
func (s Steps) seen() []Series {
	var out []Series
	for _, x := range s.Series {
		if len(x.Seen) > 0 {
			out = append(out, x)
		}
	}
	return out
}

func (s Steps) span() (from, to time.Time, top float64) {
	for _, x := range s.Series {
		for _, o := range x.Seen {
			if from.IsZero() || o.Day.Before(from) {
				from = o.Day
			}
			if o.Day.After(to) {
				to = o.Day
			}
			top = max(top, o.Value)
		}
	}
	if !from.Before(to) { // one day only: room on both sides
		from, to = from.AddDate(0, -1, 0), to.AddDate(0, 0, 15)
	}
	return from, to, top
}

func (s Steps) draw(f format) *canvas {
	from, to, top := s.span()
	series := s.seen()
	labels := make([]endLabel, len(series))
	for i, x := range series {
		labels[i] = endLabel{series: i, name: x.Name, value: x.Value}
	}
	p := newPlot(f, plotText{label: s.Label, unit: s.Unit}, top, labels)
	p.dayAxis(from, to)
	for i, x := range series {
		p.steps(i, x.Seen)
	}
	for i, x := range series {
		last := x.Seen[len(x.Seen)-1]
		labels[i].x, labels[i].y = p.x.at(days(last.Day)), p.y.at(last.Value)
		l := look{fill: fill(i), stroke: stroke(i), width: 1.8, title: last.Title}
		if s.Today.Sub(last.Day) > staleDays*24*time.Hour {
			l.fill = "ip"
		}
		p.circle(labels[i].x, labels[i].y, 3.5, l)
	}
	p.endLabels(labels)
	return p.canvas
}

// steps draws one history as a solid and a dotted path, with a small mark per observation.
func (p *plot) steps(i int, seen []Observation) {
	var solid, dotted strings.Builder
	for j := 0; j+1 < len(seen); j++ {
		a, b := seen[j], seen[j+1]
		d := &solid
		if b.Day.Sub(a.Day) >= gapDays*24*time.Hour {
			d = &dotted
		}
		x, y := p.x.at(days(a.Day)), p.y.at(a.Value)
		d.WriteString("M" + num(x) + " " + num(y) + "H" + num(p.x.at(days(b.Day))) + "V" + num(p.y.at(b.Value)))
	}
	p.path(dotted.String(), look{stroke: stroke(i), width: 1.5, dash: "1 4"})
	dash := ""
	if i >= hues {
		dash = "7 4"
	}
	p.path(solid.String(), look{stroke: stroke(i), width: 2, dash: dash})
	for _, o := range seen[:len(seen)-1] {
		p.circle(p.x.at(days(o.Day)), p.y.at(o.Value), 2, look{fill: fill(i), title: o.Title})
	}
}

// days is the position of a day on the axis.
func days(t time.Time) float64 { return float64(t.Unix()) / 86400 }
