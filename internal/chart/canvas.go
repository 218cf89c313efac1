package chart

import (
	"html"
	"math"
	"strconv"
	"strings"
)

// palette gives each class of the style sheet its colour on paper.
var palette = map[string]string{
	"i0": "#17191e", "i2": "#474a53", "i3": "#62656e", "ip": "#ffffff", "ib": "#a3201a",
	"l2": "#474a53", "l3": "#8b877c", "lg": "#e6e3da", "lp": "#ffffff", "lb": "#a3201a", "le": "#7f7b71", "ll": "#c4c0b4",
	"f1": "#2a3cbe", "f2": "#b4501a", "f3": "#0b7468", "f4": "#8a2a78", "f5": "#6b6759",
	"s1": "#2a3cbe", "s2": "#b4501a", "s3": "#0b7468", "s4": "#8a2a78", "s5": "#6b6759",
	"g1": "#d5daf6", "g2": "#f3ddcf", "g3": "#cfe6e2", "g4": "#ecd6e8", "g5": "#e2dfd6",
}

// hues is the number of series colours; a later series repeats a hue with dashes.
const hues = 5

// fill, stroke and soft return the class of the i-th series.
func fill(i int) string   { return "f" + strconv.Itoa(i%hues+1) }
func stroke(i int) string { return "s" + strconv.Itoa(i%hues+1) }
func soft(i int) string   { return "g" + strconv.Itoa(i%hues+1) }

// look is how a shape is painted: classes of the style sheet and measures.
type look struct {
	fill   string // class, "" for none
	stroke string // class, "" for none
	width  float64
	dash   string
	title  string // figure shown on hover and read to screen readers
}

// plain is a filled shape without an edge.
func plain(class string) look { return look{fill: class} }

// script is how a text is set.
type script struct {
	fill   string // class
	size   float64
	anchor string // "", "middle", "end"
	bold   bool
	halo   bool // paper-coloured outline, for text over lines
}

// canvas collects the elements of one drawing.
type canvas struct {
	w, h  float64
	label string
	b     strings.Builder
}

func newCanvas(w, h float64, label string) *canvas { return &canvas{w: w, h: h, label: label} }

// svg returns the finished element.
func (c *canvas) svg() string {
	size := num(c.w) + `" height="` + num(c.h)
	return `<svg viewBox="0 0 ` + num(c.w) + " " + num(c.h) + `" width="` + size + `" role="img" aria-label="` +
		html.EscapeString(c.label) + `">` + c.b.String() + `</svg>`
}

// num writes a coordinate with one decimal at most.
func num(v float64) string {
	r := math.Round(v*10) / 10
	if r == 0 {
		return "0" // no "-0"
	}
	return strconv.FormatFloat(r, 'f', -1, 64)
}

func (c *canvas) attr(name, value string) {
	if value != "" {
		c.b.WriteString(" " + name + `="` + html.EscapeString(value) + `"`)
	}
}

func (c *canvas) coords(pairs ...any) {
	for i := 0; i+1 < len(pairs); i += 2 {
		c.attr(pairs[i].(string), num(pairs[i+1].(float64)))
	}
}

// paint writes the attributes of a shape and closes it.
func (c *canvas) paint(tag string, l look) {
	c.attr("class", strings.TrimSpace(l.fill+" "+l.stroke))
	if l.fill == "" {
		c.attr("fill", "none")
	} else {
		c.attr("fill", palette[l.fill])
	}
	if l.stroke != "" {
		c.attr("stroke", palette[l.stroke])
		c.attr("stroke-width", num(l.width))
		c.attr("stroke-dasharray", l.dash)
	}
	if l.title == "" {
		c.b.WriteString("/>")
		return
	}
	c.b.WriteString("><title>" + html.EscapeString(l.title) + "</title></" + tag + ">")
}

func (c *canvas) line(x1, y1, x2, y2 float64, l look) {
	c.b.WriteString("<line")
	c.coords("x1", x1, "y1", y1, "x2", x2, "y2", y2)
	c.paint("line", l)
}

func (c *canvas) path(d string, l look) {
	if d == "" {
		return
	}
	c.b.WriteString("<path")
	c.attr("d", d)
	c.attr("stroke-linejoin", "round")
	c.paint("path", l)
}

func (c *canvas) rect(x, y, w, h float64, l look) {
	c.b.WriteString("<rect")
	c.coords("x", x, "y", y, "width", w, "height", h)
	c.paint("rect", l)
}

func (c *canvas) circle(x, y, r float64, l look) {
	c.b.WriteString("<circle")
	c.coords("cx", x, "cy", y, "r", r)
	c.paint("circle", l)
}

func (c *canvas) text(x, y float64, t script, s string) {
	if s == "" {
		return
	}
	c.b.WriteString("<text")
	c.coords("x", x, "y", y)
	class := t.fill
	if t.halo {
		class += " lp"
	}
	c.attr("class", class)
	c.attr("fill", palette[t.fill])
	c.attr("font-size", num(t.size))
	c.attr("text-anchor", t.anchor)
	if t.bold {
		c.attr("font-weight", "600")
	}
	if t.halo {
		c.attr("stroke", palette["lp"])
		c.attr("stroke-width", "3")
		c.attr("stroke-linejoin", "round")
		c.attr("paint-order", "stroke")
	}
	c.b.WriteString(">" + html.EscapeString(s) + "</text>")
}
