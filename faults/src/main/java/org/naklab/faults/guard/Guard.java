package org.naklab.faults.guard;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.naklab.faults.FaultException;
import org.naklab.faults.TargetProcess;

/**
 * A small shell process that waits for this one to end. Faults write down beforehand, in a ledger, how to undo what they are about to
 * do to the world outside; when the pipe to the guard breaks, whatever the reason, SIGKILL included, it undoes what has not been
 * undone. A guard that is killed is replaced; when both are killed at once, {@link Leftovers} undoes it at the next start.
 * Started by the first promise. Thread-safe.
 */
public final class Guard implements AutoCloseable {
    private static final long CLOSE_TIMEOUT_S = 120;
    /** An engine that is being restarted is back after that many seconds. */
    private static final int TRIES = 20;
    /** Whoever kills more of them than that wants none. */
    private static final int MOST_REPLACEMENTS = 10;

    private @Nullable Ledger ledger;
    private @Nullable Process process;
    private int replacements;

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
        return () -> kept(open, id);
    }

    private synchronized void kept(Ledger promised, int id) {
        if (promised == ledger) {
            promised.strike(id);
        }
    }

    private Ledger open() {
        Ledger open = ledger;
        if (open == null) {
            open = Ledger.create();
            ledger = open;
        }
        if (process == null) {
            process = start(open);
        }
        return open;
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
