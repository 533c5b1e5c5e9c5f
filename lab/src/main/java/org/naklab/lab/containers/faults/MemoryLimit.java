package org.naklab.lab.containers.faults;

import java.util.List;
import java.util.Map;
import org.naklab.faults.FaultProof;
import org.naklab.lab.LabException;
import org.naklab.lab.UsageException;
import org.naklab.lab.containers.Docker;

/** The container's memory limit is lowered while it runs; it has fired when the container's memory has been at the limit. */
final class MemoryLimit implements ContainerFault {
    /** Under version 1, a limit with as much swap as without is met at the second counter, and never at the first. */
    private static final String HITS = "if [ $v = 2 ]; then awk '$1 == \"max\" {print $2}' $g/memory.events; else "
            + "cat $g/memory.failcnt $g/memory.memsw.failcnt 2>/dev/null | awk '{s += $1} END {print s + 0}'; fi";

    private final String container;
    private final ControlGroup group;
    private final long formerBytes;
    private final long formerSwapBytes;
    private final long limitBytes;
    private final long hitsAtArming;
    private long hits;
    private boolean isClosed;

    MemoryLimit(String container, long limitBytes) {
        this.container = container;
        this.limitBytes = Arguments.positive("memory limit", limitBytes);
        String[] former = Docker.run(
                        "inspect", "--format", "{{.HostConfig.Memory}} {{.HostConfig.MemorySwap}}", container)
                .split(" ", -1);
        formerBytes = Long.parseLong(former[0]);
        formerSwapBytes = Long.parseLong(former[1]);
        if (formerBytes == 0 || formerBytes < limitBytes) {
            throw new UsageException(container
                    + (formerBytes == 0 ? " has no memory limit" : "'s memory limit is " + formerBytes + " bytes")
                    + ": " + limitBytes + " bytes would not lower it (docker run --memory)");
        }
        group = new ControlGroup(container, "memory");
        hitsAtArming = Long.parseLong(group.run(HITS));
        hits = hitsAtArming;
        set(limitBytes, limitBytes);
    }

    private void set(long bytes, long swapBytes) {
        Docker.run(
                "update", "--memory", bytes + "b", "--memory-swap", swapBytes < 0 ? "-1" : swapBytes + "b", container);
    }

    @Override
    public synchronized FaultProof proof() {
        if (!isClosed) {
            look();
        }
        long since = hits - hitsAtArming;
        return new FaultProof(
                since > 0,
                container + " was " + since + " times at its limit of " + (limitBytes >> 20) + " MiB, "
                        + (formerBytes >> 20) + " before",
                Map.of("limitHits", since, "limitBytes", limitBytes),
                List.of());
    }

    /** In a container that has ended, nothing more. */
    private void look() {
        Docker.Result result = group.attempt(HITS);
        if (!Tool.isGone(result)) {
            hits = Long.parseLong(Tool.outputOf(result, "no counters of " + container));
        }
    }

    @Override
    public synchronized void close() {
        if (isClosed) {
            return;
        }
        look();
        String state = Docker.attempt("inspect", "--format", "{{.State.Running}}", container)
                .output();
        if (state.equals("true")) {
            try {
                set(formerBytes, formerSwapBytes);
            } catch (LabException e) {
                throw new LabException(
                        container + " is left with a memory limit of " + limitBytes + " bytes: " + e.getMessage(), e);
            }
        }
        isClosed = true;
    }
}
