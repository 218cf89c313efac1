package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/apperr"
	"rackwright/internal/company"
	"rackwright/internal/money"
	"rackwright/internal/quote"
)

const (
	// The row stays locked until the send commits, so numbers are consecutive and a rolled-back one is used again.
	sqlNextNumber = `
		INSERT INTO number_counter (prefix, year, last) VALUES (@prefix, @year, 1)
		ON CONFLICT (prefix, year) DO UPDATE SET last = number_counter.last + 1
		RETURNING last`
	sqlPeekNumber = `SELECT coalesce((SELECT last FROM number_counter WHERE prefix = @prefix AND year = @year), 0)`
	sqlSetNumber  = `UPDATE quote SET number = @number WHERE id = @id`
	sqlFreeze     = `
		UPDATE quote_revision SET state = 'sent', sent_at = @now, expires_at = @expires_at, company = @company, rate = @rate
		WHERE id = @revision_id`
	sqlStoreLimits = `
		UPDATE quote_line l SET floor = n.floor, cost = n.cost
		FROM jsonb_to_recordset(@limits::jsonb) AS n (line_id bigint, floor numeric, cost numeric)
		WHERE l.revision_id = @revision_id AND l.line_id = n.line_id
		  AND (l.floor, l.cost) IS DISTINCT FROM (n.floor, n.cost)`
	sqlSetState       = `UPDATE quote_revision SET state = @state WHERE id = @revision_id`
	sqlInsertDocument = `
		INSERT INTO quote_document (revision_id, sha256, bytes, created_at) VALUES (@revision_id, @sha256, @bytes, @now)`
	sqlDocument = `
		SELECT coalesce(q.number, '') AS number, r.number AS revision, d.sha256, d.bytes
		FROM quote_document d JOIN quote_revision r ON r.id = d.revision_id JOIN quote q ON q.id = r.quote_id
		WHERE r.quote_id = @id AND r.number = @number`
)

// QuoteBlockers lists what is open before the newest revision can be sent.
func (db *DB) QuoteBlockers(ctx context.Context, id int64) ([]quote.Blocker, error) {
	var blockers []quote.Blocker
	err := db.snapshot(ctx, func(tx pgx.Tx) error {
		q, err := readQuote(ctx, tx, id, 0)
		if err != nil {
			return err
		}
		p, err := companyProfile(ctx, tx)
		if err != nil {
			return err
		}
		facts, err := db.sendFacts(ctx, tx, &q, settingsOf(p))
		blockers = quote.SendBlockers(q.Revision.Content, q.Revision.Totals, facts)
		return err
	})
	return blockers, err
}

// sendFacts gathers what decides about sending. The exchange rate is that of today: it is fixed on sending. So are floor
// prices and costs, which of gets as they are now.
func (db *DB) sendFacts(ctx context.Context, q querier, of *quote.Quote, s quote.Settings) (quote.Facts, error) {
	facts := quote.Facts{Now: db.now(), State: of.Revision.State, Settings: s}
	var err error
	if facts.Rules, err = collect[destinationRow](ctx, q, sqlDestinations, nil); err != nil {
		return facts, fmt.Errorf("export rules: %w", err)
	}
	today := quote.Day(facts.Now, s.Zone)
	rates, err := ratesFor(ctx, q, today)
	if err != nil {
		return facts, err
	}
	if rate, ok := quote.FindRate(rates, of.Revision.Content.Currency, s.Currency, today); ok {
		facts.Rate = &rate
	}
	limits, err := readLimits(ctx, q, codesOf(of.Revision.Content))
	if err != nil {
		return facts, err
	}
	of.Revision.Content, facts.NoLimit = quote.Book{Limits: limits, Rates: rates}.Limited(of.Revision.Content, today)
	return facts, nil
}

// storeLimits stores floor prices and costs of a draft's lines.
func storeLimits(ctx context.Context, tx pgx.Tx, r quote.Revision) error {
	type limit struct {
		ID    int64          `json:"line_id"`
		Floor *money.Decimal `json:"floor"`
		Cost  *money.Decimal `json:"cost"`
	}
	limits := make([]limit, len(r.Content.Lines))
	for i, l := range r.Content.Lines {
		limits[i] = limit{l.ID, l.Floor, l.Cost}
	}
	encoded, err := json.Marshal(limits)
	if err != nil {
		return fmt.Errorf("encode limits: %w", err)
	}
	if _, err := tx.Exec(ctx, sqlStoreLimits, pgx.NamedArgs{"revision_id": r.ID, "limits": encoded}); err != nil {
		return fmt.Errorf("store limits of revision %d: %w", r.ID, err)
	}
	return nil
}

// NextNumber returns the number that a quote would get if it were sent now. It is not reserved.
func (db *DB) NextNumber(ctx context.Context) (string, error) {
	s, err := quoteSettings(ctx, db.pool)
	if err != nil {
		return "", interpretError(err)
	}
	year := quote.Day(db.now(), s.Zone).Year()
	var last int
	if err := db.pool.QueryRow(ctx, sqlPeekNumber, pgx.NamedArgs{"prefix": s.Prefix, "year": year}).Scan(&last); err != nil {
		return "", interpretError(err)
	}
	return quote.FormatNumber(s.Prefix, year, last+1), nil
}

// SendQuote sends the newest revision: it gets the number on the first send, is frozen with the company's profile,
// the exchange rate and the PDF that d.Render makes, older sent revisions are superseded, and the customer's link is
// made. All of it happens or none of it.
func (db *DB) SendQuote(ctx context.Context, d quote.Dispatch) (quote.Dispatched, error) {
	if d.Mail != nil {
		if err := d.Mail.Validate(); err != nil {
			return quote.Dispatched{}, err
		}
	}
	var result quote.Dispatched
	var token string
	err := db.changeQuote(ctx, "quote.send", step(d.QuoteID, d.Version, d.Key), &result, func(ctx context.Context, tx pgx.Tx, q quote.Quote) error {
		next, err := quote.Next(q.Revision.State, quote.Send)
		if err != nil {
			return err
		}
		profile, err := companyProfile(ctx, tx)
		if err != nil {
			return err
		}
		settings := settingsOf(profile)
		facts, err := db.sendFacts(ctx, tx, &q, settings)
		if err != nil {
			return err
		}
		if blockers := quote.SendBlockers(q.Revision.Content, q.Revision.Totals, facts); quote.Blocks(blockers) {
			return apperr.New(apperr.Conflict, "quote.blocked")
		}
		if err := db.supersedeSent(ctx, tx, q, d.Actor); err != nil {
			return err
		}
		if q.Number == "" {
			if q.Number, err = db.assignNumber(ctx, tx, q.ID, settings); err != nil {
				return err
			}
		}
		if err := storeLimits(ctx, tx, q.Revision); err != nil {
			return err
		}
		q.Revision.State, q.Revision.SentAt = next, db.now()
		if err := db.freeze(ctx, tx, &q, profile, facts.Rate, d.Render); err != nil {
			return err
		}
		if token, err = db.insertLink(ctx, tx, q.Revision, d.Actor, settings); err != nil {
			return err
		}
		result = quote.Dispatched{Number: q.Number, Revision: q.Revision.Number}
		sentEntry := entry{quote: q.ID, revision: q.Revision.Number, kind: quote.Send, actor: d.Actor, data: map[string]string{
			"number": q.Number, "total": q.Revision.Totals.Total.String(), "currency": string(q.Revision.Content.Currency),
			"sha256": q.Revision.Frozen.PDFSHA256}}
		if err := db.record(ctx, tx, sentEntry); err != nil || d.Mail == nil {
			return err
		}
		return db.mailRevision(ctx, tx, q, q.Revision, *d.Mail, d.Actor, d.BaseURL, token)
	})
	result.Token = token // not stored with the key: a replay has none
	return result, err
}

// assignNumber takes the next number of the company's prefix and year.
func (db *DB) assignNumber(ctx context.Context, tx pgx.Tx, id int64, s quote.Settings) (string, error) {
	year := quote.Day(db.now(), s.Zone).Year()
	var n int
	if err := tx.QueryRow(ctx, sqlNextNumber, pgx.NamedArgs{"prefix": s.Prefix, "year": year}).Scan(&n); err != nil {
		return "", fmt.Errorf("next number: %w", err)
	}
	number := quote.FormatNumber(s.Prefix, year, n)
	if _, err := tx.Exec(ctx, sqlSetNumber, pgx.NamedArgs{"id": id, "number": number}); err != nil {
		return "", fmt.Errorf("set number: %w", err)
	}
	return number, nil
}

// freeze makes the document of a revision and stores both for good.
func (db *DB) freeze(ctx context.Context, tx pgx.Tx, q *quote.Quote, p company.Profile, rate *quote.Rate, render func(quote.Quote) ([]byte, error)) error {
	companyJSON, err := json.Marshal(p)
	if err != nil {
		return fmt.Errorf("encode profile: %w", err)
	}
	q.Revision.Frozen.Company, q.Revision.ExpiresAt = companyJSON, quote.EndOfDay(q.Revision.Content.ValidTo, p.Location())
	if p.Currency != q.Revision.Content.Currency {
		q.Revision.Frozen.Rate = rate
	}
	var rateJSON []byte
	if q.Revision.Frozen.Rate != nil {
		if rateJSON, err = json.Marshal(rate); err != nil {
			return fmt.Errorf("encode rate: %w", err)
		}
	}
	public := *q
	public.Revision.Content = q.Revision.Content.ForCustomer()
	pdf, err := render(public)
	if err != nil {
		return fmt.Errorf("render quote %d: %w", q.ID, err)
	}
	sum := sha256.Sum256(pdf)
	q.Revision.Frozen.PDFSHA256, q.Revision.Frozen.PDFSize = hex.EncodeToString(sum[:]), len(pdf)
	args := pgx.NamedArgs{"revision_id": q.Revision.ID, "now": q.Revision.SentAt, "expires_at": q.Revision.ExpiresAt, "company": companyJSON, "rate": rateJSON,
		"sha256": sum[:], "bytes": pdf}
	for _, sql := range []string{sqlInsertDocument, sqlFreeze} {
		if _, err := tx.Exec(ctx, sql, args); err != nil {
			return fmt.Errorf("freeze quote %d: %w", q.ID, err)
		}
	}
	return nil
}

// supersedeSent ends the offers of older revisions. What was accepted or declined stays as it is.
func (db *DB) supersedeSent(ctx context.Context, tx pgx.Tx, q quote.Quote, by quote.Actor) error {
	heads, err := collect[revisionHeadRow](ctx, tx, sqlRevisionHeads, pgx.NamedArgs{"id": q.ID})
	if err != nil {
		return fmt.Errorf("revisions: %w", err)
	}
	for _, r := range heads {
		db.expire(&r)
		if r.Number >= q.Revision.Number || (r.State != quote.Sent && r.State != quote.Expired) {
			continue
		}
		if err := db.moveRevision(ctx, tx, r, entry{quote: q.ID, kind: quote.Supersede, actor: by}); err != nil {
			return err
		}
	}
	return nil
}

// moveRevision moves a revision by an event that changes nothing but its state, and writes it into the history.
func (db *DB) moveRevision(ctx context.Context, tx pgx.Tx, r quote.Revision, e entry) error {
	next, err := quote.Next(r.State, e.kind)
	if err != nil {
		return err
	}
	if _, err := tx.Exec(ctx, sqlSetState, pgx.NamedArgs{"revision_id": r.ID, "state": string(next)}); err != nil {
		return fmt.Errorf("move revision %d: %w", r.ID, err)
	}
	if e.data == nil {
		e.data = map[string]string{}
	}
	e.revision, e.data["state_before"] = r.Number, string(r.State)
	return db.record(ctx, tx, e)
}

type documentRow struct {
	Number   string
	Revision int
	SHA256   []byte `db:"sha256"`
	Bytes    []byte
}

func (r documentRow) domain() quote.Document {
	return quote.Document{FileName: quote.FileName(r.Number, r.Revision), SHA256: hex.EncodeToString(r.SHA256), Bytes: r.Bytes}
}

// QuoteDocument returns the PDF of a sent revision, byte for byte.
func (db *DB) QuoteDocument(ctx context.Context, id int64, revision int) (quote.Document, error) {
	return db.document(ctx, db.pool, id, revision)
}

func (db *DB) document(ctx context.Context, q querier, id int64, revision int) (quote.Document, error) {
	found, err := collect[documentRow](ctx, q, sqlDocument, pgx.NamedArgs{"id": id, "number": revision})
	if err == nil && len(found) == 0 {
		err = pgx.ErrNoRows
	}
	if err != nil {
		return quote.Document{}, interpretError(fmt.Errorf("document of quote %d revision %d: %w", id, revision, err))
	}
	return found[0], nil
}
