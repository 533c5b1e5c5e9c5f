-- Works for SQLite and PostgreSQL alike. Times are ISO 8601 in UTC with milliseconds: they sort as text.
CREATE TABLE run (
    host                   TEXT             NOT NULL,
    run_directory          TEXT             NOT NULL,
    scenario               TEXT             NOT NULL,
    fidelity               TEXT             NOT NULL,
    remedy                 TEXT             NOT NULL,
    profile                TEXT             NOT NULL,
    seed                   BIGINT           NOT NULL,
    started_utc            TEXT             NOT NULL,
    verdict                TEXT             NOT NULL,
    diagnosis              TEXT             NOT NULL,
    confidence             TEXT,
    messages               BIGINT           NOT NULL,
    naks                   BIGINT           NOT NULL,
    -- NULL: the service ended without a last word
    service_naks           BIGINT,
    datagrams_dropped      BIGINT           NOT NULL,
    retransmits            BIGINT           NOT NULL,
    blocked_sends          BIGINT           NOT NULL,
    max_socket_depth_bytes BIGINT           NOT NULL,
    stalls                 INTEGER          NOT NULL,
    longest_stall_ms       DOUBLE PRECISION NOT NULL,
    naklab                 TEXT             NOT NULL,
    jdk                    TEXT             NOT NULL,
    kernel                 TEXT             NOT NULL,
    architecture           TEXT             NOT NULL,
    processor              TEXT             NOT NULL,
    cores                  INTEGER          NOT NULL,
    memory_bytes           BIGINT           NOT NULL,
    PRIMARY KEY (host, run_directory)
);

CREATE INDEX run_by_scenario ON run (scenario, started_utc);

CREATE TABLE stall (
    host           TEXT             NOT NULL,
    run_directory  TEXT             NOT NULL,
    number         INTEGER          NOT NULL,
    process        TEXT             NOT NULL,
    thread         TEXT             NOT NULL,
    -- nanoseconds since 1970; NULL: the run kept no wall clock
    began_epoch_ns BIGINT,
    duration_ms    DOUBLE PRECISION NOT NULL,
    -- -1: the machine does not tell
    major_faults   BIGINT           NOT NULL,
    cause          TEXT             NOT NULL,
    PRIMARY KEY (host, run_directory, number),
    FOREIGN KEY (host, run_directory) REFERENCES run (host, run_directory)
);
