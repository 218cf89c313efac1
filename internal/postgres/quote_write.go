package postgres

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/money"
	"rackwright/internal/quote"
)

const (
	sqlInsertRevision = `
		INSERT INTO quote_revision (quote_id, number, state, created_at, title, customer_id, customer_name, customer, currency,
			tax_mode, day, valid_until, lang, reference, note, terms, ship_to, end_user, incoterm, place, licence_ref,
			internal_note, sizing_id, discount_percent, discount_amount, net, tax, total, totals, layout, delivery, tax_rule,
			tax_note, payments)
		VALUES (@quote_id, @number, 'draft', @now, @title, nullif(@customer_id::bigint, 0), @customer_name, @customer, @currency,
			@tax_mode, @day, @valid_until, @lang, @reference, @note, @terms, @ship_to, @end_user, @incoterm, @place, @licence_ref,
			@internal_note, nullif(@sizing_id::bigint, 0), @discount_percent, @discount_amount, @net::numeric, @tax::numeric,
			@total::numeric, @totals, @layout, @delivery, @tax_rule, @tax_note, @payments)
		RETURNING id`
	sqlUpdateRevision = `
		UPDATE quote_revision SET state = @state, title = @title, customer_id = nullif(@customer_id::bigint, 0),
			customer_name = @customer_name, customer = @customer, currency = @currency, tax_mode = @tax_mode, day = @day,
			valid_until = @valid_until, lang = @lang, reference = @reference, note = @note, terms = @terms, ship_to = @ship_to,
			end_user = @end_user, incoterm = @incoterm, place = @place, licence_ref = @licence_ref,
			internal_note = @internal_note, sizing_id = nullif(@sizing_id::bigint, 0), discount_percent = @discount_percent,
			discount_amount = @discount_amount, net = @net::numeric, tax = @tax::numeric, total = @total::numeric, totals = @totals,
			layout = @layout, delivery = @delivery, tax_rule = @tax_rule, tax_note = @tax_note, payments = @payments
		WHERE id = @revision_id`
	sqlDeleteLines = `DELETE FROM quote_line WHERE revision_id = @revision_id`
	sqlInsertLines = `
		INSERT INTO quote_line (revision_id, position, line_id, kind, part, assembled, stocked, sku, description, control_to,
			quantity, unit_price, discount, tax_rate, tax_name, list, override, floor, cost, discount_amount, term_periods,
			term_unit, lump, replaces, promise, config)
		SELECT @revision_id, position, line_id, kind, part, assembled, stocked, sku, description, control_to,
			quantity, unit_price, discount, tax_rate, tax_name, list, override, floor, cost, discount_amount, term_periods,
			term_unit, lump, replaces, promise, config
		FROM jsonb_populate_recordset(NULL::quote_line, @lines)`
)

// insertRevision stores a draft as a new revision.
func (db *DB) insertRevision(ctx context.Context, tx pgx.Tx, id int64, number int, c quote.Content, t quote.Totals) error {
	args, err := revisionArgs(c, t)
	if err != nil {
		return err
	}
	args["quote_id"], args["number"], args["now"] = id, number, db.now()
	var revisionID int64
	if err := tx.QueryRow(ctx, sqlInsertRevision, args).Scan(&revisionID); err != nil {
		return fmt.Errorf("insert revision: %w", err)
	}
	return insertLines(ctx, tx, revisionID, c.Lines)
}

// updateRevision replaces the content of a draft.
func updateRevision(ctx context.Context, tx pgx.Tx, revisionID int64, state quote.State, c quote.Content, t quote.Totals) error {
	args, err := revisionArgs(c, t)
	if err != nil {
		return err
	}
	args["revision_id"], args["state"] = revisionID, string(state)
	for _, sql := range []string{sqlUpdateRevision, sqlDeleteLines} {
		if _, err := tx.Exec(ctx, sql, args); err != nil {
			return fmt.Errorf("update revision %d: %w", revisionID, err)
		}
	}
	return insertLines(ctx, tx, revisionID, c.Lines)
}

func revisionArgs(c quote.Content, t quote.Totals) (pgx.NamedArgs, error) {
	customer, err := json.Marshal(c.Customer)
	if err != nil {
		return nil, fmt.Errorf("encode customer: %w", err)
	}
	totals, err := json.Marshal(t)
	if err != nil {
		return nil, fmt.Errorf("encode totals: %w", err)
	}
	delivery, err := json.Marshal(c.Delivery)
	if err != nil {
		return nil, fmt.Errorf("encode delivery: %w", err)
	}
	payments, err := json.Marshal(append([]quote.Instalment{}, c.Payments...))
	if err != nil {
		return nil, fmt.Errorf("encode payments: %w", err)
	}
	return pgx.NamedArgs{
		"title": c.Title, "customer_id": c.Customer.CustomerID, "customer_name": c.Customer.Name, "customer": customer,
		"currency": string(c.Currency), "tax_mode": string(c.TaxMode), "day": c.Day, "valid_until": c.ValidTo, "lang": c.Lang,
		"reference": c.Reference, "note": c.Note, "terms": c.Terms, "ship_to": c.ShipTo, "end_user": c.EndUser,
		"incoterm": c.Incoterm, "place": c.Place, "licence_ref": c.LicenceRef, "internal_note": c.InternalNote,
		"sizing_id": c.SizingID, "discount_percent": c.Discount.Percent, "discount_amount": c.Discount.Amount,
		"net": t.Net, "tax": t.Tax, "total": t.Total, "totals": totals,
		"layout": cmp.Or(string(c.Layout), string(quote.Detailed)), "delivery": delivery, "tax_rule": string(c.TaxRule),
		"tax_note": c.TaxNote, "payments": payments,
	}, nil
}

// lineJSON is a row of quote_line as JSON, by the names of its columns.
type lineJSON struct {
	Position    int             `json:"position"`
	LineID      int64           `json:"line_id"`
	Kind        quote.LineKind  `json:"kind"`
	Part        bool            `json:"part"`
	Assembled   bool            `json:"assembled"`
	Stocked     bool            `json:"stocked"`
	SKU         any             `json:"sku"`
	Description string          `json:"description"`
	ControlTo   string          `json:"control_to"`
	Quantity    money.Decimal   `json:"quantity"`
	UnitPrice   *money.Decimal  `json:"unit_price"`
	Discount    money.Percent   `json:"discount"`
	TaxRate     money.Percent   `json:"tax_rate"`
	TaxName     string          `json:"tax_name"`
	List        quote.ListPrice `json:"list"`
	Override    *quote.Override `json:"override"`
	Floor       *money.Decimal  `json:"floor"`
	Cost        *money.Decimal  `json:"cost"`
	Off         money.Decimal   `json:"discount_amount"`
	Periods     int             `json:"term_periods"`
	TermUnit    quote.TermUnit  `json:"term_unit"`
	Lump        bool            `json:"lump"`
	Replaces    int64           `json:"replaces"`
	Promise     *string         `json:"promise"`
	Config      string          `json:"config"`
}

// insertLines writes all lines in one statement.
func insertLines(ctx context.Context, tx pgx.Tx, revisionID int64, lines []quote.Line) error {
	rows := make([]lineJSON, len(lines))
	for i, l := range lines {
		rows[i] = lineJSON{Position: i, LineID: l.ID, Kind: l.Kind, Part: l.Part, Assembled: l.Assembled, Stocked: l.Stocked,
			SKU: orNull(l.SKU), Description: l.Description, ControlTo: l.ControlTo, Quantity: l.Quantity, UnitPrice: l.UnitPrice,
			Discount: l.Discount, TaxRate: l.TaxRate, TaxName: l.TaxName, List: l.List, Override: l.Override, Floor: l.Floor, Cost: l.Cost,
			Off: l.Off, Periods: l.Term.Periods, TermUnit: l.Term.Unit, Lump: l.Lump, Replaces: l.Replaces, Config: l.Config}
		if !l.Promise.IsZero() {
			day := l.Promise.Format(time.DateOnly)
			rows[i].Promise = &day
		}
	}
	encoded, err := json.Marshal(rows)
	if err != nil {
		return fmt.Errorf("encode lines: %w", err)
	}
	if _, err := tx.Exec(ctx, sqlInsertLines, pgx.NamedArgs{"revision_id": revisionID, "lines": encoded}); err != nil {
		return fmt.Errorf("insert lines: %w", err)
	}
	return nil
}
