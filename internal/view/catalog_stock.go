package view

import (
	"time"

	"rackwright/internal/catalog"
	"rackwright/internal/i18n"
	"rackwright/internal/inventory"
)

// stockCell says whether a SKU can be had. Counts are for staff; a visitor reads in stock, a
// date, or what to do.
func stockCell(l i18n.Localizer, r catalog.Row, stock map[string]inventory.Availability, staff bool) StockCell {
	s := r.SKU
	a, have := stock[s.Code]
	switch {
	case s.Kind == catalog.CloudInstance:
		return StockCell{"out", l.T("catalog.rented")}
	case have && a.Available() > 0 && staff:
		return StockCell{"stock", l.N("catalog.in_stock", int(a.Available()))}
	case have && a.Available() > 0:
		return StockCell{"stock", l.T("catalogue.in_stock")}
	}
	if day, n, ok := nextConfirmed(a); ok {
		if staff {
			return StockCell{"lead", l.N("catalog.due", n, "date", DateShort(day))}
		}
		return StockCell{"lead", l.T("catalog.due_on", "date", DateShort(day))}
	}
	switch {
	case s.Status == catalog.Announced:
		return StockCell{"out", l.T("catalogue.status_announced")}
	case s.Status == catalog.Unverified:
		return StockCell{"out", l.T("catalogue.no_offer")}
	case s.Kind == catalog.GPU && isModule(s.FormFactor):
		return StockCell{"out", l.T("catalogue.on_hgx_only")}
	case have && a.EverMoved:
		return StockCell{"out", l.T("catalogue.out_of_stock")}
	}
	return StockCell{"lead", l.T("catalogue.ask_us")}
}

// isModule reports whether a GPU is sold only on a board.
func isModule(formFactor string) bool { return len(formFactor) == 4 && formFactor[:3] == "SXM" }

// nextConfirmed returns the first day on which confirmed stock arrives that nobody has, and how much.
func nextConfirmed(a inventory.Availability) (day time.Time, n int, ok bool) {
	for _, p := range a.Forecast {
		if p.Available > 0 {
			return p.Day, int(p.Available), true
		}
	}
	return time.Time{}, 0, false
}
