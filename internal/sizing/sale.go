package sizing

import "rackwright/internal/sizing/hardware"

// Sale returns what a quote of the plan sells: whole systems, or the cards themselves where
// the plan puts cards into servers of the buyer's choice. ok is false for a plan that is
// only rented.
func (p *Plan) Sale() (sku string, quantity int, ok bool) {
	switch hardware.Kind(p.SystemKind) {
	case hardware.Cloud:
		return "", 0, false
	case hardware.Card:
		return p.SystemSKU, p.GPUs, true
	}
	return p.SystemSKU, p.Systems, true
}
