package sim

import (
	"errors"
	"slices"
)

// Trace is recorded requests in the order of their arrival.
type Trace struct {
	Times          []float64 // seconds from the first, ascending
	Prompt, Answer []int     // tokens; both nil where the lengths are not known
}

func (t *Trace) check() error {
	known := t.Prompt != nil || t.Answer != nil
	if known && (len(t.Prompt) != len(t.Times) || len(t.Answer) != len(t.Times)) {
		return errors.New("sim: a trace with lengths of some requests only")
	}
	if len(t.Times) > maxRequests || !slices.IsSorted(t.Times) || t.Times[0] < 0 {
		return errors.New("sim: times of a trace are not ascending from 0, or too many")
	}
	for i := range t.Prompt {
		if t.Prompt[i] < 1 || t.Prompt[i] > maxTokens || t.Answer[i] < 1 || t.Answer[i] > maxTokens {
			return errors.New("sim: lengths of a trace are out of range")
		}
	}
	return nil
}
