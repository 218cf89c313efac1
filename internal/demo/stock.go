package demo

import (
	"fmt"

	"rackwright/internal/inventory"
	"rackwright/internal/money"
)

// The places of the demo.
const (
	singapore = "SIN"
	rotterdam = "RTM"
)

// receipts are what came in, by place.
var receipts = []struct {
	place, sku string
	n          int64
}{
	{singapore, "SMC-SYS-821GE-TNHR", 6},
	{singapore, "SMC-AS-8125GS-TNHR", 2},
	{singapore, "DGX-H200", 1},
	{singapore, "H100-PCIE-80GB", 24},
	{singapore, "H100-NVL-94GB", 8},
	{singapore, "CX7-NDR-400", 96},
	{singapore, "QM9700", 6},
	{singapore, "NVLINK-BRIDGE-H100-PCIE", 36},
	{rotterdam, "DELL-XE9680-H100", 3},
	{rotterdam, "H100-PCIE-80GB", 12},
	{rotterdam, "QM9700", 2},
}

// planStock plans places, receipts, a transfer, a count that found less, and what is on order.
func (s *seeder) planStock() {
	s.on(60, 9, s.openPlaces)
	for _, r := range receipts {
		s.on(60, 11, func() error {
			return s.move(inventory.NewMove{Kind: inventory.Receive, SKU: r.sku, To: s.places[r.place], Quantity: r.n, Note: "Demo: opening stock"})
		})
	}
	s.on(21, 10, func() error {
		return s.move(inventory.NewMove{Kind: inventory.Transfer, SKU: "CX7-NDR-400", From: s.places[singapore], To: s.places[rotterdam],
			Quantity: 16, Note: "Demo: for orders in Europe"})
	})
	s.on(6, 17, func() error {
		return s.move(inventory.NewMove{Kind: inventory.Adjust, SKU: "NVLINK-BRIDGE-H100-PCIE", From: s.places[singapore],
			Quantity: 1, Note: "Demo: count found one less"})
	})
	s.on(14, 10, s.order)
}

func (s *seeder) openPlaces() error {
	s.places = map[string]int64{}
	for _, l := range []inventory.Location{
		{Code: singapore, Name: "Singapore warehouse (demo)"},
		{Code: rotterdam, Name: "Rotterdam warehouse (demo)"},
	} {
		id, err := s.db.SaveLocation(s.ctx, s.keep.ID, l)
		if err != nil {
			return fmt.Errorf("place %s: %w", l.Code, err)
		}
		s.places[l.Code] = id
	}
	return nil
}

func (s *seeder) move(m inventory.NewMove) error {
	m.ActorID = s.keep.ID
	if _, err := s.db.MoveStock(s.ctx, m); err != nil {
		return fmt.Errorf("%s of %s: %w", m.Kind, m.SKU, err)
	}
	return nil
}

// order writes a purchase order: one line is confirmed by the supplier, one is not.
func (s *seeder) order() error {
	cost := func(v string) *money.Amount { a := money.New(money.MustDecimal(v), base); return &a }
	_, err := s.db.SavePurchase(s.ctx, inventory.Purchase{
		Number: "PO-DEMO-0001", Supplier: "Example Components (demo)", OrderedOn: s.day(14), ActorID: s.keep.ID,
		Lines: []inventory.PurchaseLine{
			{SKU: "DGX-H200", Quantity: 4, Expected: s.day(-18), Confirmed: true, Cost: cost("396050")},
			{SKU: "SMC-SYS-821GE-TNHR", Quantity: 4, Expected: s.day(-35), Cost: cost("254540")},
		},
	})
	if err != nil {
		return fmt.Errorf("purchase order: %w", err)
	}
	return nil
}
