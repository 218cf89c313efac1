package quote

import (
	"slices"
	"strings"
	"time"

	"rackwright/internal/apperr"
	"rackwright/internal/money"
)

// PriceList is a list of own prices in one currency.
type PriceList struct {
	ID       int64
	Name     string
	Currency money.Currency
	TaxMode  TaxMode // whether its prices contain tax; only quotes of the same mode use it
	Group    string  // customer group; empty is for everybody else
	Demo     bool    // invented for the demo, and labelled so
	Version  int64
}

// PriceItem is the price of one SKU in a list, for a range of days and from a quantity on.
type PriceItem struct {
	ID     int64
	ListID int64
	SKU    string
	MinQty money.Decimal // the quantity from which it holds; 0 is any
	Price  money.Decimal // per unit
	From   time.Time     // first day
	To     time.Time     // last day; zero is open
}

// ValidOn reports whether the item is valid on the day, both ends included.
func (i PriceItem) ValidOn(day time.Time) bool {
	return !day.Before(i.From) && (i.To.IsZero() || !day.After(i.To))
}

// Limit is what pricing sets for a SKU besides its list price, without tax. Sales staff see neither figure.
type Limit struct {
	SKU      string
	Currency money.Currency
	Floor    *money.Decimal // lowest unit price without asking; nil is none
	Cost     *money.Decimal // buying price of one; nil is not known
	Version  int64          // 0 is a new one
}

// Tax is a named tax rate to choose from. A line carries its own copy.
type Tax struct {
	ID      int64
	Name    string
	Country string // ISO 3166-1 alpha-2; empty is any
	Rate    money.Percent
	Default bool
	Version int64
}

// Product is what a line takes from the catalogue.
type Product struct {
	Names   map[string]string // by language tag
	Control string            // export-control group, empty is not classified
	Stocked bool              // a thing that lies in a warehouse
	Parts   []BundlePart      // bill of materials, one level deep
}

// BundlePart is one entry of a bill of materials.
type BundlePart struct {
	SKU      string
	Quantity int64
}

// NameIn returns the product's name in a language, else in English, else "".
func (p Product) NameIn(lang string) string {
	if n := p.Names[lang]; n != "" {
		return n
	}
	return p.Names["en"]
}

// Book is everything that prices and facts of lines are taken from, for the SKUs of one quote.
type Book struct {
	Company  money.Currency
	Lists    []PriceList
	Items    map[string][]PriceItem // by SKU
	Rates    []Rate
	Limits   map[string]Limit   // by SKU
	Products map[string]Product // by SKU; an absent SKU is not in the catalogue
}

// Ask is what the price of a line depends on.
type Ask struct {
	SKU      string
	Quantity money.Decimal
	Day      time.Time
	Currency money.Currency
	TaxMode  TaxMode
	Group    string // of the customer
}

// Price finds the list price for an ask: the item valid on the day in its currency, of a list for the
// customer's group, else of a list for everybody, with the highest minimum quantity not above the
// quantity; else an item of a company-currency list, converted and rounded to the currency; else
// none. An option with quantity 0 is priced as one. Without a price MinQty is the smallest quantity that has one.
func (b Book) Price(a Ask) ListPrice {
	if a.Quantity.IsZero() {
		a.Quantity = money.FromInt(1)
	}
	if item, list, ok := b.find(a, a.Currency); ok {
		return ListPrice{Origin: FromPriceList, Price: &item.Price, ListID: list.ID, List: list.Name,
			AsOf: item.From, MinQty: item.MinQty}
	}
	if item, list, ok := b.find(a, b.Company); ok && a.Currency != b.Company {
		if rate, ok := FindRate(b.Rates, b.Company, a.Currency, a.Day); ok {
			price := rate.Convert(item.Price, b.Company, a.Currency.Decimals())
			source := money.New(item.Price, b.Company)
			return ListPrice{Origin: Converted, Price: &price, ListID: list.ID, List: list.Name,
				AsOf: item.From, Source: &source, Rate: &rate, MinQty: item.MinQty}
		}
	}
	return ListPrice{Origin: NoPrice, MinQty: b.smallestQuantity(a)}
}

// find returns the best item in a currency.
func (b Book) find(a Ask, currency money.Currency) (PriceItem, PriceList, bool) {
	groups := []string{a.Group}
	if a.Group != "" {
		groups = append(groups, "")
	}
	for _, group := range groups {
		var best PriceItem
		var from PriceList
		found := false
		for _, list := range b.Lists {
			if list.Currency != currency || list.Group != group || list.TaxMode != a.TaxMode {
				continue
			}
			for _, item := range b.Items[a.SKU] {
				if item.ListID != list.ID || !item.ValidOn(a.Day) || a.Quantity.Less(item.MinQty) {
					continue
				}
				if !found || better(item, best) {
					best, from, found = item, list, true
				}
			}
		}
		if found {
			return best, from, true
		}
	}
	return PriceItem{}, PriceList{}, false
}

// better prefers the higher quantity break, then the newer price, then the older list.
func better(a, b PriceItem) bool {
	if c := a.MinQty.Cmp(b.MinQty); c != 0 {
		return c > 0
	}
	if !a.From.Equal(b.From) {
		return a.From.After(b.From)
	}
	return a.ListID < b.ListID
}

// smallestQuantity returns the smallest quantity that has a price on the day, 0 when there is none.
func (b Book) smallestQuantity(a Ask) money.Decimal {
	var smallest money.Decimal
	for _, list := range b.Lists {
		if list.TaxMode != a.TaxMode || (list.Group != "" && list.Group != a.Group) ||
			(list.Currency != a.Currency && list.Currency != b.Company) {
			continue
		}
		for _, item := range b.Items[a.SKU] {
			if item.ListID == list.ID && item.ValidOn(a.Day) && (smallest.IsZero() || item.MinQty.Less(smallest)) {
				smallest = item.MinQty
			}
		}
	}
	return smallest
}

// limit returns floor and cost of a SKU in a currency; what cannot be converted is not known.
func (b Book) limit(sku string, currency money.Currency, day time.Time) (floor, cost *money.Decimal) {
	l, ok := b.Limits[sku]
	if !ok || l.Currency == currency {
		return l.Floor, l.Cost
	}
	rate, ok := FindRate(b.Rates, l.Currency, currency, day)
	if !ok {
		return nil, nil
	}
	convert := func(v *money.Decimal) *money.Decimal {
		if v == nil {
			return nil
		}
		c := rate.Convert(*v, l.Currency, currency.Decimals())
		return &c
	}
	return convert(l.Floor), convert(l.Cost)
}

// Limited returns the content with floor prices and costs as they are now, converted by the rates of a day, and the
// lines whose limits are in a currency that cannot be converted.
func (b Book) Limited(c Content, day time.Time) (Content, []int) {
	var unknown []int
	c.Lines = slices.Clone(c.Lines)
	for i := range c.Lines {
		l := &c.Lines[i]
		if !l.Kind.Priced() || l.SKU == "" {
			continue
		}
		l.Floor, l.Cost = b.limit(l.SKU, c.Currency, day)
		if set := b.Limits[l.SKU]; l.Floor == nil && l.Cost == nil && (set.Floor != nil || set.Cost != nil) {
			unknown = append(unknown, i)
		}
	}
	return c, unknown
}

// NormalSKU returns a code as the catalogue writes it.
func NormalSKU(code string) string { return strings.ToUpper(strings.TrimSpace(code)) }

// Validate checks what was typed as the head of a price list.
func (l PriceList) Validate() error {
	var f apperr.Faults
	requireText(&f, "name", "price.price_list", l.Name)
	checkLength(&f, "group", "price.customer_group", l.Group, maxGroup)
	if !l.Currency.Valid() {
		f.Add("currency", "errors.form_choose")
	}
	if l.TaxMode != Exclusive && l.TaxMode != Inclusive {
		f.Add("tax_mode", "errors.form_choose")
	}
	return f.Err()
}

// Validate checks what was typed as a price.
func (i PriceItem) Validate() error {
	var f apperr.Faults
	requireText(&f, "sku", "catalogue.sku_code", i.SKU)
	checkFigure(&f, "price", labelUnitPrice, i.Price, true)
	checkFigure(&f, "min_qty", labelQuantity, i.MinQty, true)
	if i.From.IsZero() {
		f.Add("from", "errors.form_date")
	} else if !i.To.IsZero() && i.To.Before(i.From) {
		f.Add("to", "errors.form_date_order")
	}
	return f.Err()
}

// Validate checks what was typed as floor and cost of a SKU.
func (l Limit) Validate() error {
	var f apperr.Faults
	requireText(&f, "sku", "catalogue.sku_code", l.SKU)
	if !l.Currency.Valid() {
		f.Add("currency", "errors.form_choose")
	}
	if l.Floor != nil {
		checkFigure(&f, "floor", apperr.Msg("price.floor_price"), *l.Floor, true)
	}
	if l.Cost != nil {
		checkFigure(&f, "cost", apperr.Msg("price.cost_price"), *l.Cost, true)
	}
	return f.Err()
}

// Validate checks what was typed as a tax rate.
func (t Tax) Validate() error {
	var f apperr.Faults
	requireText(&f, "name", "quote.tax_rate", t.Name)
	checkPercent(&f, "rate", labelTaxRate, t.Rate)
	if t.Country != "" && !countryCode.MatchString(t.Country) {
		f.Add("country", "errors.form_choose")
	}
	return f.Err()
}
