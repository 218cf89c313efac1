package chart

import (
	"context"
	"io"
)

// Part is one kind of piece in stacked bars, with its place in the legend.
type Part struct {
	Name   string
	Hollow bool // free room, not used: dashed outline without a fill
}

// Piece is the share of one part in a bar.
type Piece struct {
	Value float64 // length only, in the unit of the axis
	Text  string  // the figure, finished
	Title string  // name and figure, shown on hover
}

// Bar is one row; Pieces run parallel to Bars.Parts.
type Bar struct {
	Name   string
	Pieces []Piece
	Total  string // printed at the end
	Chosen bool   // the row the page is about: its name and total are bold
}

// Bars is a horizontal stacked bar chart with one row per thing compared. With a single part
// it is a plain bar chart without a legend.
type Bars struct {
	Label string // one sentence that says what the chart says
	Unit  string // of the totals, printed above
	Parts []Part
	Bars  []Bar
}

// Empty reports whether there is no bar.
func (b Bars) Empty() bool { return len(b.Bars) == 0 }

// Render writes the wide and the narrow drawing.
func (b Bars) Render(ctx context.Context, w io.Writer) error { return render(ctx, w, b) }

// Print returns the drawing for paper.
func (b Bars) Print() Component { return printed{b} }

const (
	barRow    = 30.0
	barHeight = 16.0
	barSize   = 12.0 // font size of names and totals
)

func (b Bars) draw(f format) *canvas {
	c := newCanvas(f.width, 0, b.Label)
	top := 4.0
	if b.Unit != "" {
		c.text(0, 11, script{fill: "i3", size: tickSize}, b.Unit)
		top = 22
	}
	if len(b.Parts) > 1 {
		top = c.legend(b.Parts, top, f.width)
	}
	left, right, most := b.room(f)
	c.h = top + barRow*float64(len(b.Bars))
	x := scale{hi: most, a: left, b: f.width - right}
	if most == 0 {
		x.hi = 1
	}
	for i, bar := range b.Bars {
		c.bar(bar, b.Parts, x, top+barRow*float64(i))
	}
	return c
}

// room returns the widths of names and totals and the longest sum.
func (b Bars) room(f format) (left, right, most float64) {
	for _, bar := range b.Bars {
		left = max(left, textWidth(bar.Name, barSize)+12)
		right = max(right, textWidth(bar.Total, barSize)+8)
		sum := 0.0
		for _, p := range bar.Pieces {
			sum += max(p.Value, 0)
		}
		most = max(most, sum)
	}
	return min(left, 0.4*f.width), min(right, 0.3*f.width), most
}

// bar draws one row whose top is at y.
func (c *canvas) bar(bar Bar, parts []Part, x scale, y float64) {
	text := script{fill: "i2", size: barSize}
	if bar.Chosen {
		text = script{fill: "i0", size: barSize, bold: true}
	}
	c.text(0, y+barHeight-3.5, text, shorten(bar.Name, barSize, x.a-10))
	sum := 0.0
	for i, p := range bar.Pieces {
		if p.Value <= 0 || i >= len(parts) {
			continue
		}
		from := x.at(sum)
		sum += p.Value
		c.rect(from, y, max(x.at(sum)-from-0.5, 0.5), barHeight, pieceLook(i, parts[i], p.Title))
	}
	c.text(x.at(sum)+7, y+barHeight-3.5, text, bar.Total)
}

// pieceLook paints a piece: filled, or hollow where the room is free.
func pieceLook(i int, p Part, title string) look {
	if p.Hollow {
		return look{fill: "ip", stroke: "le", width: 1, dash: "3 3", title: title}
	}
	if i >= hues {
		return look{fill: soft(i), stroke: stroke(i), width: 1, title: title}
	}
	return look{fill: fill(i), title: title}
}

// legend writes the names of parts in rows and returns the height below them.
func (c *canvas) legend(parts []Part, y, width float64) float64 {
	x := 0.0
	for i, p := range parts {
		w := textWidth(p.Name, labelSize) + 32
		if x > 0 && x+w > width {
			x, y = 0, y+18
		}
		c.rect(x, y, 10, 10, pieceLook(i, p, ""))
		c.text(x+16, y+9, script{fill: "i2", size: labelSize}, p.Name)
		x += w
	}
	return y + 24
}
