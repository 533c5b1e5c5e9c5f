package org.naklab.lab.detect;

import java.util.Map;
import java.util.function.Supplier;

/**
 * How late a timer of an otherwise idle thread is, as cyclictest measures it. Late while another process stalls: the machine stood still.
 * In time: that process, or its thread, stood still. The thread is the sampler's own, which sleeps but for some microseconds in each
 * millisecond. Without real-time priority other threads make it late, and a pause of this JVM always does.
 */
public final class TimerInstrument implements Instrument {
    /** Lateness that is reported. An idle thread of a loaded machine may well wait for a few milliseconds. */
    public static final long DEFAULT_THRESHOLD_NS = 20_000_000L;

    private final WakeUps wakeUps;
    private final EpisodeCursor cursor;
    private final long thresholdNs;
    private final TimelineListener listener;
    private final Supplier<String> priority;
    private final Series latenessSeries = new Series("timer.latenessNs");
    private final Series longestSeries = new Series("timer.longestLatenessNs");

    /** @param priority of the thread that wakes up, in words */
    TimerInstrument(WakeUps wakeUps, long thresholdNs, TimelineListener listener, Supplier<String> priority) {
        this.wakeUps = wakeUps;
        this.thresholdNs = thresholdNs;
        this.listener = listener;
        this.priority = priority;
        cursor = new EpisodeCursor(wakeUps.log());
    }

    @Override
    public String describe() {
        return "lateness of the sampler's 1 ms timer " + priority.get() + "; reported from " + thresholdNs / 1_000_000
                + " ms on";
    }

    @Override
    public void sample(long nowNs, SampleSink sink) {
        while (cursor.next()) {
            long latenessNs = cursor.endNs() - cursor.beginNs();
            sink.record(latenessSeries, cursor.endNs(), latenessNs);
            if (latenessNs >= thresholdNs) {
                report(cursor.beginNs(), latenessNs);
            }
        }
        sink.record(longestSeries, nowNs, longestNs());
    }

    /** The worst so far; any thread. */
    public long longestNs() {
        return wakeUps.log().longestNs();
    }

    @Override
    public void close() {
        sample(cursor.endNs(), SampleSink.NONE);
    }

    private void report(long timeNs, long latenessNs) {
        listener.onEvent(new TimelineEvent(
                timeNs, TimelineEventType.TIMER_LATE, "lab", "detect-sampler", Map.of("latenessNs", latenessNs)));
    }
}
