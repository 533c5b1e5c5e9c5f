package org.naklab.lab.runs.history;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.naklab.lab.runs.record.RunCase;

/** What holds for a history whatever its database. */
abstract class HistoryContract {
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
