package view

import (
	"cmp"
	"maps"
	"slices"
	"time"

	"rackwright/internal/catalog"
	"rackwright/internal/chart"
	"rackwright/internal/i18n"
	"rackwright/internal/money"
)

// PriceSection is the price history of a product: charts, newest offers, observations.
type PriceSection struct {
	Note    string
	CSV     string // address of the whole history as a file
	Charts  []PriceChart
	Offers  []OfferRow       // on demand, seen lately
	Other   []OfferRow       // other terms, and older ones
	More    string           // "31 more offers", above the others
	Rows    []ObservationRow // the newest
	Summary string           // "382 observations", above the rows
	Older   string           // "300 more in the CSV file", or ""
}

// PriceChart is one history as steps, with its title and what to read from it.
type PriceChart struct {
	Title   string
	Caption string
	Steps   chart.Steps
}

// OfferRow is the newest offer of an instance.
type OfferRow struct {
	Provider   string
	Instance   string
	Commitment string
	Fabric     string
	HasFabric  bool
	Gbps       string
	Region     string
	PerGPUHour string
	Seen       string
	Stale      bool
	Age        string
	Mark       Mark
}

// ObservationRow is one observation of the history.
type ObservationRow struct {
	Day     string
	About   string
	Kind    string
	Price   string
	Unit    string
	Region  string
	Mark    Mark
	Level   int
	Trust   string
	Note    string // in English
	Precise string // how exact the day is, "" for a day
}

// Bounds of what one page shows of a history.
const (
	shownObservations = 40
	chartSeries       = 6
)

func newPriceSection(b productBuilder) PriceSection {
	d := b.in.Detail
	v := PriceSection{Note: b.T("catalog.price_note"), CSV: productHref(d.SKU.Code) + "/prices.csv"}
	for _, c := range []PriceChart{b.rentChart(), b.purchaseChart()} {
		if !c.Steps.Empty() {
			v.Charts = append(v.Charts, c)
		}
	}
	current, older := catalog.CurrentOffers(catalog.NewestOffers(d.Offers))
	for _, o := range current {
		if o.Commitment == catalog.OnDemand {
			v.Offers = append(v.Offers, b.offer(o))
		} else {
			v.Other = append(v.Other, b.offer(o))
		}
	}
	for _, o := range older {
		v.Other = append(v.Other, b.offer(o))
	}
	v.More = b.N("catalog.other_offers", len(v.Other))
	for _, o := range d.Observations {
		if len(v.Rows) == shownObservations {
			break
		}
		v.Rows = append(v.Rows, b.observation(o))
	}
	v.Summary = b.N("catalog.observations", len(d.Observations))
	if more := len(d.Observations) - len(v.Rows); more > 0 {
		v.Older = b.N("catalog.older_in_file", more)
	}
	return v
}

func (b productBuilder) offer(o catalog.CloudOffer) OfferRow {
	row := OfferRow{
		Provider: Provider(o.Provider), Instance: o.Instance, Commitment: Commitment(b.L, o.Commitment), Fabric: Fabric(b.L, o.Fabric),
		HasFabric: o.Fabric != "", Region: Region(b.L, o.Region), PerGPUHour: MoneyDigits(money.New(o.USDPerGPUHour, "USD")),
		Seen: DateShort(o.AsOf), Stale: catalog.Stale(o.AsOf, b.in.Now), Mark: b.sources.markID(o.SourceID), Gbps: figureOr(b.L, o.NetworkGbps),
	}
	if row.Stale {
		row.Age = Age(b.L, o.AsOf, b.in.Now)
	}
	return row
}

func (b productBuilder) observation(o catalog.PriceObservation) ObservationRow {
	row := ObservationRow{
		Day: DateShort(o.Day), About: b.about(o), Kind: PriceKindName(b.L, o.Kind), Price: MoneyTable(o.Price), Unit: PriceUnitName(b.L, o.Unit),
		Region: Region(b.L, o.Region), Mark: b.sources.markID(o.SourceID), Note: o.Note,
	}
	row.Level, row.Trust = ConfidenceLevel(b.L, o.Confidence)
	if o.DatePrecision != "day" {
		row.Precise = known(b.L, "catalog.precision_", o.DatePrecision)
	}
	return row
}

// about says what an observation is about: a SKU, an instance of a provider, or a market.
func (b productBuilder) about(o catalog.PriceObservation) string {
	s := b.in.Detail.Subjects[o.Subject]
	switch {
	case s.Label != "":
		return s.Label
	case s.Kind == catalog.SubjectSKU:
		return b.name(s.SKU) + seriesSuffix(b.L, s.Series)
	case s.Provider != "" && s.Instance != "":
		return Provider(s.Provider) + " " + s.Instance + seriesSuffix(b.L, s.Series)
	}
	return o.Subject
}

func seriesSuffix(l i18n.Localizer, series string) string {
	if series == "" {
		return ""
	}
	return " · " + known(l, "catalog.series_", series)
}

// rentChart draws what providers ask per GPU-hour on demand: of each provider the series
// that was watched most, of the providers those watched most.
func (b productBuilder) rentChart() PriceChart {
	d := b.in.Detail
	histories := map[string][]catalog.PriceObservation{}
	for _, o := range d.Observations {
		s := d.Subjects[o.Subject]
		mine := s.SKU == d.SKU.Code || o.GPUSKU == d.SKU.Code
		if mine && s.InProviderCharts && o.Kind == catalog.CloudOnDemand && o.Unit == catalog.PerGPUHour && o.Price.Currency == "USD" && o.Confidence != catalog.Low {
			histories[o.Subject] = append(histories[o.Subject], o)
		}
	}
	best := map[string]string{} // provider to subject
	for subject, h := range histories {
		p := d.Subjects[subject].Provider
		if have, ok := best[p]; !ok || cmp.Or(cmp.Compare(len(h), len(histories[have])), cmp.Compare(have, subject)) > 0 {
			best[p] = subject
		}
	}
	order := slices.SortedFunc(maps.Keys(best), func(x, y string) int {
		return cmp.Or(cmp.Compare(len(histories[best[y]]), len(histories[best[x]])), cmp.Compare(x, y))
	})
	c := PriceChart{Title: b.T("catalog.chart_rent"), Caption: b.T("catalog.chart_rent_caption"), Steps: chart.Steps{
		Label: b.T("catalog.chart_rent_label", "name", d.SKU.NameIn(b.Tag())), Unit: "USD", Today: b.in.Now,
	}}
	for _, p := range order[:min(len(order), chartSeries)] {
		c.Steps.Series = append(c.Steps.Series, b.series(Provider(p), onePerDay(histories[best[p]]), 1))
	}
	return c
}

// purchaseChart draws what the SKU, and for a GPU the boards and systems with it, cost new.
func (b productBuilder) purchaseChart() PriceChart {
	d := b.in.Detail
	histories := map[string][]catalog.PriceObservation{}
	for _, o := range d.Observations {
		s := d.Subjects[o.Subject]
		if s.Kind == catalog.SubjectSKU && s.Series == "" && o.ForBuying() && o.Price.Currency == "USD" {
			histories[s.SKU] = append(histories[s.SKU], o)
		}
	}
	order := slices.SortedFunc(maps.Keys(histories), func(x, y string) int {
		if (x == d.SKU.Code) != (y == d.SKU.Code) { // the product itself first
			if x == d.SKU.Code {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(len(histories[y]), len(histories[x])), cmp.Compare(x, y))
	})
	c := PriceChart{Title: b.T("catalog.chart_purchase"), Caption: b.T("catalog.chart_purchase_caption"), Steps: chart.Steps{
		Label: b.T("catalog.chart_purchase_label", "name", d.SKU.NameIn(b.Tag())), Unit: b.T("catalog.thousand_usd"), Today: b.in.Now,
	}}
	for _, code := range order[:min(len(order), chartSeries)] {
		c.Steps.Series = append(c.Steps.Series, b.series(code, onePerDay(histories[code]), 1000))
	}
	return c
}

// onePerDay keeps of each day the observation of the region that was watched most, oldest first.
func onePerDay(newestFirst []catalog.PriceObservation) []catalog.PriceObservation {
	seen := map[string]int{}
	for _, o := range newestFirst {
		seen[o.Region]++
	}
	days := map[time.Time]catalog.PriceObservation{}
	for _, o := range newestFirst {
		if have, ok := days[o.Day]; !ok || cmp.Or(cmp.Compare(seen[o.Region], seen[have.Region]), cmp.Compare(have.Region, o.Region)) > 0 {
			days[o.Day] = o
		}
	}
	return slices.SortedFunc(maps.Values(days), func(a, b catalog.PriceObservation) int { return a.Day.Compare(b.Day) })
}

// series returns one line of a chart, its values divided by scale.
func (b productBuilder) series(name string, obs []catalog.PriceObservation, scale float64) chart.Series {
	s := chart.Series{Name: name}
	for _, o := range obs {
		s.Seen = append(s.Seen, chart.Observation{
			Day: o.Day, Value: o.Price.Value.Float() / scale, Title: MoneyTable(o.Price) + ", " + DateShort(o.Day),
		})
	}
	last := obs[len(obs)-1]
	s.Value = MoneyDigits(last.Price)
	if scale != 1 {
		s.Value = Float(b.Lang, last.Price.Value.Float()/scale, 1)
	}
	return s
}

// aside returns what the thing costs now and whether it can be had.
func (b productBuilder) aside() []AsideRow {
	d := b.in.Detail
	var rows []AsideRow
	if d.SKU.Kind != catalog.CloudInstance {
		rows = append(rows, b.buyingRow())
	}
	if r, ok := b.rentRow(); ok {
		rows = append(rows, r)
	}
	stock := stockCell(b.L, catalog.Row{SKU: d.SKU}, b.in.Stock, b.in.Staff)
	return append(rows, AsideRow{Label: b.T("catalog.availability"), Value: stock.Text, Badge: stock.Kind})
}

// buyingRow is the newest price of new goods, by the rule of cost comparisons.
func (b productBuilder) buyingRow() AsideRow {
	d := b.in.Detail
	price := func(currency money.Currency) func(string) (catalog.PriceObservation, bool) {
		return func(code string) (catalog.PriceObservation, bool) {
			return catalog.BuyingPrice(d.Buying[code], currency)
		}
	}
	row := AsideRow{Label: b.T("catalog.market_new")}
	buy, ok := catalog.Buy(d.Product, price("USD"))
	if !ok {
		buy, ok = catalog.Buy(d.Product, price(""))
	}
	if !ok {
		row.Value, row.Badge = b.T("catalogue.no_observation"), "out"
		return row
	}
	row.Value, row.Note, row.Stale = MoneyTable(buy.Price), b.seen(buy.Day()), catalog.Stale(buy.Day(), b.in.Now)
	if buy.Observation == nil {
		row.Label = b.T("price.sum_of_parts")
	}
	return row
}

// seen says on which day a price was seen, and how long ago where it is old.
func (b productBuilder) seen(day time.Time) string {
	if catalog.Stale(day, b.in.Now) {
		return b.T("catalog.seen_stale", "date", DateShort(day), "age", Age(b.L, day, b.in.Now))
	}
	return b.T("catalog.seen_on", "date", DateShort(day))
}

// rentRow is the range of the newest on-demand offers.
func (b productBuilder) rentRow() (AsideRow, bool) {
	var rents []money.Decimal
	var newest time.Time
	current, _ := catalog.CurrentOffers(catalog.NewestOffers(b.in.Detail.Offers)) // cheapest first
	for _, o := range current {
		if o.Commitment != catalog.OnDemand {
			continue
		}
		rents = append(rents, o.USDPerGPUHour)
		if o.AsOf.After(newest) {
			newest = o.AsOf
		}
	}
	if len(rents) == 0 {
		return AsideRow{}, false
	}
	digits := func(d money.Decimal) string { return MoneyDigits(money.New(d, "USD").Round()) }
	return AsideRow{
		Label: b.T("catalog.rent_on_demand"),
		Value: b.T("catalog.usd_per_gpu_hour", "range", Range(digits(rents[0]), digits(rents[len(rents)-1]))),
		Note:  b.N("catalog.offers_up_to", len(rents), "date", DateShort(newest)), Stale: catalog.Stale(newest, b.in.Now),
	}, true
}
