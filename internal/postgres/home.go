package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/catalog"
	"rackwright/internal/quote"
)

// What the first page asks for besides the stores of the nouns.
//
//	QuotesToDecide(ctx, user int64, kinds []quote.BlockerKind, limit int) ([]quote.Pending, error)
//	OpenShortages(ctx, limit int) ([]quote.OpenShortage, error)
//	AgedPrices(ctx, limit int) ([]quote.AgedPrices, error)
//	CatalogueCounts(ctx) (catalog.Counts, error)

const (
	// Nobody decides on what they own or asked for (R13).
	sqlQuotesToDecide = `
		SELECT q.id, coalesce(q.number, '') AS number, r.number AS revision, r.title, r.state,
		       coalesce(r.customer_id, 0) AS customer_id, r.customer_name, r.customer ->> 'country' AS country,
		       q.owner_id, u.display_name AS owner, r.currency, coalesce(r.agreed_total, r.total) AS total, r.day, coalesce(r.extended_to, r.valid_until) AS valid_until, q.changed_at,
		       a.kinds, a.asked_at
		FROM quote q
		JOIN quote_revision r ON r.quote_id = q.id AND r.number = q.revision
		JOIN app_user u ON u.id = q.owner_id
		JOIN LATERAL (
			SELECT array_agg(kind ORDER BY id) AS kinds, min(asked_at) AS asked_at FROM approval
			WHERE revision_id = r.id AND NOT void AND decided_at IS NULL AND asked_by <> @user::bigint AND kind = ANY(@kinds::text[])
		) a ON a.kinds IS NOT NULL
		WHERE r.state = 'awaiting_approval' AND q.owner_id <> @user::bigint
		ORDER BY a.asked_at, q.id
		LIMIT @max`
	sqlOpenShortages = `
		SELECT q.id AS quote_id, coalesce(q.number, '') AS number, r.customer_name, r.decided_at AS accepted_at,
		       array_agg(s.sku ORDER BY s.sku) AS skus, array_agg(s.quantity ORDER BY s.sku) AS quantities
		FROM quote_shortage s
		JOIN quote_revision r ON r.id = s.revision_id
		JOIN quote q ON q.id = r.quote_id
		WHERE r.state = 'accepted'
		GROUP BY q.id, r.id
		ORDER BY r.decided_at, q.id
		LIMIT @max`
	sqlAgedPrices = `
		SELECT l.id AS list_id, l.name AS list, count(*)::int AS items, min(i.valid_from) AS oldest
		FROM price_list_item i
		JOIN price_list l ON l.id = i.list_id
		WHERE i.valid_from < @before::date AND (i.valid_to IS NULL OR i.valid_to >= @today::date)
		GROUP BY l.id
		ORDER BY oldest, l.id
		LIMIT @max`
	sqlCatalogueCounts = `
		SELECT (SELECT count(*) FROM sku WHERE confidence <> 'low')::int AS skus,
		       (SELECT count(*) FROM spec_claim)::int AS figures,
		       (SELECT count(*) FROM source)::int AS sources`
)

type pendingRow struct {
	summaryOfQuoteRow
	Kinds   []string
	AskedAt time.Time
}

func (r pendingRow) domain() quote.Pending {
	p := quote.Pending{Summary: r.summaryOfQuoteRow.domain(), AskedAt: r.AskedAt}
	for _, k := range r.Kinds {
		p.Kinds = append(p.Kinds, quote.BlockerKind(k))
	}
	return p
}

// QuotesToDecide returns the quotes with an open exception of one of the kinds on which the user may decide, those that
// have waited longest first.
func (db *DB) QuotesToDecide(ctx context.Context, user int64, kinds []quote.BlockerKind, limit int) ([]quote.Pending, error) {
	names := make([]string, len(kinds))
	for i, k := range kinds {
		names[i] = string(k)
	}
	out, err := collect[pendingRow](ctx, db.pool, sqlQuotesToDecide, pgx.NamedArgs{"user": user, "kinds": names, "max": limit})
	return out, interpretError(err)
}

type openShortageRow struct {
	QuoteID      int64
	Number       string
	CustomerName string
	AcceptedAt   time.Time
	SKUs         []string
	Quantities   []int64
}

func (r openShortageRow) domain() quote.OpenShortage {
	s := quote.OpenShortage{QuoteID: r.QuoteID, Number: r.Number, Customer: r.CustomerName, AcceptedAt: r.AcceptedAt}
	for i, sku := range r.SKUs {
		s.Shortages = append(s.Shortages, quote.Shortage{SKU: sku, Quantity: r.Quantities[i]})
	}
	return s
}

// OpenShortages returns the accepted quotes for which stock was short, the oldest acceptance first.
func (db *DB) OpenShortages(ctx context.Context, limit int) ([]quote.OpenShortage, error) {
	out, err := collect[openShortageRow](ctx, db.pool, sqlOpenShortages, pgx.NamedArgs{"max": limit})
	return out, interpretError(err)
}

type agedPricesRow struct {
	ListID int64
	List   string
	Items  int
	Oldest time.Time
}

func (r agedPricesRow) domain() quote.AgedPrices { return quote.AgedPrices(r) }

// AgedPrices counts the own prices that hold today and are older than quote.StaleDays, by list, the oldest first.
func (db *DB) AgedPrices(ctx context.Context, limit int) ([]quote.AgedPrices, error) {
	settings, err := quoteSettings(ctx, db.pool)
	if err != nil {
		return nil, interpretError(err)
	}
	today := quote.Day(db.now(), settings.Zone)
	args := pgx.NamedArgs{"today": today, "before": today.AddDate(0, 0, -quote.StaleDays), "max": limit}
	out, err := collect[agedPricesRow](ctx, db.pool, sqlAgedPrices, args)
	return out, interpretError(err)
}

type countsRow struct {
	SKUs    int
	Figures int
	Sources int
}

// CatalogueCounts returns how much the catalogue holds.
func (db *DB) CatalogueCounts(ctx context.Context) (catalog.Counts, error) {
	rows, err := db.pool.Query(ctx, sqlCatalogueCounts)
	if err != nil {
		return catalog.Counts{}, interpretError(fmt.Errorf("count the catalogue: %w", err))
	}
	r, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[countsRow])
	return catalog.Counts(r), interpretError(err)
}
