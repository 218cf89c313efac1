package view

import (
	"time"

	"rackwright/internal/quote"
)

// NewQuoteLive lays out totals and amounts of a form that is not saved. shown is the number
// of lines on the page: where the computed content has others (a new bundle brought its
// parts), amounts have no safe place and only the totals are sent.
func NewQuoteLive(p Page, in QuoteData, shown int) QuoteLive {
	v := QuoteLive{Page: p, Totals: NewQuoteTotals(p, in.Content, in.Totals), Faults: Faulty(p.L, in.Err)}
	for i, l := range in.Content.Lines {
		if shown != len(in.Content.Lines) {
			break
		}
		if l.Part || l.Kind == quote.Note || i >= len(in.Totals.Lines) {
			continue
		}
		t := in.Totals.Lines[i]
		extra := l.Kind == quote.Option || l.Kind == quote.Alternative
		v.Nets = append(v.Nets, QuoteNet{ID: "net-" + itoa(i), Value: plusIf(extra, digitsOr(p, t.Amount, in.Content.Currency), t.Amount)})
	}
	if in.Margin != nil {
		v.Margin = quoteMarginPanel(p, *in.Margin, in.Content.Currency)
	}
	return v
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
