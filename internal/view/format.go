package view

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"rackwright/internal/i18n"
	"rackwright/internal/money"
)

// nbsp keeps a number and its unit on one line.
const nbsp = "\u00a0"

// minus is the sign of negative numbers on screen and paper; files use the hyphen.
const minus = "\u2212"

// Number returns a decimal number with all its digits, grouped by three: 1,234.50.
func Number(_ i18n.Lang, d money.Decimal) string { return grouped(d.String()) }

// NumberTrim is Number without the zeros that end a fraction: 1,234.5.
func NumberTrim(_ i18n.Lang, d money.Decimal) string { return grouped(d.Trim().String()) }

// Int returns a whole number, grouped by three: 16,896.
func Int(_ i18n.Lang, n int64) string { return grouped(strconv.FormatInt(n, 10)) }

// Float returns a measured or computed number, rounded to places and without the zeros that
// end a fraction: 989.4.
func Float(_ i18n.Lang, x float64, places int) string { return trimmed(x, places) }

// Money returns an amount with the sign of its currency, for sentences and single figures:
// US$1,234.50. It shows at least the currency's own decimals, and more where a unit price
// has more.
func Money(l i18n.Lang, a money.Amount) string {
	s := grouped(amountDigits(a))
	sign := ""
	if rest, ok := strings.CutPrefix(s, minus); ok {
		sign, s = minus, rest
	}
	return sign + currencySign(l, a.Currency) + s
}

// MoneyTable returns an amount with the code of its currency, for tables that mix
// currencies: USD 1,234.50. It reads the same in every language.
func MoneyTable(a money.Amount) string {
	return string(a.Currency) + nbsp + grouped(amountDigits(a))
}

// MoneyDigits returns an amount without its currency, for columns whose head names it.
func MoneyDigits(a money.Amount) string { return grouped(amountDigits(a)) }

// MoneyOr is Money, or the word for unknown.
func MoneyOr(l i18n.Lang, a *money.Amount) string {
	if a == nil {
		return Unknown(l)
	}
	return Money(l, *a)
}

// MoneyShort returns an amount from a million up in words, for figures that are read at a
// glance: US$9.41 million, US$941 万. Exact figures stand elsewhere on the page.
func MoneyShort(l i18n.Lang, a money.Amount) string {
	abs := a.Value.Abs()
	for _, s := range shortScales[l] {
		from, one := money.FromInt(s.from), money.FromInt(s.one)
		if abs.Less(from) {
			continue
		}
		sign := ""
		if a.Value.Sign() < 0 {
			sign = minus
		}
		return sign + currencySign(l, a.Currency) + grouped(abs.Quo(one, 2).Trim().String()) + nbsp + s.word
	}
	return Money(l, a.Round())
}

// scale says from which amount on a word counts, and how much one of it is.
type scale struct {
	from, one int64
	word      string
}

var shortScales = map[i18n.Lang][]scale{
	i18n.English:     {{1_000_000, 1_000_000, "million"}},
	i18n.Simplified:  {{100_000_000, 100_000_000, "亿"}, {1_000_000, 10_000, "万"}},
	i18n.Traditional: {{100_000_000, 100_000_000, "億"}, {1_000_000, 10_000, "萬"}},
}

// Percent returns a percentage without the zeros that end its fraction: 12.5%.
func Percent(_ i18n.Lang, p money.Percent) string {
	return grouped(p.Decimal().Trim().String()) + "%"
}

// PercentFixed is Percent with a fixed number of decimals, for columns.
func PercentFixed(_ i18n.Lang, p money.Percent, places int) string {
	return grouped(p.Decimal().Round(places).String()) + "%"
}

// PercentChange is Percent with a sign, rounded to one decimal: +3.2%, −0.4%, 0%.
func PercentChange(_ i18n.Lang, p money.Percent) string {
	d := p.Decimal().Round(1).Trim()
	if d.Sign() > 0 {
		return "+" + grouped(d.String()) + "%"
	}
	return grouped(d.String()) + "%"
}

// Ratio returns a computed share as a percentage, rounded to places: 0.345 gives 34.5%.
func Ratio(_ i18n.Lang, x float64, places int) string { return trimmed(x*100, places) + "%" }

// Unknown returns the word for what nobody knows; components.Unknown sets it beside a
// dashed rule. It is never a zero or an empty cell.
func Unknown(l i18n.Lang) string { return i18n.For(l).T("catalogue.unknown") }

// Or returns the text, or the word for unknown where there is none.
func Or(l i18n.Lang, s string) string {
	if s == "" {
		return Unknown(l)
	}
	return s
}

// orDash returns the text, or an en dash in cells where the word for unknown has no room and
// the head of the column says what is missing.
func orDash(s string) string {
	if s == "" {
		return "–"
	}
	return s
}

// Range returns two numbers as a range: 5–30. It is one number where both are the same.
func Range(from, to string) string {
	if from == to {
		return from
	}
	return from + "–" + to
}

// List joins words as a sentence does: A, B and C; A、B 和 C.
func List(l i18n.Lang, words []string) string {
	if len(words) < 2 {
		return strings.Join(words, "")
	}
	last := len(words) - 1
	if l == i18n.English {
		return strings.Join(words[:last], ", ") + " and " + words[last]
	}
	head, tail := strings.Join(words[:last], "、"), words[last]
	return head + gapAfter(head) + "和" + gapBefore(tail) + tail
}

// gapAfter and gapBefore return the space that Han characters need beside Latin ones.
func gapAfter(s string) string {
	if r, _ := utf8.DecodeLastRuneInString(s); r < 0x250 {
		return " "
	}
	return ""
}

func gapBefore(s string) string {
	if r, _ := utf8.DecodeRuneInString(s); r < 0x250 {
		return " "
	}
	return ""
}

// amountDigits returns the amount with the currency's decimals, or more where it has more.
func amountDigits(a money.Amount) string {
	places := max(a.Currency.Decimals(), a.Value.Trim().Places())
	return a.Value.Round(places).String()
}

// currencySigns are the signs that no reader can take for another currency. The sign ¥ is
// not among them: its meaning depends on the reader.
var currencySigns = map[money.Currency]string{
	"USD": "US$", "TWD": "NT$", "HKD": "HK$", "EUR": "€", "GBP": "£", "SGD": "S$",
	"AUD": "A$", "CAD": "CA$", "NZD": "NZ$", "KRW": "₩", "INR": "₹", "JPY": "JP¥", "CNY": "CN¥",
}

// currencySign returns what stands before an amount. A bare $ never does, and a bare ¥ only
// where it is the reader's own: the yuan in simplified Chinese.
func currencySign(l i18n.Lang, c money.Currency) string {
	if c == "CNY" && l == i18n.Simplified {
		return "¥"
	}
	if s, ok := currencySigns[c]; ok {
		return s
	}
	return string(c) + nbsp
}

// grouped sets commas into the digits of a plain decimal and the minus sign before it.
func grouped(s string) string {
	sign := ""
	if rest, ok := strings.CutPrefix(s, "-"); ok {
		sign, s = minus, rest
	}
	whole, fraction, point := strings.Cut(s, ".")
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if point {
		whole += "." + fraction
	}
	if strings.Trim(whole, "0.,") == "" {
		sign = "" // −0.00 says nothing that 0.00 does not
	}
	return sign + whole
}

// smallest is the least that trimmed shows: below it there is only the noise of floats.
const smallest = 1e-6

// trimmed rounds to places and drops the zeros at the end of the fraction. A small quantity is
// not shown as zero: it keeps one digit that counts.
func trimmed(x float64, places int) string {
	if x >= smallest && x < 0.5*math.Pow10(-places) {
		places = int(math.Ceil(-math.Log10(x)))
	}
	s := strconv.FormatFloat(x, 'f', places, 64)
	if strings.Contains(s, ".") {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return grouped(s)
}
