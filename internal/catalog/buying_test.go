package catalog

import (
	"testing"
	"time"

	"rackwright/internal/money"
)

func observed(kind PriceKind, unit PriceUnit, currency money.Currency, price, day string, c Confidence) PriceObservation {
	return PriceObservation{Kind: kind, Unit: unit, Price: money.New(money.MustDecimal(price), currency), Day: date(day), Confidence: c}
}

func TestStaleAfter45Days(t *testing.T) {
	now := time.Date(2026, 11, 30, 23, 59, 0, 0, time.UTC)
	for day, want := range map[string]bool{"2026-11-30": false, "2026-10-16": false, "2026-10-15": true, "2026-12-05": false} {
		if got := Stale(date(day), now); got != want {
			t.Errorf("price of %s stale: %v, want %v", day, got, want)
		}
	}
}

func TestBuyingPrice(t *testing.T) {
	obs := []PriceObservation{
		observed(StreetNew, PerUnit, "USD", "30000", "2025-03-01", Medium),
		observed(ListPrice, PerUnit, "USD", "31000", "2025-06-01", High),
		observed(ListPrice, PerUnit, "USD", "1", "2026-01-01", Low),
		observed(MSRPEstimate, PerUnit, "USD", "2", "2026-02-01", High),
		observed(StreetUsed, PerUnit, "USD", "3", "2026-03-01", High),
		observed(CloudOnDemand, PerGPUHour, "USD", "4", "2026-04-01", High),
		observed(StreetNew, PerSystem, "CNY", "200000", "2026-05-01", Medium),
	}
	if o, ok := BuyingPrice(obs, "USD"); !ok || o.Price.Value.String() != "31000" {
		t.Errorf("USD: %v, %v", o.Price, ok)
	}
	if o, ok := BuyingPrice(obs, ""); !ok || o.Price.Value.String() != "200000" {
		t.Errorf("any currency: %v, %v", o.Price, ok)
	}
	if _, ok := BuyingPrice(obs[2:6], "USD"); ok {
		t.Error("low confidence, estimates, used goods and rents have no buying price")
	}
}

func TestBuyFallsBackOnTheSumOfParts(t *testing.T) {
	prices := map[string]PriceObservation{
		"A": observed(ListPrice, PerUnit, "USD", "100.50", "2026-01-01", High),
		"B": observed(ListPrice, PerUnit, "USD", "7", "2025-01-01", High),
		"Y": observed(ListPrice, PerUnit, "CNY", "7", "2025-01-01", High),
	}
	price := func(code string) (PriceObservation, bool) { o, ok := prices[code]; return o, ok }
	product := func(children ...string) Product {
		p := Product{SKU: SKU{Code: "P"}}
		for _, c := range children {
			p.Components = append(p.Components, Component{Parent: "P", Child: c, Quantity: 2})
		}
		return p
	}
	b, ok := Buy(product("A", "B"), price)
	if !ok || b.Price.String() != "USD 215.00" || len(b.Parts) != 2 || !b.Day().Equal(date("2025-01-01")) {
		t.Errorf("sum: %+v, %v", b, ok)
	}
	for name, p := range map[string]Product{
		"a part without price": product("A", "X"), "parts in two currencies": product("A", "Y"), "no parts": product(),
	} {
		if _, ok := Buy(p, price); ok {
			t.Errorf("%s: has a buying price", name)
		}
	}
	prices["P"] = observed(StreetNew, PerSystem, "USD", "999", "2026-02-02", Medium)
	if b, ok := Buy(product("A", "X"), price); !ok || b.Observation == nil || b.Price.Value.String() != "999" || !b.Day().Equal(date("2026-02-02")) {
		t.Errorf("own price: %+v, %v", b, ok)
	}
}

func offer(provider, instance, commitment, price, day string, c Confidence) CloudOffer {
	return CloudOffer{
		Provider: provider, Instance: instance, Commitment: commitment, GPUSKU: "G", USDPerGPUHour: money.MustDecimal(price),
		AsOf: date(day), Confidence: c, Region: "global",
	}
}

func TestOffers(t *testing.T) {
	offers := []CloudOffer{
		offer("a", "x", OnDemand, "3.00", "2026-10-10", High),
		offer("a", "x", OnDemand, "2.50", "2026-05-05", High),
		offer("b", "y", OnDemand, "2.75", "2026-10-10", Medium),
		offer("c", "z", OnDemand, "1.00", "2026-11-11", Low),
		offer("b", "y", Spot, "1.50", "2026-11-01", High),
	}
	newest := NewestOffers(offers)
	if len(newest) != 3 || newest[0].Commitment != Spot || newest[1].USDPerGPUHour.String() != "2.75" || newest[2].USDPerGPUHour.String() != "3.00" {
		t.Errorf("newest offers: %+v", newest)
	}
	current, older := CurrentOffers([]CloudOffer{newest[0], newest[1], offers[1]})
	if len(current) != 2 || len(older) != 1 || older[0].USDPerGPUHour.String() != "2.50" {
		t.Errorf("current %+v, older %+v", current, older)
	}
	if o, ok := ComparisonOffer(offers, "G", OnDemand); !ok || o.Provider != "a" {
		t.Errorf("default of a comparison: %+v, %v; want the surer of the newest", o, ok)
	}
	if _, ok := ComparisonOffer(offers, "H", OnDemand); ok {
		t.Error("a GPU without offers has one")
	}
}
