package org.naklab.lab.studies.foreign;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.naklab.lab.core.Secrets;
import org.naklab.lab.process.LineProcess;

/** One execution of a script. Its standard input stays open until it is closed here: its end tells the script to undo and end. */
final class ScriptRun implements AutoCloseable {
    private final Output output = new Output();
    private final LineProcess process;

    private ScriptRun(String name, ProcessBuilder builder) {
        process = LineProcess.start(name, builder, output);
    }

    /**
     * Starts a script.
     *
     * @param environment in addition to that of the lab
     * @param log takes what the script writes to standard error
     */
    static ScriptRun start(String name, List<String> command, Map<String, String> environment, Path log) {
        ProcessBuilder builder = new ProcessBuilder(command);
        Secrets.removeFrom(builder.environment());
        // A tool needs no audit library.
        builder.environment().remove("LD_AUDIT");
        builder.environment().putAll(environment);
        builder.redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()));
        return new ScriptRun(name, builder);
    }

    /**
     * Waits for the end of the script, and makes it end if it does not.
     *
     * @param timeoutNs longest wait, ns
     * @return false if it had to be ended
     */
    boolean finish(long timeoutNs) throws InterruptedException {
        try {
            return output.ended.await(timeoutNs, TimeUnit.NANOSECONDS);
        } finally {
            close();
        }
    }

    /** Ends its standard input; a script that takes no input does not mind. */
    void endInput() {
        boolean unused = process.endInput();
    }

    /** Returns the lines on its standard output so far. */
    List<String> lines() {
        return output.lines();
    }

    /**
     * Waits for a line on its standard output.
     *
     * @param timeoutNs longest wait, ns
     * @return the first such line; empty if there is none in time, or before the script ends
     */
    Optional<String> awaitLine(Predicate<String> wanted, long timeoutNs) throws InterruptedException {
        return output.awaitLine(wanted, System.nanoTime() + timeoutNs);
    }

    /** Returns its exit code; -1 if it has none. */
    int exitCode() {
        return process.exitCode().orElse(-1);
    }

    /** Returns true if it has ended with exit code 0. */
    boolean endedInOrder() {
        return exitCode() == 0;
    }

    /** Describes how it ended, for a message. */
    String endedHow() {
        return process.endedHow();
    }

    @Override
    public void close() {
        process.close();
    }

    /** Keeps the lines. */
    private static final class Output implements LineProcess.Listener {
        private final List<String> lines = new ArrayList<>();
        private final CountDownLatch ended = new CountDownLatch(1);

        synchronized List<String> lines() {
            return List.copyOf(lines);
        }

        synchronized Optional<String> awaitLine(Predicate<String> wanted, long deadlineNs) throws InterruptedException {
            for (int next = 0; ; next++) {
                while (next == lines.size()) {
                    long leftNs = deadlineNs - System.nanoTime();
                    if (ended.getCount() == 0 || leftNs <= 0) {
                        return Optional.empty();
                    }
                    TimeUnit.NANOSECONDS.timedWait(this, leftNs);
                }
                if (wanted.test(lines.get(next))) {
                    return Optional.of(lines.get(next));
                }
            }
        }

        @Override
        public synchronized void onLine(String line) {
            lines.add(line);
            notifyAll();
        }

        @Override
        public synchronized void onBroken(IOException reason) {
            lines.add("its output could not be read: " + reason.getMessage());
        }

        @Override
        public synchronized void onEnd() {
            ended.countDown();
            notifyAll();
        }
    }
}
