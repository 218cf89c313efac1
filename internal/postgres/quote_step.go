package postgres

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/apperr"
	"rackwright/internal/quote"
)

const (
	sqlInsertApproval = `
		INSERT INTO approval (revision_id, kind, asked_by, asked_at) VALUES (@revision_id, @kind, @actor_id, @now)`
	sqlOpenApprovals = `
		SELECT id, kind, asked_by FROM approval WHERE revision_id = @revision_id AND NOT void AND decided_at IS NULL ORDER BY id`
	sqlDecideApproval = `
		UPDATE approval SET decided_by = @actor_id, decided_at = @now, approved = @approved, reason = @reason WHERE id = @id`
	sqlSetRevision = `UPDATE quote SET revision = @number WHERE id = @id`
	sqlDecide      = `
		UPDATE quote_revision SET state = @state, decided_at = @now, decided_name = @name, decided_role = @role,
			decided_order = @order, decided_reason = @reason, decided_remark = @remark, by_staff = @by_staff,
			decided_choice = @choice, decided_address = @address, decided_agent = @agent, agreed = @agreed,
			agreed_total = @agreed_total::numeric,
			decided_sha256 = (SELECT d.sha256 FROM quote_document d WHERE d.revision_id = @revision_id AND @state = 'accepted')
		WHERE id = @revision_id`
	sqlReleaseRevision = `
		UPDATE reservation SET released_at = @now WHERE revision_id = @revision_id AND released_at IS NULL AND until > @now`
)

// SubmitQuote asks others to allow the exceptions of a draft that has nothing else open.
func (db *DB) SubmitQuote(ctx context.Context, s quote.Step) error {
	return db.changeQuote(ctx, "quote.submit", s, new(struct{}), func(ctx context.Context, tx pgx.Tx, q quote.Quote) error {
		settings, err := quoteSettings(ctx, tx)
		if err != nil {
			return err
		}
		facts, err := db.sendFacts(ctx, tx, &q, settings)
		if err != nil {
			return err
		}
		if err := storeLimits(ctx, tx, q.Revision); err != nil { // who decides sees what it is about
			return err
		}
		blockers := quote.SendBlockers(q.Revision.Content, q.Revision.Totals, facts)
		if !quote.NeedsApproval(blockers) {
			return apperr.New(apperr.Conflict, "quote.nothing_to_approve")
		}
		for _, b := range blockers {
			if b.Severity != quote.Approval {
				continue
			}
			args := pgx.NamedArgs{"revision_id": q.Revision.ID, "kind": string(b.Kind), "actor_id": s.Actor.ID, "now": db.now()}
			if _, err := tx.Exec(ctx, sqlInsertApproval, args); err != nil {
				return fmt.Errorf("ask for approval: %w", err)
			}
		}
		return db.moveRevision(ctx, tx, q.Revision, entry{quote: q.ID, kind: quote.Submit, actor: s.Actor})
	})
}

type openApprovalRow struct {
	ID      int64
	Kind    string
	AskedBy int64
}

// RuleOnQuote decides on the exceptions that the actor may decide on. The draft is approved when none is left open; one
// refusal sends it back. Nobody decides on what they own or asked for (R13).
func (db *DB) RuleOnQuote(ctx context.Context, r quote.Ruling) error {
	return db.changeQuote(ctx, "quote.rule", step(r.QuoteID, r.Version, r.Key), new(struct{}), func(ctx context.Context, tx pgx.Tx, q quote.Quote) error {
		event := quote.SendBack
		if r.Approve {
			event = quote.Approve
		}
		if q.Revision.State != quote.Awaiting {
			_, err := quote.Next(q.Revision.State, quote.Approve)
			return err
		}
		if q.OwnerID == r.Actor.ID {
			return apperr.New(apperr.Forbidden, "approval.no_self_approval")
		}
		left, err := db.decideOpen(ctx, tx, q.Revision.ID, r)
		if err != nil {
			return err
		}
		if r.Approve && left > 0 {
			return db.record(ctx, tx, entry{quote: q.ID, revision: q.Revision.Number, kind: quote.Approve, actor: r.Actor, data: map[string]string{"reason": r.Reason, "partly": "true"}})
		}
		if !r.Approve {
			if _, err := tx.Exec(ctx, sqlVoidApprovals, pgx.NamedArgs{"revision_id": q.Revision.ID}); err != nil {
				return fmt.Errorf("void approvals: %w", err)
			}
		}
		return db.moveRevision(ctx, tx, q.Revision, entry{quote: q.ID, kind: event, actor: r.Actor, data: map[string]string{"reason": r.Reason}})
	})
}

// decideOpen decides on the open exceptions that the actor may decide on, and returns how many are left.
func (db *DB) decideOpen(ctx context.Context, tx pgx.Tx, revisionID int64, r quote.Ruling) (int, error) {
	rows, err := tx.Query(ctx, sqlOpenApprovals, pgx.NamedArgs{"revision_id": revisionID})
	if err != nil {
		return 0, fmt.Errorf("open approvals: %w", err)
	}
	open, err := pgx.CollectRows(rows, pgx.RowToStructByName[openApprovalRow])
	if err != nil {
		return 0, fmt.Errorf("open approvals: %w", err)
	}
	left := len(open)
	for _, o := range open {
		if !r.May(quote.BlockerKind(o.Kind)) {
			continue
		}
		if o.AskedBy == r.Actor.ID {
			return 0, apperr.New(apperr.Forbidden, "approval.no_self_approval")
		}
		args := pgx.NamedArgs{"id": o.ID, "actor_id": r.Actor.ID, "now": db.now(), "approved": r.Approve, "reason": r.Reason}
		if _, err := tx.Exec(ctx, sqlDecideApproval, args); err != nil {
			return 0, fmt.Errorf("decide: %w", err)
		}
		left--
	}
	if left == len(open) {
		return 0, apperr.New(apperr.Forbidden, "errors.page_forbidden")
	}
	return left, nil
}

// NewRevision opens a draft with the content of the newest revision, dated today, and returns its number. The revision
// before stays what it is until the new one is sent.
func (db *DB) NewRevision(ctx context.Context, s quote.Step) (int, error) {
	var number int
	err := db.changeQuote(ctx, "quote.revise", s, &number, func(ctx context.Context, tx pgx.Tx, q quote.Quote) error {
		if _, err := quote.Next(q.Revision.State, quote.Revise); err != nil {
			return err
		}
		settings, err := quoteSettings(ctx, tx)
		if err != nil {
			return err
		}
		number = q.Revision.Number + 1
		content := q.Revision.Content
		content.Day = quote.Day(db.now(), settings.Zone)
		content.ValidTo = content.Day.AddDate(0, 0, settings.ValidityDays)
		totals, err := quote.Calculate(content.Input())
		if err != nil {
			return err
		}
		if err := db.insertRevision(ctx, tx, q.ID, number, content, totals); err != nil {
			return err
		}
		if err := copyFiles(ctx, tx, q, number); err != nil {
			return err
		}
		if _, err := tx.Exec(ctx, sqlSetRevision, pgx.NamedArgs{"id": q.ID, "number": number}); err != nil {
			return fmt.Errorf("set revision: %w", err)
		}
		return db.record(ctx, tx, entry{quote: q.ID, revision: number, kind: quote.Revise, actor: s.Actor})
	})
	return number, err
}

// CloseQuote closes a quote as lost or cancelled: the newest revision, and older ones that a customer could still
// accept. Reservations of cancelled revisions are released.
func (db *DB) CloseQuote(ctx context.Context, c quote.Close) error {
	return db.changeQuote(ctx, "quote.close", step(c.QuoteID, c.Version, c.Key), new(struct{}), func(ctx context.Context, tx pgx.Tx, q quote.Quote) error {
		event, err := c.Event()
		if err != nil {
			return err
		}
		if _, err := quote.Next(q.Revision.State, event); err != nil {
			return err
		}
		heads, err := collect[revisionHeadRow](ctx, tx, sqlRevisionHeads, pgx.NamedArgs{"id": q.ID})
		if err != nil {
			return fmt.Errorf("revisions: %w", err)
		}
		decision := quote.Decision{At: db.now(), Name: c.Actor.Name, Reason: c.Reason, ByStaff: true}
		for _, r := range heads {
			db.expire(&r)
			next, err := quote.Next(r.State, event)
			if err != nil {
				continue // an older revision that is closed already
			}
			if err := db.decide(ctx, tx, r.ID, next, decision); err != nil {
				return err
			}
			if err := db.record(ctx, tx, entry{quote: q.ID, revision: r.Number, kind: event, actor: c.Actor, data: map[string]string{"reason": c.Reason}}); err != nil {
				return err
			}
		}
		return nil
	})
}

// decide stores the end of a revision. Every end but acceptance gives its reservations back.
func (db *DB) decide(ctx context.Context, tx pgx.Tx, revisionID int64, state quote.State, d quote.Decision) error {
	args := pgx.NamedArgs{"revision_id": revisionID, "state": string(state), "now": d.At, "name": d.Name, "role": d.Role,
		"order": d.Order, "reason": d.Reason, "remark": d.Remark, "by_staff": d.ByStaff, "choice": append([]int64{}, d.Choices...),
		"address": d.Address, "agent": d.Agent, "agreed": nil, "agreed_total": nil}
	if d.Agreed != nil {
		agreed, err := json.Marshal(d.Agreed)
		if err != nil {
			return fmt.Errorf("encode agreed totals: %w", err)
		}
		args["agreed"], args["agreed_total"] = agreed, d.Agreed.Total
	}
	if _, err := tx.Exec(ctx, sqlDecide, args); err != nil {
		return fmt.Errorf("decide revision %d: %w", revisionID, err)
	}
	if state == quote.Accepted {
		return nil
	}
	return db.release(ctx, tx, revisionID)
}

// release gives back what a revision still reserves.
func (db *DB) release(ctx context.Context, tx pgx.Tx, revisionID int64) error {
	if _, err := tx.Exec(ctx, sqlReleaseRevision, pgx.NamedArgs{"revision_id": revisionID, "now": db.now()}); err != nil {
		return fmt.Errorf("release reservations of revision %d: %w", revisionID, err)
	}
	return nil
}
