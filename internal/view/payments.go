package view

import (
	"rackwright/internal/money"
	"rackwright/internal/quote"
)

// PaymentRow is one instalment as pages and documents print it.
type PaymentRow struct {
	Label string // as typed, for example "Deposit"
	Share string // "30 %", or empty
	Due   string // "30 days after delivery"
	Sum   string
}

// NewPayments lays out the instalments of a total. There are none while the total is not known or does not fit them.
func NewPayments(p Page, c quote.Content, total *money.Decimal) []PaymentRow {
	if total == nil {
		return nil
	}
	parts, err := quote.Payments(*total, c.Payments, c.Currency)
	if err != nil {
		return nil
	}
	rows := make([]PaymentRow, len(parts))
	for i, part := range parts {
		rows[i] = PaymentRow{Label: part.Label, Due: DueText(p, part.Instalment), Sum: digitsOr(p, &part.Sum, c.Currency)}
		if part.Percent != nil {
			rows[i].Share = Percent(p.Lang, *part.Percent)
		}
	}
	return rows
}

// DueText says when an instalment is due.
func DueText(p Page, i quote.Instalment) string {
	if i.Days == 0 {
		return p.T("quote.due_" + string(i.Due))
	}
	return p.N("quote.due_after_"+string(i.Due), i.Days)
}

// TermText says how long a subscription runs, "36 months"; empty for what is paid once.
func TermText(p Page, t quote.Term) string {
	if t.Periods == 0 {
		return ""
	}
	return p.N("quote.term_"+string(t.Unit), t.Periods)
}
