CREATE OR REPLACE FUNCTION quote_frozen() RETURNS trigger LANGUAGE plpgsql AS $$
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

ALTER TABLE quote_revision
    DROP layout, DROP delivery, DROP tax_rule, DROP tax_note, DROP payments, DROP extended_to, DROP decided_choice,
    DROP decided_address, DROP decided_agent, DROP decided_sha256, DROP agreed_total, DROP agreed;

ALTER TABLE quote_line
    DROP discount_amount, DROP term_periods, DROP term_unit, DROP lump, DROP replaces, DROP promise, DROP config;
