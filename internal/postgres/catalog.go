package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/catalog"
)

// sqlListing finds the page of a list and all its counts in one statement. hit holds what
// matches the search, with one flag a facet; a facet counts what the other facets leave. The
// order is total, so the rows are numbered and a page begins after the number of its edge.
// Unknown values come last in every order; US dollars come before other currencies, and
// what is bought before what is rented.
const sqlListing = `
WITH hit AS MATERIALIZED (
    SELECT s.code, s.kind, s.family, s.vendor, s.form_factor, s.launch, m.memory_gb, m.price,
           (m.price_unit = 'per_gpu_hour')::int * 2 + (m.price_currency <> 'USD')::int AS price_class,
           coalesce(l.name, s.name) AS shown_name, coalesce(en.name, s.name) AS english_name,
           cardinality(@kinds::text[]) = 0 OR s.kind = ANY(@kinds::text[]) AS in_kind,
           cardinality(@families::text[]) = 0 OR s.family = ANY(@families::text[]) AS in_family,
           cardinality(@vendors::text[]) = 0 OR s.vendor = ANY(@vendors::text[]) AS in_vendor,
           cardinality(@forms::text[]) = 0 OR s.form_factor = ANY(@forms::text[]) AS in_form,
           @with_low::boolean OR s.confidence <> 'low' AS shown
    FROM sku AS s
    JOIN sku_summary AS m ON m.sku = s.code
    LEFT JOIN sku_name AS l ON l.sku = s.code AND l.lang = @lang::text
    LEFT JOIN sku_name AS en ON en.sku = s.code AND en.lang = 'en'
    WHERE NOT EXISTS (SELECT FROM unnest(@terms::text[]) AS t(term) WHERE strpos(m.search, t.term) = 0)
), numbered AS (
    SELECT h.code, row_number() OVER (ORDER BY
        CASE
            WHEN @sort::text IN ('price_asc', 'price_desc') THEN coalesce(h.price_class, 9)
            WHEN @sort::text IN ('memory_asc', 'memory_desc') THEN (h.memory_gb IS NULL)::int
            WHEN @sort::text = 'launch_desc' THEN (h.launch IS NULL)::int
            ELSE 0 END,
        CASE @sort::text
            WHEN 'price_asc' THEN h.price
            WHEN 'price_desc' THEN -h.price
            WHEN 'memory_asc' THEN h.memory_gb
            WHEN 'memory_desc' THEN -h.memory_gb
            WHEN 'launch_desc' THEN DATE '2000-01-01' - h.launch END,
        CASE WHEN @lang::text = 'zh-Hans' THEN h.shown_name END COLLATE "zh-Hans-x-icu",
        CASE WHEN @lang::text = 'zh-Hant' THEN h.shown_name END COLLATE "zh-Hant-x-icu",
        h.english_name COLLATE "en-x-icu",
        h.code)::int AS place
    FROM hit AS h
    WHERE h.shown AND h.in_kind AND h.in_family AND h.in_vendor AND h.in_form
), edge AS (
    SELECT coalesce((SELECT place FROM numbered WHERE code = @after::text), 0) AS after,
           (SELECT place FROM numbered WHERE code = @before::text) AS before
), page AS (
    SELECT n.code, n.place
    FROM numbered AS n, edge AS e
    WHERE CASE WHEN e.before IS NULL
        THEN n.place > e.after AND n.place <= e.after + @limit::int
        ELSE n.place < e.before AND n.place >= e.before - @limit::int END
), facet AS (
    SELECT 'kind' AS facet, kind AS value, count(*) AS n FROM hit WHERE shown AND in_family AND in_vendor AND in_form GROUP BY kind
    UNION ALL
    SELECT 'family', family, count(*) FROM hit WHERE shown AND in_kind AND in_vendor AND in_form GROUP BY family
    UNION ALL
    SELECT 'vendor', vendor, count(*) FROM hit WHERE shown AND in_kind AND in_family AND in_form GROUP BY vendor
    UNION ALL
    SELECT 'form', form_factor, count(*) FROM hit WHERE shown AND in_kind AND in_family AND in_vendor GROUP BY form_factor
)
SELECT coalesce((SELECT array_agg(code ORDER BY place) FROM page), '{}') AS codes,
       coalesce((SELECT min(place) FROM page), 0) AS first,
       (SELECT count(*)::int FROM numbered) AS total,
       (SELECT count(*)::int FROM hit WHERE NOT shown AND in_kind AND in_family AND in_vendor AND in_form) AS hidden,
       (SELECT coalesce(jsonb_agg(jsonb_build_object('facet', facet, 'value', value, 'count', n) ORDER BY facet, n DESC, value), '[]')
        FROM facet) AS facets`

// listingRow is the answer of sqlListing.
type listingRow struct {
	Codes  []string
	First  int
	Total  int
	Hidden int
	Facets []facetCount
}

type facetCount struct {
	Facet string `json:"facet"`
	Value string `json:"value"`
	Count int    `json:"count"`
}

// SKUs returns one page of the catalogue list with the counts of its facets.
func (db *DB) SKUs(ctx context.Context, f catalog.Filter) (catalog.Listing, error) {
	var out catalog.Listing
	err := db.snapshot(ctx, func(tx pgx.Tx) error {
		rows, err := tx.Query(ctx, sqlListing, pgx.NamedArgs{
			"terms": orEmpty(catalog.SearchTerms(f.Search)), "kinds": orEmpty(f.Kinds), "families": orEmpty(f.Families),
			"vendors": orEmpty(f.Vendors), "forms": orEmpty(f.FormFactors), "with_low": f.WithLow, "sort": string(f.Sort),
			"lang": f.Lang, "after": f.After, "before": f.Before, "limit": f.Limit,
		})
		if err != nil {
			return err
		}
		l, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[listingRow])
		if err != nil {
			return err
		}
		out = catalog.Listing{First: l.First, Total: l.Total, Hidden: l.Hidden}
		for _, c := range l.Facets {
			out.Facets = append(out.Facets, catalog.FacetCount(c))
		}
		byCode, err := rowsOf(ctx, tx, l.Codes)
		for _, code := range l.Codes {
			out.Rows = append(out.Rows, byCode[code])
		}
		return err
	})
	if err != nil {
		return catalog.Listing{}, fmt.Errorf("list SKUs: %w", err)
	}
	return out, nil
}

const sqlRows = `
SELECT s.code, s.kind, s.family, s.name, s.vendor, s.form_factor, s.gpus, s.gpu_sku, s.launch, s.status, s.description,
       s.source_id, s.source_detail, s.also_source_ids, s.confidence,
       en.name AS name_en, hans.name AS name_hans, hant.name AS name_hant,
       m.memory_gb, m.memory_type, m.bandwidth_gbs, m.power_w, m.derived, m.conflicts,
       m.price, m.price_currency, m.price_unit, m.price_kind, m.price_day, m.price_source_id
FROM sku AS s
JOIN sku_summary AS m ON m.sku = s.code
LEFT JOIN sku_name AS en ON en.sku = s.code AND en.lang = 'en'
LEFT JOIN sku_name AS hans ON hans.sku = s.code AND hans.lang = 'zh-Hans'
LEFT JOIN sku_name AS hant ON hant.sku = s.code AND hant.lang = 'zh-Hant'
WHERE s.code = ANY(@codes::text[])
ORDER BY s.code`

// rowRow is a SKU with its summary.
type rowRow struct {
	skuRow
	summaryRow
}

func (r rowRow) domain() catalog.Row {
	return catalog.Row{SKU: r.skuRow.domain(), Summary: r.summaryRow.domain(r.Code)}
}

// SKURows returns the rows of the codes, in their order; unknown codes are left out.
func (db *DB) SKURows(ctx context.Context, codes []string) ([]catalog.Row, error) {
	byCode, err := rowsOf(ctx, db.pool, orEmpty(codes))
	if err != nil {
		return nil, interpretError(err)
	}
	var out []catalog.Row
	for _, code := range codes {
		if row, ok := byCode[code]; ok {
			out = append(out, row)
		}
	}
	return out, nil
}

// rowsOf returns the rows of a list by code.
func rowsOf(ctx context.Context, q querier, codes []string) (map[string]catalog.Row, error) {
	found, err := collect[rowRow](ctx, q, sqlRows, pgx.NamedArgs{"codes": codes})
	if err != nil {
		return nil, fmt.Errorf("read rows: %w", err)
	}
	out := make(map[string]catalog.Row, len(found))
	for _, r := range found {
		out[r.SKU.Code] = r
	}
	return out, nil
}
