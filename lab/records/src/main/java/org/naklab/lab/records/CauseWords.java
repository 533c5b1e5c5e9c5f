package org.naklab.lab.records;

import java.util.Map;

/** Tells what each diagnosed cause means, as the end of a sentence that begins with the effect. */
final class CauseWords {
    private static final Map<String, String> CLAUSES = Map.ofEntries(
            Map.entry("late-binding-delay", "the dynamic linker took that long to bind a function at its first call"),
            Map.entry(
                    "late-binding-major-fault",
                    "the dynamic linker bound a function at its first call and waited for pages from the disk"),
            Map.entry("late-binding-simulated", "its yield parked the thread, and no bind was seen"),
            Map.entry("slow-callback", "a callback of the receipt thread took that long"),
            Map.entry("cpu-preemption", "other threads had the CPU"),
            Map.entry("kernel-interference", "the kernel handled interrupts on its CPU"),
            Map.entry("cpu-throttled", "the CPU quota of its cgroup was used up"),
            Map.entry("traffic-burst", "the sender sent faster than the receiver can read"),
            Map.entry("gc-or-safepoint", "the JVM stopped all threads for a garbage collection"),
            Map.entry("vm-operation", "the JVM stopped all threads for an operation of its own"),
            Map.entry("time-to-safepoint", "the JVM waited for a thread that was late at a safepoint"),
            Map.entry("network-loss", "datagrams never reached a socket of this host"),
            Map.entry("network-delay", "datagrams came after the receiver had asked for them again"),
            Map.entry("network-reordering", "datagrams overtook each other on the way"),
            Map.entry("network-duplication", "datagrams came twice"),
            Map.entry("process-ended", "the process ended before the flow did"),
            Map.entry("slow-consumer", "a consumer behind the receipt thread was too slow, and its ring filled up"),
            Map.entry("process-paused", "a signal stopped the process"),
            Map.entry("process-frozen", "the freezer of its cgroup stopped the process"),
            Map.entry("process-traced", "a tracer stopped the thread"),
            Map.entry("machine-stalled", "the whole machine stood still"),
            Map.entry("major-fault", "the thread waited for a page from the disk"),
            Map.entry("lock-wait", "the thread waited for a lock"),
            Map.entry("file-lock-wait", "the thread waited for a file lock"),
            Map.entry("disk-wait", "the thread waited for the disk"),
            Map.entry("blocking-call", "the thread blocked in a call to the kernel"),
            Map.entry("not-notified", "epoll did not report the datagrams to the thread"),
            Map.entry("busy-thread", "the thread was busy with something else"),
            Map.entry("memory-pressure", "memory was short"),
            Map.entry("sender-paused", "the sender stood still"));

    private CauseWords() {}

    /** Returns a clause for a cause; for one of a later version, its name. */
    static String of(String cause) {
        return CLAUSES.getOrDefault(cause, "of " + cause);
    }
}
