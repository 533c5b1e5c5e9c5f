package org.naklab.lab.instruments.kernel.datagrams;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.timeline.DatagramEvent;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.TimelineListener;

/**
 * Reports bursts of all senders of a feed together, for a receiver that does not count itself what it receives. The counts are read about twenty times a second. A burst
 * is a time between two readings, or several in a row, with at least three times the mean rate of the last two seconds that were no burst, and with at least 64 KiB; it may
 * have begun within the time before, if that was faster than usual. Datagrams count when they come in
 * at the network device, so that a receiver that stands still does not change the rate.
 */
final class ArrivalBursts {
    /** The senders are read one after the other. */
    private static final long SAME_READING_NS = TimeUnit.MILLISECONDS.toNanos(20);
    /** Between readings that are closer, a single datagram would be a burst. */
    private static final long LEAST_PERIOD_NS = TimeUnit.MILLISECONDS.toNanos(40);

    private static final int LEAST_PERIODS = 5;
    private static final int MAX_PERIODS = 40;
    private static final int FACTOR = 3;
    private static final long LEAST_BYTES = 64 * 1024;

    private final Feed feed;
    private final String receiver;
    private final TimelineListener listener;
    private final Map<DatagramFlow, Long> counted = new HashMap<>();
    private final Deque<Period> usual = new ArrayDeque<>();
    private final Deque<Period> burst = new ArrayDeque<>();
    private long beginNs;
    private long endNs;
    private long bytes;
    private long burstBeginNs;
    private long burstEndNs;
    private long peakPerSecond;

    private record Period(long lengthNs, long bytes) {}

    /** @param receiver the process at which the rate rose */
    ArrivalBursts(Feed feed, String receiver, TimelineListener listener) {
        this.feed = feed;
        this.receiver = receiver;
        this.listener = listener;
    }

    /** Takes what a sender has sent so far. */
    void onArrivals(DatagramFlow flow, ArrivalCount now) {
        if (now.timeNs() - endNs > SAME_READING_NS) {
            endPeriod();
            endNs = now.timeNs();
        }
        Long before = counted.put(flow, now.bytes());
        boolean isSeenFromItsBeginning = before != null || now.firstNs() - beginNs >= 0;
        bytes += isSeenFromItsBeginning ? now.bytes() - (before == null ? 0 : before) : 0;
    }

    /** Reports a burst that is not over. */
    void finish() {
        endPeriod();
        endBurst();
    }

    private void endPeriod() {
        long lengthNs = endNs - beginNs;
        if (beginNs == 0) {
            bytes = 0;
        } else if (lengthNs < LEAST_PERIOD_NS) {
            return;
        } else if (isBurst(lengthNs)) {
            addToBurst(lengthNs);
            if (burst.size() == MAX_PERIODS) {
                List<Period> lasting = List.copyOf(burst);
                endBurst();
                usual.clear();
                usual.addAll(lasting);
            }
        } else {
            endBurst();
            usual.addLast(new Period(lengthNs, bytes));
            if (usual.size() > MAX_PERIODS) {
                usual.removeFirst();
            }
        }
        beginNs = endNs;
        bytes = 0;
    }

    private boolean isBurst(long lengthNs) {
        return usual.size() >= LEAST_PERIODS
                && bytes >= LEAST_BYTES
                && perSecond(bytes, lengthNs) >= FACTOR * usualPerSecond();
    }

    private void addToBurst(long lengthNs) {
        if (burst.isEmpty()) {
            Period before = usual.getLast();
            boolean isRise = perSecond(before.bytes(), before.lengthNs()) > usualPerSecond();
            burstBeginNs = beginNs - (isRise ? before.lengthNs() : 0);
            peakPerSecond = 0;
        }
        burst.addLast(new Period(lengthNs, bytes));
        burstEndNs = endNs;
        peakPerSecond = Math.max(peakPerSecond, perSecond(bytes, lengthNs));
    }

    private void endBurst() {
        if (!burst.isEmpty()) {
            listener.onEvent(new DatagramEvent.Burst(
                    new Interval(burstBeginNs, burstEndNs),
                    receiver,
                    "bytes for port " + feed.port(),
                    peakPerSecond,
                    usualPerSecond(),
                    bytesOf(burst)));
            burst.clear();
        }
    }

    private long usualPerSecond() {
        return perSecond(
                bytesOf(usual), usual.stream().mapToLong(Period::lengthNs).sum());
    }

    private static long bytesOf(Deque<Period> periods) {
        return periods.stream().mapToLong(Period::bytes).sum();
    }

    private static long perSecond(long bytes, long lengthNs) {
        return lengthNs == 0 ? 0 : Math.round(bytes * Units.NS_PER_S / lengthNs);
    }
}
