package org.naklab.lab.core.timeline;

import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Types of timeline events. The first eleven are the links of the causal chain, in the order of the incident; the others are
 * further observations of instruments, for or against a suspect.
 */
public enum TimelineEventType {
    RATE_LIMIT_HIT(ThreadEvent.RateLimitHit.class),
    WAKE_FAILED(ThreadEvent.WakeFailed.class),
    SYMBOL_BOUND(ThreadEvent.SymbolBound.class),
    MAJOR_FAULT(ThreadEvent.MajorFaults.class),
    STALL(ThreadStall.class),
    SOCKET_DEPTH_RISE(SocketEvent.DepthRise.class),
    DATAGRAMS_DROPPED(SocketEvent.Dropped.class),
    NAK_SENT(StreamEvent.NakSent.class),
    RETRANSMIT_RECEIVED(StreamEvent.RetransmitReceived.class),
    REPAIRED(StreamEvent.Repaired.class),
    GAP_UNREPAIRED(StreamEvent.Unrepaired.class),

    /** A yield of the context thread returned; the duration is attached. */
    YIELDED(ThreadStall.class),
    /** The rate limiter woke the senders that it had refused; carries how many sends it had refused. See {@link ThreadEvent.SendersWoken}. */
    SENDERS_WOKEN(ThreadEvent.SendersWoken.class),
    /** A gap in the heartbeat is going on; {@link #STALL} follows with its length when it ends. */
    STALL_BEGAN(ThreadEvent.StallBegan.class),
    /** A rise ended: the queue is drained. Carries the peak. */
    SOCKET_DRAINED(SocketEvent.Drained.class),
    /** A socket held datagrams, and nobody received one; carries the length. */
    SOCKET_UNREAD(SocketEvent.Unread.class),
    /** A client of a media driver was seen to poll a subscription; from then on it is seen when it does not. */
    SUBSCRIPTION_POLLED(StreamEvent.Polled.class),
    /** A client of a media driver did not poll a subscription although there was something; carries the length, the stream, and how much was left to poll. */
    SUBSCRIPTION_UNPOLLED(StreamEvent.Unpolled.class),
    SOCKET_OPENED(SocketEvent.Opened.class),
    SOCKET_CLOSED(SocketEvent.Closed.class),
    /** The sender's side of the repair. */
    NAK_RECEIVED(StreamEvent.NakReceived.class),
    RETRANSMIT_SENT(StreamEvent.RetransmitSent.class),
    /** Datagrams with new data came in behind later ones; carries their number, the port, and the longest delay so far. */
    DATAGRAMS_OVERTAKEN(StreamEvent.Overtaken.class),
    /** Datagrams came in of which all data had come in before; carries their number and the port. */
    DATAGRAMS_REPEATED(StreamEvent.Repeated.class),
    /** Aeron's loss report has a new or grown entry. */
    LOSS_REPORTED(StreamEvent.LossReported.class),
    /** A runnable thread waited for a processor. */
    RUN_QUEUE_DELAY(ThreadEvent.RunQueueDelay.class),
    /** A signal or a tracer has stopped the thread. */
    THREAD_STOPPED(ThreadEvent.Stopped.class),
    /** The thread goes on after a stop; carries the length. */
    THREAD_CONTINUED(ThreadEvent.Continued.class),
    /** The thread had nothing to wait for but its own time or another thread; carries the length, as far as it was seen. */
    THREAD_SLEPT(ThreadEvent.Slept.class),
    /** A wait as reported by the thread's JVM: what it waited for, and where in its code. */
    JAVA_WAIT(ThreadEvent.JavaWait.class),
    /** Consecutive samples of a thread's Java stack were in the same method; carries the length, the stack, and whether native code was called from there. */
    JAVA_STACK(ThreadEvent.JavaStack.class),
    /** A thread was off the CPU; carries the length, what it waited for, and who woke it. See {@link ThreadAbsence}. */
    THREAD_ABSENT,
    /** A receiving thread ran and waited in turns, each wait too short for an event of its own; carries how long it waited. See {@link ShortWaits}. */
    THREAD_WAITED,
    /** A thread was on a CPU at that time; carries its stacks. See {@link ThreadEvent.ThreadSample}. */
    THREAD_SAMPLED(ThreadEvent.ThreadSample.class),
    /** A thread of the process did not sleep for a longer time; carries how long it ran and why it did not. See {@link ThreadBusy}. */
    THREAD_BUSY(ThreadBusy.class),
    /** An interrupt or a soft interrupt kept a receiving thread while it was on its CPU; carries the length, the kind, the name and the CPU. */
    THREAD_INTERRUPTED(ThreadEvent.Interrupted.class),
    /** Another thread ran on the only CPU on which a receiving thread may run; carries the thread, how often and how long. See {@link CoreShared}. */
    CORE_SHARED(CoreShared.class),
    /** A thread waited for a page; carries the length, and the file and section of the page. See {@link PageFault}. */
    PAGE_FAULT(PageFault.class),
    /** A receiving thread reclaimed memory itself before it got a page; carries how long. See {@link ThreadEvent.MemoryReclaim}. */
    MEMORY_RECLAIMED(ThreadEvent.MemoryReclaim.class),
    /** The CPU quota of a process's cgroup was used up; carries the length. */
    CPU_THROTTLED(HostEvent.Throttled.class),
    /** The kernel discarded datagrams; carries their number and the reason. */
    DATAGRAMS_DISCARDED(DatagramEvent.Discarded.class),
    /** A counter of UDP, IP or backlog errors of a process's network namespace grew; carries the counter and its growth. */
    UDP_ERRORS(DatagramEvent.ErrorsCounted.class),
    /** From its begin to its end the error counters of a process's network namespace were read. See {@link #UDP_ERRORS}. */
    UDP_COUNTED(DatagramEvent.CountersRead.class),
    /** No datagram of the feed came in at any receiver for far longer than usual; carries the length, the usual gap, and what the sender's thread did. */
    FEED_SILENT(DatagramEvent.Silence.class),
    /** Datagrams for the feed's port came in that are not of the feed; carries the sender, the destination and their number. */
    FOREIGN_DATAGRAMS(DatagramEvent.Foreign.class),
    /** No socket of the host was a member of the feed's group on an interface on which one had been; carries the length. */
    MEMBERSHIP_LOST(DatagramEvent.MembershipLost.class),
    /** A socket of another process is bound to the port of the feed; carries the process. */
    PORT_SHARED(DatagramEvent.PortShared.class),
    /** A socket of another process, bound to the port of a unicast feed meanwhile, got datagrams; carries the process and their number. */
    DATAGRAMS_TAKEN(DatagramEvent.Taken.class),
    /** From its begin to its end a place at which datagrams can go astray was looked at; carries the place. */
    PLACE_OBSERVED(DatagramEvent.PlaceObserved.class),
    /** From its begin to its end all longer absences and page faults of a process's threads were recorded; carries the source. */
    KERNEL_RECORDED(DatagramEvent.KernelRecorded.class),
    SLOW_CALLBACK(ThreadEvent.SlowCallback.class),
    TRAFFIC_BURST(DatagramEvent.Burst.class),
    RING_DEPTH_RISE(HostEvent.GaugeRise.class),
    JOURNAL_LAG_RISE(HostEvent.GaugeRise.class),
    MEMORY_PRESSURE(HostEvent.MemoryPressure.class),
    /** The memory cgroup hit its limit or reclaimed. */
    MEMORY_LIMIT_HIT(HostEvent.LimitHit.class),
    /** The lab has narrowed the room that a container has for the page cache; carries what is left and what has gone. */
    MEMORY_NARROWED(HostEvent.MemoryNarrowed.class),
    /** The derived files of a service have ended before the feed, and receipt and journal go on; carries how many events they have, and why. */
    DERIVED_FILES_LOST(HostEvent.DerivedFilesLost.class),
    /** What a shortage of memory has cost a process until the end of the flow. */
    MEMORY_ACCOUNTED(HostEvent.MemoryAccounted.class),
    /** What a process needed until the end of the flow: processor time, memory, time to start. */
    RESOURCES_USED(HostEvent.ResourcesUsed.class),
    SAFEPOINT(JvmEvent.Safepoint.class),
    GC_PAUSE(JvmEvent.GcPause.class),
    /** The CPU time of a collection, by the JVM's own account; carries the number of the collection. */
    GC_CPU_TIME(JvmEvent.GcPause.CpuTime.class),
    /** A timer of an otherwise idle thread was late: the machine stood still, not one thread. */
    TIMER_LATE(HostEvent.TimerLate.class),
    /** The lab did something to the process that it watches; carries the length. What that alone has caused is not the program's. */
    LAB_ACTED(HostEvent.Acted.class),
    PROCESS_ENDED(HostEvent.Ended.class),
    /** An instrument cannot see; a verdict that rests on it is unknown. */
    INSTRUMENT_BLIND(HostEvent.Blind.class);

    private static final Map<Class<?>, TimelineEventType> BY_FORM = Stream.of(values())
            .filter(type -> type.form != null)
            .collect(Collectors.toUnmodifiableMap(
                    type -> Objects.requireNonNull(type.form), type -> type, (first, second) -> first));

    private final @Nullable Class<? extends TimelineEvent> form;

    TimelineEventType() {
        form = null;
    }

    TimelineEventType(Class<? extends TimelineEvent> form) {
        this.form = form;
    }

    /** Returns the record of its events; null if the record reads its lines itself. */
    public @Nullable Class<? extends TimelineEvent> form() {
        return form;
    }

    /** Returns the type of a record's events; of several, the first. */
    public static TimelineEventType of(Class<? extends TimelineEvent> form) {
        return Objects.requireNonNull(BY_FORM.get(form), form::getName);
    }
}
