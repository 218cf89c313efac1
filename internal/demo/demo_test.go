package demo_test

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	"rackwright/internal/auth"
	"rackwright/internal/company"
	"rackwright/internal/demo"
	"rackwright/internal/postgres"
	"rackwright/internal/quote"
	"rackwright/internal/testdb"
)

// sheet stands in for the PDF where a test is not about it.
func sheet(_ context.Context, q quote.Quote, _ company.Profile, _ time.Time) ([]byte, error) {
	return []byte("%PDF of " + q.Number), nil
}

// newDB is a database with the catalogue and the first user.
func newDB(t *testing.T) *postgres.DB {
	t.Helper()
	db := testdb.WithCatalog(t)
	if _, err := db.EnsureAdmin(t.Context(), "correct horse battery"); err != nil {
		t.Fatal(err)
	}
	return db
}

func seed(t *testing.T, db *postgres.DB, now time.Time) bool {
	t.Helper()
	filled, err := demo.Seed(t.Context(), db, now, sheet)
	if err != nil {
		t.Fatal(err)
	}
	return filled
}

func quotes(t *testing.T, db *postgres.DB) []quote.Summary {
	t.Helper()
	list, err := db.Quotes(t.Context(), quote.Filter{Limit: 200})
	if err != nil {
		t.Fatal(err)
	}
	return list.Rows
}

func TestSeedHasEveryState(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	if !seed(t, db, testdb.Now) {
		t.Fatal("an empty database was not filled")
	}
	states := map[quote.State]int{}
	currencies, views, shortages := map[string]bool{}, 0, 0
	for _, row := range quotes(t, db) {
		states[row.State]++
		currencies[string(row.Currency)] = true
		q, err := db.Quote(t.Context(), row.ID)
		if err != nil {
			t.Fatal(err)
		}
		shortages += len(q.Revision.Decision.Shortages)
		for _, e := range q.Events {
			if e.At.After(testdb.Now) {
				t.Errorf("%s: %s happens at %s, in the future", row.Title, e.Kind, e.At)
			}
			if e.Kind == quote.View && row.State == quote.Sent {
				views++
			}
		}
	}
	for _, state := range []quote.State{quote.Draft, quote.Awaiting, quote.Approved, quote.Sent, quote.Accepted, quote.Declined, quote.Expired, quote.Lost} {
		if states[state] == 0 {
			t.Errorf("no quote is %s: %v", state, states)
		}
	}
	if got := slices.Sorted(maps.Keys(currencies)); !slices.Equal(got, []string{"CNY", "EUR", "SGD", "TWD", "USD"}) {
		t.Errorf("currencies %v", got)
	}
	if views < 2 || shortages != 1 {
		t.Errorf("%d sent quotes were viewed, %d shortages", views, shortages)
	}
	reserved, err := db.Reservations(t.Context())
	if err != nil || len(reserved) < 4 {
		t.Errorf("%d reservations, %v", len(reserved), err)
	}
	if has, err := db.HasDemo(t.Context()); err != nil || !has {
		t.Errorf("HasDemo = %v, %v", has, err)
	}
}

func TestSeedTwice(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	seed(t, db, testdb.Now)
	before := quotes(t, db)
	if seed(t, db, testdb.Now.Add(time.Hour)) {
		t.Error("filled again")
	}
	if after := quotes(t, db); !slices.EqualFunc(before, after, sameQuote) {
		t.Errorf("quotes changed from %v to %v", before, after)
	}
}

func sameQuote(a, b quote.Summary) bool {
	return a.ID == b.ID && a.Number == b.Number && a.State == b.State && a.ChangedAt.Equal(b.ChangedAt)
}

func TestSeedTwoAtOnce(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	filled, errs := make(chan bool, 2), make(chan error, 2)
	for range 2 {
		go func() {
			did, err := demo.Seed(t.Context(), db, testdb.Now, sheet)
			filled <- did
			errs <- err
		}()
	}
	if err := errors.Join(<-errs, <-errs); err != nil {
		t.Fatal(err)
	}
	if a, b := <-filled, <-filled; a == b {
		t.Errorf("filled: %v and %v, want one of them", a, b)
	}
	if n := len(quotes(t, db)); n != 12 {
		t.Errorf("%d quotes", n)
	}
}

// Work of somebody is never mixed with invented data.
func TestSeedLeavesAUsedDatabase(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	if _, err := db.CreateCustomer(t.Context(), 0, "", quote.Customer{Name: "Somebody"}); err != nil {
		t.Fatal(err)
	}
	if seed(t, db, testdb.Now) {
		t.Error("filled a database with a customer")
	}
	if has, err := db.HasDemo(t.Context()); err != nil || has {
		t.Errorf("HasDemo = %v, %v", has, err)
	}
}

// A fault half-way leaves nothing behind.
func TestSeedIsAllOrNothing(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	broken := errors.New("no paper")
	_, err := demo.Seed(t.Context(), db, testdb.Now, func(context.Context, quote.Quote, company.Profile, time.Time) ([]byte, error) {
		return nil, broken
	})
	if !errors.Is(err, broken) {
		t.Fatalf("Seed: %v", err)
	}
	people, err := db.Users(t.Context())
	if err != nil || len(people) != 1 || len(people[0].Roles) != 1 {
		t.Errorf("people left behind: %v, %v", people, err)
	}
	if !seed(t, db, testdb.Now) {
		t.Error("the next start does not fill")
	}
}

// The demo works on every day and at every hour, new year included.
func TestSeedOnAnyDay(t *testing.T) {
	t.Parallel()
	for _, now := range []string{"2027-01-01T00:10:00Z", "2026-12-31T16:30:00Z", "2028-02-29T23:59:00Z"} {
		t.Run(now, func(t *testing.T) {
			t.Parallel()
			at, err := time.Parse(time.RFC3339, now)
			if err != nil {
				t.Fatal(err)
			}
			if !seed(t, newDB(t), at) {
				t.Error("not filled")
			}
		})
	}
}

func TestSeedSaysThatItIsInvented(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	seed(t, db, testdb.Now)
	says := func(what string, texts ...string) {
		t.Helper()
		for _, text := range texts {
			lower := strings.ToLower(text)
			if strings.Contains(lower, "demo") || strings.Contains(lower, "invented") || strings.Contains(text, "演示") || strings.Contains(text, "示範") {
				return
			}
		}
		t.Errorf("%s does not say that it is invented: %q", what, texts)
	}
	c, err := db.Company(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if missing := c.Missing(); len(missing) > 0 {
		t.Errorf("the profile lacks %v", missing)
	}
	says("company", c.Name)
	says("bank", c.Bank)
	for lang, text := range c.Terms {
		says("terms in "+lang, text)
	}
	lists, err := db.PriceLists(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range lists {
		says("price list", l.Name)
		if !l.Demo {
			t.Errorf("%s is not marked", l.Name)
		}
	}
	rates, err := db.Rates(t.Context(), 100)
	if err != nil || len(rates) == 0 || !rates[0].Day.Equal(c.Today(testdb.Now)) {
		t.Errorf("rates %v, %v", rates, err)
	}
	for _, r := range rates {
		says("rate", r.Source)
	}
	for _, row := range quotes(t, db) {
		says("customer", row.Customer)
		q, err := db.Quote(t.Context(), row.ID)
		if err != nil {
			t.Fatal(err)
		}
		says("note of "+row.Title, q.Revision.Content.Note)
	}
	moves, err := db.Moves(t.Context(), "", 0, 100)
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range moves {
		says("move", m.Note)
	}
	checkPeople(t, db)
}

// The first user can try everything; nobody else can sign in.
func checkPeople(t *testing.T, db *postgres.DB) {
	t.Helper()
	people, err := db.Users(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, u := range people {
		if u.Name == "admin" {
			if len(u.Roles) != len(auth.StaffRoles) || !u.MustChangePassword {
				t.Errorf("admin: %+v", u)
			}
			continue
		}
		if !strings.HasPrefix(u.Name, "demo-") || !strings.Contains(u.DisplayName, "(demo)") {
			t.Errorf("a person of the demo is called %s, %s", u.Name, u.DisplayName)
		}
		c, err := db.Credentials(t.Context(), u.Name)
		if err != nil || c.Password.Matches(u.Name) || c.Password.Matches("") {
			t.Errorf("%s: password can be guessed, %v", u.Name, err)
		}
	}
}

// Nobody rules on what they own, so the first user finds one quote to rule on.
func TestSeedLeavesSomethingToApprove(t *testing.T) {
	t.Parallel()
	db := newDB(t)
	seed(t, db, testdb.Now)
	list, err := db.Quotes(t.Context(), quote.Filter{States: []quote.State{quote.Awaiting}})
	if err != nil || len(list.Rows) != 1 {
		t.Fatalf("awaiting: %v, %v", list.Rows, err)
	}
	admin, err := db.Credentials(t.Context(), "admin")
	if err != nil {
		t.Fatal(err)
	}
	q, err := db.Quote(t.Context(), list.Rows[0].ID)
	if err != nil || q.OwnerID == admin.User.ID {
		t.Fatalf("owner %d, %v", q.OwnerID, err)
	}
	ruling := quote.Ruling{QuoteID: q.ID, Version: q.Version, Actor: quote.Actor{ID: admin.User.ID, Name: "Administrator"},
		Margin: true, Floor: true, Approve: true, Reason: "Fine"}
	if err := db.RuleOnQuote(t.Context(), ruling); err != nil {
		t.Error(err)
	}
}
