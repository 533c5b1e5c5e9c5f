package org.naklab.lab.campaign;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.runs.history.History;
import org.naklab.lab.runs.history.HistoryUrl;
import org.naklab.lab.runs.history.RunColour;
import org.naklab.lab.runs.history.RunRow;
import org.naklab.lab.runs.history.detail.Row;
import org.naklab.lab.scenarios.Verdict;

/** The campaigns in a history. Shards in several processes and on several machines write at the same time. */
public final class CampaignStore {
    /** So many failing seeds of earlier campaigns are played again, those first that fail fastest. */
    static final int MAX_CORPUS = 100;

    private static final String KEY = "campaign, scenario, arm, seed";
    private static final String FINDING = "verdict, claim, cause, attempts, left_out, replay, elapsed_ms, "
            + "longest_stall_ms, naks, datagrams_dropped, receivers, host, run_directory, finished_utc";

    private final History history;

    /**
     * Opens the history, and makes it when there is none.
     *
     * @throws org.naklab.lab.runs.history.HistoryException it cannot be reached
     */
    public CampaignStore(HistoryUrl url) {
        this(History.open(url));
    }

    private CampaignStore(History history) {
        this.history = history;
    }

    /**
     * Opens a history that is there.
     *
     * @throws org.naklab.lab.runs.history.HistoryException it is not there, or cannot be reached
     */
    public static CampaignStore existing(HistoryUrl url) {
        return new CampaignStore(History.openExisting(url));
    }

    /** Trials of one cell with one verdict. */
    public record Count(Cell cell, Verdict verdict, int trials) {}

    /** The verdict and the receivers of one trial, for pictures. */
    public record Mark(Cell cell, long seed, Verdict verdict, List<RunRow.Receiver> receivers) {
        /** Returns what a receiver had to recover; grey if it is not known. */
        RunColour colour(String receiver) {
            return receivers.stream()
                    .filter(each -> each.name().equals(receiver))
                    .findFirst()
                    .map(RunRow.Receiver::colour)
                    .orElse(RunColour.GREY);
        }
    }

    /**
     * Returns the campaign of that name, and begins it when there is none. The first process that asks decides the corpus, so that all
     * shards divide the same work.
     *
     * @throws UsageException there is one with another plan
     */
    public Campaign begin(String name, CampaignPlan plan, @Nullable String commit, String nowUtc) {
        return history.transact(connection -> {
            List<Long> corpus = plan.grid().blocks().isEmpty() ? corpus(connection, name, plan) : List.of();
            try (PreparedStatement statement = connection.prepareStatement(
                    "INSERT INTO campaign (name, plan, started_utc, commit_id, is_rehearsal, corpus, is_stopped)"
                            + " VALUES (?, ?, ?, ?, ?, ?, 0) ON CONFLICT (name) DO NOTHING")) {
                new Row(statement)
                        .text(name)
                        .text(Json.line(plan))
                        .text(nowUtc)
                        .text(commit)
                        .flag(plan.execution().rehearsal() != null)
                        .text(Json.line(corpus));
                statement.executeUpdate();
            }
            Campaign campaign = read(connection, name).orElseThrow();
            if (!campaign.plan().equals(plan)) {
                throw new UsageException("campaign " + name + " has another plan (seeds, scenarios, arms or options);"
                        + " --name gives this one a name of its own");
            }
            return campaign;
        });
    }

    /** Returns the campaign of that name. */
    public Optional<Campaign> find(String name) {
        return history.transact(connection -> read(connection, name));
    }

    /** Returns the names of all campaigns, the latest first. */
    public List<String> names() {
        return history.transact(connection -> {
            try (PreparedStatement statement =
                            connection.prepareStatement("SELECT name FROM campaign ORDER BY started_utc DESC, name");
                    ResultSet rows = statement.executeQuery()) {
                List<String> names = new ArrayList<>();
                while (rows.next()) {
                    names.add(rows.getString(1));
                }
                return names;
            }
        });
    }

    /**
     * Adds a trial, or replaces the one with its key.
     *
     * @return whether the user has asked for the end of the campaign
     */
    public boolean record(String campaign, TrialRow row) {
        return history.transact(connection -> {
            insert(connection, campaign, List.of(row));
            try (PreparedStatement statement =
                    connection.prepareStatement("SELECT is_stopped FROM campaign WHERE name = ?")) {
                new Row(statement).text(campaign);
                try (ResultSet rows = statement.executeQuery()) {
                    return rows.next() && rows.getInt(1) != 0;
                }
            }
        });
    }

    /** Adds many trials at once, or replaces those with their keys. */
    public void recordAll(String campaign, List<TrialRow> trials) {
        history.transact(connection -> {
            insert(connection, campaign, trials);
            return trials;
        });
    }

    /** Asks the shards to begin no further seed, or permits it again. */
    public void setStopped(String campaign, boolean isStopped) {
        history.transact(connection -> {
            try (PreparedStatement statement =
                    connection.prepareStatement("UPDATE campaign SET is_stopped = ? WHERE name = ?")) {
                new Row(statement).flag(isStopped).text(campaign);
                return statement.executeUpdate();
            }
        });
    }

    /** Returns all trials, those of a cell by seed. */
    public List<TrialRow> trials(String campaign) {
        return select(campaign, "ORDER BY scenario, arm, seed");
    }

    /** Returns a trial; empty if it has not ended. */
    public Optional<TrialRow> trial(String campaign, TrialRow.Key key) {
        return history
                .transact(connection -> select(
                        connection,
                        campaign,
                        "AND seed = " + key.seed() + " AND scenario = ? AND arm = ?",
                        key.cell().scenario(),
                        key.cell().arm()))
                .stream()
                .findFirst();
    }

    /** Returns the failed trials, the fastest of each kind of failure first; without the canary. */
    public List<TrialRow> failures(String campaign) {
        return select(
                campaign,
                "AND verdict = 'fail' AND scenario <> 'canary' ORDER BY scenario, claim, cause, elapsed_ms, seed");
    }

    /**
     * Returns the trials that were finished after a time, in their order.
     *
     * @param afterUtc ISO 8601; empty: all
     */
    public List<TrialRow> finishedAfter(String campaign, String afterUtc) {
        return history.transact(connection -> select(
                connection, campaign, "AND finished_utc > ? ORDER BY finished_utc, scenario, arm, seed", afterUtc));
    }

    /** Returns the numbers of trials of each cell and verdict, the canary's too. */
    public List<Count> counts(String campaign) {
        return history.transact(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(
                    "SELECT scenario, arm, verdict, COUNT(*) FROM"
                            + " campaign_trial WHERE campaign = ? GROUP BY scenario, arm, verdict ORDER BY scenario, arm")) {
                new Row(statement).text(campaign);
                List<Count> counts = new ArrayList<>();
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        counts.add(new Count(cell(rows), verdict(rows), rows.getInt(4)));
                    }
                }
                return counts;
            }
        });
    }

    /** Returns the verdicts of all trials by seed, without the canary's. */
    public List<Mark> marks(String campaign) {
        return history.transact(connection -> {
            try (PreparedStatement statement = connection.prepareStatement(
                    "SELECT scenario, arm, seed, verdict, receivers FROM"
                            + " campaign_trial WHERE campaign = ? AND scenario <> 'canary' ORDER BY seed, scenario, arm")) {
                new Row(statement).text(campaign);
                List<Mark> marks = new ArrayList<>();
                try (ResultSet rows = statement.executeQuery()) {
                    while (rows.next()) {
                        marks.add(new Mark(cell(rows), rows.getLong("seed"), verdict(rows), receivers(rows)));
                    }
                }
                return marks;
            }
        });
    }

    private List<TrialRow> select(String campaign, String rest) {
        return history.transact(connection -> select(connection, campaign, rest));
    }

    private static List<TrialRow> select(Connection connection, String campaign, String rest, String... values)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT " + KEY + ", " + FINDING + " FROM campaign_trial WHERE campaign = ? " + rest)) {
            Row parameters = new Row(statement).text(campaign);
            for (String value : values) {
                parameters.text(value);
            }
            List<TrialRow> trials = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    trials.add(trial(rows));
                }
            }
            return trials;
        }
    }

    private static void insert(Connection connection, String campaign, List<TrialRow> trials) throws SQLException {
        String columns = KEY + ", " + FINDING;
        String holders = "?, ".repeat(columns.split(",", -1).length - 1) + "?";
        String updates = String.join(
                ", ",
                Arrays.stream(FINDING.split(", ", -1))
                        .map(column -> column + " = excluded." + column)
                        .toList());
        try (PreparedStatement statement = connection.prepareStatement("INSERT INTO campaign_trial (" + columns
                + ") VALUES (" + holders + ") ON CONFLICT (" + KEY + ") DO UPDATE SET " + updates)) {
            for (TrialRow trial : trials) {
                SeedResult result = trial.result();
                new Row(statement)
                        .text(campaign)
                        .text(trial.cell().scenario())
                        .text(trial.cell().arm())
                        .number(trial.seed())
                        .text(result.verdict().label())
                        .text(result.claim())
                        .text(result.cause())
                        .number(trial.attempts())
                        .text(trial.leftOut())
                        .text(result.replay())
                        .number(result.elapsedMs())
                        .decimal(result.longestStallMs())
                        .number(result.naks())
                        .number(result.datagramsDropped())
                        .text(Json.line(result.receivers()))
                        .text(trial.host())
                        .text(result.runDirectory())
                        .text(trial.finishedUtc());
                statement.addBatch();
            }
            statement.executeBatch();
        }
    }

    private static Optional<Campaign> read(Connection connection, String name) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(
                "SELECT plan, started_utc, commit_id, corpus, is_stopped FROM campaign WHERE name = ?")) {
            new Row(statement).text(name);
            try (ResultSet rows = statement.executeQuery()) {
                if (!rows.next()) {
                    return Optional.empty();
                }
                return Optional.of(new Campaign(
                        name,
                        Json.fromLine(rows.getString("plan"), CampaignPlan.class),
                        rows.getString("started_utc"),
                        rows.getString("commit_id"),
                        Arrays.stream(Json.fromLine(rows.getString("corpus"), long[].class))
                                .boxed()
                                .toList(),
                        rows.getInt("is_stopped") != 0));
            }
        }
    }

    /** Seeds of rehearsals are no seeds that failed. */
    private static List<Long> corpus(Connection connection, String name, CampaignPlan plan) throws SQLException {
        String cells = String.join(
                " OR ",
                plan.cells().stream().map(cell -> "(scenario = ? AND arm = ?)").toList());
        try (PreparedStatement statement = connection.prepareStatement("SELECT seed, MIN(elapsed_ms) AS fastest FROM"
                + " campaign_trial t JOIN campaign c ON c.name = t.campaign WHERE verdict = 'fail' AND is_rehearsal = ?"
                + " AND campaign <> ? AND (" + cells + ") GROUP BY seed ORDER BY fastest, seed LIMIT " + MAX_CORPUS)) {
            Row parameters = new Row(statement)
                    .flag(plan.execution().rehearsal() != null)
                    .text(name);
            for (Cell cell : plan.cells()) {
                parameters.text(cell.scenario()).text(cell.arm());
            }
            List<Long> seeds = new ArrayList<>();
            try (ResultSet rows = statement.executeQuery()) {
                while (rows.next()) {
                    seeds.add(rows.getLong(1));
                }
            }
            return seeds;
        }
    }

    private static TrialRow trial(ResultSet from) throws SQLException {
        return new TrialRow(
                cell(from),
                from.getLong("seed"),
                new SeedResult(
                        verdict(from),
                        from.getString("claim"),
                        from.getString("cause"),
                        from.getString("replay"),
                        from.getLong("elapsed_ms"),
                        from.getDouble("longest_stall_ms"),
                        from.getLong("naks"),
                        from.getLong("datagrams_dropped"),
                        receivers(from),
                        from.getString("run_directory")),
                from.getInt("attempts"),
                from.getString("left_out"),
                from.getString("host"),
                from.getString("finished_utc"));
    }

    private static List<RunRow.Receiver> receivers(ResultSet from) throws SQLException {
        return List.of(Json.fromLine(from.getString("receivers"), RunRow.Receiver[].class));
    }

    private static Cell cell(ResultSet from) throws SQLException {
        return new Cell(from.getString("scenario"), from.getString("arm"));
    }

    private static Verdict verdict(ResultSet from) throws SQLException {
        return Verdict.labelled(from.getString("verdict")).orElseThrow();
    }
}
