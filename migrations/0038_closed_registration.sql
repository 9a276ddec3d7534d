-- Nobody may register any more, by the word of an operator.
ALTER TABLE slots ADD COLUMN registration_closed_at timestamptz;
