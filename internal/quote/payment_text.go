package quote

import (
	"strconv"
	"strings"

	"rackwright/internal/apperr"
	"rackwright/internal/money"
)

// restWords stand for an equal share of what the other instalments leave.
var restWords = []string{"rest", "余款", "餘款", "balance"}

// dueWords name the events that instalments are due after. The first of each is what FormatPayments writes.
var dueWords = []struct {
	due   Due
	words []string
}{
	{OnOrder, []string{"order", "下单", "下單"}},
	{OnDelivery, []string{"delivery", "交货", "交貨"}},
	{OnInvoice, []string{"invoice", "开票", "開票"}},
}

// FormatPayments writes instalments as people edit them, one on a line: "Deposit; 30 %; order", "Balance; rest; delivery 30".
func FormatPayments(parts []Instalment) string {
	lines := make([]string, len(parts))
	for i, p := range parts {
		share := restWords[0]
		switch {
		case p.Percent != nil:
			share = p.Percent.Decimal().Trim().String() + " %"
		case p.Amount != nil:
			share = p.Amount.Trim().String()
		}
		due := string(p.Due)
		if p.Days != 0 {
			due += " " + strconv.Itoa(p.Days)
		}
		lines[i] = p.Label + "; " + share + "; " + due
	}
	return strings.Join(lines, "\n")
}

// ParsePayments reads what FormatPayments writes, with full-width signs too. An instalment without an event is due on order.
// Faults are at "payments" and name the line.
func ParsePayments(text string) ([]Instalment, error) {
	var f apperr.Faults
	var parts []Instalment
	n := 0
	for line := range strings.Lines(text) {
		n++
		line = strings.TrimSpace(strings.NewReplacer("；", ";", "％", "%", "，", ",").Replace(line))
		if line == "" {
			continue
		}
		p, ok := parsePayment(line)
		if !ok {
			f.Add("payments", "quote.payments_line", "n", n, "line", line)
			return nil, f.Err()
		}
		parts = append(parts, p)
	}
	return parts, nil
}

func parsePayment(line string) (Instalment, bool) {
	cells := strings.Split(line, ";")
	if len(cells) < 2 || len(cells) > 3 {
		return Instalment{}, false
	}
	p := Instalment{Label: strings.TrimSpace(cells[0]), Due: OnOrder}
	if !p.setShare(strings.TrimSpace(cells[1])) {
		return p, false
	}
	if len(cells) == 3 && !p.setDue(strings.Fields(cells[2])) {
		return p, false
	}
	return p, p.Label != ""
}

// setShare reads a percentage, an amount, or the word for the rest.
func (p *Instalment) setShare(s string) bool {
	for _, word := range restWords {
		if strings.EqualFold(s, word) {
			return true
		}
	}
	if digits, percent := strings.CutSuffix(s, "%"); percent {
		v, err := money.ParsePercent(strings.TrimSpace(digits))
		p.Percent = &v
		return err == nil
	}
	v, err := money.ParseDecimal(s)
	p.Amount = &v
	return err == nil
}

// setDue reads an event and days after it.
func (p *Instalment) setDue(words []string) bool {
	if len(words) < 1 || len(words) > 2 {
		return false
	}
	found := false
	for _, d := range dueWords {
		for _, w := range d.words {
			if strings.EqualFold(words[0], w) {
				p.Due, found = d.due, true
			}
		}
	}
	if len(words) == 2 {
		days, err := strconv.Atoi(words[1])
		if err != nil {
			return false
		}
		p.Days = days
	}
	return found
}
