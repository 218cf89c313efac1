package postgres

import (
	"context"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/apperr"
	"rackwright/internal/inventory"
	"rackwright/internal/quote"
)

// The store of stock. Reserved is always computed from the reservations that have not ended.
//
//	Locations(ctx) ([]inventory.Location, error)
//	SaveLocation(ctx, actor int64, inventory.Location) (id int64, err error)   ID 0 is a new one
//	Stock(ctx, search string) ([]inventory.Level, error)                       by SKU and place
//	MoveStock(ctx, inventory.NewMove) (id int64, err error)                    receive, transfer, ship, adjust, return
//	Moves(ctx, sku string, before int64, limit int) ([]inventory.Move, error)  newest first; sku "" is all, before 0 is the start
//	Reservations(ctx) ([]inventory.Reservation, error)                         live ones, the first to end first
//	ReservationsOf(ctx, quoteID int64) ([]inventory.Reservation, error)        of a quote, all of them
//	ReleaseReservation(ctx, actor, id int64) error
//	Availability(ctx, skus []string) (map[string]inventory.Availability, error)
//	SavePurchase(ctx, inventory.Purchase) (id int64, err error)

const (
	sqlLocations      = `SELECT id, code, name FROM location ORDER BY code`
	sqlInsertLocation = `INSERT INTO location (code, name) VALUES (@code, @name) RETURNING id`
	sqlUpdateLocation = `UPDATE location SET code = @code, name = @name WHERE id = @id RETURNING id`
	sqlInsertMove     = `
		INSERT INTO stock_move (at, kind, sku, from_location_id, to_location_id, quantity, purchase_order_line_id, note, actor_id)
		VALUES (@now, @kind, @sku, nullif(@from::bigint, 0), nullif(@to::bigint, 0), @quantity, nullif(@purchase_line::bigint, 0),
			@note, nullif(@actor::bigint, 0))
		RETURNING id`
	sqlReceivePurchase = `
		UPDATE purchase_order_line SET received = received + @quantity WHERE id = @purchase_line AND sku = @sku`
	// Rows are locked in the order of the primary key, here and in every other transaction.
	sqlLockStock = `
		SELECT sku, location_id, on_hand FROM stock WHERE sku = ANY(@skus::text[])
		ORDER BY sku, location_id
		FOR UPDATE`
	sqlReservedOf = `
		SELECT sku, location_id, sum(quantity)::bigint AS quantity FROM reservation
		WHERE sku = ANY(@skus::text[]) AND released_at IS NULL AND until > @now
		GROUP BY sku, location_id`
	sqlInsertReservation = `
		INSERT INTO reservation (sku, location_id, quantity, revision_id, created_at, until)
		VALUES (@sku, @location_id, @quantity, @revision_id, @now, @until)`
	sqlInsertShortage = `
		INSERT INTO quote_shortage (revision_id, sku, quantity) VALUES (@revision_id, @sku, @quantity)`
	sqlReleaseReservation = `
		UPDATE reservation SET released_at = @now WHERE id = @id AND released_at IS NULL
		RETURNING sku`
)

type locationRow struct {
	ID   int64
	Code string
	Name string
}

func (r locationRow) domain() inventory.Location { return inventory.Location(r) }

// Locations returns the places where stock lies.
func (db *DB) Locations(ctx context.Context) ([]inventory.Location, error) {
	out, err := collect[locationRow](ctx, db.pool, sqlLocations, nil)
	return out, interpretError(err)
}

// SaveLocation stores a place and returns its id.
func (db *DB) SaveLocation(ctx context.Context, actor int64, l inventory.Location) (id int64, err error) {
	if err := l.Validate(); err != nil {
		return 0, err
	}
	sql := sqlUpdateLocation
	if l.ID == 0 {
		sql = sqlInsertLocation
	}
	err = db.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, sql, pgx.NamedArgs{"id": l.ID, "code": l.Code, "name": l.Name}).Scan(&id); err != nil {
			return fmt.Errorf("save location: %w", err)
		}
		return db.audit(ctx, tx, change{actor: actor, action: "location.save", objectType: "location", objectID: l.Code, after: l})
	})
	if violates(err, "location_code_key") {
		return 0, fieldFault(err, "code", "errors.form_taken", "value", l.Code)
	}
	return id, err
}

// MoveStock writes a move into the ledger, which changes what is on hand; once for each key of a form. A move that would
// leave less than is reserved is refused at "quantity".
func (db *DB) MoveStock(ctx context.Context, m inventory.NewMove) (int64, error) {
	m.SKU = quote.NormalSKU(m.SKU)
	if err := m.Validate(); err != nil {
		return 0, err
	}
	var id int64
	err := db.keyed(ctx, formKey{"stock.move", m.Key, m.SKU}, &id, func(ctx context.Context, tx pgx.Tx) error {
		args := pgx.NamedArgs{"now": db.now(), "kind": string(m.Kind), "sku": m.SKU, "from": m.From, "to": m.To, "quantity": m.Quantity,
			"purchase_line": m.PurchaseLine, "note": m.Note, "actor": m.ActorID}
		if err := tx.QueryRow(ctx, sqlInsertMove, args).Scan(&id); err != nil {
			return fmt.Errorf("insert move: %w", err)
		}
		if m.PurchaseLine == 0 {
			return nil
		}
		tag, err := tx.Exec(ctx, sqlReceivePurchase, args)
		if err != nil {
			return fmt.Errorf("receive purchase: %w", err)
		}
		if tag.RowsAffected() == 0 {
			return apperr.New(apperr.Invalid, "errors.form_not_found", "value", m.SKU)
		}
		return nil
	})
	switch {
	case violates(err, "stock_not_enough"):
		return 0, fieldFault(err, "quantity", "stock.move_not_enough", "sku", m.SKU)
	case violates(err, "stock_move_sku_fkey"), violates(err, "stock_sku_fkey"):
		return 0, fieldFault(err, "sku", "errors.form_not_found", "value", m.SKU)
	}
	return id, err
}

type levelRow struct {
	SKU        string
	LocationID int64
	OnHand     int64
}

type reservedRow struct {
	SKU        string
	LocationID int64
	Quantity   int64
}

// reserve locks the stock of the demands in the order of its primary key, reserves what is free until a moment, records
// what is short and returns it.
func (db *DB) reserve(ctx context.Context, tx pgx.Tx, revisionID int64, demands []inventory.Demand, until time.Time) ([]quote.Shortage, error) {
	levels, err := db.lockLevels(ctx, tx, demands)
	if err != nil {
		return nil, err
	}
	allocations, short := inventory.Allocate(levels, demands)
	slices.SortFunc(allocations, func(a, b inventory.Allocation) int { return a.Compare(b) })
	for _, a := range allocations {
		args := pgx.NamedArgs{"sku": a.SKU, "location_id": a.Place, "quantity": a.Quantity, "revision_id": revisionID, "now": db.now(), "until": until}
		if _, err := tx.Exec(ctx, sqlInsertReservation, args); err != nil {
			return nil, fmt.Errorf("reserve %s: %w", a.SKU, err)
		}
	}
	var shortages []quote.Shortage
	for _, s := range short {
		if _, err := tx.Exec(ctx, sqlInsertShortage, pgx.NamedArgs{"revision_id": revisionID, "sku": s.SKU, "quantity": s.Quantity}); err != nil {
			return nil, fmt.Errorf("record shortage of %s: %w", s.SKU, err)
		}
		shortages = append(shortages, quote.Shortage(s))
	}
	return shortages, nil
}

// lockLevels locks the stock of the demands and returns it. What is reserved is read after the lock is held.
func (db *DB) lockLevels(ctx context.Context, tx pgx.Tx, demands []inventory.Demand) ([]inventory.Level, error) {
	skus := []string{}
	for _, d := range demands {
		skus = append(skus, d.SKU)
	}
	args := pgx.NamedArgs{"skus": skus, "now": db.now()}
	rows, err := tx.Query(ctx, sqlLockStock, args)
	if err != nil {
		return nil, fmt.Errorf("lock stock: %w", err)
	}
	locked, err := pgx.CollectRows(rows, pgx.RowToStructByName[levelRow])
	if err != nil {
		return nil, fmt.Errorf("lock stock: %w", err)
	}
	if rows, err = tx.Query(ctx, sqlReservedOf, args); err != nil {
		return nil, fmt.Errorf("reserved stock: %w", err)
	}
	reserved, err := pgx.CollectRows(rows, pgx.RowToStructByName[reservedRow])
	if err != nil {
		return nil, fmt.Errorf("reserved stock: %w", err)
	}
	levels := make([]inventory.Level, len(locked))
	for i, l := range locked {
		levels[i] = inventory.Level{SKU: l.SKU, Place: l.LocationID, OnHand: l.OnHand}
		for _, r := range reserved {
			if r.SKU == l.SKU && r.LocationID == l.LocationID {
				levels[i].Reserved = r.Quantity
			}
		}
	}
	return levels, nil
}

// ReleaseReservation gives a reservation back before its end.
func (db *DB) ReleaseReservation(ctx context.Context, actor, id int64) error {
	return db.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		var sku string
		if err := tx.QueryRow(ctx, sqlReleaseReservation, pgx.NamedArgs{"id": id, "now": db.now()}).Scan(&sku); err != nil {
			return changedMeanwhile(err)
		}
		return db.audit(ctx, tx, change{actor: actor, action: "reservation.release", objectType: "sku", objectID: sku})
	})
}
