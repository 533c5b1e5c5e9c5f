package org.naklab.lab.cli;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.naklab.lab.scenarios.experiment.CpuStealGate;
import org.naklab.lab.scenarios.runner.Cancellation;
import org.naklab.testing.Repetitions;

/**
 * A machine that takes the processors away leaves a run without a verdict, which is what a run should say then; such a run is made
 * again, a bounded number of times, and not before the machine is quiet.
 */
final class Again {
    /** A test that has waited so long for a quiet machine makes its next run at once. */
    private static final long MOST_WAITED_NS = TimeUnit.SECONDS.toNanos(120);

    private Again() {}

    /** Something that a busy machine can spoil. */
    interface Run<T> {
        T make() throws IOException;
    }

    /** The first of so many runs that is not in doubt, or the last. */
    static <T> T whileInDoubt(int attempts, Predicate<T> isInDoubt, Run<T> run) throws IOException {
        T made = run.make();
        int runs = 1;
        long waitedNs = 0;
        while (runs < attempts && isInDoubt.test(made)) {
            if (waitedNs < MOST_WAITED_NS) {
                long beganNs = System.nanoTime();
                awaitQuiet();
                waitedNs += System.nanoTime() - beganNs;
            }
            made = run.make();
            runs++;
        }
        Repetitions.record(caller(), runs, !isInDoubt.test(made));
        return made;
    }

    private static String caller() {
        return StackWalker.getInstance()
                .walk(frames -> frames.filter(frame -> !frame.getClassName().equals(Again.class.getName()))
                        .findFirst()
                        .map(frame -> frame.getClassName() + '.' + frame.getMethodName())
                        .orElseThrow());
    }

    private static void awaitQuiet() throws IOException {
        try {
            new CpuStealGate().await(new Cancellation(), line -> {});
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while the machine was busy", e);
        }
    }
}
