package org.naklab.faults.host;

import java.util.List;
import java.util.Optional;
import org.naklab.faults.Commands;
import org.naklab.faults.FaultException;

/** Whether the processes that this one starts may have a real-time priority. */
final class RealTimePriority {
    private RealTimePriority() {}

    /** Tries it; returns why not, and what to do, or empty if they may. */
    static Optional<String> obstacle() {
        try {
            String ignored = Commands.run(List.of("chrt", "-f", "1", "true"));
            return Optional.empty();
        } catch (FaultException e) {
            return Optional.of("a real-time priority needs CAP_SYS_NICE and chrt (util-linux): run as root, with sudo");
        }
    }
}
