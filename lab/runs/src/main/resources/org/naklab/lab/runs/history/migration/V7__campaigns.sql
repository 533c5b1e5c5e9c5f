-- Campaigns: many seeds of some scenarios, run by shards that write here at the same time.
CREATE TABLE campaign (
    name         TEXT    NOT NULL PRIMARY KEY,
    -- JSON
    plan         TEXT    NOT NULL,
    started_utc  TEXT    NOT NULL,
    -- NULL: the lab does not run from a repository
    commit_id    TEXT,
    -- 1: verdicts are computed from the seeds, and nothing is run
    is_rehearsal INTEGER NOT NULL,
    -- seeds that failed in earlier campaigns, which are played first: JSON
    corpus       TEXT    NOT NULL,
    -- 1: the user has asked for its end; shards begin no further seed
    is_stopped   INTEGER NOT NULL
);

CREATE TABLE campaign_trial (
    campaign          TEXT             NOT NULL,
    scenario          TEXT             NOT NULL,
    arm               TEXT             NOT NULL,
    seed              BIGINT           NOT NULL,
    verdict           TEXT             NOT NULL,
    -- the first condition that does not hold; NULL: all hold
    claim             TEXT,
    cause             TEXT             NOT NULL,
    attempts          INTEGER          NOT NULL,
    -- faults that a swarm left out of this seed; NULL: no swarm
    left_out          TEXT,
    replay            TEXT             NOT NULL,
    elapsed_ms        BIGINT           NOT NULL,
    longest_stall_ms  DOUBLE PRECISION NOT NULL,
    naks              BIGINT           NOT NULL,
    datagrams_dropped BIGINT           NOT NULL,
    host              TEXT             NOT NULL,
    -- NULL: it was not kept, or nothing was run
    run_directory     TEXT,
    finished_utc      TEXT             NOT NULL,
    PRIMARY KEY (campaign, scenario, arm, seed),
    FOREIGN KEY (campaign) REFERENCES campaign (name)
);

CREATE INDEX campaign_trial_by_verdict ON campaign_trial (verdict, scenario, arm);

CREATE INDEX campaign_trial_by_time ON campaign_trial (campaign, finished_utc);

-- One value a row, as programs that look for change points read them.
CREATE VIEW run_metric AS
SELECT t.finished_utc AS time_utc, c.commit_id, t.campaign, t.scenario, t.arm, t.seed,
       'longest_stall_ms' AS metric, t.longest_stall_ms AS value
FROM campaign_trial t JOIN campaign c ON c.name = t.campaign
WHERE c.is_rehearsal = 0 AND t.scenario <> 'canary' AND t.verdict <> 'unknown'
UNION ALL
SELECT t.finished_utc, c.commit_id, t.campaign, t.scenario, t.arm, t.seed, 'naks', CAST(t.naks AS DOUBLE PRECISION)
FROM campaign_trial t JOIN campaign c ON c.name = t.campaign
WHERE c.is_rehearsal = 0 AND t.scenario <> 'canary' AND t.verdict <> 'unknown'
UNION ALL
SELECT t.finished_utc, c.commit_id, t.campaign, t.scenario, t.arm, t.seed, 'datagrams_dropped',
       CAST(t.datagrams_dropped AS DOUBLE PRECISION)
FROM campaign_trial t JOIN campaign c ON c.name = t.campaign
WHERE c.is_rehearsal = 0 AND t.scenario <> 'canary' AND t.verdict <> 'unknown';
