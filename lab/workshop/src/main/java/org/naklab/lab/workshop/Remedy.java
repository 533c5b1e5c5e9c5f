package org.naklab.lab.workshop;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.diagnosis.Cause;

/** What a trainee can propose to do, and the causes that it mends. */
public enum Remedy {
    BIND_NOW("bind-now", Cause.LATE_BINDING_DELAY, Cause.LATE_BINDING_MAJOR_FAULT),
    LIMIT_IN_APPLICATION(
            "limit-in-application",
            Cause.LATE_BINDING_DELAY,
            Cause.LATE_BINDING_MAJOR_FAULT,
            Cause.LATE_BINDING_SIMULATED),
    MOVE_WORK_OFF(
            "move-work-off",
            Cause.SLOW_CALLBACK,
            Cause.BUSY_THREAD,
            Cause.BLOCKING_CALL,
            Cause.DISK_WAIT,
            Cause.LOCK_WAIT,
            Cause.FILE_LOCK_WAIT),
    DEDICATED_CORE("dedicated-core", Cause.CPU_PREEMPTION),
    MOVE_INTERRUPTS("move-interrupts", Cause.KERNEL_INTERFERENCE),
    RAISE_QUOTA("raise-quota", Cause.CPU_THROTTLED),
    BIGGER_BUFFER("bigger-buffer", Cause.TRAFFIC_BURST),
    ALLOCATE_LESS("allocate-less", Cause.GC_OR_SAFEPOINT),
    FIND_WHO_ASKS("find-who-asks", Cause.VM_OPERATION),
    FIND_WHO_STOPS(
            "find-who-stops",
            Cause.PROCESS_PAUSED,
            Cause.PROCESS_FROZEN,
            Cause.PROCESS_TRACED,
            Cause.PROCESS_ENDED,
            Cause.SENDER_PAUSED),
    FIND_LATE_THREAD("find-late-thread", Cause.TIME_TO_SAFEPOINT),
    CHECK_NETWORK(
            "check-network",
            Cause.NETWORK_LOSS,
            Cause.NETWORK_DELAY,
            Cause.NETWORK_REORDERING,
            Cause.NETWORK_DUPLICATION),
    FASTER_CONSUMER("faster-consumer", Cause.SLOW_CONSUMER),
    MORE_MEMORY("more-memory", Cause.MEMORY_PRESSURE),
    LOCK_PAGES("lock-pages", Cause.MAJOR_FAULT, Cause.LATE_BINDING_MAJOR_FAULT, Cause.MEMORY_PRESSURE),
    LOOK_CLOSER("look-closer", Cause.UNEXPLAINED),
    CHECK_HOST("check-host", Cause.MACHINE_STALLED),
    NOTHING("nothing", Cause.CLEAN);

    private final String label;

    @SuppressWarnings("ImmutableEnumChecker") // never changed after the constructor
    private final Set<Cause> mended;

    Remedy(String label, Cause... mended) {
        this.label = label;
        this.mended = EnumSet.copyOf(Arrays.asList(mended));
    }

    /** Returns the name on the command line. */
    public String label() {
        return label;
    }

    /** Returns whether it takes a cause away. */
    public boolean mends(Cause cause) {
        return mended.contains(cause);
    }

    /**
     * Finds a remedy by its label.
     *
     * @throws UsageException there is none
     */
    public static Remedy of(String label) {
        return Arrays.stream(values())
                .filter(remedy -> remedy.label.equals(label))
                .findFirst()
                .orElseThrow(() -> new UsageException("'" + label + "' is no remedy: choose "
                        + Arrays.stream(values()).map(Remedy::label).collect(Collectors.joining(", "))));
    }

    @Override
    public String toString() {
        return label;
    }
}
