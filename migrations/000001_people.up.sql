-- People who sign in, what they may do, their sessions, and the record of what was changed.

CREATE TABLE app_user (
    id                   bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name                 text NOT NULL UNIQUE CHECK (name ~ '^[a-z0-9][a-z0-9._-]{1,63}$'),
    display_name         text NOT NULL CHECK (display_name <> '' AND char_length(display_name) <= 120),
    email                text NOT NULL DEFAULT '' CHECK (char_length(email) <= 254),
    lang                 text NOT NULL DEFAULT '' CHECK (lang IN ('', 'en', 'zh-Hans', 'zh-Hant')),
    password_hash        text NOT NULL CHECK (password_hash LIKE '$argon2id$%'),
    must_change_password boolean NOT NULL,
    disabled             boolean NOT NULL DEFAULT false,
    created_at           timestamptz NOT NULL,
    idempotency_key      text UNIQUE CHECK (idempotency_key <> ''),
    version              bigint NOT NULL DEFAULT 1 CHECK (version >= 1)
);

COMMENT ON COLUMN app_user.lang IS 'Language of the person; empty follows the browser';
COMMENT ON COLUMN app_user.must_change_password IS 'The password was handed out and opens nothing but its own change';

CREATE TABLE user_role (
    user_id bigint NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
    role    text NOT NULL CHECK (role IN ('sales', 'lead', 'stock', 'pricing', 'admin')),
    PRIMARY KEY (user_id, role)
);

-- One row per signed-in browser, so that signing out everywhere is one statement.
CREATE TABLE session (
    token_hash bytea PRIMARY KEY CHECK (octet_length(token_hash) = 32),
    user_id    bigint NOT NULL REFERENCES app_user (id) ON DELETE CASCADE,
    created_at timestamptz NOT NULL,
    seen_at    timestamptz NOT NULL,
    ends_at    timestamptz NOT NULL,
    CHECK (seen_at >= created_at AND ends_at > created_at)
);

COMMENT ON COLUMN session.token_hash IS 'SHA-256 of the 256-bit token in the cookie';

CREATE INDEX session_user_id ON session (user_id);
CREATE INDEX session_ends ON session (ends_at);

-- The names that people typed are hashed: now and then one is a password in the wrong field.
CREATE TABLE login_attempt (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    name_hash bytea NOT NULL CHECK (octet_length(name_hash) = 32),
    addr      text NOT NULL CHECK (char_length(addr) <= 64),
    succeeded boolean NOT NULL,
    at        timestamptz NOT NULL
);

CREATE INDEX login_attempt_name ON login_attempt (name_hash, at);
CREATE INDEX login_attempt_at ON login_attempt (at);

CREATE TABLE audit_log (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at          timestamptz NOT NULL,
    actor_id    bigint REFERENCES app_user (id),
    actor_name  text NOT NULL,
    action      text NOT NULL CHECK (action <> ''),
    object_type text NOT NULL CHECK (object_type <> ''),
    object_id   text NOT NULL,
    before      jsonb,
    after       jsonb
);

COMMENT ON COLUMN audit_log.actor_id IS 'NULL for the program itself, as on first start';
COMMENT ON COLUMN audit_log.actor_name IS 'As the person was called then';

CREATE INDEX audit_log_object ON audit_log (object_type, object_id, id DESC);

CREATE FUNCTION audit_log_append_only() RETURNS trigger
LANGUAGE plpgsql AS $$
BEGIN
    RAISE EXCEPTION 'the audit log is append-only' USING ERRCODE = 'check_violation';
END
$$;

CREATE TRIGGER audit_log_append_only BEFORE UPDATE OR DELETE ON audit_log
FOR EACH ROW EXECUTE FUNCTION audit_log_append_only();
