package chart

import (
	"context"
	"io"
)

// Stack is one bar across the whole width that shows what fills a capacity, for example the
// memory of a GPU. Its legend repeats every figure.
type Stack struct {
	Label  string // one sentence that says what the chart says
	Whole  string // capacity with its unit, printed at the end: "79.18 GiB usable"
	Parts  []Part
	Pieces []Piece // parallel to Parts
	Top    float64 // capacity; what goes beyond it is drawn past a red limit; 0 takes the sum
}

// Empty reports whether there is no piece.
func (s Stack) Empty() bool { return len(s.Pieces) == 0 || len(s.Parts) < len(s.Pieces) }

// Render writes the wide and the narrow drawing.
func (s Stack) Render(ctx context.Context, w io.Writer) error { return render(ctx, w, s) }

// Print returns the drawing for paper.
func (s Stack) Print() Component { return printed{s} }

const (
	stackTop    = 16.0
	stackHeight = 34.0
	stackSize   = 13.0 // font size of the figures in the bar
)

func (s Stack) draw(f format) *canvas {
	c := newCanvas(f.width, stackTop+stackHeight, s.Label)
	sum := 0.0
	for _, p := range s.Pieces {
		sum += max(p.Value, 0)
	}
	top := max(s.Top, 0)
	if top == 0 {
		top = sum
	}
	x := scale{hi: max(top, sum), b: f.width}
	c.text(0, 10, script{fill: "i3", size: tickSize}, "0")
	at, anchor := x.at(top), "end"
	if at < 0.4*f.width {
		anchor = ""
	}
	c.text(at, 10, script{fill: "i3", size: tickSize, anchor: anchor}, s.Whole)
	s.pieces(c, x)
	if sum > top*1.0001 {
		c.line(at, stackTop-4, at, stackTop+stackHeight+4, look{stroke: "lb", width: 2, dash: "6 4"})
	}
	s.figures(c, f)
	return c
}

// pieces draws the bar itself, with the figure in each piece that has room for it.
func (s Stack) pieces(c *canvas, x scale) {
	sum := 0.0
	for i, p := range s.Pieces {
		if p.Value <= 0 {
			continue
		}
		from := x.at(sum)
		sum += p.Value
		w := max(x.at(sum)-from-1, 0.5)
		c.rect(from, stackTop, w, stackHeight, pieceLook(i, s.Parts[i], p.Title))
		if textWidth(p.Text, stackSize)+12 > w {
			continue
		}
		class := "ip"
		if s.Parts[i].Hollow || i >= hues {
			class = "i2"
		}
		c.text(from+8, stackTop+21, script{fill: class, size: stackSize, bold: true}, p.Text)
	}
}

// figures writes the legend: side by side where it is wide, one below the other where it is narrow.
func (s Stack) figures(c *canvas, f format) {
	y := stackTop + stackHeight + 15
	if f.narrow {
		for i, p := range s.Pieces {
			c.rect(0, y, 10, 10, pieceLook(i, s.Parts[i], ""))
			c.text(17, y+9, script{fill: "i2", size: barSize}, s.Parts[i].Name)
			c.text(f.width, y+9, script{fill: "i0", size: barSize, anchor: "end"}, p.Text)
			y += 22
		}
		c.h = y
		return
	}
	columns := min(len(s.Pieces), 5)
	step := f.width / float64(columns)
	for i, p := range s.Pieces {
		left, top := step*float64(i%columns), y+38*float64(i/columns)
		c.rect(left, top, 10, 10, pieceLook(i, s.Parts[i], ""))
		c.text(left+16, top+9, script{fill: "i2", size: labelSize}, shorten(s.Parts[i].Name, labelSize, step-22))
		c.text(left+16, top+24, script{fill: "i0", size: labelSize, bold: true}, p.Text)
		c.h = top + 30
	}
}
