package org.naklab.lab.instruments.threads;

import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.NoOpIdleStrategy;
import org.agrona.concurrent.UnsafeBuffer;
import org.naklab.lab.core.Units;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.series.SeriesSource;
import org.naklab.lab.core.timeline.HostEvent;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.linux.PriorityThreadFactory;
import org.naklab.lab.instruments.linux.ThreadPriority;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.series.IntervalRing;
import org.naklab.lab.instruments.series.IntervalRingReader;
import org.naklab.lab.instruments.series.SampleSink;
import org.naklab.lab.instruments.series.Series;

/**
 * Measures how late the timer of an otherwise idle thread is, as cyclictest does. If it is late while another process
 * stalls, the machine stalled; if it is in time, that process or its thread did. Without real-time priority other threads
 * make it late, and a pause of this JVM always does.
 */
public final class HiccupInstrument implements Instrument {
    /** Lateness that is reported. An idle thread of a loaded machine may well wait for a few milliseconds. */
    public static final long DEFAULT_THRESHOLD_NS = DutyCycleInstrument.DEFAULT_STALL_THRESHOLD_NS;

    private static final long LOGGED_NS = 1_000_000L;
    private static final String THREAD = "naklab-timer";

    private final IntervalRing log;
    private final HiccupAgent agent;
    private final PriorityThreadFactory threads = new PriorityThreadFactory(ThreadPriority.REAL_TIME);
    private final IntervalRingReader cursor;
    private final long thresholdNs;
    private final TimelineListener listener;
    private final AgentRunner runner;
    private final Series latenessSeries = new Series(SeriesName.ofMachine(SeriesSource.TIMER, "latenessNs"));
    private final Series longestSeries = new Series(SeriesName.ofMachine(SeriesSource.TIMER, "longestLatenessNs"));

    private HiccupInstrument(IntervalRing log, HiccupAgent agent, long thresholdNs, TimelineListener listener) {
        this.log = log;
        this.agent = agent;
        this.thresholdNs = thresholdNs;
        this.listener = listener;
        cursor = new IntervalRingReader(log);
        runner = new AgentRunner(NoOpIdleStrategy.INSTANCE, this::onError, null, agent);
    }

    /** Starts the idle thread. */
    public static HiccupInstrument start(long thresholdNs, TimelineListener listener, NanoClock clock) {
        IntervalRing log = new IntervalRing(new UnsafeBuffer(new byte[IntervalRing.LENGTH]), 0);
        HiccupInstrument instrument =
                new HiccupInstrument(log, new HiccupAgent(clock, log, LOGGED_NS), thresholdNs, listener);
        AgentRunner.startOnThread(instrument.runner, instrument.threads);
        return instrument;
    }

    /** Judges a log that someone else writes. */
    static HiccupInstrument over(IntervalRing log, HiccupAgent agent, long thresholdNs, TimelineListener listener) {
        return new HiccupInstrument(log, agent, thresholdNs, listener);
    }

    @Override
    public String title() {
        return "the timer of an idle thread";
    }

    @Override
    public long reachedNs(long nowNs) {
        return agent.reachedNs();
    }

    @Override
    public String describe() {
        return "lateness of a " + HiccupAgent.PERIOD_NS / MILLISECOND_NS + " ms timer on an idle thread "
                + threads.describe() + "; reported from " + thresholdNs / Units.MS_NS + " ms on";
    }

    @Override
    public void sample(long nowNs, SampleSink sink) {
        while (cursor.next()) {
            long latenessNs = cursor.endNs() - cursor.beginNs();
            sink.record(latenessSeries, cursor.endNs(), latenessNs);
            if (latenessNs >= thresholdNs) {
                listener.onEvent(new HostEvent.TimerLate(cursor.beginNs(), "lab", THREAD, latenessNs));
            }
        }
        sink.record(longestSeries, nowNs, log.longestNs());
    }

    /** Returns the greatest lateness so far, ns; any thread. */
    public long longestNs() {
        return log.longestNs();
    }

    @Override
    public void close() {
        runner.close();
        sample(cursor.endNs(), SampleSink.NONE);
    }

    private void onError(Throwable error) {
        listener.onEvent(new HostEvent.Blind(System.nanoTime(), "lab", THREAD, describe(), String.valueOf(error)));
    }
}
