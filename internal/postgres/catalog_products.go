package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/catalog"
	"rackwright/internal/money"
)

// skuRow is a SKU as stored, with its three names.
type skuRow struct {
	Code          string
	Kind          string
	Family        string
	Name          string
	Vendor        string
	FormFactor    string
	GPUs          int
	GPUSKU        *string
	Launch        *time.Time
	Status        string
	Description   string
	SourceID      string
	SourceDetail  string
	AlsoSourceIDs []string
	Confidence    string
	NameEn        *string
	NameHans      *string
	NameHant      *string
}

func (r skuRow) domain() catalog.SKU {
	s := catalog.SKU{
		Code: r.Code, Kind: catalog.Kind(r.Kind), Family: r.Family, Name: r.Name, Vendor: r.Vendor, FormFactor: r.FormFactor,
		GPUs: r.GPUs, GPUSKU: value(r.GPUSKU), Status: catalog.Status(r.Status), Description: r.Description,
		SourceID: r.SourceID, SourceDetail: r.SourceDetail, AlsoSourceIDs: r.AlsoSourceIDs,
		Confidence: catalog.Confidence(r.Confidence), Names: map[string]string{},
	}
	if r.Launch != nil {
		s.Launch = r.Launch.Format(time.DateOnly)
	}
	for lang, name := range map[string]*string{"en": r.NameEn, "zh-Hans": r.NameHans, "zh-Hant": r.NameHant} {
		if name != nil {
			s.Names[lang] = *name
		}
	}
	return s
}

// value returns what p points at, or the zero value, which means unknown.
func value[T any](p *T) T {
	if p == nil {
		var zero T
		return zero
	}
	return *p
}

const sqlSKUs = `
SELECT s.code, s.kind, s.family, s.name, s.vendor, s.form_factor, s.gpus, s.gpu_sku, s.launch, s.status, s.description,
       s.source_id, s.source_detail, s.also_source_ids, s.confidence,
       en.name AS name_en, hans.name AS name_hans, hant.name AS name_hant
FROM sku AS s
LEFT JOIN sku_name AS en ON en.sku = s.code AND en.lang = 'en'
LEFT JOIN sku_name AS hans ON hans.sku = s.code AND hans.lang = 'zh-Hans'
LEFT JOIN sku_name AS hant ON hant.sku = s.code AND hant.lang = 'zh-Hant'
WHERE @codes::text[] IS NULL OR s.code = ANY(@codes::text[])
ORDER BY s.code`

const sqlClaims = `
SELECT c.sku, c.key, c.qualifier, c.source_kind, c.source_id, c.source_detail, c.value, c.unit, c.as_of, c.confidence,
       c.verdict, c.remark
FROM spec_claim AS c
JOIN spec_definition AS d ON d.key = c.key
WHERE @codes::text[] IS NULL OR c.sku = ANY(@codes::text[])
ORDER BY c.sku, d.sort, c.key, c.qualifier, c.source_kind, c.source_id, c.source_detail`

const sqlComponents = `
SELECT parent, child, role, quantity, source_id, confidence, remark
FROM sku_component
WHERE @codes::text[] IS NULL OR parent = ANY(@codes::text[])
ORDER BY parent, role <> 'gpu', role <> 'baseboard', role, child`

type claimRow struct {
	SKU          string
	Key          string
	Qualifier    string
	SourceKind   string
	SourceID     string
	SourceDetail string
	Value        string
	Unit         string
	AsOf         time.Time
	Confidence   string
	Verdict      string
	Remark       string
}

func (r claimRow) domain() catalog.Claim {
	return catalog.Claim{
		SKU: r.SKU, Key: r.Key, Qualifier: r.Qualifier, Value: r.Value, Unit: r.Unit, SourceKind: r.SourceKind,
		SourceID: r.SourceID, SourceDetail: r.SourceDetail, AsOf: r.AsOf, Confidence: catalog.Confidence(r.Confidence),
		Verdict: r.Verdict, Remark: r.Remark,
	}
}

type componentRow struct {
	Parent     string
	Child      string
	Role       string
	Quantity   int
	SourceID   string
	Confidence string
	Remark     string
}

func (r componentRow) domain() catalog.Component {
	return catalog.Component{
		Parent: r.Parent, Child: r.Child, Quantity: r.Quantity, Role: r.Role, SourceID: r.SourceID,
		Confidence: catalog.Confidence(r.Confidence), Remark: r.Remark,
	}
}

// collect runs a query and turns its rows into domain values.
func collect[R interface{ domain() D }, D any](ctx context.Context, q querier, sql string, args pgx.NamedArgs) ([]D, error) {
	rows, err := q.Query(ctx, sql, args)
	if err != nil {
		return nil, err
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByName[R])
	if err != nil {
		return nil, err
	}
	out := make([]D, len(found))
	for i, r := range found {
		out[i] = r.domain()
	}
	return out, nil
}

// snapshot runs fn in a read-only transaction in which every statement sees the same state.
func (db *DB) snapshot(ctx context.Context, fn func(tx pgx.Tx) error) error {
	options := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	return interpretError(pgx.BeginTxFunc(ctx, db.pool, options, fn))
}

// EngineProducts returns every SKU with its claims and parts, as the sizing engine needs them.
func (db *DB) EngineProducts(ctx context.Context) ([]catalog.Product, error) {
	var out []catalog.Product
	err := db.snapshot(ctx, func(tx pgx.Tx) (err error) {
		out, err = products(ctx, tx, nil)
		return err
	})
	return out, err
}

// products returns the SKUs of the codes, or all of them for nil, in the order of their codes.
func products(ctx context.Context, q querier, codes []string) ([]catalog.Product, error) {
	args := pgx.NamedArgs{"codes": codes}
	skus, err := collect[skuRow](ctx, q, sqlSKUs, args)
	if err != nil {
		return nil, fmt.Errorf("read SKUs: %w", err)
	}
	claims, err := collect[claimRow](ctx, q, sqlClaims, args)
	if err != nil {
		return nil, fmt.Errorf("read claims: %w", err)
	}
	components, err := collect[componentRow](ctx, q, sqlComponents, args)
	if err != nil {
		return nil, fmt.Errorf("read components: %w", err)
	}
	out := make([]catalog.Product, len(skus))
	at := map[string]int{}
	for i, s := range skus {
		out[i].SKU = s
		at[s.Code] = i
	}
	for _, c := range claims {
		p := &out[at[c.SKU]]
		p.Claims = append(p.Claims, c)
	}
	for _, c := range components {
		p := &out[at[c.Parent]]
		p.Components = append(p.Components, c)
	}
	return out, nil
}

// lookupIn finds products by code.
func lookupIn(all []catalog.Product) catalog.Lookup {
	byCode := make(map[string]catalog.Product, len(all))
	for _, p := range all {
		byCode[p.SKU.Code] = p
	}
	return func(code string) (catalog.Product, bool) { p, ok := byCode[code]; return p, ok }
}

const sqlSKUCodes = `SELECT code FROM sku ORDER BY code`

// SKUCodes returns every code in order.
func (db *DB) SKUCodes(ctx context.Context) ([]string, error) {
	codes, err := texts(ctx, db.pool, sqlSKUCodes)
	return codes, interpretError(err)
}

// texts runs a query for one column of text.
func texts(ctx context.Context, q querier, sql string) ([]string, error) {
	rows, err := q.Query(ctx, sql)
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

const (
	sqlSourceIDs    = `SELECT id FROM source`
	sqlSourceTitles = `SELECT title FROM source`
	sqlSubjectCodes = `SELECT code FROM price_subject`
	sqlParts        = `SELECT parent, child FROM sku_component`
	sqlDefinitions  = `
SELECT key, label, unit, type, better, spec_group, sort, description
FROM spec_definition
ORDER BY sort, key`
)

type definitionRow struct {
	Key         string
	Label       string
	Unit        string
	Type        string
	Better      string
	SpecGroup   string
	Sort        int
	Description string
}

func (r definitionRow) domain() catalog.SpecDefinition {
	return catalog.SpecDefinition{
		Key: r.Key, Label: r.Label, Unit: r.Unit, Type: r.Type, Better: r.Better, Group: r.SpecGroup, Sort: r.Sort,
		Description: r.Description,
	}
}

// SpecDefinitions returns what the spec keys mean, in the order in which pages show them.
func (db *DB) SpecDefinitions(ctx context.Context) ([]catalog.SpecDefinition, error) {
	out, err := collect[definitionRow](ctx, db.pool, sqlDefinitions, nil)
	return out, interpretError(err)
}

// CatalogueKeys returns the stored codes that rows of an import may refer to.
func (db *DB) CatalogueKeys(ctx context.Context) (catalog.Keys, error) {
	keys := catalog.Keys{Definitions: map[string]catalog.SpecDefinition{}}
	err := db.snapshot(ctx, func(tx pgx.Tx) error {
		for _, set := range []struct {
			sql  string
			into *map[string]bool
		}{
			{sqlSourceIDs, &keys.Sources}, {sqlSourceTitles, &keys.SourceTitles}, {sqlSKUCodes, &keys.SKUs}, {sqlSubjectCodes, &keys.Subjects},
		} {
			found, err := texts(ctx, tx, set.sql)
			if err != nil {
				return err
			}
			*set.into = make(map[string]bool, len(found))
			for _, v := range found {
				(*set.into)[v] = true
			}
		}
		definitions, err := collect[definitionRow](ctx, tx, sqlDefinitions, nil)
		for _, d := range definitions {
			keys.Definitions[d.Key] = d
		}
		if err != nil {
			return err
		}
		rows, err := tx.Query(ctx, sqlParts)
		if err != nil {
			return err
		}
		keys.Parts, err = pgx.CollectRows(rows, pgx.RowToStructByName[catalog.HeldPart])
		return err
	})
	return keys, err
}

// refreshSummaries works out what lists show of every SKU.
func refreshSummaries(ctx context.Context, tx pgx.Tx) error {
	all, err := products(ctx, tx, nil)
	if err != nil {
		return err
	}
	prices, err := plainPrices(ctx, tx)
	if err != nil {
		return err
	}
	lookup := lookupIn(all)
	rows := make([]any, len(all))
	for i, p := range all {
		rows[i] = summaryJSON(p.SKU.Code, catalog.Summarise(p, lookup, prices[p.SKU.Code]))
	}
	if _, _, err := upsert(ctx, tx, sqlImportSummaries, rows); err != nil {
		return fmt.Errorf("store summaries: %w", err)
	}
	return nil
}

func summaryJSON(code string, s catalog.Summary) object {
	o := object{
		"sku": code, "search": s.Search, "memory_gb": s.MemoryGB, "memory_type": s.MemoryType, "bandwidth_gbs": s.BandwidthGBs,
		"power_w": s.PowerW, "derived": orEmpty(s.Derived), "conflicts": s.Conflicts,
	}
	if p := s.Price; p != nil {
		o["price"], o["price_currency"], o["price_unit"] = p.Price.Value, p.Price.Currency, p.Unit
		o["price_kind"], o["price_day"], o["price_source_id"] = p.Kind, day(p.Day), p.SourceID
	}
	return o
}

// summaryRow is a summary as stored.
type summaryRow struct {
	MemoryGB      *money.Decimal
	MemoryType    string
	BandwidthGBs  *money.Decimal
	PowerW        *money.Decimal
	Derived       []string
	Conflicts     int
	Price         *money.Decimal
	PriceCurrency *string
	PriceUnit     *string
	PriceKind     *string
	PriceDay      *time.Time
	PriceSourceID *string
}

func (r summaryRow) domain(code string) catalog.Summary {
	s := catalog.Summary{
		MemoryGB: trim(r.MemoryGB), MemoryType: r.MemoryType, BandwidthGBs: trim(r.BandwidthGBs), PowerW: trim(r.PowerW),
		Derived: r.Derived, Conflicts: r.Conflicts,
	}
	if r.Price != nil {
		s.Price = &catalog.PriceObservation{
			Subject: code, Kind: catalog.PriceKind(value(r.PriceKind)), Unit: catalog.PriceUnit(value(r.PriceUnit)),
			Price: money.New(r.Price.Trim(), money.Currency(value(r.PriceCurrency))), Day: value(r.PriceDay), SourceID: value(r.PriceSourceID),
		}
	}
	return s
}

// trim removes the zeros that the column's scale adds.
func trim(d *money.Decimal) *money.Decimal {
	if d == nil {
		return nil
	}
	t := d.Trim()
	return &t
}
