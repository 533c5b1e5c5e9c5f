package org.naklab.faults.guard;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.FaultException;
import org.naklab.faults.TargetProcess;

/**
 * A small shell process that waits for this one to end. Faults write down beforehand, in a ledger, how to undo what they are about to
 * do to the world outside; when the pipe to the guard breaks, whatever the reason, SIGKILL included, it undoes what has not been
 * undone. A guard that is killed is replaced. A second one, which belongs to no process of this one and as root to no control group, undoes it when both are killed at
 * once; when that is killed too, {@link Leftovers} undoes it at the next start. What has a {@link #within bound of time} is undone then even if this process is stopped.
 * Started by the first promise. Thread-safe.
 */
public final class Guard implements AutoCloseable {
    private static final long CLOSE_TIMEOUT_S = 120;
    /** An engine that is being restarted is back after that many seconds. */
    private static final int TRIES = 20;
    /** Whoever kills more of them than that wants none. */
    private static final int MOST_REPLACEMENTS = 10;

    /** This process undoes what it does itself, unless it is that late. */
    private static final long LATE_MS = 500;

    /** A change that is promised may begin later, such as one that a container engine makes. */
    private static final long BEGINNING_MS = 60_000;

    private static final long SECOND_S = 60;
    private static final long SECOND_POLL_NS = TimeUnit.MILLISECONDS.toNanos(2);

    private static final double CENTISECONDS = 100;
    private static final long MS_PER_CENTISECOND = 10;

    private static final ThreadLocal<@Nullable Bound> BOUND = new ThreadLocal<>();

    private @Nullable Ledger ledger;
    private @Nullable Process process;
    private int replacements;

    /**
     * Bounds in time what this thread promises until the bound is closed: then the guard itself undoes it, whatever this process does.
     *
     * @param forMs how long what is promised lasts, from {@link Bound#begin} on
     */
    public static Bound within(long forMs) {
        return new Bound(forMs);
    }

    /** A bound of time for promises. One thread, except {@link #wasReached}. */
    public static final class Bound implements AutoCloseable {
        private final long forMs;
        private final List<Promised> promised = new CopyOnWriteArrayList<>();

        private record Promised(Guard guard, Ledger ledger, int id) {}

        private Bound(long forMs) {
            this.forMs = forMs;
            BOUND.set(this);
        }

        private void add(Guard guard, Ledger ledger, int id) {
            promised.add(new Promised(guard, ledger, id));
            ledger.keepAt(id, sinceBoot(forMs + BEGINNING_MS));
        }

        /** Lets the time begin: all that was promised has been done. */
        public void begin() {
            promised.forEach(each -> {
                each.ledger.keepAt(each.id, sinceBoot(forMs + LATE_MS));
                each.guard.look();
            });
        }

        /** Returns whether a guard had to undo something because its time was over. */
        public boolean wasReached() {
            return promised.stream().anyMatch(each -> each.ledger.wasKeptInTime(each.id));
        }

        @Override
        public void close() {
            BOUND.remove();
        }

        private static long sinceBoot(long ms) {
            try {
                String uptime = Files.readString(Path.of("/proc/uptime"));
                return (long) (Double.parseDouble(uptime.substring(0, uptime.indexOf(' '))) * CENTISECONDS)
                        + ms / MS_PER_CENTISECOND;
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Promises to have a stopped process continue. */
    public Promise toContinue(TargetProcess target) {
        return promise("cont " + target.pid() + " " + target.startTicks());
    }

    /** Promises to have a helper process killed. */
    public Promise toKill(TargetProcess target) {
        return promise("kill " + target.pid() + " " + target.startTicks());
    }

    /** Promises to have a file, or a directory and what is in it, deleted; a symbolic link is not followed. */
    public Promise toDelete(Path file) {
        return promise("delete " + file.toAbsolutePath());
    }

    /** Promises to have a thread of a process put back onto its processors. */
    public Promise toRestoreAffinity(TargetProcess target, long threadId, String cpuList) {
        return promise("affinity " + target.pid() + " " + target.startTicks() + " " + threadId + " " + cpuList);
    }

    /**
     * Promises to have a command run. It may be run more than once and after a reboot, and must end with 0 when there is nothing to
     * undo.
     *
     * @param what is undone, for messages
     */
    public Promise toRun(String what, List<String> command) {
        return promise("run " + GuardScript.quoted(describe(what, command)));
    }

    /** Promises to have a command run before anything else is undone, once or twice. */
    public Promise toRunFirst(String what, List<String> command) {
        return promise("first " + GuardScript.quoted(describe(what, command)));
    }

    /**
     * Wraps a command that does what has been promised to be undone: the guard waits for its end, and it does not begin when this
     * process has ended, so that nothing is done after it was undone.
     */
    public synchronized List<String> act(List<String> command) {
        return GuardScript.act(open().file(), ProcessIdentity.current(), command);
    }

    private static List<String> describe(String what, List<String> command) {
        List<String> words = new ArrayList<>(List.of(what));
        words.addAll(command);
        return words;
    }

    private synchronized Promise promise(String action) {
        Ledger open = open();
        int id = open.add(action);
        Bound bound = BOUND.get();
        if (bound != null) {
            bound.add(this, open, id);
            look();
        }
        return () -> kept(open, id);
    }

    /** Has the guard read the times in the ledger again. */
    private synchronized void look() {
        if (process != null) {
            try {
                process.getOutputStream().write('\n');
                process.getOutputStream().flush();
            } catch (IOException itWasKilled) {
                // Another takes its place, and reads the ledger first.
            }
        }
    }

    private synchronized void kept(Ledger promised, int id) {
        if (promised == ledger) {
            promised.strike(id);
        }
    }

    private Ledger open() {
        Ledger open = ledger;
        boolean isNew = open == null;
        if (open == null) {
            open = Ledger.create();
            ledger = open;
            startSecond(open);
        }
        if (process == null) {
            process = start(open);
        }
        if (isNew) {
            awaitSecond(open);
        }
        return open;
    }

    /** Nothing is promised before it stands by itself: who kills this process and its children at once would reach it until then. */
    private static void awaitSecond(Ledger open) {
        long beganNs = System.nanoTime();
        while (!open.hasSecond()) {
            if (System.nanoTime() - beganNs > TimeUnit.SECONDS.toNanos(SECOND_S)) {
                throw new FaultException("the second guard process has not begun within " + SECOND_S + " s");
            }
            LockSupport.parkNanos(SECOND_POLL_NS);
        }
    }

    private Process start(Ledger open) {
        try {
            Process started = GuardScript.guard(open.file(), TRIES)
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
            CompletableFuture<Void> unused = started.onExit().thenAccept(this::replace);
            return started;
        } catch (IOException e) {
            throw new FaultException("cannot start the guard process: " + e.getMessage(), e);
        }
    }

    /** The first guard ends it when nothing is left to undo. */
    private static void startSecond(Ledger open) {
        try {
            GuardScript.second(open.file(), TRIES, ProcessIdentity.current().process())
                    .redirectInput(Path.of("/dev/null").toFile())
                    .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                    .redirectError(ProcessBuilder.Redirect.DISCARD)
                    .start();
        } catch (IOException e) {
            throw new FaultException("cannot start the second guard process: " + e.getMessage(), e);
        }
    }

    /** A guard that ends while its promises are open was killed. */
    private synchronized void replace(Process ended) {
        Ledger open = ledger;
        if (ended == process && open != null) {
            process = null;
            if (replacements++ < MOST_REPLACEMENTS) {
                process = start(open);
            }
        }
    }

    /** Lets the guard go; what was promised and not kept is undone first. */
    @Override
    public void close() {
        Process guard;
        synchronized (this) {
            guard = process;
            process = null;
            if (ledger != null) {
                ledger.close();
            }
            ledger = null;
        }
        if (guard != null) {
            release(guard);
        }
    }

    private static void release(Process guard) {
        try {
            guard.getOutputStream().close();
            if (!guard.waitFor(CLOSE_TIMEOUT_S, TimeUnit.SECONDS)) {
                throw new FaultException("the guard process does not end");
            }
        } catch (IOException e) {
            throw new FaultException("cannot close the pipe to the guard process", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return;
        }
        if (guard.exitValue() != 0) {
            throw new FaultException("the guard process could not undo everything that was promised");
        }
    }

    /** To undo something. */
    @FunctionalInterface
    public interface Promise {
        /** It has been undone; the guard need not. */
        void kept();
    }
}
