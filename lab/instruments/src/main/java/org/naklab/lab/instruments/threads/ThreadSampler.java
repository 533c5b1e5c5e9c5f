package org.naklab.lab.instruments.threads;

import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.series.SeriesSource;
import org.naklab.lab.core.timeline.ThreadEvent;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.series.SampleSink;
import org.naklab.lab.instruments.series.Series;

/**
 * Samples one thread and feeds its detectors. The kernel counts a major fault when it is over; if the thread was seen
 * blocked until then, the fault is dated to the first sample that saw it so, and {@code earliestNs} is the earliest possible
 * time. A wait for a CPU is reported when one sample shows at least 5 ms of it, not as the sum of many short ones: it is
 * half of the time since the sample before, or the thread waited for 2 ms on average each time it came to run.
 */
final class ThreadSampler implements AutoCloseable {
    static final long RUN_DELAY_NS = 5_000_000L;

    private static final long MEAN_WAIT_NS = 2_000_000L;

    /** A thread that runs is neither blocked nor stopped; its faults are read all the same, now and then. */
    private static final long STATE_PERIOD_NS = 20 * Instrument.MILLISECOND_NS;

    private final String process;
    private final String thread;
    private final ThreadStat figures;
    private final TimelineListener listener;
    private final @Nullable SleepDetector sleeps;
    private final Series minorSeries;
    private final Series majorSeries;
    private final Series runDelaySeries;
    private final Series cpuSeries;
    private final Series blockedSeries;
    private boolean first = true;
    private boolean stopped;
    private long lastMajorFaults;
    private long lastRunDelayNs;
    private long lastTimesRun;
    private long lastCpuNs;
    private long lastSampleNs;
    private long lastStateNs;
    private long lastUnblockedNs;
    private long blockedSinceNs;
    private boolean blocked;
    /** State at the last sample. */
    private boolean wasBlocked;

    private long stoppedSinceNs;
    /** As in /proc/PID/stat: T by a signal, t by a tracer. */
    private String stopState = "";

    /** @param sleeps told of each sample; null: whether it sleeps does not matter */
    ThreadSampler(
            String process,
            String thread,
            int tid,
            ThreadStat figures,
            TimelineListener listener,
            @Nullable SleepDetector sleeps) {
        this.process = process;
        this.thread = thread;
        this.figures = figures;
        this.listener = listener;
        this.sleeps = sleeps;
        String subject = thread + "#" + tid;
        minorSeries = new Series(new SeriesName(SeriesSource.THREAD, process, subject, "minorFaults"));
        majorSeries = new Series(new SeriesName(SeriesSource.THREAD, process, subject, "majorFaults"));
        runDelaySeries = new Series(new SeriesName(SeriesSource.THREAD, process, subject, "runDelayNs"));
        cpuSeries = new Series(new SeriesName(SeriesSource.THREAD, process, subject, "cpuNs"));
        blockedSeries = new Series(new SeriesName(SeriesSource.THREAD, process, subject, "blocked"));
    }

    /** Takes a sample; false when the thread has ended. */
    boolean sample(long nowNs, SampleSink sink) {
        if (!figures.readSchedule()) {
            return false;
        }
        boolean mayHaveChanged = figures.mayStateHaveChanged();
        boolean isStateDue = first
                || (mayHaveChanged
                        && (isInTrouble()
                                || figures.cpuNs() == lastCpuNs
                                || nowNs - lastStateNs >= STATE_PERIOD_NS - Instrument.MILLISECOND_NS / 2));
        if (isStateDue) {
            if (!figures.readState()) {
                return false;
            }
            lastStateNs = nowNs;
        }
        boolean isStateKnown = isStateDue || !mayHaveChanged;
        long waitedNs = figures.runDelayNs() - lastRunDelayNs;
        record(nowNs, isStateKnown, waitedNs, sink);
        if (sleeps != null) {
            sleeps.note(nowNs, mayHaveChanged, isStateKnown && figures.isAsleep(), waitedNs);
        }
        return true;
    }

    private void record(long nowNs, boolean isStateKnown, long waitedNs, SampleSink sink) {
        if (isStateKnown) {
            sink.record(minorSeries, nowNs, figures.minorFaults());
            sink.record(majorSeries, nowNs, figures.majorFaults());
            sink.record(blockedSeries, nowNs, figures.isBlocked() ? 1 : 0);
        }
        sink.record(runDelaySeries, nowNs, figures.runDelayNs());
        sink.record(cpuSeries, nowNs, figures.cpuNs());
        if (first) {
            lastUnblockedNs = nowNs;
            first = false;
        } else {
            judge(nowNs, waitedNs);
        }
        boolean hasFaulted = figures.majorFaults() != lastMajorFaults;
        lastMajorFaults = figures.majorFaults();
        lastRunDelayNs = figures.runDelayNs();
        lastTimesRun = figures.timesRun();
        lastCpuNs = figures.cpuNs();
        // It has run since the last sample, and may be blocked by now.
        noteBlocked(isStateKnown ? nowNs : lastSampleNs, hasFaulted);
        lastSampleNs = nowNs;
    }

    /** Returns whether the next sample is needed as soon as possible. */
    boolean isInTrouble() {
        return blocked || stopped;
    }

    /**
     * Handles the end of a block. The page may be there and the thread may run, but the fault is counted at its very end:
     * the first sample after the blocked ones still belongs to them, unless it shows the fault.
     */
    private void noteBlocked(long nowNs, boolean hasFaulted) {
        boolean isBlocked = figures.isBlocked();
        if (isBlocked && hasFaulted) {
            lastUnblockedNs = lastSampleNs;
        }
        if (isBlocked && (hasFaulted || !blocked)) {
            blockedSinceNs = nowNs;
        }
        blocked = isBlocked || (wasBlocked && !hasFaulted);
        if (!blocked) {
            lastUnblockedNs = nowNs;
        }
        wasBlocked = isBlocked;
    }

    private void judge(long nowNs, long waitedNs) {
        long faults = figures.majorFaults() - lastMajorFaults;
        if (faults > 0) {
            listener.onEvent(new ThreadEvent.MajorFaults(
                    blocked ? blockedSinceNs : nowNs,
                    process,
                    thread,
                    faults,
                    figures.majorFaults(),
                    lastUnblockedNs,
                    nowNs));
        }
        if (waitedNs >= RUN_DELAY_NS && isOneWait(waitedNs, nowNs)) {
            listener.onEvent(new ThreadEvent.RunQueueDelay(nowNs - waitedNs, process, thread, waitedNs, nowNs));
        }
        if (figures.isStopped() != stopped) {
            stopped = figures.isStopped();
            if (stopped) {
                stoppedSinceNs = nowNs;
                stopState = figures.isTraced() ? "t" : "T";
                listener.onEvent(new ThreadEvent.Stopped(nowNs, process, thread, stopState));
            } else {
                listener.onEvent(new ThreadEvent.Continued(
                        nowNs, process, thread, stopState, stoppedSinceNs, nowNs - stoppedSinceNs));
            }
        }
    }

    private boolean isOneWait(long delayNs, long nowNs) {
        long runs = Math.max(1, figures.timesRun() - lastTimesRun);
        return delayNs >= (nowNs - lastSampleNs) / 2 || delayNs >= runs * MEAN_WAIT_NS;
    }

    @Override
    public void close() {
        if (sleeps != null) {
            sleeps.end();
        }
        figures.close();
    }
}
