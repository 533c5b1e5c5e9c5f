package org.naklab.lab.instruments.sampling;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.series.SeriesName;
import org.naklab.lab.core.series.SeriesSource;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.HostEvent;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.linux.CpuUsageHistory;
import org.naklab.lab.instruments.series.SampleSink;
import org.naklab.lab.instruments.series.Series;

/**
 * Ticks at the period, or at four of them while no socket fills or waits to be read, and samples the instruments, each at its own multiple of it. Native code, if there is any, looks at the sockets
 * in each tick between; a dropped datagram, or a word of memory that is to be heard, has all instruments sampled at once but those with
 * a period of their own. An instrument that takes long is sampled less often, so that it gets at most a quarter of a processor: the
 * sampler may run at real-time priority.
 */
public final class Sampler implements Agent {
    private static final int COST_SHARE = 4;
    private static final int COST_SMOOTHING = 16;
    /** Period of calm instruments without the native library, ns. */
    private static final long DEAF_PERIOD_NS = 20 * Instrument.MILLISECOND_NS;

    /** Periods between two ticks while all is calm: a wake-up takes more of the processor than a look. */
    private static final int CALM_PERIODS = 4;

    private static final long SELF_REPORT_PERIOD_NS = 100 * Instrument.MILLISECOND_NS;

    private final NanoClock clock;
    private final SampleTimer ticker;
    private final SampleSink sink;
    private final TimelineListener listener;
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private final Series latenessSeries = new Series(SeriesName.ofMachine(SeriesSource.SAMPLER, "maxLatenessNs"));
    private final Series missedSeries = new Series(SeriesName.ofMachine(SeriesSource.SAMPLER, "missedTicks"));
    private final List<SocketPollTable> pollTables = new ArrayList<>();
    private final Watchpoints words = new Watchpoints();
    private final CpuUsageHistory shares = new CpuUsageHistory();
    private volatile ScheduledInstrument[] schedule = {};
    private volatile SamplerStatistics statistics = new SamplerStatistics(0, 0, 0, 0, 0);
    private ScheduledInstrument[] known = {};
    private volatile long reachedNs;
    private long startNs;
    private long startCpuNs;
    private long selfReportNs;
    private long ticks;
    private long missedTicks;
    private long maxLatenessNs;
    private long recentLatenessNs;

    public Sampler(NanoClock clock, long periodNs, SampleSink sink, TimelineListener listener) {
        this.clock = clock;
        this.sink = sink;
        this.listener = listener;
        ticker = new SampleTimer(clock, periodNs, SampleTimer.NO_ALARM);
        reachedNs = clock.nanoTime();
    }

    @Override
    public void onStart() {
        ticker.openTimers();
        ticker.start();
        startNs = ticker.deadlineNs() - ticker.periodNs();
        startCpuNs = threads.getCurrentThreadCpuTime();
        selfReportNs = startNs + SELF_REPORT_PERIOD_NS;
    }

    @Override
    public int doWork() {
        ScheduledInstrument[] scheduled = schedule;
        if (scheduled != known) {
            known = scheduled;
            findWords();
        }
        ticker.setCalmPeriods(isHurried(scheduled) ? 1 : CALM_PERIODS);
        ticker.await(ticksUntilDue(scheduled), panelsOf(scheduled), words);
        if (ticker.ticks() == 0) {
            return 0;
        }
        noteTicks();
        long nowNs = ticker.nowNs();
        for (ScheduledInstrument each : scheduled) {
            if (nowNs - each.dueNs >= 0 || (ticker.isAlarmed() && each.isIdle())) {
                sample(each, nowNs);
            }
        }
        if (nowNs - selfReportNs >= 0) {
            reportSelf(nowNs);
        }
        return 1;
    }

    @Override
    public void onClose() {
        ticker.close();
    }

    @Override
    public String roleName() {
        return "naklab-sampler";
    }

    /** Adds an instrument; its first sample is at one of the next deadlines. Any thread, one at a time. */
    public synchronized void add(Instrument instrument) {
        ScheduledInstrument[] longer = Arrays.copyOf(schedule, schedule.length + 1);
        longer[schedule.length] = new ScheduledInstrument(instrument, clock.nanoTime());
        schedule = longer;
    }

    synchronized void remove(Instrument instrument) {
        schedule = Arrays.stream(schedule)
                .filter(scheduled -> scheduled.instrument != instrument)
                .toArray(ScheduledInstrument[]::new);
    }

    /** Returns the time of the last tick. Any thread. */
    public long reachedNs() {
        return reachedNs;
    }

    /** Returns the statistics as of the last tenth of a second. */
    public SamplerStatistics statistics() {
        return statistics;
    }

    /** Returns the share of a core for each tenth of a second. Any thread. */
    public CpuUsageHistory shares() {
        return shares;
    }

    /** Returns the time that each instrument used; to be called when the sampler has stopped. */
    public List<InstrumentCost> costs() {
        return Stream.concat(Arrays.stream(schedule).map(ScheduledInstrument::cost), Stream.of(ticker.lookCost()))
                .filter(cost -> cost.samples() > 0)
                .toList();
    }

    /** The last of them at the latest at which something is due, be it this sampler's own report. */
    private long ticksUntilDue(ScheduledInstrument[] scheduled) {
        long dueNs = selfReportNs;
        for (ScheduledInstrument each : scheduled) {
            dueNs = Math.min(dueNs, each.dueNs);
        }
        long periodNs = ticker.periodNs();
        return 1 + Math.max(0, dueNs - ticker.deadlineNs() + periodNs - 1) / periodNs;
    }

    /** Returns whether an instrument is to be sampled more often than the ticks are while all is calm. */
    private boolean isHurried(ScheduledInstrument[] scheduled) {
        for (ScheduledInstrument each : scheduled) {
            if (each.periodNs < CALM_PERIODS * ticker.periodNs()) {
                return true;
            }
        }
        return false;
    }

    private void findWords() {
        words.clear();
        if (!ticker.listens()) {
            return;
        }
        for (ScheduledInstrument each : known) {
            if (each.instrument instanceof Watchpoints.Source holder) {
                holder.addTo(words);
            }
        }
    }

    /** The list is this sampler's own and kept, so that nothing is allocated. */
    private List<SocketPollTable> panelsOf(ScheduledInstrument[] scheduled) {
        pollTables.clear();
        for (ScheduledInstrument each : scheduled) {
            SocketPollTable pollTable = each.holder == null ? null : each.holder.pollTable();
            if (pollTable != null) {
                pollTables.add(pollTable);
            }
        }
        return pollTables;
    }

    private void sample(ScheduledInstrument scheduled, long nowNs) {
        Instrument instrument = scheduled.instrument;
        try {
            long beginNs = clock.nanoTime();
            instrument.sample(nowNs, sink);
            scheduled.tookNs(clock.nanoTime() - beginNs);
        } catch (DetectException blind) {
            remove(instrument);
            listener.onEvent(
                    new HostEvent.Blind(nowNs, "lab", "", instrument.describe(), String.valueOf(blind.getMessage())));
        }
        scheduled.dueNs = nextDueNs(scheduled, nowNs);
    }

    /** Returns the next due time on a grid, so that instruments of one period are due together. */
    private long nextDueNs(ScheduledInstrument scheduled, long nowNs) {
        long wantedNs = scheduled.instrument.periodNs();
        if (wantedNs == Instrument.CALM_PERIOD_NS && !ticker.listens()) {
            wantedNs = DEAF_PERIOD_NS;
        }
        scheduled.periodNs = Math.max(Math.max(wantedNs, ticker.periodNs()), COST_SHARE * scheduled.costNs);
        return nextNs(nowNs, scheduled.periodNs);
    }

    private long nextNs(long nowNs, long periodNs) {
        return startNs + (Math.floorDiv(nowNs - startNs, periodNs) + 1) * periodNs;
    }

    private void noteTicks() {
        long latenessNs = ticker.maxLatenessNs();
        ticks += ticker.ticks();
        missedTicks += ticker.missed();
        reachedNs = ticker.nowNs();
        maxLatenessNs = Math.max(maxLatenessNs, latenessNs);
        recentLatenessNs = Math.max(recentLatenessNs, latenessNs);
    }

    private void reportSelf(long nowNs) {
        sink.record(latenessSeries, nowNs, recentLatenessNs);
        sink.record(missedSeries, nowNs, missedTicks);
        recentLatenessNs = 0;
        selfReportNs = nextNs(nowNs, SELF_REPORT_PERIOD_NS);
        long cpuNs = threads.getCurrentThreadCpuTime() - startCpuNs;
        SamplerStatistics now = new SamplerStatistics(ticks, missedTicks, maxLatenessNs, cpuNs, nowNs - startNs);
        shares.add(now.since(statistics).cpuShare());
        statistics = now;
    }

    /** An instrument, when its next sample is due and what one costs; the sampler's thread counts them on. */
    private static final class ScheduledInstrument {
        private final Instrument instrument;
        private final SocketPollTable.@Nullable Owner holder;
        private long dueNs;
        private long periodNs;
        private long costNs;
        private long samples;
        private long totalNs;

        ScheduledInstrument(Instrument instrument, long dueNs) {
            this.instrument = instrument;
            this.dueNs = dueNs;
            holder = instrument instanceof SocketPollTable.Owner socketHolder ? socketHolder : null;
        }

        /** Waits only because there is nothing to see, and does not take long. */
        boolean isIdle() {
            return instrument.isIdle() && COST_SHARE * costNs <= Instrument.MILLISECOND_NS;
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
