package org.naklab.messaging.guard;

import static io.aeron.protocol.HeaderFlyweight.HDR_TYPE_PAD;

import io.aeron.logbuffer.FrameDescriptor;
import io.aeron.protocol.DataHeaderFlyweight;
import java.util.concurrent.atomic.AtomicLong;
import org.agrona.BitUtil;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.naklab.messaging.latency.LatencyHistogram;

/**
 * Counts the data datagrams of one session that come in behind later ones, and those whose data has all come in before. Aeron puts the data in
 * order and drops what it has, and counts neither.
 *
 * <p>Follows the open gaps of the stream, at most {@value #MAX_GAPS}; if there are more, it forgets the oldest, and judges no datagram
 * before its end. Called by the context's thread; the counts may be read by any thread. Allocates nothing.
 */
public final class ArrivalOrder {
    static final int MAX_GAPS = 1_024;

    private static final long UNKNOWN = -1;

    private final NanoClock clock;
    private final AtomicLong overtaken = new AtomicLong();
    private final AtomicLong repeated = new AtomicLong();
    private final AtomicLong longestDelayNs = new AtomicLong();
    private final LatencyHistogram repairs = new LatencyHistogram();
    private volatile long repairsFromNs = Long.MAX_VALUE;
    private final long[] gapBegins = new long[MAX_GAPS];
    private final long[] gapEnds = new long[MAX_GAPS];
    private final long[] gapsOpenedNs = new long[MAX_GAPS];
    private int gaps;
    private int termBytes;
    private int initialTermId;
    private long highest = UNKNOWN;
    /** Nothing is known of what lies before it. */
    private long judgedFrom;

    /** @param clock of the context */
    public ArrivalOrder(NanoClock clock) {
        this.clock = clock;
    }

    /** Takes the layout of the stream's log from a setup. */
    void onSetup(int newTermBytes, int newInitialTermId) {
        termBytes = newTermBytes;
        initialTermId = newInitialTermId;
    }

    /** Takes a sound datagram of the session. */
    void onData(UnsafeBuffer buffer, int length) {
        if (termBytes == 0 || Frames.isHeartbeat(buffer, length)) {
            return;
        }
        long begin = (long) (DataHeaderFlyweight.termId(buffer, 0) - initialTermId) * termBytes
                + DataHeaderFlyweight.termOffset(buffer, 0);
        onData(begin, begin + extentBytes(buffer, length));
    }

    private void onData(long begin, long end) {
        if (highest == UNKNOWN) {
            judgedFrom = begin;
            highest = end;
        } else if (end > highest) {
            if (begin > highest) {
                open(highest, begin);
            }
            highest = end;
        } else if (begin >= judgedFrom) {
            onDataBehind(begin, end);
        }
    }

    private void onDataBehind(long begin, long end) {
        boolean isNew = false;
        for (int i = gaps - 1; i >= 0; i--) {
            if (gapBegins[i] < end && begin < gapEnds[i]) {
                isNew = true;
                onDelay(gapsOpenedNs[i]);
                fill(i, begin, end);
            }
        }
        increment(isNew ? overtaken : repeated);
    }

    /** Takes what has come out of a gap, of which a part may be left on either side. */
    private void fill(int gap, long begin, long end) {
        long gapEnd = gapEnds[gap];
        boolean isLeftBefore = gapBegins[gap] < begin;
        boolean isLeftBehind = end < gapEnd;
        if (isLeftBefore) {
            gapEnds[gap] = begin;
            if (isLeftBehind) {
                insert(gap + 1, end, gapEnd, gapsOpenedNs[gap]);
            }
        } else if (isLeftBehind) {
            gapBegins[gap] = end;
        } else {
            remove(gap);
        }
    }

    private void open(long begin, long end) {
        insert(gaps, begin, end, clock.nanoTime());
    }

    private void insert(int wanted, long begin, long end, long openedNs) {
        int index = wanted;
        if (gaps == MAX_GAPS) {
            judgedFrom = gapEnds[0];
            remove(0);
            index--;
        }
        System.arraycopy(gapBegins, index, gapBegins, index + 1, gaps - index);
        System.arraycopy(gapEnds, index, gapEnds, index + 1, gaps - index);
        System.arraycopy(gapsOpenedNs, index, gapsOpenedNs, index + 1, gaps - index);
        gapBegins[index] = begin;
        gapEnds[index] = end;
        gapsOpenedNs[index] = openedNs;
        gaps++;
    }

    private void remove(int index) {
        gaps--;
        System.arraycopy(gapBegins, index + 1, gapBegins, index, gaps - index);
        System.arraycopy(gapEnds, index + 1, gapEnds, index, gaps - index);
        System.arraycopy(gapsOpenedNs, index + 1, gapsOpenedNs, index, gaps - index);
    }

    /** Returns the bytes of the log that the datagram fills: of padding only the header travels. */
    private static int extentBytes(UnsafeBuffer buffer, int length) {
        int extent = 0;
        int offset = 0;
        while (offset < length) {
            int frameBytes = BitUtil.align(Frames.intAt(buffer, offset), FrameDescriptor.FRAME_ALIGNMENT);
            extent += frameBytes;
            offset = FrameDescriptor.frameType(buffer, offset) == HDR_TYPE_PAD ? length : offset + frameBytes;
        }
        return extent;
    }

    /** Returns the datagrams with new data that came in behind later ones, whether they were late or sent again. Any thread. */
    public long overtaken() {
        return overtaken.get();
    }

    /** Returns the datagrams of which all data had come in before. Any thread. */
    public long repeated() {
        return repeated.get();
    }

    /** Returns the longest time from the first datagram that overtook one until that one came in, ns. Any thread. */
    public long longestDelayNs() {
        return longestDelayNs.get();
    }

    /**
     * Returns the times from the first datagram that overtook one until that one came in, one for each, whether it was late or sent
     * again. Nothing counts before {@link #countRepairsFrom}. To be read when no datagram comes in any more.
     */
    public LatencyHistogram repairs() {
        return repairs;
    }

    /** Lets {@link #repairs} count what is overtaken from a time of the clock on. Any thread. */
    public void countRepairsFrom(long beginNs) {
        repairsFromNs = beginNs;
    }

    private void onDelay(long openedNs) {
        long delayNs = clock.nanoTime() - openedNs;
        if (openedNs >= repairsFromNs) {
            repairs.record(delayNs);
        }
        if (delayNs > longestDelayNs.getPlain()) {
            longestDelayNs.lazySet(delayNs);
        }
    }

    private static void increment(AtomicLong count) {
        count.lazySet(count.getPlain() + 1);
    }
}
