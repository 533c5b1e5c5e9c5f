package org.naklab.lab.workshop.meaning;

import java.util.Map;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.diagnosis.Cause;

/** Tells what the words mean that a trainee reads and writes, each in one sentence: causes, lines of evidence, counters and readings. */
public final class Meaning {
    /** What a chart of the statistics shows. */
    public static final String CHART =
            "bytes that wait in one receive queue, named by process, address, port and socket; a column has the highest "
                    + "reading of its time, an empty one has none; only the times below it were kept";

    private static final Map<String, String> COUNTERS = Map.of(
            "dropped", "datagrams that a full receive queue did not take",
            "lost-on-the-way-bytes", "missing bytes beyond what the receive queues dropped",
            "missing", "messages that never came, not even by repair",
            "naks-sent", "requests to send again",
            "overruns", "datagrams for which the window of the transport had no room",
            "received", "messages that arrived; 0 of a program that does not count them",
            "ring-full", "times at which the ring buffer had no room");

    /** By the last part of the name of a series. */
    private static final Map<String, String> READINGS = Map.ofEntries(
            Map.entry("gapNs", "longest time between two rounds of the receiving thread"),
            Map.entry("longestGapNs", "longest time between two rounds of the receiving thread, by its own account"),
            Map.entry("callbackNs", "longest call of the application for one message"),
            Map.entry("longestCallbackNs", "longest call of the application for one message, by its own account"),
            Map.entry("meanCallbackNs", "longest mean time of the calls of the application in a tenth of a second"),
            Map.entry("latenessNs", "how late the timer of an otherwise idle thread was"),
            Map.entry("longestLatenessNs", "how late the timer of an otherwise idle thread was, at most"),
            Map.entry("ringDepthSlots", "messages that wait in the ring buffer"),
            Map.entry("journalLagMessages", "messages that were received and are not in the journal yet"),
            Map.entry("retransmitsSent", "times that the sender sent something again"),
            Map.entry("retransmittedBytes", "bytes that the sender sent again"));

    private Meaning() {}

    /** Returns what a counter of the statistics counts; empty if it is none. */
    public static String ofCounter(String name) {
        return COUNTERS.getOrDefault(name, "");
    }

    /** Returns what a series reads; empty if it needs no explanation. */
    public static String ofReading(String series) {
        return READINGS.getOrDefault(lastPart(series), "");
    }

    /** Returns the part of the name of a series that says what is read. */
    public static String lastPart(String series) {
        return series.substring(series.lastIndexOf('.') + 1);
    }

    /** Returns what a cause says that has happened. */
    public static String of(Cause cause) {
        return switch (cause) {
            case LATE_BINDING_MAJOR_FAULT ->
                "the dynamic linker looked a function up at its first call, and waited "
                        + "for a page of a library meanwhile";
            case LATE_BINDING_DELAY ->
                "the dynamic linker looked a function up at its first call; that took long, and "
                        + "no page was waited for";
            case LATE_BINDING_SIMULATED ->
                "the code of the yield itself parked the thread, and no function was looked " + "up";
            case SLOW_CALLBACK ->
                "one measured call of the application for a message took that long by its own doing: it "
                        + "computed, slept, or waited for something that it asked for";
            case CPU_PREEMPTION -> "the thread was ready to run, and another thread had its processor";
            case KERNEL_INTERFERENCE -> "interrupts or soft interrupts of the kernel had the thread's processor";
            case CPU_THROTTLED -> "the limit of processor time of the container was used up";
            case TRAFFIC_BURST ->
                "more arrived in a short time than the receive queue holds, and no thread stood still " + "before";
            case GC_OR_SAFEPOINT -> "the JVM stopped its threads and collected garbage";
            case VM_OPERATION ->
                "the JVM stopped its threads for an operation that is no collection, such as a "
                        + "histogram or a dump";
            case TIME_TO_SAFEPOINT -> "the JVM waited for one thread that came late to the stop, and all others waited";
            case NETWORK_LOSS -> "datagrams did not come to the socket at all";
            case NETWORK_DELAY -> "datagrams came so late that they were asked for again, and then came twice";
            case NETWORK_REORDERING -> "datagrams came behind later ones, and nobody had asked for them again";
            case NETWORK_DUPLICATION -> "datagrams came twice, and nobody had asked for them again";
            case SLOW_CONSUMER -> "a thread behind the ring took messages out too slowly, and the ring became full";
            case SENDER_PAUSED -> "the sender itself was silent, so that nothing was there to receive";
            case PROCESS_ENDED -> "the process ended before the feed did";
            case PROCESS_PAUSED -> "a signal stopped the whole process (state T), and another one let it go on";
            case PROCESS_FROZEN ->
                "the freezer of a control group stopped the whole process; no signal was sent, and no "
                        + "tracer was there";
            case PROCESS_TRACED -> "a debugger or tracer stopped the thread (state t)";
            case MACHINE_STALLED ->
                "no processor of the machine ran: even the timer of an idle thread was late, or "
                        + "other machines had the processor";
            case MAJOR_FAULT ->
                "the thread touched memory whose page was not there, a page of a file or one that "
                        + "another program provides, and waited for it; memory was not short";
            case MEMORY_PRESSURE ->
                "memory was short: the thread had to free pages itself or wait for room, or its own data were in swap "
                        + "and came back from there";
            case LOCK_WAIT ->
                "the thread waited for a lock that another thread of the program held, or for something that the other one "
                        + "had to finish first";
            case FILE_LOCK_WAIT -> "the thread waited for a lock on a file";
            case DISK_WAIT ->
                "the thread made a call that reads, writes or syncs a file, and waited for the disk or "
                        + "the file system";
            case BLOCKING_CALL ->
                "the thread made a call that waits for time or for others: a sleep, a pipe, a terminal, "
                        + "a socket, or the end of a process";
            case NOT_NOTIFIED ->
                "the thread waited in epoll while datagrams were there: epoll had reported them before, or had not been asked to";
            case BUSY_THREAD ->
                "the thread computed on its processor all that time, in a program that does not measure its calls for a "
                        + "message";
            case UNEXPLAINED -> "the evidence does not decide between several causes";
            case CLEAN -> "nothing of harm happened";
        };
    }

    /** Returns what a line of evidence says and what its figures are; empty for a type that no view shows. */
    public static String of(TimelineEventType type) {
        return switch (type) {
            case RATE_LIMIT_HIT -> "senders of the service had used up their bytes of an interval, and had to wait";
            case WAKE_FAILED -> "the timer could not take the lock to wake the senders, and yielded";
            case YIELDED -> "how long that yield took";
            case STALL ->
                "the receiving thread did not come round; processorWaitMs: ready to run without a processor; "
                        + "processorPressureMs: time in which any thread waited for one; stolenMs: given to other machines";
            case SLOW_CALLBACK -> "one call of the application for a message took that long";
            case RING_DEPTH_RISE -> "more messages waited in the ring than the threshold";
            case JOURNAL_LAG_RISE -> "the journal was more messages behind than the threshold";
            case LOSS_REPORTED -> "the transport's own account of the bytes that it missed so far";
            case GAP_UNREPAIRED -> "what was missing was not sent again";
            case FEED_SILENT ->
                "no datagram of the feed came to any receiver; usualGapNs: the usual time between two; "
                        + "senderState: what the sender's thread did";
            case SUBSCRIPTION_UNPOLLED -> "the application did not take out what was there";
            case PROCESS_ENDED -> "the process was gone; how: as its parent was told";
            case DERIVED_FILES_LOST -> "files that are made from the journal ended early";
            case INSTRUMENT_BLIND -> "an instrument could not see: what it would have shown is not known";
            case NAK_SENT -> "a receiver asked for data again; gapBytes: how much";
            case NAK_RECEIVED -> "the sender was asked for data again";
            case RETRANSMIT_SENT -> "the sender sent data again";
            case RETRANSMIT_RECEIVED -> "data that were sent again arrived";
            case REPAIRED -> "nothing is missing any more; the length is that from the first NAK";
            case DATAGRAMS_DROPPED -> "a full receive queue did not take datagrams; limitBytes: its size";
            case DATAGRAMS_DISCARDED ->
                "the kernel threw datagrams away; SOCKET_RCVBUFF: because the receive queue was "
                        + "full; location: the function that did it";
            case DATAGRAMS_OVERTAKEN -> "new datagrams came in behind later ones; longestDelayNs: how late";
            case DATAGRAMS_REPEATED -> "datagrams came in although all of their data had come before";
            case DATAGRAMS_TAKEN -> "a socket of another process got datagrams of the feed";
            case SOCKET_DEPTH_RISE ->
                "a receive queue began to fill; depthBytes: what waited when it was seen, " + "limitBytes: its size";
            case SOCKET_DRAINED ->
                "a receive queue that had filled; the length is until it was empty; headroomMs: time "
                        + "that the empty queue lasts while nobody reads";
            case SOCKET_UNREAD -> "something waited in a receive queue, and nobody read";
            case UDP_ERRORS ->
                "a counter of the kernel grew in that time; RcvbufErrors: receive queues were full, "
                        + "InCsumErrors: bad checksums, ReasmFails: pieces of datagrams did not come together";
            case FOREIGN_DATAGRAMS -> "datagrams that are not of the feed came to its port";
            case MEMBERSHIP_LOST ->
                "no socket was a member of the feed's group any more; after the observed time that "
                        + "is the ordinary end";
            case PORT_SHARED -> "a socket of another process was bound to the same port";
            case TRAFFIC_BURST ->
                "how much came in or was sent in that time; peakPerSecond: the highest rate in bytes, "
                        + "usualPerSecond: that of other times";
            case RUN_QUEUE_DELAY -> "the thread could have run, and waited for a processor that long";
            case THREAD_STOPPED -> "somebody stopped the thread; T: by a signal, t: by a tracer";
            case THREAD_CONTINUED -> "it goes on after such a stop; the length is that of the stop";
            case THREAD_SLEPT -> "the thread slept: it waited for a time or for somebody else";
            case THREAD_WAITED ->
                "the thread ran and waited in turns; blockedNs: waited for something, runnableNs: for a " + "processor";
            case THREAD_BUSY ->
                "the thread did not sleep; cpuNs: it ran, runnableNs: it waited for a processor, faultNs: "
                        + "for a page";
            case THREAD_INTERRUPTED ->
                "the kernel's own work kept the thread on its processor; soft: a soft interrupt; "
                        + "lateNs: how late that was";
            case CORE_SHARED ->
                "another thread ran on the only processor on which this one may run; other: which, "
                        + "totalNs: how long, of the length of the line";
            case CPU_THROTTLED ->
                "the container had used up its processor time of the period; throttledNs: how long its "
                        + "threads waited";
            case TIMER_LATE -> "the timer of an otherwise idle thread woke that late";
            case THREAD_ABSENT ->
                "the thread was off its processor. kernelStack: for what, from the inside to the "
                        + "outside; userStack: who in the program called; state: sleeping, blocked (page or disk), preempted "
                        + "(it could have run); waker: who ended it, wakerStack: what that one had waited for; next: who ran "
                        + "then";
            case THREAD_SAMPLED -> "what the thread did on its processor at that moment";
            case JAVA_STACK ->
                "where the thread was in Java during that time; native=true: in native code called from " + "there";
            case JAVA_WAIT -> "what the thread waited for in Java; where: the line of the program";
            case SAFEPOINT ->
                "all Java threads stopped for the operation; toSafepointNs: the way until the last one had "
                        + "stopped; caller: who asked";
            case GC_PAUSE -> "the JVM collected garbage; cause: why";
            case GC_CPU_TIME -> "processor time of a collection";
            case MAJOR_FAULT ->
                "the kernel had to read pages for the thread from a disk or from swap; reads: how many, "
                        + "total: so far";
            case PAGE_FAULT ->
                "the thread waited for a page; place: what the page belongs to, code: what touched it, "
                        + "major: whether the kernel counted it as read from a disk. Anonymous memory has no file";
            case MEMORY_RECLAIMED -> "the thread had to free memory itself before it got a page";
            case MEMORY_PRESSURE -> "share of the time in which somebody waited for memory";
            case MEMORY_LIMIT_HIT -> "the control group was at its limit so many times";
            case MEMORY_ACCOUNTED ->
                "what memory cost the process until the end: limitHits, majorFaults, pages that were " + "read again";
            case SYMBOL_BOUND -> "the dynamic linker looked up the function symbol, and that took so long";
            default -> "";
        };
    }
}
