package server

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"rackwright/internal/auth"
)

// with returns a copy of a form with some fields set.
func with(form url.Values, pairs ...string) url.Values {
	out := url.Values{}
	for name, v := range form {
		out[name] = v
	}
	for i := 0; i < len(pairs); i += 2 {
		out.Set(pairs[i], pairs[i+1])
	}
	return out
}

func TestPriceList(t *testing.T) {
	t.Parallel()
	s := newSiteWithCatalog(t)
	pricing := s.as("paula", auth.Pricing)
	form := pricing.get("/price-list").status(200).says("no price list yet").form("/price-list")
	pricing.post("/price-list", with(form, "name", "", "currency", "")).status(422)
	a := pricing.post("/price-list", with(form, "name", "华北 2026", "currency", "USD")).status(http.StatusSeeOther)
	path := a.Header().Get("Location")
	if got := pricing.post("/price-list", with(form, "name", "华北 2026", "currency", "USD")).status(422).fault("name"); got == "" {
		t.Error("a second list of the same name is made")
	}
	entry := pricing.get(path).status(200).says("no prices yet").form(path + "/items")
	good := with(entry, "sku", "H100-SXM5-80GB", "price", "31,000.50", "min_qty", "8", "from", "2026-01-01")
	pricing.post(path+"/items", good).leads(path)
	pricing.get(path).says("31,000.50").says("H100-SXM5-80GB")
	// The same again would overlap: a double click makes one price.
	if got := pricing.post(path+"/items", good).status(422).fault("from"); got == "" {
		t.Error("an overlapping price is accepted")
	}
	for field, typed := range map[string]string{
		"sku": "NO-SUCH-SKU", "price": "-1", "min_qty": "x", "from": "2026-02-30", "to": "2025-01-01",
	} {
		a := pricing.post(path+"/items", with(good, field, typed)).status(422)
		if a.fault(field) == "" {
			t.Errorf("%s = %q: nothing is said", field, typed)
		}
		if got := a.form(path + "/items").Get(field); got != typed {
			t.Errorf("%s = %q is shown as %q", field, typed, got)
		}
	}
	edit, _ := pricing.get(path).page().Find(`a[href*="?item="]`).Attr("href")
	edit = strings.TrimSuffix(edit, "#entry")
	item := strings.TrimPrefix(edit, path+"?item=")
	change := pricing.get(edit).form(path + "/items/" + item)
	pricing.post(path+"/items/"+item, with(change, "price", "30000", "to", "2026-12-31")).leads(path)
	pricing.get(path).says("30,000.00").says("2026-12-31")
	pricing.post(path+"/items/"+item+"/delete", nil).leads(path)
	pricing.post(path+"/items/"+item+"/delete", nil).leads(path)
	pricing.get(path).says("no prices yet")
	s.as("sally", auth.Sales).get(path).status(200)
	if s.as("sam", auth.Sales).get(path).page().Find("main form").Length() != 0 {
		t.Error("sales can edit prices")
	}
}

func TestPriceListSettingsInTwoTabs(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	pricing := s.as("paula", auth.Pricing)
	form := pricing.get("/price-list").form("/price-list")
	path := pricing.post("/price-list", with(form, "name", "A", "currency", "USD")).Header().Get("Location")
	head := pricing.get(path).form(path)
	pricing.post(path, with(head, "name", "B")).leads(path)
	pricing.post(path, with(head, "name", "C")).status(409).says("Someone else has changed")
	pricing.get("/price-list/999999").status(404)
}

func TestFloorsAreNotForSales(t *testing.T) {
	t.Parallel()
	s := newSiteWithCatalog(t)
	pricing := s.as("paula", auth.Pricing)
	form := pricing.get("/price-list/floors").status(200).form("/price-list/floors")
	pricing.post("/price-list/floors", with(form, "sku", "H100-SXM5-80GB", "currency", "USD", "floor", "28000")).leads("/price-list/floors")
	pricing.get("/price-list/floors").says("USD 28,000.00").says("Unknown")
	if got := pricing.post("/price-list/floors", with(form, "sku", "NONE", "currency", "USD", "floor", "1")).status(422).fault("sku"); got == "" {
		t.Error("an unknown SKU is accepted")
	}
	edit := pricing.get("/price-list/floors?sku=H100-SXM5-80GB").form("/price-list/floors")
	pricing.post("/price-list/floors", with(edit, "floor", "27000", "cost", "25000")).leads("/price-list/floors")
	pricing.post("/price-list/floors", with(edit, "floor", "26000")).status(409)
	s.as("leo", auth.Lead).get("/price-list/floors").status(200).says("USD 27,000.00")
	for role, name := range map[auth.Role]string{auth.Sales: "sally", auth.Stock: "stan"} {
		b := s.as(name, role)
		b.get("/price-list/floors").status(403)
		if strings.Contains(b.get("/price-list").Body.String(), "floors") {
			t.Errorf("%s is shown the way to floors", role)
		}
	}
}

func TestRatesAndTaxes(t *testing.T) {
	t.Parallel()
	s := newSite(t)
	pricing := s.as("paula", auth.Pricing)
	rate := with(pricing.get("/price-list/rates").status(200).form("/price-list/rates"),
		"base", "USD", "quote", "TWD", "rate", "31.5", "source", "Bank of Taiwan")
	pricing.post("/price-list/rates", rate).leads("/price-list/rates")
	pricing.post("/price-list/rates", with(rate, "rate", "31.6")).leads("/price-list/rates")
	body := pricing.get("/price-list/rates").says("1 USD = 31.6 TWD").Body.String()
	if strings.Contains(body, "31.5 TWD") {
		t.Error("a corrected rate is still there")
	}
	for field, typed := range map[string]string{"rate": "0", "quote": "USD", "day": "x", "source": ""} {
		if pricing.post("/price-list/rates", with(rate, field, typed)).status(422).fault(field) == "" {
			t.Errorf("%s = %q: nothing is said", field, typed)
		}
	}
	if pricing.post("/price-list/rates", with(rate, "base", "TWD", "quote", "USD", "rate", "0.03")).status(422).fault("base") == "" {
		t.Error("an inverse is stored beside the rate")
	}
	tax := with(pricing.get("/price-list/taxes").status(200).form("/price-list/taxes"),
		"name", "營業稅", "country", "TW", "rate", "5", "default", "yes")
	pricing.post("/price-list/taxes", tax).leads("/price-list/taxes")
	pricing.post("/price-list/taxes", tax).leads("/price-list/taxes")
	if n := pricing.get("/price-list/taxes").says("5%").page().Find("tbody tr").Length(); n != 1 {
		t.Errorf("%d tax rates after a double click", n)
	}
	for _, typed := range []string{"", "-1", "101", "x"} {
		if pricing.post("/price-list/taxes", with(tax, "rate", typed)).status(422).fault("rate") == "" {
			t.Errorf("rate %q: nothing is said", typed)
		}
	}
}
