package postgres

import (
	"context"
	"fmt"
	"slices"
	"strconv"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/quote"
)

// The store of customers.
//
//	Customers(ctx, search string, limit int) ([]quote.Customer, error)     by name, without contacts; "" finds all
//	Customer(ctx, id int64) (quote.Customer, error)                        with contacts
//	CreateCustomer(ctx, actor int64, key string, quote.Customer) (id int64, err error)
//	SaveCustomer(ctx, actor int64, quote.Customer) error                   contacts with ID 0 are new; those left out are removed

const (
	sqlCustomers = `
		SELECT id, name, address, country, tax_number, price_group, note, archived, version FROM customer
		WHERE NOT archived AND (@pattern::text = '' OR name ILIKE @pattern)
		ORDER BY lower(name), id
		LIMIT @max`
	sqlCustomer = `
		SELECT id, name, address, country, tax_number, price_group, note, archived, version FROM customer WHERE id = @id`
	sqlContacts = `
		SELECT id, name, job_title, email, phone FROM contact WHERE customer_id = @id ORDER BY id`
	sqlInsertCustomer = `
		INSERT INTO customer (name, address, country, tax_number, price_group, note, created_at, created_by)
		VALUES (@name, @address, @country, @tax_number, @price_group, @note, @now, nullif(@actor::bigint, 0))
		RETURNING id`
	sqlUpdateCustomer = `
		UPDATE customer SET name = @name, address = @address, country = @country, tax_number = @tax_number,
			price_group = @price_group, note = @note, archived = @archived, version = version + 1
		WHERE id = @id AND version = @version
		RETURNING id`
	sqlInsertContact = `
		INSERT INTO contact (customer_id, name, job_title, email, phone) VALUES (@customer_id, @name, @job_title, @email, @phone)
		RETURNING id`
	sqlUpdateContact = `
		UPDATE contact SET name = @name, job_title = @job_title, email = @email, phone = @phone
		WHERE id = @id AND customer_id = @customer_id
		RETURNING id`
	sqlDeleteContacts = `DELETE FROM contact WHERE customer_id = @customer_id AND id <> ALL(@kept::bigint[])`
)

type customerRow struct {
	ID         int64
	Name       string
	Address    string
	Country    string
	TaxNumber  string
	PriceGroup string
	Note       string
	Archived   bool
	Version    int64
}

func (r customerRow) domain() quote.Customer {
	return quote.Customer{ID: r.ID, Name: r.Name, Address: r.Address, Country: r.Country, TaxNumber: r.TaxNumber,
		Group: r.PriceGroup, Note: r.Note, Archived: r.Archived, Version: r.Version}
}

type contactRow struct {
	ID       int64
	Name     string
	JobTitle string
	Email    string
	Phone    string
}

func (r contactRow) domain() quote.Contact { return quote.Contact(r) }

// Customers returns customers whose name contains the text, by name.
func (db *DB) Customers(ctx context.Context, search string, limit int) ([]quote.Customer, error) {
	out, err := collect[customerRow](ctx, db.pool, sqlCustomers, pgx.NamedArgs{"pattern": likePattern(search), "max": limit})
	return out, interpretError(err)
}

// Customer returns a customer with its contacts.
func (db *DB) Customer(ctx context.Context, id int64) (quote.Customer, error) {
	var c quote.Customer
	err := db.snapshot(ctx, func(tx pgx.Tx) error {
		found, err := collect[customerRow](ctx, tx, sqlCustomer, pgx.NamedArgs{"id": id})
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return fmt.Errorf("customer %d: %w", id, pgx.ErrNoRows)
		}
		c = found[0]
		c.Contacts, err = collect[contactRow](ctx, tx, sqlContacts, pgx.NamedArgs{"id": id})
		return err
	})
	return c, err
}

// CreateCustomer stores a customer and returns the id; once for each key of a form.
func (db *DB) CreateCustomer(ctx context.Context, actor int64, key string, c quote.Customer) (int64, error) {
	if err := c.Validate(); err != nil {
		return 0, err
	}
	var id int64
	err := db.keyed(ctx, formKey{"customer.create", key, ""}, &id, func(ctx context.Context, tx pgx.Tx) error {
		args := customerArgs(c)
		args["now"], args["actor"] = db.now(), actor
		if err := tx.QueryRow(ctx, sqlInsertCustomer, args).Scan(&id); err != nil {
			return fmt.Errorf("insert customer: %w", err)
		}
		if err := saveContacts(ctx, tx, id, c.Contacts); err != nil {
			return err
		}
		return db.audit(ctx, tx, change{actor: actor, action: "customer.create", objectType: "customer",
			objectID: strconv.FormatInt(id, 10), after: c})
	})
	return id, err
}

// SaveCustomer stores a customer and its contacts. Quotes keep the names they were made with.
func (db *DB) SaveCustomer(ctx context.Context, actor int64, c quote.Customer) error {
	if err := c.Validate(); err != nil {
		return err
	}
	return db.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		var id int64
		if err := tx.QueryRow(ctx, sqlUpdateCustomer, customerArgs(c)).Scan(&id); err != nil {
			return changedMeanwhile(err)
		}
		if err := saveContacts(ctx, tx, id, c.Contacts); err != nil {
			return err
		}
		return db.audit(ctx, tx, change{actor: actor, action: "customer.save", objectType: "customer",
			objectID: strconv.FormatInt(id, 10), after: c})
	})
}

func customerArgs(c quote.Customer) pgx.NamedArgs {
	return pgx.NamedArgs{"id": c.ID, "version": c.Version, "name": c.Name, "address": c.Address, "country": c.Country,
		"tax_number": c.TaxNumber, "price_group": c.Group, "note": c.Note, "archived": c.Archived}
}

// saveContacts stores the contacts and removes those that are not among them.
func saveContacts(ctx context.Context, tx pgx.Tx, customerID int64, contacts []quote.Contact) error {
	kept := []int64{}
	for _, c := range contacts {
		kept = append(kept, c.ID)
	}
	kept = slices.DeleteFunc(kept, func(id int64) bool { return id == 0 })
	if _, err := tx.Exec(ctx, sqlDeleteContacts, pgx.NamedArgs{"customer_id": customerID, "kept": kept}); err != nil {
		return fmt.Errorf("delete contacts: %w", err)
	}
	for _, c := range contacts {
		sql := sqlUpdateContact
		if c.ID == 0 {
			sql = sqlInsertContact
		}
		args := pgx.NamedArgs{"id": c.ID, "customer_id": customerID, "name": c.Name, "job_title": c.JobTitle, "email": c.Email, "phone": c.Phone}
		if err := tx.QueryRow(ctx, sql, args).Scan(&c.ID); err != nil {
			return fmt.Errorf("save contact: %w", err)
		}
	}
	return nil
}
