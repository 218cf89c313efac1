// Package chart draws small static SVG charts on the server: price histories as steps,
// costs as lines, stacks as bars.
//
// A chart takes numbers for positions and finished, translated strings for everything that
// is read; it formats nothing but the ticks of its axes. Its entry points are the chart
// types: each is a templ component that writes a wide and a narrow drawing, of which the
// style sheet shows one, and its Print method gives the single drawing for paper.
//
// Colours stand in presentation attributes (for paper) and again as classes (for the
// themes of the page), never in style attributes, so a strict content security policy
// needs no exception. The package knows neither templates nor fonts nor PDF.
package chart

import (
	"context"
	"io"
)

// Component is what a template can place; it is templ.Component by structure.
type Component interface {
	Render(ctx context.Context, w io.Writer) error
}

// Chart is one of the chart types of this package.
type Chart interface {
	Component
	// Empty reports whether there is nothing to draw; Render then writes nothing.
	Empty() bool
	// Print returns the drawing for paper.
	Print() Component
	draw(f format) *canvas
}

// format is the drawing surface a chart is laid out for.
type format struct {
	width  float64
	height float64 // of charts with a value axis; stacks choose their own
	narrow bool    // a phone or a side column: names are shortened, ticks are fewer
}

var (
	wideFormat   = format{width: 850, height: 320}
	narrowFormat = format{width: 340, height: 270, narrow: true}
	paperFormat  = format{width: 660, height: 250}
)

// render writes both drawings of a chart in the wrappers that the style sheet switches.
func render(ctx context.Context, w io.Writer, c Chart) error {
	if c.Empty() {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	wide, narrow := c.draw(wideFormat), c.draw(narrowFormat)
	_, err := io.WriteString(w, `<div class="at-wide">`+wide.svg()+`</div><div class="at-narrow">`+narrow.svg()+`</div>`)
	return err
}

// printed is the one drawing of a chart for a sheet of paper.
type printed struct{ chart Chart }

// Render writes the drawing for paper.
func (p printed) Render(ctx context.Context, w io.Writer) error {
	if p.chart.Empty() {
		return nil
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	_, err := io.WriteString(w, p.chart.draw(paperFormat).svg())
	return err
}
