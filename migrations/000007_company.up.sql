-- The seller's own profile and the settings that documents follow. There is one row, and it
-- exists from the start; what is still empty is asked for before the first document is sent.
CREATE TABLE company (
    id               smallint PRIMARY KEY DEFAULT 1 CHECK (id = 1),
    name             text NOT NULL DEFAULT '' CHECK (char_length(name) <= 200),
    address          text NOT NULL DEFAULT '' CHECK (char_length(address) <= 1000),
    country          text NOT NULL DEFAULT '' CHECK (country ~ '^([A-Z]{2})?$'),
    tax_number       text NOT NULL DEFAULT '' CHECK (char_length(tax_number) <= 120),
    email            text NOT NULL DEFAULT '' CHECK (char_length(email) <= 254),
    phone            text NOT NULL DEFAULT '' CHECK (char_length(phone) <= 120),
    website          text NOT NULL DEFAULT '' CHECK (char_length(website) <= 120),
    bank             text NOT NULL DEFAULT '' CHECK (char_length(bank) <= 1000),
    currency         text NOT NULL DEFAULT '' CHECK (currency ~ '^([A-Z]{3})?$'),
    time_zone        text NOT NULL DEFAULT 'UTC' CHECK (time_zone <> ''),
    quote_prefix     text NOT NULL DEFAULT 'Q' CHECK (quote_prefix ~ '^[A-Z0-9]{1,12}$'),
    validity_days    integer NOT NULL DEFAULT 30 CHECK (validity_days BETWEEN 1 AND 365),
    reservation_days integer NOT NULL DEFAULT 30 CHECK (reservation_days BETWEEN 1 AND 365),
    terms_en         text NOT NULL DEFAULT '' CHECK (char_length(terms_en) <= 20000),
    terms_zh_hans    text NOT NULL DEFAULT '' CHECK (char_length(terms_zh_hans) <= 20000),
    terms_zh_hant    text NOT NULL DEFAULT '' CHECK (char_length(terms_zh_hant) <= 20000),
    discount_limit   numeric(9,6) CHECK (discount_limit BETWEEN 0 AND 100),
    target_margin    numeric(9,6) CHECK (target_margin BETWEEN 0 AND 100),
    logo             bytea CHECK (octet_length(logo) BETWEEN 1 AND 262144),
    version          bigint NOT NULL DEFAULT 1 CHECK (version >= 1)
);

COMMENT ON COLUMN company.currency IS 'Currency of the books and of the company-currency price list; empty is not chosen yet';
COMMENT ON COLUMN company.time_zone IS 'IANA name; a quote is valid to the end of its last day in this zone';
COMMENT ON COLUMN company.discount_limit IS 'Percent above which a lead decides; NULL is no limit';
COMMENT ON COLUMN company.target_margin IS 'Percent below which a lead decides; NULL is no target';
COMMENT ON COLUMN company.logo IS 'PNG or JPEG';

INSERT INTO company DEFAULT VALUES;
