package chart

import (
	"context"
	"io"
	"math"
	"strings"
)

// XY is a point of a line, in the units of the axes.
type XY struct{ X, Y float64 }

// Line is one curve.
type Line struct {
	Name   string
	Value  string // last figure, printed behind the name
	Points []XY
	Dashed bool // known less well than the others
}

// Ring marks a point where something turns, for example the break-even month.
type Ring struct {
	At    XY
	Text  string // printed beside the ring
	Title string // sentence shown on hover
}

// Limit is a value that must not be passed, drawn red and dashed.
type Limit struct {
	Value float64
	Text  string
}

// Lines draws curves over a count (months, requests a second), with rings and limits.
type Lines struct {
	Label  string  // one sentence that says what the chart says
	XUnit  string  // below the horizontal axis
	YUnit  string  // above the value axis
	XStep  float64 // distance of ticks; 0 chooses
	Lines  []Line
	Rings  []Ring
	Limits []Limit
}

// Empty reports whether no line has a point.
func (l Lines) Empty() bool { return len(l.drawn()) == 0 }

// Render writes the wide and the narrow drawing.
func (l Lines) Render(ctx context.Context, w io.Writer) error { return render(ctx, w, l) }

func (l Lines) drawn() []Line {
	var out []Line
	for _, x := range l.Lines {
		if len(x.Points) > 0 {
			out = append(out, x)
		}
	}
	return out
}

func (l Lines) span() (from, to, top float64) {
	from, to = math.Inf(1), math.Inf(-1)
	for _, x := range l.Lines {
		for _, p := range x.Points {
			from, to, top = min(from, p.X), max(to, p.X), max(top, p.Y)
		}
	}
	for _, x := range l.Limits {
		top = max(top, x.Value)
	}
	return from, to, top
}

func (l Lines) draw(f format) *canvas {
	from, to, top := l.span()
	lines := l.drawn()
	labels := make([]endLabel, len(lines))
	for i, x := range lines {
		labels[i] = endLabel{series: i, name: x.Name, value: x.Value}
	}
	f.height += 16 // for the unit of the horizontal axis
	p := newPlot(f, l.Label, l.YUnit, top, labels)
	p.bottom -= 16
	_ = from
	_ = to
	return p.canvas
}

// path returns the line through points.
func (p *plot) polyline(points []XY) string {
	var d strings.Builder
	for i, q := range points {
		op := "L"
		if i == 0 {
			op = "M"
		}
		d.WriteString(op + num(p.x.at(q.X)) + " " + num(p.y.at(q.Y)))
	}
	return d.String()
}
