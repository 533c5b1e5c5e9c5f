package org.naklab.lab.workshop;

import static org.naklab.lab.core.timeline.TimelineEventType.CORE_SHARED;
import static org.naklab.lab.core.timeline.TimelineEventType.CPU_THROTTLED;
import static org.naklab.lab.core.timeline.TimelineEventType.DATAGRAMS_DISCARDED;
import static org.naklab.lab.core.timeline.TimelineEventType.DATAGRAMS_DROPPED;
import static org.naklab.lab.core.timeline.TimelineEventType.DATAGRAMS_OVERTAKEN;
import static org.naklab.lab.core.timeline.TimelineEventType.DATAGRAMS_REPEATED;
import static org.naklab.lab.core.timeline.TimelineEventType.DATAGRAMS_TAKEN;
import static org.naklab.lab.core.timeline.TimelineEventType.DERIVED_FILES_LOST;
import static org.naklab.lab.core.timeline.TimelineEventType.FEED_SILENT;
import static org.naklab.lab.core.timeline.TimelineEventType.FOREIGN_DATAGRAMS;
import static org.naklab.lab.core.timeline.TimelineEventType.GAP_UNREPAIRED;
import static org.naklab.lab.core.timeline.TimelineEventType.GC_CPU_TIME;
import static org.naklab.lab.core.timeline.TimelineEventType.GC_PAUSE;
import static org.naklab.lab.core.timeline.TimelineEventType.INSTRUMENT_BLIND;
import static org.naklab.lab.core.timeline.TimelineEventType.JAVA_STACK;
import static org.naklab.lab.core.timeline.TimelineEventType.JAVA_WAIT;
import static org.naklab.lab.core.timeline.TimelineEventType.JOURNAL_LAG_RISE;
import static org.naklab.lab.core.timeline.TimelineEventType.LOSS_REPORTED;
import static org.naklab.lab.core.timeline.TimelineEventType.MAJOR_FAULT;
import static org.naklab.lab.core.timeline.TimelineEventType.MEMBERSHIP_LOST;
import static org.naklab.lab.core.timeline.TimelineEventType.MEMORY_ACCOUNTED;
import static org.naklab.lab.core.timeline.TimelineEventType.MEMORY_LIMIT_HIT;
import static org.naklab.lab.core.timeline.TimelineEventType.MEMORY_RECLAIMED;
import static org.naklab.lab.core.timeline.TimelineEventType.NAK_RECEIVED;
import static org.naklab.lab.core.timeline.TimelineEventType.NAK_SENT;
import static org.naklab.lab.core.timeline.TimelineEventType.PAGE_FAULT;
import static org.naklab.lab.core.timeline.TimelineEventType.PORT_SHARED;
import static org.naklab.lab.core.timeline.TimelineEventType.PROCESS_ENDED;
import static org.naklab.lab.core.timeline.TimelineEventType.RATE_LIMIT_HIT;
import static org.naklab.lab.core.timeline.TimelineEventType.REPAIRED;
import static org.naklab.lab.core.timeline.TimelineEventType.RETRANSMIT_RECEIVED;
import static org.naklab.lab.core.timeline.TimelineEventType.RETRANSMIT_SENT;
import static org.naklab.lab.core.timeline.TimelineEventType.RING_DEPTH_RISE;
import static org.naklab.lab.core.timeline.TimelineEventType.RUN_QUEUE_DELAY;
import static org.naklab.lab.core.timeline.TimelineEventType.SAFEPOINT;
import static org.naklab.lab.core.timeline.TimelineEventType.SLOW_CALLBACK;
import static org.naklab.lab.core.timeline.TimelineEventType.SOCKET_DEPTH_RISE;
import static org.naklab.lab.core.timeline.TimelineEventType.SOCKET_DRAINED;
import static org.naklab.lab.core.timeline.TimelineEventType.SOCKET_UNREAD;
import static org.naklab.lab.core.timeline.TimelineEventType.STALL;
import static org.naklab.lab.core.timeline.TimelineEventType.SUBSCRIPTION_UNPOLLED;
import static org.naklab.lab.core.timeline.TimelineEventType.SYMBOL_BOUND;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_ABSENT;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_BUSY;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_CONTINUED;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_INTERRUPTED;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_SAMPLED;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_SLEPT;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_STOPPED;
import static org.naklab.lab.core.timeline.TimelineEventType.THREAD_WAITED;
import static org.naklab.lab.core.timeline.TimelineEventType.TIMER_LATE;
import static org.naklab.lab.core.timeline.TimelineEventType.TRAFFIC_BURST;
import static org.naklab.lab.core.timeline.TimelineEventType.UDP_ERRORS;
import static org.naklab.lab.core.timeline.TimelineEventType.WAKE_FAILED;
import static org.naklab.lab.core.timeline.TimelineEventType.YIELDED;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;
import org.naklab.lab.core.timeline.TimelineEventType;

/** A kind of evidence, with what it costs. The first three are free, in the order in which practitioners use them. */
public enum View {
    STATISTICS("statistics", 0, "counters of all hosts, and the depth of the receive queues over time"),
    LOGS(
            "logs",
            0,
            "what the programs wrote by themselves",
            RATE_LIMIT_HIT,
            WAKE_FAILED,
            YIELDED,
            STALL,
            SLOW_CALLBACK,
            RING_DEPTH_RISE,
            JOURNAL_LAG_RISE,
            LOSS_REPORTED,
            GAP_UNREPAIRED,
            FEED_SILENT,
            SUBSCRIPTION_UNPOLLED,
            PROCESS_ENDED,
            DERIVED_FILES_LOST,
            INSTRUMENT_BLIND),
    PACKETS(
            "packets",
            0,
            "what captures and socket counters show at the sender and at both receivers",
            NAK_SENT,
            NAK_RECEIVED,
            RETRANSMIT_SENT,
            RETRANSMIT_RECEIVED,
            REPAIRED,
            DATAGRAMS_DROPPED,
            DATAGRAMS_DISCARDED,
            DATAGRAMS_OVERTAKEN,
            DATAGRAMS_REPEATED,
            DATAGRAMS_TAKEN,
            SOCKET_DEPTH_RISE,
            SOCKET_DRAINED,
            SOCKET_UNREAD,
            UDP_ERRORS,
            FOREIGN_DATAGRAMS,
            MEMBERSHIP_LOST,
            PORT_SHARED,
            TRAFFIC_BURST),
    SCHEDULER(
            "scheduler",
            6,
            "when threads ran, waited for a processor, slept, or were stopped",
            RUN_QUEUE_DELAY,
            THREAD_STOPPED,
            THREAD_CONTINUED,
            THREAD_SLEPT,
            THREAD_WAITED,
            THREAD_BUSY,
            THREAD_INTERRUPTED,
            CORE_SHARED,
            CPU_THROTTLED,
            TIMER_LATE),
    STACKS(
            "stacks",
            6,
            "where threads were while they did not run, in Java and in the kernel",
            THREAD_ABSENT,
            THREAD_SAMPLED,
            JAVA_STACK,
            JAVA_WAIT),
    SAFEPOINTS("safepoint-log", 4, "the safepoints and collections of the JVM", SAFEPOINT, GC_PAUSE, GC_CPU_TIME),
    MEMORY(
            "memory",
            4,
            "page faults, reclaim, and limits of memory",
            MAJOR_FAULT,
            PAGE_FAULT,
            MEMORY_RECLAIMED,
            TimelineEventType.MEMORY_PRESSURE,
            MEMORY_LIMIT_HIT,
            MEMORY_ACCOUNTED),
    LINKER("linker", 4, "what the dynamic linker bound, and when, as LD_DEBUG=bindings shows it", SYMBOL_BOUND);

    private final String label;
    private final int cost;
    private final String about;

    @SuppressWarnings("ImmutableEnumChecker") // never changed after the constructor
    private final Set<TimelineEventType> types;

    View(String label, int cost, String about, TimelineEventType... types) {
        this.label = label;
        this.cost = cost;
        this.about = about;
        this.types = types.length == 0 ? EnumSet.noneOf(TimelineEventType.class) : EnumSet.copyOf(Arrays.asList(types));
    }

    /** Returns the name on the command line. */
    public String label() {
        return label;
    }

    /** Returns how many points it costs to see it once and for all; 0: it is free. */
    public int cost() {
        return cost;
    }

    /** Returns what it shows, in a few words. */
    public String about() {
        return about;
    }

    /** Returns whether it shows events of a type, by its name. */
    public boolean isOf(String type) {
        return types.stream().anyMatch(each -> each.name().equals(type));
    }

    boolean shows(TimelineEventType type) {
        return types.contains(type);
    }

    /** Finds a view by its label. */
    public static Optional<View> of(String label) {
        return Arrays.stream(values()).filter(view -> view.label.equals(label)).findFirst();
    }
}
