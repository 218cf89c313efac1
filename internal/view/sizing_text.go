package view

import (
	"strconv"
	"strings"
	"time"

	"rackwright/internal/i18n"
	"rackwright/internal/money"
	"rackwright/internal/sizing/basis"
	"rackwright/internal/unit"
)

// SizingText returns the words of a message of the sizing engine, its values written in the
// reader's language.
func SizingText(l i18n.Localizer, m basis.Message) string {
	if m.ID == "" {
		return ""
	}
	return l.T(m.ID, sizingArgs(l, m.Args)...)
}

// SizingTexts is SizingText of several messages.
func SizingTexts(l i18n.Localizer, messages []basis.Message) []string {
	texts := make([]string, 0, len(messages))
	for _, m := range messages {
		if t := SizingText(l, m); t != "" {
			texts = append(texts, t)
		}
	}
	return texts
}

func sizingArgs(l i18n.Localizer, args []basis.Arg) []any {
	out := make([]any, 0, 2*len(args))
	for _, a := range args {
		out = append(out, a.Name, sizingArg(l, a))
	}
	return out
}

// sizingArg writes one value. A value that does not parse is shown as it is: a stored report
// must open whatever it holds.
func sizingArg(l i18n.Localizer, a basis.Arg) string {
	if a.Name == "provider" {
		return Provider(a.Value)
	}
	switch a.Format {
	case basis.Ref:
		return l.T(a.Value)
	case basis.Date:
		if t, err := time.Parse(time.DateOnly, a.Value); err == nil {
			return DateShort(t)
		}
	case basis.Number, basis.Percent:
		if d, err := money.ParseDecimal(a.Value); err == nil {
			s := NumberTrim(l.Lang(), d)
			if a.Format == basis.Percent {
				s += "%"
			}
			return s
		}
	case basis.Bytes:
		if n, err := strconv.ParseFloat(a.Value, 64); err == nil {
			return GiB(unit.Bytes(n))
		}
	case basis.Millis:
		if ms, err := strconv.ParseFloat(a.Value, 64); err == nil {
			return Millis(ms)
		}
	}
	return a.Value
}

// Millis writes a time given in milliseconds.
func Millis(ms float64) string {
	return Latency(time.Duration(ms * float64(time.Millisecond)))
}

// sizingValue writes the value of an assumption: plain decimals grouped, message ids
// translated, everything else as it is. Unknown is a word, never zero.
func sizingValue(l i18n.Localizer, value string) string {
	if value == "" {
		return l.T("cost.your_figure")
	}
	if d, err := money.ParseDecimal(value); err == nil {
		return NumberTrim(l.Lang(), d)
	}
	if strings.HasPrefix(value, "sizing.") && i18n.Has(value) {
		return l.T(value)
	}
	return value
}
