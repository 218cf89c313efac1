package view

import (
	"testing"
	"time"

	"rackwright/internal/i18n"
	"rackwright/internal/money"
	"rackwright/internal/unit"
)

const (
	en   = i18n.English
	hans = i18n.Simplified
	hant = i18n.Traditional
)

func amount(currency, value string) money.Amount {
	return money.New(money.MustDecimal(value), money.Currency(currency))
}

func TestMoney(t *testing.T) {
	tests := map[string]struct {
		in             money.Amount
		en, hans, hant string
	}{
		"dollars":              {amount("USD", "1234.5"), "US$1,234.50", "US$1,234.50", "US$1,234.50"},
		"yuan":                 {amount("CNY", "1234.5"), "CN¥1,234.50", "¥1,234.50", "CN¥1,234.50"},
		"taiwan dollars":       {amount("TWD", "1235.00"), "NT$1,235.00", "NT$1,235.00", "NT$1,235.00"},
		"hong kong dollars":    {amount("HKD", "1234.5"), "HK$1,234.50", "HK$1,234.50", "HK$1,234.50"},
		"euros":                {amount("EUR", "1234567.89"), "€1,234,567.89", "€1,234,567.89", "€1,234,567.89"},
		"yen have no decimals": {amount("JPY", "1235"), "JP¥1,235", "JP¥1,235", "JP¥1,235"},
		"dinar have three":     {amount("KWD", "12.5"), "KWD\u00a012.500", "KWD\u00a012.500", "KWD\u00a012.500"},
		"negative":             {amount("USD", "-1234.5"), "−US$1,234.50", "−US$1,234.50", "−US$1,234.50"},
		"zero":                 {amount("USD", "0"), "US$0.00", "US$0.00", "US$0.00"},
		"negative zero":        {amount("USD", "-0.00"), "US$0.00", "US$0.00", "US$0.00"},
		"exact unit price":     {amount("USD", "0.123456"), "US$0.123456", "US$0.123456", "US$0.123456"},
		"zeros past the cents": {amount("USD", "2.500000"), "US$2.50", "US$2.50", "US$2.50"},
		"huge":                 {amount("USD", "123456789012.34"), "US$123,456,789,012.34", "US$123,456,789,012.34", "US$123,456,789,012.34"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			for l, want := range map[i18n.Lang]string{en: tt.en, hans: tt.hans, hant: tt.hant} {
				if got := Money(l, tt.in); got != want {
					t.Errorf("%s: %q, want %q", l, got, want)
				}
			}
		})
	}
}

func TestMoneyForms(t *testing.T) {
	a := amount("USD", "9412345.678")
	check(t, "table", MoneyTable(amount("USD", "1234.5")), "USD\u00a01,234.50")
	check(t, "digits", MoneyDigits(amount("JPY", "1234")), "1,234")
	check(t, "short, english", MoneyShort(en, a), "US$9.41\u00a0million")
	check(t, "short, simplified", MoneyShort(hans, a), "US$941.23\u00a0万")
	check(t, "short, traditional", MoneyShort(hant, amount("USD", "250000000")), "US$2.5\u00a0億")
	check(t, "short, small", MoneyShort(en, amount("USD", "999999.994")), "US$999,999.99")
	check(t, "short, negative", MoneyShort(en, amount("CNY", "-2500000")), "−CN¥2.5\u00a0million")
	check(t, "unknown", MoneyOr(en, nil), "Unknown")
	check(t, "known", MoneyOr(en, &money.Amount{Value: money.FromInt(1), Currency: "USD"}), "US$1.00")
}

func TestNumbers(t *testing.T) {
	d := money.MustDecimal
	check(t, "keeps zeros", Number(en, d("1234.50")), "1,234.50")
	check(t, "drops zeros", NumberTrim(en, d("1234.50")), "1,234.5")
	check(t, "negative", Number(hans, d("-1234.5")), "−1,234.5")
	check(t, "small", Number(en, d("0.000125")), "0.000125")
	check(t, "int", Int(en, 16896), "16,896")
	check(t, "int, small", Int(en, 896), "896")
	check(t, "int, negative", Int(en, -1000000), "−1,000,000")
	check(t, "float", Float(en, 989.449, 1), "989.4")
	check(t, "float, round", Float(en, 20973.6, 0), "20,974")
	check(t, "float, minus zero", Float(en, -0.0004, 2), "0")
	check(t, "percent", Percent(en, money.MustPercent("12.50")), "12.5%")
	check(t, "percent, negative", Percent(en, money.MustPercent("-3")), "−3%")
	check(t, "percent, fixed", PercentFixed(en, money.MustPercent("12.5"), 2), "12.50%")
	check(t, "change up", PercentChange(en, money.MustPercent("3.24")), "+3.2%")
	check(t, "change down", PercentChange(en, money.MustPercent("-0.44")), "−0.4%")
	check(t, "no change", PercentChange(en, money.MustPercent("0.04")), "0%")
	check(t, "ratio", Ratio(en, 0.3451, 1), "34.5%")
	check(t, "range", Range("5", "30"), "5–30")
	check(t, "range of one", Range("5", "5"), "5")
	check(t, "or", Or(hans, ""), "未知")
	check(t, "or, known", Or(hans, "80 GB"), "80 GB")
}

// A load of one request in three hours is not a load of 0, a limit of a microsecond no limit of 0.
func TestSmallNumbersAreNotShownAsZero(t *testing.T) {
	for _, c := range []struct {
		x      float64
		places int
		want   string
	}{{0.0001, 3, "0.0001"}, {0.004, 2, "0.004"}, {0.4, 0, "0.4"}, {0.005, 2, "0.01"}, {0, 2, "0"}, {1e-12, 2, "0"}, {1.5, 0, "2"}} {
		if got := Float(i18n.English, c.x, c.places); got != c.want {
			t.Errorf("%v to %d places: %s, want %s", c.x, c.places, got, c.want)
		}
	}
}

func TestList(t *testing.T) {
	tests := []struct {
		words    []string
		en, hans string
	}{
		{nil, "", ""},
		{[]string{"A"}, "A", "A"},
		{[]string{"A", "B"}, "A and B", "A 和 B"},
		{[]string{"销售", "定价"}, "销售 and 定价", "销售和定价"},
		{[]string{"A", "B", "C"}, "A, B and C", "A、B 和 C"},
	}
	for _, tt := range tests {
		check(t, "english", List(en, tt.words), tt.en)
		check(t, "simplified", List(hans, tt.words), tt.hans)
	}
}

func TestUnits(t *testing.T) {
	check(t, "memory", GB(80*unit.GB), "80\u00a0GB")
	check(t, "memory, large", GB(1128*unit.GB), "1.13\u00a0TB")
	check(t, "binary", GiB(unit.FromGiB(79.18)), "79.18\u00a0GiB")
	check(t, "binary, large", GiB(640*unit.GiB), "640\u00a0GiB")
	check(t, "bandwidth", Bandwidth(900*unit.GBps), "900\u00a0GB/s")
	check(t, "bandwidth, large", Bandwidth(3350*unit.GBps), "3.35\u00a0TB/s")
	check(t, "compute", Compute(989.4*unit.TFLOPS), "989.4\u00a0TFLOPS")
	check(t, "compute, thousands", Compute(1978.9*unit.TFLOPS), "1,979\u00a0TFLOPS")
	check(t, "compute, petaflops", Compute(32000*unit.TFLOPS), "32\u00a0PFLOPS")
	check(t, "power", Power(700), "700\u00a0W")
	check(t, "power, large", Power(10200), "10.2\u00a0kW")
	check(t, "tokens", TokenRate(en, 20973.8), "20,974\u00a0tokens/s")
	check(t, "tokens, chinese", TokenRate(hant, 20973.8), "20,974\u00a0token/s")
	check(t, "parameters", Params(70_553_706_496), "70.55B")
	check(t, "parameters, large", Params(671_026_419_200), "671B")
	check(t, "parameters, millions", Params(494_032_768), "494M")
	check(t, "latency", Latency(200*time.Millisecond), "200\u00a0ms")
	check(t, "latency, fraction", Latency(12340*time.Microsecond), "12.34\u00a0ms")
	check(t, "latency, seconds", Latency(1250*time.Millisecond), "1.25\u00a0s")
	check(t, "file", FileSize(57_801), "58\u00a0kB")
	check(t, "file, large", FileSize(1_340_000), "1.34\u00a0MB")
	check(t, "days", Days(en, 1), "1 day")
	check(t, "months", Months(hant, 36), "36 個月")
	check(t, "years", Years(en, 3), "3 years")
}

func TestDates(t *testing.T) {
	at := time.Date(2026, 11, 30, 14, 5, 0, 0, time.FixedZone("", 8*3600))
	tests := map[string]struct {
		format         func(i18n.Lang, time.Time) string
		en, hans, hant string
	}{
		"long":    {Date, "30 November 2026", "2026年11月30日", "2026年11月30日"},
		"medium":  {DateMedium, "30 Nov 2026", "2026/11/30", "2026/11/30"},
		"weekday": {Weekday, "Monday, 30 November 2026", "2026年11月30日星期一", "2026年11月30日 星期一"},
		"month":   {Month, "November 2026", "2026年11月", "2026年11月"},
		"moment":  {DateTime, "30 Nov 2026, 14:05 (UTC+8)", "2026/11/30 14:05（UTC+8）", "2026/11/30 14:05（UTC+8）"},
	}
	for name, tt := range tests {
		t.Run(name, func(t *testing.T) {
			check(t, "english", tt.format(en, at), tt.en)
			check(t, "simplified", tt.format(hans, at), tt.hans)
			check(t, "traditional", tt.format(hant, at), tt.hant)
		})
	}
	check(t, "table", DateShort(at), "2026-11-30")
	check(t, "machine", Machine(at), "2026-11-30T06:05:00Z")
	check(t, "sunday", Weekday(hans, at.AddDate(0, 0, -1)), "2026年11月29日星期日")
	check(t, "utc", Zone(at.UTC()), "UTC")
	check(t, "half hours", Zone(at.In(time.FixedZone("", -(3*3600+1800)))), "UTC−3:30")
}

func check(t *testing.T, what, got, want string) {
	t.Helper()
	if got != want {
		t.Errorf("%s: %q, want %q", what, got, want)
	}
}
