package postgres

import (
	"context"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/apperr"
	"rackwright/internal/money"
	"rackwright/internal/quote"
)

// The store of own prices. Every change is audited with its actor.
//
//	PriceLists(ctx) ([]quote.PriceList, error)
//	PriceList(ctx, id int64) (quote.PriceList, []quote.PriceItem, error)          items by SKU, quantity, first day
//	SavePriceList(ctx, actor int64, quote.PriceList) (id int64, err error)        ID 0 is a new one
//	SavePriceItem(ctx, actor int64, quote.PriceItem) (id int64, err error)        ID 0 is a new one
//	DeletePriceItem(ctx, actor, listID, id int64) error
//	PricesOf(ctx, sku string) ([]quote.PriceItem, error)                          of all lists
//	Limits(ctx) ([]quote.Limit, error) / SaveLimit(ctx, actor int64, quote.Limit) error
//	Rates(ctx, limit int) ([]quote.Rate, error) / SaveRate(ctx, actor int64, quote.Rate) error
//	TaxRates(ctx) ([]quote.Tax, error) / SaveTaxRate(ctx, actor int64, quote.Tax) (id int64, err error)

const (
	sqlPriceLists = `
		SELECT id, name, currency, tax_mode, price_group, demo, version FROM price_list ORDER BY lower(name), id`
	sqlPriceList = `
		SELECT id, name, currency, tax_mode, price_group, demo, version FROM price_list WHERE id = @id`
	sqlPriceItems = `
		SELECT id, list_id, sku, min_qty, price, valid_from, valid_to FROM price_list_item
		WHERE list_id = @id
		ORDER BY sku, min_qty, valid_from`
	sqlPricesOf = `
		SELECT id, list_id, sku, min_qty, price, valid_from, valid_to FROM price_list_item
		WHERE sku = @sku
		ORDER BY list_id, min_qty, valid_from`
	sqlInsertPriceList = `
		INSERT INTO price_list (name, currency, tax_mode, price_group, demo)
		VALUES (@name, @currency, @tax_mode, @price_group, @demo)
		RETURNING id`
	sqlUpdatePriceList = `
		UPDATE price_list SET name = @name, currency = @currency, tax_mode = @tax_mode, price_group = @price_group,
			version = version + 1
		WHERE id = @id AND version = @version
		RETURNING id`
	// Locked, so that no price is added meanwhile.
	sqlPriceListInUse = `
		SELECT currency <> @currency AND used AS currency, tax_mode <> @tax_mode AND used AS tax_mode
		FROM price_list, LATERAL (SELECT EXISTS (SELECT FROM price_list_item WHERE list_id = @id) AS used) u
		WHERE id = @id
		FOR UPDATE OF price_list`
	sqlInsertPriceItem = `
		INSERT INTO price_list_item (list_id, sku, min_qty, price, valid_from, valid_to)
		VALUES (@list_id, @sku, @min_qty, @price, @valid_from, @valid_to)
		RETURNING id`
	sqlUpdatePriceItem = `
		UPDATE price_list_item SET sku = @sku, min_qty = @min_qty, price = @price, valid_from = @valid_from, valid_to = @valid_to
		WHERE id = @id AND list_id = @list_id
		RETURNING id`
	sqlDeletePriceItem = `DELETE FROM price_list_item WHERE id = @id AND list_id = @list_id RETURNING sku`
)

type priceListRow struct {
	ID         int64
	Name       string
	Currency   string
	TaxMode    string
	PriceGroup string
	Demo       bool
	Version    int64
}

func (r priceListRow) domain() quote.PriceList {
	return quote.PriceList{ID: r.ID, Name: r.Name, Currency: money.Currency(r.Currency), TaxMode: quote.TaxMode(r.TaxMode),
		Group: r.PriceGroup, Demo: r.Demo, Version: r.Version}
}

type priceItemRow struct {
	ID        int64
	ListID    int64
	SKU       string
	MinQty    money.Decimal
	Price     money.Decimal
	ValidFrom time.Time
	ValidTo   *time.Time
}

func (r priceItemRow) domain() quote.PriceItem {
	return quote.PriceItem{ID: r.ID, ListID: r.ListID, SKU: r.SKU, MinQty: r.MinQty.Trim(), Price: r.Price.Trim(),
		From: r.ValidFrom, To: value(r.ValidTo)}
}

// PriceLists returns the price lists by name.
func (db *DB) PriceLists(ctx context.Context) ([]quote.PriceList, error) {
	out, err := collect[priceListRow](ctx, db.pool, sqlPriceLists, nil)
	return out, interpretError(err)
}

// PriceList returns a price list with all its items.
func (db *DB) PriceList(ctx context.Context, id int64) (quote.PriceList, []quote.PriceItem, error) {
	var list quote.PriceList
	var items []quote.PriceItem
	err := db.snapshot(ctx, func(tx pgx.Tx) error {
		found, err := collect[priceListRow](ctx, tx, sqlPriceList, pgx.NamedArgs{"id": id})
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return pgx.ErrNoRows
		}
		list = found[0]
		items, err = collect[priceItemRow](ctx, tx, sqlPriceItems, pgx.NamedArgs{"id": id})
		return err
	})
	return list, items, err
}

// PricesOf returns the own prices of a SKU in all lists and of all times.
func (db *DB) PricesOf(ctx context.Context, sku string) ([]quote.PriceItem, error) {
	out, err := collect[priceItemRow](ctx, db.pool, sqlPricesOf, pgx.NamedArgs{"sku": sku})
	return out, interpretError(err)
}

// SavePriceList stores the head of a price list and returns its id. An id of 0 is a new list. A list that has prices
// keeps its currency and tax mode: the figures would silently mean something else.
func (db *DB) SavePriceList(ctx context.Context, actor int64, l quote.PriceList) (id int64, err error) {
	if err := l.Validate(); err != nil {
		return 0, err
	}
	args := pgx.NamedArgs{"id": l.ID, "version": l.Version, "name": l.Name, "currency": string(l.Currency),
		"tax_mode": string(l.TaxMode), "price_group": l.Group, "demo": l.Demo}
	sql := sqlUpdatePriceList
	if l.ID == 0 {
		sql = sqlInsertPriceList
	}
	err = db.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if err := checkListInUse(ctx, tx, args); err != nil {
			return err
		}
		if err := tx.QueryRow(ctx, sql, args).Scan(&id); err != nil {
			return changedMeanwhile(err)
		}
		return db.audit(ctx, tx, change{actor: actor, action: "price_list.save", objectType: "price_list",
			objectID: strconv.FormatInt(id, 10), after: l})
	})
	if violates(err, "price_list_name_key") {
		return 0, fieldFault(err, "name", "errors.form_taken", "value", l.Name)
	}
	return id, err
}

// checkListInUse refuses another currency or tax mode for a list that has prices.
func checkListInUse(ctx context.Context, tx pgx.Tx, args pgx.NamedArgs) error {
	var currency, mode bool
	err := tx.QueryRow(ctx, sqlPriceListInUse, args).Scan(&currency, &mode)
	if err != nil && !errors.Is(err, pgx.ErrNoRows) { // no row: a new list, or one that is gone
		return fmt.Errorf("price list in use: %w", err)
	}
	var f apperr.Faults
	if currency {
		f.Add("currency", "price.list_in_use")
	}
	if mode {
		f.Add("tax_mode", "price.list_in_use")
	}
	return f.Err()
}

// SavePriceItem stores a price and returns its id. An id of 0 is a new one. A price whose days overlap those of
// another for the same SKU, list and quantity is refused at "from".
func (db *DB) SavePriceItem(ctx context.Context, actor int64, i quote.PriceItem) (id int64, err error) {
	i.SKU = quote.NormalSKU(i.SKU)
	if err := i.Validate(); err != nil {
		return 0, err
	}
	args := pgx.NamedArgs{"id": i.ID, "list_id": i.ListID, "sku": i.SKU, "min_qty": i.MinQty, "price": i.Price,
		"valid_from": i.From, "valid_to": dateOrNull(i.To)}
	sql := sqlUpdatePriceItem
	if i.ID == 0 {
		sql = sqlInsertPriceItem
	}
	err = db.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		if err := tx.QueryRow(ctx, sql, args).Scan(&id); err != nil {
			return fmt.Errorf("save price: %w", err)
		}
		return db.audit(ctx, tx, change{actor: actor, action: "price.save", objectType: "price_list",
			objectID: strconv.FormatInt(i.ListID, 10), after: i})
	})
	switch {
	case violates(err, "price_list_item_overlap"):
		return 0, fieldFault(err, "from", "price.overlap")
	case violates(err, "price_list_item_sku_fkey"):
		return 0, fieldFault(err, "sku", "errors.form_not_found", "value", i.SKU)
	}
	return id, err
}

// DeletePriceItem removes a price. Quotes that used it keep what they remember of it.
func (db *DB) DeletePriceItem(ctx context.Context, actor, listID, id int64) error {
	return db.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		var sku string
		if err := tx.QueryRow(ctx, sqlDeletePriceItem, pgx.NamedArgs{"id": id, "list_id": listID}).Scan(&sku); err != nil {
			return fmt.Errorf("delete price: %w", err)
		}
		return db.audit(ctx, tx, change{actor: actor, action: "price.delete", objectType: "sku", objectID: sku})
	})
}

// dateOrNull returns NULL for the zero time, which means no day.
func dateOrNull(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	return &t
}

// changedMeanwhile turns "no row of that version" into the Conflict that a second tab hears.
func changedMeanwhile(err error) error {
	if interpreted := interpretError(err); apperr.Is(interpreted, apperr.NotFound) {
		return apperr.Wrap(apperr.Conflict, err, "errors.changed_meanwhile")
	}
	return err
}

// fieldFault is an Invalid error at one field.
func fieldFault(err error, field, id string, args ...any) error {
	return &apperr.Error{Kind: apperr.Invalid, Msg: apperr.Msg("errors.form_invalid"), Err: err,
		Fields: map[string]apperr.Message{field: apperr.Msg(id, args...)}}
}
