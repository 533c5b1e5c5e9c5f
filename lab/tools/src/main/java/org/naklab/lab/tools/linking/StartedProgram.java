package org.naklab.lab.tools.linking;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.naklab.lab.core.process.ProcPaths;
import org.naklab.lab.instruments.linux.ProcessSignals;

/**
 * Is a program that was started, and calls no function through a linkage table: it is statically linked, or was built with {@code -fno-plt}. It is measured by
 * uprobes, as a program that runs already: at the functions that it imports, from its first instruction on; a static one at those that its threads wait in.
 */
public final class StartedProgram {
    private static final long FOREVER_NS = TimeUnit.DAYS.toNanos(3_650);
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(5);
    private static final long INTERVAL_NS = TimeUnit.MILLISECONDS.toNanos(1);

    private final List<String> command;
    private final LibraryProfiler.Run run;
    private boolean isStopped;

    private StartedProgram(List<String> command, LibraryProfiler.Run run) {
        this.command = command;
        this.run = run;
    }

    /**
     * Starts it; it does not run before {@link #await}.
     *
     * @param output where its standard output goes
     * @throws org.naklab.lab.core.InputException it cannot be started
     */
    public static StartedProgram start(LibraryProfiler profiler, List<String> command, ProcessBuilder.Redirect output) {
        StartedProgram program = new StartedProgram(command, profiler.startStopped(command, output));
        program.awaitStop();
        return program;
    }

    /** Returns the program. */
    public Process process() {
        return run.process();
    }

    /** A static program has nothing in it that would stop it: it is stopped from outside, when it has begun. */
    private void awaitStop() {
        long endNs = System.nanoTime() + PATIENCE_NS;
        boolean isDynamic = isDynamic();
        while (process().isAlive() && System.nanoTime() - endNs < 0) {
            if (state() == 'T') {
                isStopped = true;
                return;
            }
            if (!isDynamic) {
                ProcessSignals.stop(process().pid());
            }
            LockSupport.parkNanos(INTERVAL_NS);
        }
    }

    private boolean isDynamic() {
        try {
            String maps = Files.readString(ProcPaths.of(process().pid(), "maps"));
            return maps.contains("/ld-linux") || maps.contains("/ld-");
        } catch (IOException ended) {
            return false;
        }
    }

    private char state() {
        try {
            String stat = Files.readString(ProcPaths.of(process().pid(), "stat"));
            return stat.charAt(stat.lastIndexOf(')') + 2);
        } catch (IOException ended) {
            return 'X';
        }
    }

    /** Resumes it at the first question, which comes when the probes are set. */
    private boolean isEnded() {
        resume();
        return !process().isAlive();
    }

    private void resume() {
        if (isStopped && process().isAlive()) {
            isStopped = false;
            ProcessSignals.resume(process().pid());
        }
    }

    /**
     * Lets it run, and waits for its end. Without uprobes, its waits are sampled, and the profile says why.
     *
     * @param files a directory from which programs may be executed
     * @param limitPercent of the time of one processor that probes and samples may cost
     * @throws InterruptedException while waiting; the program goes on
     */
    public LibraryProfile await(Path files, double limitPercent, boolean withThreads) throws InterruptedException {
        try {
            LibraryProfile profile = new RunningProfiler(process().pid(), files, limitPercent, this::isEnded)
                    .profileImports(FOREVER_NS, withThreads);
            int exitCode = process().waitFor();
            return profile.ended(command, exitCode, run.notLoaded());
        } finally {
            resume();
            run.discard();
        }
    }
}
