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
	Text  string  // the figure, finished; printed where it fits
	Title string  // name and figure, shown on hover; Text when empty
}

// Bar is one row; Pieces run parallel to Bars.Parts.
type Bar struct {
	Name   string
	Pieces []Piece
	Total  string // printed at the end
	Chosen bool   // the row the page is about
}

// Bars is a horizontal stacked bar chart with one row per thing compared.
type Bars struct {
	Label string // one sentence that says what the chart says
	Unit  string
	Parts []Part
	Bars  []Bar
}

// Empty reports whether there is no bar.
func (b Bars) Empty() bool { return len(b.Bars) == 0 }

// Render writes the wide and the narrow drawing.
func (b Bars) Render(ctx context.Context, w io.Writer) error { return render(ctx, w, b) }

func (b Bars) draw(f format) *canvas { return newCanvas(f.width, f.height, b.Label) }

// Stack is one bar across the whole width that shows what fills a capacity, for example the
// memory of a GPU. Its legend repeats every figure.
type Stack struct {
	Label  string // one sentence that says what the chart says
	Whole  string // capacity with its unit, printed at the end: "79.18 GiB usable"
	Parts  []Part
	Pieces []Piece // parallel to Parts
	Top    float64 // capacity; pieces beyond it are drawn past a red limit; 0 takes their sum
}

// Empty reports whether there is no piece.
func (s Stack) Empty() bool { return len(s.Pieces) == 0 }

// Render writes the wide and the narrow drawing.
func (s Stack) Render(ctx context.Context, w io.Writer) error { return render(ctx, w, s) }

func (s Stack) draw(f format) *canvas { return newCanvas(f.width, f.height, s.Label) }
