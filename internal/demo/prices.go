package demo

import (
	"fmt"

	"rackwright/internal/money"
	"rackwright/internal/quote"
)

// base is the currency of the demo's books and of its price list.
const base money.Currency = "USD"

// listName says wherever a price shows its origin that it is invented.
const listName = "Demo price list (invented)"

// invented is the source of the demo's exchange rates.
const invented = "Invented for the demo"

// Days ago on which prices change. Prices of equipment were renewed once; those of the
// network are so old that they are marked (R15).
const (
	oldPrices = 70
	newPrices = 31
)

// price is the invented price of a SKU in the base currency, and the quantity from which a
// lower one holds.
type price struct {
	sku   string
	each  string
	from  int64 // quantity break; 0 is none
	lower string
	aged  bool // not renewed
}

// prices are round figures in the order of size of what the catalogue has observed, so that
// sizes and shares look right. They are nobody's prices.
var prices = []price{
	{"H100-PCIE-80GB", "27500", 8, "26500", false},
	{"H100-NVL-94GB", "31000", 8, "30000", false},
	{"H200-NVL-141GB", "33500", 8, "32500", false},
	{"GH200-96GB", "43000", 0, "", false},
	{"HGX-H100-4GPU", "118000", 0, "", false},
	{"HGX-H100-8GPU", "232000", 4, "226000", false},
	{"HGX-H200-8GPU", "295000", 4, "288000", false},
	{"DGX-H100", "365000", 4, "355000", false},
	{"DGX-H200", "445000", 4, "434000", false},
	{"DGX-B200", "515000", 0, "", false},
	{"SMC-SYS-821GE-TNHR", "286000", 4, "279000", false},
	{"SMC-AS-8125GS-TNHR", "289000", 4, "282000", false},
	{"SMC-SYS-741GE-TNRT", "138000", 0, "", false},
	{"DELL-XE9680-H100", "305000", 4, "298000", false},
	{"HPE-XD670-H100", "299000", 0, "", false},
	{"LENOVO-SR685A-V3-H100", "293000", 4, "286000", false},
	{"LENOVO-SR675-V3-PCIE", "246000", 0, "", false},
	{"GBT-G593-SD0", "282000", 4, "275000", false},
	{"CX7-NDR-400", "1750", 32, "1700", true},
	{"BF3-400", "2950", 0, "", true},
	{"QM9700", "31500", 4, "30800", true},
	{"SN5600", "54000", 0, "", true},
	{"NVLINK-BRIDGE-H100-PCIE", "210", 0, "", true},
	{"NVAIE-SUB-1Y", "4200", 64, "4100", false},
}

var (
	floorShare = money.MustPercent("94.5") // of the price of one
	costShare  = money.MustPercent("89")
	rise       = money.MustPercent("102") // of what was asked before the renewal
)

// planPrices plans the price list, its floors and the exchange rates.
func (s *seeder) planPrices() {
	s.on(oldPrices, 10, s.listPrices)
	for day := oldPrices; day >= 0; day -= quote.RateDays {
		s.on(day, 8, func() error { return s.fixRates(day) })
	}
}

// listPrices writes the price list with both generations of prices, floors and costs.
func (s *seeder) listPrices() error {
	list := quote.PriceList{Name: listName, Currency: base, TaxMode: quote.Exclusive, Demo: true}
	id, err := s.db.SavePriceList(s.ctx, s.pricing.ID, list)
	if err != nil {
		return fmt.Errorf("price list: %w", err)
	}
	for _, p := range prices {
		each := money.MustDecimal(p.each)
		if err := s.listPrice(id, p, money.Decimal{}, each); err != nil {
			return err
		}
		if p.from > 0 {
			if err := s.listPrice(id, p, money.FromInt(p.from), money.MustDecimal(p.lower)); err != nil {
				return err
			}
		}
		floor, cost := floorShare.Of(each).Round(0), costShare.Of(each).Round(0)
		if err := s.db.SaveLimit(s.ctx, s.pricing.ID, quote.Limit{SKU: p.sku, Currency: base, Floor: &floor, Cost: &cost}); err != nil {
			return fmt.Errorf("floor of %s: %w", p.sku, err)
		}
	}
	return nil
}

// listPrice writes the price of a quantity: one for all the time, or one before and one after
// the renewal.
func (s *seeder) listPrice(list int64, p price, minimum, each money.Decimal) error {
	first, renewed := s.day(oldPrices), s.day(newPrices)
	items := []quote.PriceItem{{ListID: list, SKU: p.sku, MinQty: minimum, Price: each, From: first}}
	if !p.aged {
		items[0].Price, items[0].To = rise.Of(each).Round(0), renewed.AddDate(0, 0, -1)
		items = append(items, quote.PriceItem{ListID: list, SKU: p.sku, MinQty: minimum, Price: each, From: renewed})
	}
	for _, i := range items {
		if _, err := s.db.SavePriceItem(s.ctx, s.pricing.ID, i); err != nil {
			return fmt.Errorf("price of %s: %w", p.sku, err)
		}
	}
	return nil
}

// rates are round figures for one unit of the base currency, the same on every day.
var rates = []struct {
	currency money.Currency
	rate     string
}{{"EUR", "0.9"}, {"CNY", "7"}, {"TWD", "32"}, {"SGD", "1.3"}}

// fixRates writes the exchange rates of a day.
func (s *seeder) fixRates(daysAgo int) error {
	day := s.day(daysAgo)
	for _, r := range rates {
		rate := quote.Rate{Base: base, Quote: r.currency, Day: day, Rate: money.MustDecimal(r.rate), Source: invented}
		if err := s.db.SaveRate(s.ctx, s.pricing.ID, rate); err != nil {
			return fmt.Errorf("rate of %s: %w", r.currency, err)
		}
	}
	return nil
}
