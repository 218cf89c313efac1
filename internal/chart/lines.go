package chart

import (
	"context"
	"io"
	"math"
	"slices"
	"strings"
)

// XY is a point of a line, in the units of the axes.
type XY struct{ X, Y float64 }

// Line is one curve.
type Line struct {
	Name   string
	Value  string // last figure, printed behind the name
	Points []XY
	Dashed bool     // known less well than the others
	Dots   []string // titles of the points, which are then drawn; "" draws without one
	Band   []Span   // drawn softly behind the line
}

// Span is the range in which a figure lies at one place of a line.
type Span struct{ X, Low, High float64 }

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

// Lines draws curves over a count (months, requests a second), with bands, rings and limits.
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

// Print returns the drawing for paper.
func (l Lines) Print() Component { return printed{l} }

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
		for _, b := range x.Band {
			from, to, top = min(from, b.X), max(to, b.X), max(top, b.High)
		}
	}
	for _, x := range l.Limits {
		top = max(top, x.Value)
	}
	for _, r := range l.Rings {
		from, to, top = min(from, r.At.X), max(to, r.At.X), max(top, r.At.Y)
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
	p := newPlot(f, plotText{l.Label, l.YUnit, l.XUnit}, top, labels)
	p.countAxis(from, to, l.XStep, f.narrow)
	for i, x := range lines {
		p.path(p.area(x.Band), plain(soft(i)))
	}
	for i, x := range lines {
		look := look{stroke: stroke(i), width: 2}
		if x.Dashed || i >= hues {
			look.dash = "7 4"
		}
		p.path(p.polyline(x.Points), look)
		last := x.Points[len(x.Points)-1]
		labels[i].x, labels[i].y = p.x.at(last.X), p.y.at(last.Y)
		p.circle(labels[i].x, labels[i].y, 3, plain(fill(i)))
		for k, title := range x.Dots[:min(len(x.Dots), len(x.Points))] {
			dot := plain(fill(i))
			dot.title = title
			p.circle(p.x.at(x.Points[k].X), p.y.at(x.Points[k].Y), 3, dot)
		}
	}
	for _, x := range l.Limits {
		y := p.y.at(x.Value)
		p.line(p.left, y, p.right, y, look{stroke: "lb", width: 1.5, dash: "6 4"})
		p.text(p.left+6, y-6, script{fill: "ib", size: labelSize, bold: true, halo: true}, x.Text)
	}
	for _, x := range l.Rings {
		p.ring(x)
	}
	p.endLabels(labels)
	return p.canvas
}

// ring draws a mark around a point with its text above, on the side where there is room.
func (p *plot) ring(r Ring) {
	x, y := p.x.at(r.At.X), p.y.at(r.At.Y)
	p.line(x, y+6, x, p.bottom, look{stroke: "l2", width: 1, dash: "2 3"})
	p.circle(x, y, 5.5, look{fill: "ip", stroke: "l2", width: 2, title: r.Title})
	t := script{fill: "i0", size: labelSize, bold: true, halo: true, anchor: "end"}
	if dx := textWidth(r.Text, labelSize) + 10; x-dx < p.left {
		t.anchor, x = "", x+18
	}
	p.text(x-9, max(y-9, p.top+8), t, r.Text)
}

// polyline returns the path through points.
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

// area returns the outline of a band: along its lower edge and back along the upper one.
func (p *plot) area(band []Span) string {
	if len(band) < 2 {
		return ""
	}
	edge := make([]XY, 0, 2*len(band))
	for _, b := range band {
		edge = append(edge, XY{b.X, b.Low})
	}
	for _, b := range slices.Backward(band) {
		edge = append(edge, XY{b.X, b.High})
	}
	return p.polyline(edge) + "Z"
}
