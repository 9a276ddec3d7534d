-- When a server stored its last batch of counts. What is known of that batch outlives the server's row for a day:
-- a server that is cut off may come back, and ask whether its batch was stored.
ALTER TABLE count_batches ADD COLUMN stored_at timestamptz NOT NULL DEFAULT now();
