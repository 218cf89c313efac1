package postgres

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/money"
	"rackwright/internal/quote"
)

const (
	sqlQuotes = `
		SELECT q.id, coalesce(q.number, '') AS number, r.number AS revision, r.title,
		       CASE WHEN r.state = 'sent' AND r.expires_at <= @now THEN 'expired' ELSE r.state END AS state,
		       coalesce(r.customer_id, 0) AS customer_id, r.customer_name, r.customer ->> 'country' AS country,
		       q.owner_id, u.display_name AS owner, r.currency, coalesce(r.agreed_total, r.total) AS total, r.day, coalesce(r.extended_to, r.valid_until) AS valid_until, q.changed_at
		FROM quote q
		JOIN quote_revision r ON r.quote_id = q.id AND r.number = q.revision
		JOIN app_user u ON u.id = q.owner_id
		WHERE (@states::text[] IS NULL OR r.state = ANY(@states::text[]))
		  AND (r.state <> 'sent' OR (@with_sent AND r.expires_at > @now) OR (@with_expired AND r.expires_at <= @now))
		  AND (@owner::bigint = 0 OR q.owner_id = @owner)
		  AND (@customer::bigint = 0 OR r.customer_id = @customer)
		  AND (@last_day::date IS NULL OR (r.state = 'sent' AND r.expires_at > @now AND coalesce(r.extended_to, r.valid_until) <= @last_day::date))
		  AND (@pattern::text = '' OR q.number ILIKE @pattern OR r.title ILIKE @pattern OR r.customer_name ILIKE @pattern)
		  AND (@before_at::timestamptz IS NULL OR (q.changed_at, q.id) < (@before_at::timestamptz, @before_id::bigint))
		ORDER BY q.changed_at DESC, q.id DESC
		LIMIT @max`
	sqlQuoteCounts = `
		SELECT CASE WHEN r.state = 'sent' AND r.expires_at <= @now THEN 'expired' ELSE r.state END AS state, count(*)::int AS n
		FROM quote q
		JOIN quote_revision r ON r.quote_id = q.id AND r.number = q.revision
		WHERE (@owner::bigint = 0 OR q.owner_id = @owner)
		  AND (@customer::bigint = 0 OR r.customer_id = @customer)
		  AND (@pattern::text = '' OR q.number ILIKE @pattern OR r.title ILIKE @pattern OR r.customer_name ILIKE @pattern)
		GROUP BY 1`
)

type summaryOfQuoteRow struct {
	ID           int64
	Number       string
	Revision     int
	Title        string
	State        string
	CustomerID   int64
	CustomerName string
	Country      *string
	OwnerID      int64
	Owner        string
	Currency     string
	Total        *money.Decimal
	Day          time.Time
	ValidUntil   time.Time
	ChangedAt    time.Time
}

func (r summaryOfQuoteRow) domain() quote.Summary {
	s := quote.Summary{ID: r.ID, Number: r.Number, Revision: r.Revision, Title: r.Title, State: quote.State(r.State),
		CustomerID: r.CustomerID, Customer: r.CustomerName, Country: value(r.Country), OwnerID: r.OwnerID, Owner: r.Owner,
		Currency: money.Currency(r.Currency), Day: r.Day, ValidTo: r.ValidUntil, ChangedAt: r.ChangedAt}
	if r.Total != nil {
		total := r.Total.Round(s.Currency.Decimals())
		s.Total = &total
	}
	return s
}

type stateCountRow struct {
	State string
	N     int
}

const (
	defaultPage = 50
	largestPage = 200
)

// Quotes returns a page of quotes by their newest revision, the newest change first.
func (db *DB) Quotes(ctx context.Context, f quote.Filter) (quote.List, error) {
	limit := f.Limit
	if limit <= 0 {
		limit = defaultPage
	}
	limit = min(limit, largestPage)
	var list quote.List
	err := db.snapshot(ctx, func(tx pgx.Tx) error {
		args, err := db.listArgs(ctx, tx, f)
		if err != nil {
			return err
		}
		args["max"] = limit + 1
		list.Rows, err = collect[summaryOfQuoteRow](ctx, tx, sqlQuotes, args)
		return err
	})
	if len(list.Rows) > limit {
		list.Rows = list.Rows[:limit]
		last := list.Rows[limit-1]
		list.Next = &quote.Cursor{At: last.ChangedAt, ID: last.ID}
	}
	return list, err
}

// QuoteCounts returns how many quotes stand in each state; of the filter owner, customer and search count.
func (db *DB) QuoteCounts(ctx context.Context, f quote.Filter) (map[quote.State]int, error) {
	counts := map[quote.State]int{}
	err := db.snapshot(ctx, func(tx pgx.Tx) error {
		args, err := db.listArgs(ctx, tx, f)
		if err != nil {
			return err
		}
		rows, err := tx.Query(ctx, sqlQuoteCounts, args)
		if err != nil {
			return fmt.Errorf("count quotes: %w", err)
		}
		found, err := pgx.CollectRows(rows, pgx.RowToStructByName[stateCountRow])
		for _, r := range found {
			counts[quote.State(r.State)] = r.N
		}
		return err
	})
	return counts, err
}

func (db *DB) listArgs(ctx context.Context, q querier, f quote.Filter) (pgx.NamedArgs, error) {
	s, err := quoteSettings(ctx, q)
	if err != nil {
		return nil, err
	}
	today := quote.Day(db.now(), s.Zone)
	args := pgx.NamedArgs{"now": db.now(), "owner": f.OwnerID, "customer": f.CustomerID, "pattern": likePattern(f.Search),
		"before_at": dateOrNull(f.Before.At), "before_id": f.Before.ID, "last_day": (*time.Time)(nil)}
	if f.Expiring > 0 {
		args["last_day"] = today.AddDate(0, 0, f.Expiring)
	}
	// Expired is a sent revision by time. Asking for stored states lets the planner know how many rows to expect.
	var states []string
	for _, state := range f.States {
		if state == quote.Expired {
			state = quote.Sent
		}
		states = append(states, string(state))
	}
	args["with_sent"] = len(f.States) == 0 || slices.Contains(f.States, quote.Sent)
	args["with_expired"] = len(f.States) == 0 || slices.Contains(f.States, quote.Expired)
	args["states"] = states
	return args, nil
}

// likePattern returns a pattern that finds the text anywhere, "" for no text. Its own wildcards are taken literally.
func likePattern(text string) string {
	text = strings.TrimSpace(text)
	if text == "" {
		return ""
	}
	return "%" + strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`).Replace(text) + "%"
}
