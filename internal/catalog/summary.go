package catalog

import (
	"cmp"
	"slices"

	"rackwright/internal/money"
)

// Summary is what a list shows of a SKU. It is worked out whenever claims, parts or prices
// change, so that lists sort and page in the database without rules of their own.
type Summary struct {
	Search       string
	MemoryGB     *money.Decimal // of all GPUs
	MemoryType   string
	BandwidthGBs *money.Decimal // of one GPU
	PowerW       *money.Decimal
	Derived      []string // which of "memory", "bandwidth" follow from parts
	Conflicts    int      // identities on which sources disagree
	Price        *PriceObservation
}

// thousand turns kW into W.
var thousand = money.FromInt(1000)

// Summarise returns the summary of a product. obs are the newest observations of its plain
// price series: purchase prices, or rents for a cloud instance.
func Summarise(p Product, lookup Lookup, obs []PriceObservation) Summary {
	s := Summary{Search: SearchText(p.SKU)}
	for _, r := range Resolve(p.Claims) {
		if len(r.Conflicts) > 0 && r.Winner.Describes() {
			s.Conflicts++
		}
	}
	s.memory(p, lookup)
	s.power(p)
	if o, ok := listPrice(p.SKU, obs); ok {
		s.Price = &o
	}
	return s
}

func (s *Summary) memory(p Product, lookup Lookup) {
	s.MemoryGB = number(p.Figure("memory_capacity", "", Aggregate))
	s.BandwidthGBs = number(p.Figure("memory_bandwidth", ""))
	s.MemoryType = text(p.Figure("memory_type"))
	if p.SKU.Kind == GPU {
		return
	}
	if s.MemoryGB == nil {
		for _, d := range Derive(p, lookup) {
			if d.Key == "memory_capacity" {
				s.MemoryGB = &d.Value
				s.Derived = append(s.Derived, "memory")
			}
		}
	}
	parts, ok := GPUsOf(p, lookup)
	if !ok || len(parts) != 1 {
		return // no GPU, or several kinds whose figures differ
	}
	gpu, _ := lookup(parts[0].SKU)
	if s.MemoryType == "" {
		s.MemoryType = text(gpu.Figure("memory_type"))
	}
	if s.BandwidthGBs == nil {
		if s.BandwidthGBs = number(gpu.Figure("memory_bandwidth", "")); s.BandwidthGBs != nil {
			s.Derived = append(s.Derived, "bandwidth")
		}
	}
}

// power takes what the whole product draws at most; the sum of GPUs is not that figure.
func (s *Summary) power(p Product) {
	s.PowerW = number(p.Figure("tdp"))
	if s.PowerW != nil {
		return
	}
	if kw := number(p.Figure("system_power_max")); kw != nil {
		w := kw.Mul(thousand)
		s.PowerW = &w
	}
}

// listPrice picks the price of a list: what a unit costs to buy, US dollars before other
// currencies; for a cloud instance the newest on-demand rent.
func listPrice(s SKU, obs []PriceObservation) (PriceObservation, bool) {
	if s.Kind == CloudInstance {
		return newestRent(obs)
	}
	if o, ok := BuyingPrice(obs, "USD"); ok {
		return o, true
	}
	return BuyingPrice(obs, "")
}

func newestRent(obs []PriceObservation) (PriceObservation, bool) {
	var fit []PriceObservation
	for _, o := range obs {
		if o.Kind == CloudOnDemand && o.Unit == PerGPUHour && o.Confidence != Low {
			fit = append(fit, o)
		}
	}
	if len(fit) == 0 {
		return PriceObservation{}, false
	}
	return slices.MinFunc(fit, func(a, b PriceObservation) int {
		return cmp.Or(newestFirst(a, b), a.Price.Value.Cmp(b.Price.Value))
	}), true
}

func number(c Claim, ok bool) *money.Decimal {
	if !ok {
		return nil
	}
	d, isNumber := c.Number()
	if !isNumber {
		return nil
	}
	return &d
}

func text(c Claim, ok bool) string {
	if !ok {
		return ""
	}
	return c.Value
}
