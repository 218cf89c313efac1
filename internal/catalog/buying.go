package catalog

import (
	"cmp"
	"slices"
	"time"

	"rackwright/internal/money"
)

// staleDays is the age from which a price is marked stale in quotes and comparisons.
const staleDays = 45

// Stale reports whether a price of a day is older than 45 days. It never blocks anything.
func Stale(day, now time.Time) bool { return AgeDays(day, now) > staleDays }

// AgeDays returns the whole days between a date and the date of now, both in UTC.
func AgeDays(day, now time.Time) int {
	return int(midnight(now).Sub(midnight(day)) / (24 * time.Hour))
}

func midnight(t time.Time) time.Time {
	y, m, d := t.UTC().Date()
	return time.Date(y, m, d, 0, 0, 0, 0, time.UTC)
}

// newestFirst orders observations: newer day, better confidence, then source and region so
// that the order is total.
func newestFirst(a, b PriceObservation) int {
	return cmp.Or(
		b.Day.Compare(a.Day),
		cmp.Compare(a.Confidence.rank(), b.Confidence.rank()),
		cmp.Compare(a.SourceID, b.SourceID),
		cmp.Compare(a.SourceDetail, b.SourceDetail),
		cmp.Compare(a.Region, b.Region),
	)
}

// ForBuying reports whether an observation may stand for what a unit or system costs: a
// list or street price of new goods, per unit or system, of medium confidence or better.
func (o PriceObservation) ForBuying() bool {
	return (o.Kind == ListPrice || o.Kind == StreetNew) &&
		(o.Unit == PerUnit || o.Unit == PerSystem) && o.Confidence != Low
}

// BuyingPrice returns the newest observation in a currency that may stand for the buying
// price of a SKU, from the observations of its plain series. Any currency does where the
// argument is empty.
func BuyingPrice(obs []PriceObservation, currency money.Currency) (PriceObservation, bool) {
	var fit []PriceObservation
	for _, o := range obs {
		if o.ForBuying() && (currency == "" || o.Price.Currency == currency) {
			fit = append(fit, o)
		}
	}
	if len(fit) == 0 {
		return PriceObservation{}, false
	}
	return slices.MinFunc(fit, newestFirst), true
}

// BuyingPart is one part of a buying price that is a sum.
type BuyingPart struct {
	Component   Component
	Price       money.Amount // of one
	Observation PriceObservation
}

// Buying is what a SKU costs to buy: one observation, or the sum of its bill of materials.
type Buying struct {
	Price       money.Amount
	Observation *PriceObservation // nil where the price is a sum
	Parts       []BuyingPart      // of a sum, in the order of the bill
}

// Day returns the day of the price: of the observation, or of the oldest part of a sum.
func (b Buying) Day() time.Time {
	if b.Observation != nil {
		return b.Observation.Day
	}
	var day time.Time
	for i, p := range b.Parts {
		if i == 0 || p.Observation.Day.Before(day) {
			day = p.Observation.Day
		}
	}
	return day
}

// Buy returns the buying price of a product: its own price, else the sum of its bill of
// materials if every part has one, else false, which means "your figure". price returns
// the BuyingPrice of a SKU in the currency of the comparison.
func Buy(p Product, price func(code string) (PriceObservation, bool)) (Buying, bool) {
	if o, ok := price(p.SKU.Code); ok {
		return Buying{Price: o.Price, Observation: &o}, true
	}
	var b Buying
	for _, c := range p.Components {
		o, ok := price(c.Child)
		if !ok {
			return Buying{}, false
		}
		part := o.Price.Mul(money.FromInt(int64(c.Quantity)))
		if len(b.Parts) == 0 {
			b.Price = part
		} else if sum, err := b.Price.Add(part); err == nil {
			b.Price = sum
		} else {
			return Buying{}, false // parts in different currencies have no sum
		}
		b.Parts = append(b.Parts, BuyingPart{Component: c, Price: o.Price, Observation: o})
	}
	return b, len(b.Parts) > 0
}

// NewestOffers returns, of each instance, region and commitment of a provider, the newest
// offer whose confidence is not low; cheapest per GPU-hour first.
func NewestOffers(offers []CloudOffer) []CloudOffer {
	type key struct{ provider, instance, region, commitment string }
	newest := map[key]CloudOffer{}
	for _, o := range offers {
		if o.Confidence == Low {
			continue
		}
		k := key{o.Provider, o.Instance, o.Region, o.Commitment}
		if have, ok := newest[k]; !ok || offerOrder(o, have) < 0 {
			newest[k] = o
		}
	}
	out := make([]CloudOffer, 0, len(newest))
	for _, o := range newest {
		out = append(out, o)
	}
	slices.SortFunc(out, func(a, b CloudOffer) int {
		return cmp.Or(a.USDPerGPUHour.Cmp(b.USDPerGPUHour), offerOrder(a, b))
	})
	return out
}

// CurrentOffers splits offers into those seen within 45 days of the newest one and the
// older rest, keeping the order. What is asked now is read from the first.
func CurrentOffers(offers []CloudOffer) (current, older []CloudOffer) {
	var newest time.Time
	for _, o := range offers {
		if o.AsOf.After(newest) {
			newest = o.AsOf
		}
	}
	for _, o := range offers {
		if Stale(o.AsOf, newest) {
			older = append(older, o)
		} else {
			current = append(current, o)
		}
	}
	return current, older
}

// offerOrder puts the offer that counts first: newer, better confidence, cheaper; the rest
// makes the order total.
func offerOrder(a, b CloudOffer) int {
	return cmp.Or(
		b.AsOf.Compare(a.AsOf),
		cmp.Compare(a.Confidence.rank(), b.Confidence.rank()),
		a.USDPerGPUHour.Cmp(b.USDPerGPUHour),
		cmp.Compare(a.Provider, b.Provider),
		cmp.Compare(a.Instance, b.Instance),
		cmp.Compare(a.Region, b.Region),
		cmp.Compare(a.SourceID, b.SourceID),
	)
}

// ComparisonOffer returns the default offer of a comparison for a GPU and a commitment:
// the newest one of any provider whose confidence is not low.
func ComparisonOffer(offers []CloudOffer, gpuSKU, commitment string) (CloudOffer, bool) {
	var fit []CloudOffer
	for _, o := range offers {
		if o.GPUSKU == gpuSKU && o.Commitment == commitment && o.Confidence != Low {
			fit = append(fit, o)
		}
	}
	if len(fit) == 0 {
		return CloudOffer{}, false
	}
	return slices.MinFunc(fit, offerOrder), true
}
