-- The parts of the stalls, a row for each part. A run that is older than these tables has no rows in any of them.
CREATE TABLE stall_part (
    host          TEXT             NOT NULL,
    run_directory TEXT             NOT NULL,
    -- number of the stall in the table stall
    stall         INTEGER          NOT NULL,
    -- the longest part is 0, what is unexplained is last
    number        INTEGER          NOT NULL,
    kind          TEXT             NOT NULL,
    ms            DOUBLE PRECISION NOT NULL,
    detail        TEXT             NOT NULL,
    PRIMARY KEY (host, run_directory, stall, number),
    FOREIGN KEY (host, run_directory, stall) REFERENCES stall (host, run_directory, number)
);

CREATE TABLE fault (
    host          TEXT    NOT NULL,
    run_directory TEXT    NOT NULL,
    -- where it was armed; outside: in the lab
    process       TEXT    NOT NULL,
    fault         TEXT    NOT NULL,
    -- 0 or 1
    armed         INTEGER NOT NULL,
    -- NULL: the fault left no proof
    fired         INTEGER,
    explanation   TEXT,
    PRIMARY KEY (host, run_directory, process, fault),
    FOREIGN KEY (host, run_directory) REFERENCES run (host, run_directory)
);

-- The figures of the proofs.
CREATE TABLE fault_figure (
    host          TEXT   NOT NULL,
    run_directory TEXT   NOT NULL,
    process       TEXT   NOT NULL,
    fault         TEXT   NOT NULL,
    -- with its unit
    name          TEXT   NOT NULL,
    value         BIGINT NOT NULL,
    PRIMARY KEY (host, run_directory, process, fault, name),
    FOREIGN KEY (host, run_directory, process, fault) REFERENCES fault (host, run_directory, process, fault)
);

-- When the faults struck: the first times of each.
CREATE TABLE firing (
    host           TEXT    NOT NULL,
    run_directory  TEXT    NOT NULL,
    process        TEXT    NOT NULL,
    fault          TEXT    NOT NULL,
    number         INTEGER NOT NULL,
    -- nanoseconds since 1970; NULL: the run kept no wall clock
    began_epoch_ns BIGINT,
    duration_ns    BIGINT  NOT NULL,
    what           TEXT    NOT NULL,
    PRIMARY KEY (host, run_directory, process, fault, number),
    FOREIGN KEY (host, run_directory, process, fault) REFERENCES fault (host, run_directory, process, fault)
);

-- The links of the causal chain, from the rate limit to the repair.
CREATE TABLE chain_link (
    host          TEXT    NOT NULL,
    run_directory TEXT    NOT NULL,
    number        INTEGER NOT NULL,
    -- the type of its event
    link          TEXT    NOT NULL,
    -- 0 or 1
    present       INTEGER NOT NULL,
    -- NULL: not known
    in_order      INTEGER,
    -- NULL: it was not seen, or the run kept no wall clock
    at_epoch_ns   BIGINT,
    PRIMARY KEY (host, run_directory, number),
    FOREIGN KEY (host, run_directory) REFERENCES run (host, run_directory)
);

-- The events of the timeline.
CREATE TABLE event (
    host           TEXT    NOT NULL,
    run_directory  TEXT    NOT NULL,
    number         INTEGER NOT NULL,
    began_epoch_ns BIGINT,
    -- 0: an instant
    duration_ns    BIGINT  NOT NULL,
    type           TEXT    NOT NULL,
    process        TEXT    NOT NULL,
    -- empty: not of one thread
    thread         TEXT    NOT NULL,
    -- NAKs, retransmits or datagrams, of the events that count some; 1 of all others
    amount         BIGINT  NOT NULL,
    PRIMARY KEY (host, run_directory, number),
    FOREIGN KEY (host, run_directory) REFERENCES run (host, run_directory)
);

CREATE INDEX event_by_type ON event (type);

-- The samples of each second in which a series changed.
CREATE TABLE sample_second (
    host          TEXT    NOT NULL,
    run_directory TEXT    NOT NULL,
    number        INTEGER NOT NULL,
    -- without port, inode, thread and session, so that it is the same in each run
    series        TEXT    NOT NULL,
    -- of a socket
    port          INTEGER,
    inode         BIGINT,
    -- of a thread
    thread_id     BIGINT,
    -- of an Aeron stream
    session_id    BIGINT,
    -- seconds since 1970
    epoch_second  BIGINT  NOT NULL,
    samples       BIGINT  NOT NULL,
    least         BIGINT  NOT NULL,
    most          BIGINT  NOT NULL,
    -- at the end of the second
    last_value    BIGINT  NOT NULL,
    PRIMARY KEY (host, run_directory, number),
    FOREIGN KEY (host, run_directory) REFERENCES run (host, run_directory)
);

CREATE INDEX sample_second_by_series ON sample_second (series);
