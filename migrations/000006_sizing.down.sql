DROP TABLE sizing_report;
DROP FUNCTION sizing_report_frozen();
