package org.naklab.lab.detect;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.NanoClock;

/**
 * Samples the instruments, each at its own multiple of the period, on absolute deadlines: a late sample does not delay those
 * after it, and a missed one is counted, not made up for. Sleeps between deadlines. An instrument that takes long is sampled less often,
 * so that it gets at most a quarter of a processor: the sampler may run at real-time priority.
 */
final class Sampler implements Agent {
    private static final int COST_SHARE = 4;
    private static final int COST_SMOOTHING = 16;
    private static final long SELF_REPORT_PERIOD_NS = 100 * Instrument.MILLISECOND_NS;

    private final NanoClock clock;
    private final DeadlineSleeper sleeper = new DeadlineSleeper();
    private final long periodNs;
    private final SampleSink sink;
    private final TimelineListener listener;
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Series latenessSeries = new Series("sampler.maxLatenessNs");
    private final Series missedSeries = new Series("sampler.missedTicks");
    private volatile ScheduledInstrument[] schedule = {};
    private volatile SamplerStatistics statistics = new SamplerStatistics(0, 0, 0, 0, 0);
    private long startNs;
    private long startCpuNs;
    private long deadlineNs;
    private long selfReportNs;
    private long ticks;
    private long missedTicks;
    private long maxLatenessNs;
    private long recentLatenessNs;

    Sampler(NanoClock clock, long periodNs, SampleSink sink, TimelineListener listener) {
        this.clock = clock;
        this.periodNs = periodNs;
        this.sink = sink;
        this.listener = listener;
    }

    @Override
    public void onStart() {
        startNs = clock.nanoTime();
        startCpuNs = threads.getCurrentThreadCpuTime();
        deadlineNs = startNs + periodNs;
        selfReportNs = startNs + SELF_REPORT_PERIOD_NS;
    }

    @Override
    public int doWork() {
        long nowNs = clock.nanoTime();
        if (nowNs - deadlineNs < 0) {
            sleeper.sleepUntil(deadlineNs);
            nowNs = clock.nanoTime();
        }
        if (nowNs - deadlineNs < 0) {
            return 0;
        }
        noteLateness(nowNs - deadlineNs);
        for (ScheduledInstrument scheduled : schedule) {
            if (nowNs - scheduled.dueNs >= 0) {
                sample(scheduled, nowNs);
            }
        }
        if (nowNs - selfReportNs >= 0) {
            reportSelf(nowNs);
        }
        return 1;
    }

    @Override
    public String roleName() {
        return "detect-sampler";
    }

    /** Any thread, one at a time. The first sample is at the next deadline. */
    synchronized void add(Instrument instrument) {
        ScheduledInstrument[] longer = Arrays.copyOf(schedule, schedule.length + 1);
        longer[schedule.length] = new ScheduledInstrument(instrument, clock.nanoTime());
        schedule = longer;
    }

    synchronized void remove(Instrument instrument) {
        schedule = Arrays.stream(schedule)
                .filter(scheduled -> scheduled.instrument != instrument)
                .toArray(ScheduledInstrument[]::new);
    }

    /** As of the last tenth of a second. */
    SamplerStatistics statistics() {
        return statistics;
    }

    /** What each instrument has taken; once the sampler has stopped. */
    List<InstrumentCost> costs() {
        return Arrays.stream(schedule).map(ScheduledInstrument::cost).toList();
    }

    private void sample(ScheduledInstrument scheduled, long nowNs) {
        Instrument instrument = scheduled.instrument;
        scheduled.dueNs += Math.max(Math.max(instrument.periodNs(), periodNs), COST_SHARE * scheduled.costNs);
        if (nowNs - scheduled.dueNs >= 0) {
            scheduled.dueNs = nowNs - Math.floorMod(nowNs - startNs, periodNs) + periodNs;
        }
        try {
            long beginNs = clock.nanoTime();
            instrument.sample(nowNs, sink);
            scheduled.tookNs(clock.nanoTime() - beginNs);
        } catch (DetectException blind) {
            remove(instrument);
            Map<String, Object> details =
                    Map.of("instrument", instrument.describe(), "reason", String.valueOf(blind.getMessage()));
            listener.onEvent(TimelineEvent.of(nowNs, TimelineEventType.INSTRUMENT_BLIND, "lab", details));
        }
    }

    private void noteLateness(long latenessNs) {
        ticks++;
        maxLatenessNs = Math.max(maxLatenessNs, latenessNs);
        recentLatenessNs = Math.max(recentLatenessNs, latenessNs);
        long missed = latenessNs / periodNs;
        missedTicks += missed;
        deadlineNs += (missed + 1) * periodNs;
    }

    private void reportSelf(long nowNs) {
        sink.record(latenessSeries, nowNs, recentLatenessNs);
        sink.record(missedSeries, nowNs, missedTicks);
        recentLatenessNs = 0;
        selfReportNs = nowNs + SELF_REPORT_PERIOD_NS;
        statistics = new SamplerStatistics(
                ticks, missedTicks, maxLatenessNs, threads.getCurrentThreadCpuTime() - startCpuNs, nowNs - startNs);
    }

    /** An instrument, when its next sample is due and what one costs; the sampler's thread counts them on. */
    private static final class ScheduledInstrument {
        private final Instrument instrument;
        private long dueNs;
        private long costNs;
        private long samples;
        private long totalNs;

        ScheduledInstrument(Instrument instrument, long dueNs) {
            this.instrument = instrument;
            this.dueNs = dueNs;
        }

        void tookNs(long ns) {
            costNs += (ns - costNs) / COST_SMOOTHING;
            samples++;
            totalNs += ns;
        }

        InstrumentCost cost() {
            return new InstrumentCost(instrument.name(), samples, totalNs);
        }
    }
}
