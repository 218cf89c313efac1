-- The catalogue: sources, SKUs, sourced claims about them, parts and rules of how they go together.
-- Codes and keys are the published ones; they are the primary keys, so that files and rows read alike.

CREATE TABLE source (
    id           text PRIMARY KEY CHECK (id <> ''),
    kind         text NOT NULL CHECK (kind <> ''),
    title        text NOT NULL CHECK (title <> ''),
    publisher    text NOT NULL,
    url          text NOT NULL,
    published    text NOT NULL DEFAULT '' CHECK (published ~ '^(\d{4}(-\d\d(-\d\d)?)?)?$'),
    retrieved    date NOT NULL,
    licence      text NOT NULL CHECK (licence <> ''),
    licence_note text NOT NULL DEFAULT ''
);

CREATE TABLE vendor (
    name text PRIMARY KEY CHECK (name <> '')
);

CREATE TABLE sku (
    code            text PRIMARY KEY CHECK (code ~ '^[A-Z0-9][A-Z0-9._-]{0,63}$'),
    kind            text NOT NULL CHECK (kind IN ('gpu', 'baseboard', 'system', 'cluster', 'network', 'accessory', 'cloud_instance')),
    family          text NOT NULL CHECK (family <> ''),
    name            text NOT NULL CHECK (name <> ''),
    vendor          text NOT NULL REFERENCES vendor,
    form_factor     text NOT NULL CHECK (form_factor <> ''),
    gpus            integer NOT NULL DEFAULT 0 CHECK (gpus >= 0),
    gpu_sku         text REFERENCES sku DEFERRABLE INITIALLY DEFERRED,
    launch          date,
    status          text NOT NULL CHECK (status IN ('shipping', 'superseded', 'announced', 'unverified')),
    description     text NOT NULL DEFAULT '',
    source_id       text NOT NULL REFERENCES source,
    source_detail   text NOT NULL DEFAULT '',
    also_source_ids text[] NOT NULL DEFAULT '{}',
    confidence      text NOT NULL CHECK (confidence IN ('high', 'medium', 'low'))
);

CREATE TABLE sku_name (
    sku  text NOT NULL REFERENCES sku,
    lang text NOT NULL CHECK (lang IN ('en', 'zh-Hans', 'zh-Hant')),
    name text NOT NULL CHECK (name <> ''),
    PRIMARY KEY (sku, lang)
);

CREATE TABLE sku_alias (
    alias   text PRIMARY KEY CHECK (alias <> ''),
    sku     text REFERENCES sku,
    match   text NOT NULL CHECK (match IN ('exact', 'nearest', 'none')),
    used_in text NOT NULL DEFAULT '',
    note    text NOT NULL DEFAULT '',
    CHECK ((match = 'none') = (sku IS NULL))
);

CREATE TABLE spec_definition (
    key         text PRIMARY KEY CHECK (key ~ '^[a-z][a-z0-9_]*$'),
    label       text NOT NULL CHECK (label <> ''),
    unit        text NOT NULL,
    type        text NOT NULL CHECK (type IN ('number', 'text', 'bool')),
    better      text NOT NULL CHECK (better IN ('higher', 'lower', 'none')),
    spec_group  text NOT NULL CHECK (spec_group IN ('compute', 'memory', 'interconnect', 'power', 'form', 'system', 'network', 'storage', 'mig', 'chip')),
    sort        integer NOT NULL,
    description text NOT NULL DEFAULT '',
    CHECK (type <> 'number' OR unit <> '')
);

CREATE TABLE spec_claim (
    sku           text NOT NULL REFERENCES sku,
    key           text NOT NULL REFERENCES spec_definition,
    qualifier     text NOT NULL DEFAULT '',
    source_kind   text NOT NULL CHECK (source_kind IN ('vendor_datasheet', 'whitepaper', 'oem', 'third_party', 'reseller_claim')),
    source_id     text NOT NULL REFERENCES source,
    source_detail text NOT NULL DEFAULT '',
    value         text NOT NULL CHECK (value <> ''),
    unit          text NOT NULL,
    as_of         date NOT NULL,
    confidence    text NOT NULL CHECK (confidence IN ('high', 'medium', 'low')),
    verdict       text NOT NULL DEFAULT '' CHECK (verdict IN ('', 'confirmed', 'contradicted', 'garbled', 'unverifiable')),
    remark        text NOT NULL DEFAULT '',
    PRIMARY KEY (sku, key, qualifier, source_kind, source_id, source_detail),
    CHECK ((source_kind = 'reseller_claim') = (verdict <> ''))
);

CREATE TABLE reseller_claim (
    id              text PRIMARY KEY CHECK (id <> ''),
    source          text NOT NULL CHECK (source <> ''), -- title of the reseller's text among the sources
    topic           text NOT NULL,
    claim           text NOT NULL CHECK (claim <> ''),
    value           text NOT NULL DEFAULT '',
    unit            text NOT NULL DEFAULT '',
    verdict         text NOT NULL CHECK (verdict IN ('confirmed', 'contradicted', 'garbled', 'unverifiable')),
    correct         text NOT NULL DEFAULT '',
    source_id       text REFERENCES source,
    source_detail   text NOT NULL DEFAULT '',
    also_source_ids text[] NOT NULL DEFAULT '{}',
    sku             text REFERENCES sku,
    key             text REFERENCES spec_definition,
    qualifier       text NOT NULL DEFAULT ''
);

CREATE INDEX reseller_claim_sku ON reseller_claim (sku);

CREATE TABLE sku_component (
    parent     text NOT NULL REFERENCES sku,
    child      text NOT NULL REFERENCES sku,
    role       text NOT NULL CHECK (role <> ''),
    quantity   integer NOT NULL CHECK (quantity > 0),
    source_id  text NOT NULL REFERENCES source,
    confidence text NOT NULL CHECK (confidence IN ('high', 'medium', 'low')),
    remark     text NOT NULL DEFAULT '',
    PRIMARY KEY (parent, child, role),
    CHECK (parent <> child)
);

CREATE INDEX sku_component_child ON sku_component (child);

CREATE TABLE compatibility (
    sku       text NOT NULL REFERENCES sku,
    relation  text NOT NULL CHECK (relation IN ('requires', 'excludes', 'fits', 'max')),
    other     text NOT NULL REFERENCES sku,
    quantity  integer CHECK (quantity > 0),
    any_of    text NOT NULL DEFAULT '',
    source_id text NOT NULL REFERENCES source,
    remark    text NOT NULL DEFAULT '',
    PRIMARY KEY (sku, relation, other)
);

CREATE INDEX compatibility_other ON compatibility (other);

CREATE TABLE substitute (
    sku       text NOT NULL REFERENCES sku,
    substitute text NOT NULL REFERENCES sku,
    reason    text NOT NULL CHECK (reason <> ''),
    caveat    text NOT NULL DEFAULT '',
    source_id text NOT NULL REFERENCES source,
    PRIMARY KEY (sku, substitute),
    CHECK (sku <> substitute)
);

CREATE TABLE control_class (
    sku           text PRIMARY KEY REFERENCES sku,
    class         text NOT NULL CHECK (class <> ''),
    control_group text NOT NULL CHECK (control_group IN ('advanced_ic', 'advanced_ic_cn', 'advanced_ic_high', 'h20_class', 'service', 'not_classified')),
    rule          text NOT NULL,
    effective_on  date,
    source_id     text REFERENCES source,
    confidence    text NOT NULL CHECK (confidence IN ('high', 'medium', 'low')),
    remark        text NOT NULL DEFAULT ''
);

CREATE TABLE control_destination (
    country_code text NOT NULL CHECK (country_code ~ '^([A-Z]{2}|\*)$'),
    applies_to   text NOT NULL CHECK (applies_to IN ('advanced_ic', 'advanced_ic_cn', 'advanced_ic_high', 'advanced_all', 'h20_class', 'service', 'not_classified', 'any')),
    rule         text NOT NULL CHECK (rule <> ''),
    country      text NOT NULL CHECK (country <> ''),
    effect       text NOT NULL CHECK (effect IN ('licence_required', 'presumption_of_denial', 'check', 'none')),
    effective_on date,
    source_id    text NOT NULL REFERENCES source,
    confidence   text NOT NULL CHECK (confidence IN ('high', 'medium', 'low')),
    remark       text NOT NULL DEFAULT '',
    PRIMARY KEY (country_code, applies_to, rule)
);

-- What a list shows and searches of a SKU, worked out by internal/catalog whenever claims, parts or prices are imported.
CREATE TABLE sku_summary (
    sku             text PRIMARY KEY REFERENCES sku,
    search          text NOT NULL, -- folded code, names, vendor, family and form factor
    memory_gb       numeric(18,6),
    memory_type     text NOT NULL DEFAULT '',
    bandwidth_gbs   numeric(18,6), -- of one GPU
    power_w         numeric(18,6),
    derived         text[] NOT NULL DEFAULT '{}', -- which of these follow from parts
    conflicts       integer NOT NULL DEFAULT 0 CHECK (conflicts >= 0),
    price           numeric(18,6),
    price_currency  text,
    price_unit      text,
    price_kind      text,
    price_day       date,
    price_source_id text REFERENCES source,
    CHECK ((price IS NULL) = (price_currency IS NULL)),
    CHECK ((price IS NULL) = (price_unit IS NULL)),
    CHECK ((price IS NULL) = (price_kind IS NULL)),
    CHECK ((price IS NULL) = (price_day IS NULL))
);

-- One row per import that went through; the newest hash of a folder tells whether it has changed since.
CREATE TABLE catalogue_import (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    hash        text NOT NULL CHECK (hash ~ '^[0-9a-f]{64}$'),
    inserted    integer NOT NULL CHECK (inserted >= 0),
    updated     integer NOT NULL CHECK (updated >= 0),
    imported_at timestamptz NOT NULL
);

CREATE INDEX catalogue_import_hash ON catalogue_import (hash);
