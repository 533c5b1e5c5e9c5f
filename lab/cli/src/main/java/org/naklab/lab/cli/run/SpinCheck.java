package org.naklab.lab.cli.run;

import java.util.Optional;
import org.naklab.lab.replica.transport.IdleMode;

/** Warns of threads that spin where they have no CPU of their own: those that hold a CPU keep out those that would have something to do. */
final class SpinCheck {
    /** Context, feed, ring and journal threads of exchange, service and one gateway. */
    private static final int SPINNING_THREADS = 7;

    private SpinCheck() {}

    /**
     * Returns the warning; empty if there is none.
     *
     * @param processors of this machine that the lab may use
     */
    static Optional<String> note(IdleMode idle, int processors) {
        return idle != IdleMode.SPIN || processors >= SPINNING_THREADS
                ? Optional.empty()
                : Optional.of("--idle spin: " + SPINNING_THREADS
                        + " threads of exchange, service and gateway never sleep, and "
                        + "this machine has " + processors
                        + " CPUs for them: events may be late, or none may be published; leave it out, or use a machine with "
                        + "more CPUs");
    }
}
