package cost

import (
	"cmp"
	"slices"

	"rackwright/internal/catalog"
	"rackwright/internal/money"
)

// Book holds the prices of one comparison, in one currency.
type Book struct {
	Currency money.Currency
	buying   map[string][]catalog.PriceObservation // plain series, by SKU
	parts    map[string]catalog.Product
	offers   []catalog.CloudOffer // newest of each instance, region and commitment
	instance map[string]string    // catalogue SKU of a price subject
	defaults []catalog.CostDefault
}

// Sources are the rows of the catalogue that a book is made from.
type Sources struct {
	Products     []catalog.Product
	Subjects     []catalog.PriceSubject
	Observations []catalog.PriceObservation
	Offers       []catalog.CloudOffer
	Defaults     []catalog.CostDefault
}

// NewBook collects what can stand for a price: buying prices of the plain series of SKUs,
// the newest offers whose confidence is not low, and the defaults. Prices in other
// currencies are left out rather than converted without a dated rate; offers are in US
// dollars.
func NewBook(currency money.Currency, s Sources) Book {
	b := Book{
		Currency: currency, buying: map[string][]catalog.PriceObservation{}, parts: map[string]catalog.Product{},
		instance: map[string]string{}, defaults: s.Defaults,
	}
	plain := map[string]string{}
	for _, subject := range s.Subjects {
		if subject.Kind == catalog.SubjectSKU && subject.Series == "" {
			plain[subject.Code] = subject.SKU
		}
		if subject.SKU != "" && subject.Instance != "" {
			b.instance[subject.Code] = subject.SKU
		}
	}
	for _, o := range s.Observations {
		if sku, ok := plain[o.Subject]; ok && sku != "" && o.ForBuying() {
			b.buying[sku] = append(b.buying[sku], o)
		}
	}
	for _, p := range s.Products {
		b.parts[p.SKU.Code] = p
	}
	if currency == "USD" {
		b.offers = catalog.NewestOffers(s.Offers)
	}
	return b
}

// buy returns the buying price of a product by the catalogue's rule.
func (b Book) buy(sku string) (catalog.Buying, bool) {
	p, ok := b.parts[sku]
	if !ok {
		return catalog.Buying{}, false
	}
	return catalog.Buy(p, func(code string) (catalog.PriceObservation, bool) {
		return catalog.BuyingPrice(b.buying[code], b.Currency)
	})
}

// fixed returns the shipped default of a key. Rows of low confidence count only where they
// are a judgement that says so: figures of low confidence stay out of default prices.
func (b Book) fixed(key string) (catalog.CostDefault, bool) {
	i := slices.IndexFunc(b.defaults, func(d catalog.CostDefault) bool { return d.Key == key })
	if i < 0 {
		return catalog.CostDefault{}, false
	}
	d := b.defaults[i]
	if d.Value == nil || d.Confidence == catalog.Low && !judged(d) {
		return d, false
	}
	return d, true
}

// onDemand returns, for a GPU and copies of the model that need a group of GPUs each, one
// offer of each provider: its newest, then the cheapest for the job. Only whole instances
// that hold a group, or are cut of whole groups, count.
func (b Book) onDemand(gpuSKU string, group, replicas int) []catalog.CloudOffer {
	best := map[string]catalog.CloudOffer{}
	for _, o := range b.offers {
		if o.GPUSKU != gpuSKU || o.Commitment != catalog.OnDemand || o.GPUs < 1 {
			continue
		}
		if _, ok := instances(o.GPUs, group, replicas); !ok {
			continue
		}
		have, ok := best[o.Provider]
		if !ok || betterOffer(o, have, group, replicas) {
			best[o.Provider] = o
		}
	}
	out := make([]catalog.CloudOffer, 0, len(best))
	for _, o := range best {
		out = append(out, o)
	}
	slices.SortFunc(out, func(x, y catalog.CloudOffer) int {
		return cmp.Or(hourly(x, group, replicas).Cmp(hourly(y, group, replicas)), cmp.Compare(x.Provider, y.Provider))
	})
	return out
}

func betterOffer(a, b catalog.CloudOffer, group, replicas int) bool {
	return cmp.Or(
		b.AsOf.Compare(a.AsOf),
		hourly(a, group, replicas).Cmp(hourly(b, group, replicas)),
		cmp.Compare(a.Instance, b.Instance), cmp.Compare(a.Region, b.Region),
	) < 0
}

// hourly returns what all the instances of an offer cost in an hour.
func hourly(o catalog.CloudOffer, group, replicas int) money.Decimal {
	n, _ := instances(o.GPUs, group, replicas)
	return o.USDPerHour.Mul(money.FromInt(int64(n)))
}

// instances returns how many instances of a size hold the copies, and false where a group
// does not go into an instance and is not made of whole ones of eight.
func instances(size, group, replicas int) (int, bool) {
	if per := size / group; per > 0 {
		return (replicas + per - 1) / per, true
	}
	if size >= 8 && group%size == 0 {
		return replicas * group / size, true
	}
	return 0, false
}

// ofInstance returns the newest on-demand offer of one catalogue instance.
func (b Book) ofInstance(sku string) (catalog.CloudOffer, bool) {
	var fit []catalog.CloudOffer
	for _, o := range b.offers {
		if o.Commitment == catalog.OnDemand && b.instance[o.Subject] == sku {
			fit = append(fit, o)
		}
	}
	if len(fit) == 0 {
		return catalog.CloudOffer{}, false
	}
	return slices.MinFunc(fit, func(x, y catalog.CloudOffer) int {
		return cmp.Or(y.AsOf.Compare(x.AsOf), x.USDPerHour.Cmp(y.USDPerHour), cmp.Compare(x.Instance, y.Instance), cmp.Compare(x.Region, y.Region))
	}), true
}
