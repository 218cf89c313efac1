package chart

import (
	"math"
	"strconv"
	"strings"
	"time"
)

// scale maps a value to a position. Amounts start at 0, so that lengths can be compared.
type scale struct {
	lo, hi float64 // values
	a, b   float64 // positions of lo and hi
}

func (s scale) at(v float64) float64 {
	if s.hi == s.lo {
		return s.a
	}
	return s.a + (s.b-s.a)*(v-s.lo)/(s.hi-s.lo)
}

// niceStep returns 1, 2, 2.5 or 5 times a power of ten so that about n steps cover top.
func niceStep(top float64, n int) float64 {
	if top <= 0 || math.IsNaN(top) || math.IsInf(top, 0) {
		return 1
	}
	raw := top / float64(n)
	power := math.Pow(10, math.Floor(math.Log10(raw)))
	for _, m := range []float64{1, 2, 2.5, 5} {
		if raw <= m*power*(1+1e-9) {
			return m * power
		}
	}
	return 10 * power
}

// ticks returns the values of an axis from 0 to the first nice step at or above top.
func ticks(top float64, n int) []float64 {
	step := niceStep(top, n)
	count := max(int(math.Ceil(top/step-1e-9)), 1)
	vs := make([]float64, count+1)
	for i := range vs {
		vs[i] = step * float64(i)
	}
	return vs
}

// tickLabels writes the values of an axis with the same number of decimals and thousands
// grouped by comma, which all languages of the product share.
func tickLabels(vs []float64) []string {
	decimals := 0
	for _, v := range vs {
		for decimals < 6 && !wholeAt(v, decimals) {
			decimals++
		}
	}
	labels := make([]string, len(vs))
	for i, v := range vs {
		labels[i] = group(strconv.FormatFloat(v, 'f', decimals, 64))
	}
	return labels
}

func wholeAt(v float64, decimals int) bool {
	x := v * math.Pow(10, float64(decimals))
	return math.Abs(x-math.Round(x)) < 1e-6
}

// group puts a comma between thousands of a plain number.
func group(s string) string {
	whole, rest, _ := strings.Cut(s, ".")
	var b strings.Builder
	for i, r := range whole {
		if i > 0 && (len(whole)-i)%3 == 0 && whole[i-1] != '-' {
			b.WriteByte(',')
		}
		b.WriteRune(r)
	}
	if rest != "" {
		b.WriteString("." + rest)
	}
	return b.String()
}

// dayTick is a mark of a time axis; the label may be empty.
type dayTick struct {
	day   time.Time
	label string
	year  bool
}

// dayTicks marks the years of a long span and the months of a short one. Labels are
// numbers ("2026", "2026-07"), which need no translation; at most limit of them.
func dayTicks(from, to time.Time, limit int) []dayTick {
	months := int(to.Sub(from).Hours()/24/30.4) + 1
	step := 1
	for _, s := range []int{1, 2, 3, 6, 12, 24, 60} {
		step = s
		if months/s <= limit {
			break
		}
	}
	first := time.Date(from.Year(), 1, 1, 0, 0, 0, 0, time.UTC)
	var ts []dayTick
	for d := first; !d.After(to); d = d.AddDate(0, step, 0) {
		if d.Before(from) {
			continue
		}
		t := dayTick{day: d, year: d.Month() == time.January}
		switch {
		case step >= 12:
			t.label = strconv.Itoa(d.Year())
		default:
			t.label = d.Format("2006-01")
		}
		ts = append(ts, t)
	}
	return ts
}
