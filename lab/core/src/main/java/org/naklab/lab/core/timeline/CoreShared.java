package org.naklab.lab.core.timeline;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Another thread ran on the only CPU on which a receiving thread may run.
 *
 * @param process name or pid of the receiving thread's process
 * @param thread the receiving thread
 * @param cpu its number
 * @param other name of the other thread
 * @param interval from the first begin to the last end
 */
public record CoreShared(String process, String thread, int cpu, String other, Interval interval, Share share)
        implements TimelineEvent {
    /**
     * Tells how often and how long the other ran.
     *
     * @param count how many times it ran for 100 µs or more
     * @param totalNs the length of these times together, ns
     * @param longestNs the length of the longest, ns
     */
    public record Share(long count, long totalNs, long longestNs) {}

    /** Returns the sums of each pair of threads on a CPU, the longest total first. */
    public static List<CoreShared> summed(List<? extends TimelineEvent> events) {
        Map<List<Object>, CoreShared> sums = new LinkedHashMap<>();
        events.stream()
                .flatMap(TimelineEvent.only(CoreShared.class))
                .forEach(shared -> sums.merge(
                        List.of(shared.process, shared.thread, shared.cpu, shared.other), shared, CoreShared::plus));
        List<CoreShared> sorted = new ArrayList<>(sums.values());
        sorted.sort(Comparator.comparingLong((CoreShared each) -> each.share().totalNs())
                .reversed());
        return sorted;
    }

    /** Returns how long the other thread ran within a time at least, ns: it may have run all the time that its interval has besides. */
    public long leastWithinNs(Interval time) {
        long outsideNs = interval.lengthNs()
                - interval.intersection(time).map(Interval::lengthNs).orElse(0L);
        return Math.max(0, share.totalNs() - outsideNs);
    }

    /** Returns both together; they are of the same threads and CPU. */
    public CoreShared plus(CoreShared more) {
        return new CoreShared(
                process,
                thread,
                cpu,
                other,
                new Interval(
                        Math.min(interval.beginNs(), more.interval.beginNs()),
                        Math.max(interval.endNs(), more.interval.endNs())),
                new CoreShared.Share(
                        share.count() + more.share.count(),
                        share.totalNs() + more.share.totalNs(),
                        Math.max(share.longestNs(), more.share.longestNs())));
    }
}
