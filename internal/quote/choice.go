package quote

import (
	"slices"

	"rackwright/internal/apperr"
)

// ReplacedBy returns the index of the item that the alternative at index i stands for: the one it names, else the
// nearest item above it; -1 when there is none.
func ReplacedBy(lines []Line, i int) int {
	if id := lines[i].Replaces; id != 0 {
		return slices.IndexFunc(lines, func(l Line) bool { return l.ID == id && l.Kind == Item && !l.Part })
	}
	for n := i - 1; n >= 0; n-- {
		if lines[n].Kind == Section {
			break // another group of things
		}
		if lines[n].Kind == Item && !lines[n].Part {
			return n
		}
	}
	return -1
}

// Choose returns the content as a customer takes it: the options named by ids become items, and each alternative named
// becomes the item instead of the one it stands for. Two alternatives to one item are refused, as is an id that is
// neither an option nor an alternative; the faults are at "choices". Nothing chosen is the content as it was.
func (c Content) Choose(ids []int64) (Content, error) {
	var f apperr.Faults
	lines := slices.Clone(c.Lines)
	taken := map[int]int64{} // index of an item: the alternative that was taken instead
	for _, id := range slices.Compact(slices.Sorted(slices.Values(ids))) {
		i := slices.IndexFunc(lines, func(l Line) bool { return l.ID == id })
		if i < 0 || c.Lines[i].Part || (c.Lines[i].Kind != Option && c.Lines[i].Kind != Alternative) {
			f.Add("choices", "quote.choice_unknown")
			continue
		}
		if c.Lines[i].Kind == Alternative {
			item := ReplacedBy(c.Lines, i)
			if item < 0 {
				f.Add("choices", "quote.choice_unknown")
				continue
			}
			if _, twice := taken[item]; twice {
				f.Add("choices", "quote.choice_twice")
				continue
			}
			taken[item] = id
			lines[i].Replaces = 0
		}
		lines[i].Kind = Item
	}
	for item, id := range taken {
		lines[item].Kind, lines[item].Replaces = Alternative, id
	}
	c.Lines = lines
	return c, f.Err()
}

// Choices returns the ids of the lines that a customer can choose, in order.
func (c Content) Choices() []int64 {
	var ids []int64
	for i, l := range c.Lines {
		if l.Kind == Option || (l.Kind == Alternative && ReplacedBy(c.Lines, i) >= 0) {
			ids = append(ids, l.ID)
		}
	}
	return ids
}

// Agreed returns what was agreed on: content and totals with the customer's choice, or those of the revision.
func (r Revision) Agreed() (Content, Totals) {
	if r.Decision.Agreed == nil {
		return r.Content, r.Totals
	}
	content, err := r.Content.Choose(r.Decision.Choices)
	if err != nil {
		return r.Content, r.Totals // stored choices were valid when they were stored, and nothing sent changes
	}
	return content, *r.Decision.Agreed
}

// Take records the customer's choice in the decision, with the totals that it makes. The header discount and the taxes
// are worked out again with the choice; no choice leaves the revision's own totals.
func (r *Revision) Take(ids []int64) error {
	if len(ids) == 0 {
		return nil
	}
	content, err := r.Content.Choose(ids)
	if err != nil {
		return err
	}
	totals, err := Calculate(content.Input())
	if err != nil {
		return err
	}
	r.Decision.Choices, r.Decision.Agreed = slices.Compact(slices.Sorted(slices.Values(ids))), &totals
	return nil
}

// checkReplaces refuses an alternative to something that is no item of the quote.
func (m *merger) checkReplaces() {
	for i, l := range m.out.Lines {
		if l.Kind == Alternative && l.Replaces != 0 && ReplacedBy(m.out.Lines, i) < 0 {
			m.out.Lines[i].Replaces = 0 // the item it stood for was removed
		}
	}
}
