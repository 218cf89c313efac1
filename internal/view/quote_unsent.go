package view

import "rackwright/internal/quote"

// QuoteUnsent is what somebody typed into the editor of a quote that was sent or closed
// meanwhile. It cannot be saved any more, and is shown so that it is not lost.
type QuoteUnsent struct {
	Title string
	Text  string
	Facts []Fact // field and what was typed into it, where that is not what the quote says
}

// newQuoteUnsent lists what the form says otherwise than the stored quote.
func newQuoteUnsent(p Page, in QuoteData, content quote.Content, typed Typed) *QuoteUnsent {
	state := p.T(in.Quote.Revision.State.MessageID())
	u := &QuoteUnsent{Title: p.T("quote.refused_state", "state", state), Text: p.T("quote.unsent_text")}
	stored := map[string]string{}
	for _, f := range editorFields(p, in) {
		stored[f.Name] = f.Value
	}
	in.Content, in.Totals, in.Typed, in.Err = content, quote.Totals{}, typed, nil
	for _, f := range editorFields(p, in) {
		if f.Name == "" || f.Value == "" || f.Value == stored[f.Name] {
			continue
		}
		value := f.Value
		for _, o := range f.Options {
			if o.Selected {
				value = o.Label
			}
		}
		u.Facts = append(u.Facts, Fact{Label: f.Label, Value: value})
	}
	return u
}

// editorFields returns the fields that the editor of a draft has.
func editorFields(p Page, in QuoteData) []*Field {
	f := quoteFields{p: p, in: in}
	v := QuotePage{Groups: quoteGroups(p, in), Details: f.details(), Texts: f.texts(), Discount: f.discount(), Add: f.add()}
	return v.fields()
}
