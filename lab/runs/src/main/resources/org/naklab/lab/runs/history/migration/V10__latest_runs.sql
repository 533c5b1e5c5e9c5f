-- The calendar reads the latest runs, and counts those of each day.
CREATE INDEX run_by_time ON run (started_utc);

CREATE INDEX run_by_day ON run (scenario, started_utc, remedy, verdict);

DROP INDEX run_by_scenario;
