package view

import (
	"slices"
	"strings"
	"testing"
	"time"

	"rackwright/internal/catalog"
	"rackwright/internal/i18n"
	"rackwright/internal/inventory"
	"rackwright/internal/money"
)

func pageIn(lang i18n.Lang) Page { return Page{Lang: lang, L: i18n.For(lang)} }

func TestWordsOfTheData(t *testing.T) {
	en, hans := i18n.For(i18n.English), i18n.For(i18n.Simplified)
	for _, tt := range []struct{ got, want string }{
		{FormFactor(en, "8U rack"), "Rack server, 8U"},
		{FormFactor(hans, "8U rack"), "8U 机架式服务器"},
		{FormFactor(en, "SXM5"), "SXM5 module"},
		{FormFactor(en, "cluster (32 nodes)"), "Cluster of 32 nodes"},
		{FormFactor(hans, "somebody's own word"), "somebody's own word"},
		{Family(hans, "Hopper (China export)"), "Hopper（中国特供）"},
		{Family(hans, "PowerEdge"), "PowerEdge"},
		{Qualifier(en, "full_die"), "full die"},
		{Qualifier(en, "1g.10gb"), "1g.10gb"},
		{KindName(en, catalog.Kind("toaster")), "toaster"},
		{Fabric(en, ""), "not stated"},
		{Provider("aws"), "AWS"},
		{known(en, "catalog.series_", "via-primeintellect"), "through Prime Intellect"},
	} {
		if tt.got != tt.want {
			t.Errorf("got %q, want %q", tt.got, tt.want)
		}
	}
}

// The words of the shipped data all have a text; a value without one would be shown raw.
func TestSpecValues(t *testing.T) {
	number := catalog.SpecDefinition{Type: "number", Unit: "GB"}
	billion := catalog.SpecDefinition{Type: "number", Unit: "billion"}
	for _, tt := range []struct {
		lang  i18n.Lang
		def   catalog.SpecDefinition
		value string
		want  string
	}{
		{i18n.English, number, "16896", "16,896 GB"},
		{i18n.English, billion, "80", "80 billion"},
		{i18n.Simplified, billion, "80", "800 亿"},
		{i18n.Traditional, billion, "80", "800 億"},
		{i18n.English, catalog.SpecDefinition{Type: "number", Unit: "count"}, "8", "8 "},
		{i18n.English, catalog.SpecDefinition{Type: "number", Unit: "mm2"}, "814", "814 mm²"},
		{i18n.English, catalog.SpecDefinition{Type: "bool"}, "true", "Yes "},
		{i18n.Simplified, catalog.SpecDefinition{Type: "text", Key: "cooling"}, "Air-cooled", "风冷 "},
		{i18n.English, number, "broken", "broken GB"},
	} {
		value, unit := SpecValue(i18n.For(tt.lang), tt.def, tt.value)
		if got := value + " " + unit; got != tt.want {
			t.Errorf("%s %q in %s = %q, want %q", tt.def.Unit, tt.value, tt.lang, got, tt.want)
		}
	}
}

func TestStockCellSaysWhatAPersonMayKnow(t *testing.T) {
	l := i18n.For(i18n.English)
	sku := func(kind catalog.Kind, form string, status catalog.Status) catalog.Row {
		return catalog.Row{SKU: catalog.SKU{Code: "X", Kind: kind, FormFactor: form, Status: status}}
	}
	card := sku(catalog.GPU, "PCIe dual-slot FHFL", catalog.Shipping)
	due := inventory.Availability{EverMoved: true, Forecast: []inventory.Promise{
		{Day: stockDay}, {Day: stockDay.AddDate(0, 0, 18), Available: 4},
	}}
	for _, tt := range []struct {
		name  string
		row   catalog.Row
		stock inventory.Availability
		staff bool
		want  string
	}{
		{"staff reads the count", card, inventory.Availability{OnHand: 5, Reserved: 2}, true, "stock 3 in stock"},
		{"a visitor reads in stock", card, inventory.Availability{OnHand: 5, Reserved: 2}, false, "stock In stock"},
		{"all reserved", card, inventory.Availability{OnHand: 2, Reserved: 2, EverMoved: true}, true, "out Out of stock"},
		{"staff reads what is due", card, due, true, "lead 2026-12-18, 4 units"},
		{"a visitor reads the day", card, due, false, "lead Due 2026-12-18"},
		{"never stocked", card, inventory.Availability{}, true, "lead Ask us"},
		{"a module is not sold alone", sku(catalog.GPU, "SXM5", catalog.Shipping), inventory.Availability{}, true, "out On HGX only"},
		{"announced", sku(catalog.GPU, "PCIe", catalog.Announced), inventory.Availability{}, true, "out Announced, not shipping"},
		{"unverified", sku(catalog.GPU, "SXM5", catalog.Unverified), inventory.Availability{}, true, "out No offer"},
		{"rented", sku(catalog.CloudInstance, "cloud", catalog.Shipping), inventory.Availability{}, true, "out Rented by the hour"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c := stockCell(l, tt.row, map[string]inventory.Availability{"X": tt.stock}, tt.staff)
			if got := c.Kind + " " + c.Text; got != tt.want {
				t.Errorf("got %q, want %q", got, tt.want)
			}
		})
	}
}

var stockDay = time.Date(2026, time.November, 30, 12, 0, 0, 0, time.UTC)

func TestPriceCell(t *testing.T) {
	l := i18n.For(i18n.English)
	seen := func(kind catalog.PriceKind, unit catalog.PriceUnit, currency money.Currency, price, day string) *catalog.PriceObservation {
		d, _ := time.Parse(time.DateOnly, day)
		return &catalog.PriceObservation{Kind: kind, Unit: unit, Price: money.New(money.MustDecimal(price), currency), Day: d}
	}
	if c := priceCell(l, nil, stockDay); c.Known {
		t.Error("no price is a price")
	}
	c := priceCell(l, seen(catalog.StreetNew, catalog.PerSystem, "USD", "375000", "2025-03-03"), stockDay)
	if c.Amount != "375,000.00" || c.Note != "market, 2025-03-03" || !c.Stale || c.Age != "20 months old" {
		t.Errorf("old price: %+v", c)
	}
	c = priceCell(l, seen(catalog.ListPrice, catalog.PerUnit, "CNY", "1200000", "2026-11-01"), stockDay)
	if c.Amount != "CNY\u00a01,200,000.00" || c.Note != "list, 2026-11-01" || c.Stale {
		t.Errorf("price in yuan: %+v", c)
	}
	c = priceCell(l, seen(catalog.CloudOnDemand, catalog.PerGPUHour, "USD", "6.88", "2026-11-09"), stockDay)
	if c.Unit != "per GPU-hour" || c.Note != "rent, 2026-11-09" {
		t.Errorf("rent: %+v", c)
	}
}

func TestCatalogURLRoundTrips(t *testing.T) {
	f := catalog.Filter{Search: "a&b", Kinds: []string{"gpu"}, Vendors: []string{"Dell", "R&D"}, WithLow: true, Sort: catalog.ByName, After: "X"}
	want := "/catalog?after=X&kind=gpu&low=1&q=a%26b&sort=name&vendor=Dell&vendor=R%26D"
	if got := CatalogURL(f); got != want {
		t.Errorf("address = %s, want %s", got, want)
	}
	if got := CatalogURL(catalog.Filter{Sort: catalog.ByPriceDown}); got != "/catalog" {
		t.Errorf("plain list = %s", got)
	}
	var labels []string
	for _, c := range chips(i18n.For(i18n.English), f) {
		labels = append(labels, c.Label)
		if strings.Contains(c.Href, "after=") {
			t.Errorf("chip %s keeps the page: %s", c.Label, c.Href)
		}
	}
	if want := []string{"Search: a&b", "GPU card or module", "Dell", "R&D", "Low confidence"}; !slices.Equal(labels, want) {
		t.Errorf("chips = %q, want %q", labels, want)
	}
}

func TestFacetsKeepWhatIsChosen(t *testing.T) {
	l := i18n.For(i18n.English)
	var counts []catalog.FacetCount
	for i, v := range []string{"A", "B", "C", "D", "E", "F", "G", "H"} {
		counts = append(counts, catalog.FacetCount{Facet: "vendor", Value: v, Count: 20 - i})
	}
	f := facets(l, catalog.Filter{Vendors: []string{"Gone", "H"}}, counts)
	vendors := f[slices.IndexFunc(f, func(x Facet) bool { return x.Name == "vendor" })]
	if len(vendors.First) != 6 || len(vendors.Rest) != 3 || !vendors.Opened || vendors.More != "3 more" {
		t.Fatalf("vendors: %+v", vendors)
	}
	last := vendors.Rest[2]
	if last.Value != "Gone" || !last.Checked || last.Count != "0" {
		t.Errorf("a chosen vendor without a match: %+v", last)
	}
}

func TestLicencesAreGroupedByWhatTheyAllow(t *testing.T) {
	v := NewSourcesPage(pageIn(i18n.English), []catalog.Source{
		{ID: "a", Title: "A", Licence: "MIT", URL: "https://example.com/a", LicenceNote: "ship; mind the mark"},
		{ID: "b", Title: "B", Licence: "proprietary", URL: "a printed book"},
		{ID: "c", Title: "C", Licence: "CC-BY-SA", URL: "javascript:alert(1)", LicenceNote: "ship"},
	})
	if len(v.Groups) != 3 {
		t.Fatalf("%d groups", len(v.Groups))
	}
	a, c, b := v.Groups[0].Rows[0], v.Groups[1].Rows[0], v.Groups[2].Rows[0]
	if a.Href != "https://example.com/a" || a.Note != "mind the mark" || b.Reference != "a printed book" || b.Licence != "Proprietary" || c.Href != "" || c.Note != "" {
		t.Errorf("rows: %+v %+v %+v", a, b, c)
	}
}
