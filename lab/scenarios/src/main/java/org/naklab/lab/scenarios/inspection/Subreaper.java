package org.naklab.lab.scenarios.inspection;

import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.instruments.linux.Libc;

/**
 * Makes this process the parent of all its descendants whose own parents end, so that a helper which a helper left behind is seen among its
 * children. Without it, they become children of the first process of the machine, and nothing says whose they were.
 */
final class Subreaper implements AutoCloseable {
    /** {@code PR_SET_CHILD_SUBREAPER} of linux/prctl.h. */
    private static final int SET_CHILD_SUBREAPER = 36;

    private Subreaper() {}

    /**
     * Begins to adopt.
     *
     * @throws DetectException if the system does not permit it
     */
    static Subreaper begin() {
        set(1);
        return new Subreaper();
    }

    private static void set(long value) {
        if (Libc.prctl(SET_CHILD_SUBREAPER, value, 0, 0, 0) != 0) {
            throw new DetectException("cannot see the processes that helpers leave behind: prctl: " + Libc.lastError());
        }
    }

    /** Adopts no more; the adopted stay. */
    @Override
    public void close() {
        set(0);
    }
}
