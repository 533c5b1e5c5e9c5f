-- What each receiver of a run had to recover. A run that is older than this table has no rows.
CREATE TABLE receiver (
    host          TEXT    NOT NULL,
    run_directory TEXT    NOT NULL,
    number        INTEGER NOT NULL,
    name          TEXT    NOT NULL,
    naks          BIGINT  NOT NULL,
    -- datagrams that came in behind later ones, or again
    recovered     BIGINT  NOT NULL,
    PRIMARY KEY (host, run_directory, number),
    FOREIGN KEY (host, run_directory) REFERENCES run (host, run_directory)
);
