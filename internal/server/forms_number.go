package server

import (
	"strings"

	"rackwright/internal/money"
)

// maxWhole is the most that numeric(18,6) holds before the point.
var maxWhole = money.MustDecimal("999999999999")

// maxPercent bounds percentages that have no bound of their own.
var maxPercent = money.FromInt(100)

// number returns a field as a number is written: full-width digits of a Chinese keyboard
// become plain ones, grouping commas go.
func (f *form) number(name string) string {
	return ungroup(strings.TrimSpace(narrow(f.raw(name))))
}

// narrow turns full-width signs (U+FF01 to U+FF5E) and the ideographic space into ASCII.
func narrow(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '\uff01' && r <= '\uff5e':
			return r - 0xfee0
		case r == '\u3000':
			return ' '
		}
		return r
	}, s)
}

// exact returns a decimal that is not negative and has at most so many decimals.
func (f *form) exact(name string, places int) money.Decimal {
	v := f.number(name)
	if v == "" {
		f.Add(name, "errors.required")
		return money.Decimal{}
	}
	d, err := money.ParseDecimal(v)
	switch {
	case err != nil:
		f.Add(name, "errors.not_a_number")
	case d.Sign() < 0:
		f.Add(name, "errors.negative")
	case d.Trim().Places() > places:
		f.Add(name, "errors.too_many_decimals", "n", places)
	case d.Cmp(maxWhole) > 0:
		f.Add(name, "errors.too_large", "max", maxWhole.String())
	default:
		return d
	}
	return money.Decimal{}
}

// optExact is exact for a field that may be empty; nil is empty, and never 0.
func (f *form) optExact(name string, places int) *money.Decimal {
	if f.number(name) == "" {
		return nil
	}
	d := f.exact(name, places)
	return &d
}

// optPercent returns a percentage from 0 to 100 that may be empty; nil is empty.
func (f *form) optPercent(name string) *money.Percent {
	f.values[name] = []string{strings.TrimSuffix(strings.TrimSpace(narrow(f.raw(name))), "%")}
	d := f.optExact(name, 6)
	if d == nil {
		return nil
	}
	if d.Cmp(maxPercent) > 0 {
		f.Add(name, "errors.too_large", "max", 100)
		return nil
	}
	p := money.NewPercent(*d)
	return &p
}

// currency returns an ISO 4217 code.
func (f *form) currency(name string) money.Currency {
	if strings.TrimSpace(f.raw(name)) == "" {
		f.Add(name, "errors.required")
		return ""
	}
	return f.optCurrency(name)
}

// optCurrency is currency for a field that may be empty.
func (f *form) optCurrency(name string) money.Currency {
	if strings.TrimSpace(f.raw(name)) == "" {
		return ""
	}
	c, err := money.ParseCurrency(f.raw(name))
	if err != nil {
		f.Add(name, "errors.form_choose")
		return ""
	}
	return c
}
