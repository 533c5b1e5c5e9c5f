-- The customers of a process, a row for each process that served some. Their latencies are in the table latency: the hops dueToClient and dueToQuote.
CREATE TABLE customers (
    host                 TEXT             NOT NULL,
    run_directory        TEXT             NOT NULL,
    -- the process that served them
    server               TEXT             NOT NULL,
    customers            INTEGER          NOT NULL,
    -- customers that have got everything
    ended                INTEGER          NOT NULL,
    -- customers whose books at the end are those of the server, and those whose books are not
    same_books           INTEGER          NOT NULL,
    other_books          INTEGER          NOT NULL,
    -- because they read too slowly
    warned               BIGINT           NOT NULL,
    disconnected         BIGINT           NOT NULL,
    -- with a snapshot, after they were disconnected
    rejoined             INTEGER          NOT NULL,
    skipped_quotes       BIGINT           NOT NULL,
    -- in the server for one customer at one time
    most_waiting_bytes   BIGINT           NOT NULL,
    -- as in the table stale_quotes, but of the best prices that a customer has; NULL: not measured
    stale_periods        BIGINT,
    stale_over_10_ms     BIGINT,
    stale_total_ms       DOUBLE PRECISION,
    stale_longest_ms     DOUBLE PRECISION,
    stale_max_difference DOUBLE PRECISION,
    PRIMARY KEY (host, run_directory, server),
    FOREIGN KEY (host, run_directory) REFERENCES run (host, run_directory)
);
