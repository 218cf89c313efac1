package postgres

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/apperr"
	"rackwright/internal/catalog"
)

// SKU returns everything that the page of one product shows, or NotFound.
func (db *DB) SKU(ctx context.Context, code string) (catalog.Detail, error) {
	var d catalog.Detail
	err := db.snapshot(ctx, func(tx pgx.Tx) error {
		found, err := products(ctx, tx, []string{code})
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return apperr.Wrap(apperr.NotFound, fmt.Errorf("SKU %q", code), "catalog.no_such_sku", "sku", code)
		}
		d = catalog.Detail{Product: found[0]}
		for _, read := range []func(context.Context, querier, *catalog.Detail) error{
			readParts, readDefinitions, readRelations, readControl, readResellerClaims, readPrices, readOthers, readSources,
		} {
			if err := read(ctx, tx, &d); err != nil {
				return fmt.Errorf("read SKU %s: %w", code, err)
			}
		}
		return nil
	})
	return d, err
}

// sqlPartCodes follows the bill of materials down to its leaves; the depth ends a loop.
const sqlPartCodes = `
WITH RECURSIVE part AS (
    SELECT child, 1 AS depth FROM sku_component WHERE parent = @sku
    UNION
    SELECT c.child, p.depth + 1 FROM part AS p JOIN sku_component AS c ON c.parent = p.child WHERE p.depth < 8
)
SELECT DISTINCT child FROM part ORDER BY child`

func readParts(ctx context.Context, q querier, d *catalog.Detail) error {
	rows, err := q.Query(ctx, sqlPartCodes, pgx.NamedArgs{"sku": d.SKU.Code})
	if err != nil {
		return err
	}
	codes, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	d.Parts = map[string]catalog.Product{}
	if len(codes) == 0 {
		return nil
	}
	parts, err := products(ctx, q, codes)
	for _, p := range parts {
		d.Parts[p.SKU.Code] = p
	}
	return err
}

func readDefinitions(ctx context.Context, q querier, d *catalog.Detail) error {
	definitions, err := collect[definitionRow](ctx, q, sqlDefinitions, nil)
	d.Definitions = make(map[string]catalog.SpecDefinition, len(definitions))
	for _, def := range definitions {
		d.Definitions[def.Key] = def
	}
	return err
}

const sqlUsedIn = `
SELECT parent, child, role, quantity, source_id, confidence, remark
FROM sku_component
WHERE child = @sku
ORDER BY quantity DESC, parent, role`

const sqlCompatible = `
SELECT sku, relation, other, quantity, any_of, source_id, remark
FROM compatibility
WHERE sku = @sku OR other = @sku
ORDER BY relation, sku, other`

const sqlSubstitutes = `
SELECT sku, substitute, reason, caveat, source_id
FROM substitute
WHERE sku = @sku OR substitute = @sku
ORDER BY sku, substitute`

type compatibleRow struct {
	SKU      string
	Relation string
	Other    string
	Quantity *int
	AnyOf    string
	SourceID string
	Remark   string
}

func (r compatibleRow) domain() catalog.Compatibility {
	return catalog.Compatibility{
		SKU: r.SKU, Relation: catalog.Relation(r.Relation), Other: r.Other, Quantity: value(r.Quantity), AnyOf: r.AnyOf,
		SourceID: r.SourceID, Remark: r.Remark,
	}
}

type substituteRow struct {
	SKU        string
	Substitute string
	Reason     string
	Caveat     string
	SourceID   string
}

func (r substituteRow) domain() catalog.Substitute {
	return catalog.Substitute{SKU: r.SKU, With: r.Substitute, Reason: r.Reason, Caveat: r.Caveat, SourceID: r.SourceID}
}

func readRelations(ctx context.Context, q querier, d *catalog.Detail) (err error) {
	args := pgx.NamedArgs{"sku": d.SKU.Code}
	if d.UsedIn, err = collect[componentRow](ctx, q, sqlUsedIn, args); err != nil {
		return err
	}
	if d.Compatible, err = collect[compatibleRow](ctx, q, sqlCompatible, args); err != nil {
		return err
	}
	all, err := collect[substituteRow](ctx, q, sqlSubstitutes, args)
	for _, s := range all {
		if s.SKU == d.SKU.Code {
			d.Substitutes = append(d.Substitutes, s)
		} else {
			d.Replaces = append(d.Replaces, s)
		}
	}
	return err
}

const sqlControls = `
SELECT sku, class, control_group, rule, effective_on, source_id, confidence, remark
FROM control_class
WHERE @codes::text[] IS NULL OR sku = ANY(@codes::text[])
ORDER BY sku`

type controlRow struct {
	SKU          string
	Class        string
	ControlGroup string
	Rule         string
	EffectiveOn  *time.Time
	SourceID     *string
	Confidence   string
	Remark       string
}

func (r controlRow) domain() catalog.ControlClass {
	return catalog.ControlClass{
		SKU: r.SKU, Class: r.Class, Group: r.ControlGroup, Rule: r.Rule, EffectiveOn: value(r.EffectiveOn),
		SourceID: value(r.SourceID), Confidence: catalog.Confidence(r.Confidence), Remark: r.Remark,
	}
}

func readControl(ctx context.Context, q querier, d *catalog.Detail) error {
	found, err := collect[controlRow](ctx, q, sqlControls, pgx.NamedArgs{"codes": []string{d.SKU.Code}})
	if len(found) > 0 {
		d.Control = &found[0]
	}
	return err
}

// ControlClasses returns the export-control classes of the SKUs.
func (db *DB) ControlClasses(ctx context.Context, codes []string) ([]catalog.ControlClass, error) {
	out, err := collect[controlRow](ctx, db.pool, sqlControls, pgx.NamedArgs{"codes": orEmpty(codes)})
	return out, interpretError(err)
}

const sqlDestinations = `
SELECT country_code, applies_to, rule, country, effect, effective_on, source_id, confidence, remark
FROM control_destination
ORDER BY country, country_code, applies_to, rule`

type destinationRow struct {
	CountryCode string
	AppliesTo   string
	Rule        string
	Country     string
	Effect      string
	EffectiveOn *time.Time
	SourceID    string
	Confidence  string
	Remark      string
}

func (r destinationRow) domain() catalog.ControlDestination {
	return catalog.ControlDestination{
		CountryCode: r.CountryCode, Country: r.Country, AppliesTo: r.AppliesTo, Rule: r.Rule, Effect: catalog.Effect(r.Effect),
		EffectiveOn: value(r.EffectiveOn), SourceID: r.SourceID, Confidence: catalog.Confidence(r.Confidence), Remark: r.Remark,
	}
}

// ControlDestinations returns the export-control rules by country, for catalog.EffectOf.
func (db *DB) ControlDestinations(ctx context.Context) ([]catalog.ControlDestination, error) {
	out, err := collect[destinationRow](ctx, db.pool, sqlDestinations, nil)
	return out, interpretError(err)
}

const sqlResellerClaims = `
SELECT id, source, topic, claim, value, unit, verdict, correct, source_id, source_detail, also_source_ids, sku, key, qualifier
FROM reseller_claim
WHERE sku = @sku
ORDER BY id`

type resellerClaimRow struct {
	ID            string
	Source        string
	Topic         string
	Claim         string
	Value         string
	Unit          string
	Verdict       string
	Correct       string
	SourceID      *string
	SourceDetail  string
	AlsoSourceIDs []string
	SKU           *string
	Key           *string
	Qualifier     string
}

func (r resellerClaimRow) domain() catalog.ResellerClaim {
	return catalog.ResellerClaim{
		ID: r.ID, Source: r.Source, Topic: r.Topic, Text: r.Claim, Value: r.Value, Unit: r.Unit, Verdict: r.Verdict,
		Correct: r.Correct, SourceID: value(r.SourceID), SourceDetail: r.SourceDetail, AlsoSourceIDs: r.AlsoSourceIDs,
		SKU: value(r.SKU), Key: value(r.Key), Qualifier: r.Qualifier,
	}
}

func readResellerClaims(ctx context.Context, q querier, d *catalog.Detail) (err error) {
	d.ResellerClaims, err = collect[resellerClaimRow](ctx, q, sqlResellerClaims, pgx.NamedArgs{"sku": d.SKU.Code})
	return err
}

const sqlSubjects = `
SELECT code, kind, sku, gpu_sku, provider, instance, series, in_provider_charts, label
FROM price_subject
WHERE sku = @sku OR gpu_sku = @sku
ORDER BY code`

type subjectRow struct {
	Code             string
	Kind             string
	SKU              *string
	GPUSKU           *string
	Provider         string
	Instance         string
	Series           string
	InProviderCharts bool
	Label            string
}

func (r subjectRow) domain() catalog.PriceSubject {
	return catalog.PriceSubject{
		Code: r.Code, Kind: r.Kind, SKU: value(r.SKU), GPUSKU: value(r.GPUSKU), Provider: r.Provider, Instance: r.Instance,
		Series: r.Series, InProviderCharts: r.InProviderCharts, Label: r.Label,
	}
}

func readPrices(ctx context.Context, q querier, d *catalog.Detail) error {
	subjects, err := collect[subjectRow](ctx, q, sqlSubjects, pgx.NamedArgs{"sku": d.SKU.Code})
	if err != nil {
		return err
	}
	d.Subjects = make(map[string]catalog.PriceSubject, len(subjects))
	for _, s := range subjects {
		d.Subjects[s.Code] = s
	}
	if d.Observations, err = priceHistory(ctx, q, d.SKU.Code, pageHistory); err != nil {
		return err
	}
	if d.Offers, err = offers(ctx, q, &d.SKU.Code); err != nil {
		return err
	}
	codes := []string{d.SKU.Code}
	for _, c := range d.Components {
		codes = append(codes, c.Child)
	}
	d.Buying, err = plainPricesOf(ctx, q, codes)
	return err
}

// readOthers reads the rows of the other SKUs that the page names.
func readOthers(ctx context.Context, q querier, d *catalog.Detail) (err error) {
	named := map[string]bool{}
	for code := range d.Parts {
		named[code] = true
	}
	for _, c := range d.UsedIn {
		named[c.Parent] = true
	}
	for _, c := range d.Compatible {
		named[c.SKU], named[c.Other] = true, true
	}
	for _, s := range slices.Concat(d.Substitutes, d.Replaces) {
		named[s.SKU], named[s.With] = true, true
	}
	for _, s := range d.Subjects {
		if s.SKU != "" {
			named[s.SKU] = true
		}
	}
	named[d.SKU.Code] = true
	if d.SKU.GPUSKU != "" {
		named[d.SKU.GPUSKU] = true
	}
	d.Others, err = rowsOf(ctx, q, slices.Sorted(maps.Keys(named)))
	return err
}
