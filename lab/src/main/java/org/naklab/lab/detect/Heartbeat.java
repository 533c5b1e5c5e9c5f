package org.naklab.lab.detect;

import java.nio.MappedByteBuffer;
import java.nio.file.Path;
import org.agrona.IoUtil;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * The receipt thread's sign of life, in a file that another process maps: the thread calls {@link #beat} once a duty cycle and
 * {@link #callback} after each callback. Neither allocates, locks or calls the system. Gaps are measured here, by the thread itself, so
 * that a reader that is late misses none.
 *
 * <p>The file belongs on a memory file system ({@code /dev/shm}): on a disk's, the kernel write-protects dirty pages, and a beat
 * could itself wait for the disk. One thread, but for {@link #create} and {@link #close}.
 */
public final class Heartbeat implements AutoCloseable {
    /** Gaps and callbacks shorter than this are not logged one by one. */
    public static final long DEFAULT_THRESHOLD_NS = 1_000_000L;

    private final MappedByteBuffer mapped;
    private final UnsafeBuffer buffer;
    private final EpisodeLog gaps;
    private final EpisodeLog slowCallbacks;
    private final long thresholdNs;
    private long lastBeatNs = HeartbeatLayout.NOT_BEATING;
    private long beats;
    private long callbacks;

    private Heartbeat(MappedByteBuffer mapped, long thresholdNs) {
        this.mapped = mapped;
        this.thresholdNs = thresholdNs;
        buffer = new UnsafeBuffer(mapped);
        gaps = new EpisodeLog(buffer, HeartbeatLayout.GAPS_OFFSET);
        slowCallbacks = new EpisodeLog(buffer, HeartbeatLayout.SLOW_CALLBACKS_OFFSET);
        buffer.putLong(HeartbeatLayout.PID_OFFSET, ProcessHandle.current().pid());
        buffer.putLong(HeartbeatLayout.GAP_THRESHOLD_OFFSET, thresholdNs);
        buffer.putLong(HeartbeatLayout.CALLBACK_THRESHOLD_OFFSET, thresholdNs);
        buffer.putLong(HeartbeatLayout.LAST_BEAT_OFFSET, HeartbeatLayout.NOT_BEATING);
        buffer.putLongRelease(0, HeartbeatLayout.MAGIC);
    }

    /** A new file; it must not exist. Every page of it is touched, so that no beat has to fault one in. */
    public static Heartbeat create(Path file, long thresholdNs) {
        return new Heartbeat(IoUtil.mapNewFile(file.toFile(), HeartbeatLayout.LENGTH, true), thresholdNs);
    }

    /** The thread is alive at this time, by {@link System#nanoTime()}. */
    public void beat(long nowNs) {
        if (lastBeatNs != HeartbeatLayout.NOT_BEATING) {
            gaps.considerLongest(lastBeatNs, nowNs);
            if (nowNs - lastBeatNs >= thresholdNs) {
                gaps.add(lastBeatNs, nowNs);
            }
        }
        lastBeatNs = nowNs;
        buffer.putLong(HeartbeatLayout.CALLBACKS_OFFSET, callbacks);
        buffer.putLong(HeartbeatLayout.BEATS_OFFSET, ++beats);
        buffer.putLongRelease(HeartbeatLayout.LAST_BEAT_OFFSET, nowNs);
    }

    /** Duty cycles so far; the thread's own. */
    long beats() {
        return beats;
    }

    /** A callback of the application has returned. Slow ones are told at once, how many there were, with the beat. */
    public void callback(long beginNs, long endNs) {
        callbacks++;
        slowCallbacks.considerLongest(beginNs, endNs);
        if (endNs - beginNs >= thresholdNs) {
            slowCallbacks.add(beginNs, endNs);
        }
    }

    /**
     * How far the consumers of the ring have come; a count of 0 is of one that is not there.
     *
     * @param received messages put into the ring
     */
    public void consumers(long received, long applied, long journaled) {
        long lag = journaled == 0 ? 0 : received - journaled;
        buffer.putLong(HeartbeatLayout.JOURNAL_LAG_OFFSET, Math.max(0, lag));
        buffer.putLongRelease(HeartbeatLayout.RING_DEPTH_OFFSET, Math.max(0, Math.max(lag, received - applied)));
    }

    /** The thread has ended, or rests: silence from now on is no stall. */
    public void rest() {
        lastBeatNs = HeartbeatLayout.NOT_BEATING;
        buffer.putLongRelease(HeartbeatLayout.LAST_BEAT_OFFSET, HeartbeatLayout.NOT_BEATING);
    }

    /** After the thread's last beat. */
    @Override
    public void close() {
        rest();
        IoUtil.unmap(mapped);
    }
}
