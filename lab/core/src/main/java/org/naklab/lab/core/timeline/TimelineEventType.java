package org.naklab.lab.core.timeline;

/**
 * Types of timeline events. The first eleven are the links of the causal chain, in the order of the incident; the others are
 * further observations of instruments, for or against a suspect.
 */
public enum TimelineEventType {
    RATE_LIMIT_HIT,
    WAKE_FAILED,
    SYMBOL_BOUND,
    MAJOR_FAULT,
    STALL,
    SOCKET_DEPTH_RISE,
    DATAGRAMS_DROPPED,
    NAK_SENT,
    RETRANSMIT_RECEIVED,
    REPAIRED,
    GAP_UNREPAIRED,

    /** A yield of the context thread returned; the duration is attached. */
    YIELDED,
    /** The rate limiter woke the senders that it had refused; carries how many sends it had refused. See {@link SendersWoken}. */
    SENDERS_WOKEN,
    /** A gap in the heartbeat is going on; {@link #STALL} follows with its length when it ends. */
    STALL_BEGAN,
    /** A rise ended: the queue is drained. Carries the peak. */
    SOCKET_DRAINED,
    /** A socket held datagrams, and nobody received one; carries the length. */
    SOCKET_UNREAD,
    /** A client of a media driver was seen to poll a subscription; from then on it is seen when it does not. */
    SUBSCRIPTION_POLLED,
    /** A client of a media driver did not poll a subscription although there was something; carries the length, the stream, and how much was left to poll. */
    SUBSCRIPTION_UNPOLLED,
    SOCKET_OPENED,
    SOCKET_CLOSED,
    /** The sender's side of the repair. */
    NAK_RECEIVED,
    RETRANSMIT_SENT,
    /** Datagrams with new data came in behind later ones; carries their number, the port, and the longest delay so far. */
    DATAGRAMS_OVERTAKEN,
    /** Datagrams came in of which all data had come in before; carries their number and the port. */
    DATAGRAMS_REPEATED,
    /** Aeron's loss report has a new or grown entry. */
    LOSS_REPORTED,
    /** A runnable thread waited for a processor. */
    RUN_QUEUE_DELAY,
    /** A signal or a tracer has stopped the thread. */
    THREAD_STOPPED,
    /** The thread goes on after a stop; carries the length. */
    THREAD_CONTINUED,
    /** The thread had nothing to wait for but its own time or another thread; carries the length, as far as it was seen. */
    THREAD_SLEPT,
    /** A wait as reported by the thread's JVM: what it waited for, and where in its code. */
    JAVA_WAIT,
    /** Consecutive samples of a thread's Java stack were in the same method; carries the length, the stack, and whether native code was called from there. */
    JAVA_STACK,
    /** A thread was off the CPU; carries the length, what it waited for, and who woke it. See {@link ThreadAbsence}. */
    THREAD_ABSENT,
    /** A receiving thread ran and waited in turns, each wait too short for an event of its own; carries how long it waited. See {@link ShortWaits}. */
    THREAD_WAITED,
    /** A thread was on a CPU at that time; carries its stacks. See {@link ThreadSample}. */
    THREAD_SAMPLED,
    /** A thread of the process did not sleep for a longer time; carries how long it ran and why it did not. See {@link ThreadBusy}. */
    THREAD_BUSY,
    /** An interrupt or a soft interrupt kept a receiving thread while it was on its CPU; carries the length, the kind, the name and the CPU. */
    THREAD_INTERRUPTED,
    /** Another thread ran on the only CPU on which a receiving thread may run; carries the thread, how often and how long. See {@link CoreShared}. */
    CORE_SHARED,
    /** A thread waited for a page; carries the length, and the file and section of the page. See {@link PageFault}. */
    PAGE_FAULT,
    /** A receiving thread reclaimed memory itself before it got a page; carries how long. See {@link MemoryReclaim}. */
    MEMORY_RECLAIMED,
    /** The CPU quota of a process's cgroup was used up; carries the length. */
    CPU_THROTTLED,
    /** The kernel discarded datagrams; carries their number and the reason. */
    DATAGRAMS_DISCARDED,
    /** A counter of UDP, IP or backlog errors of a process's network namespace grew; carries the counter and its growth. */
    UDP_ERRORS,
    /** From its begin to its end the error counters of a process's network namespace were read. See {@link #UDP_ERRORS}. */
    UDP_COUNTED,
    /** No datagram of the feed came in at any receiver for far longer than usual; carries the length, the usual gap, and what the sender's thread did. */
    FEED_SILENT,
    /** Datagrams for the feed's port came in that are not of the feed; carries the sender, the destination and their number. */
    FOREIGN_DATAGRAMS,
    /** No socket of the host was a member of the feed's group on an interface on which one had been; carries the length. */
    MEMBERSHIP_LOST,
    /** A socket of another process is bound to the port of the feed; carries the process. */
    PORT_SHARED,
    /** A socket of another process, bound to the port of a unicast feed meanwhile, got datagrams; carries the process and their number. */
    DATAGRAMS_TAKEN,
    /** From its begin to its end a place at which datagrams can go astray was looked at; carries the place. */
    PLACE_OBSERVED,
    /** From its begin to its end all longer absences and page faults of a process's threads were recorded; carries the source. */
    KERNEL_RECORDED,
    SLOW_CALLBACK,
    TRAFFIC_BURST,
    RING_DEPTH_RISE,
    JOURNAL_LAG_RISE,
    MEMORY_PRESSURE,
    /** The memory cgroup hit its limit or reclaimed. */
    MEMORY_LIMIT_HIT,
    /** The lab has narrowed the room that a container has for the page cache; carries what is left and what has gone. */
    MEMORY_NARROWED,
    /** The derived files of a service have ended before the feed, and receipt and journal go on; carries how many events they have, and why. */
    DERIVED_FILES_LOST,
    /** What a shortage of memory has cost a process until the end of the flow. */
    MEMORY_ACCOUNTED,
    /** What a process needed until the end of the flow: processor time, memory, time to start. */
    RESOURCES_USED,
    SAFEPOINT,
    GC_PAUSE,
    /** The CPU time of a collection, by the JVM's own account; carries the number of the collection. */
    GC_CPU_TIME,
    /** A timer of an otherwise idle thread was late: the machine stood still, not one thread. */
    TIMER_LATE,
    PROCESS_ENDED,
    /** An instrument cannot see; a verdict that rests on it is unknown. */
    INSTRUMENT_BLIND
}
