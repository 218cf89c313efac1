package postgres

import "rackwright/internal/catalog"

// The statements of an import of prices. Observations are only ever added. Each takes its rows as one JSON array, inserts what is new,
// updates what differs, and returns how many of either.

const sqlImportSubjects = `
WITH done AS (
    INSERT INTO price_subject (
        code, kind, sku, gpu_sku, provider, instance, series, in_provider_charts, label)
    SELECT
        r.code, r.kind, r.sku, r.gpu_sku, r.provider, r.instance, r.series, r.in_provider_charts, r.label
    FROM jsonb_to_recordset(@rows::jsonb) AS r(
        code text, kind text, sku text, gpu_sku text, provider text, instance text, series text,
        in_provider_charts boolean, label text)
    ON CONFLICT (code) DO UPDATE SET
        kind = excluded.kind, sku = excluded.sku, gpu_sku = excluded.gpu_sku, provider = excluded.provider,
        instance = excluded.instance, series = excluded.series,
        in_provider_charts = excluded.in_provider_charts, label = excluded.label
    WHERE (
        price_subject.kind, price_subject.sku, price_subject.gpu_sku, price_subject.provider,
        price_subject.instance, price_subject.series, price_subject.in_provider_charts, price_subject.label
    ) IS DISTINCT FROM (
        excluded.kind, excluded.sku, excluded.gpu_sku, excluded.provider, excluded.instance, excluded.series,
        excluded.in_provider_charts, excluded.label)
    RETURNING (xmax = 0) AS inserted
)
SELECT count(*) FILTER (WHERE inserted)::int, count(*) FILTER (WHERE NOT inserted)::int FROM done`

func subjectJSON(s catalog.PriceSubject) object {
	return object{
		"code": s.Code, "kind": s.Kind, "sku": orNull(s.SKU), "gpu_sku": orNull(s.GPUSKU), "provider": s.Provider,
		"instance": s.Instance, "series": s.Series, "in_provider_charts": s.InProviderCharts, "label": s.Label,
	}
}

const sqlImportObservations = `
WITH done AS (
    INSERT INTO price_observation (
        subject_id, observed_on, kind, currency, unit, price, date_precision, confidence, region, source_id,
        source_detail, gpu_sku, licence, note)
    SELECT
        p.id, r.observed_on, r.kind, r.currency, r.unit, r.price, r.date_precision, r.confidence, r.region,
        r.source_id, r.source_detail, r.gpu_sku, r.licence, r.note
    FROM jsonb_to_recordset(@rows::jsonb) AS r(
        subject text, observed_on date, kind text, currency text, unit text, price numeric,
        date_precision text, confidence text, region text, source_id text, source_detail text, gpu_sku text,
        licence text, note text)
    JOIN price_subject AS p ON p.code = r.subject
    ON CONFLICT (fingerprint) DO NOTHING
    RETURNING true AS inserted
)
SELECT count(*) FILTER (WHERE inserted)::int, count(*) FILTER (WHERE NOT inserted)::int FROM done`

func observationJSON(o catalog.PriceObservation) object {
	return object{
		"subject": o.Subject, "observed_on": day(o.Day), "kind": o.Kind, "currency": o.Price.Currency,
		"unit": o.Unit, "price": o.Price.Value, "date_precision": o.DatePrecision, "confidence": o.Confidence,
		"region": o.Region, "source_id": o.SourceID, "source_detail": o.SourceDetail, "gpu_sku": orNull(o.GPUSKU),
		"licence": o.Licence, "note": o.Note,
	}
}

const sqlImportOffers = `
WITH done AS (
    INSERT INTO cloud_offer (
        provider, instance, region, commitment, as_of, source_id, subject_id, price_kind, gpu_sku, gpus,
        gpu_memory_gb, vcpus, ram_gb, usd_per_hour, usd_per_gpu_hour, fabric, network_gbps, source_detail,
        confidence, licence)
    SELECT
        r.provider, r.instance, r.region, r.commitment, r.as_of, r.source_id, p.id, r.price_kind, r.gpu_sku,
        r.gpus, r.gpu_memory_gb, r.vcpus, r.ram_gb, r.usd_per_hour, r.usd_per_gpu_hour, r.fabric,
        r.network_gbps, r.source_detail, r.confidence, r.licence
    FROM jsonb_to_recordset(@rows::jsonb) AS r(
        provider text, instance text, region text, commitment text, as_of date, source_id text, subject text,
        price_kind text, gpu_sku text, gpus integer, gpu_memory_gb numeric, vcpus integer, ram_gb numeric,
        usd_per_hour numeric, usd_per_gpu_hour numeric, fabric text, network_gbps numeric,
        source_detail text, confidence text, licence text)
    JOIN price_subject AS p ON p.code = r.subject
    ON CONFLICT (provider, instance, region, commitment, as_of, source_id) DO UPDATE SET
        subject_id = excluded.subject_id, price_kind = excluded.price_kind, gpu_sku = excluded.gpu_sku,
        gpus = excluded.gpus, gpu_memory_gb = excluded.gpu_memory_gb, vcpus = excluded.vcpus,
        ram_gb = excluded.ram_gb, usd_per_hour = excluded.usd_per_hour,
        usd_per_gpu_hour = excluded.usd_per_gpu_hour, fabric = excluded.fabric,
        network_gbps = excluded.network_gbps, source_detail = excluded.source_detail,
        confidence = excluded.confidence, licence = excluded.licence
    WHERE (
        cloud_offer.subject_id, cloud_offer.price_kind, cloud_offer.gpu_sku, cloud_offer.gpus,
        cloud_offer.gpu_memory_gb, cloud_offer.vcpus, cloud_offer.ram_gb, cloud_offer.usd_per_hour,
        cloud_offer.usd_per_gpu_hour, cloud_offer.fabric, cloud_offer.network_gbps,
        cloud_offer.source_detail, cloud_offer.confidence, cloud_offer.licence
    ) IS DISTINCT FROM (
        excluded.subject_id, excluded.price_kind, excluded.gpu_sku, excluded.gpus, excluded.gpu_memory_gb,
        excluded.vcpus, excluded.ram_gb, excluded.usd_per_hour, excluded.usd_per_gpu_hour, excluded.fabric,
        excluded.network_gbps, excluded.source_detail, excluded.confidence, excluded.licence)
    RETURNING (xmax = 0) AS inserted
)
SELECT count(*) FILTER (WHERE inserted)::int, count(*) FILTER (WHERE NOT inserted)::int FROM done`

func offerJSON(o catalog.CloudOffer) object {
	return object{
		"provider": o.Provider, "instance": o.Instance, "region": o.Region, "commitment": o.Commitment,
		"as_of": day(o.AsOf), "source_id": o.SourceID, "subject": o.Subject, "price_kind": o.PriceKind,
		"gpu_sku": o.GPUSKU, "gpus": o.GPUs, "gpu_memory_gb": o.GPUMemoryGB, "vcpus": orNull(o.VCPUs),
		"ram_gb": o.RAMGB, "usd_per_hour": o.USDPerHour, "usd_per_gpu_hour": o.USDPerGPUHour, "fabric": o.Fabric,
		"network_gbps": o.NetworkGbps, "source_detail": o.SourceDetail, "confidence": o.Confidence,
		"licence": o.Licence,
	}
}

const sqlImportColoCosts = `
WITH done AS (
    INSERT INTO colo_cost (
        item, region, as_of, source_id, value, low, high, unit, source_detail, also_source_ids, confidence,
        date_precision, note)
    SELECT
        r.item, r.region, r.as_of, r.source_id, r.value, r.low, r.high, r.unit, r.source_detail,
        r.also_source_ids, r.confidence, r.date_precision, r.note
    FROM jsonb_to_recordset(@rows::jsonb) AS r(
        item text, region text, as_of date, source_id text, value numeric, low numeric, high numeric,
        unit text, source_detail text, also_source_ids text[], confidence text, date_precision text, note text)
    ON CONFLICT (item, region, as_of, source_id, value, low, high) DO UPDATE SET
        unit = excluded.unit, source_detail = excluded.source_detail,
        also_source_ids = excluded.also_source_ids, confidence = excluded.confidence,
        date_precision = excluded.date_precision, note = excluded.note
    WHERE (
        colo_cost.unit, colo_cost.source_detail, colo_cost.also_source_ids, colo_cost.confidence,
        colo_cost.date_precision, colo_cost.note
    ) IS DISTINCT FROM (
        excluded.unit, excluded.source_detail, excluded.also_source_ids, excluded.confidence,
        excluded.date_precision, excluded.note)
    RETURNING (xmax = 0) AS inserted
)
SELECT count(*) FILTER (WHERE inserted)::int, count(*) FILTER (WHERE NOT inserted)::int FROM done`

func coloCostJSON(c catalog.ColoCost) object {
	return object{
		"item": c.Item, "region": c.Region, "as_of": day(c.AsOf), "source_id": c.SourceID, "value": c.Value,
		"low": c.Low, "high": c.High, "unit": c.Unit, "source_detail": c.SourceDetail,
		"also_source_ids": orEmpty(c.AlsoSourceIDs), "confidence": c.Confidence, "date_precision": c.DatePrecision,
		"note": c.Note,
	}
}

const sqlImportCostDefaults = `
WITH done AS (
    INSERT INTO cost_default (
        key, region, value, low, high, unit, as_of, source_id, source_detail, confidence, note)
    SELECT
        r.key, r.region, r.value, r.low, r.high, r.unit, r.as_of, r.source_id, r.source_detail, r.confidence,
        r.note
    FROM jsonb_to_recordset(@rows::jsonb) AS r(
        key text, region text, value numeric, low numeric, high numeric, unit text, as_of date,
        source_id text, source_detail text, confidence text, note text)
    ON CONFLICT (key, region) DO UPDATE SET
        value = excluded.value, low = excluded.low, high = excluded.high, unit = excluded.unit,
        as_of = excluded.as_of, source_id = excluded.source_id, source_detail = excluded.source_detail,
        confidence = excluded.confidence, note = excluded.note
    WHERE (
        cost_default.value, cost_default.low, cost_default.high, cost_default.unit, cost_default.as_of,
        cost_default.source_id, cost_default.source_detail, cost_default.confidence, cost_default.note
    ) IS DISTINCT FROM (
        excluded.value, excluded.low, excluded.high, excluded.unit, excluded.as_of, excluded.source_id,
        excluded.source_detail, excluded.confidence, excluded.note)
    RETURNING (xmax = 0) AS inserted
)
SELECT count(*) FILTER (WHERE inserted)::int, count(*) FILTER (WHERE NOT inserted)::int FROM done`

func costDefaultJSON(c catalog.CostDefault) object {
	return object{
		"key": c.Key, "region": c.Region, "value": c.Value, "low": c.Low, "high": c.High, "unit": c.Unit,
		"as_of": day(c.AsOf), "source_id": c.SourceID, "source_detail": c.SourceDetail, "confidence": c.Confidence,
		"note": c.Note,
	}
}

const sqlImportSummaries = `
WITH done AS (
    INSERT INTO sku_summary (
        sku, search, memory_gb, memory_type, bandwidth_gbs, power_w, derived, conflicts, price,
        price_currency, price_unit, price_kind, price_day, price_source_id)
    SELECT
        r.sku, r.search, r.memory_gb, r.memory_type, r.bandwidth_gbs, r.power_w, r.derived, r.conflicts,
        r.price, r.price_currency, r.price_unit, r.price_kind, r.price_day, r.price_source_id
    FROM jsonb_to_recordset(@rows::jsonb) AS r(
        sku text, search text, memory_gb numeric, memory_type text, bandwidth_gbs numeric, power_w numeric,
        derived text[], conflicts integer, price numeric, price_currency text, price_unit text,
        price_kind text, price_day date, price_source_id text)
    ON CONFLICT (sku) DO UPDATE SET
        search = excluded.search, memory_gb = excluded.memory_gb, memory_type = excluded.memory_type,
        bandwidth_gbs = excluded.bandwidth_gbs, power_w = excluded.power_w, derived = excluded.derived,
        conflicts = excluded.conflicts, price = excluded.price, price_currency = excluded.price_currency,
        price_unit = excluded.price_unit, price_kind = excluded.price_kind, price_day = excluded.price_day,
        price_source_id = excluded.price_source_id
    WHERE (
        sku_summary.search, sku_summary.memory_gb, sku_summary.memory_type, sku_summary.bandwidth_gbs,
        sku_summary.power_w, sku_summary.derived, sku_summary.conflicts, sku_summary.price,
        sku_summary.price_currency, sku_summary.price_unit, sku_summary.price_kind, sku_summary.price_day,
        sku_summary.price_source_id
    ) IS DISTINCT FROM (
        excluded.search, excluded.memory_gb, excluded.memory_type, excluded.bandwidth_gbs, excluded.power_w,
        excluded.derived, excluded.conflicts, excluded.price, excluded.price_currency, excluded.price_unit,
        excluded.price_kind, excluded.price_day, excluded.price_source_id)
    RETURNING (xmax = 0) AS inserted
)
SELECT count(*) FILTER (WHERE inserted)::int, count(*) FILTER (WHERE NOT inserted)::int FROM done`
