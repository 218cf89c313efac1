package view

import (
	"math"
	"time"

	"rackwright/internal/i18n"
	"rackwright/internal/unit"
)

// significant rounds a physical quantity to what is worth reading: two decimals below 100,
// one below 1,000, none above.
func significant(x float64) string {
	switch abs := math.Abs(x); {
	case abs < 100:
		return trimmed(x, 2)
	case abs < 1000:
		return trimmed(x, 1)
	}
	return trimmed(x, 0)
}

func quantity(x float64, unit string) string { return significant(x) + nbsp + unit }

// GB returns a size of memory as datasheets give it: 80 GB, 1.13 TB.
func GB(b unit.Bytes) string {
	if b >= unit.TB {
		return quantity(float64(b)/float64(unit.TB), "TB")
	}
	return quantity(b.GB(), "GB")
}

// GiB returns a size of memory as drivers and the engine count it: 79.18 GiB.
func GiB(b unit.Bytes) string { return quantity(b.GiB(), "GiB") }

// FileSize returns the size of a file: 58 kB, 1.3 MB.
func FileSize(n int64) string {
	if n < 1_000_000 {
		return quantity(math.Ceil(float64(n)/1000), "kB")
	}
	return quantity(float64(n)/1_000_000, "MB")
}

// Bandwidth returns a rate of bytes, of memory or NVLink: 900 GB/s, 3.35 TB/s.
func Bandwidth(r unit.BytesPerSecond) string {
	if r >= 1000*unit.GBps {
		return quantity(r.GBps()/1000, "TB/s")
	}
	return quantity(r.GBps(), "GB/s")
}

// Compute returns a rate of operations: 989.4 TFLOPS, 32 PFLOPS.
func Compute(f unit.FLOPS) string {
	if f.TFLOPS() >= 10_000 {
		return quantity(f.TFLOPS()/1000, "PFLOPS")
	}
	return quantity(f.TFLOPS(), "TFLOPS")
}

// Power returns electrical power: 700 W, 10.2 kW.
func Power(w unit.Watts) string {
	if w >= unit.KW {
		return quantity(w.KW(), "kW")
	}
	return quantity(float64(w), "W")
}

// TokenRate returns a rate of tokens in words: 20,974 tokens/s.
func TokenRate(l i18n.Lang, r unit.TokensPerSecond) string {
	return quantity(float64(r), i18n.For(l).T("shell.tokens_per_second"))
}

// Params returns a number of parameters as the field writes it: 70.6B, 500M.
func Params(n int64) string {
	switch {
	case n >= 1_000_000_000:
		return significant(float64(n)/1e9) + "B"
	case n >= 1_000_000:
		return significant(float64(n)/1e6) + "M"
	}
	return grouped(trimmed(float64(n), 0))
}

// Latency returns a short span: 200 ms, 1.25 s. From one second on it counts seconds.
func Latency(d time.Duration) string {
	if d < time.Second {
		return quantity(unit.Milliseconds(d), "ms")
	}
	return quantity(d.Seconds(), "s")
}

// Days returns a number of days in words: 14 days.
func Days(l i18n.Lang, n int) string { return i18n.For(l).N("shell.days", n) }

// Months returns a number of months in words: 36 months.
func Months(l i18n.Lang, n int) string { return i18n.For(l).N("shell.months", n) }

// Years returns a number of years in words: 3 years.
func Years(l i18n.Lang, n int) string { return i18n.For(l).N("shell.years", n) }
