-- Recovery codes that an operator made. An account that came back by one can neither be exported nor deleted until
-- `guarded_until`.
ALTER TABLE recovery_codes
    ADD COLUMN by_operator boolean NOT NULL DEFAULT false,
    ADD COLUMN guarded_until timestamptz;
