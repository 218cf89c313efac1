package postgres

import (
	"context"
	"fmt"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/money"
	"rackwright/internal/quote"
)

const (
	sqlLimits      = `SELECT sku, currency, floor, cost, version FROM price_floor ORDER BY sku`
	sqlInsertLimit = `
		INSERT INTO price_floor (sku, currency, floor, cost) VALUES (@sku, @currency, @floor::numeric, @cost::numeric)
		RETURNING version`
	sqlUpdateLimit = `
		UPDATE price_floor SET currency = @currency, floor = @floor::numeric, cost = @cost::numeric, version = version + 1
		WHERE sku = @sku AND version = @version
		RETURNING version`
	sqlRates    = `SELECT base, quote, day, rate, source FROM fx_rate ORDER BY day DESC, base, quote LIMIT @max`
	sqlSaveRate = `
		INSERT INTO fx_rate (base, quote, day, rate, source) VALUES (@base, @quote, @day, @rate, @source)
		ON CONFLICT (base, quote, day) DO UPDATE SET rate = EXCLUDED.rate, source = EXCLUDED.source`
	sqlTaxRates      = `SELECT id, name, country, rate, is_default, version FROM tax_rate ORDER BY country, rate, name, id`
	sqlClearDefault  = `UPDATE tax_rate SET is_default = false WHERE is_default AND id <> @id`
	sqlInsertTaxRate = `
		INSERT INTO tax_rate (name, country, rate, is_default) VALUES (@name, @country, @rate, @is_default)
		RETURNING id`
	sqlUpdateTaxRate = `
		UPDATE tax_rate SET name = @name, country = @country, rate = @rate, is_default = @is_default, version = version + 1
		WHERE id = @id AND version = @version
		RETURNING id`
)

type limitRow struct {
	SKU      string
	Currency string
	Floor    *money.Decimal
	Cost     *money.Decimal
	Version  int64
}

func (r limitRow) domain() quote.Limit {
	return quote.Limit{SKU: r.SKU, Currency: money.Currency(r.Currency), Floor: trim(r.Floor), Cost: trim(r.Cost), Version: r.Version}
}

type rateRow struct {
	Base   string
	Quote  string
	Day    time.Time
	Rate   money.Decimal
	Source string
}

func (r rateRow) domain() quote.Rate {
	return quote.Rate{Base: money.Currency(r.Base), Quote: money.Currency(r.Quote), Day: r.Day, Rate: r.Rate.Trim(), Source: r.Source}
}

type taxRow struct {
	ID        int64
	Name      string
	Country   string
	Rate      money.Percent
	IsDefault bool
	Version   int64
}

func (r taxRow) domain() quote.Tax {
	return quote.Tax{ID: r.ID, Name: r.Name, Country: r.Country, Rate: r.Rate, Default: r.IsDefault, Version: r.Version}
}

// Limits returns the floor prices and costs by SKU. They are not for sales staff.
func (db *DB) Limits(ctx context.Context) ([]quote.Limit, error) {
	out, err := collect[limitRow](ctx, db.pool, sqlLimits, nil)
	return out, interpretError(err)
}

// SaveLimit stores floor and cost of a SKU. Version 0 is for a SKU that has none yet.
func (db *DB) SaveLimit(ctx context.Context, actor int64, l quote.Limit) error {
	l.SKU = quote.NormalSKU(l.SKU)
	if err := l.Validate(); err != nil {
		return err
	}
	sql := sqlUpdateLimit
	if l.Version == 0 {
		sql = sqlInsertLimit
	}
	err := db.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		var version int64
		args := pgx.NamedArgs{"sku": l.SKU, "currency": string(l.Currency), "floor": l.Floor, "cost": l.Cost, "version": l.Version}
		if err := tx.QueryRow(ctx, sql, args).Scan(&version); err != nil {
			return changedMeanwhile(err)
		}
		return db.audit(ctx, tx, change{actor: actor, action: "price_floor.save", objectType: "sku", objectID: l.SKU, after: l})
	})
	if violates(err, "price_floor_sku_fkey") {
		return fieldFault(err, "sku", "errors.form_not_found", "value", l.SKU)
	}
	return err
}

// Rates returns the newest exchange rates.
func (db *DB) Rates(ctx context.Context, limit int) ([]quote.Rate, error) {
	out, err := collect[rateRow](ctx, db.pool, sqlRates, pgx.NamedArgs{"max": limit})
	return out, interpretError(err)
}

// SaveRate stores the rate of a day; the same pair and day again corrects it. A rate the other way round on that
// day is refused: the inverse is never stored.
func (db *DB) SaveRate(ctx context.Context, actor int64, r quote.Rate) error {
	if err := r.Validate(); err != nil {
		return err
	}
	err := db.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		args := pgx.NamedArgs{"base": string(r.Base), "quote": string(r.Quote), "day": r.Day, "rate": r.Rate, "source": r.Source}
		if _, err := tx.Exec(ctx, sqlSaveRate, args); err != nil {
			return fmt.Errorf("save rate: %w", err)
		}
		return db.audit(ctx, tx, change{actor: actor, action: "fx_rate.save", objectType: "fx_rate",
			objectID: string(r.Base) + "/" + string(r.Quote), after: r})
	})
	if violates(err, "fx_rate_one_direction") {
		return fieldFault(err, "base", "price.rate_inverse")
	}
	return err
}

// TaxRates returns the tax rates to choose from.
func (db *DB) TaxRates(ctx context.Context) ([]quote.Tax, error) {
	out, err := collect[taxRow](ctx, db.pool, sqlTaxRates, nil)
	return out, interpretError(err)
}

// SaveTaxRate stores a tax rate and returns its id. An id of 0 is a new one; a new default replaces the old.
func (db *DB) SaveTaxRate(ctx context.Context, actor int64, t quote.Tax) (id int64, err error) {
	if err := t.Validate(); err != nil {
		return 0, err
	}
	sql := sqlUpdateTaxRate
	if t.ID == 0 {
		sql = sqlInsertTaxRate
	}
	err = db.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		args := pgx.NamedArgs{"id": t.ID, "name": t.Name, "country": t.Country, "rate": t.Rate, "is_default": t.Default, "version": t.Version}
		if t.Default {
			if _, err := tx.Exec(ctx, sqlClearDefault, args); err != nil {
				return fmt.Errorf("clear default: %w", err)
			}
		}
		if err := tx.QueryRow(ctx, sql, args).Scan(&id); err != nil {
			return changedMeanwhile(err)
		}
		return db.audit(ctx, tx, change{actor: actor, action: "tax_rate.save", objectType: "tax_rate",
			objectID: strconv.FormatInt(id, 10), after: t})
	})
	return id, err
}
