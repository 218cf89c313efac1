package postgres

import (
	"context"
	"fmt"
	"time"

	"github.com/jackc/pgx/v5"

	"rackwright/internal/catalog"
	"rackwright/internal/money"
)

// historyLimit bounds what one request reads of a history: of each series, and altogether.
type historyLimit struct{ series, all int }

var (
	pageHistory = historyLimit{series: 400, all: 20_000}
	fileHistory = historyLimit{series: 10_000, all: 100_000}
)

type observationRow struct {
	Subject       string
	ObservedOn    time.Time
	Kind          string
	Currency      string
	Unit          string
	Price         money.Decimal
	DatePrecision string
	Confidence    string
	Region        string
	SourceID      string
	SourceDetail  string
	GPUSKU        *string
	Licence       string
	Note          string
}

func (r observationRow) domain() catalog.PriceObservation {
	return catalog.PriceObservation{
		Subject: r.Subject, Kind: catalog.PriceKind(r.Kind), Price: money.New(r.Price.Trim(), money.Currency(r.Currency)),
		Unit: catalog.PriceUnit(r.Unit), Day: r.ObservedOn, DatePrecision: r.DatePrecision, Region: r.Region,
		SourceID: r.SourceID, SourceDetail: r.SourceDetail, Confidence: catalog.Confidence(r.Confidence),
		GPUSKU: value(r.GPUSKU), Licence: r.Licence, Note: r.Note,
	}
}

// sqlPriceHistory reads the newest rows of each series, so that its work does not grow with
// the table, and takes the newest row of an identity: a correction is a later row.
const sqlPriceHistory = `
SELECT h.subject, h.observed_on, h.kind, h.currency, h.unit, h.price, h.date_precision, h.confidence, h.region,
       h.source_id, h.source_detail, h.gpu_sku, h.licence, h.note
FROM (
    SELECT DISTINCT ON (o.subject_id, o.kind, o.observed_on, o.currency, o.unit, o.region, o.source_id, o.source_detail)
           p.code AS subject, o.observed_on, o.kind, o.currency, o.unit, o.price, o.date_precision, o.confidence, o.region,
           o.source_id, o.source_detail, o.gpu_sku, o.licence, o.note
    FROM price_subject AS p
    CROSS JOIN unnest(@kinds::text[]) AS k(kind)
    CROSS JOIN LATERAL (
        SELECT n.*
        FROM price_observation AS n
        WHERE n.subject_id = p.id AND n.kind = k.kind
        ORDER BY n.observed_on DESC
        LIMIT @per_series
    ) AS o
    WHERE p.sku = @sku OR p.gpu_sku = @sku
    ORDER BY o.subject_id, o.kind, o.observed_on, o.currency, o.unit, o.region, o.source_id, o.source_detail, o.id DESC
) AS h
ORDER BY h.observed_on DESC, h.subject, h.kind, h.currency, h.region, h.source_id, h.source_detail
LIMIT @limit`

// priceKinds are all kinds of prices, for statements that go through the index series by series.
var priceKinds = []string{
	string(catalog.ListPrice), string(catalog.MSRPEstimate), string(catalog.StreetNew), string(catalog.StreetUsed),
	string(catalog.CloudOnDemand), string(catalog.CloudSpot), string(catalog.CloudReserved),
}

// PriceHistory returns the observations of a SKU for a file, newest first: what it costs to buy, and
// for a GPU what it and the systems around it cost to buy or rent.
func (db *DB) PriceHistory(ctx context.Context, sku string) ([]catalog.PriceObservation, error) {
	out, err := priceHistory(ctx, db.pool, sku, fileHistory)
	return out, interpretError(err)
}

func priceHistory(ctx context.Context, q querier, sku string, limit historyLimit) ([]catalog.PriceObservation, error) {
	out, err := collect[observationRow](ctx, q, sqlPriceHistory, pgx.NamedArgs{
		"sku": sku, "kinds": priceKinds, "per_series": limit.series, "limit": limit.all,
	})
	if err != nil {
		return nil, fmt.Errorf("read price history: %w", err)
	}
	return out, nil
}

// sqlPlainPrices takes the newest usable observations of the plain series of SKUs: enough for
// the rules that pick a price, however long the history is.
const sqlPlainPrices = `
SELECT p.sku, o.observed_on, o.kind, o.currency, o.unit, o.price, o.date_precision, o.confidence, o.region,
       o.source_id, o.source_detail, o.gpu_sku, o.licence, o.note, p.code AS subject
FROM price_subject AS p
CROSS JOIN unnest(ARRAY['list', 'street_new', 'cloud_on_demand']) AS k(kind)
CROSS JOIN LATERAL (
    SELECT DISTINCT ON (r.currency, r.unit) r.*
    FROM (
        SELECT n.*
        FROM price_observation AS n
        WHERE n.subject_id = p.id AND n.kind = k.kind AND n.confidence <> 'low'
        ORDER BY n.observed_on DESC
        LIMIT 500
    ) AS r
    ORDER BY r.currency, r.unit, r.observed_on DESC, (r.confidence = 'high') DESC, r.id DESC
) AS o
WHERE p.series = '' AND p.sku IS NOT NULL AND (@codes::text[] IS NULL OR p.sku = ANY(@codes::text[]))
ORDER BY p.sku, o.observed_on DESC, o.id DESC`

// skuObservationRow is an observation with the SKU that it is about.
type skuObservationRow struct {
	observationRow
	SKU string
}

// plainPrices returns, by SKU, the newest usable observations of its plain series.
func plainPrices(ctx context.Context, q querier) (map[string][]catalog.PriceObservation, error) {
	return plainPricesOf(ctx, q, nil)
}

// plainPricesOf is plainPrices for some SKUs, or for all of them where codes is nil.
func plainPricesOf(ctx context.Context, q querier, codes []string) (map[string][]catalog.PriceObservation, error) {
	rows, err := q.Query(ctx, sqlPlainPrices, pgx.NamedArgs{"codes": codes})
	if err != nil {
		return nil, fmt.Errorf("read prices: %w", err)
	}
	found, err := pgx.CollectRows(rows, pgx.RowToStructByName[skuObservationRow])
	if err != nil {
		return nil, fmt.Errorf("read prices: %w", err)
	}
	out := map[string][]catalog.PriceObservation{}
	for _, r := range found {
		out[r.SKU] = append(out[r.SKU], r.domain())
	}
	return out, nil
}

// BuyingPrices returns, by SKU, the observations from which catalog.BuyingPrice picks.
func (db *DB) BuyingPrices(ctx context.Context) (map[string][]catalog.PriceObservation, error) {
	out, err := plainPrices(ctx, db.pool)
	return out, interpretError(err)
}

const sqlOffers = `
SELECT o.provider, o.instance, o.region, o.commitment, o.as_of, o.source_id, p.code AS subject, o.price_kind, o.gpu_sku,
       o.gpus, o.gpu_memory_gb, o.vcpus, o.ram_gb, o.usd_per_hour, o.usd_per_gpu_hour, o.fabric, o.network_gbps,
       o.source_detail, o.confidence, o.licence
FROM cloud_offer AS o
JOIN price_subject AS p ON p.id = o.subject_id
WHERE @sku::text IS NULL OR o.gpu_sku = @sku OR p.sku = @sku
ORDER BY o.as_of DESC, o.provider, o.instance, o.region, o.commitment, o.source_id
LIMIT @limit`

// offerLimit bounds the offers that one request reads, the newest first.
const offerLimit = 20_000

type offerRow struct {
	Provider      string
	Instance      string
	Region        string
	Commitment    string
	AsOf          time.Time
	SourceID      string
	Subject       string
	PriceKind     string
	GPUSKU        string
	GPUs          int
	GPUMemoryGB   money.Decimal
	VCPUs         *int
	RAMGB         *money.Decimal
	USDPerHour    money.Decimal
	USDPerGPUHour money.Decimal
	Fabric        string
	NetworkGbps   *money.Decimal
	SourceDetail  string
	Confidence    string
	Licence       string
}

func (r offerRow) domain() catalog.CloudOffer {
	return catalog.CloudOffer{
		Provider: r.Provider, Instance: r.Instance, Subject: r.Subject, PriceKind: catalog.PriceKind(r.PriceKind), GPUSKU: r.GPUSKU,
		GPUs: r.GPUs, GPUMemoryGB: r.GPUMemoryGB.Trim(), VCPUs: value(r.VCPUs), RAMGB: trim(r.RAMGB), Region: r.Region,
		Commitment: r.Commitment, USDPerHour: r.USDPerHour.Trim(), USDPerGPUHour: r.USDPerGPUHour.Trim(), Fabric: r.Fabric,
		NetworkGbps: trim(r.NetworkGbps), AsOf: r.AsOf, SourceID: r.SourceID, SourceDetail: r.SourceDetail,
		Confidence: catalog.Confidence(r.Confidence), Licence: r.Licence,
	}
}

// CloudOffers returns every offer, newest first.
func (db *DB) CloudOffers(ctx context.Context) ([]catalog.CloudOffer, error) {
	out, err := offers(ctx, db.pool, nil)
	return out, interpretError(err)
}

// offers returns the offers of a GPU or an instance's SKU, or all of them for nil.
func offers(ctx context.Context, q querier, sku *string) ([]catalog.CloudOffer, error) {
	out, err := collect[offerRow](ctx, q, sqlOffers, pgx.NamedArgs{"sku": sku, "limit": offerLimit})
	if err != nil {
		return nil, fmt.Errorf("read offers: %w", err)
	}
	return out, nil
}

const sqlCostDefaults = `
SELECT key, region, value, low, high, unit, as_of, source_id, source_detail, confidence, note
FROM cost_default
ORDER BY key, region`

type costDefaultRow struct {
	Key          string
	Region       string
	Value        *money.Decimal
	Low          *money.Decimal
	High         *money.Decimal
	Unit         string
	AsOf         time.Time
	SourceID     string
	SourceDetail string
	Confidence   string
	Note         string
}

func (r costDefaultRow) domain() catalog.CostDefault {
	return catalog.CostDefault{
		Key: r.Key, Region: r.Region, Value: trim(r.Value), Low: trim(r.Low), High: trim(r.High), Unit: r.Unit, AsOf: r.AsOf,
		SourceID: r.SourceID, SourceDetail: r.SourceDetail, Confidence: catalog.Confidence(r.Confidence), Note: r.Note,
	}
}

// CostDefaults returns the defaults of the cost comparison.
func (db *DB) CostDefaults(ctx context.Context) ([]catalog.CostDefault, error) {
	out, err := collect[costDefaultRow](ctx, db.pool, sqlCostDefaults, nil)
	return out, interpretError(err)
}

const sqlColoCosts = `
SELECT item, region, as_of, source_id, value, low, high, unit, source_detail, also_source_ids, confidence, date_precision, note
FROM colo_cost
ORDER BY item, region, as_of DESC, id`

type coloCostRow struct {
	Item          string
	Region        string
	AsOf          time.Time
	SourceID      string
	Value         *money.Decimal
	Low           *money.Decimal
	High          *money.Decimal
	Unit          string
	SourceDetail  string
	AlsoSourceIDs []string
	Confidence    string
	DatePrecision string
	Note          string
}

func (r coloCostRow) domain() catalog.ColoCost {
	return catalog.ColoCost{
		Item: r.Item, Region: r.Region, Value: trim(r.Value), Low: trim(r.Low), High: trim(r.High), Unit: r.Unit, AsOf: r.AsOf,
		DatePrecision: r.DatePrecision, SourceID: r.SourceID, SourceDetail: r.SourceDetail, AlsoSourceIDs: r.AlsoSourceIDs,
		Confidence: catalog.Confidence(r.Confidence), Note: r.Note,
	}
}

// ColoCosts returns the published cost items of colocation, power, staff and finance.
func (db *DB) ColoCosts(ctx context.Context) ([]catalog.ColoCost, error) {
	out, err := collect[coloCostRow](ctx, db.pool, sqlColoCosts, nil)
	return out, interpretError(err)
}
