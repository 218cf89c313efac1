package postgres_test

import (
	"testing"
	"time"

	"rackwright/internal/auth"
	"rackwright/internal/testdb"
)

func TestLoginAttempts(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	ctx, now := t.Context(), testdb.Now
	name := auth.HashName("Wang")
	record := func(addr string, ok bool, ago time.Duration) {
		t.Helper()
		if err := db.RecordAttempt(ctx, name, addr, ok, now.Add(-ago)); err != nil {
			t.Fatal(err)
		}
	}
	read := func(addr string) auth.Attempts {
		t.Helper()
		a, err := db.LoginAttempts(ctx, auth.HashName("wang "), addr, now)
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	if a := read("10.0.0.1"); a != (auth.Attempts{}) {
		t.Errorf("nothing was tried, got %+v", a)
	}
	record("10.0.0.1", false, 20*time.Minute) // outside the window
	record("10.0.0.1", false, 9*time.Minute)
	record("10.0.0.1", true, 8*time.Minute) // forgives what was before
	record("10.0.0.1", false, 3*time.Minute)
	record("10.0.0.2", false, 2*time.Minute)
	here := read("10.0.0.1")
	if here.FailedHere != 1 || here.FailedAnyway != 3 || !here.Known || !here.LastHere.Equal(now.Add(-3*time.Minute)) {
		t.Errorf("at the known address: %+v", here)
	}
	if there := read("10.0.0.2"); there.FailedHere != 1 || there.Known {
		t.Errorf("at the other address: %+v", there)
	}
	if other, err := db.LoginAttempts(ctx, auth.HashName("li"), "10.0.0.1", now); err != nil || other != (auth.Attempts{}) {
		t.Errorf("another name: %+v, %v", other, err)
	}
}
