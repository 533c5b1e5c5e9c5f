package org.naklab.lab.instruments.sampling;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.agrona.concurrent.Agent;
import org.agrona.concurrent.ManyToOneConcurrentLinkedQueue;
import org.agrona.concurrent.NanoClock;
import org.jspecify.annotations.Nullable;
import org.naklab.lab.core.timeline.DetectException;
import org.naklab.lab.core.timeline.HostEvent;
import org.naklab.lab.core.timeline.TimelineEvent;
import org.naklab.lab.core.timeline.TimelineListener;
import org.naklab.lab.instruments.series.SampleConsumer;
import org.naklab.lab.instruments.series.SampleRing;

/** The thread that may take its time: refreshes the instruments, and hands samples and events on to whoever keeps them. */
public final class InstrumentConductor implements Agent, TimelineListener {
    static final long REFRESH_PERIOD_NS = 100 * Instrument.MILLISECOND_NS;
    /** Of an instrument that asks for it. */
    private static final long LEAST_REFRESH_PERIOD_NS = 10 * Instrument.MILLISECOND_NS;

    private static final int MAX_EVENTS_PER_CYCLE = 1_000;

    /** A process with very many files is looked at less often: one part in so many of a processor goes into it at most, */
    private static final int REFRESH_SHARE = 500;
    /** but its end and its new sockets are found within this time. */
    static final long MAX_REFRESH_PERIOD_NS = 5_000 * Instrument.MILLISECOND_NS;

    private final NanoClock clock;
    private final NanoClock cpuClock;
    private final SampleRing ring;
    private final TimelineListener listener;
    private final List<SampleConsumer> consumers;
    private final List<Instrument> instruments = new CopyOnWriteArrayList<>();
    private final ManyToOneConcurrentLinkedQueue<TimelineEvent> events = new ManyToOneConcurrentLinkedQueue<>();
    private long nextRefreshNs;
    private long refreshCostNs;
    private long nextPromptNs;
    private volatile boolean isRefreshWanted;
    private volatile long deliveredNs;
    private volatile @Nullable Refresh underWay;

    /** A refresh that has begun and is not over. */
    public record Refresh(Instrument instrument, long beganNs) {}

    /**
     * Creates the duties of the background thread.
     *
     * @param cpuClock what the thread that calls it has taken of a processor so far
     */
    public InstrumentConductor(
            NanoClock clock,
            NanoClock cpuClock,
            SampleRing ring,
            TimelineListener listener,
            List<? extends SampleConsumer> consumers) {
        this.clock = clock;
        this.cpuClock = cpuClock;
        this.ring = ring;
        this.listener = listener;
        this.consumers = List.copyOf(consumers);
        nextPromptNs = clock.nanoTime();
        nextRefreshNs = nextPromptNs + REFRESH_PERIOD_NS;
    }

    /** Takes an event from any thread, without waiting. */
    @Override
    public void onEvent(TimelineEvent event) {
        events.offer(event);
    }

    public void add(Instrument instrument) {
        instruments.add(instrument);
    }

    void remove(Instrument instrument) {
        instruments.remove(instrument);
    }

    @Override
    public int doWork() {
        int work = deliver();
        // Who takes what is delivered may have taken long.
        long nowNs = clock.nanoTime();
        if (isRefreshWanted || nowNs - nextRefreshNs >= 0) {
            isRefreshWanted = false;
            refreshAll(nowNs);
            work++;
        } else if (nowNs - nextPromptNs >= 0) {
            for (Instrument instrument : instruments) {
                if (instrument.isRefreshDue()) {
                    nextPromptNs = nowNs + LEAST_REFRESH_PERIOD_NS;
                    refresh(instrument, nowNs);
                    work++;
                }
            }
        }
        return work;
    }

    @Override
    public String roleName() {
        return "naklab-backgrnd";
    }

    /** Hands everything on that has come so far. */
    public int deliver() {
        long nowNs = clock.nanoTime();
        int work = ring.drain(consumers);
        boolean isAll = false;
        for (int i = 0; i < MAX_EVENTS_PER_CYCLE; i++) {
            TimelineEvent event = events.poll();
            if (event == null) {
                isAll = true;
                break;
            }
            listener.onEvent(event);
            consumers.forEach(consumer -> consumer.onEvent(event));
            work++;
        }
        consumers.forEach(consumer -> consumer.onProgress(nowNs));
        if (isAll) {
            deliveredNs = nowNs;
        }
        return work;
    }

    /** Returns the time, ns: all events that had come by then were handed on. Any thread. */
    public long deliveredNs() {
        return deliveredNs;
    }

    /** Has all instruments refreshed as soon as what has come is handed on, although they are not due. Any thread. */
    public void refreshSoon() {
        isRefreshWanted = true;
    }

    /**
     * Refreshes all instruments. A cost that only one of two refreshes has is not counted: code that ran for the first time,
     * or a list that changed once.
     */
    private void refreshAll(long nowNs) {
        long beginCpuNs = cpuClock.nanoTime();
        instruments.forEach(instrument -> refresh(instrument, nowNs));
        long tookNs = cpuClock.nanoTime() - beginCpuNs;
        long pauseNs = Math.min(tookNs, refreshCostNs) * REFRESH_SHARE;
        refreshCostNs = tookNs;
        nextRefreshNs = nowNs + Math.max(REFRESH_PERIOD_NS, Math.min(pauseNs, MAX_REFRESH_PERIOD_NS));
    }

    /** Returns the refresh that is under way; {@code null}: none is. While one hangs, no instrument is refreshed. Any thread. */
    public @Nullable Refresh underWay() {
        return underWay;
    }

    private void refresh(Instrument instrument, long nowNs) {
        underWay = new Refresh(instrument, clock.nanoTime());
        try {
            instrument.refresh(nowNs);
        } catch (DetectException blind) {
            instruments.remove(instrument);
            reportBlind(instrument, blind);
        } catch (IndexOutOfBoundsException | IllegalArgumentException | NegativeArraySizeException damaged) {
            // What it reads may be written by others, who may write anything.
            instruments.remove(instrument);
            reportBlind(instrument, new DetectException("what it reads is damaged: " + damaged.getMessage(), damaged));
        } finally {
            underWay = null;
        }
    }

    /** Reports that an instrument became blind. Any thread. */
    public void reportBlind(Instrument instrument, DetectException blind) {
        onEvent(new HostEvent.Blind(
                clock.nanoTime(), "lab", "", instrument.describe(), String.valueOf(blind.getMessage())));
    }
}
