package pages

import "rackwright/internal/view"

// loadClass hides the load that is not chosen, by style sheet alone; without :has() both show.
func loadClass(name string) string {
	switch name {
	case view.SizingRate:
		return "when-rate"
	case view.SizingConcurrency:
		return "when-concurrency"
	}
	return ""
}
