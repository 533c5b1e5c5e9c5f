package org.naklab.testing;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;

/**
 * Makes a run on the real machine. The run is made again only if the machine's own figures say that somebody else disturbed it meanwhile, never because of what
 * the run gave. The runs of a build that are made again are counted by {@link LiveRunLedger}; when they are too many, the next ones are judged as they are.
 */
public final class LiveRun {
    static final int MOST_ATTEMPTS = 3;

    private static final AtomicInteger MADE_AGAIN = new AtomicInteger();

    private final LiveRunLedger ledger;
    private final Watching machine;
    private final Consumer<String> lines;

    /** Something that a disturbed machine can spoil. */
    public interface Run<T> {
        T make() throws IOException;
    }

    /** Watches the machine during one attempt. */
    interface Watching {
        /** Begins, and returns what ends the attempt and tells what happened to the machine meanwhile. */
        Attempt begin() throws IOException;
    }

    /** One attempt that is under way. */
    interface Attempt {
        Disturbance end() throws IOException;
    }

    LiveRun(LiveRunLedger ledger, Watching machine, Consumer<String> lines) {
        this.ledger = ledger;
        this.machine = machine;
        this.lines = lines;
    }

    /**
     * Makes a run, at most three times, and returns the last one.
     *
     * @param test names the test
     * @param run is made again while the machine was disturbed
     * @throws IOException of the run; a run that fails so is not made again
     */
    public static <T> T make(String test, Run<T> run) throws IOException {
        LiveRun live = new LiveRun(
                LiveRunLedger.ofThisBuild(),
                () -> MachineWatch.begin()::end,
                line -> System.out.println(test + ": " + line));
        return live.attempt(test, run);
    }

    /** Returns how many runs this process has made again. */
    static int madeAgain() {
        return MADE_AGAIN.get();
    }

    <T> T attempt(String test, Run<T> run) throws IOException {
        for (int attempts = 1; ; attempts++) {
            Attempt attempt = machine.begin();
            T made;
            Disturbance disturbance;
            try {
                made = run.make();
            } finally {
                disturbance = attempt.end();
            }
            if (!disturbance.isDisturbed() || attempts == MOST_ATTEMPTS) {
                ledger.recordLast(test, attempts, disturbance);
                return made;
            }
            if (!ledger.recordAgain(test, attempts, disturbance)) {
                lines.accept("the machine was disturbed during run " + attempts + ": " + disturbance
                        + "; too many runs of this build were made again, so that this one is judged");
                return made;
            }
            lines.accept("the machine was disturbed during run " + attempts + ": " + disturbance + "; once more");
            MADE_AGAIN.incrementAndGet();
        }
    }
}
