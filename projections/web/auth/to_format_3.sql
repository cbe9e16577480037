-- Rows of the log say in columns of their own what was changed about an account. Rows that are there already keep their
-- words and their hashes.
ALTER TABLE log ADD COLUMN change TEXT;
ALTER TABLE log ADD COLUMN role TEXT;
UPDATE written_as SET format = 3;
