package org.naklab.lab.instruments.watch;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.agrona.ErrorHandler;
import org.agrona.concurrent.AgentRunner;
import org.agrona.concurrent.NanoClock;
import org.agrona.concurrent.NoOpIdleStrategy;
import org.agrona.concurrent.SleepingMillisIdleStrategy;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.linux.CpuUsageHistory;
import org.naklab.lab.instruments.linux.NativeSampler;
import org.naklab.lab.instruments.linux.PriorityThreadFactory;
import org.naklab.lab.instruments.linux.ThreadPriority;
import org.naklab.lab.instruments.sampling.Instrument;
import org.naklab.lab.instruments.sampling.InstrumentConductor;
import org.naklab.lab.instruments.sampling.InstrumentCost;
import org.naklab.lab.instruments.sampling.Sampler;
import org.naklab.lab.instruments.sampling.SamplerStatistics;
import org.naklab.lab.instruments.series.SampleConsumer;
import org.naklab.lab.instruments.series.SampleRing;

/**
 * Runs instruments: a sampler at up to 1 kHz and a background thread. Instruments report to {@link #events}; the listener and the consumers are
 * called on the background thread, some hundred milliseconds later.
 */
public final class InstrumentRunner implements AutoCloseable {
    private static final int RING_SAMPLES = 1 << 16;
    private static final int BACKGROUND_IDLE_MS = 100;
    /** What has seen nothing for so long is blind, for as long as that lasts. */
    public static final long BLIND_NS = 1_500 * Instrument.MILLISECOND_NS;

    private final UnaryOperator<Instrument> wrapping;
    private final List<Instrument> instruments = new CopyOnWriteArrayList<>();
    private final List<SampleConsumer> consumers;
    private final List<TimelineListener> atOnce = new CopyOnWriteArrayList<>();
    private final SampleRing ring = new SampleRing(RING_SAMPLES);
    private final Sampler sampler;
    private final InstrumentConductor background;
    private final PriorityThreadFactory samplerThreads =
            new PriorityThreadFactory(ThreadPriority.SHORT_SLICE, ThreadPriority.REAL_TIME);
    private final AgentRunner samplerRunner;
    private final AgentRunner backgroundRunner;
    private boolean isWithoutSampler;

    /**
     * Creates two threads that are not started yet.
     *
     * @param consumers take all samples; closed with the runner
     * @param errorHandler of what is no {@link DetectException}; on either thread
     */
    public InstrumentRunner(
            NanoClock clock,
            TimelineListener listener,
            List<? extends SampleConsumer> consumers,
            ErrorHandler errorHandler) {
        this(clock, listener, consumers, errorHandler, UnaryOperator.identity());
    }

    /** @param wrapping is given each instrument that is added; what it returns is run in its place */
    InstrumentRunner(
            NanoClock clock,
            TimelineListener listener,
            List<? extends SampleConsumer> consumers,
            ErrorHandler errorHandler,
            UnaryOperator<Instrument> wrapping) {
        this.wrapping = wrapping;
        this.consumers = List.copyOf(consumers);
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        background = new InstrumentConductor(clock, threads::getCurrentThreadCpuTime, ring, listener, consumers);
        sampler = new Sampler(clock, Instrument.MILLISECOND_NS, ring, background);
        samplerRunner = new AgentRunner(NoOpIdleStrategy.INSTANCE, errorHandler, null, sampler);
        backgroundRunner =
                new AgentRunner(new SleepingMillisIdleStrategy(BACKGROUND_IDLE_MS), errorHandler, null, background);
    }

    /** Returns the listener for the events of instruments that are added later. Any thread. */
    public TimelineListener events() {
        return this::report;
    }

    private void report(TimelineEvent event) {
        atOnce.forEach(each -> each.onEvent(event));
        background.onEvent(event);
    }

    /** Adds a listener that is called when an instrument reports an event, on the thread of the instrument. It must be fast. Any thread. */
    public void addAtOnce(TimelineListener listener) {
        atOnce.add(listener);
    }

    /** Takes an instrument over, which is closed with the runner. Before the start or after. */
    public void add(Instrument added) {
        Instrument instrument = wrapping.apply(added);
        instruments.add(instrument);
        background.add(instrument);
        sampler.add(instrument);
    }

    /** Returns whether an instrument of a kind was added. Any thread. */
    public boolean has(Class<? extends Instrument> kind) {
        return instruments.stream().anyMatch(kind::isInstance);
    }

    public void start() {
        AgentRunner.startOnThread(samplerRunner, samplerThreads);
        startDelivery();
    }

    /** Starts to deliver events, without the sampler; in place of {@link #start} if there are no instruments. */
    public void startWithoutSampler() {
        isWithoutSampler = true;
        startDelivery();
    }

    private void startDelivery() {
        AgentRunner.startOnThread(backgroundRunner, InstrumentRunner::daemon);
    }

    /** Returns what each instrument measures and cannot measure. */
    public List<String> describe() {
        Stream<String> sampling = isWithoutSampler
                ? Stream.empty()
                : Stream.of("sampler at 1 kHz, at 250 Hz while no socket fills, " + samplerThreads.describe() + ", "
                        + (NativeSampler.isAvailable() ? "in native code" : "without its native library"));
        return Stream.concat(sampling, instruments.stream().map(Instrument::describe))
                .toList();
    }

    /**
     * Returns the instruments that have not seen anything for a while, each with the time until which it has seen all. Any thread.
     *
     * @param nowNs CLOCK_MONOTONIC, ns
     */
    public Map<String, Long> behind(long nowNs) {
        Map<String, Long> behind = new LinkedHashMap<>();
        long sampledNs = isWithoutSampler ? nowNs : sampler.reachedNs();
        if (nowNs - sampledNs > BLIND_NS) {
            behind.put("the sampler", sampledNs);
        }
        InstrumentConductor.Refresh refresh = background.underWay();
        if (refresh != null && nowNs - refresh.beganNs() > BLIND_NS) {
            behind.put(refresh.instrument().title(), refresh.beganNs());
        }
        for (Instrument instrument : instruments) {
            long reachedNs = instrument.reachedNs(nowNs);
            if (nowNs - reachedNs > BLIND_NS) {
                behind.putIfAbsent(instrument.title(), reachedNs);
            }
        }
        return behind;
    }

    /** Returns the time, ns: all events that had come by then were handed to the listener and the consumers. Any thread. */
    long deliveredNs() {
        return background.deliveredNs();
    }

    /** Has all instruments refreshed within a tenth of a second. Any thread. */
    void refreshSoon() {
        background.refreshSoon();
    }

    /** Returns the cost of the observation itself, as of the last tenth of a second. Any thread. */
    public SamplerStatistics statistics() {
        return sampler.statistics();
    }

    /** Returns the share of a core that the sampler used, for each tenth of a second. Any thread. */
    public CpuUsageHistory samplerShares() {
        return sampler.shares();
    }

    /** Returns the sampler time that each instrument used; to be called when the runner is closed. */
    public List<InstrumentCost> costs() {
        return sampler.costs();
    }

    /** Samples lost because the background thread did not keep up. */
    public long lostSamples() {
        return ring.lost();
    }

    /** Stops both threads, has the instruments say what is still going on, and delivers everything. */
    @Override
    public void close() {
        samplerRunner.close();
        backgroundRunner.close();
        instruments.forEach(this::end);
        while (background.deliver() > 0) {
            Thread.onSpinWait();
        }
        consumers.forEach(SampleConsumer::close);
    }

    /** Ends one instrument; its failure must not cost the reports of the others. */
    private void end(Instrument instrument) {
        try {
            instrument.close();
        } catch (DetectException blind) {
            background.reportBlind(instrument, blind);
        }
    }

    private static Thread daemon(Runnable runnable) {
        Thread thread = new Thread(runnable);
        thread.setDaemon(true);
        return thread;
    }
}
