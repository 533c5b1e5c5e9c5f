-- When pages began to be evicted. NULL: they were not, or the run is older than this column.
ALTER TABLE run ADD COLUMN eviction_began_epoch_ns BIGINT;
-- From then until the stall began, seconds; negative: it began before.
ALTER TABLE stall ADD COLUMN since_eviction_s DOUBLE PRECISION;
