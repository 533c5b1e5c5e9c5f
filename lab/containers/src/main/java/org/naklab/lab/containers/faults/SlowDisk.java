package org.naklab.lab.containers.faults;

import com.google.auto.service.AutoService;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.naklab.faults.FaultProof;
import org.naklab.faults.Limits;
import org.naklab.faults.description.FaultDescription;
import org.naklab.faults.description.FaultParameter;
import org.naklab.faults.description.ParameterType;
import org.naklab.lab.containers.BlockDevice;
import org.naklab.lab.containers.ContainerFault;
import org.naklab.lab.containers.ContainerFaultKind;
import org.naklab.lab.containers.Docker;
import org.naklab.lab.containers.TypedContainerFaultKind;
import org.naklab.lab.containers.Undo;
import org.naklab.lab.instruments.linux.CgroupPaths;
import org.naklab.lab.instruments.linux.CgroupPaths.DiskUse;

/**
 * The reads or writes of a running container are limited at the disk behind the engine's volumes. The kernel does not count who
 * waited; it has fired when, between two looks at the counts, the container did as much as the limit lets through.
 */
final class SlowDisk implements ContainerFault {
    /** Share of the limit that counts as having reached it, because reading the counters takes time. */
    private static final double AT_LIMIT = 0.8;

    private static final double TICKS_PER_SECOND = 100;

    private final String container;
    private final DiskLimit limit;
    private final ContainerCgroup group;
    private final String number;
    private final Undo undo;
    private final Count atArming;
    private Count latest;
    private double bestShare;
    private boolean isClosed;

    /** @param atTicks hundredths of a second since the engine's machine was started */
    private record Count(long served, long atTicks) {}

    SlowDisk(String container, DiskLimit limit) {
        this.container = container;
        this.limit = limit;
        group = new ContainerCgroup(container, CgroupPaths.READS);
        String device = BlockDevice.find();
        number = group.run("cat " + numberFile(device));
        String quoted = "'" + number + "'";
        String former = group.run(limit.reading(quoted) + "echo $f");
        undo = group.promise("restore the disk limit of " + container, limit.restoring(quoted, former));
        String slow = limit.setting(quoted, String.valueOf(limit.perSecond()));
        atArming = undo.orUndo(() -> count(group.run(slow + "; " + readCount())));
        latest = atArming;
    }

    @Override
    public synchronized FaultProof proof() {
        if (!isClosed) {
            look();
        }
        long served = latest.served() - atArming.served();
        String explanation = String.format(
                Locale.ROOT,
                "%s did %d %s in %.1f s under a limit of %d per second: at most %.0f %% of the limit",
                container,
                served,
                limit.what(),
                (latest.atTicks() - atArming.atTicks()) / TICKS_PER_SECOND,
                limit.perSecond(),
                bestShare * 100);
        return new FaultProof(
                bestShare >= AT_LIMIT,
                explanation,
                Map.of("served", served, "limitPerSecond", limit.perSecond(), "percentOfLimit", (long)
                        (bestShare * 100)),
                List.of());
    }

    private void look() {
        Docker.Result result = group.attempt(readCount());
        if (result.isGone()) {
            return;
        }
        Count now = count(result.outputOrThrow("no counters of " + container));
        double allowed = limit.perSecond() * (now.atTicks() - latest.atTicks()) / TICKS_PER_SECOND;
        if (allowed > 0) {
            bestShare = Math.max(bestShare, (now.served() - latest.served()) / allowed);
        }
        latest = now;
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

    /** Returns the file that contains a disk's device number. */
    static String numberFile(String device) {
        return "/sys/class/block/" + device.substring("/dev/".length()) + "/dev";
    }

    private String readCount() {
        return limit.counting(number) + "echo ${c:-0} $(sed 's/ .*//; s/\\.//' /proc/uptime)";
    }

    private static Count count(String output) {
        String[] words = output.split(" ", -1);
        return new Count(Long.parseLong(words[0]), Long.parseLong(words[1]));
    }

    /** Describes the fault, and arms it by the words of a plan. */
    @AutoService(ContainerFaultKind.class)
    public static final class Kind extends TypedContainerFaultKind<Kind.Parameters> {
        /** Holds the parameters as a plan names them. */
        public record Parameters(Access access, Unit unit, long perSecond) {
            /** Names a direction as a plan does. */
            public enum Access {
                READ,
                WRITE
            }

            /** Names a unit as a plan does. */
            public enum Unit {
                OPERATIONS,
                BYTES
            }

            public Parameters {
                access = access == null ? Access.READ : access;
                unit = unit == null ? Unit.OPERATIONS : unit;
                Limits.within("perSecond", perSecond, 1, Long.MAX_VALUE - 1);
            }

            private DiskUse use() {
                return switch (unit) {
                    case OPERATIONS -> access == Access.READ ? DiskUse.READS : DiskUse.WRITES;
                    case BYTES -> access == Access.READ ? DiskUse.BYTES_READ : DiskUse.BYTES_WRITTEN;
                };
            }
        }

        /** Creates the kind; called by the service loader. */
        public Kind() {
            super(
                    "slow-disk",
                    ENGINE_ACCESS + "; a block device behind its volumes",
                    Parameters.class,
                    FaultDescription.of(
                                    "Reads or writes of the container are limited at the disk of the volumes of the engine")
                            .with(
                                    FaultParameter.of("access", ParameterType.TEXT, "read or write")
                                            .orElse("read"),
                                    FaultParameter.of("unit", ParameterType.TEXT, "operations or bytes")
                                            .orElse("operations"),
                                    FaultParameter.of("perSecond", ParameterType.COUNT, "the limit"))
                            .proof("what the container did between two readings, at least 80 % of the limit")
                            .example("slow-disk:access=write,perSecond=50"));
        }

        @Override
        protected ContainerFault arm(String container, Parameters parameters) {
            return new SlowDisk(container, new DiskLimit(parameters.use(), parameters.perSecond()));
        }
    }
}
