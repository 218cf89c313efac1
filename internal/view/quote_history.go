package view

import (
	"cmp"
	"strconv"
	"time"

	"rackwright/internal/i18n"
	"rackwright/internal/quote"
)

func itoa(n int) string { return strconv.Itoa(n) }

func isoDay(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return DateShort(t)
}

// quoteHistory tells what happened to a quote, newest first.
func quoteHistory(p Page, events []quote.Event, zone *time.Location) []Event {
	out := make([]Event, 0, len(events))
	for i, e := range events {
		// Many saves in a row are one change to a reader: the latest tells when.
		if e.Kind == quote.Save && i > 0 && events[i-1].Kind == quote.Save && events[i-1].Actor == e.Actor && events[i-1].Revision == e.Revision {
			continue
		}
		at := e.At.In(zone)
		actor := e.Actor
		if actor == "" {
			actor = p.T("audit.actor_system")
		}
		id := "quote.event_" + string(e.Kind)
		text := p.T(id, "actor", actor, "n", e.Revision)
		if !i18n.Has(id) {
			text = p.T("quote.event_other", "actor", actor, "what", string(e.Kind))
		}
		out = append(out, Event{When: DateShort(at) + " " + Clock(at), ISO: Machine(e.At), Text: text, Sub: cmp.Or(e.Data["reason"], e.Data["name"])})
	}
	return out
}

// quoteRevisions lists the revisions, newest first.
func quoteRevisions(p Page, base string, q quote.Quote) []QuoteRevision {
	var out []QuoteRevision
	for i := len(q.Revisions) - 1; i >= 0; i-- {
		r := q.Revisions[i]
		v := QuoteRevision{
			Label: p.T("quote.revision_n", "n", r.Number), Href: base + "/revisions/" + itoa(r.Number),
			Badge: StateBadge(r.State), State: p.T(r.State.MessageID()), Current: r.Number == q.Revision.Number,
		}
		if i == len(q.Revisions)-1 {
			v.Href = base
		}
		out = append(out, v)
	}
	return out
}

// quoteOutcome says what became of a sent quote.
func quoteOutcome(p Page, r quote.Revision, zone *time.Location) *QuoteOutcome {
	d := r.Decision
	if d.At.IsZero() {
		return nil
	}
	day := Date(p.L.Lang(), d.At.In(zone))
	reason := d.Reason
	if id := "public.reason_" + d.Reason; i18n.Has(id) {
		reason = p.T(id)
	}
	if d.Remark != "" {
		reason = p.T("shell.label_and_text", "label", reason, "text", d.Remark)
	}
	switch r.State {
	case quote.Accepted:
		text := day
		if d.Role != "" {
			text = p.T("quote.accepted_detail", "role", d.Role, "date", day)
		}
		return &QuoteOutcome{Kind: "ok", Title: p.T("quote.accepted_title", "name", d.Name), Text: text}
	case quote.Declined:
		return &QuoteOutcome{Kind: "warn", Title: p.T("quote.declined_title"), Text: p.T("quote.declined_detail", "date", day, "reason", reason)}
	case quote.Lost, quote.Cancelled:
		return &QuoteOutcome{Title: p.T(r.State.MessageID()), Text: p.T("quote.declined_detail", "date", day, "reason", reason)}
	}
	return nil
}

// quoteLinkPanel is the state of the customer's link: of the revision, or of the one before
// a draft, which the customer can accept until the draft is sent.
func quoteLinkPanel(p Page, in QuoteData) *QuoteLink {
	r := in.Quote.Revision
	draft := r.SentAt.IsZero()
	for _, before := range in.Quote.Revisions {
		if draft && !before.SentAt.IsZero() {
			r = before
		}
	}
	if r.SentAt.IsZero() {
		return nil
	}
	v := &QuoteLink{URL: in.NewURL, Text: p.T("quote.link_none"), CanUse: !draft && (r.State == quote.Sent || r.State == quote.Accepted)}
	for _, l := range in.Links {
		if l.Revision == r.Number && l.RevokedAt.IsZero() && in.Now.Before(l.ExpiresAt) {
			v.Live = true
			v.Text = p.T("quote.link_live", "date", Date(p.L.Lang(), l.ExpiresAt.Add(-time.Second).In(in.Zone)))
		}
	}
	if draft && !v.Live {
		return nil
	}
	v.Revoke = v.Live && (draft || v.CanUse)
	if !v.Live {
		return v
	}
	v.Seen = p.T("quote.link_unseen")
	for _, e := range in.Quote.Events {
		if e.Kind == quote.View && e.Revision == r.Number {
			at := e.At.In(in.Zone)
			v.Seen = p.T("quote.link_seen", "time", DateShort(at)+" "+Clock(at))
			break
		}
	}
	return v
}
