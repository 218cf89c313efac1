-- Mail that goes out, every attempt to send it, and the schema in which river keeps its jobs. The tables of
-- river are its own: postgres.Migrator brings them to the version that the program was built with.

CREATE SCHEMA river;

CREATE TABLE mail_message (
    id          bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    kind        text NOT NULL CHECK (kind IN ('quote', 'reminder', 'answer', 'test')),
    quote_id    bigint REFERENCES quote,
    revision_id bigint REFERENCES quote_revision,
    dedupe      text UNIQUE CHECK (dedupe <> ''),
    header_id   text NOT NULL UNIQUE CHECK (header_id <> ''),
    recipients  text[] NOT NULL CHECK (cardinality(recipients) BETWEEN 1 AND 20),
    copies      text[] NOT NULL DEFAULT '{}' CHECK (cardinality(copies) <= 20),
    reply_to    text NOT NULL DEFAULT '' CHECK (char_length(reply_to) <= 254),
    subject     text NOT NULL CHECK (subject <> '' AND char_length(subject) <= 200),
    body        text NOT NULL CHECK (body <> '' AND char_length(body) <= 20000),
    lang        text NOT NULL CHECK (lang IN ('en', 'zh-Hans', 'zh-Hant')),
    link        text NOT NULL DEFAULT '',
    document    boolean NOT NULL DEFAULT false,
    state       text NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'sent', 'failed')),
    created_at  timestamptz NOT NULL,
    created_by  bigint REFERENCES app_user (id),
    sent_at     timestamptz,
    CHECK ((state = 'sent') = (sent_at IS NOT NULL)),
    CHECK (state = 'queued' OR link = ''),
    CHECK (NOT document OR revision_id IS NOT NULL)
);

COMMENT ON COLUMN mail_message.dedupe IS 'What may be said only once, for example a reminder of a revision and its last day';
COMMENT ON COLUMN mail_message.header_id IS 'Message-ID without brackets: a message that is sent again after a crash has the same one';
COMMENT ON COLUMN mail_message.link IS 'The customer''s link in the text. It is a secret, and forgotten as soon as the message is sent or given up';
COMMENT ON COLUMN mail_message.document IS 'The PDF of the revision is attached';

CREATE INDEX mail_message_quote ON mail_message (quote_id, id DESC) WHERE quote_id IS NOT NULL;
CREATE INDEX mail_message_recent ON mail_message (id DESC);

CREATE TABLE mail_attempt (
    message_id bigint NOT NULL REFERENCES mail_message,
    number     integer NOT NULL CHECK (number >= 1),
    at         timestamptz NOT NULL,
    error      text NOT NULL DEFAULT '' CHECK (char_length(error) <= 2000), -- empty: the server took it
    PRIMARY KEY (message_id, number)
);

ALTER TABLE company
    ADD reminder_days    integer NOT NULL DEFAULT 3 CHECK (reminder_days BETWEEN 0 AND 60),
    ADD remind_customers boolean NOT NULL DEFAULT false;

COMMENT ON COLUMN company.reminder_days IS 'Days before the end of validity on which a reminder is sent; 0 is none';
COMMENT ON COLUMN company.remind_customers IS 'The customer is reminded too, not the owner of the quote alone';
