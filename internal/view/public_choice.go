package view

import (
	"slices"

	"rackwright/internal/money"
	"rackwright/internal/quote"
)

// ChoiceName is the name of the controls with which something is taken instead of an item; options are "choice".
func ChoiceName(itemID int64) string { return "choice." + itoa(int(itemID)) }

// publicChoices lays out the options, and the items that have alternatives. While the quote is open each has a control;
// afterwards what was taken is marked.
func publicChoices(p Page, in PublicData) *PublicChoices {
	rev := in.Quote.Revision
	c := rev.Content
	b := choiceBuilder{p: p, in: in, open: rev.State == quote.Sent}
	v := &PublicChoices{Error: FieldError(p.L, in.Err, "choices"), Note: p.T("public.options_closed")}
	if b.open {
		v.Action, v.Note = in.Base, p.T("public.options_note")
	}
	for i, l := range c.Lines {
		switch {
		case l.Kind == quote.Option:
			v.Options = append(v.Options, b.option(i))
		case l.Kind == quote.Item && !l.Part:
			if others := alternativesTo(c.Lines, i); len(others) > 0 {
				v.Groups = append(v.Groups, b.group(i, others))
			}
		case l.Kind == quote.Alternative && quote.ReplacedBy(c.Lines, i) < 0:
			line := publicLine(p, c, rev.Totals, i)
			line.Tag = p.T("quote.kind_alternative")
			v.Options = append(v.Options, line)
		}
	}
	if len(v.Options)+len(v.Groups) == 0 {
		return nil
	}
	return v
}

// alternativesTo returns the indexes of what may be taken instead of item i.
func alternativesTo(lines []quote.Line, i int) []int {
	var others []int
	for n, l := range lines {
		if l.Kind == quote.Alternative && quote.ReplacedBy(lines, n) == i {
			others = append(others, n)
		}
	}
	return others
}

type choiceBuilder struct {
	p    Page
	in   PublicData
	open bool
}

func (b choiceBuilder) taken(id int64) bool {
	return slices.Contains(b.in.Quote.Revision.Decision.Choices, id)
}

// line is line i with its control, or with a mark of what was taken.
func (b choiceBuilder) line(i int, input PublicInput) PublicLine {
	rev := b.in.Quote.Revision
	l := publicLine(b.p, rev.Content, rev.Totals, i)
	if rev.Content.Layout == quote.LumpSum {
		l.Each = ""
	}
	if b.open {
		l.Input = &input
	} else if input.Checked {
		l.Tag = b.p.T("public.chosen")
	}
	return l
}

// option is an addition: its amount comes on top.
func (b choiceBuilder) option(i int) PublicLine {
	rev := b.in.Quote.Revision
	id := rev.Content.Lines[i].ID
	l := b.line(i, PublicInput{Name: "choice", Value: itoa(int(id)), Checked: b.taken(id)})
	l.Net = b.signed(rev.Totals.Lines[i].Amount)
	return l
}

// group is an item with what may be taken instead, each as the difference to the item.
func (b choiceBuilder) group(item int, others []int) PublicChoiceGroup {
	rev := b.in.Quote.Revision
	lines := rev.Content.Lines
	name := ChoiceName(lines[item].ID)
	g := PublicChoiceGroup{Legend: b.p.T("public.choose_one", "item", lines[item].Description)}
	asQuoted := !slices.ContainsFunc(others, func(n int) bool { return b.taken(lines[n].ID) })
	first := b.line(item, PublicInput{Name: name, Value: itoa(int(lines[item].ID)), Radio: true, Checked: asQuoted})
	first.Net, first.Lump = b.p.T("public.as_quoted"), false
	g.Lines = append(g.Lines, first)
	for _, n := range others {
		l := b.line(n, PublicInput{Name: name, Value: itoa(int(lines[n].ID)), Radio: true, Checked: b.taken(lines[n].ID)})
		if base, other := rev.Totals.Lines[item].Amount, rev.Totals.Lines[n].Amount; base != nil && other != nil {
			diff := other.Sub(*base)
			l.Net = b.signed(&diff)
		}
		g.Lines = append(g.Lines, l)
	}
	return g
}

// signed is an amount with its sign, as it changes the total.
func (b choiceBuilder) signed(d *money.Decimal) string {
	return plusIf(d != nil && d.Sign() >= 0, digitsOr(b.p, d, b.in.Quote.Revision.Content.Currency), d)
}
