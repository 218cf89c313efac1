package serving

import (
	"math"
	"strings"
	"time"

	"rackwright/internal/sizing/calibration"
)

// releases are the months in which versions of inference engines were published: dates of
// the rows that name them, or of the release pages (read 2026-11-30).
var releases = []struct {
	engine, prefix string
	year           int
	month          time.Month
}{
	{"trtllm", "0.9", 2024, 4}, {"trtllm", "0.14", 2024, 11}, {"trtllm", "0.20", 2025, 6}, {"trtllm", "1.0.0rc", 2025, 7},
	{"trtllm", "1.0", 2025, 9}, {"trtllm", "1.1", 2025, 9}, {"trtllm", "1.2", 2026, 1}, {"trtllm", "1.3", 2026, 3},
	{"vllm", "0.11", 2025, 10}, {"vllm", "0.12", 2025, 12}, {"vllm", "0.16", 2026, 2}, {"vllm", "0.18", 2026, 3},
	{"sglang", "0.5.1", 2025, 8}, {"sglang", "0.5.6", 2025, 12}, {"sglang", "0.5.8", 2026, 1}, {"sglang", "0.5.9", 2026, 3},
}

// ReleaseDate returns when the software of a measurement was published: the month of its
// version, else the day it was measured, else the zero time.
func ReleaseDate(engine, version string, measured time.Time) time.Time {
	version = strings.TrimPrefix(version, "v")
	for _, r := range releases {
		rest, ok := strings.CutPrefix(version, r.prefix)
		if ok && r.engine == engine && !(digit(r.prefix[len(r.prefix)-1]) && rest != "" && digit(rest[0])) {
			return time.Date(r.year, r.month, 1, 0, 0, 0, 0, time.UTC)
		}
	}
	return measured
}

func digit(b byte) bool { return b >= '0' && b <= '9' }

// reference is the day for which the speed of a release is 1.
var reference = time.Date(2026, time.January, 1, 0, 0, 0, 0, time.UTC)

// releaseSpeed is what releases before or after the reference reach of its speed.
func releaseSpeed(day time.Time, year float64) float64 {
	if day.IsZero() {
		return 1
	}
	return math.Exp(year * math.Min(day.Sub(reference).Hours()/24/365.25, 0.5))
}

// SchedulerOf returns how the inference engine of a mapping fills its steps.
func SchedulerOf(m Mapping, st *calibration.Stack) Scheduler {
	f := &st.Fitted
	return Scheduler{
		Budget: calibration.PrefillBudget.Value, Max: calibration.MaxSequences.Value, Mixed: m.Engine != "sglang",
		Request: f.RequestMS * 1e-3, Together: calibration.Together.Value, Token: f.TokenUS * micro, Burst: calibration.Burst.Value, Whole: m.Engine == "trtllm",
	}
}

// CacheTokens returns the tokens that the KV cache of one copy holds; where that is less
// than a request, those of the favourable estimate, because the copy may still run.
func CacheTokens(m Mapping, request float64) float64 {
	r := RoomOf(m)
	if float64(r.KVTokens) >= request {
		return float64(r.KVTokens)
	}
	return float64(r.MostTokens * r.ranks)
}
