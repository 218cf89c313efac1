package postgres_test

import (
	"sync"
	"sync/atomic"
	"testing"

	"rackwright/internal/apperr"
	"rackwright/internal/inventory"
	"rackwright/internal/quote"
	"rackwright/internal/testdb"
)

func TestMoveStock(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	other := must(s.SaveLocation(t.Context(), s.lead.ID, inventory.Location{Code: "HKG", Name: "Hong Kong"}))(t)
	receive := inventory.NewMove{Key: "r1", Kind: inventory.Receive, SKU: "nic", To: s.place, Quantity: 5, Note: "DN 1", ActorID: s.lead.ID}
	first := must(s.MoveStock(t.Context(), receive))(t)
	if again := must(s.MoveStock(t.Context(), receive))(t); again != first {
		t.Errorf("one form made the moves %d and %d", first, again)
	}
	must(s.MoveStock(t.Context(), inventory.NewMove{Kind: inventory.Transfer, SKU: "NIC", From: s.place, To: other, Quantity: 2}))(t)
	levels := must(s.Stock(t.Context(), "nic"))(t)
	if len(levels) != 2 || levels[0].OnHand != 3 || levels[1].OnHand != 2 {
		t.Errorf("%+v", levels)
	}
	for name, m := range map[string]inventory.NewMove{
		"more than there is":  {Kind: inventory.Ship, SKU: "NIC", From: s.place, Quantity: 4},
		"from an empty place": {Kind: inventory.Ship, SKU: "SRV-8", From: other, Quantity: 1},
		"unknown SKU":         {Kind: inventory.Receive, SKU: "NO-SUCH", To: s.place, Quantity: 1},
		"no place":            {Kind: inventory.Receive, SKU: "NIC", Quantity: 1},
		"nothing":             {Kind: inventory.Receive, SKU: "NIC", To: s.place},
		"to the same place":   {Kind: inventory.Transfer, SKU: "NIC", From: other, To: other, Quantity: 1},
		"both ways":           {Kind: inventory.Adjust, SKU: "NIC", From: other, To: s.place, Quantity: 1},
		"unknown kind":        {Kind: "gift", SKU: "NIC", To: s.place, Quantity: 1},
	} {
		if _, err := s.MoveStock(t.Context(), m); !apperr.Is(err, apperr.Invalid) {
			t.Errorf("%s: %v", name, err)
		}
	}
	moves := must(s.Moves(t.Context(), "NIC", 0, 10))(t)
	if len(moves) != 2 || moves[0].Kind != inventory.Transfer || moves[0].From.Code != "SIN" || moves[0].To.Code != "HKG" || moves[1].From != nil {
		t.Errorf("%+v", moves)
	}
}

// R16 holds in the database, whatever a program does.
func TestDatabaseGuardsStock(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.receive(t, "SRV-8", 3)
	_, sent := s.send(t, s.content())
	must(s.AcceptQuote(t.Context(), quote.Answer{Token: sent.Token, Name: "Tan"}))(t) // reserves 2
	ship := inventory.NewMove{Kind: inventory.Ship, SKU: "SRV-8", From: s.place, Quantity: 2}
	if _, err := s.MoveStock(t.Context(), ship); !apperr.Is(err, apperr.Invalid) {
		t.Errorf("reserved stock was shipped: %v", err)
	}
	conn := testdb.Connect(t, s.url)
	for _, sql := range []string{
		"UPDATE stock SET on_hand = 100", "DELETE FROM stock", "INSERT INTO stock (sku, location_id, on_hand) SELECT 'NIC', id, 5 FROM location",
		"UPDATE stock_move SET quantity = 100", "DELETE FROM stock_move", "UPDATE reservation SET quantity = 100", "UPDATE reservation SET until = 'infinity'",
		`INSERT INTO reservation (sku, location_id, quantity, revision_id, created_at, until)
		 SELECT sku, location_id, 2, revision_id, created_at, until FROM reservation`,
	} {
		if _, err := conn.Exec(t.Context(), sql); err == nil {
			t.Errorf("%s was possible", sql)
		}
	}
	var sum int64
	err := conn.QueryRow(t.Context(), `SELECT sum(CASE WHEN to_location_id IS NULL THEN -quantity ELSE quantity END)::bigint FROM stock_move WHERE sku = 'SRV-8'`).Scan(&sum)
	if got := s.stock(t, "SRV-8"); err != nil || sum != got.OnHand || got.Reserved != 2 {
		t.Errorf("ledger %d, %+v, %v", sum, got, err)
	}
	reservations := must(s.Reservations(t.Context()))(t)
	if len(reservations) != 1 {
		t.Fatalf("%+v", reservations)
	}
	if err := s.ReleaseReservation(t.Context(), s.lead.ID, reservations[0].ID); err != nil {
		t.Fatal(err)
	}
	if err := s.ReleaseReservation(t.Context(), s.lead.ID, reservations[0].ID); !apperr.Is(err, apperr.Conflict) {
		t.Errorf("released twice: %v", err)
	}
	must(s.MoveStock(t.Context(), ship))(t)
}

// PR090, PR091: parallel shipments of the last pieces.
func TestParallelShipments(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.receive(t, "NIC", 10)
	var done atomic.Int64
	var wg sync.WaitGroup
	for range 50 {
		wg.Go(func() {
			_, err := s.MoveStock(t.Context(), inventory.NewMove{Kind: inventory.Ship, SKU: "NIC", From: s.place, Quantity: 1})
			switch {
			case err == nil:
				done.Add(1)
			case !apperr.Is(err, apperr.Invalid):
				t.Error(err)
			}
		})
	}
	wg.Wait()
	if got := s.stock(t, "NIC"); done.Load() != 10 || got.OnHand != 0 {
		t.Errorf("%d shipped, %+v", done.Load(), got)
	}
}

func TestAvailabilityWithInbound(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.receive(t, "NIC", 2)
	purchase := inventory.Purchase{Key: "po", Number: "PO-1", Supplier: "Supplier", OrderedOn: date("2026-11-20"), Lines: []inventory.PurchaseLine{
		{SKU: "NIC", Quantity: 4, Expected: date("2026-12-10"), Confirmed: true},
		{SKU: "NIC", Quantity: 8, Expected: date("2026-12-20")},
	}}
	must(s.SavePurchase(t.Context(), purchase))(t)
	got := s.stock(t, "NIC")
	day, ok := inventory.PromiseDate(got.Forecast, 5)
	if got.Available() != 2 || len(got.Inbound) != 2 || !ok || !day.Equal(date("2026-12-10")) {
		t.Errorf("%+v, %v", got, day)
	}
	if _, ok := inventory.PromiseDate(got.Forecast, 7); ok {
		t.Error("unconfirmed stock was promised")
	}
	if a := must(s.Availability(t.Context(), []string{"SRV-8"}))(t); len(a) != 0 {
		t.Errorf("a SKU without stock has %+v", a)
	}
	purchase.Key = "another"
	if _, err := s.SavePurchase(t.Context(), purchase); !apperr.Is(err, apperr.Invalid) {
		t.Errorf("one number for two orders: %v", err)
	}
}
