package org.naklab.lab.containers.faults;

import com.google.auto.service.AutoService;
import java.util.List;
import java.util.Map;
import org.naklab.faults.FaultProof;
import org.naklab.faults.Limits;
import org.naklab.faults.description.FaultDescription;
import org.naklab.faults.description.FaultParameter;
import org.naklab.faults.description.ParameterType;
import org.naklab.lab.containers.ContainerFault;
import org.naklab.lab.containers.ContainerFaultKind;
import org.naklab.lab.containers.Docker;
import org.naklab.lab.containers.DockerEngine;
import org.naklab.lab.containers.EngineGuard;
import org.naklab.lab.containers.FaultArguments;
import org.naklab.lab.containers.TypedContainerFaultKind;
import org.naklab.lab.containers.Undo;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.instruments.linux.CgroupPaths;

/**
 * The container's memory limit is lowered while it runs; it has fired when the container's memory has been at the limit. Under
 * version 1 not every kernel counts that, and the highest use tells it too.
 */
final class MemoryLimit implements ContainerFault {
    /** Memory is charged by the batch and the folio: at the limit, the highest use stays that much below. */
    private static final long FOLIO_BYTES = 2L << 20;

    private static final int BELOW_LIMIT_PERCENT = 2;

    /** Restores a container's former limits from the fault's; a limit that somebody else has set since is left alone. */
    private static final String RESTORE = "existing docker inspect \"$1\";"
            + " [ \"$(docker inspect --format '{{.HostConfig.Memory}}' \"$1\")\" != \"$2\" ]"
            + " || undoing docker update --memory \"$3\" --memory-swap \"$4\" \"$1\"";

    private final String container;
    private final ContainerCgroup group;
    private final Undo undo;
    private final long formerBytes;
    private final long formerSwapBytes;
    private final long limitBytes;
    private final Use atArming;
    private Use latest;
    private boolean isClosed;

    /**
     * The kernel's counters of the group.
     *
     * @param hits times at the limit
     * @param peakBytes highest use since arming; 0 when it is not known
     */
    private record Use(long hits, long peakBytes) {
        static Use of(String output) {
            String[] words = output.split(" ", -1);
            return new Use(Long.parseLong(words[0]), Long.parseLong(words[1]));
        }
    }

    MemoryLimit(String container, long limitBytes) {
        this.container = container;
        this.limitBytes = FaultArguments.positive("memory limit", limitBytes);
        DockerEngine.Limits former = DockerEngine.inspect(container).limits();
        formerBytes = former.memoryBytes();
        formerSwapBytes = former.memoryAndSwapBytes();
        if (formerBytes <= limitBytes) {
            throw new UsageException(container
                    + (formerBytes == 0 ? " has no memory limit" : "'s memory limit is " + formerBytes + " bytes")
                    + ": " + limitBytes + " bytes would not lower it (docker run --memory)");
        }
        group = new ContainerCgroup(container, CgroupPaths.MEMORY);
        long hitsBefore =
                Use.of(group.run(ContainerCgroup.LIMIT_HITS_AND_HIGHEST_USE)).hits();
        undo = Undo.promise(
                "restore the memory limit of " + container,
                RESTORE,
                List.of(
                        group.container(),
                        String.valueOf(limitBytes),
                        String.valueOf(formerBytes),
                        formerSwapBytes < 0 ? "-1" : String.valueOf(formerSwapBytes)));
        String limit = limitBytes + "b";
        latest = undo.orUndo(() -> {
            EngineGuard.run("update", "--memory", limit, "--memory-swap", limit, container);
            return Use.of(group.run(ContainerCgroup.RESET_HIGHEST_USE + ContainerCgroup.LIMIT_HITS_AND_HIGHEST_USE));
        });
        atArming = new Use(hitsBefore, latest.peakBytes());
    }

    @Override
    public synchronized FaultProof proof() {
        if (!isClosed) {
            look();
        }
        long hits = latest.hits() - atArming.hits();
        long belowBytes = Math.max(FOLIO_BYTES, limitBytes * BELOW_LIMIT_PERCENT / 100);
        boolean hasFired = hits > 0 || latest.peakBytes() >= limitBytes - belowBytes;
        return new FaultProof(
                hasFired,
                container + (hasFired ? " was at" : " did not reach") + " its limit of " + limitBytes + " bytes, "
                        + formerBytes + " before: counted " + hits + " times"
                        + (latest.peakBytes() == 0 ? "" : ", peak usage " + latest.peakBytes() + " bytes"),
                Map.of("limitHits", hits, "limitBytes", limitBytes, "peakBytes", latest.peakBytes()),
                List.of());
    }

    /** Reads the counters; keeps the last values of a container that has ended. */
    private void look() {
        Docker.Result result = group.attempt(ContainerCgroup.LIMIT_HITS_AND_HIGHEST_USE);
        if (!result.isGone()) {
            latest = Use.of(result.outputOrThrow("no counters of " + container));
        }
    }

    @Override
    public synchronized void close() {
        if (isClosed) {
            return;
        }
        look();
        undo.run();
        isClosed = true;
    }

    /** Describes the fault, and arms it by the words of a plan. */
    @AutoService(ContainerFaultKind.class)
    public static final class Kind extends TypedContainerFaultKind<Kind.Parameters> {
        /** Holds the parameters as a plan names them. */
        public record Parameters(long limitBytes) {
            public Parameters {
                Limits.within("limitBytes", limitBytes, 1, Long.MAX_VALUE - 1);
            }
        }

        /** Creates the kind; called by the service loader. */
        public Kind() {
            super(
                    "memory-limit",
                    ENGINE_ACCESS + "; a container with a memory limit",
                    Parameters.class,
                    FaultDescription.of("The memory limit of the container is lowered")
                            .with(FaultParameter.of(
                                    "limitBytes", ParameterType.SIZE, "lower than the limit that it has"))
                            .proof("how often its memory was at the limit")
                            .example("memory-limit:limit=256MiB"));
        }

        @Override
        protected ContainerFault arm(String container, Parameters parameters) {
            return new MemoryLimit(container, parameters.limitBytes());
        }
    }
}
