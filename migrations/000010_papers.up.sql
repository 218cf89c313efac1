-- Documents of the order that an accepted revision is, made once, and files that are attached to a revision.

CREATE TABLE quote_paper (
    revision_id bigint NOT NULL REFERENCES quote_revision,
    paper       text NOT NULL CHECK (paper IN ('order_confirmation', 'pro_forma', 'delivery_note')),
    sha256      bytea NOT NULL CHECK (octet_length(sha256) = 32),
    bytes       bytea NOT NULL CHECK (octet_length(bytes) > 0),
    created_at  timestamptz NOT NULL,
    created_by  bigint NOT NULL REFERENCES app_user (id),
    PRIMARY KEY (revision_id, paper),
    CHECK (sha256(bytes) = sha256)
);

CREATE TRIGGER quote_paper_write_once BEFORE UPDATE OR DELETE ON quote_paper
    FOR EACH STATEMENT EXECUTE FUNCTION quote_write_once();

-- The bytes of attached files, each content once: revisions of a quote share them.
CREATE TABLE file_content (
    sha256 bytea PRIMARY KEY CHECK (octet_length(sha256) = 32),
    bytes  bytea NOT NULL CHECK (octet_length(bytes) BETWEEN 1 AND 10485760),
    CHECK (sha256(bytes) = sha256)
);

CREATE TRIGGER file_content_write_once BEFORE UPDATE ON file_content
    FOR EACH STATEMENT EXECUTE FUNCTION quote_write_once();

CREATE TABLE quote_file (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    revision_id bigint NOT NULL REFERENCES quote_revision,
    name        text NOT NULL CHECK (name <> '' AND char_length(name) <= 150),
    sha256      bytea NOT NULL REFERENCES file_content,
    created_at  timestamptz NOT NULL,
    created_by  bigint NOT NULL REFERENCES app_user (id),
    UNIQUE (revision_id, name)
);

CREATE INDEX quote_file_content ON quote_file (sha256);

CREATE TRIGGER quote_file_frozen BEFORE INSERT OR UPDATE OR DELETE ON quote_file
    FOR EACH ROW EXECUTE FUNCTION quote_line_frozen();
