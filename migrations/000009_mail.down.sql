ALTER TABLE company DROP reminder_days, DROP remind_customers;
DROP TABLE mail_attempt;
DROP TABLE mail_message;
DROP SCHEMA river CASCADE;
