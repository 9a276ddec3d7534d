-- When a slot began to close: from then on nobody registers for it, while those who are registered are told in parts how
-- it went.
ALTER TABLE slots ADD COLUMN IF NOT EXISTS closing_at timestamptz;
