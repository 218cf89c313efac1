package chart

import "sort"

// endLabel is the name of a line at its last mark.
type endLabel struct {
	series int
	x, y   float64 // of the mark
	at     float64 // where the text stands, set by spread
	name   string
	value  string
}

const (
	labelSize = 11.5
	labelGap  = 14.0 // distance of two labels' base lines
)

// spread moves labels apart so that none touch, keeping their order by height and staying
// between top and bottom as far as there is room.
func spread(labels []endLabel, top, bottom float64) {
	sort.SliceStable(labels, func(i, j int) bool { return labels[i].y < labels[j].y })
	for i := range labels {
		labels[i].at = labels[i].y
	}
	// Clusters grow until none overlap: each is centred on the mean of its marks.
	type cluster struct {
		from, to int
		centre   float64
	}
	var cs []cluster
	for i := range labels {
		cs = append(cs, cluster{i, i, labels[i].y})
		for len(cs) > 1 {
			a, b := cs[len(cs)-2], cs[len(cs)-1]
			na, nb := float64(a.to-a.from+1), float64(b.to-b.from+1)
			if a.centre+na*labelGap/2 <= b.centre-nb*labelGap/2 {
				break
			}
			merged := cluster{a.from, b.to, (a.centre*na + b.centre*nb) / (na + nb)}
			half := (na + nb - 1) * labelGap / 2
			merged.centre = max(min(merged.centre, bottom-half), top+half)
			cs = append(cs[:len(cs)-2], merged)
		}
	}
	for _, c := range cs {
		n := float64(c.to - c.from)
		for i := c.from; i <= c.to; i++ {
			labels[i].at = c.centre + (float64(i-c.from)-n/2)*labelGap
		}
	}
}

// text returns the label as printed in the given width: the name is shortened, never the value.
func (l endLabel) text(width float64) string {
	if l.value == "" {
		return shorten(l.name, labelSize, width)
	}
	const slack = 0.01 // sums of widths differ in their last digits
	room := width - textWidth(" "+l.value, labelSize) + slack
	return shorten(l.name, labelSize, room) + " " + l.value
}

// labelRoom returns the width that the longest label needs, at most the given share of the drawing.
func labelRoom(labels []endLabel, limit float64) float64 {
	var w float64
	for _, l := range labels {
		w = max(w, textWidth(l.name+" "+l.value, labelSize))
	}
	return min(w, limit)
}

// drawLabels writes the names at the line ends, with a leader where one had to move.
func (c *canvas) drawLabels(labels []endLabel, x, width float64) {
	for _, l := range labels {
		if l.x < x-16 || l.at > l.y+2 || l.at < l.y-2 {
			c.path("M"+num(l.x+5)+" "+num(l.y)+"L"+num(x-4)+" "+num(l.at), look{stroke: "ll", width: 1})
		}
		c.text(x, l.at+4, script{fill: fill(l.series), size: labelSize, bold: true}, l.text(width))
	}
}
