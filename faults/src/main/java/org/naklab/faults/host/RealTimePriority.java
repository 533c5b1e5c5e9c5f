package org.naklab.faults.host;

import java.util.List;
import java.util.Optional;
import org.naklab.faults.Commands;
import org.naklab.faults.FaultException;

/** Tries whether the processes that this one starts may have a real-time priority. */
final class RealTimePriority {
    private RealTimePriority() {}

    /** Holds the result of the only try. */
    private static final class Tried {
        private static final Optional<String> OBSTACLE = tryIt();
    }

    /** Returns why they may not, and what to do, or empty if they may; tries it at the first call. */
    static Optional<String> obstacle() {
        return Tried.OBSTACLE;
    }

    private static Optional<String> tryIt() {
        try {
            String ignored = Commands.run(List.of("chrt", "-f", "1", "true"));
            return Optional.empty();
        } catch (FaultException e) {
            return Optional.of("a real-time priority needs CAP_SYS_NICE and chrt (util-linux): run as root, with sudo");
        }
    }
}
