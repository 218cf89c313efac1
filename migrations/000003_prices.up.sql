-- Prices as published: what a series is about, its observations, cloud offers and cost items.

CREATE TABLE price_subject (
    id                 integer GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    code               text NOT NULL UNIQUE CHECK (code <> ''),
    kind               text NOT NULL CHECK (kind IN ('sku', 'provider', 'marketplace', 'market', 'index')),
    sku                text REFERENCES sku,
    gpu_sku            text REFERENCES sku,
    provider           text NOT NULL DEFAULT '',
    instance           text NOT NULL DEFAULT '',
    series             text NOT NULL DEFAULT '',
    in_provider_charts boolean NOT NULL,
    label              text NOT NULL DEFAULT '',
    CHECK (kind <> 'sku' OR sku IS NOT NULL)
);

CREATE INDEX price_subject_sku ON price_subject (sku);
CREATE INDEX price_subject_gpu ON price_subject (gpu_sku);

-- Append-only, built for tens of millions of rows. A correction is a new row of the same
-- identity (everything but the price); the newest id of an identity counts. The fingerprint
-- keeps the unique key at 16 bytes a row, whatever the length of source_detail.
CREATE TABLE price_observation (
    id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    subject_id     integer NOT NULL REFERENCES price_subject,
    observed_on    date NOT NULL,
    kind           text NOT NULL CHECK (kind IN ('list', 'msrp_estimate', 'street_new', 'street_used', 'cloud_on_demand', 'cloud_spot', 'cloud_reserved')),
    currency       text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
    unit           text NOT NULL CHECK (unit IN ('per_unit', 'per_system', 'per_gpu_hour', 'per_node_month')),
    price          numeric(18,6) NOT NULL CHECK (price > 0),
    date_precision text NOT NULL CHECK (date_precision IN ('day', 'month', 'quarter', 'half', 'year', 'as_read')),
    confidence     text NOT NULL CHECK (confidence IN ('high', 'medium', 'low')),
    region         text NOT NULL DEFAULT '',
    source_id      text NOT NULL REFERENCES source,
    source_detail  text NOT NULL DEFAULT '',
    gpu_sku        text REFERENCES sku,
    licence        text NOT NULL CHECK (licence <> ''),
    note           text NOT NULL DEFAULT '',
    fingerprint    uuid NOT NULL UNIQUE GENERATED ALWAYS AS (md5(
        subject_id::text || '|' || kind || '|' || currency || '|' || unit || '|' || (observed_on - DATE '2000-01-01')::text || '|' ||
        region || '|' || source_id || '|' || source_detail || '|' || trim_scale(price)::text)::uuid) STORED
);

CREATE INDEX price_observation_series ON price_observation (subject_id, kind, observed_on DESC);

CREATE FUNCTION price_observation_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'price observations are append-only' USING ERRCODE = 'integrity_constraint_violation';
END
$$;

CREATE TRIGGER price_observation_append_only BEFORE UPDATE OR DELETE ON price_observation
    FOR EACH STATEMENT EXECUTE FUNCTION price_observation_append_only();

CREATE TABLE cloud_offer (
    provider      text NOT NULL CHECK (provider <> ''),
    instance      text NOT NULL CHECK (instance <> ''),
    region        text NOT NULL CHECK (region <> ''),
    commitment    text NOT NULL CHECK (commitment IN ('on_demand', 'spot', 'reserved_1y', 'reserved_3y')),
    as_of         date NOT NULL,
    source_id     text NOT NULL REFERENCES source,
    subject_id    integer NOT NULL REFERENCES price_subject,
    price_kind    text NOT NULL CHECK (price_kind IN ('cloud_on_demand', 'cloud_spot', 'cloud_reserved')),
    gpu_sku       text NOT NULL REFERENCES sku,
    gpus          integer NOT NULL CHECK (gpus > 0),
    gpu_memory_gb numeric(18,6) NOT NULL CHECK (gpu_memory_gb > 0),
    vcpus         integer CHECK (vcpus > 0),
    ram_gb        numeric(18,6) CHECK (ram_gb > 0),
    usd_per_hour  numeric(18,6) NOT NULL CHECK (usd_per_hour > 0),
    usd_per_gpu_hour numeric(18,6) NOT NULL CHECK (usd_per_gpu_hour > 0),
    fabric        text NOT NULL DEFAULT '' CHECK (fabric IN ('', 'none', 'InfiniBand', 'EFA', 'Ethernet', 'RoCE')), -- '' is unknown
    network_gbps  numeric(18,6) CHECK (network_gbps > 0), -- accelerator fabric of a node
    source_detail text NOT NULL DEFAULT '',
    confidence    text NOT NULL CHECK (confidence IN ('high', 'medium', 'low')),
    licence       text NOT NULL CHECK (licence <> ''),
    PRIMARY KEY (provider, instance, region, commitment, as_of, source_id)
);

CREATE INDEX cloud_offer_gpu ON cloud_offer (gpu_sku, as_of DESC);

CREATE TABLE cost_default (
    key           text NOT NULL CHECK (key <> ''),
    region        text NOT NULL DEFAULT '',
    unit          text NOT NULL CHECK (unit <> ''),
    value         numeric(18,6), -- without a value: a range, or "your figure"
    low           numeric(18,6),
    high          numeric(18,6),
    as_of         date NOT NULL,
    source_id     text NOT NULL REFERENCES source,
    source_detail text NOT NULL DEFAULT '',
    confidence    text NOT NULL CHECK (confidence IN ('high', 'medium', 'low')),
    note          text NOT NULL DEFAULT '',
    PRIMARY KEY (key, region),
    CHECK (low <= high)
);

CREATE TABLE colo_cost (
    id              bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    item            text NOT NULL CHECK (item <> ''),
    region          text NOT NULL CHECK (region <> ''),
    as_of           date NOT NULL,
    source_id       text NOT NULL REFERENCES source,
    value           numeric(18,6),
    low             numeric(18,6),
    high            numeric(18,6),
    unit            text NOT NULL CHECK (unit <> ''),
    source_detail   text NOT NULL DEFAULT '',
    also_source_ids text[] NOT NULL DEFAULT '{}',
    confidence      text NOT NULL CHECK (confidence IN ('high', 'medium', 'low')),
    date_precision  text NOT NULL CHECK (date_precision IN ('day', 'month', 'quarter', 'half', 'year', 'as_read')),
    note            text NOT NULL DEFAULT '',
    UNIQUE NULLS NOT DISTINCT (item, region, as_of, source_id, value, low, high),
    CHECK (low <= high)
);
