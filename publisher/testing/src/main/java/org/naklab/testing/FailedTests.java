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

/** Prints, for each failed test, what the hypervisor took from the CPUs meanwhile. JUnit finds it as a service. */
public final class FailedTests implements TestExecutionListener {
    private static final Path STAT = Path.of("/proc/stat");

    private final Map<String, Started> running = new ConcurrentHashMap<>();
    private final Consumer<String> lines;

    /** Tells when a test began, and the CPU times then. */
    private record Started(long atNs, @Nullable CpuTicks ticks) {}

    /** Prints to the standard output. */
    public FailedTests() {
        this(System.out::println);
    }

    FailedTests(Consumer<String> lines) {
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
        if (started != null && result.getStatus() == TestExecutionResult.Status.FAILED) {
            lines.accept(line(test, started));
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

    /** Returns the name that a reader knows: the method, or the class of what happened before and after all methods. */
    static String name(TestIdentifier test) {
        String id = test.getUniqueId();
        int from = id.indexOf("[class:");
        String className = from < 0 ? "no class" : id.substring(from + "[class:".length(), id.indexOf(']', from));
        return test.getLegacyReportingName() + " of " + className;
    }

    private static @Nullable CpuTicks read() {
        try {
            return CpuTicks.of(Files.readString(STAT));
        } catch (IOException e) {
            return null;
        }
    }
}
