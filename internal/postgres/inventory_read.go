package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/inventory"
	"rackwright/internal/quote"
)

const (
	sqlStock = `
		SELECT s.sku, s.location_id, s.on_hand,
		       coalesce((SELECT sum(r.quantity) FROM reservation r
		                 WHERE r.sku = s.sku AND r.location_id = s.location_id AND r.released_at IS NULL AND r.until > @now), 0)::bigint AS reserved
		FROM stock s
		WHERE @pattern::text = '' OR s.sku ILIKE @pattern
		   OR EXISTS (SELECT FROM location l WHERE l.id = s.location_id AND (l.code ILIKE @pattern OR l.name ILIKE @pattern))
		ORDER BY s.sku, s.location_id`
	sqlMoves = `
		SELECT m.id, m.at, m.kind, m.sku, m.quantity, m.note, coalesce(u.display_name, '') AS actor,
		       f.id AS from_id, f.code AS from_code, f.name AS from_name, t.id AS to_id, t.code AS to_code, t.name AS to_name
		FROM stock_move m
		LEFT JOIN location f ON f.id = m.from_location_id
		LEFT JOIN location t ON t.id = m.to_location_id
		LEFT JOIN app_user u ON u.id = m.actor_id
		WHERE (@sku::text = '' OR m.sku = @sku) AND (@before::bigint = 0 OR m.id < @before)
		ORDER BY m.id DESC
		LIMIT @max`
	sqlReservations = `
		SELECT r.id, r.sku, l.id AS location_id, l.code, l.name, r.quantity, r.until, r.released_at, coalesce(q.number, '') AS number,
		       q.id AS quote_id, v.number AS revision, v.customer_name
		FROM reservation r
		JOIN location l ON l.id = r.location_id
		JOIN quote_revision v ON v.id = r.revision_id
		JOIN quote q ON q.id = v.quote_id
		WHERE CASE WHEN @quote_id::bigint = 0 THEN r.released_at IS NULL AND r.until > @now ELSE v.quote_id = @quote_id END
		ORDER BY r.until, r.id
		LIMIT 1000`
	sqlOnHand = `
		SELECT s.sku, sum(s.on_hand)::bigint AS on_hand,
		       coalesce((SELECT sum(r.quantity) FROM reservation r
		                 WHERE r.sku = s.sku AND r.released_at IS NULL AND r.until > @now), 0)::bigint AS reserved
		FROM stock s
		WHERE s.sku = ANY(@skus::text[])
		GROUP BY s.sku`
	sqlInbound = `
		SELECT sku, quantity - received AS quantity, expected_on, confirmed FROM purchase_order_line
		WHERE sku = ANY(@skus::text[]) AND received < quantity
		ORDER BY sku, expected_on, id`
	sqlInsertPurchase = `
		INSERT INTO purchase_order (number, supplier, ordered_on, created_at, created_by)
		VALUES (@number, @supplier, @ordered_on, @now, nullif(@actor::bigint, 0))
		RETURNING id`
	sqlInsertPurchaseLine = `
		INSERT INTO purchase_order_line (purchase_order_id, sku, quantity, expected_on, confirmed, unit_cost, currency)
		VALUES (@id, @sku, @quantity, @expected_on, @confirmed, @unit_cost::numeric, @currency)`
)

type stockRow struct {
	SKU        string
	LocationID int64
	OnHand     int64
	Reserved   int64
}

func (r stockRow) domain() inventory.Level {
	return inventory.Level{SKU: r.SKU, Place: r.LocationID, OnHand: r.OnHand, Reserved: r.Reserved}
}

// Stock returns the levels by SKU and place, of those whose SKU or place contains the text.
func (db *DB) Stock(ctx context.Context, search string) ([]inventory.Level, error) {
	out, err := collect[stockRow](ctx, db.pool, sqlStock, pgx.NamedArgs{"now": db.now(), "pattern": likePattern(search)})
	return out, interpretError(err)
}

type moveRow struct {
	ID       int64
	At       time.Time
	Kind     string
	SKU      string
	Quantity int64
	Note     string
	Actor    string
	FromID   *int64
	FromCode *string
	FromName *string
	ToID     *int64
	ToCode   *string
	ToName   *string
}

func (r moveRow) domain() inventory.Move {
	place := func(id *int64, code, name *string) *inventory.Location {
		if id == nil {
			return nil
		}
		return &inventory.Location{ID: *id, Code: value(code), Name: value(name)}
	}
	return inventory.Move{ID: r.ID, At: r.At, Kind: inventory.MoveKind(r.Kind), SKU: r.SKU, Quantity: r.Quantity, Note: r.Note,
		Actor: r.Actor, From: place(r.FromID, r.FromCode, r.FromName), To: place(r.ToID, r.ToCode, r.ToName)}
}

// Moves returns the ledger, the newest move first, from below an id on (0 is the start); sku "" is every SKU.
func (db *DB) Moves(ctx context.Context, sku string, before int64, limit int) ([]inventory.Move, error) {
	out, err := collect[moveRow](ctx, db.pool, sqlMoves, pgx.NamedArgs{"sku": sku, "before": before, "max": limit})
	return out, interpretError(err)
}

type reservationRow struct {
	ID           int64
	SKU          string
	LocationID   int64
	Code         string
	Name         string
	Quantity     int64
	Until        time.Time
	ReleasedAt   *time.Time
	Number       string
	QuoteID      int64
	Revision     int
	CustomerName string
}

func (r reservationRow) domain() inventory.Reservation {
	return inventory.Reservation{ID: r.ID, SKU: r.SKU, Place: inventory.Location{ID: r.LocationID, Code: r.Code, Name: r.Name},
		Quantity: r.Quantity, Until: r.Until, Released: value(r.ReleasedAt), Quote: r.Number, QuoteID: r.QuoteID,
		Revision: r.Revision, Customer: r.CustomerName}
}

// Reservations returns the live reservations, the first to end first.
func (db *DB) Reservations(ctx context.Context) ([]inventory.Reservation, error) {
	return db.ReservationsOf(ctx, 0)
}

// ReservationsOf returns all reservations of a quote, ended and released ones too (see Reservation.Live).
func (db *DB) ReservationsOf(ctx context.Context, quoteID int64) ([]inventory.Reservation, error) {
	out, err := collect[reservationRow](ctx, db.pool, sqlReservations, pgx.NamedArgs{"quote_id": quoteID, "now": db.now()})
	return out, interpretError(err)
}

type onHandRow struct {
	SKU      string
	OnHand   int64
	Reserved int64
}

type inboundRow struct {
	SKU        string
	Quantity   int64
	ExpectedOn time.Time
	Confirmed  bool
}

func (r inboundRow) domain() inventory.Inbound {
	return inventory.Inbound{SKU: r.SKU, Quantity: r.Quantity, Expected: r.ExpectedOn, Confirmed: r.Confirmed}
}

// Availability returns what is known of the stock of the SKUs. A SKU that never had stock and of which nothing is on
// order is absent. The counts are for staff; a visitor is told in stock, a date, or nothing.
func (db *DB) Availability(ctx context.Context, skus []string) (map[string]inventory.Availability, error) {
	found := map[string]inventory.Availability{}
	err := db.snapshot(ctx, func(tx pgx.Tx) error {
		settings, err := quoteSettings(ctx, tx)
		if err != nil {
			return err
		}
		args := pgx.NamedArgs{"skus": orEmpty(skus), "now": db.now()}
		rows, err := tx.Query(ctx, sqlOnHand, args)
		if err != nil {
			return fmt.Errorf("on hand: %w", err)
		}
		levels, err := pgx.CollectRows(rows, pgx.RowToStructByName[onHandRow])
		if err != nil {
			return fmt.Errorf("on hand: %w", err)
		}
		for _, l := range levels {
			found[l.SKU] = inventory.Availability{OnHand: l.OnHand, Reserved: l.Reserved, EverMoved: true}
		}
		inbound, err := collect[inboundRow](ctx, tx, sqlInbound, args)
		if err != nil {
			return fmt.Errorf("inbound: %w", err)
		}
		for _, in := range inbound {
			a := found[in.SKU]
			a.Inbound = append(a.Inbound, in)
			found[in.SKU] = a
		}
		today := quote.Day(db.now(), settings.Zone)
		for sku, a := range found {
			a.Forecast = inventory.Forecast(today, a.OnHand-a.Reserved, a.Inbound, nil)
			found[sku] = a
		}
		return nil
	})
	return found, err
}

// SavePurchase stores a new purchase order and returns its id.
func (db *DB) SavePurchase(ctx context.Context, p inventory.Purchase) (id int64, err error) {
	if err := p.Validate(); err != nil {
		return 0, err
	}
	err = db.keyed(ctx, formKey{"purchase.create", p.Key, p.Number}, &id, func(ctx context.Context, tx pgx.Tx) error {
		args := pgx.NamedArgs{"number": p.Number, "supplier": p.Supplier, "ordered_on": p.OrderedOn, "now": db.now(), "actor": p.ActorID}
		if err := tx.QueryRow(ctx, sqlInsertPurchase, args).Scan(&id); err != nil {
			return fmt.Errorf("insert purchase: %w", err)
		}
		for _, l := range p.Lines {
			args := pgx.NamedArgs{"id": id, "sku": quote.NormalSKU(l.SKU), "quantity": l.Quantity, "expected_on": l.Expected, "confirmed": l.Confirmed,
				"unit_cost": nil, "currency": nil}
			if l.Cost != nil {
				args["unit_cost"], args["currency"] = l.Cost.Value, string(l.Cost.Currency)
			}
			if _, err := tx.Exec(ctx, sqlInsertPurchaseLine, args); err != nil {
				return fmt.Errorf("insert purchase line: %w", err)
			}
		}
		return nil
	})
	if violates(err, "purchase_order_number_key") {
		return 0, fieldFault(err, "number", "errors.form_taken", "value", p.Number)
	}
	return id, err
}
