DROP INDEX quote_revision_sizing;
ALTER TABLE quote_revision DROP CONSTRAINT quote_revision_sizing_id_fkey;
DROP TABLE sizing_report;
DROP FUNCTION sizing_report_frozen();
