package kernel

import (
	"cmp"
	"math"
	"slices"
)

// Tolerances of the gate: how much faster than the hardware's limit a measurement may be
// (clocks vary), how much slower than the next larger shape, and how much slower than any
// larger shape before it is a slow path that engines do not take (sizing method, section 4).
const (
	tolerance = 1.1
	slowPath  = 2
)

// speedOfLight returns the seconds below which a row is impossible: operations over the
// peak, bytes over the bandwidth.
func (r *Row) speedOfLight(g GPU) float64 {
	compute, _ := r.Formats()
	b := compute.Bytes()
	switch r.Op {
	case OpGEMM:
		return max(2*r.A*r.B*r.C/compute.peak(g), (r.B*r.C*b+r.A*r.C*b+2*r.A*r.B)/g.Bandwidth) / mostShare
	case OpPrefill: // engines compute in the format of the cache
		peak := max(compute.peak(g), FP8.peak(g))
		if r.Dtype == "bfloat16|bfloat16" {
			peak = g.BF16
		}
		return 2 * r.A * r.B * r.B * r.C * headSize / peak / mostShare
	case OpDecode:
		return r.cacheBytes() / g.Bandwidth / mostDecode
	case OpReduce: // switches that add up halve the bytes of a ring
		return 2 * (r.A - 1) / r.A * r.B / g.NVLink / mostShare
	}
	return 2 * 3 * expertHidden * expertWidth / r.B * r.A * expertTop / r.C / compute.peak(g) / mostShare
}

// Gate returns the rows that can be true, measured on g, and the others with the reason:
// faster than the hardware allows, a repeat, a slow path, or out of order along its shape.
func (t Table) Gate(g GPU) (Table, []Rejected) {
	s := sieve{}
	for i := range t.Rows {
		if t.Rows[i].Millis*1e-3 < t.Rows[i].speedOfLight(g) {
			s.reject(t.Rows[i].Line, "kernels.row_too_fast")
			continue
		}
		s.rows = append(s.rows, t.Rows[i])
	}
	s.merge()
	s.drop("kernels.row_slow", s.slow())
	s.drop("kernels.row_order", s.disordered())
	slices.SortFunc(s.bad, func(a, b Rejected) int { return cmp.Compare(a.Line, b.Line) })
	return Table{Rows: s.rows}, s.bad
}

// Add puts the rows that a gate rejected into a report.
func (rep *Report) Add(bad []Rejected) {
	rep.Rejected = append(rep.Rejected, bad...)
	rep.Kept -= len(bad)
	slices.SortFunc(rep.Rejected, func(a, b Rejected) int { return cmp.Compare(a.Line, b.Line) })
}

type sieve struct {
	rows []Row
	bad  []Rejected
}

func (s *sieve) reject(line int, reason string) { s.bad = append(s.bad, Rejected{line, reason}) }

// drop removes the marked rows.
func (s *sieve) drop(reason string, marked []bool) {
	kept := s.rows[:0]
	for i := range s.rows {
		if marked[i] {
			s.reject(s.rows[i].Line, reason)
			continue
		}
		kept = append(kept, s.rows[i])
	}
	s.rows = kept
}

// shape is what tells rows apart.
type shape struct {
	op, engine, dtype string
	skew              Routing
	side              [4]float64
}

func (r *Row) shape() shape {
	return shape{r.Op, r.Engine, r.Dtype, r.Skew, [4]float64{r.A, r.B, r.C, r.D}}
}

// merge keeps one of the rows that measure the same: the fastest all-reduce, which ran in a
// captured graph, and the median of others.
func (s *sieve) merge() {
	same := map[shape][]int{}
	for i := range s.rows {
		k := s.rows[i].shape()
		same[k] = append(same[k], i)
	}
	marked := make([]bool, len(s.rows))
	for k, list := range same {
		slices.SortStableFunc(list, func(a, b int) int { return cmp.Compare(s.rows[a].Millis, s.rows[b].Millis) })
		take := (len(list) - 1) / 2
		if k.op == OpReduce {
			take = 0
		}
		for i, row := range list {
			marked[row] = i != take
		}
	}
	s.drop("kernels.row_repeat", marked)
}

// axes are the sides of a shape along which an operator must take longer.
var axes = map[string][]int{OpGEMM: {0, 1, 2}, OpPrefill: {0, 1}, OpDecode: {0, 1}, OpReduce: {1}, OpExperts: {0}}

// each calls f with the rows of every series, shortest first: rows that differ along one axis.
func (s *sieve) each(f func(series []int)) {
	for axis := range 4 {
		along := map[shape][]int{}
		for i := range s.rows {
			if !slices.Contains(axes[s.rows[i].Op], axis) {
				continue
			}
			k := s.rows[i].shape()
			k.side[axis] = 0
			along[k] = append(along[k], i)
		}
		for _, list := range along {
			slices.SortFunc(list, func(a, b int) int {
				return cmp.Compare(s.rows[a].shape().side[axis], s.rows[b].shape().side[axis])
			})
			f(list)
		}
	}
}

// slow marks rows that take more than twice as long as one with more work.
func (s *sieve) slow() []bool {
	marked := make([]bool, len(s.rows))
	s.each(func(series []int) {
		least := math.Inf(1)
		for _, i := range slices.Backward(series) {
			if s.rows[i].Millis > slowPath*least {
				marked[i] = true
				continue
			}
			least = min(least, s.rows[i].Millis)
		}
	})
	return marked
}

// disordered marks rows that take longer than the next larger shape along every axis: two
// at least, where an operator has several. A step along one axis alone is how engines pick
// kernels, and stays.
func (s *sieve) disordered() []bool {
	over, next := make([]int, len(s.rows)), make([]int, len(s.rows))
	s.each(func(series []int) {
		for j := 0; j+1 < len(series); j++ {
			i := series[j]
			next[i]++
			if s.rows[i].Millis > tolerance*s.rows[series[j+1]].Millis {
				over[i]++
			}
		}
	})
	marked := make([]bool, len(s.rows))
	for i := range marked {
		least := min(2, len(axes[s.rows[i].Op]))
		marked[i] = over[i] >= least && over[i] == next[i]
	}
	return marked
}
