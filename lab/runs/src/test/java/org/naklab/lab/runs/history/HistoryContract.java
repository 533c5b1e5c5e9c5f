package org.naklab.lab.runs.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.naklab.lab.records.RunCase;
import org.naklab.lab.runs.history.detail.HistoryTable;
import org.naklab.lab.runs.history.detail.RunDetails;

/** What holds for a history whatever its database. */
abstract class HistoryContract {
    private static final Path PAGE = Path.of(System.getProperty("naklab.root"), "docs/reference/history.md");
    private static final int WRITERS = 8;
    private static final int RUNS_EACH = 5;

    /** Of a database that is empty. */
    abstract HistoryUrl url();

    @Test
    void shouldGiveBackWhatWasAdded() {
        HistoryEntry entry = TestRuns.mystery("2026-11-21T03:26:10.052Z", 42);
        History.open(url()).add(entry);
        History again = History.openExisting(url());
        assertThat(again.runs(null)).containsExactly(entry.run());
        assertThat(again.stalls(entry.run().runCase())).isEqualTo(entry.stalls());
    }

    @Test
    void shouldKeepWhatIsNotKnownUnknown() {
        RunRow run = TestRuns.run("2026-11-21T03:26:10.052Z", "baseline", "none", TestRuns.figures(null, 0));
        StallRow stall = new StallRow("mds", "mds-context", null, 21.5, -1, "unknown");
        History history = History.open(url());
        history.add(new HistoryEntry(run, List.of(stall)));
        assertThat(history.runs("baseline")).containsExactly(run);
        assertThat(history.stalls(run.runCase())).containsExactly(stall);
    }

    @Test
    void shouldListRunsOfOneScenarioByTime() {
        RunFigures figures = TestRuns.figures(0L, 0);
        RunRow later = TestRuns.run("2026-11-21T09:00:00.000Z", "mystery", "none", figures);
        RunRow earlier = TestRuns.run("2026-11-20T10:00:00.000Z", "mystery", "bind-now", figures);
        RunRow other = TestRuns.run("2026-11-21T08:00:00.000Z", "baseline", "none", figures);
        History history = History.open(url());
        List.of(later, other, earlier).forEach(run -> history.add(new HistoryEntry(run, List.of())));
        assertThat(history.runs("mystery")).containsExactly(earlier, later);
        assertThat(history.runs(null)).containsExactly(earlier, other, later);
    }

    /** Receivers and latencies come with the runs, also if an earlier run began in the same millisecond. */
    @Test
    void shouldGiveTheLatestRunsWithAllThatIsKnownOfThem() {
        History history = History.open(url());
        assertThat(history.latest(null, 2)).isEqualTo(new History.Latest(List.of(), 0));
        HistoryEntry first = TestRuns.mystery("2026-11-20T10:00:00.000Z", 1);
        HistoryEntry second = TestRuns.mystery("2026-11-21T10:00:00.000Z", 2);
        RunRow third = TestRuns.run("2026-11-21T11:00:00.000Z", "baseline", "none", TestRuns.figures(0L, 0));
        RunRow twin = first.run().in(Path.of("/runs/mystery/earlier"));
        List.of(new HistoryEntry(third, List.of()), first, second, new HistoryEntry(twin, List.of()))
                .forEach(history::add);
        assertThat(first.run().receivers()).isNotEmpty();
        assertThat(history.latest(null, 2)).isEqualTo(new History.Latest(List.of(second.run(), third), 4));
        assertThat(history.latest("mystery", 1)).isEqualTo(new History.Latest(List.of(second.run()), 3));
        assertThat(history.latest(null, 9)).isEqualTo(new History.Latest(history.runs(null), 4));
        assertThat(history.latest("mystery", 2).runs().get(0).receivers())
                .isEqualTo(first.run().receivers());
    }

    @Test
    void shouldCountTheRunsOfEachDayByVerdict() {
        History history = History.open(url());
        history.add(TestRuns.mystery("2026-11-20T23:59:59.999Z", 1));
        history.add(TestRuns.mystery("2026-11-21T00:00:00.000Z", 2));
        history.add(TestRuns.mystery("2026-11-21T00:00:01.000Z", 3));
        RunRow other = TestRuns.run("2026-11-21T09:00:00.000Z", "baseline", "bind-now", TestRuns.figures(0L, 0));
        history.add(new HistoryEntry(other, List.of()));
        RunMark mark = TestRuns.mystery("2026-11-20T23:59:59.999Z", 1).run().mark();
        History.DayCount of20 = new History.DayCount("mystery", "none", "2026-11-20", mark, 1);
        History.DayCount of21 = new History.DayCount("mystery", "none", "2026-11-21", mark, 2);
        assertThat(history.days("mystery")).containsExactlyInAnyOrder(of20, of21);
        assertThat(history.days(null))
                .containsExactlyInAnyOrder(
                        of20, of21, new History.DayCount("baseline", "bind-now", "2026-11-21", other.mark(), 1));
    }

    @Test
    void shouldGiveStallsOfRunsThatAreAlikeOnly() {
        HistoryEntry one = TestRuns.mystery("2026-11-21T03:26:10.052Z", 1);
        HistoryEntry other = TestRuns.mystery("2026-11-21T03:27:10.052Z", 2);
        History history = History.open(url());
        history.add(one);
        history.add(other);
        assertThat(history.stalls(one.run().runCase())).hasSize(2);
        assertThat(history.stalls(new RunCase("mystery", "simulated", "none", "lbtrm", 1)))
                .isEmpty();
    }

    @Test
    void shouldRefuseTheSameRunTwiceAndKeepTheFirst() {
        HistoryEntry entry = TestRuns.mystery("2026-11-21T03:26:10.052Z", 42);
        History history = History.open(url());
        history.add(entry);
        assertThatThrownBy(() -> history.add(entry))
                .isInstanceOf(HistoryException.class)
                .hasMessageContaining("cannot be written")
                .hasMessageNotContaining("\n");
        assertThat(history.stalls(entry.run().runCase())).hasSize(1);
    }

    @Test
    void shouldKeepTheReasonAndTheFirstOfTheSameRun() {
        RunRow run = TestRuns.run("2026-11-21T03:26:10.052Z", "baseline", "none", TestRuns.figures(null, 0));
        RunRow killed = new RunRow(
                run.host(),
                run.runDirectory(),
                run.startedUtc(),
                run.runCase(),
                new RunFinding("unknown", "unknown", null, "ended without a verdict"),
                run.figures(),
                run.hostFacts());
        History history = History.open(url());
        history.addIfAbsent(new HistoryEntry(killed, List.of()));
        history.addIfAbsent(new HistoryEntry(run, List.of()));
        assertThat(history.runs(null)).containsExactly(killed);
    }

    @Test
    void shouldExportWhatIsKnownOfARunAsCsv() {
        History history = History.open(url());
        history.add(TestRuns.mystery("2026-11-21T03:26:10.052Z", 42));
        String key = "host,/runs/mystery/2026-11-21T03-26-10.052Z-42,";

        assertThat(csv(history, HistoryTable.STALL_PART))
                .containsExactly(
                        "host,run_directory,stall,number,kind,ms,detail",
                        key + "0,0,sleep,150.1,\"bind of \"\"sched_yield\"\", held up\"",
                        key + "0,1,unexplained,0.7,\"\"");
        assertThat(csv(history, HistoryTable.STALE_QUOTES))
                .containsExactly(
                        "host,run_directory,changes,periods,periods_over_10_ms,total_ms,longest_ms,longest_instrument,"
                                + "max_difference",
                        key + "12345,40,31,5210.5,371.2,17,0.35");
        assertThat(csv(history, HistoryTable.RUN)).last().asString().endsWith(",0,31,1795231573013000000");
        assertThat(csv(history, HistoryTable.STALL)).last().asString().endsWith("late-binding-delay,2.0005");
        assertThat(csv(history, HistoryTable.FAULT))
                .containsExactly(
                        "host,run_directory,process,fault,armed,fired,explanation",
                        key + "mds,lazy-binding,1,1,the first yield bound sched_yield",
                        key + "mds,rate-limit-yield,0,,");
        assertThat(csv(history, HistoryTable.FAULT_FIGURE)).contains(key + "mds,lazy-binding,bindNs,150099427");
        assertThat(csv(history, HistoryTable.FIRING))
                .contains(key + "mds,lazy-binding,0,1795231575013000000,150099427,bind of sched_yield");
        assertThat(csv(history, HistoryTable.CHAIN_LINK))
                .contains(key + "0,STALL,1,1,1795231575013000000", key + "1,NAK_SENT,0,,");
        assertThat(csv(history, HistoryTable.EVENT))
                .contains(key + "0,1795231575013000000,150800000,STALL,mds,mds-context,1");
        assertThat(csv(history, HistoryTable.SAMPLE_SECOND))
                .contains(key + "0,socket.mds.0.0.0.0.depthBytes,56308,774632,,,1795231575,3,0,312832,7");
    }

    @Test
    void shouldExportTheRunsOfOneScenarioOnly() {
        History history = History.open(url());
        history.add(TestRuns.mystery("2026-11-21T03:26:10.052Z", 42));
        history.add(new HistoryEntry(
                TestRuns.run("2026-11-21T09:00:00.000Z", "it's", "none", TestRuns.figures(0L, 0)), List.of()));

        for (HistoryTable table : HistoryTable.values()) {
            assertThat(csv(history, table)).as(table.label()).hasSizeGreaterThan(1);
            assertThat(csv(history, table, "soak")).as(table.label()).hasSize(1);
        }
        assertThat(csv(history, HistoryTable.RUN)).hasSize(3);
        assertThat(csv(history, HistoryTable.RUN, "it's")).hasSize(2);
    }

    @Test
    void shouldForgetTheEventsAndSamplesOfOneRunOnly() {
        HistoryEntry first = TestRuns.mystery("2026-11-21T03:26:10.052Z", 1);
        HistoryEntry second = TestRuns.mystery("2026-11-21T03:27:10.052Z", 2);
        History history = History.open(url());
        history.add(first);
        history.add(second);

        history.forgetEvents(first.run());

        assertThat(csv(history, HistoryTable.EVENT)).hasSize(3).noneMatch(row -> row.contains("-1,"));
        assertThat(csv(history, HistoryTable.SAMPLE_SECOND)).hasSize(2);
        assertThat(csv(history, HistoryTable.STALL_PART)).hasSize(5);
        assertThat(history.runs(null)).containsExactly(first.run(), second.run());
    }

    /** The scenario of the command line holds the answers of SQLite against real runs; here the question is whether both databases have one. */
    @Test
    void shouldUnderstandEachQueryOfThePage() throws Exception {
        HistoryUrl url = url();
        History.open(url).add(TestRuns.mystery("2026-11-21T03:26:10.052Z", 42));
        Matcher query = Pattern.compile("```sql\\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(PAGE));
        int queries = 0;
        try (Connection connection = DriverManager.getConnection(url.jdbc());
                Statement statement = connection.createStatement()) {
            for (; query.find(); queries++) {
                try (ResultSet rows = statement.executeQuery(query.group(1))) {
                    assertThat(rows.getMetaData().getColumnCount())
                            .as(query.group(1))
                            .isGreaterThan(1);
                }
            }
        }
        assertThat(queries).isEqualTo(10);
    }

    @Test
    void shouldAnswerThatNoNakCameBeforeTheEvictionAndAllAfterIt() throws Exception {
        HistoryUrl url = url();
        HistoryEntry mystery = TestRuns.mystery("2026-11-21T03:26:10.052Z", 42);
        RunDetails details = mystery.details();
        long evictionEpochNs = 1_795_231_573_013_000_000L;
        List<RunDetails.Event> events = new ArrayList<>(details.events());
        events.add(new RunDetails.Event(evictionEpochNs - 1, 0, "NAK_SENT", "mds", "mds-context", 1));
        HistoryEntry other = TestRuns.mystery("2026-11-21T03:27:10.052Z", 43);
        History history = History.open(url);
        history.add(mystery);
        history.add(new HistoryEntry(
                other.run(), other.stalls(), details.with(events, details.seconds(), new RunDetails.LeftOut(0, 31))));
        Matcher query =
                Pattern.compile("### 2\\. .*?```sql\\n(.*?)```", Pattern.DOTALL).matcher(Files.readString(PAGE));
        assertThat(query.find()).isTrue();
        List<String> answers = new ArrayList<>();
        try (Connection connection = DriverManager.getConnection(url.jdbc());
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery(query.group(1))) {
            while (rows.next()) {
                answers.add(rows.getLong("naks_before") + " before, " + rows.getLong("naks_after")
                        + " after, first stall after " + rows.getDouble("first_stall_s") + " s");
            }
        }
        assertThat(answers)
                .containsExactly(
                        "0 before, 6 after, first stall after 2.0005 s",
                        "1 before, 6 after, first stall after 2.0005 s");
    }

    private static List<String> csv(History history, HistoryTable table) {
        return csv(history, table, null);
    }

    private static List<String> csv(History history, HistoryTable table, @Nullable String scenario) {
        StringBuilder out = new StringBuilder();
        long rows = history.export(table, scenario, out);
        List<String> lines = out.toString().lines().toList();
        assertThat(lines).hasSize((int) rows + 1);
        return lines;
    }

    @Test
    void shouldLoseNothingWhenManyWriteAtOnceFromTheFirstRunOn() throws Exception {
        CyclicBarrier together = new CyclicBarrier(WRITERS);
        ExecutorService writers = Executors.newFixedThreadPool(WRITERS);
        try {
            List<Future<?>> all = new ArrayList<>();
            for (int writer = 0; writer < WRITERS; writer++) {
                int firstSeed = writer * RUNS_EACH;
                all.add(writers.submit(() -> {
                    together.await();
                    History history = History.open(url());
                    IntStream.range(firstSeed, firstSeed + RUNS_EACH)
                            .forEach(seed -> history.add(TestRuns.mystery("2026-11-21T03:26:10.052Z", seed)));
                    return null;
                }));
            }
            for (Future<?> each : all) {
                each.get();
            }
        } finally {
            writers.shutdownNow();
        }
        assertThat(History.open(url()).runs("mystery")).hasSize(WRITERS * RUNS_EACH);
    }
}
