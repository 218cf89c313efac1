package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/catalog"
	"rackwright/internal/company"
	"rackwright/internal/inventory"
	"rackwright/internal/money"
	"rackwright/internal/quote"
)

// settingsOf returns what the rules of quotes need of the company's profile.
func settingsOf(p company.Profile) quote.Settings {
	return quote.Settings{
		Currency: p.Currency, Zone: p.Location(), Prefix: p.QuotePrefix, ValidityDays: p.ValidityDays,
		MaxDiscount: p.DiscountLimit, TargetMargin: p.TargetMargin, ReservationDays: p.ReservationDays,
		Missing: p.Missing(),
	}
}

// quoteSettings reads the settings within whatever transaction q is.
func quoteSettings(ctx context.Context, q querier) (quote.Settings, error) {
	p, err := companyProfile(ctx, q)
	if err != nil {
		return quote.Settings{}, err
	}
	return settingsOf(p), nil
}

// QuoteSettings returns the company's settings that quotes follow, for a new quote (quote.NewContent).
func (db *DB) QuoteSettings(ctx context.Context) (quote.Settings, error) {
	s, err := quoteSettings(ctx, db.pool)
	return s, interpretError(err)
}

const (
	sqlQuoteProducts = `
		SELECT s.code, s.kind, s.form_factor, s.name, coalesce(c.control_group, '') AS control_group,
		       coalesce((SELECT jsonb_object_agg(n.lang, n.name) FROM sku_name n WHERE n.sku = s.code), '{}') AS names,
		       coalesce((SELECT jsonb_agg(jsonb_build_object('SKU', p.child, 'Quantity', p.quantity) ORDER BY p.role, p.child)
		                 FROM sku_component p WHERE p.parent = s.code AND p.confidence <> 'low'), '[]') AS parts
		FROM sku s LEFT JOIN control_class c ON c.sku = s.code
		WHERE s.code = ANY(@codes::text[])`
	sqlQuoteItems = `
		SELECT id, list_id, sku, min_qty, price, valid_from, valid_to FROM price_list_item
		WHERE sku = ANY(@codes::text[])
		ORDER BY id`
	sqlQuoteLimits = `
		SELECT sku, currency, floor, cost, version FROM price_floor WHERE sku = ANY(@codes::text[])`
	sqlRatesBetween = `
		SELECT base, quote, day, rate, source FROM fx_rate WHERE day BETWEEN @from AND @to`
)

type quoteProductRow struct {
	Code         string
	Kind         string
	FormFactor   string
	Name         string
	ControlGroup string
	Names        []byte
	Parts        []byte
}

func (r quoteProductRow) product() (quote.Product, error) {
	p := quote.Product{Control: r.ControlGroup, Stocked: inventory.Stocked(catalog.Kind(r.Kind), r.FormFactor)}
	if err := json.Unmarshal(r.Names, &p.Names); err != nil {
		return p, fmt.Errorf("names of %s: %w", r.Code, err)
	}
	if p.Names["en"] == "" {
		p.Names["en"] = r.Name
	}
	if err := json.Unmarshal(r.Parts, &p.Parts); err != nil {
		return p, fmt.Errorf("parts of %s: %w", r.Code, err)
	}
	return p, nil
}

// readBook reads everything that prices and facts of the content's lines are taken from: its SKUs, the parts
// of those, and the rates of the days that count.
func readBook(ctx context.Context, q querier, c quote.Content, currency money.Currency) (quote.Book, error) {
	b := quote.Book{Company: currency, Items: map[string][]quote.PriceItem{},
		Products: map[string]quote.Product{}}
	codes := codesOf(c)
	parts, err := readProducts(ctx, q, codes, b.Products)
	if err != nil {
		return b, err
	}
	if _, err := readProducts(ctx, q, parts, b.Products); err != nil {
		return b, err
	}
	args := pgx.NamedArgs{"codes": slices.Concat(codes, parts, []string{})}
	if b.Lists, err = collect[priceListRow](ctx, q, sqlPriceLists, nil); err != nil {
		return b, fmt.Errorf("price lists: %w", err)
	}
	items, err := collect[priceItemRow](ctx, q, sqlQuoteItems, args)
	if err != nil {
		return b, fmt.Errorf("price items: %w", err)
	}
	for _, i := range items {
		b.Items[i.SKU] = append(b.Items[i.SKU], i)
	}
	if b.Limits, err = readLimits(ctx, q, slices.Concat(codes, parts)); err != nil {
		return b, err
	}
	b.Rates, err = ratesFor(ctx, q, c.Day)
	return b, err
}

// codesOf returns the SKUs of the lines.
func codesOf(c quote.Content) []string {
	var codes []string
	for _, l := range c.Lines {
		if l.SKU != "" {
			codes = append(codes, quote.NormalSKU(l.SKU))
		}
	}
	return codes
}

// readLimits returns floor prices and costs by SKU.
func readLimits(ctx context.Context, q querier, codes []string) (map[string]quote.Limit, error) {
	found, err := collect[limitRow](ctx, q, sqlQuoteLimits, pgx.NamedArgs{"codes": orEmpty(codes)})
	if err != nil {
		return nil, fmt.Errorf("floors: %w", err)
	}
	limits := make(map[string]quote.Limit, len(found))
	for _, l := range found {
		limits[l.SKU] = l
	}
	return limits, nil
}

// readProducts adds the products of the codes, and returns the codes of their parts.
func readProducts(ctx context.Context, q querier, codes []string, into map[string]quote.Product) ([]string, error) {
	if len(codes) == 0 {
		return nil, nil
	}
	rows, err := q.Query(ctx, sqlQuoteProducts, pgx.NamedArgs{"codes": codes})
	if err != nil {
		return nil, fmt.Errorf("products: %w", err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByName[quoteProductRow])
	if err != nil {
		return nil, fmt.Errorf("products: %w", err)
	}
	var parts []string
	for _, r := range found {
		p, err := r.product()
		if err != nil {
			return nil, err
		}
		into[r.Code] = p
		for _, part := range p.Parts {
			if _, known := into[part.SKU]; !known {
				parts = append(parts, part.SKU)
			}
		}
	}
	return parts, nil
}

// ratesFor returns the exchange rates that may count on a day.
func ratesFor(ctx context.Context, q querier, day time.Time) ([]quote.Rate, error) {
	rates, err := collect[rateRow](ctx, q, sqlRatesBetween, pgx.NamedArgs{"from": day.AddDate(0, 0, -quote.RateDays), "to": day})
	if err != nil {
		return nil, fmt.Errorf("exchange rates: %w", err)
	}
	return rates, nil
}
