-- The code of a reason or a detail and its argument, such as `notReached/Connection refused`, by which it is said in
-- any language. NULL: it has none, as in rows of before these columns.
ALTER TABLE endpoints ADD COLUMN reason_code text;
ALTER TABLE attempts ADD COLUMN detail_code text;
