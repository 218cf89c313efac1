package postgres

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/apperr"
	"rackwright/internal/company"
	"rackwright/internal/money"
)

type companyRow struct {
	Name            string
	Address         string
	Country         string
	TaxNumber       string
	Email           string
	Phone           string
	Website         string
	Bank            string
	Currency        string
	TimeZone        string
	QuotePrefix     string
	ValidityDays    int
	ReservationDays int
	TermsEn         string
	TermsZhHans     string
	TermsZhHant     string
	DiscountLimit   *money.Decimal
	TargetMargin    *money.Decimal
	Logo            []byte
	Version         int64
}

const sqlCompany = `
	SELECT name, address, country, tax_number, email, phone, website, bank, currency, time_zone,
	       quote_prefix, validity_days, reservation_days, terms_en, terms_zh_hans, terms_zh_hant,
	       discount_limit, target_margin, logo, version
	FROM company`

const sqlUpdateCompany = `
	UPDATE company SET
		name = @name, address = @address, country = @country, tax_number = @tax_number,
		email = @email, phone = @phone, website = @website, bank = @bank, currency = @currency,
		time_zone = @time_zone, quote_prefix = @quote_prefix, validity_days = @validity_days,
		reservation_days = @reservation_days, terms_en = @terms_en,
		terms_zh_hans = @terms_zh_hans, terms_zh_hant = @terms_zh_hant,
		discount_limit = @discount_limit::numeric, target_margin = @target_margin::numeric,
		logo = @logo, version = version + 1
	WHERE version = @version`

// Company returns the seller's profile.
func (db *DB) Company(ctx context.Context) (company.Profile, error) {
	p, err := companyProfile(ctx, db.pool)
	return p, interpretError(err)
}

// companyProfile reads the profile within whatever transaction q is.
func companyProfile(ctx context.Context, q querier) (company.Profile, error) {
	rows, err := q.Query(ctx, sqlCompany)
	if err != nil {
		return company.Profile{}, fmt.Errorf("company: %w", err)
	}
	r, err := pgx.CollectExactlyOneRow(rows, pgx.RowToStructByName[companyRow])
	if err != nil {
		return company.Profile{}, fmt.Errorf("company: %w", err)
	}
	return r.profile(), nil
}

func (r companyRow) profile() company.Profile {
	return company.Profile{
		Name: r.Name, Address: r.Address, Country: r.Country, TaxNumber: r.TaxNumber,
		Email: r.Email, Phone: r.Phone, Website: r.Website, Bank: r.Bank,
		Currency: money.Currency(r.Currency), TimeZone: r.TimeZone,
		QuotePrefix: r.QuotePrefix, ValidityDays: r.ValidityDays, ReservationDays: r.ReservationDays,
		Terms:         map[string]string{"en": r.TermsEn, "zh-Hans": r.TermsZhHans, "zh-Hant": r.TermsZhHant},
		DiscountLimit: percentOrNil(r.DiscountLimit), TargetMargin: percentOrNil(r.TargetMargin),
		Logo: r.Logo, Version: r.Version,
	}
}

func percentOrNil(d *money.Decimal) *money.Percent {
	if d == nil {
		return nil
	}
	p := money.NewPercent(*d)
	return &p
}

func decimalOrNil(p *money.Percent) *money.Decimal {
	if p == nil {
		return nil
	}
	d := p.Decimal()
	return &d
}

// SaveCompany stores the profile, if it is still at the version it was read at, and returns
// nil. Documents that were sent keep their own copy.
func (db *DB) SaveCompany(ctx context.Context, actor int64, p company.Profile) error {
	return db.inTx(ctx, func(ctx context.Context, tx pgx.Tx) error {
		before, err := companyProfile(ctx, tx)
		if err != nil {
			return err
		}
		tag, err := tx.Exec(ctx, sqlUpdateCompany, companyArgs(p))
		if err != nil {
			return fmt.Errorf("save company: %w", err)
		}
		if tag.RowsAffected() == 0 {
			return apperr.New(apperr.Conflict, "errors.changed_meanwhile")
		}
		return db.audit(ctx, tx, change{
			actor: actor, action: "company.save", objectType: "company", objectID: "1", before: before, after: p,
		})
	})
}

func companyArgs(p company.Profile) pgx.NamedArgs {
	return pgx.NamedArgs{
		"name": p.Name, "address": p.Address, "country": p.Country, "tax_number": p.TaxNumber,
		"email": p.Email, "phone": p.Phone, "website": p.Website, "bank": p.Bank,
		"currency": string(p.Currency), "time_zone": p.TimeZone, "quote_prefix": p.QuotePrefix,
		"validity_days": p.ValidityDays, "reservation_days": p.ReservationDays,
		"terms_en": p.Terms["en"], "terms_zh_hans": p.Terms["zh-Hans"], "terms_zh_hant": p.Terms["zh-Hant"],
		"discount_limit": decimalOrNil(p.DiscountLimit), "target_margin": decimalOrNil(p.TargetMargin),
		"logo": p.Logo, "version": p.Version,
	}
}
