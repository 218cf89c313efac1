// Package demo fills an empty database with a company, people, prices, stock, customers and
// quotes in each state, so that a newcomer has something to look at. All of it is invented
// and says so where people see it; nothing of it may look like a fact about the market.
//
// It writes through the methods that the pages use, so that the demo obeys every rule of the
// product: an approval has two people, a reservation has stock, a sent quote has a PDF. It
// knows no SQL. Entry point: Seed.
package demo

import (
	"context"
	"fmt"
	"slices"
	"time"

	"rackwright/internal/company"
	"rackwright/internal/postgres"
	"rackwright/internal/quote"
)

// Render makes the PDF of a quote that is being sent. It must not use the database.
type Render func(ctx context.Context, q quote.Quote, seller company.Profile, created time.Time) ([]byte, error)

// Seed fills the database, with a past that ends at now, and reports whether it did. Where
// anybody has worked with the database it does nothing; of several programs that start at
// once one does it. The first administrator gets every role, so that a newcomer can try
// everything (but approve what they own: nobody may).
func Seed(ctx context.Context, db *postgres.DB, now time.Time, render Render) (bool, error) {
	filled, err := db.FillOnce(ctx, func(ctx context.Context, store *postgres.DB, set func(time.Time)) error {
		s := &seeder{ctx: ctx, db: store, set: set, now: now, render: render, customers: map[string]client{}}
		return s.run()
	})
	if err != nil {
		return false, fmt.Errorf("demo: %w", err)
	}
	return filled, nil
}

// seeder writes the demo, event by event in the order of time.
type seeder struct {
	ctx    context.Context
	db     *postgres.DB
	set    func(time.Time)
	now    time.Time
	render Render
	plan   []event

	seller                            company.Profile
	admin, sales, lead, pricing, keep quote.Actor // keep is the storekeeper
	customers                         map[string]client
	places                            map[string]int64 // by code
}

// event is something that happens at a moment.
type event struct {
	at time.Time
	do func() error
}

// run plans everything, then lets it happen.
func (s *seeder) run() error {
	s.on(firstDay, 9, s.hire)
	s.on(firstDay, 9, s.found)
	s.planPrices()
	s.planStock()
	s.on(firstDay, 16, s.meet)
	s.planQuotes()
	slices.SortStableFunc(s.plan, func(a, b event) int { return a.at.Compare(b.at) })
	for _, e := range s.plan {
		if err := s.ctx.Err(); err != nil {
			return err
		}
		s.set(e.at)
		if err := e.do(); err != nil {
			return err
		}
	}
	return nil
}

// zone is where the invented company is.
const zone = "Asia/Singapore"

// firstDay is how many days ago the demo begins.
const firstDay = 75

// on plans what happens some days ago at an hour of the company's day. Day 0 is now, whatever
// the hour.
func (s *seeder) on(daysAgo, hour int, do func() error) {
	at := s.now
	if daysAgo > 0 {
		loc, _ := company.Zone(zone) // a constant that a test covers
		y, m, d := s.now.In(loc).Date()
		at = time.Date(y, m, d-daysAgo, hour, 5, 0, 0, loc)
	}
	s.plan = append(s.plan, event{at, do})
}

// day is the date some days ago, or ahead where daysAgo is negative, as dates are kept.
func (s *seeder) day(daysAgo int) time.Time {
	return s.seller.Today(s.now).AddDate(0, 0, -daysAgo)
}
