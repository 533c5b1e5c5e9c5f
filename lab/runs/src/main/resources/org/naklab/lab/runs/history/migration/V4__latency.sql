-- How late the events of a run were, a row for each process and hop. A run that is older than this table has no rows.
CREATE TABLE latency (
    host          TEXT             NOT NULL,
    run_directory TEXT             NOT NULL,
    process       TEXT             NOT NULL,
    -- the key of run.json: dueToSent, sentToReceived, ...
    hop           TEXT             NOT NULL,
    events        BIGINT           NOT NULL,
    p50_us        DOUBLE PRECISION NOT NULL,
    p99_us        DOUBLE PRECISION NOT NULL,
    p999_us       DOUBLE PRECISION NOT NULL,
    max_us        DOUBLE PRECISION NOT NULL,
    -- events later than that; of the hop dueToBook only
    over_1_ms     BIGINT,
    over_10_ms    BIGINT,
    over_100_ms   BIGINT,
    PRIMARY KEY (host, run_directory, process, hop),
    FOREIGN KEY (host, run_directory) REFERENCES run (host, run_directory)
);
