-- What quotes gained: terms of subscriptions, discounts of lines as amounts, lump sums, promise dates,
-- payment by instalments, tax rules, a delivery address, the customer's choice and the evidence of it.

ALTER TABLE quote_line
    ADD discount_amount numeric(18,6) NOT NULL DEFAULT 0 CHECK (discount_amount >= 0),
    ADD term_periods    integer NOT NULL DEFAULT 0 CHECK (term_periods BETWEEN 0 AND 120),
    ADD term_unit       text NOT NULL DEFAULT '' CHECK (term_unit IN ('', 'month', 'year')),
    ADD lump            boolean NOT NULL DEFAULT false,
    ADD replaces        bigint NOT NULL DEFAULT 0 CHECK (replaces >= 0),
    ADD promise         date,
    ADD config          text NOT NULL DEFAULT '' CHECK (char_length(config) <= 4000),
    ADD CHECK (discount = 0 OR discount_amount = 0),
    ADD CHECK ((term_periods = 0) = (term_unit = '')),
    ADD CHECK (NOT part OR (discount_amount = 0 AND term_periods = 0 AND NOT lump));

COMMENT ON COLUMN quote_line.term_periods IS 'The unit price is for one term_unit, and counts so many times; 0 is once';
COMMENT ON COLUMN quote_line.replaces IS 'line_id of the item that an alternative stands for; 0 is the item above it';
COMMENT ON COLUMN quote_line.lump IS 'Of a bundle: documents for the customer name it without its parts';
COMMENT ON COLUMN quote_line.promise IS 'Day on which the line is promised to be delivered';

ALTER TABLE quote_revision
    ADD layout           text NOT NULL DEFAULT 'detailed' CHECK (layout IN ('detailed', 'lump_sum')),
    ADD delivery         jsonb NOT NULL DEFAULT '{}' CHECK (jsonb_typeof(delivery) = 'object'),
    ADD tax_rule         text NOT NULL DEFAULT '' CHECK (tax_rule IN ('', 'reverse_charge', 'export')),
    ADD tax_note         text NOT NULL DEFAULT '' CHECK (char_length(tax_note) <= 4000),
    ADD payments         jsonb NOT NULL DEFAULT '[]' CHECK (jsonb_typeof(payments) = 'array'),
    ADD extended_to      date,
    ADD decided_choice   bigint[] NOT NULL DEFAULT '{}',
    ADD decided_address  text NOT NULL DEFAULT '' CHECK (char_length(decided_address) <= 100),
    ADD decided_agent    text NOT NULL DEFAULT '' CHECK (char_length(decided_agent) <= 500),
    ADD decided_sha256   bytea CHECK (octet_length(decided_sha256) = 32),
    ADD agreed_total     numeric(24,6),
    ADD agreed           jsonb CHECK (jsonb_typeof(agreed) = 'object'),
    ADD CHECK ((agreed IS NULL) = (agreed_total IS NULL));

COMMENT ON COLUMN quote_revision.decided_choice IS 'line_id of the options and alternatives that the customer took';
COMMENT ON COLUMN quote_revision.decided_sha256 IS 'SHA-256 of the document that was accepted';
COMMENT ON COLUMN quote_revision.agreed IS 'All sums with the customer''s choice; NULL when nothing was chosen';
COMMENT ON COLUMN quote_revision.extended_to IS 'Last day of validity as staff extended it after sending';

-- Nothing sent ever changes, but for the state, the decision, and an end of validity that moves later.
CREATE OR REPLACE FUNCTION quote_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    free CONSTANT text[] := ARRAY['state', 'decided_at', 'decided_name', 'decided_role', 'decided_order',
        'decided_reason', 'decided_remark', 'by_staff', 'decided_choice', 'decided_address', 'decided_agent',
        'decided_sha256', 'agreed_total', 'agreed', 'extended_to', 'expires_at'];
BEGIN
    IF OLD.sent_at IS NOT NULL AND (TG_OP = 'DELETE' OR (to_jsonb(OLD) - free) <> (to_jsonb(NEW) - free)
        OR NEW.expires_at < OLD.expires_at) THEN
        RAISE EXCEPTION 'revision % was sent and does not change', OLD.id
            USING ERRCODE = 'check_violation', CONSTRAINT = 'quote_frozen';
    END IF;
    RETURN coalesce(NEW, OLD);
END
$$;
