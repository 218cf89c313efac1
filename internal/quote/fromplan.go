package quote

import (
	"time"

	"rackwright/internal/money"
)

// Plan is what a quote takes from a sizing plan.
type Plan struct {
	Title       string
	SizingID    int64 // of the stored report; 0 is none
	SKU         string
	Systems     int64
	Accessories []Pick // what the systems need besides: switches, cables, licences
}

// Pick is a quantity of a SKU.
type Pick struct {
	SKU      string
	Quantity int64
}

// FromPlan returns the lines of a new quote: the systems, then what they need. Bills of materials, names and
// prices are added when the draft is stored (Merge).
func FromPlan(p Plan) []Line {
	var lines []Line
	for _, pick := range append([]Pick{{p.SKU, p.Systems}}, p.Accessories...) {
		if pick.SKU != "" && pick.Quantity > 0 {
			lines = append(lines, Line{Kind: Item, SKU: pick.SKU, Quantity: money.FromInt(pick.Quantity)})
		}
	}
	return lines
}

// NewContent returns the empty content of a new quote on a moment's day: the company's currency, prices
// without tax, and the company's usual validity.
func NewContent(s Settings, now time.Time, lang string) Content {
	day := Day(now, s.Zone)
	return Content{
		Currency: s.Currency, TaxMode: Exclusive, Lang: lang,
		Day: day, ValidTo: day.AddDate(0, 0, s.ValidityDays),
	}
}
