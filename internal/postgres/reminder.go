package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/apperr"
	"rackwright/internal/money"
	"rackwright/internal/quote"
)

// A sent revision is due when today, in the company's zone, is within the days of the setting before its last day.
const sqlDueReminders = `
	SELECT q.id AS quote_id, r.id AS revision_id, q.number, r.number AS revision, r.title, r.lang, r.customer_name AS customer,
	       coalesce(r.customer->>'contact', '') AS contact, coalesce(r.customer->>'email', '') AS email, u.display_name AS owner,
	       u.email AS owner_email, u.lang AS owner_lang, coalesce(r.extended_to, r.valid_until) AS last_day, r.total, r.currency,
	       c.name AS seller, c.remind_customers AS to_customer,
	       EXISTS (SELECT FROM quote_event e WHERE e.quote_id = q.id AND e.revision = r.number AND e.kind = 'view') AS viewed
	FROM quote_revision r
	     JOIN quote q ON q.id = r.quote_id AND q.revision = r.number
	     JOIN app_user u ON u.id = q.owner_id
	     CROSS JOIN company c
	WHERE r.state = 'sent' AND r.expires_at > @now AND c.reminder_days > 0
	  AND coalesce(r.extended_to, r.valid_until) - c.reminder_days <= @today
	  AND r.sent_at < @sent_before
	ORDER BY r.id
	LIMIT 1000`

type reminderRow struct {
	QuoteID    int64
	RevisionID int64
	Number     string
	Revision   int
	Title      string
	Lang       string
	Customer   string
	Contact    string
	Email      string
	Owner      string
	OwnerEmail string
	OwnerLang  string
	LastDay    time.Time
	Total      money.Decimal
	Currency   string
	Seller     string
	ToCustomer bool
	Viewed     bool
}

func (r reminderRow) domain() quote.Reminder {
	return quote.Reminder{QuoteID: r.QuoteID, RevisionID: r.RevisionID, Number: r.Number, Revision: r.Revision, Title: r.Title, Lang: r.Lang,
		Customer: r.Customer, Contact: r.Contact, Email: r.Email, Owner: r.Owner, OwnerEmail: r.OwnerEmail, OwnerLang: r.OwnerLang,
		LastDay: r.LastDay, Total: r.Total.Round(money.Currency(r.Currency).Decimals()).String(), Currency: r.Currency, Seller: r.Seller,
		ToCustomer: r.ToCustomer, Viewed: r.Viewed}
}

// reminderRest is how long after sending nobody is reminded: an offer that is valid for two days needs no reminder in its
// first hours.
const reminderRest = 24 * time.Hour

// DueReminders returns the offers whose validity ends soon, by the company's settings. Reminders that were sent are still
// among them: their keys keep them from being sent twice.
func (db *DB) DueReminders(ctx context.Context) ([]quote.Reminder, error) {
	s, err := quoteSettings(ctx, db.pool)
	if err != nil {
		return nil, interpretError(err)
	}
	now := db.now()
	out, err := collect[reminderRow](ctx, db.pool, sqlDueReminders, pgx.NamedArgs{"now": now, "today": quote.Day(now, s.Zone),
		"sent_before": now.Add(-reminderRest)})
	return out, interpretError(err)
}

// QueueReminder stores a reminder and has it sent, once for its key, if the offer still stands.
func (db *DB) QueueReminder(ctx context.Context, r quote.Reminder, m quote.Mail, baseURL string) error {
	if err := m.Validate(); err != nil {
		return err
	}
	return db.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		q, err := db.lockQuote(ctx, tx, r.QuoteID)
		if err != nil {
			return err
		}
		rev, err := readRevision(ctx, tx, q.ID, r.Revision)
		if err != nil {
			return fmt.Errorf("revision %d: %w", r.RevisionID, err)
		}
		db.expire(&rev)
		var said bool
		if err := tx.QueryRow(ctx, sqlWasSaid, pgx.NamedArgs{"dedupe": m.Dedupe}).Scan(&said); err != nil {
			return fmt.Errorf("reminders: %w", err)
		}
		if said || rev.State != quote.Sent {
			return nil
		}
		return db.mailRevision(ctx, tx, q, rev, m, quote.Actor{}, baseURL, "")
	})
}

const sqlWasSaid = `SELECT EXISTS (SELECT FROM mail_message WHERE dedupe = @dedupe)`

const (
	sqlReminderRule    = `SELECT reminder_days AS days, remind_customers AS customers, version FROM company`
	sqlSetReminderRule = `
		UPDATE company SET reminder_days = @days, remind_customers = @customers, version = version + 1 WHERE version = @version`
)

// ReminderRule returns who is reminded of offers that end soon.
func (db *DB) ReminderRule(ctx context.Context) (quote.ReminderRule, error) {
	r, err := reminderRule(ctx, db.pool)
	return r, interpretError(err)
}

func reminderRule(ctx context.Context, q querier) (quote.ReminderRule, error) {
	rows, err := q.Query(ctx, sqlReminderRule)
	if err != nil {
		return quote.ReminderRule{}, fmt.Errorf("reminders: %w", err)
	}
	return pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[quote.ReminderRule])
}

// SetReminderRule stores who is reminded, if the profile is still at the version it was read at.
func (db *DB) SetReminderRule(ctx context.Context, actor int64, r quote.ReminderRule) error {
	return db.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		before, err := reminderRule(ctx, tx)
		if err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, sqlSetReminderRule, pgx.NamedArgs{"days": r.Days, "customers": r.Customers, "version": r.Version})
		if err != nil {
			return fmt.Errorf("save reminders: %w", err)
		}
		if tag.RowsAffected() == 0 {
			return apperr.New(apperr.Conflict, "errors.changed_meanwhile")
		}
		return db.audit(ctx, tx, change{actor: actor, action: "company.save", objectType: "company", objectID: "1", before: before, after: r})
	})
}
