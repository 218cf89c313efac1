-- Customers, own prices, and quotes with everything that was said in them.

CREATE EXTENSION IF NOT EXISTS btree_gist; -- price validity: equal SKU and overlapping days

CREATE TABLE customer (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name        text NOT NULL CHECK (name <> '' AND char_length(name) <= 200),
    address     text NOT NULL DEFAULT '' CHECK (char_length(address) <= 4000),
    country     text NOT NULL DEFAULT '' CHECK (country ~ '^([A-Z]{2})?$'),
    tax_number  text NOT NULL DEFAULT '' CHECK (char_length(tax_number) <= 200),
    price_group text NOT NULL DEFAULT '' CHECK (char_length(price_group) <= 60),
    note        text NOT NULL DEFAULT '' CHECK (char_length(note) <= 4000),
    archived    boolean NOT NULL DEFAULT false,
    created_at  timestamptz NOT NULL,
    created_by  bigint REFERENCES app_user (id),
    version     bigint NOT NULL DEFAULT 1 CHECK (version >= 1)
);

CREATE INDEX customer_name ON customer (lower(name), id);

CREATE TABLE contact (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    customer_id bigint NOT NULL REFERENCES customer,
    name        text NOT NULL CHECK (name <> '' AND char_length(name) <= 200),
    job_title   text NOT NULL DEFAULT '' CHECK (char_length(job_title) <= 200),
    email       text NOT NULL DEFAULT '' CHECK (char_length(email) <= 254),
    phone       text NOT NULL DEFAULT '' CHECK (char_length(phone) <= 200)
);

CREATE INDEX contact_customer ON contact (customer_id);

CREATE TABLE price_list (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name        text NOT NULL UNIQUE CHECK (name <> '' AND char_length(name) <= 200),
    currency    text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
    tax_mode    text NOT NULL CHECK (tax_mode IN ('exclusive', 'inclusive')),
    price_group text NOT NULL DEFAULT '' CHECK (char_length(price_group) <= 60),
    demo        boolean NOT NULL DEFAULT false,
    version     bigint NOT NULL DEFAULT 1 CHECK (version >= 1)
);

COMMENT ON COLUMN price_list.demo IS 'Invented for the demo, and labelled so wherever it shows';

CREATE TABLE price_list_item (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    list_id    bigint NOT NULL REFERENCES price_list,
    sku        text NOT NULL REFERENCES sku,
    min_qty    numeric(18,6) NOT NULL DEFAULT 0 CHECK (min_qty >= 0),
    price      numeric(18,6) NOT NULL CHECK (price >= 0),
    valid_from date NOT NULL,
    valid_to   date CHECK (valid_to >= valid_from),
    CONSTRAINT price_list_item_overlap EXCLUDE USING gist
        (list_id WITH =, sku WITH =, min_qty WITH =, daterange(valid_from, valid_to, '[]') WITH &&)
);

CREATE INDEX price_list_item_sku ON price_list_item (sku);

-- What pricing sets for a SKU besides list prices, without tax. Sales staff see neither figure.
CREATE TABLE price_floor (
    sku        text PRIMARY KEY REFERENCES sku,
    currency   text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
    floor      numeric(18,6) CHECK (floor >= 0), -- lowest price without asking
    cost       numeric(18,6) CHECK (cost >= 0),  -- buying price of one
    version    bigint NOT NULL DEFAULT 1 CHECK (version >= 1)
);

-- 1 base = rate quote. The other way divides; an inverse is never stored.
CREATE TABLE fx_rate (
    base       text NOT NULL CHECK (base ~ '^[A-Z]{3}$'),
    quote      text NOT NULL CHECK (quote ~ '^[A-Z]{3}$'),
    day        date NOT NULL,
    rate       numeric(20,10) NOT NULL CHECK (rate > 0),
    source     text NOT NULL CHECK (source <> '' AND char_length(source) <= 200),
    PRIMARY KEY (base, quote, day),
    CHECK (base <> quote)
);

CREATE UNIQUE INDEX fx_rate_one_direction ON fx_rate (least(base, quote), greatest(base, quote), day);
CREATE INDEX fx_rate_day ON fx_rate (day);

CREATE TABLE tax_rate (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name       text NOT NULL CHECK (name <> '' AND char_length(name) <= 200),
    country    text NOT NULL DEFAULT '' CHECK (country ~ '^([A-Z]{2})?$'),
    rate       numeric(9,6) NOT NULL CHECK (rate BETWEEN 0 AND 100),
    is_default boolean NOT NULL DEFAULT false,
    version    bigint NOT NULL DEFAULT 1 CHECK (version >= 1)
);

CREATE UNIQUE INDEX tax_rate_one_default ON tax_rate (is_default) WHERE is_default;

CREATE TABLE quote (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    number     text UNIQUE CHECK (number <> ''),
    owner_id   bigint NOT NULL REFERENCES app_user (id),
    revision   integer NOT NULL DEFAULT 1 CHECK (revision >= 1),
    created_at timestamptz NOT NULL,
    changed_at timestamptz NOT NULL,
    version    bigint NOT NULL DEFAULT 1 CHECK (version >= 1)
);

COMMENT ON COLUMN quote.number IS 'PREFIX-YYYY-NNNN, given on the first send; NULL until then';
COMMENT ON COLUMN quote.revision IS 'The newest revision';

CREATE INDEX quote_changed ON quote (changed_at DESC, id DESC);
CREATE INDEX quote_owner ON quote (owner_id, changed_at DESC, id DESC);

-- A revision carries its own names, settings and texts. Once sent, only its state and the decision change.
CREATE TABLE quote_revision (
    id             bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    quote_id       bigint NOT NULL REFERENCES quote,
    number         integer NOT NULL CHECK (number >= 1),
    state          text NOT NULL CHECK (state IN ('draft', 'awaiting_approval', 'approved', 'sent', 'accepted', 'declined', 'lost', 'cancelled', 'superseded')),
    created_at     timestamptz NOT NULL,
    title          text NOT NULL CHECK (char_length(title) <= 200),
    customer_id    bigint REFERENCES customer,
    customer_name  text NOT NULL CHECK (char_length(customer_name) <= 200),
    customer       jsonb NOT NULL CHECK (jsonb_typeof(customer) = 'object'), -- address, contact and numbers as they were
    currency       text NOT NULL CHECK (currency ~ '^[A-Z]{3}$'),
    tax_mode       text NOT NULL CHECK (tax_mode IN ('exclusive', 'inclusive')),
    day            date NOT NULL,
    valid_until    date NOT NULL CHECK (valid_until >= day),
    lang           text NOT NULL CHECK (lang IN ('en', 'zh-Hans', 'zh-Hant')),
    reference      text NOT NULL CHECK (char_length(reference) <= 200),
    note           text NOT NULL CHECK (char_length(note) <= 4000),
    terms          text NOT NULL CHECK (char_length(terms) <= 20000),
    ship_to        text NOT NULL CHECK (ship_to ~ '^([A-Z]{2})?$'),
    end_user       text NOT NULL CHECK (end_user ~ '^([A-Z]{2})?$'),
    incoterm       text NOT NULL CHECK (incoterm ~ '^([A-Z]{3})?$'),
    place          text NOT NULL CHECK (char_length(place) <= 200),
    licence_ref    text NOT NULL CHECK (char_length(licence_ref) <= 200),
    internal_note  text NOT NULL CHECK (char_length(internal_note) <= 4000),
    sizing_id      bigint, -- the sizing report it came from; the reference is added with reports
    discount_percent numeric(9,6) NOT NULL CHECK (discount_percent BETWEEN 0 AND 100),
    discount_amount  numeric(18,6) NOT NULL CHECK (discount_amount >= 0),
    net            numeric(24,6),
    tax            numeric(24,6),
    total          numeric(24,6), -- net, tax and total are NULL while a price is missing
    totals         jsonb NOT NULL CHECK (jsonb_typeof(totals) = 'object'), -- all sums, as computed from the lines
    sent_at        timestamptz,
    expires_at     timestamptz, -- end of the last day, in the seller's zone as it was on sending
    company        jsonb CHECK (jsonb_typeof(company) = 'object'), -- the seller's profile as it was on sending
    rate           jsonb CHECK (jsonb_typeof(rate) = 'object'),    -- the exchange rate to the company's currency, same
    decided_at     timestamptz,
    decided_name   text NOT NULL DEFAULT '' CHECK (char_length(decided_name) <= 200),
    decided_role   text NOT NULL DEFAULT '' CHECK (char_length(decided_role) <= 200),
    decided_order  text NOT NULL DEFAULT '' CHECK (char_length(decided_order) <= 200),
    decided_reason text NOT NULL DEFAULT '' CHECK (char_length(decided_reason) <= 4000),
    decided_remark text NOT NULL DEFAULT '' CHECK (char_length(decided_remark) <= 4000),
    by_staff       boolean NOT NULL DEFAULT false,
    UNIQUE (quote_id, number),
    CHECK (discount_percent = 0 OR discount_amount = 0),
    CHECK (num_nulls(net, tax, total) IN (0, 3) AND net + tax = total),
    CHECK (state IN ('draft', 'awaiting_approval', 'approved', 'lost', 'cancelled') OR (sent_at IS NOT NULL AND total IS NOT NULL)),
    CHECK ((sent_at IS NULL) = (company IS NULL)),
    CHECK ((sent_at IS NULL) = (expires_at IS NULL)),
    CHECK (state NOT IN ('accepted', 'declined', 'lost', 'cancelled') OR decided_at IS NOT NULL)
);

CREATE INDEX quote_revision_state ON quote_revision (state, expires_at);
CREATE INDEX quote_revision_customer ON quote_revision (customer_id);

ALTER TABLE reservation ADD FOREIGN KEY (revision_id) REFERENCES quote_revision (id);

CREATE TABLE quote_line (
    revision_id bigint NOT NULL REFERENCES quote_revision,
    position    integer NOT NULL CHECK (position >= 0),
    line_id     bigint NOT NULL CHECK (line_id > 0), -- kept by saves and revisions
    kind        text NOT NULL CHECK (kind IN ('item', 'option', 'alternative', 'section', 'note')),
    part        boolean NOT NULL,      -- of the bundle above
    assembled   boolean NOT NULL,
    stocked     boolean NOT NULL,
    sku         text REFERENCES sku,
    description text NOT NULL CHECK (description <> '' AND char_length(description) <= 4000),
    control_to  text NOT NULL,
    quantity    numeric(18,6) NOT NULL CHECK (quantity >= 0),
    unit_price  numeric(18,6),         -- NULL is not known
    discount    numeric(9,6) NOT NULL CHECK (discount BETWEEN 0 AND 100),
    tax_rate    numeric(9,6) NOT NULL CHECK (tax_rate BETWEEN 0 AND 100),
    tax_name    text NOT NULL,
    list        jsonb NOT NULL CHECK (jsonb_typeof(list) = 'object'), -- list price and where it is from
    override    jsonb CHECK (jsonb_typeof(override) = 'object'),      -- who set another price, when and why
    floor       numeric(18,6),
    cost        numeric(18,6),
    PRIMARY KEY (revision_id, position),
    UNIQUE (revision_id, line_id),
    CHECK (NOT part OR (kind = 'item' AND discount = 0))
);

CREATE INDEX quote_line_sku ON quote_line (sku);

CREATE TABLE approval (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    revision_id bigint NOT NULL REFERENCES quote_revision,
    kind        text NOT NULL CHECK (kind IN ('below_floor', 'above_discount', 'below_margin')),
    asked_by    bigint NOT NULL REFERENCES app_user (id),
    asked_at    timestamptz NOT NULL,
    decided_by  bigint REFERENCES app_user (id),
    decided_at  timestamptz,
    approved    boolean,
    reason      text NOT NULL DEFAULT '' CHECK (char_length(reason) <= 4000),
    void        boolean NOT NULL DEFAULT false, -- the draft was changed afterwards
    CHECK (decided_by <> asked_by), -- nobody approves their own
    CHECK (num_nulls(decided_by, decided_at, approved) IN (0, 3))
);

CREATE INDEX approval_revision ON approval (revision_id);
CREATE UNIQUE INDEX approval_open ON approval (revision_id, kind) WHERE NOT void AND decided_at IS NULL;

CREATE TABLE quote_event (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    quote_id   bigint NOT NULL REFERENCES quote,
    revision   integer NOT NULL,
    at         timestamptz NOT NULL,
    kind       text NOT NULL CHECK (kind <> ''),
    actor_id   bigint REFERENCES app_user (id), -- NULL is the customer or the program
    actor_name text NOT NULL,
    data       jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(data) = 'object'),
    FOREIGN KEY (quote_id, revision) REFERENCES quote_revision (quote_id, number)
);

CREATE INDEX quote_event_quote ON quote_event (quote_id, id DESC);
CREATE UNIQUE INDEX quote_event_viewed_once ON quote_event (quote_id, revision) WHERE kind = 'view';

CREATE TABLE quote_document (
    revision_id bigint PRIMARY KEY REFERENCES quote_revision,
    sha256      bytea NOT NULL CHECK (octet_length(sha256) = 32),
    bytes       bytea NOT NULL CHECK (octet_length(bytes) > 0),
    created_at  timestamptz NOT NULL,
    CHECK (sha256(bytes) = sha256)
);

CREATE TABLE quote_shortage (
    revision_id bigint NOT NULL REFERENCES quote_revision,
    sku         text NOT NULL REFERENCES sku,
    quantity    bigint NOT NULL CHECK (quantity > 0),
    PRIMARY KEY (revision_id, sku)
);

CREATE TABLE public_link (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    revision_id bigint NOT NULL REFERENCES quote_revision,
    token_hash  bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
    created_at  timestamptz NOT NULL,
    created_by  bigint NOT NULL REFERENCES app_user (id),
    expires_at  timestamptz NOT NULL CHECK (expires_at > created_at),
    revoked_at  timestamptz
);

COMMENT ON COLUMN public_link.token_hash IS 'SHA-256 of the 128-bit token in the address';

CREATE INDEX public_link_revision ON public_link (revision_id);

-- One counter per prefix and year. Its row is locked while a quote is sent, so numbers have no gaps.
CREATE TABLE number_counter (
    prefix text NOT NULL CHECK (prefix <> ''),
    year   integer NOT NULL CHECK (year BETWEEN 2000 AND 9999),
    last   integer NOT NULL CHECK (last >= 1),
    PRIMARY KEY (prefix, year)
);

-- What was done under the key of a form. The same form sent twice finds the first result here.
CREATE TABLE idempotency_key (
    scope  text NOT NULL CHECK (scope <> ''),
    key    text NOT NULL CHECK (key <> '' AND char_length(key) <= 100),
    target text NOT NULL, -- what it was done to; the same key for something else is a mistake
    at     timestamptz NOT NULL,
    result jsonb NOT NULL DEFAULT '{}',
    PRIMARY KEY (scope, key)
);

CREATE INDEX idempotency_key_at ON idempotency_key (at);

-- Nothing sent ever changes, but for the state and the decision.
CREATE FUNCTION quote_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    free CONSTANT text[] := ARRAY['state', 'decided_at', 'decided_name', 'decided_role', 'decided_order',
        'decided_reason', 'decided_remark', 'by_staff'];
BEGIN
    IF OLD.sent_at IS NOT NULL AND (TG_OP = 'DELETE' OR (to_jsonb(OLD) - free) <> (to_jsonb(NEW) - free)) THEN
        RAISE EXCEPTION 'revision % was sent and does not change', OLD.id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'quote_frozen';
    END IF;
    RETURN coalesce(NEW, OLD);
END
$$;

CREATE TRIGGER quote_frozen BEFORE UPDATE OR DELETE ON quote_revision
    FOR EACH ROW EXECUTE FUNCTION quote_frozen();

CREATE FUNCTION quote_line_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM quote_revision
        WHERE id IN (CASE WHEN TG_OP <> 'INSERT' THEN OLD.revision_id END, CASE WHEN TG_OP <> 'DELETE' THEN NEW.revision_id END)
        AND sent_at IS NOT NULL) THEN
        RAISE EXCEPTION 'the lines of a sent revision do not change'
            USING ERRCODE = 'check_violation', CONSTRAINT = 'quote_frozen';
    END IF;
    RETURN coalesce(NEW, OLD);
END
$$;

CREATE TRIGGER quote_line_frozen BEFORE INSERT OR UPDATE OR DELETE ON quote_line
    FOR EACH ROW EXECUTE FUNCTION quote_line_frozen();

CREATE FUNCTION quote_write_once() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'rows of % are written once', TG_TABLE_NAME
        USING ERRCODE = 'check_violation', CONSTRAINT = 'quote_frozen';
END
$$;

CREATE TRIGGER quote_document_write_once BEFORE UPDATE OR DELETE ON quote_document
    FOR EACH STATEMENT EXECUTE FUNCTION quote_write_once();
CREATE TRIGGER quote_event_write_once BEFORE UPDATE OR DELETE ON quote_event
    FOR EACH STATEMENT EXECUTE FUNCTION quote_write_once();
