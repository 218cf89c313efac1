DROP TABLE audit_log;
DROP FUNCTION audit_log_append_only();
DROP TABLE login_attempt;
DROP TABLE session;
DROP TABLE user_role;
DROP TABLE app_user;
