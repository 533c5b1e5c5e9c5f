package org.naklab.lab.workshop;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Set;
import java.util.stream.Collectors;
import org.naklab.lab.core.UsageException;
import org.naklab.lab.diagnosis.Cause;

/** Tells what a trainee can propose to do, and the causes that it mends. */
public enum Remedy {
    BIND_NOW(
            "bind-now",
            "look all functions up at the start (LD_BIND_NOW=1)",
            Cause.LATE_BINDING_DELAY,
            Cause.LATE_BINDING_MAJOR_FAULT),
    LIMIT_IN_APPLICATION(
            "limit-in-application",
            "the application spaces what it sends, so that the limiter of the transport is never hit",
            Cause.LATE_BINDING_DELAY,
            Cause.LATE_BINDING_MAJOR_FAULT,
            Cause.LATE_BINDING_SIMULATED),
    MOVE_WORK_OFF(
            "move-work-off",
            "do it on another thread, or not under a lock that the receiving thread takes",
            Cause.SLOW_CALLBACK,
            Cause.BUSY_THREAD,
            Cause.BLOCKING_CALL,
            Cause.DISK_WAIT,
            Cause.LOCK_WAIT,
            Cause.FILE_LOCK_WAIT),
    ARM_AGAIN(
            "arm-again",
            "receive until the socket is empty, or arm it in the epoll set after each event",
            Cause.NOT_NOTIFIED),
    DEDICATED_CORE(
            "dedicated-core", "give the receiving thread a processor on which nothing else runs", Cause.CPU_PREEMPTION),
    MOVE_INTERRUPTS(
            "move-interrupts", "send interrupts and soft interrupts to other processors", Cause.KERNEL_INTERFERENCE),
    RAISE_QUOTA("raise-quota", "raise or remove the limit of processor time of the container", Cause.CPU_THROTTLED),
    BIGGER_BUFFER("bigger-buffer", "a larger receive queue (SO_RCVBUF)", Cause.TRAFFIC_BURST),
    ALLOCATE_LESS("allocate-less", "make less garbage, or choose another collector", Cause.GC_OR_SAFEPOINT),
    FIND_WHO_ASKS("find-who-asks", "find the tool that asks the JVM for the operation", Cause.VM_OPERATION),
    FIND_WHO_STOPS(
            "find-who-stops",
            "find who stops, freezes, debugs or ends the process",
            Cause.PROCESS_PAUSED,
            Cause.PROCESS_FROZEN,
            Cause.PROCESS_TRACED,
            Cause.PROCESS_ENDED,
            Cause.SENDER_PAUSED),
    FIND_LATE_THREAD(
            "find-late-thread", "find the thread that comes last to the stop of the JVM", Cause.TIME_TO_SAFEPOINT),
    CHECK_NETWORK(
            "check-network",
            "look for the place on the way, with the counters of card, switch and firewall",
            Cause.NETWORK_LOSS,
            Cause.NETWORK_DELAY,
            Cause.NETWORK_REORDERING,
            Cause.NETWORK_DUPLICATION),
    FASTER_CONSUMER(
            "faster-consumer", "less work for each message behind the ring, or several consumers", Cause.SLOW_CONSUMER),
    MORE_MEMORY("more-memory", "a higher limit, more memory, or less written at once", Cause.MEMORY_PRESSURE),
    LOCK_PAGES(
            "lock-pages",
            "have the pages in memory and keep them there (mlockall)",
            Cause.MAJOR_FAULT,
            Cause.LATE_BINDING_MAJOR_FAULT,
            Cause.MEMORY_PRESSURE),
    LOOK_CLOSER("look-closer", "record more the next time; for who cannot tell", Cause.UNEXPLAINED),
    CHECK_HOST("check-host", "ask whoever runs the host of the machine", Cause.MACHINE_STALLED),
    NOTHING("nothing", "nothing is to be mended", Cause.CLEAN);

    private final String label;
    private final String about;

    @SuppressWarnings("ImmutableEnumChecker") // never changed after the constructor
    private final Set<Cause> mended;

    Remedy(String label, String about, Cause... mended) {
        this.label = label;
        this.about = about;
        this.mended = EnumSet.copyOf(Arrays.asList(mended));
    }

    /** Returns the name on the command line. */
    public String label() {
        return label;
    }

    /** Returns what it is, in a few words. */
    public String about() {
        return about;
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
