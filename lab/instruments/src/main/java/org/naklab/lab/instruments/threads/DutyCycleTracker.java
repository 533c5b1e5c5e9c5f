package org.naklab.lab.instruments.threads;

import java.nio.MappedByteBuffer;
import java.nio.file.Path;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.instruments.sampling.DutyCycleLayout;
import org.naklab.lab.instruments.series.IntervalRing;

/**
 * The receipt thread's sign of life, in a file that another process maps: the thread calls {@link #beat} once a duty cycle, and tells
 * of each callback. Neither allocates, locks or calls the system. Gaps are measured here, by the thread itself, so
 * that a reader that is late misses none.
 *
 * <p>The file belongs on a memory file system ({@code /dev/shm}): on a disk's, the kernel write-protects dirty pages, and a beat
 * could itself wait for the disk. One thread, but for {@link #create} and {@link #close}.
 */
public final class DutyCycleTracker implements AutoCloseable {
    /** Gaps and callbacks shorter than this are not logged one by one. */
    public static final long DEFAULT_THRESHOLD_NS = 1_000_000L;

    private final @Nullable MappedByteBuffer mapped;
    private final UnsafeBuffer buffer;
    private final IntervalRing gaps;
    private final IntervalRing slowCallbacks;
    private final long thresholdNs;
    private long lastBeatNs = DutyCycleLayout.NOT_BEATING;
    private long beats;
    private long callbacks;
    private long callbackTimeNs;

    /** Longest gap that is neither a new maximum nor logged, ns. */
    private long ordinaryGapNs;

    private long ordinaryCallbackNs;
    private long callbackBeganNs = DutyCycleLayout.NOT_BEATING;

    private DutyCycleTracker(@Nullable MappedByteBuffer mapped, UnsafeBuffer buffer, long thresholdNs) {
        this.mapped = mapped;
        this.buffer = buffer;
        this.thresholdNs = thresholdNs;
        gaps = new IntervalRing(buffer, DutyCycleLayout.GAPS_OFFSET);
        slowCallbacks = new IntervalRing(buffer, DutyCycleLayout.SLOW_CALLBACKS_OFFSET);
        buffer.putLong(DutyCycleLayout.PID_OFFSET, ProcessHandle.current().pid());
        buffer.putLong(DutyCycleLayout.GAP_THRESHOLD_OFFSET, thresholdNs);
        buffer.putLong(DutyCycleLayout.CALLBACK_THRESHOLD_OFFSET, thresholdNs);
        buffer.putLong(DutyCycleLayout.LAST_BEAT_OFFSET, DutyCycleLayout.NOT_BEATING);
        buffer.putLongRelease(0, DutyCycleLayout.MAGIC);
    }

    /**
     * Creates a tracker with a new file, which must not exist. Every page of it is touched, so that no beat causes a page
     * fault.
     */
    public static DutyCycleTracker create(Path file, long thresholdNs) {
        MappedByteBuffer mapped = IoUtil.mapNewFile(file.toFile(), DutyCycleLayout.LENGTH, true);
        return new DutyCycleTracker(mapped, new UnsafeBuffer(mapped), thresholdNs);
    }

    /** Beats in memory of this process alone, of {@link DutyCycleLayout#LENGTH} bytes. */
    public static DutyCycleTracker over(UnsafeBuffer buffer, long thresholdNs) {
        return new DutyCycleTracker(null, buffer, thresholdNs);
    }

    /** Records that the thread is alive at this time of {@link System#nanoTime()}. */
    public void beat(long nowNs) {
        // From the first beat's predecessor, far in the past, the difference overflows to below 0.
        if (nowNs - lastBeatNs > ordinaryGapNs) {
            ordinaryGapNs = note(gaps, lastBeatNs, nowNs);
        }
        lastBeatNs = nowNs;
        buffer.putLong(DutyCycleLayout.CALLBACKS_OFFSET, callbacks);
        buffer.putLong(DutyCycleLayout.CALLBACK_TIME_OFFSET, callbackTimeNs);
        buffer.putLong(DutyCycleLayout.BEATS_OFFSET, ++beats);
        buffer.putLongRelease(DutyCycleLayout.LAST_BEAT_OFFSET, nowNs);
    }

    /**
     * Records a callback of the application that has returned. Slow ones are published at once, number and total time with
     * the next beat.
     */
    public void callback(long beginNs, long endNs) {
        callbacks++;
        long tookNs = endNs - beginNs;
        callbackTimeNs += tookNs;
        if (tookNs > ordinaryCallbackNs) {
            ordinaryCallbackNs = note(slowCallbacks, beginNs, endNs);
        }
    }

    /** Records the begin of a callback, and the end of the one before, if there was one in this poll. */
    void callbackBegins(long nowNs) {
        callbacksEnd(nowNs);
        callbackBeganNs = nowNs;
    }

    /** Ends the current callback: none runs any more. */
    public void callbacksEnd(long nowNs) {
        if (callbackBeganNs != DutyCycleLayout.NOT_BEATING) {
            callback(callbackBeganNs, nowNs);
            callbackBeganNs = DutyCycleLayout.NOT_BEATING;
        }
    }

    /** Logs an interval, and returns the length up to which the next one is ordinary, ns. */
    private long note(IntervalRing log, long beginNs, long endNs) {
        log.considerLongest(beginNs, endNs);
        if (endNs - beginNs >= thresholdNs) {
            log.add(beginNs, endNs);
        }
        return Math.min(log.longestNs(), thresholdNs - 1);
    }

    /**
     * Publishes the progress of the consumers of the ring; 0 for a consumer that does not exist.
     *
     * @param received messages put into the ring
     */
    public void consumers(long received, long applied, long journaled) {
        long lag = journaled == 0 ? 0 : received - journaled;
        buffer.putLong(DutyCycleLayout.JOURNAL_LAG_OFFSET, Math.max(0, lag));
        buffer.putLongRelease(DutyCycleLayout.RING_DEPTH_OFFSET, Math.max(0, Math.max(lag, received - applied)));
    }

    /** Records that the thread has ended or rests: silence from now on is no stall. */
    public void rest() {
        lastBeatNs = DutyCycleLayout.NOT_BEATING;
        callbackBeganNs = DutyCycleLayout.NOT_BEATING;
        buffer.putLongRelease(DutyCycleLayout.LAST_BEAT_OFFSET, DutyCycleLayout.NOT_BEATING);
    }

    /** Closes the file, after the thread's last beat. */
    @Override
    public void close() {
        rest();
        IoUtil.unmap(mapped);
    }
}
