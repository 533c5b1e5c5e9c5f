-- How long the best bid or offer of the service was not that of the exchange. A run that is older than this table, or has no complete journal, has no row.
CREATE TABLE stale_quotes (
    host               TEXT             NOT NULL,
    run_directory      TEXT             NOT NULL,
    -- of best prices at the exchange
    changes            BIGINT           NOT NULL,
    -- of 1 ms and more in which the quote of an instrument was stale
    periods            BIGINT           NOT NULL,
    periods_over_10_ms BIGINT           NOT NULL,
    total_ms           DOUBLE PRECISION NOT NULL,
    longest_ms         DOUBLE PRECISION NOT NULL,
    -- 0: there was no period
    longest_instrument INTEGER          NOT NULL,
    -- of the best prices of one side, in units of the currency
    max_difference     DOUBLE PRECISION NOT NULL,
    PRIMARY KEY (host, run_directory),
    FOREIGN KEY (host, run_directory) REFERENCES run (host, run_directory)
);

-- How many events and samples of a run are not in its tables because there were too many. NULL: not known, as of runs that are older than these columns.
ALTER TABLE run ADD COLUMN events_left_out BIGINT;
ALTER TABLE run ADD COLUMN samples_left_out BIGINT;
