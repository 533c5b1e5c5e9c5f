package org.naklab.testing;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.TestTag;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/**
 * Keeps classes with live runs apart: while one runs, no other of any build of this machine does. These are the classes with the tag {@code live}, and the scenarios of
 * the matrix. JUnit finds it as a service, and calls it before the class begins, so that a wait is not part of any test's time.
 */
public final class LiveLock implements TestExecutionListener {
    private static final Set<TestTag> OF_SCENARIOS = Set.of(TestTag.create("matrix"), TestTag.create("container"));
    private static final TestTag LIVE = TestTag.create("live");

    private final Path file;
    private final Consumer<String> lines;
    private @Nullable FileLock held;
    private @Nullable String holder;

    /** Locks a file in the directory for temporary files. */
    public LiveLock() {
        this(Path.of(System.getProperty("java.io.tmpdir"), "naklab-live-test.lock"), System.out::println);
    }

    LiveLock(Path file, Consumer<String> lines) {
        this.file = file;
        this.lines = lines;
    }

    @Override
    public synchronized void executionStarted(TestIdentifier test) {
        if (held == null && isLive(test)) {
            held = acquire(test.getDisplayName());
            holder = test.getUniqueId();
        }
    }

    @Override
    public synchronized void executionFinished(TestIdentifier test, TestExecutionResult result) {
        if (held != null && test.getUniqueId().equals(holder)) {
            try {
                held.acquiredBy().close();
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            } finally {
                held = null;
                holder = null;
            }
        }
    }

    static boolean isLive(TestIdentifier test) {
        if (!(test.getSource().orElse(null) instanceof ClassSource source)) {
            return false;
        }
        return test.getTags().contains(LIVE)
                || (source.getClassName().endsWith("Scenario")
                        && test.getTags().stream().anyMatch(OF_SCENARIOS::contains));
    }

    private FileLock acquire(String name) {
        try {
            FileChannel channel = FileChannel.open(
                    file, Set.of(StandardOpenOption.CREATE, StandardOpenOption.WRITE, LinkOption.NOFOLLOW_LINKS));
            FileLock lock = channel.tryLock();
            if (lock != null) {
                return lock;
            }
            lines.accept(name + " waits for another live test of this machine: " + file);
            long beganNs = System.nanoTime();
            lock = channel.lock();
            lines.accept(name + " waited " + TimeUnit.NANOSECONDS.toSeconds(System.nanoTime() - beganNs)
                    + " s for another live test");
            return lock;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
