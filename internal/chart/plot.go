package chart

import (
	"math"
	"time"
)

// plot is a canvas with a value axis from 0 and a horizontal axis.
type plot struct {
	*canvas
	x, y   scale
	left   float64
	right  float64 // of the plot; end labels stand to the right of it
	top    float64
	bottom float64
	room   float64 // width for end labels
}

const tickSize = 11

// plotText is what a plot says besides its marks.
type plotText struct {
	label string // sentence for screen readers
	unit  string // above the value axis
	below string // below the horizontal axis
}

// newPlot draws the value axis and leaves room on the right for the given labels.
func newPlot(f format, say plotText, top float64, labels []endLabel) *plot {
	share, n := 0.34, 6
	if f.narrow {
		share, n = 0.36, 5
	}
	p := &plot{canvas: newCanvas(f.width, f.height, say.label), top: 16, bottom: f.height - 24}
	if say.unit != "" {
		p.top = 26
		p.text(0, 11, script{fill: "i2", size: tickSize}, say.unit)
	}
	if say.below != "" {
		p.h += 17
	}
	vs := ticks(top, n)
	texts := tickLabels(vs)
	for _, t := range texts {
		p.left = max(p.left, textWidth(t, tickSize)+9)
	}
	p.room = labelRoom(labels, share*f.width)
	p.right = f.width - p.room - 18
	p.y = scale{lo: 0, hi: vs[len(vs)-1], a: p.bottom, b: p.top}
	for i, v := range vs {
		class := "lg"
		if i == 0 {
			class = "l3"
		}
		p.line(p.left, p.y.at(v), p.right, p.y.at(v), look{stroke: class, width: 1})
		p.text(p.left-7, p.y.at(v)+4, script{fill: "i3", size: tickSize, anchor: "end"}, texts[i])
	}
	p.text(p.right, p.bottom+33, script{fill: "i2", size: tickSize, anchor: "end"}, say.below)
	return p
}

// countAxis sets the horizontal axis to a span of numbers; step 0 chooses the distance of ticks.
func (p *plot) countAxis(from, to, step float64, narrow bool) {
	if from >= to {
		to = from + 1
	}
	p.x = scale{lo: from, hi: to, a: p.left, b: p.right}
	n := 9.0
	if narrow {
		n = 5
	}
	if step <= 0 {
		step = niceStep(to-from, int(n))
	}
	for (to-from)/step > n {
		step *= 2
	}
	var at []float64
	for v := math.Ceil(from/step) * step; v <= to+step*1e-9; v += step {
		at = append(at, v)
	}
	for i, t := range tickLabels(at) {
		x := p.x.at(at[i])
		p.line(x, p.bottom, x, p.bottom+4, look{stroke: "l3", width: 1})
		p.text(x, p.bottom+16, script{fill: "i3", size: tickSize, anchor: "middle"}, t)
	}
}

// dayAxis sets the horizontal axis to a span of days.
func (p *plot) dayAxis(from, to time.Time) {
	p.x = scale{lo: days(from), hi: days(to), a: p.left, b: p.right}
	for _, t := range dayTicks(from, to, max(int((p.right-p.left)/64), 1)) {
		x := p.x.at(days(t.day))
		fill := "i3"
		if t.year {
			p.line(x, p.top, x, p.bottom, look{stroke: "lg", width: 1})
			fill = "i2"
		}
		p.line(x, p.bottom, x, p.bottom+4, look{stroke: "l3", width: 1})
		p.text(x, p.bottom+16, script{fill: fill, size: tickSize, anchor: "middle"}, t.label)
	}
}

// endLabels spreads and writes the names of the lines.
func (p *plot) endLabels(labels []endLabel) {
	spread(labels, p.top, p.bottom)
	p.drawLabels(labels, p.right+14, p.room)
}
