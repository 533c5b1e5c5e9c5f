package org.naklab.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Prints, for each failed test, what the hypervisor took from the CPUs meanwhile, and counts the tests that the build ran again after a failure among the {@link
 * Repetitions}. JUnit finds it as a service.
 */
public final class FailedTests implements TestExecutionListener {
    private static final Path STAT = Path.of("/proc/stat");

    /** The build may run a test again with another listener. */
    private static final Map<String, Integer> FAILURES = new ConcurrentHashMap<>();

    private final Map<String, Started> running = new ConcurrentHashMap<>();
    private final Count count;
    private final Consumer<String> lines;

    /** Takes note of a test that was run again. */
    interface Count {
        void add(String test, int runs, boolean isGood);
    }

    /** When a test began, and the CPU times then. */
    private record Started(long atNs, @Nullable CpuTicks ticks) {}

    /** Counts among the repetitions of the module. */
    public FailedTests() {
        this(Repetitions::record, System.out::println);
    }

    FailedTests(Count count, Consumer<String> lines) {
        this.count = count;
        this.lines = lines;
    }

    @Override
    public void executionStarted(TestIdentifier test) {
        if (test.isTest()) {
            running.put(test.getUniqueId(), new Started(System.nanoTime(), read()));
        }
    }

    @Override
    public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        Started started = running.remove(test.getUniqueId());
        if (started == null) {
            return;
        }
        boolean isFailed = result.getStatus() == TestExecutionResult.Status.FAILED;
        Integer earlier = FAILURES.get(test.getUniqueId());
        if (isFailed) {
            FAILURES.merge(test.getUniqueId(), 1, Integer::sum);
            lines.accept(line(test, started));
        }
        if (earlier != null) {
            count.add(name(test), earlier + 1, !isFailed);
        }
    }

    private static String line(TestIdentifier test, Started started) {
        CpuTicks before = started.ticks();
        CpuTicks after = read();
        String stolen = before == null || after == null
                ? "the share of the hypervisor is not known"
                : String.format(
                        Locale.ROOT, "the hypervisor took %.1f %% of the CPUs", 100 * after.stolenSince(before));
        double seconds = (System.nanoTime() - started.atNs()) / (double) TimeUnit.SECONDS.toNanos(1);
        return String.format(Locale.ROOT, "%s failed after %.1f s; %s meanwhile", name(test), seconds, stolen);
    }

    private static String name(TestIdentifier test) {
        return test.getLegacyReportingName().replace(',', ' ') + " of "
                + test.getParentId().map(FailedTests::className).orElse("no class");
    }

    private static String className(String id) {
        int from = id.indexOf("[class:");
        return from < 0 ? id : id.substring(from + "[class:".length(), id.indexOf(']', from));
    }

    private static @Nullable CpuTicks read() {
        try {
            return CpuTicks.of(Files.readString(STAT));
        } catch (IOException e) {
            return null;
        }
    }
}
