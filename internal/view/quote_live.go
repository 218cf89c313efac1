package view

import (
	"errors"
	"strings"
	"time"

	"rackwright/internal/apperr"
	"rackwright/internal/quote"
)

// NewQuoteLive lays out totals and amounts of a form that is not saved. shown is the number
// of lines on the page: where the computed content has others (a new bundle brought its
// parts), amounts have no safe place and only the totals are sent.
func NewQuoteLive(p Page, in QuoteData, shown int) QuoteLive {
	v := QuoteLive{Page: p, Totals: NewQuoteTotals(p, in.Content, in.Totals)}
	if in.Err != nil {
		f := quoteFields{p: p, in: in}
		form := QuotePage{Groups: quoteGroups(p, in), Details: f.details(), Texts: f.texts(), Discount: f.discount()}
		v.Faults = f.faults(&form)
		v.Nets = faultyNets(p, in)
	}
	for i, l := range in.Content.Lines {
		if shown != len(in.Content.Lines) {
			break
		}
		if l.Part || l.Kind == quote.Note || i >= len(in.Totals.Lines) {
			continue
		}
		t := in.Totals.Lines[i]
		v.Nets = append(v.Nets, QuoteNet{ID: "net-" + itoa(i), Value: plusIf(l.Kind == quote.Option, digitsOr(p, t.Amount, in.Content.Currency), t.Amount)})
	}
	if in.Margin != nil {
		v.Margin = quoteMarginPanel(p, *in.Margin, in.Content.Currency)
	}
	return v
}

// faultyNets makes the amounts of lines with a fault unknown, and those of their sections:
// the figures on the page are of what stood there before.
func faultyNets(p Page, in QuoteData) []QuoteNet {
	var nets []QuoteNet
	section, told := -1, -1
	unknown := func(i int) { nets = append(nets, QuoteNet{ID: "net-" + itoa(i), Value: Unknown(p.L.Lang())}) }
	for i, l := range in.Content.Lines {
		if l.Kind == quote.Section {
			section = i
		}
		if !l.Kind.Priced() || l.Part || !lineFaulty(in.Err, i) {
			continue
		}
		unknown(i)
		if section > told && l.Kind == quote.Item {
			unknown(section)
			told = section
		}
	}
	return nets
}

// lineFaulty reports whether an error names a field of line i.
func lineFaulty(err error, i int) bool {
	e, ok := errors.AsType[*apperr.Error](err)
	if !ok {
		return false
	}
	for name := range e.Fields {
		if strings.HasPrefix(name, quote.LineField(i, "")) {
			return true
		}
	}
	return false
}

// untilText says until when stock is kept: a day where it ends with the day.
func untilText(p Page, until time.Time, zone *time.Location) string {
	last := until.Add(-time.Second).In(zone)
	if until.In(zone).Format("15:04:05") == "00:00:00" {
		return p.T("stock.until_end_of_day", "date", DateShort(last))
	}
	t := until.In(zone)
	return DateShort(t) + " " + Clock(t)
}
