package org.naklab.lab.core.process;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.naklab.lab.core.Json;
import org.naklab.lab.core.LabException;

/**
 * Starts a child program that answers, and keeps its lines until they are asked for. No wait is longer than its limit, and a message says which program it was, how it
 * ended and what it wrote last.
 */
public final class AskedProcess implements AutoCloseable {
    /** A program that has not answered for so long is stuck, however slow the machine is, ns. */
    public static final long STUCK_NS = TimeUnit.SECONDS.toNanos(300);

    private static final long EXIT_MS = 2_000;

    private final Answers answers = new Answers();
    private final LineProcess process;

    private AskedProcess(String name, ProcessBuilder builder) {
        process = LineProcess.start(name, builder, answers);
    }

    /**
     * Starts a child program. Standard error is left to the caller of {@link ProcessBuilder}.
     *
     * @param name for threads and messages
     * @throws java.io.UncheckedIOException if it cannot be started
     */
    public static AskedProcess start(String name, ProcessBuilder builder) {
        return new AskedProcess(name, builder);
    }

    /** Returns the name that it was started with. */
    public String name() {
        return process.name();
    }

    /** Returns the process id as this machine numbers it. */
    public long pid() {
        return process.pid();
    }

    /** Sends a line. A program that has ended takes none, which its missing answer tells. */
    public void send(String line) {
        boolean unused = process.send(line);
    }

    /** Ends its input; a program that takes no input does not mind. */
    public void endInput() {
        boolean unused = process.endInput();
    }

    /** Takes the next line, as {@link #next(long)} does, within {@link #STUCK_NS}. */
    public String next() {
        return next(STUCK_NS);
    }

    /**
     * Takes the next line.
     *
     * @param timeoutNs longest wait, ns
     * @throws LabException if none comes in time, the program ends instead, or the thread is interrupted
     */
    public String next(long timeoutNs) {
        try {
            Optional<String> line = answers.take(timeoutNs);
            if (line.isPresent()) {
                return line.get();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new LabException("interrupted while waiting for an answer of " + name(), e);
        }
        String last = answers.last();
        String what = answers.hasEnded() && process.endsWithin(EXIT_MS)
                ? " ended instead of an answer (" + endedHow() + ")"
                : " runs, but has not answered for " + TimeUnit.NANOSECONDS.toSeconds(timeoutNs) + " s";
        throw new LabException(name() + what + (last.isEmpty() ? "; see standard error" : "; its last line: " + last));
    }

    /** Takes the next line, a JSON document, as {@link #next()} does. */
    public <L> L next(Class<L> type) {
        return Json.fromLine(next(), type);
    }

    /** Takes the next line if it is there already. */
    public Optional<String> poll() {
        return answers.poll();
    }

    /** Returns the lines that were not taken so far. */
    public List<String> lines() {
        return answers.lines();
    }

    /**
     * Waits for a line, which stays untaken.
     *
     * @param timeoutNs longest wait, ns
     * @return the first such line; empty if there is none in time, or before the program ends
     */
    public Optional<String> awaitLine(Predicate<String> wanted, long timeoutNs) throws InterruptedException {
        return answers.await(wanted, timeoutNs);
    }

    /**
     * Waits for the end of the program, and makes it end if it does not.
     *
     * @param timeoutNs longest wait, ns
     * @return false if it had to be ended
     */
    public boolean finish(long timeoutNs) throws InterruptedException {
        try {
            return answers.awaitEnd(timeoutNs);
        } finally {
            close();
        }
    }

    /** Returns its exit code; -1 if it has none. */
    public int exitCode() {
        return process.exitCode().orElse(-1);
    }

    /** Describes how it ended, for a message. */
    public String endedHow() {
        return process.endedHow();
    }

    /** Ends it as {@link LineProcess#close} does. */
    @Override
    public void close() {
        process.close();
    }

    /** Keeps the lines. */
    private static final class Answers implements LineProcess.Listener {
        private final Deque<String> lines = new ArrayDeque<>();
        private String last = "";
        private boolean hasEnded;

        synchronized Optional<String> take(long timeoutNs) throws InterruptedException {
            Optional<String> unused = await(line -> true, timeoutNs);
            return poll();
        }

        synchronized Optional<String> poll() {
            return Optional.ofNullable(lines.poll());
        }

        synchronized Optional<String> await(Predicate<String> wanted, long timeoutNs) throws InterruptedException {
            long deadlineNs = System.nanoTime() + timeoutNs;
            for (; ; ) {
                Optional<String> found = lines.stream().filter(wanted).findFirst();
                long leftNs = deadlineNs - System.nanoTime();
                if (found.isPresent() || hasEnded || leftNs <= 0) {
                    return found;
                }
                TimeUnit.NANOSECONDS.timedWait(this, leftNs);
            }
        }

        synchronized boolean awaitEnd(long timeoutNs) throws InterruptedException {
            long deadlineNs = System.nanoTime() + timeoutNs;
            for (long leftNs = timeoutNs; !hasEnded && leftNs > 0; leftNs = deadlineNs - System.nanoTime()) {
                TimeUnit.NANOSECONDS.timedWait(this, leftNs);
            }
            return hasEnded;
        }

        synchronized List<String> lines() {
            return List.copyOf(lines);
        }

        synchronized String last() {
            return last;
        }

        synchronized boolean hasEnded() {
            return hasEnded;
        }

        @Override
        public synchronized void onLine(String line) {
            last = line;
            lines.add(line);
            notifyAll();
        }

        @Override
        public void onBroken(Exception reason) {
            onLine("its output could not be read: " + reason.getMessage());
        }

        @Override
        public synchronized void onEnd() {
            hasEnded = true;
            notifyAll();
        }
    }
}
