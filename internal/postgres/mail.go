package postgres

import (
	"context"
	"crypto/rand"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/apperr"
	"rackwright/internal/quote"
)

const (
	sqlInsertMail = `
		INSERT INTO mail_message (kind, quote_id, revision_id, dedupe, header_id, recipients, copies, reply_to, subject, body, lang,
			link, document, created_at, created_by)
		VALUES (@kind, nullif(@quote_id::bigint, 0), nullif(@revision_id::bigint, 0), nullif(@dedupe::text, ''), @header_id, @recipients,
			@copies, @reply_to, @subject, @body, @lang, @link, @document, @now, nullif(@actor_id::bigint, 0))
		ON CONFLICT (dedupe) DO NOTHING
		RETURNING id`
	mailColumns = `
		m.id, m.kind, m.quote_id, r.number AS revision, m.recipients, m.copies, m.reply_to, m.subject, m.body, m.lang, m.document,
		m.state, m.created_at, u.display_name AS by, m.sent_at,
		coalesce((SELECT jsonb_agg(jsonb_build_object('Number', a.number, 'At', a.at, 'Error', a.error) ORDER BY a.number)
		          FROM mail_attempt a WHERE a.message_id = m.id), '[]') AS attempts`
	sqlMailOf = `
		SELECT ` + mailColumns + `
		FROM mail_message m LEFT JOIN quote_revision r ON r.id = m.revision_id LEFT JOIN app_user u ON u.id = m.created_by
		WHERE m.quote_id = @quote_id
		ORDER BY m.id DESC
		LIMIT 100`
	sqlRecentMail = `
		SELECT ` + mailColumns + `
		FROM mail_message m LEFT JOIN quote_revision r ON r.id = m.revision_id LEFT JOIN app_user u ON u.id = m.created_by
		ORDER BY m.id DESC
		LIMIT 50`
	sqlOutgoing = `
		SELECT m.id, m.kind, m.quote_id, r.number AS revision, m.recipients, m.copies, m.reply_to, m.subject, m.body, m.lang, m.link,
		       m.header_id, m.state, m.created_at, q.number, CASE WHEN m.document THEN d.bytes END AS bytes, c.name AS from_name, c.email AS from_address
		FROM mail_message m
		     CROSS JOIN company c
		     LEFT JOIN quote q ON q.id = m.quote_id
		     LEFT JOIN quote_revision r ON r.id = m.revision_id
		     LEFT JOIN quote_document d ON d.revision_id = m.revision_id
		WHERE m.id = @id`
	sqlInsertMailAttempt = `
		INSERT INTO mail_attempt (message_id, number, at, error)
		SELECT @id, coalesce(max(number), 0) + 1, @now, @error FROM mail_attempt WHERE message_id = @id`
	sqlMailDone = `
		UPDATE mail_message SET state = @state, link = '', sent_at = CASE WHEN @state = 'sent' THEN @now::timestamptz END
		WHERE id = @id AND state = 'queued'`
)

// mailArgs is the job of sending one message.
type mailArgs struct {
	MessageID int64 `json:"message_id"`
}

// Kind names the job.
func (mailArgs) Kind() string { return "mail" }

// queueMail stores a message with its job. link is the customer's link, which the message keeps until it is sent. It
// returns 0 for what was said before (Mail.Dedupe).
func (db *DB) queueMail(ctx context.Context, tx pgx.Tx, m quote.Mail, revisionID int64, by quote.Actor, link string) (int64, error) {
	args := pgx.NamedArgs{"kind": string(m.Kind), "quote_id": m.QuoteID, "revision_id": revisionID, "dedupe": m.Dedupe,
		"header_id": strings.ToLower(rand.Text()) + "@rackwright", "recipients": m.To, "copies": append([]string{}, m.Cc...),
		"reply_to": m.ReplyTo, "subject": m.Subject, "body": m.Body, "lang": m.Lang, "link": link, "document": m.Document,
		"now": db.now(), "actor_id": by.ID}
	var id int64
	err := tx.QueryRow(ctx, sqlInsertMail, args).Scan(&id)
	if err == pgx.ErrNoRows {
		return 0, nil
	}
	if err != nil {
		return 0, fmt.Errorf("store message: %w", err)
	}
	return id, enqueue(ctx, tx, mailArgs{MessageID: id})
}

// QueueTestMail stores a message that belongs to no quote and has it sent. The same key twice sends one.
func (db *DB) QueueTestMail(ctx context.Context, m quote.Mail, key string, by quote.Actor) error {
	if err := m.Validate(); err != nil {
		return err
	}
	return db.keyed(ctx, formKey{"mail.test", key, "test"}, new(struct{}), func(ctx context.Context, tx pgx.Tx) error {
		_, err := db.queueMail(ctx, tx, m, 0, by, "")
		return err
	})
}

// MailQuote sends the newest sent revision of a quote once more, with a link of its own beside those that work. baseURL
// is how customers reach us.
func (db *DB) MailQuote(ctx context.Context, s quote.Step, m quote.Mail, baseURL string) error {
	if err := m.Validate(); err != nil {
		return err
	}
	return db.changeQuote(ctx, "quote.mail", s, new(struct{}), func(ctx context.Context, tx pgx.Tx, q quote.Quote) error {
		sent, err := newestSent(ctx, tx, q)
		if err != nil {
			return err
		}
		db.expire(sent)
		if sent.State != quote.Sent && sent.State != quote.Accepted {
			return apperr.New(apperr.Conflict, "quote.refused_state", "state", apperr.Msg(sent.State.MessageID()))
		}
		return db.mailRevision(ctx, tx, q, *sent, m, s.Actor, baseURL, "")
	})
}

// mailRevision queues a message about a sent revision, and writes it into the history. Where the text has a link and
// token is empty, it makes one; a link that the program makes is its owner's.
func (db *DB) mailRevision(ctx context.Context, tx pgx.Tx, q quote.Quote, r quote.Revision, m quote.Mail, by quote.Actor, baseURL, token string) error {
	m.QuoteID = q.ID
	m.Subject = strings.ReplaceAll(m.Subject, quote.NumberMark, q.Number)
	m.Body = strings.ReplaceAll(m.Body, quote.NumberMark, q.Number)
	link := ""
	if strings.Contains(m.Body, quote.LinkMark) {
		if token == "" {
			settings, err := quoteSettings(ctx, tx)
			if err != nil {
				return err
			}
			owner := by
			if by.ID == 0 {
				owner.ID = q.OwnerID
			}
			if token, err = db.insertLink(ctx, tx, r, owner, settings); err != nil {
				return err
			}
		}
		link = baseURL + "/q/" + token
	}
	id, err := db.queueMail(ctx, tx, m, r.ID, by, link)
	if err != nil || id == 0 {
		return err
	}
	return db.record(ctx, tx, entry{quote: q.ID, revision: r.Number, kind: quote.Mailed, actor: by,
		data: map[string]string{"to": strings.Join(append(append([]string{}, m.To...), m.Cc...), ", "), "kind": string(m.Kind)}})
}

type mailRow struct {
	ID         int64
	Kind       string
	QuoteID    *int64
	Revision   *int
	Recipients []string
	Copies     []string
	ReplyTo    string
	Subject    string
	Body       string
	Lang       string
	Document   bool
	State      string
	CreatedAt  time.Time
	By         *string
	SentAt     *time.Time
	Attempts   []quote.MailAttempt
}

func (r mailRow) domain() quote.Mail {
	return quote.Mail{ID: r.ID, Kind: quote.MailKind(r.Kind), QuoteID: value(r.QuoteID), Revision: value(r.Revision), To: r.Recipients,
		Cc: r.Copies, ReplyTo: r.ReplyTo, Subject: r.Subject, Body: r.Body, Lang: r.Lang, Document: r.Document,
		State: quote.MailState(r.State), CreatedAt: r.CreatedAt, By: value(r.By), SentAt: value(r.SentAt), Attempts: r.Attempts}
}

// MailOf returns the messages about a quote, newest first, with the attempts to send them. Links are not in them.
func (db *DB) MailOf(ctx context.Context, quoteID int64) ([]quote.Mail, error) {
	out, err := collect[mailRow](ctx, db.pool, sqlMailOf, pgx.NamedArgs{"quote_id": quoteID})
	return out, interpretError(err)
}

// RecentMail returns the newest messages of all kinds, with the attempts to send them.
func (db *DB) RecentMail(ctx context.Context) ([]quote.Mail, error) {
	out, err := collect[mailRow](ctx, db.pool, sqlRecentMail, nil)
	return out, interpretError(err)
}

type outgoingRow struct {
	ID          int64
	Kind        string
	QuoteID     *int64
	Revision    *int
	Recipients  []string
	Copies      []string
	ReplyTo     string
	Subject     string
	Body        string
	Lang        string
	Link        string
	HeaderID    string
	State       string
	CreatedAt   time.Time
	Number      *string
	Bytes       []byte
	FromName    string
	FromAddress string
}

func (r outgoingRow) domain() quote.Outgoing {
	out := quote.Outgoing{
		Mail: quote.Mail{ID: r.ID, Kind: quote.MailKind(r.Kind), QuoteID: value(r.QuoteID), Revision: value(r.Revision), To: r.Recipients,
			Cc: r.Copies, ReplyTo: r.ReplyTo, Subject: r.Subject, Body: strings.ReplaceAll(r.Body, quote.LinkMark, r.Link), Lang: r.Lang,
			State: quote.MailState(r.State), CreatedAt: r.CreatedAt},
		HeaderID: r.HeaderID, FromName: r.FromName, From: r.FromAddress, File: r.Bytes,
	}
	if r.Bytes != nil {
		out.FileName = quote.FileName(value(r.Number), value(r.Revision))
	}
	return out
}

// outgoing reads a message as it goes out.
func (db *DB) outgoing(ctx context.Context, id int64) (quote.Outgoing, error) {
	rows, err := collect[outgoingRow](ctx, db.pool, sqlOutgoing, pgx.NamedArgs{"id": id})
	if err != nil {
		return quote.Outgoing{}, fmt.Errorf("message %d: %w", id, err)
	}
	if len(rows) == 0 {
		return quote.Outgoing{}, fmt.Errorf("message %d: %w", id, pgx.ErrNoRows)
	}
	return rows[0], nil
}

// recordAttempt stores what became of an attempt. A message that is done forgets the customer's link.
func (db *DB) recordAttempt(ctx context.Context, tx pgx.Tx, id int64, failure error, state quote.MailState) error {
	text := ""
	if failure != nil {
		text = firstRunes(failure.Error(), 2000)
	}
	args := pgx.NamedArgs{"id": id, "now": db.now(), "error": text, "state": string(state)}
	if _, err := tx.Exec(ctx, sqlInsertMailAttempt, args); err != nil {
		return fmt.Errorf("store attempt: %w", err)
	}
	if state == quote.MailQueued {
		return nil
	}
	if _, err := tx.Exec(ctx, sqlMailDone, args); err != nil {
		return fmt.Errorf("close message: %w", err)
	}
	return nil
}

// firstRunes cuts a text.
func firstRunes(s string, n int) string {
	if r := []rune(strings.ToValidUTF8(s, "?")); len(r) > n {
		return string(r[:n])
	}
	return strings.ToValidUTF8(s, "?")
}
