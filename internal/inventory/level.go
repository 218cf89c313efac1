// Package inventory holds the rules of stock: what is on hand, what is reserved, what is free, and
// what can be promised on a day.
//
// It is pure: no SQL, no clock. The database keeps the moves and the reservations and enforces
// 0 <= reserved <= on hand (R16); the functions here decide what to reserve. Entry points: Allocate
// and Forecast.
package inventory

import "rackwright/internal/catalog"

// Level is the stock of one SKU at one place. Available = OnHand - Reserved.
type Level struct {
	SKU      string
	Place    int64 // id of the location
	OnHand   int64 // sum of all moves
	Reserved int64 // sum of reservations that have not ended
}

// Available returns what is neither gone nor promised; never below zero.
func (l Level) Available() int64 { return max(0, l.OnHand-l.Reserved) }

// Stocked reports whether a SKU is a thing that lies in a warehouse. Rented instances and licences are not.
func Stocked(kind catalog.Kind, formFactor string) bool {
	switch formFactor {
	case "software subscription", "software licence", "software license":
		return false
	}
	return kind != catalog.CloudInstance
}

// Demand is how many of a SKU somebody wants.
type Demand struct {
	SKU      string
	Quantity int64
}

// Allocation reserves a quantity of a SKU at a place.
type Allocation struct {
	SKU      string
	Place    int64
	Quantity int64
}

// Shortage is what of a demand could not be reserved.
type Shortage struct {
	SKU      string
	Quantity int64
}

// Allocate reserves what is free for the demands, in their order, from the levels in theirs, and returns what
// is short. Two demands for one SKU share its stock. It never allocates more than is available, and allocating
// for what is left is a separate call with the new levels: nothing is counted twice.
func Allocate(levels []Level, demands []Demand) ([]Allocation, []Shortage) {
	free := make([]int64, len(levels))
	bySKU := map[string][]int{}
	for i, l := range levels {
		free[i] = l.Available()
		bySKU[l.SKU] = append(bySKU[l.SKU], i)
	}
	var allocations []Allocation
	var shortages []Shortage
	for _, d := range demands {
		want := d.Quantity
		for _, i := range bySKU[d.SKU] {
			n := min(want, free[i])
			if n <= 0 {
				continue
			}
			free[i] -= n
			want -= n
			allocations = append(allocations, Allocation{SKU: d.SKU, Place: levels[i].Place, Quantity: n})
		}
		if want > 0 {
			shortages = append(shortages, Shortage{SKU: d.SKU, Quantity: want})
		}
	}
	return allocations, shortages
}
