package calibrate

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strings"
)

// Scored is one measured figure and what was predicted for it.
type Scored struct {
	ID, Metric string
	Measured   float64
	Predicted  float64 // 0: refused
	P10, P90   float64 // 0: no band
	Source     string  // group of sources
	Vote       string  // near-identical measurements share one
	Class      string
	Reason     string // of a refusal
	banded     bool   // the prediction states a band, of whatever width
}

func (s *Scored) refused() bool { return !(s.Predicted > 0) || !(s.Measured > 0) }

func (s *Scored) hasBand() bool { return s.banded || s.P10 > 0 && s.P90 > 0 }

func (s *Scored) inBand() bool { return s.P10 <= s.Measured && s.Measured <= s.P90 }

// Score is how far the predictions of one class are off.
type Score struct {
	Class   string  `json:"class"`
	Votes   int     `json:"votes"`
	Median  float64 `json:"median"`  // median over sources of the median |ln(predicted/measured)|
	P90     float64 `json:"p90"`     // of |ln| over votes
	Bias    float64 `json:"bias"`    // median ln
	Refused float64 `json:"refused"` // share of rows
	InBand  float64 `json:"in_band"` // share of rows with a band
	rows    int
	banded  int
	inside  int
	refused int
}

// SourceScore is how far the predictions for one source of a class are off.
type SourceScore struct {
	Class, Source string
	Votes         int
	Median, Bias  float64 // of |ln| and of ln
}

// Reason is why figures were refused.
type Reason struct {
	Text  string
	Count int
}

// Report is what the scorer says about a set of figures.
type Report struct {
	Classes        []Score
	Sources        []SourceScore
	Rows, Refused  int
	Reasons        []Reason // most frequent first
	Banded, Inside int
	Campaigns      *Campaigns // of training rows only
}

// Campaigns is how well the days of training campaigns were predicted.
type Campaigns struct {
	Of     int       // campaigns
	Ratios []float64 // of those that were predicted, the larger over the smaller
}

type classSource struct{ class, source string }

// Scores scores figures by class: one vote per group of near-identical measurements, the
// median inside each source, then over sources.
func Scores(all []Scored) []Score { return NewReport(all).Classes }

// NewReport scores figures as the published scorer of the measurements does (its score.py).
func NewReport(all []Scored) Report {
	type ballot struct {
		classSource
		vote string
	}
	var r Report
	votes, classes, why := map[ballot][]float64{}, map[string]*Score{}, map[string]int{}
	var order []ballot
	for i := range all {
		s := &all[i]
		c := classes[s.Class]
		if c == nil {
			c = &Score{Class: s.Class}
			classes[s.Class] = c
		}
		c.rows++
		if s.refused() {
			c.refused++
			text := cut(s.Reason, 70)
			if why[text] == 0 {
				r.Reasons = append(r.Reasons, Reason{Text: text})
			}
			why[text]++
			continue
		}
		key := ballot{classSource{s.Class, s.Source}, s.Vote}
		if votes[key] == nil {
			order = append(order, key)
		}
		votes[key] = append(votes[key], math.Log(s.Predicted/s.Measured))
		if s.hasBand() {
			c.banded++
			if s.inBand() {
				c.inside++
			}
		}
	}
	bySource, byClass := map[classSource][]float64{}, map[string][]float64{}
	for _, key := range order {
		e := median(votes[key])
		bySource[key.classSource] = append(bySource[key.classSource], e)
		byClass[key.class] = append(byClass[key.class], e)
	}
	for i := range r.Reasons {
		r.Reasons[i].Count = why[r.Reasons[i].Text]
	}
	slices.SortStableFunc(r.Reasons, func(a, b Reason) int { return b.Count - a.Count })
	for key, es := range bySource {
		r.Sources = append(r.Sources, SourceScore{key.class, key.source, len(es), median(absolute(es)), median(es)})
	}
	slices.SortFunc(r.Sources, func(a, b SourceScore) int {
		return cmp.Or(strings.Compare(a.Class, b.Class), strings.Compare(a.Source, b.Source))
	})
	for _, class := range slices.Sorted(maps.Keys(classes)) {
		c := classes[class]
		c.finish(byClass[class], r.Sources)
		r.Classes = append(r.Classes, *c)
		r.Rows, r.Refused, r.Banded, r.Inside = r.Rows+c.rows, r.Refused+c.refused, r.Banded+c.banded, r.Inside+c.inside
	}
	return r
}

// finish fills a class from the logarithms of its votes.
func (c *Score) finish(es []float64, sources []SourceScore) {
	c.Refused = float64(c.refused) / float64(c.rows)
	if c.banded > 0 {
		c.InBand = float64(c.inside) / float64(c.banded)
	}
	if len(es) == 0 {
		return
	}
	var medians []float64
	for _, s := range sources {
		if s.Class == c.Class {
			medians = append(medians, s.Median)
		}
	}
	abs := slices.Sorted(slices.Values(absolute(es)))
	c.Votes, c.Median, c.Bias = len(es), median(medians), median(es)
	c.P90 = abs[int(0.9*float64(len(abs)-1))]
}

func absolute(x []float64) []float64 {
	out := make([]float64, len(x))
	for i, v := range x {
		out[i] = math.Abs(v)
	}
	return out
}

// cut shortens a text to n letters.
func cut(s string, n int) string {
	if r := []rune(s); len(r) > n {
		return string(r[:n])
	}
	return s
}

func median(x []float64) float64 {
	s := slices.Sorted(slices.Values(x))
	n := len(s)
	if n == 0 {
		return math.NaN()
	}
	if n%2 == 1 {
		return s[n/2]
	}
	return (s[n/2-1] + s[n/2]) / 2
}

func percent(ln float64) float64 { return 100 * (math.Exp(ln) - 1) }

// Percent returns the median error in percent.
func (s Score) Percent() float64 { return percent(s.Median) }
