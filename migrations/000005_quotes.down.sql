ALTER TABLE reservation DROP CONSTRAINT reservation_revision_id_fkey;
DROP TABLE idempotency_key, number_counter, public_link, quote_shortage, quote_document, quote_event, approval,
    quote_line, quote_revision, quote, tax_rate, fx_rate, price_floor, price_list_item, price_list, contact, customer;
DROP FUNCTION quote_write_once, quote_line_frozen, quote_frozen;
DROP EXTENSION btree_gist;
