package postgres_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"rackwright/internal/inventory"
	"rackwright/internal/money"
	"rackwright/internal/postgres"
	"rackwright/internal/quote"
	"rackwright/internal/testdb"
)

func TestFillOnce(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	past := testdb.Now.AddDate(0, 0, -30)
	write := func(ctx context.Context, store *postgres.DB, set func(time.Time)) error {
		set(past)
		if !store.Now().Equal(past) {
			t.Errorf("the store's clock shows %s", store.Now())
		}
		// A statement that fails inside takes only itself back.
		if _, err := store.SavePriceList(ctx, 0, quote.PriceList{Name: "A", Currency: "USD", TaxMode: quote.Exclusive, Demo: true}); err != nil {
			return err
		}
		if _, err := store.SavePriceList(ctx, 0, quote.PriceList{Name: "A", Currency: "USD", TaxMode: quote.Exclusive}); err == nil {
			t.Error("two lists of one name")
		}
		_, err := store.Quotes(ctx, quote.Filter{}) // reads in a transaction of its own
		return err
	}
	failed := errors.New("half-way")
	filled, err := db.FillOnce(t.Context(), func(ctx context.Context, store *postgres.DB, set func(time.Time)) error {
		return errors.Join(write(ctx, store, set), failed)
	})
	if filled || !errors.Is(err, failed) {
		t.Fatalf("FillOnce = %v, %v", filled, err)
	}
	if has := must(db.HasDemo(t.Context()))(t); has {
		t.Error("what a failed filling wrote is there")
	}
	if filled := must(db.FillOnce(t.Context(), write))(t); !filled {
		t.Error("not filled")
	}
	if filled := must(db.FillOnce(t.Context(), write))(t); filled {
		t.Error("filled twice")
	}
	if has := must(db.HasDemo(t.Context()))(t); !has {
		t.Error("no demo data")
	}
}

// Whatever somebody did first keeps the database theirs.
func TestFillOnceLeavesAUsedDatabase(t *testing.T) {
	t.Parallel()
	cases := map[string]func(ctx context.Context, db *postgres.DB) error{
		"customer": func(ctx context.Context, db *postgres.DB) error {
			_, err := db.CreateCustomer(ctx, 0, "", quote.Customer{Name: "A"})
			return err
		},
		"price list": func(ctx context.Context, db *postgres.DB) error {
			_, err := db.SavePriceList(ctx, 0, quote.PriceList{Name: "A", Currency: money.Currency("USD"), TaxMode: quote.Exclusive})
			return err
		},
		"place": func(ctx context.Context, db *postgres.DB) error {
			_, err := db.SaveLocation(ctx, 0, inventory.Location{Code: "A", Name: "A"})
			return err
		},
		"company": func(ctx context.Context, db *postgres.DB) error {
			c, err := db.Company(ctx)
			if err != nil {
				return err
			}
			c.Name = "A"
			return db.SaveCompany(ctx, 0, c)
		},
	}
	for name, use := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			db := testdb.New(t)
			if err := use(t.Context(), db); err != nil {
				t.Fatal(err)
			}
			filled := must(db.FillOnce(t.Context(), func(context.Context, *postgres.DB, func(time.Time)) error {
				t.Error("fill was called")
				return nil
			}))(t)
			if filled {
				t.Error("filled")
			}
		})
	}
}
