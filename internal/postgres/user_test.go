package postgres_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"rackwright/internal/apperr"
	"rackwright/internal/auth"
	"rackwright/internal/postgres"
	"rackwright/internal/testdb"
)

// aHash has the form of a hash; tests that sign in make a real one.
const aHash auth.PasswordHash = "$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$9s5uWcXYYmJpvF7w6GJ2kMJcPbbK5QhzRk3N6QYbUjY"

func newPerson(name string, roles ...auth.Role) auth.NewUser {
	return auth.NewUser{
		User:     auth.User{Name: name, DisplayName: "王小明", Email: name + "@example.com", Lang: "zh-Hans", Roles: roles},
		Password: aHash, Key: "key-" + name,
	}
}

func createPerson(t *testing.T, db *postgres.DB, name string, roles ...auth.Role) int64 {
	t.Helper()
	id, created, err := db.CreateUser(t.Context(), 0, newPerson(name, roles...))
	if err != nil || !created {
		t.Fatalf("create %s: created %v, %v", name, created, err)
	}
	return id
}

func TestCreateUserReadsBackAsWritten(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	id := createPerson(t, db, "wang", auth.Lead, auth.Sales)
	got, err := db.User(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	want := auth.User{ID: id, Name: "wang", DisplayName: "王小明", Email: "wang@example.com", Lang: "zh-Hans",
		Roles: []auth.Role{auth.Lead, auth.Sales}, Version: 1}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	c, err := db.Credentials(t.Context(), "  WANG ")
	if err != nil || c.User.ID != id || c.Password != aHash {
		t.Errorf("credentials: %+v, %v", c.User, err)
	}
}

func TestCreateUserTwiceWithOneKeyMakesOnePerson(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	first := createPerson(t, db, "wang", auth.Sales)
	again, created, err := db.CreateUser(t.Context(), 0, newPerson("wang", auth.Sales))
	if err != nil || created || again != first {
		t.Errorf("got %d, %v, %v; want %d again", again, created, err, first)
	}
}

func TestCreateUserRefusesATakenName(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	createPerson(t, db, "wang", auth.Sales)
	other := newPerson("wang", auth.Sales)
	other.Key = "another key"
	_, _, err := db.CreateUser(t.Context(), 0, other)
	e, ok := errors.AsType[*apperr.Error](err)
	if !ok || e.Kind != apperr.Invalid || e.Fields["name"].ID != "errors.form_taken" {
		t.Errorf("got %v", err)
	}
}

func TestUpdateUserRules(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	ctx := t.Context()
	boss := createPerson(t, db, "boss", auth.Admin)
	wang := createPerson(t, db, "wang", auth.Sales)
	token := auth.NewToken()
	if err := db.CreateSession(ctx, auth.NewSession(token, wang, testdb.Now)); err != nil {
		t.Fatal(err)
	}
	change := auth.User{ID: wang, DisplayName: "Wang", Roles: []auth.Role{auth.Stock}, Disabled: true, Version: 1}
	if err := db.UpdateUser(ctx, boss, change); err != nil {
		t.Fatal(err)
	}
	if _, _, err := db.SessionUser(ctx, token.Hash(), testdb.Now); !apperr.Is(err, apperr.NotFound) {
		t.Errorf("a disabled person is still signed in: %v", err)
	}
	if err := db.UpdateUser(ctx, boss, change); !apperr.Is(err, apperr.Conflict) {
		t.Errorf("an old version was accepted: %v", err)
	}
	if err := db.UpdateUser(ctx, boss, auth.User{ID: 999, Version: 1}); !apperr.Is(err, apperr.NotFound) {
		t.Errorf("unknown person: %v", err)
	}
	last := auth.User{ID: boss, DisplayName: "Boss", Roles: []auth.Role{auth.Sales}, Version: 1}
	if err := db.UpdateUser(ctx, boss, last); !apperr.Is(err, apperr.Invalid) {
		t.Errorf("the last administrator lost the role: %v", err)
	}
	got, err := db.User(ctx, boss)
	if err != nil || !got.Has(auth.Admin) {
		t.Errorf("boss is %+v, %v", got, err)
	}
}

func TestTwoAdministratorsCannotRemoveEachOther(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	a, b := createPerson(t, db, "anna", auth.Admin), createPerson(t, db, "bert", auth.Admin)
	var wg sync.WaitGroup
	var done atomic.Int32
	for _, pair := range [][2]int64{{a, b}, {b, a}} {
		wg.Go(func() {
			u := auth.User{ID: pair[1], DisplayName: "x", Roles: []auth.Role{auth.Sales}, Version: 1}
			if db.UpdateUser(context.WithoutCancel(t.Context()), pair[0], u) == nil {
				done.Add(1)
			}
		})
	}
	wg.Wait()
	if done.Load() != 1 {
		t.Errorf("%d changes went through, want 1", done.Load())
	}
}

func TestSetPasswordEndsOtherSessions(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	ctx := t.Context()
	id := createPerson(t, db, "wang", auth.Sales)
	here, there := auth.NewToken(), auth.NewToken()
	for _, token := range []auth.Token{here, there} {
		if err := db.CreateSession(ctx, auth.NewSession(token, id, testdb.Now)); err != nil {
			t.Fatal(err)
		}
	}
	if err := db.SetPassword(ctx, id, id, aHash, false, here.Hash()); err != nil {
		t.Fatal(err)
	}
	if _, u, err := db.SessionUser(ctx, here.Hash(), testdb.Now); err != nil || u.MustChangePassword {
		t.Errorf("the session at hand: %+v, %v", u, err)
	}
	if _, _, err := db.SessionUser(ctx, there.Hash(), testdb.Now); !apperr.Is(err, apperr.NotFound) {
		t.Errorf("the other session lives: %v", err)
	}
	if err := db.SetPassword(ctx, id, 999, aHash, true, here.Hash()); !apperr.Is(err, apperr.NotFound) {
		t.Errorf("unknown person: %v", err)
	}
}

func TestEnsureAdminOnceInParallel(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	var created atomic.Int32
	var wg sync.WaitGroup
	for range 4 {
		wg.Go(func() {
			ok, err := db.EnsureAdmin(t.Context(), "a long password")
			if err != nil {
				t.Error(err)
			}
			if ok {
				created.Add(1)
			}
		})
	}
	wg.Wait()
	if created.Load() != 1 {
		t.Errorf("%d administrators were made", created.Load())
	}
	c, err := db.Credentials(t.Context(), "admin")
	if err != nil || !c.Password.Matches("a long password") || !c.User.MustChangePassword || !c.User.Has(auth.Admin) {
		t.Errorf("admin is %+v, %v", c.User, err)
	}
}

func TestSessionLife(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	ctx := t.Context()
	id := createPerson(t, db, "wang", auth.Sales)
	token := auth.NewToken()
	start := testdb.Now
	if err := db.CreateSession(ctx, auth.NewSession(token, id, start)); err != nil {
		t.Fatal(err)
	}
	lives := func(at time.Time) bool {
		_, _, err := db.SessionUser(ctx, token.Hash(), at)
		if err != nil && !apperr.Is(err, apperr.NotFound) {
			t.Fatal(err)
		}
		return err == nil
	}
	if !lives(start.Add(auth.SessionIdle-time.Second)) || lives(start.Add(auth.SessionIdle)) {
		t.Error("the idle limit is not where it should be")
	}
	if err := db.TouchSession(ctx, token.Hash(), start.Add(10*time.Hour)); err != nil {
		t.Fatal(err)
	}
	if !lives(start.Add(10*time.Hour + auth.SessionIdle - time.Second)) {
		t.Error("a used session ended early")
	}
	if err := db.TouchSession(ctx, token.Hash(), start.Add(auth.SessionLife-time.Hour)); err != nil {
		t.Fatal(err)
	}
	if lives(start.Add(auth.SessionLife)) {
		t.Error("a session outlived its absolute end")
	}
}

func TestEndSessions(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	ctx := t.Context()
	id := createPerson(t, db, "wang", auth.Sales)
	tokens := []auth.Token{auth.NewToken(), auth.NewToken(), auth.NewToken()}
	for _, token := range tokens {
		if err := db.CreateSession(ctx, auth.NewSession(token, id, testdb.Now)); err != nil {
			t.Fatal(err)
		}
	}
	if n, err := db.EndSessions(ctx, id, tokens[0].Hash()); err != nil || n != 2 {
		t.Errorf("ended %d, %v; want 2", n, err)
	}
	for range 2 { // again is no error
		if err := db.EndSession(ctx, tokens[0].Hash()); err != nil {
			t.Error(err)
		}
	}
	if n, err := db.EndSessions(ctx, id, auth.TokenHash{}); err != nil || n != 0 {
		t.Errorf("ended %d, %v; want none left", n, err)
	}
}

func TestSetLangAndUsers(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	id := createPerson(t, db, "wang", auth.Sales)
	if err := db.SetLang(t.Context(), id, "zh-Hant"); err != nil {
		t.Fatal(err)
	}
	if err := db.SetLang(t.Context(), id, "tlh"); !apperr.Is(err, apperr.Invalid) {
		t.Errorf("unknown language: %v", err)
	}
	users, err := db.Users(t.Context())
	if err != nil || len(users) != 1 || users[0].Lang != "zh-Hant" {
		t.Errorf("users %+v, %v", users, err)
	}
}
