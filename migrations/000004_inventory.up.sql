-- Stock: a ledger of moves that only grows, one row of stock for each SKU and place (it is what transactions
-- lock), reservations that end by themselves, and what suppliers owe.
--
-- Rule: 0 <= reserved <= on hand, where reserved is the sum of the reservations that have not ended. It is
-- checked by the triggers below under a lock on the stock row; there is no stored counter of reservations.

CREATE TABLE location (
    id   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    code text NOT NULL UNIQUE CHECK (code ~ '^[A-Z0-9][A-Z0-9-]{0,19}$'),
    name text NOT NULL CHECK (name <> '' AND char_length(name) <= 200)
);

CREATE TABLE stock (
    sku         text NOT NULL REFERENCES sku,
    location_id bigint NOT NULL REFERENCES location,
    on_hand     bigint NOT NULL DEFAULT 0 CHECK (on_hand >= 0),
    PRIMARY KEY (sku, location_id)
);

COMMENT ON COLUMN stock.on_hand IS 'Sum of the moves, kept by the trigger on stock_move and by nothing else';

CREATE TABLE purchase_order (
    id         bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    number     text NOT NULL UNIQUE CHECK (number <> '' AND char_length(number) <= 60),
    supplier   text NOT NULL CHECK (supplier <> '' AND char_length(supplier) <= 200),
    ordered_on date NOT NULL,
    created_at timestamptz NOT NULL,
    created_by bigint REFERENCES app_user (id)
);

CREATE TABLE purchase_order_line (
    id                bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    purchase_order_id bigint NOT NULL REFERENCES purchase_order,
    sku               text NOT NULL REFERENCES sku,
    quantity          bigint NOT NULL CHECK (quantity > 0),
    received          bigint NOT NULL DEFAULT 0 CHECK (received >= 0), -- may exceed quantity: over-receipt
    expected_on       date NOT NULL,
    confirmed         boolean NOT NULL DEFAULT false, -- by the supplier
    unit_cost         numeric(18,6) CHECK (unit_cost >= 0),
    currency          text CHECK (currency ~ '^[A-Z]{3}$'),
    CHECK ((unit_cost IS NULL) = (currency IS NULL))
);

CREATE INDEX purchase_order_line_order ON purchase_order_line (purchase_order_id);
CREATE INDEX purchase_order_line_open ON purchase_order_line (sku, expected_on) WHERE received < quantity;

CREATE TABLE stock_move (
    id                     bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at                     timestamptz NOT NULL,
    kind                   text NOT NULL CHECK (kind IN ('receive', 'transfer', 'ship', 'adjust', 'return')),
    sku                    text NOT NULL REFERENCES sku,
    from_location_id       bigint REFERENCES location,
    to_location_id         bigint REFERENCES location,
    quantity               bigint NOT NULL CHECK (quantity > 0 AND quantity <= 1000000000),
    purchase_order_line_id bigint REFERENCES purchase_order_line,
    note                   text NOT NULL DEFAULT '' CHECK (char_length(note) <= 200),
    actor_id               bigint REFERENCES app_user (id),
    CHECK (kind NOT IN ('receive', 'return') OR (from_location_id IS NULL AND to_location_id IS NOT NULL)),
    CHECK (kind <> 'ship' OR (from_location_id IS NOT NULL AND to_location_id IS NULL)),
    CHECK (kind <> 'adjust' OR num_nonnulls(from_location_id, to_location_id) = 1),
    CHECK (kind <> 'transfer' OR (num_nonnulls(from_location_id, to_location_id) = 2 AND from_location_id <> to_location_id))
);

CREATE INDEX stock_move_sku ON stock_move (sku, id DESC);
CREATE INDEX stock_move_from ON stock_move (from_location_id, id DESC);
CREATE INDEX stock_move_to ON stock_move (to_location_id, id DESC);

CREATE TABLE reservation (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    sku         text NOT NULL,
    location_id bigint NOT NULL,
    quantity    bigint NOT NULL CHECK (quantity > 0),
    revision_id bigint NOT NULL, -- of a quote; the reference is added with quotes
    created_at  timestamptz NOT NULL,
    until       timestamptz NOT NULL CHECK (until > created_at),
    released_at timestamptz CHECK (released_at >= created_at),
    FOREIGN KEY (sku, location_id) REFERENCES stock (sku, location_id)
);

COMMENT ON COLUMN reservation.until IS 'From this moment the stock is free, whether or not anything ran';

CREATE INDEX reservation_stock ON reservation (sku, location_id, until) WHERE released_at IS NULL;
CREATE INDEX reservation_revision ON reservation (revision_id);

-- A serial number is in exactly one place, or in none.
CREATE TABLE unit (
    sku         text NOT NULL REFERENCES sku,
    serial      text NOT NULL CHECK (serial <> '' AND char_length(serial) <= 80),
    state       text NOT NULL CHECK (state IN ('in_stock', 'in_transit', 'at_customer', 'under_repair', 'scrapped')),
    location_id bigint REFERENCES location,
    received_at timestamptz NOT NULL,
    PRIMARY KEY (sku, serial),
    CHECK ((state = 'in_stock') = (location_id IS NOT NULL))
);

CREATE INDEX unit_serial ON unit (serial);
CREATE INDEX unit_location ON unit (location_id, sku);

CREATE FUNCTION stock_append_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the ledger only grows: a correction is another move'
        USING ERRCODE = 'check_violation', CONSTRAINT = 'stock_move_append_only';
END
$$;

CREATE TRIGGER stock_move_append_only BEFORE UPDATE OR DELETE ON stock_move
    FOR EACH STATEMENT EXECUTE FUNCTION stock_append_only();

-- stock_reserved is what is reserved of a SKU at a place at a moment. The caller holds the lock on the stock row.
CREATE FUNCTION stock_reserved(of_sku text, of_location bigint, at_moment timestamptz) RETURNS bigint
LANGUAGE sql STABLE AS $$
    SELECT coalesce(sum(quantity), 0)::bigint FROM reservation
    WHERE sku = of_sku AND location_id = of_location AND released_at IS NULL AND until > at_moment
$$;

-- A move changes the stock of its places, in the order of their ids, and is refused where less would be on hand
-- than is reserved.
CREATE FUNCTION stock_apply_move() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    place record;
BEGIN
    IF NEW.to_location_id IS NOT NULL THEN
        INSERT INTO stock (sku, location_id) VALUES (NEW.sku, NEW.to_location_id) ON CONFLICT DO NOTHING;
    END IF;
    IF NEW.from_location_id IS NOT NULL AND NOT EXISTS (
        SELECT FROM stock WHERE sku = NEW.sku AND location_id = NEW.from_location_id) THEN
        RAISE EXCEPTION 'no stock of % there', NEW.sku USING ERRCODE = 'check_violation', CONSTRAINT = 'stock_not_enough';
    END IF;
    FOR place IN
        SELECT location_id, on_hand + CASE WHEN location_id = NEW.to_location_id THEN NEW.quantity ELSE -NEW.quantity END AS then_on_hand
        FROM stock
        WHERE sku = NEW.sku AND location_id IN (NEW.from_location_id, NEW.to_location_id)
        ORDER BY location_id
        FOR UPDATE
    LOOP
        IF place.then_on_hand < stock_reserved(NEW.sku, place.location_id, NEW.at) THEN
            RAISE EXCEPTION 'less of % would be on hand than is reserved', NEW.sku
                USING ERRCODE = 'check_violation', CONSTRAINT = 'stock_not_enough';
        END IF;
        UPDATE stock SET on_hand = place.then_on_hand WHERE sku = NEW.sku AND location_id = place.location_id;
    END LOOP;
    RETURN NEW;
END
$$;

CREATE TRIGGER stock_apply_move AFTER INSERT ON stock_move
    FOR EACH ROW EXECUTE FUNCTION stock_apply_move();

-- A reservation is refused where more would be reserved than is on hand. Afterwards it can only be released.
CREATE FUNCTION reservation_check() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    there bigint;
BEGIN
    IF TG_OP = 'UPDATE' THEN
        IF OLD.released_at IS NOT NULL OR NEW.released_at IS NULL OR (to_jsonb(OLD) - 'released_at') <> (to_jsonb(NEW) - 'released_at') THEN
            RAISE EXCEPTION 'a reservation can only be released'
                USING ERRCODE = 'check_violation', CONSTRAINT = 'reservation_released_once';
        END IF;
        RETURN NEW;
    END IF;
    SELECT on_hand INTO there FROM stock WHERE sku = NEW.sku AND location_id = NEW.location_id FOR UPDATE;
    IF there IS NULL OR there < stock_reserved(NEW.sku, NEW.location_id, NEW.created_at) + NEW.quantity THEN
        RAISE EXCEPTION 'more of % would be reserved than is on hand', NEW.sku
            USING ERRCODE = 'check_violation', CONSTRAINT = 'stock_not_enough';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER reservation_check BEFORE INSERT OR UPDATE ON reservation
    FOR EACH ROW EXECUTE FUNCTION reservation_check();

-- Only moves change what is on hand; a row of stock never goes away.
CREATE FUNCTION stock_by_moves_only() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    IF pg_trigger_depth() < 2 THEN
        RAISE EXCEPTION 'stock changes by moves only'
            USING ERRCODE = 'check_violation', CONSTRAINT = 'stock_by_moves_only';
    END IF;
    RETURN NEW;
END
$$;

CREATE TRIGGER stock_by_moves_only BEFORE INSERT OR UPDATE OR DELETE ON stock
    FOR EACH ROW EXECUTE FUNCTION stock_by_moves_only();
