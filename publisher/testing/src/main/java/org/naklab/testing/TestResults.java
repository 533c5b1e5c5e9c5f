package org.naklab.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestTag;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.TestPlan;

/**
 * Lists the skipped tests at the end of each module, and keeps them for the whole build in {@code target/skips.csv} at the root of the project; keeps what each test of
 * the matrix gave in {@code target/matrix.tsv}, and writes the {@linkplain MatrixDocument document} from it. JUnit finds it as a service.
 */
public final class TestResults implements TestExecutionListener {
    private static final Set<TestTag> OF_MATRIX = Set.of(TestTag.create("matrix"), TestTag.create("container"));

    private final Map<String, Started> running = new ConcurrentHashMap<>();
    private final List<String> skipped = new java.util.concurrent.CopyOnWriteArrayList<>();
    private final BuildLedger results;
    private final BuildLedger skips;
    private final String commit;
    private final Consumer<String> lines;
    private volatile boolean hasMatrix;

    private record Started(long atNs, int madeAgain) {}

    /** Keeps the results of this build. */
    public TestResults() {
        this(
                BuildLedger.ofThisBuild(file().getFileName().toString()),
                BuildLedger.ofThisBuild("skips.csv"),
                Builds.commit(),
                System.out::println);
    }

    TestResults(BuildLedger results, BuildLedger skips, String commit, Consumer<String> lines) {
        this.results = results;
        this.skips = skips;
        this.commit = commit;
        this.lines = lines;
    }

    static Path file() {
        return Builds.directory().resolve("matrix.tsv");
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        running.put(test.getUniqueId(), new Started(System.nanoTime(), LiveRun.madeAgain()));
    }

    @Override
    public void executionSkipped(TestIdentifier test, String reason) {
        skip(test, reason);
        record(test, new Started(System.nanoTime(), LiveRun.madeAgain()), TestRecord.SKIPPED, reason);
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        Started started = running.remove(test.getUniqueId());
        boolean hasPassed = result.getStatus() == TestExecutionResult.Status.SUCCESSFUL;
        if (started == null || (hasPassed && !test.isTest())) {
            return;
        }
        String reason = hasPassed ? "" : reason(result.getThrowable());
        if (result.getStatus() == TestExecutionResult.Status.ABORTED) {
            skip(test, reason);
            record(test, started, TestRecord.SKIPPED, reason);
        } else {
            record(test, started, hasPassed ? TestRecord.PASSED : TestRecord.FAILED, reason);
        }
    }

    @Override
    public void testPlanExecutionFinished(TestPlan plan) {
        if (!skipped.isEmpty()) {
            lines.accept("Skipped here: " + skipped.size());
            skipped.forEach(lines);
        }
        if (hasMatrix) {
            try {
                MatrixDocument.write(results.file());
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    private void skip(TestIdentifier test, String reason) {
        boolean isAllowed = AllowedSkips.OF_PROJECT.contain(reason);
        skipped.add("  " + FailedTests.name(test) + ": " + firstLine(reason)
                + (isAllowed ? "" : " (not on the list of allowed skips)"));
        append(
                skips,
                String.join(
                        ",",
                        FailedTests.name(test).replace(',', ' '),
                        isAllowed ? "allowed" : "not allowed",
                        firstLine(reason)));
    }

    private void record(TestIdentifier test, Started started, String result, String reason) {
        if (test.getTags().stream().noneMatch(OF_MATRIX::contains)) {
            return;
        }
        hasMatrix = true;
        double seconds = (System.nanoTime() - started.atNs()) / (double) TimeUnit.SECONDS.toNanos(1);
        int attempts = 1 + LiveRun.madeAgain() - started.madeAgain();
        String id = test.getUniqueId();
        append(
                results,
                new TestRecord(
                                commit,
                                id,
                                FailedTests.name(test),
                                seconds,
                                attempts,
                                result,
                                reason.isEmpty() ? "" : firstLine(reason))
                        .toLine());
    }

    private static void append(BuildLedger ledger, String line) {
        try {
            ledger.append(line);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String reason(Optional<Throwable> thrown) {
        return thrown.map(e -> Optional.ofNullable(e.getMessage()).orElse(e.toString()))
                .orElse("no reason");
    }

    private static String firstLine(String reason) {
        return reason.strip().lines().findFirst().orElse("no reason");
    }
}
