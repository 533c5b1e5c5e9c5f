-- Why the verdict is not pass; NULL: it is, or the run is older than this column.
ALTER TABLE run ADD COLUMN reason TEXT;
