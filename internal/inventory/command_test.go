package inventory

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"rackwright/internal/apperr"
	"rackwright/internal/money"
)

func TestForms(t *testing.T) {
	long := strings.Repeat("x", maxNote+1)
	cost := money.New(money.MustDecimal("-1"), "USD")
	tests := []struct {
		name string
		form interface{ Validate() error }
		want []string
	}{
		{"receipt", NewMove{Kind: Receive, SKU: "A", To: 1, Quantity: 1}, nil},
		{"return", NewMove{Kind: Return, SKU: "A", To: 1, Quantity: 1}, nil},
		{"shipment", NewMove{Kind: Ship, SKU: "A", From: 1, Quantity: 1}, nil},
		{"transfer", NewMove{Kind: Transfer, SKU: "A", From: 1, To: 2, Quantity: 1}, nil},
		{"found", NewMove{Kind: Adjust, SKU: "A", To: 1, Quantity: 1}, nil},
		{"missing", NewMove{Kind: Adjust, SKU: "A", From: 1, Quantity: 1}, nil},
		{"receipt from a place", NewMove{Kind: Receive, SKU: "A", From: 1, To: 2, Quantity: 1}, []string{"from"}},
		{"adjusted nowhere", NewMove{Kind: Adjust, SKU: "A", Quantity: 1}, []string{"from", "to"}},
		{"transfer within a place", NewMove{Kind: Transfer, SKU: "A", From: 1, To: 1, Quantity: 1}, []string{"to"}},
		{"all wrong", NewMove{Quantity: -1, Note: long}, []string{"kind", "note", "quantity", "sku"}},
		{"too many", NewMove{Kind: Receive, SKU: "A", To: 1, Quantity: MaxQuantity + 1}, []string{"quantity"}},
		{"place", Location{Code: "SIN-1", Name: "Singapore"}, nil},
		{"place, all wrong", Location{Code: "sin 1"}, []string{"code", "name"}},
		{"purchase", Purchase{Number: "PO-1", Supplier: "S", OrderedOn: day("2026-11-30"), Lines: []PurchaseLine{{SKU: "A", Quantity: 1, Expected: day("2026-12-01")}}}, nil},
		{"purchase, all wrong", Purchase{Lines: []PurchaseLine{{Cost: &cost}}},
			[]string{"lines[0].cost", "lines[0].expected", "lines[0].quantity", "lines[0].sku", "number", "ordered_on", "supplier"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			err := tt.form.Validate()
			var got []string
			if err != nil {
				e, ok := errors.AsType[*apperr.Error](err)
				if !ok || e.Kind != apperr.Invalid {
					t.Fatal(err)
				}
				got = e.FieldNames()
			}
			if !slices.Equal(got, tt.want) {
				t.Errorf("faults at %v, want %v", got, tt.want)
			}
		})
	}
}

func TestAllocationOrder(t *testing.T) {
	a := []Allocation{{"B", 1, 1}, {"A", 2, 1}, {"A", 1, 1}}
	slices.SortFunc(a, Allocation.Compare)
	if a[0] != (Allocation{"A", 1, 1}) || a[2] != (Allocation{"B", 1, 1}) {
		t.Errorf("%v", a)
	}
}

func TestAvailabilityIsNeverNegative(t *testing.T) {
	if n := (Availability{OnHand: 1, Reserved: 2}).Available(); n != 0 {
		t.Error(n)
	}
	if n := AvailableOn([]Promise{{Day: day("2026-12-01"), Available: 4}}, time.Date(2026, 11, 30, 0, 0, 0, 0, time.UTC)); n != 0 {
		t.Errorf("%d before the forecast begins", n)
	}
}
