package quote

import (
	"strings"

	"rackwright/internal/money"
)

// licence says which export licence the merged content has. A new reference counts when somebody
// with the right to it typed it (Edit.Licence). One that was recorded before stays as long as it
// covers what is offered now.
func (m *merger) licence() string {
	recorded := m.old.LicenceRef
	if typed := m.edit.Licence; typed != nil {
		if ref := strings.TrimSpace(*typed); ref != recorded {
			return ref
		}
	}
	if recorded == "" || !covers(m.old, m.out) {
		return ""
	}
	return recorded
}

// covers reports whether a licence for one content is one for another: the same customer, the same
// countries, and of no product more than before.
func covers(before, after Content) bool {
	if before.ShipTo != after.ShipTo || before.EndUser != after.EndUser ||
		before.Customer.CustomerID != after.Customer.CustomerID || before.Customer.Name != after.Customer.Name {
		return false
	}
	had := offered(before)
	for sku, n := range offered(after) {
		if had[sku].Less(n) {
			return false
		}
	}
	return true
}

// offered returns how much of each product a content offers, options and parts too.
func offered(c Content) map[string]money.Decimal {
	n := map[string]money.Decimal{}
	bundles := money.FromInt(1)
	for _, l := range c.Lines {
		if !l.Kind.Priced() || l.SKU == "" {
			continue
		}
		quantity := l.Quantity
		if l.Part {
			quantity = quantity.Mul(bundles)
		} else {
			bundles = l.Quantity
		}
		n[l.SKU] = n[l.SKU].Add(quantity)
	}
	return n
}
