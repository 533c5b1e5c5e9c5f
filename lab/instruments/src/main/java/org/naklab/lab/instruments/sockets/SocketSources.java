package org.naklab.lab.instruments.sockets;

import java.util.ArrayList;
import java.util.List;
import org.naklab.lab.core.timeline.DetectException;

/** The ways to read a process's sockets, best first. */
public enum SocketSources {
    PIDFD,
    NETLINK,
    PROC_NET;

    public SocketSource open(long pid) {
        return switch (this) {
            case PIDFD -> PidfdSocketSource.open(pid);
            case NETLINK -> NetlinkSocketSource.open(pid);
            case PROC_NET -> ProcNetSocketSource.open(pid);
        };
    }

    /**
     * Opens the best source that works on this machine.
     *
     * @throws DetectException none does; the message says why not, each, and what rights it takes if the process is there
     */
    public static SocketSource openBest(long pid) {
        List<String> reasons = new ArrayList<>();
        for (SocketSources way : values()) {
            try {
                return way.open(pid);
            } catch (DetectException e) {
                reasons.add(e.getMessage());
            }
        }
        String advice = ProcessHandle.of(pid).isPresent()
                ? "; run as the user of the process, or as root with CAP_SYS_PTRACE"
                : "";
        throw new DetectException(
                "cannot read the sockets of process " + pid + ": " + String.join("; ", reasons) + advice);
    }
}
