-- A sizing report is stored as it was said: the request, the prices it used and the result,
-- each as a versioned JSON document. It never changes; "run again" makes a new row. The documents are json and not
-- jsonb: a pasted config is kept as it was sent, with numbers and escapes that jsonb refuses.
CREATE TABLE sizing_report (
    id                bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    token_hash        bytea NOT NULL UNIQUE CHECK (octet_length(token_hash) = 32),
    idempotency_key   text NOT NULL UNIQUE CHECK (idempotency_key <> ''),
    created_at        timestamptz NOT NULL,
    created_by        bigint REFERENCES app_user (id),
    title             text NOT NULL CHECK (title <> ''),
    document_version  integer NOT NULL CHECK (document_version >= 1),
    engine_version    text NOT NULL CHECK (engine_version <> ''),
    constants_version text NOT NULL CHECK (constants_version <> ''),
    catalogue_hash    text NOT NULL,
    request           json NOT NULL CHECK (json_typeof(request) = 'object'),
    result            json NOT NULL CHECK (json_typeof(result) = 'object')
);

COMMENT ON COLUMN sizing_report.token_hash IS 'SHA-256 of the 128-bit token by which a visitor opens the report';
COMMENT ON COLUMN sizing_report.created_by IS 'NULL where a visitor asked';

CREATE INDEX sizing_report_recent ON sizing_report (created_by, id DESC);

CREATE FUNCTION sizing_report_frozen() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'a sizing report never changes' USING ERRCODE = 'check_violation';
END
$$;

CREATE TRIGGER sizing_report_frozen BEFORE UPDATE ON sizing_report
FOR EACH ROW EXECUTE FUNCTION sizing_report_frozen();

-- A quote made from a report names it.
ALTER TABLE quote_revision ADD FOREIGN KEY (sizing_id) REFERENCES sizing_report (id);
CREATE INDEX quote_revision_sizing ON quote_revision (sizing_id);
