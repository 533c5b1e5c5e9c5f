package org.naklab.lab.cli.hunt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongPredicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.naklab.lab.records.RunCase;
import org.naklab.lab.records.RunDocument;
import org.naklab.lab.records.Stall;
import org.naklab.lab.scenarios.runner.RunProgress;
import org.naklab.lab.terminal.CommandHook;
import org.naklab.lab.terminal.Terminal;
import org.naklab.lab.terminal.runs.RunDisk;
import picocli.CommandLine.TypeConversionException;

/** Hunts by runs of a simulated flow: each takes three seconds of a clock that the test owns, and leaves a directory. */
@Timeout(60)
final class HuntTest {
    private static final long FIRST_SEED = 42;
    private static final long RUN_NS = TimeUnit.SECONDS.toNanos(3);
    private static final int JOURNAL_BYTES = 6_000;
    private static final int RECORD_BYTES = 2_000;

    @TempDir
    private Path runs;

    private final AtomicLong nowNs = new AtomicLong(1_000);
    private final List<Long> largestBytes = new ArrayList<>();
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();
    private boolean isCancelled;

    @Test
    void shouldFindTheOneHitInTwoHundredRuns() {
        HuntSummary summary = hunt("nak", limits(1, Long.MAX_VALUE), null, seed -> seed == FIRST_SEED + 199);

        assertThat(summary.course().ended()).isEqualTo(HuntSummary.End.FOUND);
        assertThat(summary.course().runs()).isEqualTo(200);
        assertThat(summary.kept().hits())
                .containsExactly(new HuntSummary.Hit(
                        200,
                        FIRST_SEED + 199,
                        directory(FIRST_SEED + 199).toString(),
                        "network-loss",
                        "certain",
                        true));
        assertThat(summary.course().elapsedMs()).isEqualTo(600_000);
        assertThat(summary.rateWords()).startsWith("1 of 200 runs (0.50 %, 95 % interval 0.09 to 2.78 %)");
        assertThat(left())
                .as("the hit, and the latest run without one")
                .containsExactly(directory(FIRST_SEED + 198), directory(FIRST_SEED + 199));
    }

    @Test
    void shouldEndWhenTheTimeIsUpWithoutCuttingARunShort() {
        HuntSummary summary = hunt(
                "fail",
                new HuntOptions.Limits(TimeUnit.SECONDS.toNanos(100), 1, Long.MAX_VALUE),
                null,
                seed -> seed % 2 == 0);

        assertThat(summary.course().ended()).isEqualTo(HuntSummary.End.TIME);
        assertThat(summary.course().runs()).isEqualTo(34);
        assertThat(summary.kept().hits()).isEmpty();
    }

    @Test
    void shouldKeepSeveralWindowsWithinTheirSpace() {
        int window = JOURNAL_BYTES + RECORD_BYTES;
        HuntSummary summary = hunt("nak", limits(5, 2L * window), null, seed -> seed % 10 == 0);

        assertThat(summary.kept().hits()).hasSize(5);
        assertThat(summary.kept().hits()).extracting(HuntSummary.Hit::kept).endsWith(true);
        assertThat(largestBytes).allSatisfy(bytes -> assertThat(bytes).isLessThanOrEqualTo(2L * window));
        assertThat(summary.kept().keptBytes()).isLessThanOrEqualTo(2L * window);
        assertThat(directory(90).resolve("record"))
                .as("the latest hit is there in any case")
                .exists();
        assertThat(directory(50).resolve("journal")).doesNotExist();
    }

    @Test
    void shouldDeleteTheOldestHitsIfRecordsAloneTakeTooMuch() {
        HuntSummary summary = hunt("nak", limits(4, 2L * RECORD_BYTES), null, seed -> seed % 10 == 0);

        assertThat(summary.kept().hits()).extracting(HuntSummary.Hit::kept).containsExactly(false, false, false, true);
        assertThat(directory(50)).doesNotExist();
    }

    @Test
    void shouldRunTheCommandForEachHitWhileItsDirectoryIsThere() throws IOException {
        Path told = runs.resolve("told");
        CommandHook hook = new CommandHook(
                "test -e \"$NAKLAB_WINDOW/record\" && echo $NAKLAB_RUN $NAKLAB_SEED $NAKLAB_CAUSE $NAKLAB_CONFIDENCE >> "
                        + told);
        hunt("nak", limits(2, Long.MAX_VALUE), hook, seed -> seed % 10 == 0);

        assertThat(Files.readAllLines(told)).containsExactly("9 50 network-loss certain", "19 60 network-loss certain");
        assertThat(printed.toString(StandardCharsets.UTF_8)).contains("HIT  run 9, seed 50: network-loss (certain)");
    }

    @Test
    void shouldTellThatACommandFailed() {
        hunt("nak", limits(1, Long.MAX_VALUE), new CommandHook("exit 3"), seed -> true);

        assertThat(printed.toString(StandardCharsets.UTF_8)).contains("the command of --exec ended with 3");
    }

    @Test
    void shouldTellHowTheHuntGoesOnceAMinute() {
        hunt("nak", limits(1, Long.MAX_VALUE), null, seed -> seed == FIRST_SEED + 49);

        assertThat(printed.toString(StandardCharsets.UTF_8).lines())
                .contains("0:01:00 of 12:00:00  20 runs, 0 hits, 8,000 B kept")
                .filteredOn(line -> line.contains(" of 12:00:00 "))
                .hasSize(2);
    }

    @Test
    void shouldTellHowALongRunGoes() {
        PrintStream err = new PrintStream(printed, true, StandardCharsets.UTF_8);
        HuntPrinter printer = new HuntPrinter(Terminal.of(err, err), limits(1, Long.MAX_VALUE), null, nowNs::get);
        RunProgress progress = new RunProgress(TimeUnit.SECONDS.toNanos(59), 1_200, 1_000, 1_000, 900);
        printer.onProgress(progress);
        nowNs.addAndGet(TimeUnit.SECONDS.toNanos(61));
        printer.onProgress(progress);

        assertThat(printed.toString(StandardCharsets.UTF_8).lines())
                .containsExactly("0:01:01 of 12:00:00  0 runs; this run 59 s, 1,000 received");
    }

    @Test
    void shouldGiveUpIfNoRunHasAVerdict() {
        HuntSummary summary = hunt("fail", limits(1, Long.MAX_VALUE), null, seed -> false, "unknown");

        assertThat(summary.course().ended()).isEqualTo(HuntSummary.End.INCONCLUSIVE);
        assertThat(summary.course().runs()).isEqualTo(Hunt.MAX_INCONCLUSIVE);
        assertThat(summary.course().rate().trials()).isZero();
    }

    /** The verdict is unknown if, for example, a fault did not fire; the NAKs are counted all the same. */
    @Test
    void shouldCountRunsWithoutAVerdictInTheRateOfNaks() {
        HuntSummary summary = hunt("nak", limits(1, Long.MAX_VALUE), null, seed -> seed == FIRST_SEED + 19, "unknown");

        assertThat(summary.course().inconclusive()).isZero();
        assertThat(summary.rateWords()).startsWith("1 of 20 runs");
    }

    @Test
    void shouldSumUpWhatThereIsIfTheUserEndsIt() throws InterruptedException {
        Hunt.Runner runner = seed -> {
            isCancelled = seed == FIRST_SEED + 2;
            return finished(seed, false, "pass");
        };
        HuntSummary summary = huntBy(runner, "nak", limits(1, Long.MAX_VALUE), null);

        assertThat(summary.course().ended()).isEqualTo(HuntSummary.End.INTERRUPTED);
        assertThat(summary.course().runs()).isEqualTo(3);
        assertThat(summary.course().rate().trials())
                .as("without the run that was cut short")
                .isEqualTo(2);
    }

    @Test
    void shouldKnowItsConditions() {
        RunDocument hit = document(1, true, "fail");
        RunDocument miss = document(1, false, "pass");
        for (String condition : List.of("nak", "fail", "stall>100ms", "stall > 0.12s")) {
            assertThat(condition(condition).isMetBy(hit)).as(condition).isTrue();
            assertThat(condition(condition).isMetBy(miss)).as(condition).isFalse();
        }
        assertThat(condition("stall>150ms").isMetBy(hit))
                .as("it is exactly that long")
                .isFalse();
        assertThatThrownBy(() -> condition("stall>5ms"))
                .isInstanceOf(TypeConversionException.class)
                .hasMessageContaining("20ms and more");
    }

    private HuntSummary hunt(
            String condition, HuntOptions.Limits limits, @Nullable CommandHook hook, LongPredicate isHit) {
        return hunt(condition, limits, hook, isHit, "pass");
    }

    private HuntSummary hunt(
            String condition,
            HuntOptions.Limits limits,
            @Nullable CommandHook hook,
            LongPredicate isHit,
            String verdict) {
        try {
            return huntBy(seed -> finished(seed, isHit.test(seed), verdict), condition, limits, hook);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new AssertionError(e);
        }
    }

    private HuntSummary huntBy(
            Hunt.Runner runner, String condition, HuntOptions.Limits limits, @Nullable CommandHook hook)
            throws InterruptedException {
        PrintStream err = new PrintStream(printed, true, StandardCharsets.UTF_8);
        HuntPrinter printer = new HuntPrinter(Terminal.of(err, err), limits, hook, nowNs::get);
        Hunt.Observer observer = new Hunt.Observer() {
            @Override
            public void onHit(HuntSummary.Hit hit) throws InterruptedException {
                printer.onHit(hit);
            }

            @Override
            public void onRun(HuntSummary soFar) {
                largestBytes.add(soFar.kept().keptBytes());
                printer.onRun(soFar);
            }
        };
        KeptRuns kept = new KeptRuns(limits.keptBytes(), files());
        return new Hunt("baseline", condition(condition), limits, kept, observer, nowNs::get, () -> isCancelled)
                .run(FIRST_SEED, runner);
    }

    private static RunFiles files() {
        return new RunFiles() {
            @Override
            public long bytes(Path directory) {
                return RunDisk.bytes(directory);
            }

            @Override
            public void delete(Path part) {
                RunDisk.delete(part);
            }

            @Override
            public void forget(Path run) {
                RunDisk.delete(run);
            }
        };
    }

    private Hunt.Finished finished(long seed, boolean isHit, String verdict) {
        nowNs.addAndGet(RUN_NS);
        Path directory = directory(seed);
        try {
            Files.createDirectories(directory.resolve("journal"));
            Files.write(directory.resolve("journal/20261124.cq4"), new byte[JOURNAL_BYTES]);
            Files.write(directory.resolve("record"), new byte[RECORD_BYTES]);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return new Hunt.Finished(directory, document(seed, isHit, verdict), "certain");
    }

    private static RunDocument document(long seed, boolean isHit, String verdict) {
        return new RunDocument(
                new RunCase("baseline", "none", "none", "lbtrm", seed),
                new RunDocument.Finding(verdict, isHit ? "network-loss" : "clean"),
                new RunDocument.Messages(500, 500, 500, List.of()),
                new RunDocument.Counts(isHit ? 3 : 0, 0, 0, 0, 0),
                List.of(new Stall("mds", 0, isHit ? 150 : 100, "mds-context", 0, "unknown")),
                null);
    }

    private static HuntOptions.Limits limits(int windows, long keptBytes) {
        return new HuntOptions.Limits(TimeUnit.HOURS.toNanos(12), windows, keptBytes);
    }

    private static HuntCondition condition(String text) {
        return new HuntCondition.Converter().convert(text);
    }

    private Path directory(long seed) {
        return runs.resolve("run-" + seed);
    }

    private List<Path> left() {
        try (Stream<Path> left = Files.list(runs)) {
            return left.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
