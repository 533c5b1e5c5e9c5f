package org.naklab.lab.instruments.threads;

import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import org.agrona.IoUtil;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.UnsafeBuffer;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.series.SeriesSource;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.Interruption;
import org.naklab.lab.core.timeline.Interval;
import org.naklab.lab.core.timeline.ThreadEvent;
import org.naklab.lab.core.timeline.ThreadStall;
import org.naklab.lab.core.timeline.TimelineEventType;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.sampling.DutyCycleLayout;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.sampling.MappedCounter;
import org.naklab.lab.instruments.sampling.Watchpoints;
import org.naklab.lab.instruments.series.IntervalRing;
import org.naklab.lab.instruments.series.IntervalRingReader;
import org.naklab.lab.instruments.series.SampleSink;
import org.naklab.lab.instruments.series.Series;

/**
 * Duty-cycle gaps and callback times of a receipt thread, from its {@link DutyCycleTracker}. A gap of at least the stall threshold is
 * a stall: {@code STALL_BEGAN} as soon as it is that long, {@code STALL} with its exact length when the thread is back. A stall that
 * has no end yet when the watch ends is reported as lasting.
 */
public final class DutyCycleInstrument implements Instrument, Watchpoints.Source {
    /** The incident's stalls take 150 ms; a loaded machine's scheduler may well take 10. */
    public static final long DEFAULT_STALL_THRESHOLD_NS = 20_000_000L;

    /** Silence after which all instruments are sampled in each of the sampler's periods, ns: it may become a stall. */
    private static final long SILENCE_NS = 5 * MILLISECOND_NS;

    private final String process;
    private final String thread;
    private final long thresholdNs;
    private final TimelineListener listener;
    private final NanoClock clock;
    private final MappedByteBuffer mapped;
    private final UnsafeBuffer buffer;
    private final IntervalRingReader gaps;
    private final IntervalRingReader slowCallbacks;
    private final Series gapSeries;
    private final Series longestGapSeries;
    private final Series callbackSeries;
    private final Series longestCallbackSeries;
    private final Series meanCallbackSeries;
    private long reportedBeginNs = DutyCycleLayout.NOT_BEATING;
    private long lastCallbacks;
    private long lastCallbackTimeNs;

    private DutyCycleInstrument(
            String process,
            String thread,
            long thresholdNs,
            TimelineListener listener,
            NanoClock clock,
            MappedByteBuffer mapped) {
        this.process = process;
        this.thread = thread;
        this.thresholdNs = thresholdNs;
        this.listener = listener;
        this.clock = clock;
        this.mapped = mapped;
        buffer = new UnsafeBuffer(mapped);
        gaps = new IntervalRingReader(new IntervalRing(buffer, DutyCycleLayout.GAPS_OFFSET));
        slowCallbacks = new IntervalRingReader(new IntervalRing(buffer, DutyCycleLayout.SLOW_CALLBACKS_OFFSET));
        SeriesName gap = new SeriesName(SeriesSource.HEARTBEAT, process, thread, "gapNs");
        gapSeries = new Series(gap);
        longestGapSeries = new Series(gap.sibling("longestGapNs"));
        callbackSeries = new Series(gap.sibling("callbackNs"));
        longestCallbackSeries = new Series(gap.sibling("longestCallbackNs"));
        meanCallbackSeries = new Series(gap.sibling("meanCallbackNs"));
    }

    /**
     * Attaches to a heartbeat.
     *
     * @param thread name of the thread that beats
     * @param thresholdNs gap that is a stall, and callback that is slow; not below the heartbeat's own threshold
     * @throws DetectException the file is no heartbeat
     */
    public static DutyCycleInstrument attach(
            String process, String thread, Path file, long thresholdNs, TimelineListener listener, NanoClock clock) {
        if (!Files.isReadable(file) || file.toFile().length() < DutyCycleLayout.LENGTH) {
            throw new DetectException("no heartbeat: " + file);
        }
        MappedByteBuffer mapped = IoUtil.mapExistingFile(file.toFile(), FileChannel.MapMode.READ_ONLY, "heartbeat");
        if (new UnsafeBuffer(mapped).getLongVolatile(0) != DutyCycleLayout.MAGIC) {
            IoUtil.unmap(mapped);
            throw new DetectException("not a heartbeat: " + file);
        }
        return new DutyCycleInstrument(process, thread, thresholdNs, listener, clock, mapped);
    }

    @Override
    public String describe() {
        return "heartbeat of " + process + ' ' + thread + ": gaps and callbacks of at least "
                + thresholdNs / Units.MS_NS + " ms, and how long callbacks take, measured by the thread itself";
    }

    @Override
    public void sample(long nowNs, SampleSink sink) {
        while (gaps.next()) {
            onGap(gaps.beginNs(), gaps.endNs(), sink);
        }
        while (slowCallbacks.next()) {
            onSlowCallback(slowCallbacks.beginNs(), slowCallbacks.endNs(), sink);
        }
        sink.record(longestGapSeries, nowNs, gaps.log().longestNs());
        sink.record(longestCallbackSeries, nowNs, slowCallbacks.log().longestNs());
        recordMeanCallback(nowNs, sink);
        long lastBeatNs = buffer.getLongVolatile(DutyCycleLayout.LAST_BEAT_OFFSET);
        boolean silent = lastBeatNs != DutyCycleLayout.NOT_BEATING && nowNs - lastBeatNs >= thresholdNs;
        if (silent && lastBeatNs != reportedBeginNs) {
            reportedBeginNs = lastBeatNs;
            listener.onEvent(new ThreadEvent.StallBegan(lastBeatNs, process, thread, nowNs));
        }
    }

    @Override
    public void addTo(Watchpoints words) {
        words.addTime(buffer, DutyCycleLayout.LAST_BEAT_OFFSET, SILENCE_NS);
    }

    /** Returns the longest gap between two beats so far, ns; any thread. */
    public long longestGapNs() {
        return gaps.log().longestNs();
    }

    /** Returns the longest callback so far, ns; any thread. */
    public long longestCallbackNs() {
        return slowCallbacks.log().longestNs();
    }

    /** Callbacks so far; any thread. */
    public long callbacks() {
        return buffer.getLongVolatile(DutyCycleLayout.CALLBACKS_OFFSET);
    }

    /** Messages in the ring at the last beat; any thread, until this is closed. */
    public MappedCounter ringDepth() {
        return new MappedCounter(buffer, DutyCycleLayout.RING_DEPTH_OFFSET);
    }

    /** Messages that the journal was behind at the last beat; any thread, until this is closed. */
    public MappedCounter journalLag() {
        return new MappedCounter(buffer, DutyCycleLayout.JOURNAL_LAG_OFFSET);
    }

    @Override
    public void close() {
        long nowNs = clock.nanoTime();
        sample(nowNs, SampleSink.NONE);
        long lastBeatNs = buffer.getLongVolatile(DutyCycleLayout.LAST_BEAT_OFFSET);
        if (lastBeatNs != DutyCycleLayout.NOT_BEATING && lastBeatNs == reportedBeginNs) {
            stalled(lastBeatNs, new ThreadStall.Sight(nowNs - lastBeatNs, null, null, true, null, null));
        }
        IoUtil.unmap(mapped);
    }

    /**
     * Records the mean of the callbacks since the last sample. Its two counters are read one after the other, so that the
     * mean may be off by the callbacks of one cycle.
     */
    private void recordMeanCallback(long nowNs, SampleSink sink) {
        long callbacks = callbacks();
        long timeNs = buffer.getLongVolatile(DutyCycleLayout.CALLBACK_TIME_OFFSET);
        if (callbacks > lastCallbacks) {
            sink.record(meanCallbackSeries, nowNs, (timeNs - lastCallbackTimeNs) / (callbacks - lastCallbacks));
        }
        lastCallbacks = callbacks;
        lastCallbackTimeNs = timeNs;
    }

    private void onGap(long beginNs, long endNs, SampleSink sink) {
        sink.record(gapSeries, endNs, endNs - beginNs);
        if (endNs - beginNs >= thresholdNs) {
            stalled(beginNs, new ThreadStall.Sight(endNs - beginNs, endNs, null, false, null, null));
        }
    }

    private void onSlowCallback(long beginNs, long endNs, SampleSink sink) {
        sink.record(callbackSeries, endNs, endNs - beginNs);
        if (endNs - beginNs >= thresholdNs) {
            listener.onEvent(new ThreadEvent.SlowCallback(new Interval(beginNs, endNs), process, thread, endNs));
        }
    }

    private void stalled(long timeNs, ThreadStall.Sight seen) {
        listener.onEvent(new ThreadStall(timeNs, TimelineEventType.STALL, process, thread, Interruption.UNKNOWN, seen));
    }
}
