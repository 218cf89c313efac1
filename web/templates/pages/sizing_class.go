package pages

import "rackwright/internal/view"

// loadClass hides what does not belong to the chosen load and lengths, by style sheet alone;
// without :has() everything shows.
func loadClass(name string) string {
	switch name {
	case view.SizingRate:
		return "when-rate"
	case view.SizingCV:
		return "when-bursty"
	case view.SizingConcurrency:
		return "when-concurrency"
	case view.SizingTraceRate:
		return "when-trace"
	case view.SizingSpread:
		return "when-spread"
	case view.SizingInputMedian, view.SizingOutputMedian:
		return "when-median"
	}
	return ""
}
