-- A browser's endpoint is verified once its push service has accepted a push. Those that exist count as verified.
UPDATE endpoints SET verified_at = created_at WHERE kind = 'webpush' AND verified_at IS NULL;
